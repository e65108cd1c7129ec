/* SPDX-License-Identifier: Apache-2.0
 * Through scratch memory in blocks, so that long runs (long_runs.c) become possible. A dimension
 * that is one side's run is split into blocks, which come outermost in scratch memory:
 *
 *     source   [rows][n]            a row has n neighbours
 *     scratch  [n/64][rows][64]     64 neighbours of all rows: one long run for the other side
 *
 * Only the end of a whole block is then open, not that of each row. Few blocks have few stride
 * vectors, many have less that is open: what CSR writes cost decides, so plans are written, weighed
 * and taken back.
 */
#include "ops/search/ways/way.h"

/* Sixteenths of an instruction, a CSR write being one. Those of parts of pieces are not known: the
 * estimate is of all that may be, and loops need far fewer. */
static int64_t weigh(const ops_query *q, const ops_found *found)
{
    ops_draft *draft = q->planner->draft;
    if (q->depth < OPS_DEPTH)
        return 16 * found->cost.ztl + found->cost.other / 8;
    ops_mark mark = ztl_ops_set_mark(draft);
    found->way->write(q, found);
    const ztl_ops_stats *stats = &draft->plan->stats, *before = &mark.plan.stats;
    int64_t weight = 16 * (int64_t)(ztl_ops_total(stats) - ztl_ops_total(before)) +
                     (int64_t)(stats->csr - before->csr);
    if (draft->arena->full && !mark.arena.full)
        weight = INT64_MAX;
    ztl_ops_roll_back(draft, &mark);
    return weight;
}

static bool find(const ops_query *q, ops_found *found)
{
    const ops_piece *piece = q->piece;
    int64_t least = INT64_MAX, element = q->planner->element;
    bool is_found = false;
    for (unsigned d = 0; q->planner->may_reload && d < piece->rank && piece->rank < OPS_DIMS; d++) {
        ops_dim dim = piece->dim[d];
        for (int64_t blocks = 2; blocks <= 8; blocks++) {
            ops_found other;
            other.way = found->way;
            if ((dim.in != element && dim.out != element) || dim.n % (OPS_NEIGHBOURS * blocks) ||
                !ztl_ops_detour_blocks(q->planner, piece, d, dim.n / blocks, q->best->cost, &other))
                continue;
            if (least == INT64_MAX)
                least = weigh(q, q->best);
            int64_t weight = 16 * other.cost.ztl < least ? weigh(q, &other) : least;
            if (weight >= least)
                continue;
            least = weight;
            found->cost = other.cost;
            found->detour = other.detour;
            is_found = true;
        }
    }
    return is_found;
}

/* Found ones outweigh the best, whose CSR writes were only estimated. */
static ops_cost cost(const ops_query *q, ops_found *found)
{
    ops_cost best = q->best->cost;
    if (!ops_cheaper(found->cost, best))
        found->cost = (ops_cost){best.ztl, best.other - 1};
    return found->cost;
}

const ops_way ztl_ops_way_scratch_blocks = {"scratch memory, in blocks", OPS_DIVIDES, find, cost,
                                            ztl_ops_detour_write};
