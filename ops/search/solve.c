/* SPDX-License-Identifier: Apache-2.0
 * Choosing: every way to carry out a piece is costed, and the cheapest taken.
 *
 * The search is a branch and bound: ways that divide a piece solve the parts in the same manner,
 * each with a limit that the parts found so far leave over, and nodes are remembered. Effort is
 * counted in steps, not in time, so that a plan is the same on every machine.
 */
#include "ops/search/notes.h"
#include "ops/search/ways/way.h"

const ops_way_row ztl_ops_ways[OPS_WAYS] = {
#define OPS_WAY(ID, name, takes, worth) {&ztl_ops_way_##name, OPS_##takes, worth},
#include "ops/search/ways/ways.def"
};

bool ztl_ops_is_move(const ops_query *query)
{
    return query->count == 1 && query->piece->src != OPS_FILL && !query->planner->adds;
}

/* Whether a row is for what is asked. */
static bool suits(const ops_query *q, const ops_way_row *row)
{
    if (q->stage)
        return row->takes == OPS_STAGE;
    if (row->takes == OPS_PIECES)
        return true;
    return row->takes != OPS_STAGE && q->count == 1 && ztl_ops_is_move(q);
}

/* Whether a way may be worth while: what the best takes is far enough above the least. Those that
 * divide must be worth it by the best of the others, too. */
static bool may_pay(const ops_query *q, const ops_way_row *row, ops_cost direct)
{
    enum { DIVIDES_FROM = 125 };
    if (!row->worth)
        return true;
    int64_t least = ztl_ops_least(q->planner, q->piece);
    if (ops_divides(row->takes) && (!q->depth || !q->planner->pool->knowns ||
                                    ops_reach(q, direct) * 100 <= least * DIVIDES_FROM ||
                                    (q->depth == OPS_ONCE && row->takes != OPS_DIVIDES_ONCE)))
        return false;
    return ops_reach(q, q->best->cost) * 100 > least * row->worth;
}

/* The cheapest way, in *best. */
static void choose(ops_query *q, ops_node *best)
{
    ops_cost direct = OPS_NEVER;
    bool searched = false;
    *best = (ops_node){.cost = OPS_NEVER, .way = OPS_WAYS};
    q->best = best;
    for (unsigned i = 0; i < OPS_WAYS; i++) {
        const ops_way_row *row = &ztl_ops_ways[i];
        ops_node found = {.cost = OPS_NEVER, .way = (uint8_t)i};
        if (!suits(q, row) || !may_pay(q, row, direct))
            continue;
        searched |= ops_divides(row->takes);
        bool is_found = row->way->find(q, &found);
        if (is_found)
            ztl_ops_note(q->note, &found);
        if (is_found && ops_cheaper(found.cost, best->cost)) {
            ztl_ops_drop_parts(q->planner, best);
            *best = found;
        } else {
            ztl_ops_drop_parts(q->planner, &found);
        }
        if (!ops_divides(row->takes))
            direct = best->cost;
    }
    best->searched = searched;
}

/* A node that is too expensive, or none, is no use to anybody. */
static unsigned kept(ops_query *q, ops_node *best)
{
    if (best->way < OPS_WAYS && best->cost.key <= q->limit)
        return ztl_ops_keep_node(q->planner, best);
    ztl_ops_drop_parts(q->planner, best);
    return 0;
}

unsigned ztl_ops_plan_query(ops_query *q)
{
    ops_node best;
    q->note = ztl_ops_open_note(q);
    ops_start_effort(q->planner);
    choose(q, &best);
    best.note = (uint8_t)ztl_ops_note_number(q);
    return kept(q, &best);
}

static uint64_t mixed(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* All that the tree of a piece depends on. */
static uint64_t key_of(const ops_planner *planner, const ops_piece *piece, unsigned depth)
{
    bool is_limited = planner->scratch_limit < UINT64_MAX;
    uint64_t room = !depth ? 0 : planner->scratch_limit - (is_limited ? planner->scratch_top : 0);
    unsigned fills = piece->src == OPS_FILL ? planner->constant : 0;
    unsigned kind = (planner->by_time ? 128 : 0) | (planner->shifts ? 64 : 0) |
                    planner->element; /* at most 32 bytes */
    uint64_t key = mixed(kind << 24 | fills << 16 | piece->rank << 8 | depth, room);
    key = mixed(key, planner->draft->room);
    for (unsigned d = 0; d < piece->rank; d++) {
        const ops_dim *dim = &piece->dim[d];
        key = mixed(key, (uint64_t)dim->n);
        key = mixed(key, (uint64_t)dim->in);
        key = mixed(key, (uint64_t)dim->out);
    }
    return key ? key : 1;
}

unsigned ztl_ops_plan_piece(ops_planner *planner, const ops_piece *piece, unsigned depth,
                            int64_t limit)
{
    ops_query q = {.planner = planner, .piece = piece, .count = 1, .depth = depth, .limit = limit};
    if (limit < ztl_ops_floor(planner, piece))
        return 0;
    bool is_known;
    uint64_t key = key_of(planner, piece, depth);
    unsigned node = ztl_ops_recall(planner, key, limit, &is_known);
    if (is_known)
        return node;
    ops_node best;
    choose(&q, &best);
    node = kept(&q, &best);
    if (!ops_is_enough(planner)) /* else there may be a cheaper way */
        ztl_ops_remember(planner, key, limit, node);
    return node;
}

ops_cost ztl_ops_cost_below(ops_planner *planner, const ops_piece *piece, unsigned depth,
                            int64_t limit)
{
    unsigned node = ztl_ops_plan_piece(planner, piece, depth, limit);
    ops_cost cost = node ? ops_node_at(planner, node)->cost : OPS_NEVER;
    ztl_ops_drop(planner, node);
    return cost;
}

ops_cost ztl_ops_plan_one(const ops_query *q, const ops_piece *piece, ops_node *node)
{
    ops_planner *planner = q->planner;
    ops_start_effort(planner);
    unsigned part = ztl_ops_plan_piece(planner, piece, ops_depth(planner, q->count), OPS_NEVER.key);
    ops_cost cost = part ? ops_node_at(planner, part)->cost : OPS_NEVER;
    if (part && q->count <= OPS_MOST_PARTS)
        node->part[node->parts++] = (uint16_t)part;
    else
        ztl_ops_drop(planner, part);
    return cost;
}

ops_cost ztl_ops_limit(const ops_query *q, const ops_node *found)
{
    ops_cost limit = {q->limit + 1, 0, 0};
    limit = ops_cheaper(q->best->cost, limit) ? q->best->cost : limit;
    return ops_cheaper(found->cost, limit) ? found->cost : limit;
}

bool ztl_ops_scratch_fits(const ops_planner *planner, uint64_t bytes)
{
    return planner->may_reload && planner->scratch_top <= planner->scratch_limit &&
           bytes <= planner->scratch_limit - planner->scratch_top;
}

/* Solves the parts, each within what the others leave over; false where they are not below the
 * limit: a division must save instructions. */
static bool solve_parts(ops_planner *planner, const ops_division *parts, int64_t limit,
                        ops_node *node)
{
    int64_t floors = 1;
    node->cost = (ops_cost){0, parts->other, 0};
    for (unsigned k = 1; k < parts->count; k++)
        floors += ztl_ops_floor(planner, &parts->part[k]);
    for (unsigned k = 0; k < parts->count; k++) {
        unsigned part = ztl_ops_plan_piece(planner, &parts->part[k], parts->depth[k],
                                           limit - node->cost.key - floors);
        if (!part)
            return false;
        node->part[node->parts++] = (uint16_t)part;
        node->cost = ops_sum(node->cost, ops_node_at(planner, part)->cost);
        floors -= k + 1 < parts->count ? ztl_ops_floor(planner, &parts->part[k + 1]) : 0;
    }
    return true;
}

bool ztl_ops_try(const ops_query *q, const ops_pick *pick, int64_t detail, ops_cost limit,
                 ops_node *found)
{
    ops_division parts = {.count = 0};
    ops_node tried = {.detail = detail, .pick = *pick, .way = found->way};
    if (!ztl_ops_ways[found->way].way->divide(q, pick, &parts))
        return false;
    q->planner->scratch_top += parts.bytes; /* what the parts need comes after it */
    bool is_cheaper = solve_parts(q->planner, &parts, limit.key, &tried);
    q->planner->scratch_top -= parts.bytes;
    if (!is_cheaper) {
        ztl_ops_drop_parts(q->planner, &tried);
        return false;
    }
    ztl_ops_drop_parts(q->planner, found);
    *found = tried;
    return true;
}
