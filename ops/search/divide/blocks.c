/* SPDX-License-Identifier: Apache-2.0
 * Blocks of a long dimension through scratch memory. All pieces have a dimension of n positions,
 * which is cut into g blocks of so many that a block is a multiple of 32 bytes on every side. Seen
 * block by block, each byte of a block's window in the source becomes a row of g elements:
 *
 *     source    g blocks of  r g b r g b r g b …       scratch  r0 r0 r0 …  one of each block
 *                                                               g0 g0 g0 …
 *     target    g blocks of  b g r b g r b g r …                b0 b0 b0 …
 *
 * Both passes are transposes of rows of 32 bytes, whatever the short dimensions are: which row an
 * element of the target's window comes from is a table. So permutations, reversals and selections
 * of short dimensions, constants between them, and parts of several tensors side by side cost
 * nothing. Positions after the last whole block go a way of their own.
 */
#include "ops/format/insn.h"
#include "ops/search/ways/way.h"

enum { MOST_PIECES = 1024, MOST_WINDOWS = 16, MOST_ROWS = 16384 };

/* What a block is on one side: `step` bytes for each position of the long dimension. */
typedef struct window {
    unsigned buffer;
    int64_t step;      /* of the long dimension; 0 for a constant */
    int64_t low, high; /* the bytes of position 0 of the first block: all pieces have theirs here */
    int64_t gap;       /* backwards: so many of them no piece uses */
    int64_t base;      /* source: of its rows in scratch memory */
} window;

typedef struct blocks {
    ops_planner *planner;
    const ops_piece *piece;
    size_t count;
    const ops_piece *whole; /* a run with a constant wherever no piece writes; or NULL */
    window in[MOST_WINDOWS], out[MOST_WINDOWS];
    unsigned ins, outs;
    uint8_t dim[MOST_PIECES]; /* the long one of each piece, and its windows */
    uint8_t in_of[MOST_PIECES], out_of[MOST_PIECES];
    int64_t block, g; /* positions of a block; blocks */
    int64_t pitch;    /* of a row, in bytes */
    int64_t bytes;    /* of all rows */
} blocks;

static bool is_inside(int64_t step, const window *w)
{
    return ops_magnitude(step) < ops_magnitude(w->step);
}

/* The dimension of a piece that is the first piece's long one. */
static bool find_long(const ops_piece *piece, ops_dim like, uint8_t *found)
{
    for (unsigned d = 0; d < piece->rank; d++)
        if (piece->dim[d].n == like.n &&
            (piece->dim[d].in == like.in || piece->dim[d].out == like.out)) {
            *found = (uint8_t)d;
            return true;
        }
    return false;
}

/* Adds what a piece has of a side to the window of its buffer. */
static bool add_window(window *all, unsigned *count, uint8_t *of, window w, bool is_source)
{
    for (unsigned k = 0; k < *count; k++) {
        if (all[k].buffer != w.buffer || all[k].step != w.step)
            continue;
        /* The same place in the buffer, or another part of it. */
        int64_t low = w.low < all[k].low ? w.low : all[k].low;
        int64_t high = w.high > all[k].high ? w.high : all[k].high;
        if (high - low > ops_magnitude(w.step) && w.step)
            continue;
        all[k].low = low;
        all[k].high = high;
        *of = (uint8_t)k;
        return true;
    }
    if (*count == MOST_WINDOWS || (w.step == 0 && !is_source) ||
        w.high - w.low > (w.step ? ops_magnitude(w.step) : w.high))
        return false;
    *of = (uint8_t)*count;
    all[(*count)++] = w;
    return true;
}

/* The bytes of position 0 of a piece. */
static window window_of(const ops_piece *piece, unsigned d, unsigned element, bool is_source)
{
    window w = {is_source ? piece->src : piece->dst,
                is_source ? piece->dim[d].in : piece->dim[d].out,
                is_source ? piece->in : piece->out,
                0,
                0,
                0};
    if (is_source && piece->src == OPS_FILL)
        return (window){.buffer = OPS_FILL, .high = element};
    w.high = w.low + element;
    for (unsigned k = 0; k < piece->rank; k++) {
        int64_t step = is_source ? piece->dim[k].in : piece->dim[k].out;
        if (k == d || !is_inside(step, &w))
            continue;
        w.low += step < 0 ? (piece->dim[k].n - 1) * step : 0;
        w.high += step > 0 ? (piece->dim[k].n - 1) * step : 0;
    }
    return w;
}

static int64_t common_multiple(int64_t a, int64_t b)
{
    return a / ztl_ops_gcd(a, b) * b;
}

/* Whether the elements of a piece lie at whole elements of its windows. */
static bool is_aligned(const blocks *b, size_t i)
{
    const ops_piece *piece = &b->piece[i];
    const window *in = &b->in[b->in_of[i]], *out = &b->out[b->out_of[i]];
    int64_t element = b->planner->element;
    bool aligned = (in->step == 0 || (piece->in - in->low) % element == 0) &&
                   (piece->out - out->low) % element == 0;
    for (unsigned d = 0; aligned && d < piece->rank; d++) {
        const ops_dim *dim = &piece->dim[d];
        aligned = (in->step == 0 || !is_inside(dim->in, in) || dim->in % element == 0) &&
                  (!is_inside(dim->out, out) || dim->out % element == 0);
    }
    return aligned;
}

/* A window has room for a step, of which pieces may use less. What is backwards ends with the first
 * of its bytes, as the others begin with it; among constants the window begins as early as it can,
 * so that the last block does not reach past them. */
static void place_windows(blocks *b)
{
    for (unsigned k = 0; k < b->ins; k++)
        if (b->in[k].step < 0) {
            b->in[k].gap = b->in[k].low - b->in[k].high - b->in[k].step;
            b->in[k].low -= b->in[k].gap;
        }
    if (!b->whole)
        return;
    int64_t low = b->out->high - b->out->step, begin = b->whole->out;
    b->out->low = low > begin ? low : b->out->low > begin ? begin : b->out->low;
}

static bool find_windows(blocks *b, unsigned d)
{
    int64_t block = 1;
    unsigned element = b->planner->element;
    if (b->whole) /* the row of constants comes first */
        b->in[b->ins++] = (window){.buffer = OPS_FILL, .high = element};
    for (size_t i = 0; i < b->count; i++) {
        const ops_piece *piece = &b->piece[i];
        if (!find_long(piece, b->piece->dim[d], &b->dim[i]))
            return false;
        window in = window_of(piece, b->dim[i], element, true),
               out = window_of(piece, b->dim[i], element, false);
        if ((in.step == 0 && piece->src != OPS_FILL) || out.step <= 0 || in.step % element ||
            out.step % element || !add_window(b->in, &b->ins, &b->in_of[i], in, true) ||
            !add_window(b->out, &b->outs, &b->out_of[i], out, false))
            return false;
        if (in.step)
            block = common_multiple(block, OPS_SLICE_BYTES / ztl_ops_gcd(in.step, OPS_SLICE_BYTES));
        block = common_multiple(block, OPS_SLICE_BYTES / ztl_ops_gcd(out.step, OPS_SLICE_BYTES));
    }
    b->block = block;
    place_windows(b);
    for (size_t i = 0; i < b->count; i++)
        if (!is_aligned(b, i))
            return false;
    return true;
}

/* How many blocks there are: none may read past the last element of the piece. */
static bool count_blocks(blocks *b, int64_t n)
{
    b->g = n / b->block;
    for (unsigned k = 0; k < b->ins; k++) {
        const window *w = &b->in[k];
        int64_t step = ops_magnitude(w->step), used = w->high - w->low - w->gap;
        if (step == 0)
            continue;
        int64_t whole = ((n - 1) * step + used) / (b->block * step);
        b->g = whole < b->g ? whole : b->g;
    }
    b->pitch = ops_ceil(b->g * b->planner->element, OPS_SLICE_BYTES) * OPS_SLICE_BYTES;
    return b->g >= OPS_SLICES / (int64_t)b->planner->element;
}

/* The first byte of the first block. */
static int64_t low_of(const blocks *b, const window *w)
{
    return w->low + (w->step < 0 ? (b->block - 1) * w->step : 0);
}

static int64_t rows_of(const blocks *b, const window *w)
{
    return w->step ? b->block * ops_magnitude(w->step) / b->planner->element : 1;
}

/* The step of a dimension in scratch memory: rows of the window, or whole windows. */
static int64_t scratch_step(const blocks *b, size_t i, unsigned d)
{
    const ops_piece *piece = &b->piece[i];
    const window *w = &b->in[b->in_of[i]];
    int64_t step = rows_of(b, w) * b->pitch;
    if (piece->dim[d].in == 0 || w->step == 0)
        return 0;
    if (is_inside(piece->dim[d].in, w))
        return piece->dim[d].in / b->planner->element * b->pitch;
    for (unsigned k = 0; k < d; k++)
        if (k != b->dim[i] && piece->dim[k].in && !is_inside(piece->dim[k].in, w))
            step *= piece->dim[k].n;
    return step;
}

/* A window's blocks to rows in scratch memory; with a piece alone, for all positions of its
 * dimensions outside the window. */
static ops_piece first_pass(const blocks *b, unsigned k)
{
    const window *w = &b->in[k];
    int64_t element = b->planner->element, g = b->pitch / element;
    ops_piece pass = {
        .src = w->buffer, .dst = OPS_SCRATCH, .in = w->step ? low_of(b, w) : 0, .out = w->base};
    for (unsigned d = 0; b->count == 1 && w->step && d < b->piece->rank; d++)
        if (d != b->dim[0] && b->piece->dim[d].in && !is_inside(b->piece->dim[d].in, w))
            ztl_ops_add_dim(&pass, b->piece->dim[d].n, b->piece->dim[d].in, scratch_step(b, 0, d));
    if (w->step) {
        ztl_ops_add_dim(&pass, rows_of(b, w), element, b->pitch);
        g = b->g;
    }
    ztl_ops_add_dim(&pass, g, b->block * w->step, element);
    ztl_ops_canonical_piece(&pass);
    return pass;
}

/* Where the rows of each window are. Dimensions outside of windows are only for a piece alone. */
static bool place_rows(blocks *b)
{
    b->bytes = 0;
    for (unsigned k = 0; k < b->ins; k++) {
        b->in[k].base = b->bytes;
        b->bytes += ops_ceil(rows_of(b, &b->in[k]) * b->pitch, 64) * 64;
    }
    for (size_t i = 0; i < b->count; i++)
        for (unsigned d = 0; d < b->piece[i].rank; d++) {
            ops_dim dim = b->piece[i].dim[d];
            bool outside = !is_inside(dim.in, &b->in[b->in_of[i]]) && b->piece[i].src != OPS_FILL;
            if (d == b->dim[i] || (!outside && is_inside(dim.out, &b->out[b->out_of[i]])))
                continue;
            if (b->count > 1 || (b->whole && !is_inside(dim.out, &b->out[b->out_of[i]])))
                return false;
            b->bytes *= outside ? dim.n : 1;
        }
    return true;
}

/* Fills in the table for one piece: every element of its part of the target's window. */
static bool add_places(const blocks *b, size_t i, int64_t *place, int64_t *left)
{
    const ops_piece *piece = &b->piece[i];
    const window *in = &b->in[b->in_of[i]], *out = &b->out[b->out_of[i]];
    int64_t at[OPS_DIMS] = {0}, element = b->planner->element;
    int64_t from = in->base, to = piece->out - out->low;
    if (in->step)
        from += (piece->in - low_of(b, in)) / element * b->pitch;
    for (;;) {
        int64_t *entry = &place[to / element];
        *left -= *entry < 0;
        if (*entry >= 0)
            return false;
        *entry = from;
        unsigned d = piece->rank;
        while (d-- > 0) {
            bool is_long = d == b->dim[i];
            int64_t n = is_long ? b->block : piece->dim[d].n;
            int64_t step = is_long ? in->step / element * b->pitch : scratch_step(b, i, d);
            if (!is_long && !is_inside(piece->dim[d].out, out))
                continue;
            to += piece->dim[d].out;
            from += step;
            if (++at[d] < n)
                break;
            to -= n * piece->dim[d].out;
            from -= n * step;
            at[d] = 0;
        }
        if (d > OPS_DIMS)
            return true;
    }
}

/* The second pass to a window of a target; false where the pieces do not fill it. */
static bool second_pass(const blocks *b, unsigned k, int64_t *place, ops_chunks *c)
{
    const window *out = &b->out[k];
    int64_t count = rows_of(b, out), left = count;
    *c = (ops_chunks){.src = OPS_SCRATCH,
                      .dst = out->buffer,
                      .out = out->low,
                      .axis = {{.n = b->g, .dims = 1}, {.n = count, .place = place}}};
    c->axis[0].dim[0].n = b->g;
    c->axis[0].dim[0].step = b->block * out->step;
    for (int64_t e = 0; e < count; e++)
        place[e] = -1;
    for (size_t i = 0; i < b->count; i++)
        if (b->out_of[i] == k && !add_places(b, i, place, &left))
            return false;
    for (unsigned d = 0; b->count == 1 && d < b->piece->rank; d++)
        if (d != b->dim[0] && !is_inside(b->piece->dim[d].out, out))
            c->loop[c->loops++] =
                (ops_dim){b->piece->dim[d].n, scratch_step(b, 0, d), b->piece->dim[d].out};
    for (int64_t e = 0; b->whole && e < count; e++)
        place[e] = place[e] < 0 ? 0 : place[e];
    b->planner->draft->effort += (uint64_t)count;
    return left == 0 || b->whole;
}

/* Where the blocks of the only target end. */
static int64_t end_of(const blocks *b)
{
    return b->out[0].low + b->g * b->block * b->out[0].step;
}

static bool lies_in(const blocks *b, const ops_piece *whole)
{
    return b->outs == 1 && b->out[0].buffer == whole->dst && b->out[0].low >= whole->out &&
           end_of(b) <= whole->out + whole->dim[0].n * whole->dim[0].out;
}

/* What is before the blocks of the whole run, or after them; false for nothing. */
static bool edge_of(const blocks *b, bool after, ops_piece *edge)
{
    if (!b->whole)
        return false;
    *edge = *b->whole;
    int64_t unit = edge->dim[0].out, end = edge->out + edge->dim[0].n * unit;
    edge->out = after ? end_of(b) : edge->out;
    edge->dim[0].n = ((after ? end : b->out[0].low) - edge->out) / unit;
    return edge->dim[0].n > 0;
}

/* Whether pieces have the form, by dimension d of the first; all but the tables. */
static bool find_blocks(ops_planner *planner, const ops_piece *piece, size_t count,
                        const ops_piece *whole, unsigned d, blocks *b)
{
    *b = (blocks){.planner = planner, .piece = piece, .count = count, .whole = whole};
    int64_t n = piece->dim[d].n, reach = 0;
    if (count > MOST_PIECES || n * (int64_t)planner->element < OPS_SLICES * OPS_SLICE_BYTES / 8 ||
        !find_windows(b, d) || !count_blocks(b, n) || !place_rows(b))
        return false;
    for (unsigned k = 0; k < b->outs; k++) {
        if (rows_of(b, &b->out[k]) > MOST_ROWS || (whole && !lies_in(b, whole)))
            return false;
        reach += n * b->out[k].step;
    }
    for (unsigned k = 0; k < b->ins; k++)
        reach += n * ops_magnitude(b->in[k].step);
    return reach + b->bytes < INT32_MAX &&
           planner->scratch_top + (uint64_t)b->bytes <= planner->scratch_limit;
}

/* Positions after the last block. */
static bool rest_of(const blocks *b, size_t i, ops_piece *rest)
{
    ops_piece part[2];
    int64_t done = b->g * b->block;
    if (done == b->piece[i].dim[b->dim[i]].n)
        return false;
    ztl_ops_cut(&b->piece[i], b->dim[i], done, part);
    *rest = part[1];
    ztl_ops_canonical_piece(rest);
    return true;
}

/* Making the constant: for its row, and again for what is around the blocks. */
static int64_t constant_cost(const blocks *b)
{
    ops_piece edge;
    bool edges = edge_of(b, false, &edge) || edge_of(b, true, &edge);
    return b->whole ? (1 + edges) * b->planner->constant * ops_ztl(OPS_CONSTANT_BYTE) : 0;
}

/* The cost, or NEVER above the limit. `place` has room for the largest table. */
static ops_cost cost_of(const blocks *b, int64_t *place, int64_t limit)
{
    ops_cost sum = {constant_cost(b), 64};
    ops_chunks c;
    for (unsigned k = 0; k < b->outs && sum.ztl < limit; k++)
        sum = second_pass(b, k, place, &c) ? ops_sum(sum, ztl_ops_chunks_cost(b->planner, &c))
                                           : OPS_NEVER;
    for (unsigned k = 0; k < b->ins && sum.ztl < limit; k++) {
        ops_piece pass = first_pass(b, k);
        sum = ops_sum(sum, ztl_ops_cost_below(b->planner, &pass, 0, limit - sum.ztl));
    }
    for (unsigned k = 0; k < 2 && sum.ztl < limit; k++) {
        ops_piece edge;
        if (edge_of(b, k, &edge))
            sum = ops_sum(sum, ztl_ops_cost_below(b->planner, &edge, 0, limit - sum.ztl));
    }
    for (size_t i = 0; i < b->count && sum.ztl < limit; i++) {
        ops_piece rest;
        if (rest_of(b, i, &rest))
            sum = ops_sum(sum, ztl_ops_cost_below(b->planner, &rest, 0, limit - sum.ztl));
    }
    return sum.ztl < limit ? sum : OPS_NEVER;
}

static void write_blocks(blocks *b, int64_t *place)
{
    ops_planner *planner = b->planner;
    uint64_t base = planner->scratch_top, *most = &planner->draft->plan->scratch;
    planner->scratch_top += (uint64_t)b->bytes;
    *most = *most < planner->scratch_top ? planner->scratch_top : *most;
    for (unsigned k = 0; k < b->ins; k++) {
        ops_piece pass = first_pass(b, k);
        pass.out += (int64_t)base;
        ztl_ops_solve(planner, &pass, 0, true);
    }
    for (unsigned k = 0; k < b->outs; k++) {
        ops_chunks c;
        second_pass(b, k, place, &c);
        c.in = (int64_t)base;
        ztl_ops_chunks_write(planner, &c);
    }
    for (unsigned k = 0; k < 2; k++) {
        ops_piece edge;
        if (edge_of(b, k, &edge))
            ztl_ops_solve(planner, &edge, 0, true);
    }
    for (size_t i = 0; i < b->count; i++) {
        ops_piece rest;
        if (rest_of(b, i, &rest))
            ztl_ops_solve(planner, &rest, 0, true);
    }
    planner->scratch_top = base;
}

/* Room for the largest table; NULL where there is none for it and the vectors of its chunks. */
static int64_t *borrow_table(const blocks *b)
{
    ops_arena *arena = b->planner->arena;
    size_t rows = 0;
    for (unsigned k = 0; k < b->outs; k++)
        rows = rows > (size_t)rows_of(b, &b->out[k]) ? rows : (size_t)rows_of(b, &b->out[k]);
    size_t chunk = sizeof(ops_vector) + sizeof(ops_group) + sizeof(ops_batch);
    size_t chunks = 1 + rows * b->planner->element / OPS_SLICE_BYTES;
    if (4096 + rows * sizeof(int64_t) + 3 * chunks * chunk > b->planner->draft->room)
        return NULL;
    return ztl_ops_borrow(arena, rows * sizeof(int64_t));
}

/* The cheapest long dimension, below the limit. */
static ops_cost find_best(ops_planner *planner, const ops_piece *piece, size_t count,
                          const ops_piece *whole, int64_t limit, unsigned *best_dim)
{
    ops_cost best = OPS_NEVER;
    size_t high = planner->arena->high;
    for (unsigned d = 0; planner->may_reload && !planner->adds && d < piece->rank; d++) {
        blocks b;
        int64_t *place;
        planner->arena->high = high;
        if (!find_blocks(planner, piece, count, whole, d, &b) || !(place = borrow_table(&b)))
            continue;
        planner->scratch_top += (uint64_t)b.bytes; /* what the passes need comes after it */
        ops_cost cost = cost_of(&b, place, limit);
        planner->scratch_top -= (uint64_t)b.bytes;
        if (!ops_cheaper(cost, best))
            continue;
        best = cost;
        limit = cost.ztl < limit ? cost.ztl : limit;
        *best_dim = d;
    }
    planner->arena->high = high;
    return best;
}

static void write_best(ops_planner *planner, const ops_piece *piece, size_t count,
                       const ops_piece *whole, unsigned d)
{
    blocks b;
    size_t high = planner->arena->high;
    int64_t *place = find_blocks(planner, piece, count, whole, d, &b) ? borrow_table(&b) : NULL;
    if (place)
        write_blocks(&b, place);
    else
        planner->arena->full = true;
    planner->arena->high = high;
}

ops_cost ztl_ops_solve_blocks(ops_planner *planner, const ops_piece *piece, size_t count,
                              const ops_piece *whole, bool write)
{
    unsigned d = 0;
    ops_start_effort(planner);
    ops_cost cost = find_best(planner, piece, count, whole, OPS_NEVER.ztl, &d);
    if (write)
        write_best(planner, piece, count, whole, d);
    return cost;
}

static bool find(const ops_query *q, ops_found *found)
{
    int64_t reach = ops_reach(q, q->best->cost);
    if (reach * 10 <= ztl_ops_least(q->planner, q->piece) * 22)
        return false;
    found->cost = find_best(q->planner, q->piece, 1, NULL, reach, &found->long_dim);
    found->detail = found->cost.ztl < reach ? q->piece->dim[found->long_dim].n : 0;
    return found->detail;
}

static void write(const ops_query *q, const ops_found *found)
{
    write_best(q->planner, q->piece, 1, NULL, found->long_dim);
}

const ops_way ztl_ops_way_blocks = {"blocks of %u through scratch memory", OPS_DIVIDES_ONCE, find,
                                    NULL, write};
