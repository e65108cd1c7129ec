/* SPDX-License-Identifier: Apache-2.0
 * Nibbles from source to target without scratch memory.
 */
#ifndef ZTL_OPS_NIBBLES_H
#define ZTL_OPS_NIBBLES_H

#include "ops/search/planner.h"

/* What can be done with the parts of a map in nibbles. */
enum ops_nibble_part {
    OPS_NIBBLES_BYTES,   /* whole bytes; in bytes */
    OPS_NIBBLES_SHIFTED, /* runs from the high nibble of a byte to the low nibble of one; in bytes
                          */
    OPS_NIBBLES_TRANSPOSED, /* runs along different dimensions: 0 in the source, 1 in the target.
                       The extents of these are in nibbles, all else is in bytes */
    OPS_NIBBLES_SINGLE,     /* anything else; in nibbles */
    OPS_NIBBLE_PARTS
};

typedef struct ops_nibbles {
    ops_map part[OPS_NIBBLE_PARTS];
    enum ops_nibble_part wanted; /* while the map is being cut */
    int64_t singles;             /* nibbles that are single */
} ops_nibbles;

/* False, with nothing done, where there is no memory for so many parts. */
bool ops_nibbles_cut(ops_planner *planner, const ops_map *map, ops_nibbles *nibbles);

/* Whether no more nibbles are single than this, and squares are not small: no way through
 * scratch memory would take less then. */
bool ops_nibbles_suit(const ops_planner *planner, const ops_nibbles *nibbles, int64_t singles);

/* Writes what is shifted and turned. */
void ops_nibbles_write(ops_planner *planner, const ops_nibbles *nibbles);

#endif
