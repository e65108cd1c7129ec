/* SPDX-License-Identifier: Apache-2.0
 * Nibbles through scratch memory, one to a byte: there every way of the planner is open to them.
 */
#ifndef ZTL_OPS_NIBBLES_UNPACKED_H
#define ZTL_OPS_NIBBLES_UNPACKED_H

#include "ops/operators/call.h"
#include "ops/search/planner.h"

/* The nibbles of a buffer that the map reads or writes, and where they are in scratch memory. */
typedef struct ops_unpacked_buffer {
    int64_t low, high; /* nibbles, in whole bytes */
    int64_t base;      /* of nibble `low` */
} ops_unpacked_buffer;

typedef struct ops_unpacked {
    ops_unpacked_buffer buffer[OPS_OUT + ZTL_OPS_BUFFERS];
} ops_unpacked;

/* Unpacks the inputs and makes the map one of bytes in scratch memory; false, with nothing done,
 * where that is not possible or not worth while. */
bool ops_unpack(ops_planner *planner, const ops_call *call, ops_map *map, ops_unpacked *unpacked);

/* How many nibbles at the ends of rows are moved one by one then. */
int64_t ops_unpacked_singles(const ops_call *call);

/* Where a nibble of a buffer is then. */
int64_t ops_unpacked_at(const ops_unpacked *unpacked, unsigned buffer, int64_t nibble);

/* Packs the outputs. */
void ops_repack(ops_planner *planner, const ops_call *call, const ops_unpacked *unpacked);

#endif
