/* SPDX-License-Identifier: Apache-2.0
 * The whole output filled: a border that takes more stores than the output itself is filled with
 * all of it, before anything else is written there.
 */
#include "ops/search/ways/way.h"

static bool find(const ops_query *q, ops_node *found)
{
    if (!q->whole)
        return false;
    found->cost =
        ztl_ops_runs_cost(q->planner, q->whole, 1, NULL, OPS_NEVER.key, &found->pick.width);
    return true;
}

static void write(const ops_query *q, const ops_node *node)
{
    ztl_ops_runs_write(q->planner, q->whole, 1, NULL, node->pick.width);
}

const ops_way ztl_ops_way_whole_output = {"the whole output filled first", find, NULL, write};
