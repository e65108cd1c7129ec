/* SPDX-License-Identifier: Apache-2.0
 * Pieces of whatever buffers together in blocks of a long dimension (blocks.c): the channels of an
 * image that are split, joined, padded or put in another order. What does not have that dimension,
 * as the ends of a pad, goes by itself.
 */
#include "ops/format/insn.h"
#include "ops/search/divide/windows.h"

/* With constants, these and the moves are all of the only output. */
bool ztl_ops_may_go_together(const ops_query *q)
{
    const ops_moves *stage = q->stage;
    const ops_planner *planner = q->planner;
    unsigned bits = planner->draft->plan->element;
    int64_t elements = 0;
    if (q->is_rest || !stage->count || stage->count + stage->fills < 2 || stage->fills_last ||
        bits > 64 || !planner->may_reload || planner->adds)
        return false;
    for (size_t i = 0; i < stage->count; i++)
        elements += ztl_ops_elements(&stage->piece[i]);
    for (size_t i = 0; i < stage->fills; i++)
        elements += ztl_ops_elements(&stage->fill[i]);
    return !stage->fills || (bits > 4 && stage->whole && elements == stage->whole->dim[0].n);
}

static bool has_extent(const ops_piece *piece, int64_t n)
{
    for (unsigned d = 0; d < piece->rank; d++)
        if (piece->dim[d].n == n)
            return true;
    return false;
}

/* Copies of the pieces, those with the longest dimension of all first: these are *count. NULL where
 * there is no room. */
static ops_piece *long_ones_first(const ops_query *q, size_t *count)
{
    ops_planner *planner = q->planner;
    if (q->count * sizeof *q->piece > planner->draft->room / 2)
        return NULL;
    ops_piece *sorted = ztl_ops_borrow(planner->arena, q->count * sizeof *sorted);
    int64_t longest = 0;
    size_t others = 0;
    *count = 0;
    for (size_t i = 0; i < q->count; i++)
        for (unsigned d = 0; d < q->piece[i].rank; d++)
            if (q->piece[i].dim[d].n > longest)
                longest = q->piece[i].dim[d].n;
    for (size_t i = 0; sorted && i < q->count; i++)
        if (has_extent(&q->piece[i], longest))
            sorted[(*count)++] = q->piece[i];
        else
            sorted[q->count - ++others] = q->piece[i];
    return sorted;
}

static const ops_piece *whole_of(const ops_query *q)
{
    return q->stage->fills ? q->stage->whole : NULL;
}

static bool find(const ops_query *q, ops_node *found)
{
    ops_planner *planner = q->planner;
    size_t count, high = planner->arena->high;
    ops_piece *piece = ztl_ops_may_go_together(q) ? long_ones_first(q, &count) : NULL;
    if (!piece)
        return false;
    int64_t limit = ops_reach(q, q->best->cost);
    found->cost =
        ztl_ops_blocks_cost(planner, piece, count, whole_of(q), limit, &found->pick.long_dim);
    for (size_t i = count; i < q->count && found->cost.key < limit; i++)
        found->cost =
            ops_sum(found->cost, ztl_ops_cost_below(planner, &piece[i], 0, OPS_NEVER.key));
    planner->arena->high = high;
    return found->cost.key < limit;
}

static void write(const ops_query *q, const ops_node *node)
{
    ops_planner *planner = q->planner;
    size_t count, high = planner->arena->high;
    ops_piece *piece = long_ones_first(q, &count);
    if (!piece)
        return;
    ztl_ops_blocks_write(planner, piece, count, whole_of(q), node->pick.long_dim);
    for (size_t i = count; i < q->count; i++)
        ztl_ops_write_undivided(planner, &piece[i]);
    planner->arena->high = high;
}

const ops_way ztl_ops_way_together = {"all together, in blocks of a long dimension", find, NULL,
                                      write};
