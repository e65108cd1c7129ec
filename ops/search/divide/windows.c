/* SPDX-License-Identifier: Apache-2.0
 * Windows: what a block of a long dimension is on each side, and how many blocks there are.
 */
#include "ops/search/divide/windows.h"

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
static bool add_window(ops_window *all, unsigned *count, uint8_t *of, ops_window w, bool is_source)
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
    if (*count == OPS_BLOCKS_WINDOWS || (w.step == 0 && !is_source) ||
        w.high - w.low > (w.step ? ops_magnitude(w.step) : w.high))
        return false;
    *of = (uint8_t)*count;
    all[(*count)++] = w;
    return true;
}

/* The bytes of position 0 of a piece. */
static ops_window window_of(const ops_piece *piece, unsigned d, unsigned element, bool is_source)
{
    ops_window w = {is_source ? piece->src : piece->dst,
                    is_source ? piece->dim[d].in : piece->dim[d].out,
                    is_source ? piece->in : piece->out,
                    0,
                    0,
                    0};
    if (is_source && piece->src == OPS_FILL)
        return (ops_window){.buffer = OPS_FILL, .high = element};
    w.high = w.low + element;
    for (unsigned k = 0; k < piece->rank; k++) {
        int64_t step = is_source ? piece->dim[k].in : piece->dim[k].out;
        if (k == d || !ops_is_inside(step, &w))
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
static bool is_aligned(const ops_blocks *b, size_t i)
{
    const ops_piece *piece = &b->piece[i];
    const ops_window *in = &b->in[b->in_of[i]], *out = &b->out[b->out_of[i]];
    int64_t element = b->planner->element;
    bool aligned = (in->step == 0 || (piece->in - in->low) % element == 0) &&
                   (piece->out - out->low) % element == 0;
    for (unsigned d = 0; aligned && d < piece->rank; d++) {
        const ops_dim *dim = &piece->dim[d];
        aligned = (in->step == 0 || !ops_is_inside(dim->in, in) || dim->in % element == 0) &&
                  (!ops_is_inside(dim->out, out) || dim->out % element == 0);
    }
    return aligned;
}

/* A window has room for a step, of which pieces may use less. What is backwards ends with the first
 * of its bytes, as the others begin with it; among constants the window begins as early as it can,
 * so that the last block does not reach past them. */
static void place_windows(ops_blocks *b)
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

static bool cut_windows(ops_blocks *b, unsigned d)
{
    int64_t block = 1;
    unsigned element = b->planner->element;
    if (b->whole) /* the row of constants comes first */
        b->in[b->ins++] = (ops_window){.buffer = OPS_FILL, .high = element};
    for (size_t i = 0; i < b->count; i++) {
        const ops_piece *piece = &b->piece[i];
        if (!find_long(piece, b->piece->dim[d], &b->dim[i]))
            return false;
        ops_window in = window_of(piece, b->dim[i], element, true),
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
static bool count_blocks(ops_blocks *b, int64_t n)
{
    b->g = n / b->block;
    for (unsigned k = 0; k < b->ins; k++) {
        const ops_window *w = &b->in[k];
        int64_t step = ops_magnitude(w->step), used = w->high - w->low - w->gap;
        if (step == 0)
            continue;
        int64_t whole = ((n - 1) * step + used) / (b->block * step);
        b->g = whole < b->g ? whole : b->g;
    }
    b->pitch = ops_ceil(b->g * b->planner->element, OPS_SLICE_BYTES) * OPS_SLICE_BYTES;
    return b->g >= OPS_SLICES / (int64_t)b->planner->element;
}

int64_t ztl_ops_window_low(const ops_blocks *b, const ops_window *w)
{
    return w->low + (w->step < 0 ? (b->block - 1) * w->step : 0);
}

int64_t ztl_ops_window_rows(const ops_blocks *b, const ops_window *w)
{
    return w->step ? b->block * ops_magnitude(w->step) / b->planner->element : 1;
}

int64_t ztl_ops_window_step(const ops_blocks *b, size_t i, unsigned d)
{
    const ops_piece *piece = &b->piece[i];
    const ops_window *w = &b->in[b->in_of[i]];
    int64_t step = ztl_ops_window_rows(b, w) * b->pitch;
    if (piece->dim[d].in == 0 || w->step == 0)
        return 0;
    if (ops_is_inside(piece->dim[d].in, w))
        return piece->dim[d].in / b->planner->element * b->pitch;
    for (unsigned k = 0; k < d; k++)
        if (k != b->dim[i] && piece->dim[k].in && !ops_is_inside(piece->dim[k].in, w))
            step *= piece->dim[k].n;
    return step;
}

bool ztl_ops_find_windows(ops_blocks *b, unsigned d)
{
    return cut_windows(b, d) && count_blocks(b, b->piece[0].dim[d].n);
}
