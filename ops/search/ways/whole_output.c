/* SPDX-License-Identifier: Apache-2.0
 * The whole output filled: a border that takes more stores than the output itself is filled with
 * all of it, before anything else is written there.
 */
#include "ops/search/ways/way.h"

static bool find(const ops_query *q, ops_found *found)
{
    (void)found;
    return q->whole;
}

static ops_cost cost(const ops_query *q, ops_found *found)
{
    return ztl_ops_runs_cost(q->planner, q->whole, 1, NULL, OPS_NEVER.ztl, &found->width);
}

static void write(const ops_query *q, const ops_found *found)
{
    ztl_ops_runs_write(q->planner, q->whole, 1, NULL, found->width);
}

const ops_way ztl_ops_way_whole_output = {"the whole output filled first", OPS_DIRECT, find, cost,
                                          write};
