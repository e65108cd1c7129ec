/* SPDX-License-Identifier: Apache-2.0
 * From an address to functions, files and lines.
 */
#ifndef ZTL_DEBUG_SOURCE_H
#define ZTL_DEBUG_SOURCE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>

enum { ZTL_MAX_INLINED = 16 };

/* A function that is at a line. */
typedef struct ztl_place {
    const char *function; /* NULL: not known */
    uint64_t offset;      /* into it, where there is no line */
    const char *file;     /* NULL: not known */
    int line;
    bool inlined; /* into the next place */
} ztl_place;

/* The functions that were inlined at an address, innermost first, then the one that holds it.
 * Returns how many; the texts live as long as the module. */
size_t ztl_source_find(Dwfl_Module *module, uint64_t address, ztl_place place[ZTL_MAX_INLINED]);

/* The file and the line of an address, nothing else; false when they are not known. */
bool ztl_source_line(Dwfl_Module *module, uint64_t address, ztl_place *place);

#endif
