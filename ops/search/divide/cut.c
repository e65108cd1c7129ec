/* SPDX-License-Identifier: Apache-2.0
 * A dimension cut in two: what is left beyond a multiple of a power of two goes a way of its own.
 * Of 100 rows, 96 may be tiles of 32 and 4 plain slices.
 */
#include "ops/search/ways/way.h"

static void parts_of(const ops_piece *piece, unsigned d, int64_t at, ops_piece part[2])
{
    ztl_ops_cut(piece, d, at, part);
    ztl_ops_canonical_piece(&part[0]);
    ztl_ops_canonical_piece(&part[1]);
}

/* Keeps a cut in *found if it is the cheapest so far; `best` is the cost to beat. */
static void try_cut(const ops_query *q, unsigned d, int64_t at, ops_cost *best, ops_found *found)
{
    ops_piece part[2];
    if (ops_is_enough(q->planner))
        return;
    parts_of(q->piece, d, at, part);
    int64_t reach = ops_reach(q, *best), most = reach - ztl_ops_floor(q->planner, &part[1]);
    ops_cost cost = ztl_ops_cost_below(q->planner, &part[0], q->depth - 1, most);
    if (cost.ztl > most)
        return;
    cost = ops_sum(cost, ztl_ops_cost_below(q->planner, &part[1], q->depth - 1, reach - cost.ztl));
    if (!ops_cheaper(cost, *best))
        return;
    *best = found->cost = cost;
    found->cut.dim = d;
    found->cut.at = found->detail = at;
}

static bool find(const ops_query *q, ops_found *found)
{
    static const int64_t units[] = {2 * OPS_NEIGHBOURS, 32, 16, 8, 4};
    const ops_piece *piece = q->piece;
    int64_t element = q->planner->element;
    ops_cost best = q->best->cost;
    for (unsigned d = 0; d < piece->rank; d++) {
        int64_t n = piece->dim[d].n, last = n;
        if (piece->dim[d].in != element && piece->dim[d].out != element)
            continue;
        for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
            int64_t at = n - n % units[k];
            if (at && at < n && at != last)
                try_cut(q, d, at, &best, found);
            last = at ? at : last;
        }
    }
    return found->detail;
}

static void write(const ops_query *q, const ops_found *found)
{
    ops_piece part[2];
    parts_of(q->piece, found->cut.dim, found->cut.at, part);
    ztl_ops_solve(q->planner, &part[0], q->depth - 1, true);
    ztl_ops_solve(q->planner, &part[1], q->depth - 1, true);
}

const ops_way ztl_ops_way_cut = {"a cut after %u", OPS_DIVIDES, find, NULL, write};
