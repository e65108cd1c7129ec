/* SPDX-License-Identifier: Apache-2.0
 * Source lines of a program that was built with -g.
 */
#ifndef ZTL_DEBUG_LINES_H
#define ZTL_DEBUG_LINES_H

#include <stddef.h>
#include <stdint.h>

typedef struct ztl_lines ztl_lines;

/* The lines of addresses, which ascend, in the program of an open ELF file at `base`. A damaged
 * file costs lines, never more: it is read in a process of its own, with limits. NULL without
 * memory. */
ztl_lines *ztl_lines_find(int file, uint64_t base, const uint64_t *address, size_t count);
void ztl_lines_free(ztl_lines *lines);

/* "prog.c:12", fit for a terminal, or an empty text; lines may be NULL. */
const char *ztl_lines_at(const ztl_lines *lines, uint64_t address);

#endif
