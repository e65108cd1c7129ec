/* SPDX-License-Identifier: Apache-2.0
 * Loops over several tensors of broadcast shapes at once.
 */
#ifndef ZTL_OPS_BROADCAST_H
#define ZTL_OPS_BROADCAST_H

#include "ops/map/map.h"

enum { OPS_TOGETHER = 4 };

/* Outermost first, at least one. */
typedef struct ops_loops {
    uint64_t rank;
    int64_t n[ZTL_OPS_RANK], step[ZTL_OPS_RANK][OPS_TOGETHER];
    int64_t at[OPS_TOGETHER]; /* where element 0 is */
} ops_loops;

/* Loops over the last tensor, outermost stride first, with the others broadcast to it; loops
 * contiguous in all tensors are merged. */
ops_loops ztl_ops_loops_of(const ztl_ops_tensor *const *tensor, unsigned count);

#endif
