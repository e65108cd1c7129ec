/* SPDX-License-Identifier: Apache-2.0
 * Through scratch memory: the source is copied to it with another pitch or in another order of
 * dimensions, and from there to the target. Two cheap passes replace an expensive one:
 *
 *     rows of 49 bytes          copied to a pitch of 64, a multiple of 32, then transposed in tiles
 *     [a][b][c] → [c][b][a]     copied to [b][a][c], then to the target: longer runs in both passes
 *     [rows][n] → [n][rows]     copied to [n/64][rows][64]: 64 neighbours of all rows are one long
 *                               run for the target (long_runs.c), of which only one end is open
 */
#include "ops/search/ways/way.h"

enum { MOST_PERMUTED = 5, MOST_LARGE = 3, MOST_BLOCKS = 8, ALIGNED = 32 };

/* Scratch memory needs no excuse up to so many times the tensor; more of it, up to so much, is only
 * taken for a tenth fewer instructions. */
enum { PLENTY = 4, MOST_SCRATCH = 8 << 20, LARGE_PERCENT = 90 };

/* Passes are divided themselves where the others take more than this, in percent of the least. */
enum { NESTED_FROM = 230, BLOCKS_FROM = 350 };

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

/* Splits a dimension into blocks, and the neighbours within one, which become the last dimension.
 */
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

/* The steps of a piece's dimensions in scratch memory, 0 for broadcast ones; returns the bytes. */
static uint64_t lay_out(const ops_piece *piece, int64_t element, const ops_layout *layout,
                        int64_t *step)
{
    int64_t next = element, reach = element;
    memset(step, 0, OPS_DIMS * sizeof *step);
    unsigned count = 0;
    for (unsigned d = 0; d < piece->rank; d++)
        count += piece->dim[d].in != 0;
    for (unsigned k = 0; k < count; k++) {
        const ops_dim *dim = &piece->dim[layout->order[k]];
        step[layout->order[k]] = next;
        reach += (dim->n - 1) * next;
        next *= dim->n;
        if (k + 1 == layout->row)
            next =
                pitch_of(next, element * piece->dim[layout->order[0]].n, (enum pitch)layout->pitch);
    }
    return (uint64_t)ops_ceil(reach, 64) * 64;
}

static bool divide(const ops_query *q, const ops_pick *pick, ops_division *p)
{
    const ops_layout *layout = &pick->layout;
    const ops_piece piece = split_dim(q->piece, layout->split, layout->neighbours);
    int64_t step[OPS_DIMS];
    p->bytes = lay_out(&piece, q->planner->element, layout, step);
    p->count = 2;
    p->other = 64;
    p->part[0] = p->part[1] = piece;
    p->part[0].dst = p->part[1].src = OPS_SCRATCH;
    p->part[0].out = p->part[1].in = (int64_t)q->planner->scratch_top;
    for (unsigned d = 0; d < piece.rank; d++) {
        p->part[0].dim[d].out = p->part[1].dim[d].in = step[d];
        if (piece.dim[d].in == 0)
            p->part[0].dim[d].n = 1;
    }
    for (unsigned k = 0; k < p->count; k++) {
        ztl_ops_canonical_piece(&p->part[k]);
        p->depth[k] = layout->depth;
    }
    return ztl_ops_scratch_fits(q->planner, p->bytes);
}

typedef struct trial {
    const ops_query *q;
    const ops_piece *piece; /* as it is split */
    ops_layout layout;
    unsigned count;  /* dimensions that are in the layout */
    bool is_large;   /* more than four times the tensor */
    ops_cost limit;  /* what is large must be cheaper than this */
    ops_node *found; /* the best so far */
} trial;

static void try_pitch(trial *t, unsigned row, enum pitch pitch)
{
    const ops_planner *planner = t->q->planner;
    int64_t step[OPS_DIMS];
    ops_pick pick = {.layout = t->layout};
    pick.layout.row = (uint8_t)row;
    pick.layout.pitch = (uint8_t)pitch;
    if (ops_is_enough(planner))
        return;
    uint64_t bytes = lay_out(t->piece, planner->element, &pick.layout, step),
             top = planner->scratch_top + bytes,
             few = PLENTY * (uint64_t)ztl_ops_elements(t->piece) * planner->element;
    if (top <= few ? t->is_large : !t->is_large || top > MOST_SCRATCH)
        return;
    ops_cost limit = ztl_ops_limit(t->q, t->found);
    if (t->is_large && ops_cheaper(t->limit, limit))
        limit = t->limit;
    ztl_ops_try(t->q, &pick, 0, limit, t->found);
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
        t->layout.order[placed] = (uint8_t)d;
        try_orders(t, placed + 1, used | 1u << d);
    }
}

/* Many dimensions: each pair of them innermost, the others as in the order that is given. */
static void try_inner_pairs(trial *t)
{
    const ops_layout given = t->layout;
    for (unsigned a = 0; a < t->count; a++)
        for (unsigned b = 0; b < t->count; b++) {
            if (a == b)
                continue;
            unsigned n = 0;
            t->layout.order[n++] = given.order[a];
            t->layout.order[n++] = given.order[b];
            for (unsigned k = 0; k < t->count; k++)
                if (k != a && k != b)
                    t->layout.order[n++] = given.order[k];
            try_pitches(t);
        }
}

/* The source's own order, or the target's, innermost first. */
static void set_order_of(trial *t, bool source)
{
    const ops_dim *dim = t->piece->dim;
    uint8_t *order = t->layout.order;
    unsigned n = 0;
    for (unsigned d = t->piece->rank; d-- > 0;)
        if (dim[d].in != 0)
            order[n++] = (uint8_t)d;
    for (unsigned i = 1; source && i < n; i++)
        for (unsigned k = i; k > 0; k--) {
            int64_t a = dim[order[k - 1]].in, b = dim[order[k]].in;
            if (ops_magnitude(a) <= ops_magnitude(b))
                break;
            uint8_t swap = order[k];
            order[k] = order[k - 1];
            order[k - 1] = swap;
        }
}

/* A reversed run: transposed in blocks of 32 to scratch memory, where the position within a block
 * is an outer dimension that can go in any order; and back. */
static void try_backwards(const trial *whole, unsigned d)
{
    const ops_piece *piece = whole->piece;
    int64_t unit = whole->q->planner->element;
    if (piece->dim[d].in != -unit || piece->dim[d].out != unit || piece->rank == OPS_DIMS ||
        piece->dim[d].n % OPS_SLICES || piece->dim[d].n < OPS_SLICES * OPS_SLICES / unit)
        return;
    ops_piece split = split_dim(piece, d, OPS_SLICES);
    trial t = *whole;
    t.piece = &split;
    t.layout.split = (uint8_t)d;
    t.layout.neighbours = OPS_SLICES;
    t.count = 0;
    t.layout.order[t.count++] = (uint8_t)d;
    t.layout.order[t.count++] = (uint8_t)(split.rank - 1);
    for (unsigned k = 0; k < piece->rank; k++)
        if (k != d && piece->dim[k].in)
            t.layout.order[t.count++] = (uint8_t)k;
    try_pitch(&t, 1, PITCH_ALIGNED);
}

/* A run of one side in so many blocks, which come outermost. */
static void try_blocks(const trial *whole, unsigned d, int64_t blocks)
{
    const ops_piece *piece = whole->piece;
    int64_t element = whole->q->planner->element;
    ops_piece split = split_dim(piece, d, piece->dim[d].n / blocks);
    trial t = *whole;
    t.piece = &split;
    t.layout.split = (uint8_t)d;
    t.layout.neighbours = piece->dim[d].n / blocks;
    set_order_of(&t, piece->dim[d].out == element);
    const ops_layout given = t.layout;
    unsigned n = 0;
    for (unsigned i = 0; i < split.rank; i++)
        if (given.order[i] != d && given.order[i] != split.rank - 1)
            t.layout.order[n++] = given.order[i];
    t.layout.order[n++] = (uint8_t)d;
    t.layout.order[n] = (uint8_t)(split.rank - 1);
    t.count = split.rank;
    try_pitch(&t, t.count - 1, PITCH_SHARED);
}

static void try_all_blocks(const trial *t)
{
    const ops_piece *piece = t->piece;
    int64_t element = t->q->planner->element;
    if (t->count < piece->rank || piece->rank == OPS_DIMS)
        return;
    for (unsigned d = 0; d < piece->rank; d++)
        for (int64_t blocks = 2; blocks <= MOST_BLOCKS; blocks++)
            if ((piece->dim[d].in == element || piece->dim[d].out == element) &&
                piece->dim[d].n % (OPS_NEIGHBOURS * blocks) == 0)
                try_blocks(t, d, blocks);
}

/* All orders of few dimensions, some of many. */
static void try_some_orders(trial *t)
{
    if (t->count <= MOST_PERMUTED - (t->q->depth < 2)) {
        try_orders(t, 0, 0);
        return;
    }
    for (unsigned source = 2; source-- > 0;) {
        set_order_of(t, source);
        try_inner_pairs(t);
    }
}

/* Whether what was found so far takes more than this, in percent of the least. */
static bool is_above(const trial *t, int64_t percent)
{
    ops_cost best = ztl_ops_limit(t->q, t->found);
    if (t->is_large && ops_cheaper(t->limit, best))
        best = t->limit;
    return best.key * 100 > ztl_ops_least(t->q->planner, t->piece) * percent;
}

/* All layouts of scratch memory that are looked at, and that are large or are not. */
static void try_all(trial *t)
{
    t->layout.depth = 0;
    for (unsigned d = 0; d < t->piece->rank; d++)
        try_backwards(t, d);
    try_all_blocks(t);
    if (t->count < 2)
        return;
    try_some_orders(t);
    if (t->q->depth > 1 && is_above(t, NESTED_FROM)) {
        t->layout.depth = 1;
        for (unsigned source = 2; source-- > 0;) {
            set_order_of(t, source);
            try_pitches(t);
        }
    }
    if (t->q->depth > 1 && is_above(t, BLOCKS_FROM)) { /* one of the passes in blocks */
        t->layout.depth = OPS_ONCE;
        try_some_orders(t);
    }
}

static bool find(const ops_query *q, ops_node *found)
{
    ops_planner *planner = q->planner;
    trial t = {.q = q, .piece = q->piece, .found = found};
    for (unsigned d = 0; d < q->piece->rank; d++)
        t.count += q->piece->dim[d].in != 0;
    if (!planner->may_reload)
        return false;
    uint64_t enough = planner->enough, begin = planner->draft->effort;
    if (enough > begin) /* a third is for the ways after this one */
        planner->enough -= (enough - begin) / 3;
    try_all(&t);
    if (t.count <= MOST_LARGE || planner->draft->level == ZTL_OPS_THOROUGH) {
        t.limit = (ops_cost){ztl_ops_limit(q, found).key * LARGE_PERCENT / 100 + 1, 0, 0};
        t.is_large = true;
        try_all(&t);
    }
    planner->enough = enough;
    return found->parts;
}

const ops_way ztl_ops_way_via_scratch = {"a detour through scratch memory", find, divide, NULL};
