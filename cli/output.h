/* SPDX-License-Identifier: Apache-2.0
 * Files that a command writes.
 */
#ifndef ZTL_CLI_OUTPUT_H
#define ZTL_CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* Whether a file can be written, or replaced by a new one, as far as that can be told without
 * touching it: a command says so before long work, not after it. False with errno set. */
bool ztl_output_possible(const char *path);
bool ztl_output_replaceable(const char *path);

/* A file that appears when it is complete. Until then it has another name, and is removed when a
 * signal ends the program. Pipes and devices are written to directly. One at a time. */
FILE *ztl_output_open(const char *path);

/* Completes it, or, with `good` false, drops it. False with errno set. */
bool ztl_output_close(FILE *file, const char *path, bool good);

#endif
