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
#include "ops/search/divide/windows.h"

/* A window's blocks to rows in scratch memory; with a piece alone, for all positions of its
 * dimensions outside the window. */
static ops_piece first_pass(const ops_blocks *b, unsigned k)
{
    const ops_window *w = &b->in[k];
    int64_t element = b->planner->element, g = b->pitch / element;
    ops_piece pass = {.src = w->buffer,
                      .dst = OPS_SCRATCH,
                      .in = w->step ? ztl_ops_window_low(b, w) : 0,
                      .out = w->base};
    for (unsigned d = 0; b->count == 1 && w->step && d < b->piece->rank; d++)
        if (d != b->dim[0] && b->piece->dim[d].in && !ops_is_inside(b->piece->dim[d].in, w))
            ztl_ops_add_dim(&pass, b->piece->dim[d].n, b->piece->dim[d].in,
                            ztl_ops_window_step(b, 0, d));
    if (w->step) {
        ztl_ops_add_dim(&pass, ztl_ops_window_rows(b, w), element, b->pitch);
        g = b->g;
    }
    ztl_ops_add_dim(&pass, g, b->block * w->step, element);
    ztl_ops_canonical_piece(&pass);
    return pass;
}

/* Where the rows of each window are. Dimensions outside of windows are only for a piece alone. */
static bool place_rows(ops_blocks *b)
{
    b->bytes = 0;
    for (unsigned k = 0; k < b->ins; k++) {
        b->in[k].base = b->bytes;
        b->bytes += ops_ceil(ztl_ops_window_rows(b, &b->in[k]) * b->pitch, 64) * 64;
    }
    for (size_t i = 0; i < b->count; i++)
        for (unsigned d = 0; d < b->piece[i].rank; d++) {
            ops_dim dim = b->piece[i].dim[d];
            bool outside =
                !ops_is_inside(dim.in, &b->in[b->in_of[i]]) && b->piece[i].src != OPS_FILL;
            if (d == b->dim[i] || (!outside && ops_is_inside(dim.out, &b->out[b->out_of[i]])))
                continue;
            if (b->count > 1 || (b->whole && !ops_is_inside(dim.out, &b->out[b->out_of[i]])))
                return false;
            b->bytes *= outside ? dim.n : 1;
        }
    return true;
}

/* Fills in the table for one piece: every element of its part of the target's window. */
static bool add_places(const ops_blocks *b, size_t i, int64_t *place, int64_t *left)
{
    const ops_piece *piece = &b->piece[i];
    const ops_window *in = &b->in[b->in_of[i]], *out = &b->out[b->out_of[i]];
    int64_t at[OPS_DIMS] = {0}, element = b->planner->element;
    int64_t from = in->base, to = piece->out - out->low;
    if (in->step)
        from += (piece->in - ztl_ops_window_low(b, in)) / element * b->pitch;
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
            int64_t step = is_long ? in->step / element * b->pitch : ztl_ops_window_step(b, i, d);
            if (!is_long && !ops_is_inside(piece->dim[d].out, out))
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
static bool second_pass(const ops_blocks *b, unsigned k, int64_t *place, ops_chunks *c)
{
    const ops_window *out = &b->out[k];
    int64_t count = ztl_ops_window_rows(b, out), left = count;
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
        if (d != b->dim[0] && !ops_is_inside(b->piece->dim[d].out, out))
            c->loop[c->loops++] =
                (ops_dim){b->piece->dim[d].n, ztl_ops_window_step(b, 0, d), b->piece->dim[d].out};
    for (int64_t e = 0; b->whole && e < count; e++)
        place[e] = place[e] < 0 ? 0 : place[e];
    b->planner->draft->effort += (uint64_t)count;
    return left == 0 || b->whole;
}

/* Where the blocks of the only target end. */
static int64_t end_of(const ops_blocks *b)
{
    return b->out[0].low + b->g * b->block * b->out[0].step;
}

static bool lies_in(const ops_blocks *b, const ops_piece *whole)
{
    return b->outs == 1 && b->out[0].buffer == whole->dst && b->out[0].low >= whole->out &&
           end_of(b) <= whole->out + whole->dim[0].n * whole->dim[0].out;
}

/* What is before the blocks of the whole run, or after them; false for nothing. */
static bool edge_of(const ops_blocks *b, bool after, ops_piece *edge)
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
                        const ops_piece *whole, unsigned d, ops_blocks *b)
{
    *b = (ops_blocks){.planner = planner, .piece = piece, .count = count, .whole = whole};
    int64_t n = piece->dim[d].n, reach = 0;
    if (count > OPS_BLOCKS_PIECES ||
        n * (int64_t)planner->element < OPS_SLICES * OPS_SLICE_BYTES / 8 ||
        !ztl_ops_find_windows(b, d) || !place_rows(b))
        return false;
    for (unsigned k = 0; k < b->outs; k++) {
        if (ztl_ops_window_rows(b, &b->out[k]) > OPS_BLOCKS_ROWS || (whole && !lies_in(b, whole)))
            return false;
        reach += n * b->out[k].step;
    }
    for (unsigned k = 0; k < b->ins; k++)
        reach += n * ops_magnitude(b->in[k].step);
    return reach + b->bytes < INT32_MAX &&
           planner->scratch_top + (uint64_t)b->bytes <= planner->scratch_limit;
}

/* Positions after the last block. */
static bool rest_of(const ops_blocks *b, size_t i, ops_piece *rest)
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
static ops_cost constant_cost(const ops_blocks *b)
{
    ops_piece edge;
    bool edges = edge_of(b, false, &edge) || edge_of(b, true, &edge);
    return ops_times(ztl_ops_constant_cost(b->planner), b->whole ? 1 + edges : 0);
}

/* The cost, or NEVER above the limit. `place` has room for the largest table. */
static ops_cost cost_of(const ops_blocks *b, int64_t *place, int64_t limit)
{
    ops_cost sum = constant_cost(b);
    ops_chunks c;
    for (unsigned k = 0; k < b->outs && sum.key < limit; k++)
        sum = second_pass(b, k, place, &c) ? ops_sum(sum, ztl_ops_chunks_cost(b->planner, &c))
                                           : OPS_NEVER;
    for (unsigned k = 0; k < b->ins && sum.key < limit; k++) {
        ops_piece pass = first_pass(b, k);
        sum = ops_sum(sum, ztl_ops_cost_below(b->planner, &pass, 0, limit - sum.key));
    }
    for (unsigned k = 0; k < 2 && sum.key < limit; k++) {
        ops_piece edge;
        if (edge_of(b, k, &edge))
            sum = ops_sum(sum, ztl_ops_cost_below(b->planner, &edge, 0, limit - sum.key));
    }
    for (size_t i = 0; i < b->count && sum.key < limit; i++) {
        ops_piece rest;
        if (rest_of(b, i, &rest))
            sum = ops_sum(sum, ztl_ops_cost_below(b->planner, &rest, 0, limit - sum.key));
    }
    return sum.key < limit ? sum : OPS_NEVER;
}

static void write_blocks(ops_blocks *b, int64_t *place)
{
    ops_planner *planner = b->planner;
    uint64_t base = planner->scratch_top;
    ztl_ops_use_scratch(planner, (uint64_t)b->bytes);
    for (unsigned k = 0; k < b->ins; k++) {
        ops_piece pass = first_pass(b, k);
        pass.out += (int64_t)base;
        ztl_ops_write_undivided(planner, &pass);
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
            ztl_ops_write_undivided(planner, &edge);
    }
    for (size_t i = 0; i < b->count; i++) {
        ops_piece rest;
        if (rest_of(b, i, &rest))
            ztl_ops_write_undivided(planner, &rest);
    }
    planner->scratch_top = base;
}

/* Room for the largest table; NULL where there is none for it and the vectors of its chunks. */
static int64_t *borrow_table(const ops_blocks *b)
{
    ops_arena *arena = b->planner->arena;
    size_t rows = 0;
    for (unsigned k = 0; k < b->outs; k++)
        rows = rows > (size_t)ztl_ops_window_rows(b, &b->out[k])
                   ? rows
                   : (size_t)ztl_ops_window_rows(b, &b->out[k]);
    size_t chunk = sizeof(ops_vector) + sizeof(ops_group) + sizeof(ops_batch);
    size_t chunks = 1 + rows * b->planner->element / OPS_SLICE_BYTES;
    if (4096 + rows * sizeof(int64_t) + 3 * chunks * chunk > b->planner->draft->room)
        return NULL;
    return ztl_ops_borrow(arena, rows * sizeof(int64_t));
}

ops_cost ztl_ops_blocks_cost(ops_planner *planner, const ops_piece *piece, size_t count,
                             const ops_piece *whole, int64_t limit, unsigned *best_dim)
{
    ops_cost best = OPS_NEVER;
    size_t high = planner->arena->high;
    for (unsigned d = 0; planner->may_reload && !planner->adds && d < piece->rank; d++) {
        ops_blocks b;
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
        limit = cost.key < limit ? cost.key : limit;
        *best_dim = d;
    }
    planner->arena->high = high;
    return best;
}

void ztl_ops_blocks_write(ops_planner *planner, const ops_piece *piece, size_t count,
                          const ops_piece *whole, unsigned d)
{
    ops_blocks b;
    size_t high = planner->arena->high;
    int64_t *place = find_blocks(planner, piece, count, whole, d, &b) ? borrow_table(&b) : NULL;
    if (place)
        write_blocks(&b, place);
    else
        planner->arena->full = true;
    planner->arena->high = high;
}

static bool find(const ops_query *q, ops_node *found)
{
    int64_t reach = ops_reach(q, q->best->cost);
    found->cost = ztl_ops_blocks_cost(q->planner, q->piece, 1, NULL, reach, &found->pick.long_dim);
    found->detail = found->cost.key < reach ? q->piece->dim[found->pick.long_dim].n : 0;
    return found->detail;
}

static void write(const ops_query *q, const ops_node *node)
{
    ztl_ops_blocks_write(q->planner, q->piece, 1, NULL, node->pick.long_dim);
}

const ops_way ztl_ops_way_blocks = {"blocks of %u through scratch memory", find, NULL, write};
