/* SPDX-License-Identifier: Apache-2.0
 * Source lines of a program that was built with -g.
 */
#ifndef ZTL_CLI_LINES_H
#define ZTL_CLI_LINES_H

#include <stddef.h>
#include <stdint.h>

typedef struct ztl_lines ztl_lines;

/* NULL when the file has none. It may be removed afterwards. */
ztl_lines *ztl_lines_open(const char *path);
void ztl_lines_close(ztl_lines *lines);

/* "prog.c:12", or an empty text; lines may be NULL. */
void ztl_lines_find(const ztl_lines *lines, uint64_t pc, char *text, size_t size);

#endif
