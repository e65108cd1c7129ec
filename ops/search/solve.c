/* SPDX-License-Identifier: Apache-2.0
 * Choosing: every way to carry out a piece is costed, and the cheapest taken.
 *
 * The search is a branch and bound: ways that divide a piece solve the parts in the same manner,
 * each with a limit that the parts found so far leave over, and costs are remembered. Effort is
 * counted in steps, not in time, so that a plan is the same on every machine.
 */
#include "ops/search/ways/way.h"

const ops_way *const ztl_ops_ways[OPS_WAYS] = {
#define OPS_WAY(ID, name) &ztl_ops_way_##name,
#include "ops/search/ways/ways.def"
};

ops_cost ztl_ops_batches_cost(const ops_planner *planner, const ops_tile *tile,
                              const ops_piece *grid, size_t grids, ops_cost each, int64_t limit)
{
    int64_t batches = ztl_ops_pack_count(planner->draft, tile, grid, grids, limit / each.ztl + 1);
    return batches < 0 ? OPS_NEVER : (ops_cost){batches * each.ztl, each.other};
}

bool ztl_ops_is_move(const ops_query *query)
{
    return query->count == 1 && query->piece->src != OPS_FILL && !query->planner->adds;
}

int64_t ztl_ops_least(const ops_planner *planner, const ops_piece *piece)
{
    int64_t out = ztl_ops_elements(piece) * planner->element, in = out;
    for (unsigned d = 0; d < piece->rank; d++)
        in = piece->dim[d].in ? in : in / piece->dim[d].n;
    return (piece->src == OPS_FILL ? 0 : ops_ceil(in, OPS_BLOCK)) + ops_ceil(out, OPS_BLOCK);
}

int64_t ztl_ops_floor(const ops_planner *planner, const ops_piece *piece)
{
    int64_t least = ztl_ops_least(planner, piece), run = ztl_ops_run_bytes(piece, planner->element);
    if (run >= OPS_SLICE_BYTES)
        return least;
    for (unsigned d = 0; d < piece->rank; d++)
        if (piece->dim[d].in == 0)
            return least;
    int64_t narrow = 2 * ops_ceil(ztl_ops_elements(piece) * planner->element / run, OPS_SLICES);
    int64_t permuted = ops_ceil(5 * least, 4);
    return narrow < permuted ? narrow : permuted;
}

/* Whether ways that divide the piece may be worth while: the others take a quarter more than the
 * least. */
static bool may_divide(const ops_query *q, ops_cost direct)
{
    return q->depth > 0 && ztl_ops_is_move(q) &&
           ops_reach(q, direct) * 4 > ztl_ops_least(q->planner, q->piece) * 5;
}

/* The cheapest way, in *best; `spare` is room for the others. */
static const ops_found *choose(ops_query *q, ops_found *best, ops_found *spare)
{
    ops_choice *note = q->planner->draft->open;
    best->way = NULL;
    best->cost = OPS_NEVER;
    ops_cost direct = OPS_NEVER;
    for (unsigned i = 0; i < OPS_WAYS; i++) {
        const ops_way *way = ztl_ops_ways[i];
        q->best = best;
        spare->way = way;
        spare->id = i;
        spare->detail = 0;
        if (way->divides &&
            (!may_divide(q, direct) || (q->depth == OPS_ONCE && way->divides != OPS_DIVIDES_ONCE)))
            continue;
        if (note)
            note->searched |= way->divides;
        if (!way->find(q, spare))
            continue;
        if (way->cost)
            spare->cost = way->cost(q, spare);
        ztl_ops_note(q->planner, i, spare->detail, spare->cost);
        if (!best->way || ops_cheaper(spare->cost, best->cost)) {
            ops_found *swap = best;
            best = spare;
            spare = swap;
        }
        if (!way->divides)
            direct = best->cost;
    }
    return best;
}

/* Writes a way; what it takes. */
static int64_t write_way(const ops_query *q, const ops_found *found)
{
    const ztl_ops_stats *stats = &q->planner->draft->plan->stats;
    int64_t before = (int64_t)ztl_ops_total(stats);
    found->way->write(q, found);
    return (int64_t)ztl_ops_total(stats) - before;
}

static ops_cost solve(ops_query *q, bool write)
{
    bool notes = write && (q->count > 1 || q->whole || q->piece->src != OPS_FILL);
    ops_found room[2];
    ops_choice *outer = ztl_ops_open_choice(q->planner, q->piece, notes ? q->count : 0);
    const ops_found *best = choose(q, &room[0], &room[1]);
    int64_t taken = write ? write_way(q, best) : best->cost.ztl;
    /* The first fill makes the constant, which every other way would need too. */
    int64_t constant = q->piece->src == OPS_FILL ? taken - best->cost.ztl : 0;
    ztl_ops_close_choice(q->planner, outer, best->id, taken, constant);
    return best->cost;
}

static ops_cost solve_one(ops_planner *planner, const ops_piece *piece, unsigned depth,
                          int64_t limit, bool write)
{
    ops_query q = {planner, piece, 1, NULL, depth, limit, NULL};
    return solve(&q, write);
}

static uint64_t mixed(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* All that the cost of a piece depends on. */
static uint64_t key_of(const ops_planner *planner, const ops_piece *piece, unsigned depth)
{
    bool is_limited = planner->scratch_limit < UINT64_MAX;
    uint64_t room = !depth ? 0 : planner->scratch_limit - (is_limited ? planner->scratch_top : 0);
    unsigned fills = piece->src == OPS_FILL ? planner->constant : 0;
    unsigned kind = (planner->wide ? 128 : 0) | (planner->shifts ? 64 : 0) |
                    planner->element; /* at most 32 bytes */
    uint64_t key = mixed(kind << 24 | fills << 16 | piece->rank << 8 | depth, room);
    for (unsigned d = 0; d < piece->rank; d++) {
        const ops_dim *dim = &piece->dim[d];
        key = mixed(key, (uint64_t)dim->n);
        key = mixed(key, (uint64_t)dim->in);
        key = mixed(key, (uint64_t)dim->out);
    }
    return key ? key : 1;
}

/* Costs and limits of 32 bits, the largest of which is NEVER. */
static bool is_kept(int64_t n)
{
    return n < UINT32_MAX || n >= OPS_NEVER.ztl;
}

static uint32_t kept(int64_t n)
{
    return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

static int64_t restored(uint32_t n)
{
    return n < UINT32_MAX ? n : OPS_NEVER.ztl;
}

ops_cost ztl_ops_cost_below(ops_planner *planner, const ops_piece *piece, unsigned depth,
                            int64_t limit)
{
    if (limit < ztl_ops_floor(planner, piece))
        return OPS_NEVER;
    if (!planner->cost)
        return solve_one(planner, piece, depth, limit, false);
    uint64_t key = key_of(planner, piece, depth);
    ops_known_cost *known = &planner->cost[key % OPS_KNOWN_COSTS];
    bool is_above = known->key == key && known->ztl > known->limit;
    if (known->key == key && !(is_above && restored(known->limit) < limit))
        return (ops_cost){restored(known->ztl), known->other};
    ops_cost cost = solve_one(planner, piece, depth, limit, false);
    if (!ops_is_enough(planner) && /* else there may be a cheaper way */
        is_kept(cost.ztl) && is_kept(limit))
        *known = (ops_known_cost){key, kept(limit), kept(cost.ztl), kept(cost.other)};
    return cost;
}

/* The limit within which the cost of a piece was found. Searching within it again finds the same
 * way; within a wider one it may end before. */
static int64_t known_limit(const ops_planner *planner, const ops_piece *piece, unsigned depth)
{
    uint64_t key = planner->cost ? key_of(planner, piece, depth) : 0;
    const ops_known_cost *known = key ? &planner->cost[key % OPS_KNOWN_COSTS] : NULL;
    bool is_known = known && known->key == key && known->ztl <= known->limit;
    return is_known ? restored(known->limit) : OPS_NEVER.ztl;
}

ops_cost ztl_ops_solve(ops_planner *planner, const ops_piece *piece, unsigned depth, bool write)
{
    ops_start_effort(planner);
    return write ? solve_one(planner, piece, depth, known_limit(planner, piece, depth), true)
                 : ztl_ops_cost_below(planner, piece, depth, OPS_NEVER.ztl);
}

void ztl_ops_solve_pieces(ops_planner *planner, const ops_piece *piece, size_t count,
                          const ops_piece *whole)
{
    ops_start_effort(planner);
    ops_query q = {planner, piece, count, whole, ops_depth(planner), OPS_NEVER.ztl, NULL};
    solve(&q, true);
}
