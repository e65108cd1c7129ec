/* SPDX-License-Identifier: Apache-2.0
 * Files that a command will write.
 */
#ifndef ZTL_CLI_OUTPUT_H
#define ZTL_CLI_OUTPUT_H

#include <stdbool.h>

/* Whether a file can be written, as far as that can be told without touching it: a command says so
 * before long work, not after it. False with errno set. */
bool ztl_output_possible(const char *path);

/* Whether a path is something else than a file, such as a pipe or a device: it can be written to,
 * but not replaced. */
bool ztl_output_is_special(const char *path);

#endif
