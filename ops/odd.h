/* SPDX-License-Identifier: Apache-2.0
 * Half-bytes from source to target without scratch memory.
 */
#ifndef ZTL_OPS_ODD_H
#define ZTL_OPS_ODD_H

#include "ops/plan.h"

/* What can be done with the parts of a map in half-bytes. */
enum ops_odd_kind {
    OPS_ODD_BYTES,   /* whole bytes; in bytes */
    OPS_ODD_SHIFTED, /* runs from the high half of a byte to the low half of one; in bytes */
    OPS_ODD_TURNED,  /* runs along different dimensions: 0 in the source, 1 in the target. The
                        extents of these are in half-bytes, all else is in bytes */
    OPS_ODD_SINGLE,  /* anything else; in half-bytes */
    OPS_ODD_KINDS
};

typedef struct ops_odd {
    ops_map part[OPS_ODD_KINDS];
    enum ops_odd_kind wanted; /* while the map is being cut */
    int64_t singles;          /* half-bytes that are single */
} ops_odd;

/* False, with nothing done, where there is no memory for so many parts. */
bool ops_odd_cut(ops_planner *planner, const ops_map *map, ops_odd *odd);

/* Whether no more half-bytes are single than this, and squares are not small: no way through
 * scratch memory would take less then. */
bool ops_odd_suits(const ops_planner *planner, const ops_odd *odd, int64_t singles);

/* Writes what is shifted and turned. */
void ops_odd_write(ops_planner *planner, const ops_odd *odd);

#endif
