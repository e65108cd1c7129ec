/* SPDX-License-Identifier: Apache-2.0
 * Narrow parts of several inputs side by side, as in a concat along a short last axis. A store
 * moves 32 slices at most, however narrow they are. Copied one after the other to scratch memory,
 * the parts are one piece with a dimension more, which interleaves them in wide runs:
 *
 *     a: [1000][4]  b: [1000][4]  →  scratch: [2][1000][4]  →  output: [1000][2][4]
 */
#include "ops/search/ways/way.h"

static bool is_beside(const ops_piece *a, const ops_piece *b)
{
    return a->src != b->src && b->src < OPS_OUT && a->dst == b->dst && a->rank == b->rank &&
           !memcmp(a->dim, b->dim, a->rank * sizeof a->dim[0]);
}

/* How many of the first pieces have the same form, a constant step apart in the target. */
static size_t count_parts(const ops_piece *piece, size_t count)
{
    size_t n = 1;
    while (n < count && is_beside(&piece[n - 1], &piece[n]) &&
           piece[n].out - piece[n - 1].out == piece[1].out - piece[0].out)
        n++;
    return n;
}

/* Copies a part to scratch memory, dense, in the order of its source. */
static ops_piece copy_of(const ops_planner *planner, const ops_piece *part)
{
    ops_piece copy = *part;
    bool done[OPS_DIMS] = {false};
    int64_t step = planner->element;
    copy.dst = OPS_SCRATCH;
    copy.out = 0;
    for (unsigned k = 0; k < copy.rank; k++) {
        unsigned best = OPS_DIMS;
        for (unsigned d = 0; d < copy.rank; d++)
            if (!done[d] && (best == OPS_DIMS || copy.dim[d].in < copy.dim[best].in))
                best = d;
        done[best] = true;
        copy.dim[best].out = step;
        step *= copy.dim[best].n;
    }
    return copy;
}

/* All parts as one piece out of scratch memory. */
static ops_piece joined_piece(const ops_piece *part, size_t parts, const ops_piece *copy,
                              int64_t bytes)
{
    ops_piece joined = *part;
    joined.src = OPS_SCRATCH;
    joined.in = 0;
    for (unsigned d = 0; d < joined.rank; d++)
        joined.dim[d].in = copy->dim[d].out;
    ztl_ops_add_dim(&joined, (int64_t)parts, bytes, part[1].out - part[0].out);
    return joined;
}

static bool is_worth_trying(const ops_planner *planner, const ops_piece *part, size_t parts)
{
    bool moves = true;
    for (unsigned d = 0; d < part->rank; d++)
        moves &= part->dim[d].in > 0;
    return planner->may_reload && !planner->adds && parts > 1 && moves && part->src < OPS_OUT &&
           part->rank < OPS_DIMS && ztl_ops_run_bytes(part, planner->element) < OPS_SLICE_BYTES;
}

static ops_cost times(ops_cost cost, size_t n)
{
    return (ops_cost){cost.ztl * (int64_t)n, cost.other * (int64_t)n};
}

size_t ztl_ops_join_inputs(ops_planner *planner, const ops_piece *piece, size_t count)
{
    size_t parts = count_parts(piece, count);
    if (!is_worth_trying(planner, piece, parts))
        return 0;
    ops_piece copy = copy_of(planner, piece);
    int64_t bytes = ops_ceil(ztl_ops_elements(piece) * planner->element, 64) * 64;
    uint64_t base = planner->scratch_top, top = base + parts * (uint64_t)bytes;
    if (top > planner->scratch_limit)
        return 0;
    ops_piece joined = joined_piece(piece, parts, &copy, bytes);
    joined.in = copy.out = (int64_t)base;
    ztl_ops_canonical_piece(&joined);
    planner->scratch_top = top;
    ops_piece plain = copy;
    ztl_ops_canonical_piece(&plain);
    ops_cost cost = times(ztl_ops_solve(planner, &plain, 0, false), parts);
    cost.ztl += ztl_ops_solve(planner, &joined, 1, false).ztl;
    bool better = ops_cheaper(cost, times(ztl_ops_solve(planner, piece, 1, false), parts));
    for (size_t i = 0; better && i < parts; i++) {
        plain = copy;
        plain.src = piece[i].src;
        plain.in = piece[i].in;
        plain.out += (int64_t)i * bytes;
        ztl_ops_canonical_piece(&plain);
        ztl_ops_solve(planner, &plain, 0, true);
    }
    if (better)
        ztl_ops_solve(planner, &joined, 1, true);
    if (better && planner->draft->plan->scratch < top)
        planner->draft->plan->scratch = top;
    planner->scratch_top = base;
    return better ? parts : 0;
}
