/* SPDX-License-Identifier: Apache-2.0
 * Choosing: every way to carry out a piece is costed, and the cheapest taken.
 */
#include "ops/solve.h"

enum way {
    WAY_SLICES = OPS_WAY_SLICES,
    WAY_BITS = OPS_WAY_BITS,
    WAY_CHUNKS = OPS_WAY_CHUNKS,
    WAY_WEAVING = OPS_WAY_WEAVING,
    WAY_SPREADING = OPS_WAY_SPREADING,
    WAY_PARTING = OPS_WAY_PARTING,
    WAY_SPLIT = OPS_WAY_SPLIT,
    WAY_SCRATCH = OPS_WAY_SCRATCH,
};

/* The cheapest way so far. */
typedef struct choice {
    enum way way;
    ops_cost cost;
    unsigned width;    /* SLICES */
    unsigned run;      /* BITS */
    unsigned dim;      /* SPLIT */
    int64_t cut;       /* SPLIT */
    ops_detour detour; /* SCRATCH */
    int64_t limit;     /* more instructions than that are of no use */
} choice;

static void take(ops_planner *planner, choice *best, enum way way, ops_cost cost)
{
    ops_note(planner, (enum ops_way)way, 0, cost);
    if (ops_cheaper(cost, best->cost)) {
        best->way = way;
        best->cost = cost;
    }
}

/* What a way must not cost more than to be of use. */
static int64_t reach(const choice *best)
{
    return best->cost.ztl < best->limit ? best->cost.ztl : best->limit;
}

static void try_bits(ops_planner *planner, const ops_piece *piece, unsigned run, choice *best)
{
    ops_bits bits;
    if (!ops_bits_of(planner, piece, run, &bits) ||
        (!planner->open && ops_bits_least(&bits) > reach(best)))
        return;
    ops_cost cost = ops_bits_cost(planner, &bits);
    bool cheaper = ops_cheaper(cost, best->cost);
    if (cheaper && !ops_has_stages(planner, &bits))
        return;
    ops_note(planner, OPS_WAY_BITS, INT64_C(1) << bits.stages, cost);
    take(planner, best, WAY_BITS, cost);
    if (cheaper)
        best->run = run;
}

static void try_single(ops_planner *planner, const ops_piece *piece, choice *best)
{
    best->way = WAY_SLICES;
    best->cost = ops_slices_below(planner, piece, best->limit, &best->width);
    ops_note(planner, OPS_WAY_SLICES, best->width, best->cost);
    if (planner->adds)
        return;
    ops_chunks chunks;
    ops_weaving weaving;
    ops_spreading spreading;
    ops_parting parting;
    try_bits(planner, piece, 5, best);
    if (reach(best) > 3 * ops_least(planner, piece))
        try_bits(planner, piece, 4, best);
    if (ops_chunks_of(planner, piece, &chunks))
        take(planner, best, WAY_CHUNKS, ops_chunks_cost(&chunks));
    if (ops_weaving_of(planner, piece, &weaving))
        take(planner, best, WAY_WEAVING, ops_weaving_cost(planner, &weaving));
    if (ops_spreading_of(planner, piece, &spreading))
        take(planner, best, WAY_SPREADING, ops_spreading_cost(planner, &spreading));
    if (ops_parting_of(planner, piece, &parting))
        take(planner, best, WAY_PARTING, parting.cost);
}

static void cut_piece(const ops_piece *piece, unsigned dim, int64_t cut, ops_piece part[2])
{
    part[0] = part[1] = *piece;
    part[0].dim[dim].n = cut;
    part[1].dim[dim].n -= cut;
    part[1].in += cut * piece->dim[dim].in;
    part[1].out += cut * piece->dim[dim].out;
    ops_canonical_piece(&part[0]);
    ops_canonical_piece(&part[1]);
}

static void try_cut(ops_planner *planner, const ops_piece *piece, unsigned depth, unsigned d,
                    int64_t cut, choice *best)
{
    ops_piece part[2];
    if (ops_is_enough(planner))
        return;
    cut_piece(piece, d, cut, part);
    int64_t most = reach(best) - ops_floor(planner, &part[1]);
    ops_cost cost = ops_cost_below(planner, &part[0], depth - 1, most);
    if (cost.ztl > most)
        return;
    ops_cost rest = ops_cost_below(planner, &part[1], depth - 1, reach(best) - cost.ztl);
    cost.ztl += rest.ztl;
    cost.other += rest.other;
    if (ops_cheaper(cost, best->cost)) {
        ops_note(planner, OPS_WAY_SPLIT, cut, cost);
        best->way = WAY_SPLIT;
        best->cost = cost;
        best->dim = d;
        best->cut = cut;
    }
}

/* Cuts off what is left of a dimension beyond a multiple of a power of two. */
static void try_splits(ops_planner *planner, const ops_piece *piece, unsigned depth, choice *best)
{
    static const int64_t units[] = {2 * OPS_NEIGHBOURS, 32, 16, 8, 4};
    for (unsigned d = 0; d < piece->rank; d++) {
        int64_t n = piece->dim[d].n, last = n;
        if (piece->dim[d].in != planner->element && piece->dim[d].out != planner->element)
            continue;
        for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
            int64_t cut = n - n % units[k];
            if (cut && cut < n && cut != last)
                try_cut(planner, piece, depth, d, cut, best);
            last = cut ? cut : last;
        }
    }
}

static void write_single(ops_planner *planner, const ops_piece *piece, const choice *best)
{
    ops_bits bits;
    ops_chunks chunks;
    ops_weaving weaving;
    ops_spreading spreading;
    ops_parting parting;
    switch (best->way) {
    case WAY_BITS:
        ops_bits_of(planner, piece, best->run, &bits);
        ops_find_stages(&bits);
        ops_bits_write(planner, piece, &bits);
        break;
    case WAY_CHUNKS:
        ops_chunks_of(planner, piece, &chunks);
        ops_chunks_write(planner, piece, &chunks);
        break;
    case WAY_WEAVING:
        ops_weaving_of(planner, piece, &weaving);
        ops_weaving_write(planner, piece, &weaving);
        break;
    case WAY_SPREADING:
        ops_spreading_of(planner, piece, &spreading);
        ops_spreading_write(planner, piece, &spreading);
        break;
    case WAY_PARTING:
        ops_parting_of(planner, piece, &parting);
        ops_parting_write(planner, piece, &parting);
        break;
    default:
        ops_slices_write(planner, piece, 1, best->width);
        break;
    }
}

static void write_choice(ops_planner *planner, const ops_piece *piece, unsigned depth,
                         const choice *best)
{
    ops_piece part[2];
    if (best->way == WAY_SCRATCH) {
        ops_detour_write(planner, piece, &best->detour);
    } else if (best->way == WAY_SPLIT) {
        cut_piece(piece, best->dim, best->cut, part);
        ops_solve(planner, &part[0], depth - 1, true);
        ops_solve(planner, &part[1], depth - 1, true);
    } else {
        write_single(planner, piece, best);
    }
}

/* What a choice takes, in sixteenths of an instruction, a CSR write being one. Parts of pieces are
 * only estimated; a whole piece is written and taken back. */
static int64_t weigh(ops_planner *planner, const ops_piece *piece, unsigned depth,
                     const choice *chosen)
{
    if (depth < OPS_DEPTH)
        return 16 * chosen->cost.ztl + chosen->cost.other;
    ops_arena arena = *planner->arena;
    ztl_ops_plan plan = *planner->plan;
    bool is_made = planner->is_made;
    uint32_t choices = planner->choices;
    write_choice(planner, piece, depth, chosen);
    const ztl_ops_stats *stats = &planner->plan->stats;
    int64_t weight = 16 * (int64_t)(ztl_ops_total(stats) - ztl_ops_total(&plan.stats)) +
                     (int64_t)(stats->csr - plan.stats.csr);
    if (planner->arena->full && !arena.full)
        weight = INT64_MAX;
    *planner->arena = arena;
    *planner->plan = plan;
    planner->is_made = is_made;
    planner->choices = choices;
    return weight;
}

/* Blocks of neighbours: few of them for few stride vectors, many for less that is open. */
static void try_blocks(ops_planner *planner, const ops_piece *piece, unsigned depth, choice *best)
{
    int64_t least = INT64_MAX;
    ops_cost limit = best->cost;
    for (unsigned d = 0; d < piece->rank && piece->rank < OPS_DIMS; d++) {
        ops_dim dim = piece->dim[d];
        for (int64_t blocks = 2; blocks <= 8; blocks++) {
            choice other = {.way = WAY_SCRATCH};
            if ((dim.in != planner->element && dim.out != planner->element) ||
                dim.n % (OPS_NEIGHBOURS * blocks) ||
                !ops_detour_split(planner, piece, d, dim.n / blocks, limit, &other.detour))
                continue;
            other.cost = other.detour.cost;
            if (least == INT64_MAX)
                least = weigh(planner, piece, depth, best);
            if (16 * other.cost.ztl >= least)
                continue;
            int64_t weight = weigh(planner, piece, depth, &other);
            if (weight < least) {
                least = weight;
                *best = other;
            }
        }
    }
}

/* A cost that just is of no use. */
static ops_cost limit_of(const choice *best)
{
    ops_cost limit = {best->limit + 1, 0};
    return ops_cheaper(best->cost, limit) ? best->cost : limit;
}

int64_t ops_least(const ops_planner *planner, const ops_piece *piece)
{
    int64_t out = ops_elements(piece) * planner->element, in = out;
    for (unsigned d = 0; d < piece->rank; d++)
        in = piece->dim[d].in ? in : in / piece->dim[d].n;
    return (piece->src == OPS_FILL ? 0 : ops_ceil(in, 1024)) + ops_ceil(out, 1024);
}

static uint64_t mixed(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static ops_cost solve(ops_planner *planner, const ops_piece *piece, unsigned depth, int64_t limit,
                      bool write)
{
    choice best = {.limit = limit};
    ops_choice *outer = planner->open;
    planner->open = write && piece->src != OPS_FILL ? ops_open_choice(planner, piece, 1) : NULL;
    try_single(planner, piece, &best);
    bool good = reach(&best) * 4 <= ops_least(planner, piece) * 5;
    if (depth > 0 && !good && !planner->adds && piece->src != OPS_FILL) {
        if (planner->may_reload &&
            ops_detour_cost(planner, piece, depth, limit_of(&best), &best.detour)) {
            best.way = WAY_SCRATCH;
            best.cost = best.detour.cost;
        }
        try_splits(planner, piece, depth, &best);
        if (planner->may_reload && depth > 0)
            try_blocks(planner, piece, depth, &best);
        ops_note(planner, OPS_WAY_SCRATCH, 0, best.way == WAY_SCRATCH ? best.cost : OPS_NEVER);
    }
    ops_take(planner, (enum ops_way)best.way);
    if (write)
        write_choice(planner, piece, depth, &best);
    ops_close_choice(planner, outer);
    return best.cost;
}

int64_t ops_floor(const ops_planner *planner, const ops_piece *piece)
{
    int64_t least = ops_least(planner, piece), run = ops_run_bytes(piece, planner->element);
    if (run >= OPS_SLICE_BYTES)
        return least;
    for (unsigned d = 0; d < piece->rank; d++)
        if (piece->dim[d].in == 0)
            return least;
    int64_t narrow = 2 * ops_ceil(ops_elements(piece) * planner->element / run, OPS_SLICES);
    int64_t permuted = ops_ceil(5 * least, 4);
    return narrow < permuted ? narrow : permuted;
}

/* All that the cost of a piece depends on. */
static uint64_t key_of(const ops_planner *planner, const ops_piece *piece, unsigned depth)
{
    uint64_t top = planner->scratch_limit == UINT64_MAX ? 0 : planner->scratch_top;
    unsigned fills = piece->src == OPS_FILL ? planner->constant : 0;
    unsigned kind = (planner->shifts ? 64 : 0) | planner->element; /* at most 32 bytes */
    uint64_t key = mixed(kind << 24 | fills << 16 | piece->rank << 8 | depth, top);
    for (unsigned d = 0; d < piece->rank; d++) {
        const ops_dim *dim = &piece->dim[d];
        key = mixed(key, (uint64_t)dim->n);
        key = mixed(key, (uint64_t)dim->in);
        key = mixed(key, (uint64_t)dim->out);
    }
    return key ? key : 1;
}

ops_cost ops_cost_below(ops_planner *planner, const ops_piece *piece, unsigned depth, int64_t limit)
{
    if (limit < ops_floor(planner, piece))
        return OPS_NEVER;
    if (!planner->cost)
        return solve(planner, piece, depth, limit, false);
    uint64_t key = key_of(planner, piece, depth);
    ops_known_cost *known = &planner->cost[key % OPS_KNOWN_COSTS];
    bool is_above = known->key == key && known->cost.ztl > known->limit;
    if (known->key != key || (is_above && known->limit < limit))
        *known = (ops_known_cost){key, limit, solve(planner, piece, depth, limit, false)};
    return known->cost;
}

ops_cost ops_solve(ops_planner *planner, const ops_piece *piece, unsigned depth, bool write)
{
    planner->enough = *planner->effort + OPS_MOST_EFFORT;
    return write ? solve(planner, piece, depth, OPS_NEVER.ztl, true)
                 : ops_cost_below(planner, piece, depth, OPS_NEVER.ztl);
}

static size_t same_runs(const ops_piece *piece, size_t count, unsigned element)
{
    size_t n = 1;
    while (n < count && ops_run_bytes(&piece[n], element) == ops_run_bytes(piece, element))
        n++;
    return n;
}

static ops_piece *sort_by_run(ops_planner *planner, const ops_piece *piece, size_t count)
{
    ops_piece *sorted = ops_borrow(planner->arena, count * sizeof *sorted);
    size_t high = planner->arena->high;
    uint64_t *key = ops_borrow(planner->arena, count * sizeof *key);
    uint32_t *order = ops_borrow(planner->arena, count * sizeof *order);
    planner->arena->high = high;
    if (!sorted || !key || !order)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        uint64_t run = (uint64_t)ops_run_bytes(&piece[i], planner->element);
        key[i] = (run < UINT32_MAX ? run : UINT32_MAX) << 32 | i;
        order[i] = (uint32_t)i;
    }
    ops_sort_by_key(order, count, key);
    for (size_t i = 0; i < count; i++)
        sorted[i] = piece[order[i]];
    return sorted;
}

/* So few instructions that open batches are worth a thought. */
enum { FEW = 16 };

ops_cost ops_slices_by_run(ops_planner *planner, const ops_piece *piece, size_t count, bool write)
{
    size_t high = planner->arena->high;
    ops_piece *sorted = sort_by_run(planner, piece, count);
    ops_cost sum = {0, 0};
    for (size_t i = 0, n; sorted && i < count; i += n) {
        unsigned width, next_width, both_width;
        n = same_runs(&sorted[i], count - i, planner->element);
        ops_cost cost = ops_slices_cost(planner, &sorted[i], n, &width);
        while (i + n < count) { /* longer runs join where that saves open batches */
            size_t more = same_runs(&sorted[i + n], count - i - n, planner->element);
            ops_cost next = ops_slices_cost(planner, &sorted[i + n], more, &next_width);
            if (cost.ztl > FEW && next.ztl > FEW)
                break;
            ops_cost both = ops_slices_cost(planner, &sorted[i], n + more, &both_width);
            if (both.ztl > cost.ztl + next.ztl)
                break;
            n += more;
            cost = both;
            width = both_width;
        }
        sum.ztl += cost.ztl;
        sum.other += cost.other;
        if (write)
            ops_slices_write(planner, &sorted[i], n, width);
    }
    planner->arena->high = high;
    return sorted ? sum : OPS_NEVER;
}

/* Many pieces are small ones: no search for each. */
static unsigned depth_for(size_t count)
{
    return count > 8 ? 0 : OPS_DEPTH;
}

/* How pieces with the same buffers are grouped when they share no loads. */
enum grouping { TOGETHER, BY_RUN, APART };

typedef struct groups {
    enum grouping grouping;
    ops_cost cost;
    unsigned width; /* TOGETHER */
} groups;

static enum ops_way way_of(enum grouping grouping)
{
    return grouping == TOGETHER ? OPS_WAY_SLICES
           : grouping == BY_RUN ? OPS_WAY_BY_RUN
                                : OPS_WAY_APART;
}

static groups group_slices(ops_planner *planner, const ops_piece *piece, size_t count)
{
    groups best = {.grouping = BY_RUN};
    best.cost = ops_slices_by_run(planner, piece, count, false);
    ops_note(planner, OPS_WAY_BY_RUN, 0, best.cost);
    if (piece[0].src == OPS_FILL && depth_for(count) == 0)
        return best;
    unsigned width;
    ops_cost together = ops_slices_cost(planner, piece, count, &width);
    ops_note(planner, OPS_WAY_SLICES, width, together);
    if (!ops_cheaper(best.cost, together))
        best = (groups){TOGETHER, together, width};
    return best;
}

static void try_apart(ops_planner *planner, const ops_piece *piece, size_t count, groups *best)
{
    ops_cost sum = {0, 0};
    for (size_t i = 0; i < count && ops_cheaper(sum, best->cost); i++) {
        ops_cost cost = ops_solve(planner, &piece[i], depth_for(count), false);
        sum.ztl += cost.ztl;
        sum.other += cost.other;
    }
    if (ops_cheaper(sum, best->cost)) {
        ops_note(planner, OPS_WAY_APART, 0, sum);
        best->grouping = APART;
        best->cost = sum;
    }
}

ops_cost ops_pieces_cost(ops_planner *planner, const ops_piece *piece, size_t count)
{
    groups best = group_slices(planner, piece, count);
    try_apart(planner, piece, count, &best);
    return best.cost;
}

void ops_solve_pieces(ops_planner *planner, const ops_piece *piece, size_t count)
{
    if (count == 1) {
        ops_solve(planner, piece, OPS_DEPTH, true);
        return;
    }
    groups best = group_slices(planner, piece, count);
    bool many = depth_for(count) == 0 && ops_run_bytes(piece, planner->element) > planner->element;
    if (many && ops_share(planner, piece, count, best.cost))
        return;
    try_apart(planner, piece, count, &best);
    if (!many && ops_share(planner, piece, count, best.cost))
        return;
    ops_take(planner, way_of(best.grouping));
    if (best.grouping == TOGETHER)
        ops_slices_write(planner, piece, count, best.width);
    else if (best.grouping == BY_RUN)
        ops_slices_by_run(planner, piece, count, true);
    for (size_t i = 0; best.grouping == APART && i < count; i++)
        ops_solve(planner, &piece[i], depth_for(count), true);
}
