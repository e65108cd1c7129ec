/* SPDX-License-Identifier: Apache-2.0
 * Half-bytes through scratch memory, one to a byte: there every way of the planner is open to them.
 */
#ifndef ZTL_OPS_HALVES_H
#define ZTL_OPS_HALVES_H

#include "ops/operators/call.h"

/* The half-bytes of a buffer that the map reads or writes, and where they are in scratch memory. */
typedef struct ops_unpacked {
    int64_t low, high; /* half-bytes, in whole bytes */
    int64_t base;      /* of half-byte `low` */
} ops_unpacked;

typedef struct ops_halves {
    ops_unpacked buffer[OPS_OUT + ZTL_OPS_BUFFERS];
} ops_halves;

/* Unpacks the inputs and makes the map one of bytes in scratch memory; false, with nothing done,
 * where that is not possible or not worth while. */
bool ops_halves_open(ops_planner *planner, const ops_call *call, ops_map *map, ops_halves *halves);

/* How many half-bytes at the ends of rows are moved one by one then. */
int64_t ops_halves_singles(const ops_call *call);

/* Where a half-byte of a buffer is then. */
int64_t ops_halves_at(const ops_halves *halves, unsigned buffer, int64_t half_byte);

/* Packs the outputs. */
void ops_halves_close(ops_planner *planner, const ops_call *call, const ops_halves *halves);

#endif
