/* SPDX-License-Identifier: Apache-2.0
 * Pieces that have a dimension in common which is just too short for blocks (together.c): all that
 * they read is copied to scratch memory, with room for more positions after it, moved in blocks to
 * another part of it, and what they write copied out. See rounded.c for a piece alone.
 */
#include "ops/search/divide/windows.h"

enum { MOST_PIECES = 128, MOST_REGIONS = 16 };

/* What all pieces have of a buffer. */
typedef struct region {
    unsigned buffer;
    int64_t low, high, step; /* step: of the dimension */
    int64_t bytes;           /* of all pieces there: a target must be full */
    int64_t base;            /* in scratch memory */
} region;

typedef struct rounded {
    ops_planner *planner;
    const ops_piece *piece;
    size_t count;
    int64_t n, room; /* positions, and with those beyond */
    region region[MOST_REGIONS];
    unsigned regions, sources; /* sources come first */
    uint64_t bytes;
} rounded;

static int long_dim(const ops_piece *piece, int64_t n)
{
    for (unsigned d = 0; d < piece->rank; d++)
        if (piece->dim[d].n == n)
            return (int)d;
    return -1;
}

/* Adds a side of a piece to the region of its buffer. */
static bool add_side(rounded *r, const ops_piece *piece, unsigned d, bool is_source, unsigned first)
{
    unsigned element = r->planner->element;
    region one = {.buffer = is_source ? piece->src : piece->dst,
                  .low = is_source ? piece->in : piece->out,
                  .step = is_source ? piece->dim[d].in : piece->dim[d].out,
                  .bytes = ztl_ops_elements(piece) * element};
    one.high = one.low + element;
    for (unsigned k = 0; k < piece->rank; k++) {
        int64_t step = is_source ? piece->dim[k].in : piece->dim[k].out;
        one.low += step < 0 ? (piece->dim[k].n - 1) * step : 0;
        one.high += step > 0 ? (piece->dim[k].n - 1) * step : 0;
    }
    unsigned at = first;
    while (at < r->regions && r->region[at].buffer != one.buffer)
        at++;
    if (at == MOST_REGIONS || one.step <= 0)
        return false;
    region *all = &r->region[at];
    if (at == r->regions) {
        *all = one;
        r->regions++;
        return true;
    }
    all->low = one.low < all->low ? one.low : all->low;
    all->high = one.high > all->high ? one.high : all->high;
    all->bytes += one.bytes;
    return all->step == one.step;
}

static bool add_sides(rounded *r, bool are_sources)
{
    unsigned first = r->regions;
    for (size_t i = 0; i < r->count; i++) {
        int d = long_dim(&r->piece[i], r->n);
        if (d < 0 || r->piece[i].src == OPS_FILL ||
            !add_side(r, &r->piece[i], (unsigned)d, are_sources, first))
            return false;
    }
    return true;
}

/* Regions are as long as the dimension, and one after the other. */
static bool place_regions(rounded *r)
{
    for (unsigned k = 0; k < r->regions; k++) {
        region *one = &r->region[k];
        if (one->high - one->low > r->n * one->step ||
            (k >= r->sources && one->high - one->low != one->bytes))
            return false;
        one->base = (int64_t)r->bytes;
        r->bytes += (uint64_t)ops_ceil(r->room * one->step, 64) * 64;
    }
    return ztl_ops_scratch_fits(r->planner, r->bytes);
}

static bool find_regions(rounded *r)
{
    int64_t block = OPS_SLICE_BYTES / (int64_t)r->planner->element;
    for (unsigned d = 0; d < r->piece->rank; d++)
        r->n = r->piece->dim[d].n > r->n ? r->piece->dim[d].n : r->n;
    r->room = ops_ceil(r->n, block * block) * block * block;
    if (r->count > MOST_PIECES || r->room == r->n || r->room > 2 * r->n || !add_sides(r, true))
        return false;
    r->sources = r->regions;
    return add_sides(r, false) && place_regions(r);
}

/* Between a region and its part of scratch memory. */
static ops_piece copy_of(const rounded *r, unsigned k)
{
    const region *one = &r->region[k];
    int64_t element = r->planner->element, at = (int64_t)r->planner->scratch_top + one->base;
    bool is_source = k < r->sources;
    ops_piece copy = {.src = is_source ? one->buffer : OPS_SCRATCH,
                      .dst = is_source ? OPS_SCRATCH : one->buffer,
                      .in = is_source ? one->low : at,
                      .out = is_source ? at : one->low};
    ztl_ops_add_dim(&copy, (one->high - one->low) / element, element, element);
    ztl_ops_canonical_piece(&copy);
    return copy;
}

static int64_t offset_of(const rounded *r, unsigned buffer, bool is_source)
{
    unsigned k = is_source ? 0 : r->sources;
    while (r->region[k].buffer != buffer)
        k++;
    return (int64_t)r->planner->scratch_top + r->region[k].base - r->region[k].low;
}

/* The pieces between the two parts of scratch memory, with positions beyond. */
static void move_pieces(const rounded *r, ops_piece *moved)
{
    for (size_t i = 0; i < r->count; i++) {
        const ops_piece *piece = &r->piece[i];
        moved[i] = *piece;
        moved[i].src = moved[i].dst = OPS_SCRATCH;
        moved[i].in += offset_of(r, piece->src, true);
        moved[i].out += offset_of(r, piece->dst, false);
        moved[i].dim[long_dim(piece, r->n)].n = r->room;
    }
}

/* The regions from `first` on, up to `end`. */
static ops_cost copies_cost(const rounded *r, unsigned first, unsigned end)
{
    ops_cost sum = {0, 64, 0};
    for (unsigned k = first; k < end; k++) {
        ops_piece copy = copy_of(r, k);
        sum = ops_sum(sum, ztl_ops_cost_below(r->planner, &copy, 0, OPS_NEVER.key));
    }
    return sum;
}

static void write_copies(const rounded *r, unsigned first, unsigned end)
{
    for (unsigned k = first; k < end; k++) {
        ops_piece copy = copy_of(r, k);
        ztl_ops_write_undivided(r->planner, &copy);
    }
}

/* The pieces in scratch memory; NULL where there is no room for them. */
static ops_piece *borrow_moved(const rounded *r)
{
    if (r->count * sizeof *r->piece > r->planner->draft->room / 2)
        return NULL;
    ops_piece *moved = ztl_ops_borrow(r->planner->arena, r->count * sizeof *moved);
    if (moved)
        move_pieces(r, moved);
    return moved;
}

static bool find(const ops_query *q, ops_node *found)
{
    ops_planner *planner = q->planner;
    rounded r = {.planner = planner, .piece = q->piece, .count = q->count};
    size_t high = planner->arena->high;
    ops_piece *moved = ztl_ops_may_go_together(q) && !q->stage->fills && find_regions(&r)
                           ? borrow_moved(&r)
                           : NULL;
    if (!moved)
        return false;
    ops_cost sum = copies_cost(&r, 0, r.regions);
    planner->scratch_top += r.bytes;
    sum = ops_sum(sum, ztl_ops_blocks_cost(planner, moved, r.count, NULL, OPS_NEVER.key,
                                           &found->pick.long_dim));
    planner->scratch_top -= r.bytes;
    planner->arena->high = high;
    found->cost = sum;
    return sum.key < q->best->cost.key;
}

static void write(const ops_query *q, const ops_node *node)
{
    ops_planner *planner = q->planner;
    rounded r = {.planner = planner, .piece = q->piece, .count = q->count};
    size_t high = planner->arena->high;
    ops_piece *moved = find_regions(&r) ? borrow_moved(&r) : NULL;
    if (!moved)
        return;
    write_copies(&r, 0, r.sources);
    ztl_ops_use_scratch(planner, r.bytes);
    ztl_ops_blocks_write(planner, moved, r.count, NULL, node->pick.long_dim);
    planner->scratch_top -= r.bytes;
    write_copies(&r, r.sources, r.regions);
    planner->arena->high = high;
}

const ops_way ztl_ops_way_rounded_together = {"all together, with room for more positions", find,
                                              NULL, write};
