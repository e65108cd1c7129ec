/* SPDX-License-Identifier: Apache-2.0
 * Work on files that nobody vouches for, in a process of its own.
 */
#ifndef ZTL_DEBUG_SANDBOX_H
#define ZTL_DEBUG_SANDBOX_H

#include <stdio.h>

typedef void ztl_sandbox_work(const void *context, FILE *out);

/* Lets a child do the work and hands over what it wrote, up to `size` - 1 bytes, ended by NUL: all
 * of it, or the lines that it had come to when it crashed or took too much memory or time. */
void ztl_sandbox_run(ztl_sandbox_work *work, const void *context, char *text, size_t size);

#endif
