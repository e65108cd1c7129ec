/* SPDX-License-Identifier: Apache-2.0
 * Through scratch memory: the source is copied to it with another pitch or in another order of
 * dimensions, and from there to the target. Two cheap passes replace an expensive one:
 *
 *     rows of 49 bytes          copied to a pitch of 64, a multiple of 32, then transposed in tiles
 *     [a][b][c] → [c][b][a]     copied to [b][a][c], then to the target: longer runs in both passes
 */
#include "ops/search/ways/way.h"

enum { MOST_PERMUTED = 5, MOST_LARGE = 3, ALIGNED = 32, MOST_SCRATCH = 8 << 20 };

/* Where the rows of a layout begin. DENSE: one after the other; ALIGNED: at multiples of 32;
 * COMMON: at common multiples of 32 and of the row; SHARED: of 32 and of the innermost dimension,
 * of which a row has several. */
enum pitch { PITCH_DENSE, PITCH_ALIGNED, PITCH_COMMON, PITCHES, PITCH_SHARED = PITCHES };

static int64_t pitch_of(int64_t bytes, int64_t inner, enum pitch pitch)
{
    int64_t unit = pitch == PITCH_COMMON ? bytes : pitch == PITCH_SHARED ? inner : ALIGNED;
    if (pitch == PITCH_DENSE)
        return bytes;
    unit = unit / ztl_ops_gcd(unit, ALIGNED) * ALIGNED;
    return ops_ceil(bytes, unit) * unit;
}

/* Steps for the dimensions in the given order, innermost first. Broadcast dimensions are not in it.
 */
static bool lay_out(const ops_planner *planner, const ops_piece *piece, const unsigned *order,
                    unsigned count, unsigned row, enum pitch pitch, ops_detour *detour)
{
    int64_t step = planner->element, reach = planner->element;
    memset(detour->step, 0, sizeof detour->step);
    for (unsigned k = 0; k < count; k++) {
        const ops_dim *dim = &piece->dim[order[k]];
        detour->step[order[k]] = step;
        reach += (dim->n - 1) * step;
        step *= dim->n;
        if (k + 1 == row)
            step = pitch_of(step, planner->element * piece->dim[order[0]].n, pitch);
    }
    detour->bytes = (uint64_t)ops_ceil(reach, 64) * 64;
    return planner->scratch_top + detour->bytes <= planner->scratch_limit;
}

/* Scratch memory that needs no excuse: four times the tensor. */
static uint64_t plenty(const ops_planner *planner, const ops_piece *piece)
{
    return (uint64_t)ztl_ops_elements(piece) * planner->element * 4;
}

static void passes_of(const ops_piece *piece, const ops_detour *detour, int64_t base,
                      ops_piece pass[2])
{
    pass[0] = pass[1] = *piece;
    pass[0].dst = pass[1].src = OPS_SCRATCH;
    pass[0].out = pass[1].in = base;
    for (unsigned d = 0; d < piece->rank; d++) {
        pass[0].dim[d].out = pass[1].dim[d].in = detour->step[d];
        if (piece->dim[d].in == 0)
            pass[0].dim[d].n = 1;
    }
    ztl_ops_canonical_piece(&pass[0]);
    ztl_ops_canonical_piece(&pass[1]);
}

/* What this layout costs; NEVER if that is not below the limit. */
static ops_cost cost_of(ops_planner *planner, const ops_piece *piece, const ops_detour *detour,
                        unsigned depth, ops_cost limit)
{
    ops_piece pass[2];
    passes_of(piece, detour, 0, pass);
    int64_t most = limit.ztl - ztl_ops_floor(planner, &pass[1]);
    planner->scratch_top += detour->bytes; /* what the passes need comes after it */
    ops_cost total = ztl_ops_cost_below(planner, &pass[0], depth, most);
    if (total.ztl < most)
        total = ops_sum(total, ztl_ops_cost_below(planner, &pass[1], depth, limit.ztl - total.ztl));
    else
        total = OPS_NEVER;
    planner->scratch_top -= detour->bytes;
    total.other += 64;
    return total;
}

typedef struct trial {
    ops_planner *planner;
    const ops_piece *piece;
    unsigned split;     /* the dimension that was split into blocks … */
    int64_t neighbours; /* … of so many, or 0 */
    unsigned depth;     /* of the passes */
    bool may_nest;      /* the passes may go through scratch memory themselves */
    bool is_large;      /* more than four times the tensor */
    ops_cost *cost;     /* of the best so far, */
    ops_detour *best;   /* … which is this */
    unsigned order[OPS_DIMS], count;
} trial;

static void try_pitch(trial *t, unsigned row, enum pitch pitch)
{
    ops_detour detour = {.depth = t->depth, .split = t->split, .neighbours = t->neighbours};
    if (ops_is_enough(t->planner) ||
        !lay_out(t->planner, t->piece, t->order, t->count, row, pitch, &detour))
        return;
    uint64_t top = t->planner->scratch_top + detour.bytes, few = plenty(t->planner, t->piece);
    if (top <= few ? t->is_large : !t->is_large || top > MOST_SCRATCH)
        return;
    ops_cost cost = cost_of(t->planner, t->piece, &detour, t->depth, *t->cost);
    if (!ops_cheaper(cost, *t->cost))
        return;
    *t->cost = cost;
    *t->best = detour;
}

/* Padding after the innermost dimension, or after the two innermost. */
static void try_pitches(trial *t)
{
    try_pitch(t, 1, PITCH_DENSE);
    for (unsigned row = 1; row <= t->count && row <= 2; row++)
        for (enum pitch pitch = PITCH_ALIGNED; pitch < PITCHES; pitch++)
            try_pitch(t, row, pitch);
}

static void try_orders(trial *t, unsigned placed, unsigned used)
{
    if (placed == t->count) {
        try_pitches(t);
        return;
    }
    for (unsigned d = 0; d < t->piece->rank; d++) {
        if (used >> d & 1 || t->piece->dim[d].in == 0)
            continue;
        t->order[placed] = d;
        try_orders(t, placed + 1, used | 1u << d);
    }
}

/* Many dimensions: each pair of them innermost, the others as in the order that is given. */
static void try_inner_pairs(trial *t)
{
    unsigned given[OPS_DIMS];
    memcpy(given, t->order, sizeof given);
    for (unsigned a = 0; a < t->count; a++)
        for (unsigned b = 0; b < t->count; b++) {
            if (a == b)
                continue;
            unsigned n = 0;
            t->order[n++] = given[a];
            t->order[n++] = given[b];
            for (unsigned k = 0; k < t->count; k++)
                if (k != a && k != b)
                    t->order[n++] = given[k];
            try_pitches(t);
        }
}

/* The source's own order, or the target's, innermost first. */
static void set_order_of(trial *t, bool source)
{
    const ops_dim *dim = t->piece->dim;
    unsigned n = 0;
    for (unsigned d = t->piece->rank; d-- > 0;)
        if (dim[d].in != 0)
            t->order[n++] = d;
    for (unsigned i = 1; source && i < n; i++)
        for (unsigned k = i; k > 0; k--) {
            int64_t a = dim[t->order[k - 1]].in, b = dim[t->order[k]].in;
            if (ops_magnitude(a) <= ops_magnitude(b))
                break;
            unsigned swap = t->order[k];
            t->order[k] = t->order[k - 1];
            t->order[k - 1] = swap;
        }
}

static void try_order_of(trial *t, bool source)
{
    set_order_of(t, source);
    try_pitches(t);
}

static void try_pairs_of(trial *t, bool source)
{
    set_order_of(t, source);
    try_inner_pairs(t);
}

/* Splits a dimension into blocks, and the neighbours within one, which become the last dimension.
 * */
static ops_piece split_dim(const ops_piece *piece, unsigned d, int64_t neighbours)
{
    ops_piece split = *piece;
    ops_dim dim = piece->dim[d];
    if (!neighbours)
        return split;
    split.dim[d] = (ops_dim){dim.n / neighbours, dim.in * neighbours, dim.out * neighbours};
    ztl_ops_add_dim(&split, neighbours, dim.in, dim.out);
    return split;
}

/* Large layouts, which must be worth a tenth. */
static void try_large(trial *t, void (*try)(trial *t))
{
    ops_cost *small = t->cost, worth = {small->ztl * 9 / 10 + 1, 0}, large = worth;
    t->is_large = true;
    t->cost = &large;
    try(t);
    t->cost = small;
    if (ops_cheaper(large, worth))
        *small = large;
}

static void try_shared(trial *t)
{
    try_pitch(t, t->count - 1, PITCH_SHARED);
}

bool ztl_ops_detour_blocks(ops_planner *planner, const ops_piece *piece, unsigned d,
                           int64_t neighbours, ops_cost limit, ops_found *found)
{
    ops_piece split = split_dim(piece, d, neighbours);
    trial t = {.planner = planner,
               .piece = &split,
               .cost = &found->cost,
               .best = &found->detour,
               .split = d,
               .neighbours = neighbours};
    unsigned last = split.rank - 1, n = 0;
    found->cost = limit;
    for (unsigned k = 0; k < split.rank; k++)
        if (split.dim[k].in == 0)
            return false;
    t.count = split.rank;
    set_order_of(&t, piece->dim[d].out == planner->element);
    for (unsigned i = 0; i < t.count; i++)
        if (t.order[i] != d && t.order[i] != last)
            t.order[n++] = t.order[i];
    t.order[n++] = d;
    t.order[n] = last;
    try_shared(&t);
    try_large(&t, try_shared);
    bool is_found = ops_cheaper(found->cost, limit);
    found->cost.other += 2 * OPS_SLICES * (piece->dim[d].n / neighbours); /* for the other pass */
    return is_found;
}

/* A reversed run: transposed in blocks of 32 to scratch memory, where the position within a block
 * is an outer dimension that can go in any order; and back. */
static void try_backwards(const trial *whole, unsigned d)
{
    const ops_piece *piece = whole->piece;
    int64_t unit = whole->planner->element;
    if (piece->dim[d].in != -unit || piece->dim[d].out != unit || piece->rank == OPS_DIMS ||
        piece->dim[d].n % OPS_SLICES || piece->dim[d].n < OPS_SLICES * OPS_SLICES / unit)
        return;
    ops_piece split = split_dim(piece, d, OPS_SLICES);
    trial t = *whole;
    t.piece = &split;
    t.split = d;
    t.neighbours = OPS_SLICES;
    t.count = 0;
    t.order[t.count++] = d;
    t.order[t.count++] = split.rank - 1;
    for (unsigned k = 0; k < piece->rank; k++)
        if (k != d && piece->dim[k].in)
            t.order[t.count++] = k;
    try_pitch(&t, 1, PITCH_ALIGNED);
}

/* A cost that is just too high to be of use. */
static ops_cost limit_of(const ops_query *q)
{
    ops_cost limit = {q->limit + 1, 0};
    return ops_cheaper(q->best->cost, limit) ? q->best->cost : limit;
}

/* All orders of few dimensions, some of many. */
static void try_some_orders(trial *t)
{
    if (t->count <= (t->may_nest ? MOST_PERMUTED : MOST_PERMUTED - 1)) {
        try_orders(t, 0, 0);
    } else {
        try_pairs_of(t, true);
        try_pairs_of(t, false);
    }
}

/* All layouts of scratch memory that are looked at, and that are large or are not. */
static void try_all(trial *t)
{
    int64_t least = ztl_ops_least(t->planner, t->piece);
    t->depth = 0;
    for (unsigned d = 0; d < t->piece->rank; d++)
        try_backwards(t, d);
    if (t->count < 2)
        return;
    try_some_orders(t);
    if (t->may_nest && t->cost->ztl * 10 > least * 23) {
        t->depth = 1;
        try_order_of(t, true);
        try_order_of(t, false);
    }
    if (t->may_nest && t->cost->ztl * 2 > 7 * least) { /* one of the passes in blocks */
        t->depth = OPS_ONCE;
        try_some_orders(t);
    }
}

static bool find(const ops_query *q, ops_found *found)
{
    const ops_piece *piece = q->piece;
    ops_cost limit = limit_of(q);
    trial t = {.planner = q->planner,
               .piece = piece,
               .may_nest = q->depth > 1,
               .cost = &found->cost,
               .best = &found->detour};
    found->cost = limit;
    for (unsigned d = 0; d < piece->rank; d++)
        t.count += piece->dim[d].in != 0;
    if (!q->planner->may_reload || limit.ztl * 10 <= ztl_ops_least(q->planner, piece) * 22)
        return false;
    uint64_t enough = q->planner->enough, begin = q->planner->draft->effort;
    if (enough > begin) /* a third is for the ways after this one */
        q->planner->enough -= (enough - begin) / 3;
    try_all(&t);
    if (t.count <= MOST_LARGE || q->planner->draft->level == ZTL_OPS_THOROUGH)
        try_large(&t, try_all);
    q->planner->enough = enough;
    return ops_cheaper(found->cost, limit);
}

void ztl_ops_detour_write(const ops_query *q, const ops_found *found)
{
    ops_planner *planner = q->planner;
    const ops_detour *detour = &found->detour;
    ops_piece pass[2], split = split_dim(q->piece, detour->split, detour->neighbours);
    uint64_t base = planner->scratch_top, *most = &planner->draft->plan->scratch;
    passes_of(&split, detour, (int64_t)base, pass);
    planner->scratch_top += detour->bytes;
    *most = *most < planner->scratch_top ? planner->scratch_top : *most;
    ztl_ops_solve(planner, &pass[0], detour->depth, true);
    ztl_ops_solve(planner, &pass[1], detour->depth, true);
    planner->scratch_top = base;
}

const ops_way ztl_ops_way_via_scratch = {"a detour through scratch memory", OPS_DIVIDES, find, NULL,
                                         ztl_ops_detour_write};
