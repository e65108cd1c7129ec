/* SPDX-License-Identifier: Apache-2.0
 * Several passes through scratch memory, one after the other, in place of one piece.
 */
#ifndef ZTL_OPS_PASSES_H
#define ZTL_OPS_PASSES_H

#include "ops/search/ways/way.h"

enum { OPS_MOST_PASSES = 3 };

typedef struct ops_passes {
    ops_piece pass[OPS_MOST_PASSES];
    unsigned depth[OPS_MOST_PASSES]; /* how often each may be divided */
    unsigned count;
    uint64_t bytes; /* of scratch memory, from the planner's top on */
} ops_passes;

/* Whether so much scratch memory is left. */
bool ztl_ops_passes_fit(const ops_planner *planner, uint64_t bytes);

/* What they cost; at least `limit` where it is not below. `other` is for the loops around them. */
ops_cost ztl_ops_passes_cost(ops_planner *planner, const ops_passes *p, int64_t limit,
                             int64_t other);
void ztl_ops_passes_write(ops_planner *planner, const ops_passes *p);

#endif
