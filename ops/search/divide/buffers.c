/* SPDX-License-Identifier: Apache-2.0
 * A stage, one pair of buffers after the other: its constants, then the pieces from the first
 * source to the first target, then the rest in the same manner.
 *
 * Narrow parts of several inputs side by side, as in a concat along a short last axis, may be
 * joined first. A store moves 32 slices at most, however narrow they are. Copied one after the
 * other to scratch memory, the parts are one piece with a dimension more, which interleaves them in
 * wide runs:
 *
 *     a: [1000][4]  b: [1000][4]  →  scratch: [2][1000][4]  →  output: [1000][2][4]
 */
#include "ops/format/insn.h"
#include "ops/search/ways/way.h"

/* What comes first: constants, or so many pieces. */
static bool starts_with_fills(const ops_moves *stage)
{
    return stage->fills && (!stage->fills_last || !stage->count);
}

static size_t count_alike(const ops_moves *stage)
{
    const ops_piece *piece = stage->piece;
    size_t n = 1;
    while (n < OPS_MOST_TOGETHER && n < stage->count && piece[n].src == piece->src &&
           piece[n].dst == piece->dst)
        n++;
    return n;
}

static ops_moves rest_of(const ops_moves *stage, size_t done)
{
    ops_moves rest = *stage;
    if (starts_with_fills(stage)) {
        rest.fills = 0;
    } else {
        rest.piece += done;
        rest.count -= done;
    }
    return rest;
}

static ops_query ask_rest(const ops_query *q, const ops_moves *rest)
{
    return (ops_query){.planner = q->planner,
                       .piece = rest->piece,
                       .count = rest->count,
                       .depth = q->depth,
                       .limit = OPS_NEVER.key,
                       .stage = rest,
                       .is_rest = true};
}

static ops_query ask_first(const ops_query *q, size_t count)
{
    const ops_moves *stage = q->stage;
    bool fills = starts_with_fills(stage);
    return (ops_query){.planner = q->planner,
                       .piece = fills ? stage->fill : stage->piece,
                       .count = fills ? stage->fills : count,
                       .whole = fills ? stage->whole : NULL,
                       .depth = q->depth,
                       .limit = OPS_NEVER.key};
}

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

static bool may_join(const ops_planner *planner, const ops_piece *part, size_t parts)
{
    bool moves = true;
    for (unsigned d = 0; d < part->rank; d++)
        moves &= part->dim[d].in > 0;
    return planner->may_reload && !planner->adds && parts > 1 && moves && part->src < OPS_OUT &&
           part->rank < OPS_DIMS && ztl_ops_run_bytes(part, planner->element) < OPS_SLICE_BYTES;
}

/* Parts that are joined: the copy of part i, and all of them as one piece out of scratch memory. */
typedef struct joining {
    size_t parts;
    int64_t bytes;    /* of a copy */
    ops_piece copy;   /* of the first part: dense, in the order of its source */
    ops_piece joined; /* all of them */
} joining;

static joining join(const ops_planner *planner, const ops_piece *part, size_t parts)
{
    bool done[OPS_DIMS] = {false};
    int64_t step = planner->element;
    joining j = {parts, ops_ceil(ztl_ops_elements(part) * step, 64) * 64, *part, *part};
    j.copy.dst = j.joined.src = OPS_SCRATCH;
    j.copy.out = j.joined.in = (int64_t)planner->scratch_top;
    for (unsigned k = 0; k < part->rank; k++) {
        unsigned best = OPS_DIMS;
        for (unsigned d = 0; d < part->rank; d++)
            if (!done[d] && (best == OPS_DIMS || part->dim[d].in < part->dim[best].in))
                best = d;
        done[best] = true;
        j.copy.dim[best].out = j.joined.dim[best].in = step;
        step *= part->dim[best].n;
    }
    ztl_ops_add_dim(&j.joined, (int64_t)parts, j.bytes, part[1].out - part[0].out);
    ztl_ops_canonical_piece(&j.joined);
    return j;
}

static ops_piece copy_of(const joining *j, const ops_piece *part, size_t i)
{
    ops_piece copy = j->copy;
    copy.src = part[i].src;
    copy.in = part[i].in;
    copy.out += (int64_t)i * j->bytes;
    ztl_ops_canonical_piece(&copy);
    return copy;
}

/* The cost of the first parts, joined, where that is cheaper than one by one; else NEVER. */
static ops_cost join_parts(const ops_query *q, ops_node *found)
{
    ops_planner *planner = q->planner;
    const ops_piece *part = q->stage->piece;
    size_t parts = count_parts(part, q->stage->count);
    if (!may_join(planner, part, parts))
        return OPS_NEVER;
    joining j = join(planner, part, parts);
    uint64_t bytes = parts * (uint64_t)j.bytes;
    if (!ztl_ops_scratch_fits(planner, bytes))
        return OPS_NEVER;
    ops_piece first = copy_of(&j, part, 0);
    ops_start_effort(planner);
    planner->scratch_top += bytes;
    unsigned copy = ztl_ops_plan_piece(planner, &first, 0, OPS_NEVER.key),
             joined = ztl_ops_plan_piece(planner, &j.joined, 1, OPS_NEVER.key);
    planner->scratch_top -= bytes;
    ops_cost cost = OPS_NEVER;
    if (copy && joined)
        cost = ops_sum(ops_times(ops_node_at(planner, copy)->cost, parts),
                       ops_node_at(planner, joined)->cost);
    if (cost.key >= ops_times(ztl_ops_cost_below(planner, part, 1, OPS_NEVER.key), parts).key) {
        ztl_ops_drop(planner, copy);
        ztl_ops_drop(planner, joined);
        return OPS_NEVER;
    }
    found->part[found->parts++] = (uint16_t)copy;
    found->part[found->parts++] = (uint16_t)joined;
    found->pick.first.count = parts;
    found->pick.first.joined = true;
    return cost;
}

/* Constants are made once, in elements. */
static ops_cost solve_first(ops_query *q, unsigned *node)
{
    ops_planner *planner = q->planner;
    *node = ztl_ops_plan_query(q);
    ops_cost cost = *node ? ops_node_at(planner, *node)->cost : OPS_NEVER;
    if (q->piece->src == OPS_FILL)
        cost = ops_sum(cost, ztl_ops_constant_cost(planner));
    return cost;
}

/* The planner's element while the first pieces are planned or written. */
static unsigned element_of(const ops_query *q)
{
    return starts_with_fills(q->stage) ? q->stage->fill_element : q->planner->element;
}

static bool find(const ops_query *q, ops_node *found)
{
    const ops_moves *stage = q->stage;
    ops_planner *planner = q->planner;
    unsigned node, element = planner->element;
    if (!stage->count && !stage->fills) {
        found->cost = (ops_cost){0, 0, 0};
        return true;
    }
    found->cost = starts_with_fills(stage) ? OPS_NEVER : join_parts(q, found);
    if (!found->parts) {
        found->pick.first.count = stage->count ? count_alike(stage) : 0;
        ops_query first = ask_first(q, found->pick.first.count);
        planner->element = element_of(q);
        found->cost = solve_first(&first, &node);
        planner->element = element;
        if (!node)
            return false;
        found->part[found->parts++] = (uint16_t)node;
    }
    ops_moves left = rest_of(stage, found->pick.first.count);
    ops_query rest = ask_rest(q, &left);
    node = ztl_ops_plan_query(&rest);
    if (!node)
        return false;
    found->part[found->parts++] = (uint16_t)node;
    found->cost = ops_sum(found->cost, ops_node_at(planner, node)->cost);
    return true;
}

static void write_joined(const ops_query *q, const ops_node *node)
{
    ops_planner *planner = q->planner;
    const ops_piece *part = q->stage->piece;
    joining j = join(planner, part, node->pick.first.count);
    uint64_t bytes = j.parts * (uint64_t)j.bytes;
    ztl_ops_use_scratch(planner, bytes);
    for (size_t i = 0; i < j.parts; i++) {
        ops_piece copy = copy_of(&j, part, i);
        ztl_ops_write_part(planner, &copy, 0, node->part[0]);
    }
    ztl_ops_write_part(planner, &j.joined, 1, node->part[1]);
    planner->scratch_top -= bytes;
}

static void write(const ops_query *q, const ops_node *node)
{
    ops_planner *planner = q->planner;
    unsigned element = planner->element;
    if (!node->parts)
        return;
    if (node->pick.first.joined) {
        write_joined(q, node);
    } else {
        ops_query first = ask_first(q, node->pick.first.count);
        planner->element = element_of(q);
        ztl_ops_write(&first, ops_node_at(planner, node->part[0]));
        planner->element = element;
    }
    ops_moves left = rest_of(q->stage, node->pick.first.count);
    ops_query rest = ask_rest(q, &left);
    ztl_ops_write(&rest, ops_node_at(planner, node->part[node->parts - 1]));
}

const ops_way ztl_ops_way_buffers = {"one pair of buffers after the other", find, NULL, write};
