/* SPDX-License-Identifier: Apache-2.0
 * Several passes through scratch memory: their cost is the sum.
 */
#include "ops/search/divide/passes.h"

bool ztl_ops_passes_fit(const ops_planner *planner, uint64_t bytes)
{
    return planner->may_reload && planner->scratch_top <= planner->scratch_limit &&
           bytes <= planner->scratch_limit - planner->scratch_top;
}

ops_cost ztl_ops_passes_cost(ops_planner *planner, const ops_passes *p, int64_t limit,
                             int64_t other)
{
    ops_cost sum = {0, other};
    planner->scratch_top += p->bytes; /* what the passes need comes after it */
    for (unsigned k = 0; k < p->count && sum.ztl < limit; k++)
        sum = ops_sum(sum, ztl_ops_cost_below(planner, &p->pass[k], p->depth[k], limit - sum.ztl));
    planner->scratch_top -= p->bytes;
    return sum;
}

void ztl_ops_passes_write(ops_planner *planner, const ops_passes *p)
{
    uint64_t *most = &planner->draft->plan->scratch;
    planner->scratch_top += p->bytes;
    *most = *most < planner->scratch_top ? planner->scratch_top : *most;
    for (unsigned k = 0; k < p->count; k++)
        ztl_ops_solve(planner, &p->pass[k], p->depth[k], true);
    planner->scratch_top -= p->bytes;
}
