/* SPDX-License-Identifier: Apache-2.0
 * Several pieces, each solved by itself.
 */
#include "ops/search/ways/way.h"

/* Of many pieces with runs, those that share loads are not searched one by one. */
static bool find(const ops_query *q, ops_found *found)
{
    (void)found;
    bool many = ops_depth_for(q->count) == 0 &&
                ztl_ops_run_bytes(q->piece, q->planner->element) > q->planner->element;
    return q->count > 1 && !(many && q->best->way == &ztl_ops_way_shared_loads);
}

static ops_cost cost(const ops_query *q, ops_found *found)
{
    (void)found;
    ops_cost sum = {0, 0};
    for (size_t i = 0; i < q->count && ops_cheaper(sum, q->best->cost); i++)
        sum = ops_sum(sum, ztl_ops_solve(q->planner, &q->piece[i], ops_depth_for(q->count), false));
    return ops_cheaper(sum, q->best->cost) ? sum : OPS_NEVER;
}

static void write(const ops_query *q, const ops_found *found)
{
    (void)found;
    for (size_t i = 0; i < q->count; i++)
        ztl_ops_solve(q->planner, &q->piece[i], ops_depth_for(q->count), true);
}

const ops_way ztl_ops_way_apart = {"each piece by itself", OPS_DIRECT, find, cost, write};
