/* SPDX-License-Identifier: Apache-2.0
 * Names out of a program's file.
 */
#ifndef ZTL_DEBUG_NAME_H
#define ZTL_DEBUG_NAME_H

#include <stddef.h>

/* Copies a name, fit for a terminal: what is not printable UTF-8 becomes question marks. One that
 * is longer than `size`, which is 16 at least, ends in dots. */
void ztl_name_clean(const char *name, char *text, size_t size);

#endif
