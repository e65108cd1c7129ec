/* SPDX-License-Identifier: Apache-2.0
 * Several pieces, each solved by itself. Many are small ones, which are not divided: no node of
 * theirs is kept.
 */
#include "ops/search/ways/way.h"

/* Of many pieces with runs, those that share loads are not searched one by one. */
static bool find(const ops_query *q, ops_node *found)
{
    bool many = q->count > OPS_MOST_PARTS &&
                ztl_ops_run_bytes(q->piece, q->planner->element) > q->planner->element;
    if (q->count < 2 || (many && q->best->way == OPS_WAY_SHARED_LOADS))
        return false;
    ops_cost sum = {0, 0, 0};
    for (size_t i = 0; i < q->count && ops_cheaper(sum, q->best->cost); i++)
        sum = ops_sum(sum, ztl_ops_plan_one(q, &q->piece[i], found));
    found->cost = sum;
    return ops_cheaper(sum, q->best->cost);
}

static void write(const ops_query *q, const ops_node *node)
{
    unsigned part = 0;
    for (size_t i = 0; i < q->count; i++)
        ztl_ops_write_one(q, &q->piece[i], node, &part);
}

const ops_way ztl_ops_way_apart = {"each piece by itself", find, NULL, write};
