/* SPDX-License-Identifier: Apache-2.0
 * Passes with indices that are read now: strides of slices are computed from them.
 */
#include "ops/format/indexed.h"
#include "ops/exec/exec.h"
#include "ops/exec/indexed/indices.h"
#include "ops/exec/insn.h"

/* What one pass works on. */
typedef struct work {
    const ops_pass *pass;
    const ops_indexed *x;
    const uint8_t *from;
    uint8_t *to;
    int64_t in, out; /* of the first slice that waits */
    unsigned waiting, shape, slices;
    int32_t load[OPS_SLICES], store[OPS_SLICES]; /* of the slices that wait */
} work;

/* The slices that wait, from source to target. */
static void flush(work *w)
{
    const ops_indexed *x = w->x;
    unsigned n = w->waiting;
    const uint8_t *from = w->from;
    uint8_t *to = w->to;
    if (!n)
        return;
    w->waiting = 0;
    if (n != w->shape) {
        __riscv_ztl_csrw_tshape(ZTL_SHAPE(n, 1, 1));
        w->shape = n;
    }
    if (x->in_step)
        from += w->in * x->unit;
    else
        __riscv_ztl_set_load_strides(w->load, n);
    if (x->out_step)
        to += w->out * x->unit;
    else
        __riscv_ztl_set_store_strides(w->store, n);
    __riscv_ztl_load(1, from, 0);
    __riscv_ztl_store(1, to, 0);
}

/* One slice; a single nibble where no slice can be one. */
static inline void move(work *w, int64_t in, int64_t out)
{
    if (w->slices == 1) {
        __riscv_ztl_load(1, w->from + in * w->x->unit, 0);
        __riscv_ztl_store(1, w->to + out * w->x->unit, 0);
    } else if (w->slices == 0) {
        ztl_ops_move_one(w->pass, w->from, in, w->to, out);
    } else {
        unsigned n = w->waiting;
        if (n == 0) {
            w->in = in;
            w->out = out;
        }
        w->load[n] = (int32_t)in;
        w->store[n] = (int32_t)out;
        w->waiting = n + 1;
        if (n + 1 == w->slices)
            flush(w);
    }
}

static inline void move_run(work *w, int64_t in, int64_t out)
{
    int64_t parts = w->x->parts - 1, step = w->x->part;
    for (int64_t p = 0; p < parts; p++)
        move(w, in + p * step, out + p * step);
    move(w, in + w->x->last, out + w->x->last);
}

/* The strides of n slices from their indices, which are `step` bytes apart. */
static inline __attribute__((always_inline)) void places_of(const uint8_t *at, int64_t step,
                                                            unsigned n, unsigned bytes,
                                                            const ops_index *index, int64_t base,
                                                            int64_t next, int32_t *stride)
{
    int64_t extent = index->extent, scale = index->stride;
    for (unsigned i = 0; i < n; i++, at += step, base += next) {
        int64_t value =
            bytes == 4 ? *(const int32_t *)(const void *)at : *(const int64_t *)(const void *)at;
        value += value >> 63 & extent;
        stride[i] = (int32_t)(base + value * scale);
    }
}

/* Positions of the last loop that are a slice each, by one aligned index: a register at a time. */
static void gather_slices(work *w, const uint8_t *at, int64_t n, int64_t in, int64_t out)
{
    const ops_indexed *x = w->x;
    const ops_dim *last = &w->pass->loop[w->pass->loops - 1];
    int64_t step = x->step[w->pass->loops - 1];
    bool scatters = x->form == OPS_INDEX_SCATTERS;
    int32_t *looked = scatters ? w->store : w->load, *plain = scatters ? w->load : w->store;
    bool even = scatters ? x->in_step : x->out_step;
    while (n > 0) {
        unsigned room = w->slices - w->waiting, now = n < room ? (unsigned)n : room;
        int64_t base = scatters ? out : in, next = scatters ? last->out : last->in;
        if (x->bytes == 4)
            places_of(at, step, now, 4, x->index, base, next, looked + w->waiting);
        else
            places_of(at, step, now, 8, x->index, base, next, looked + w->waiting);
        base = scatters ? in : out;
        next = scatters ? last->in : last->out;
        for (unsigned i = 0; !even && i < now; i++)
            plain[w->waiting + i] = (int32_t)(base + i * next);
        if (!w->waiting) {
            w->in = in;
            w->out = out;
        }
        w->waiting += now;
        if (w->waiting == w->slices)
            flush(w);
        n -= now;
        at += now * step;
        in += now * last->in;
        out += now * last->out;
    }
}

/* Whether indices of the last loop are where one load reads them. */
static bool are_aligned(const work *w, const uint8_t *at)
{
    return (((uintptr_t)at | (uintptr_t)w->x->step[w->pass->loops - 1]) & (w->x->bytes - 1)) == 0;
}

/* Positions of the last loop, whose indices start at `at`. */
static inline void gather(work *w, const uint8_t *at, int64_t n, int64_t in, int64_t out,
                          unsigned bytes)
{
    const ops_indexed *x = w->x;
    const ops_dim *last = &w->pass->loop[w->pass->loops - 1];
    int64_t step = x->step[w->pass->loops - 1];
    bool scatters = x->form == OPS_INDEX_SCATTERS;
    for (int64_t k = 0; k < n; k++) {
        int64_t place = ops_places_of(x, at, bytes);
        move_run(w, scatters ? in : in + place, scatters ? out + place : out);
        at += step;
        in += last->in;
        out += last->out;
    }
}

/* The target's position is the index for the first, and rotates from there. */
static void rotate(work *w, const uint8_t *at, int64_t n, int64_t in, int64_t out)
{
    const ops_index *index = w->x->index;
    const ops_dim *last = &w->pass->loop[w->pass->loops - 1];
    int64_t position = ops_mod(ops_read_index(at, w->x->bytes), index->extent);
    for (int64_t k = 0; k < n; k++) {
        move_run(w, in, out + position * index->stride);
        in += last->in;
        position = position + 1 < index->extent ? position + 1 : 0;
    }
}

/* Returns how many positions remain. */
static int64_t select(work *w, const uint8_t *at, int64_t n, int64_t in, int64_t out)
{
    const ops_dim *last = &w->pass->loop[w->pass->loops - 1];
    int64_t step = w->x->step[w->pass->loops - 1], count = 0;
    for (int64_t k = 0; k < n; k++, at += step, in += last->in)
        if (*at) {
            if (w->x->parts)
                move_run(w, in, out);
            out += last->out;
            count++;
        }
    return count;
}

static void start(work *w)
{
    const ops_pass *pass = w->pass;
    if (!pass->slices)
        return;
    w->shape = pass->slices;
    __riscv_ztl_csrw_tshape(ZTL_SHAPE(pass->slices, 1, 1));
    __riscv_ztl_csrw_tl_load_width(pass->load_width);
    __riscv_ztl_csrw_tl_store_width(pass->store_width);
    if (w->x->in_step || pass->slices == 1)
        __riscv_ztl_set_load_strides_linear(0, (unsigned long)w->x->in_step, pass->slices);
    if (w->x->out_step || pass->slices == 1)
        __riscv_ztl_set_store_strides_linear(0, (unsigned long)w->x->out_step, pass->slices);
}

/* The next index of all loops but the last. */
static bool next(const ops_pass *pass, const ops_indexed *x, int64_t *k, int64_t *in, int64_t *out,
                 const uint8_t **at)
{
    for (unsigned d = pass->loops - 1; d-- > 0;) {
        *in += pass->loop[d].in;
        *out += pass->loop[d].out;
        *at += x->step[d];
        if (++k[d] < pass->loop[d].n)
            return true;
        *in -= pass->loop[d].in * pass->loop[d].n;
        *out -= pass->loop[d].out * pass->loop[d].n;
        *at -= x->step[d] * pass->loop[d].n;
        k[d] = 0;
    }
    return false;
}

/* The positions of the last loop by its form. */
static void move_positions(work *w, const uint8_t *at, int64_t n, int64_t in, int64_t out)
{
    const ops_indexed *x = w->x;
    if (x->form == OPS_INDEX_ROTATES)
        rotate(w, at, n, in, out);
    else if (x->classes)
        ztl_ops_gather_sorted(&(ops_sorting){w->pass, w->from, w->to, &w->shape}, at, n, in, out);
    else if (w->slices > 1 && x->count == 1 && x->parts == 1 && are_aligned(w, at))
        gather_slices(w, at, n, in, out);
    else if (x->bytes == 4)
        gather(w, at, n, in, out, 4);
    else
        gather(w, at, n, in, out, 8);
}

void ztl_ops_run_indexed(const ops_pass *pass, const ops_buffers *b)
{
    const ops_indexed *x = ops_pass_indexed(pass);
    const ops_dim *last = &pass->loop[pass->loops - 1];
    work w = {.pass = pass,
              .x = x,
              .from = b->from + pass->in,
              .to = b->to + pass->out,
              .slices = pass->slices};
    const uint8_t *at = b->indices + x->at;
    int64_t k[OPS_DIMS] = {0}, in = 0, out = 0, count = 0, left = x->most;
    if (!pass->slices) { /* nibbles: their places are not those of bytes */
        w.from = b->from;
        w.to = b->to;
        in = pass->in;
        out = pass->out;
    }
    start(&w);
    do {
        int64_t n = last->n < left ? last->n : left;
        left -= n;
        if (x->form == OPS_INDEX_SELECTS) {
            count = x->restart ? 0 : count;
            count += select(&w, at, n, in, out + count * last->out);
        } else {
            move_positions(&w, at, n, in, out);
        }
    } while (left > 0 && next(pass, x, k, &in, &out, &at));
    flush(&w);
    if (b->selected)
        memcpy(b->selected + x->count_at, &count, sizeof count);
}

/* The first of n indices that is out of range, or n; they are aligned. */
static inline __attribute__((always_inline)) int64_t
first_bad(const uint8_t *at, int64_t step, int64_t n, unsigned bytes, const ops_index *index)
{
    uint64_t low = (uint64_t)index->low, range = (uint64_t)index->end - low;
    int64_t i = 0;
    for (; i < n; i++, at += step) {
        int64_t value =
            bytes == 4 ? *(const int32_t *)(const void *)at : *(const int64_t *)(const void *)at;
        if ((uint64_t)value - low >= range)
            break;
    }
    return i;
}

/* The first index of a pass that is out of range; a loop whose positions share their indices is
 * looked at once. */
static bool find_bad(const ops_pass *pass, const uint8_t *indices, ops_bad_index *bad)
{
    const ops_indexed *x = ops_pass_indexed(pass);
    const uint8_t *at = indices + x->at;
    int64_t k[OPS_DIMS] = {0}, number = 0;
    unsigned d, last = pass->loops - 1;
    bool aligned =
        x->count == 1 && (((uintptr_t)at | (uintptr_t)x->step[last]) & (x->bytes - 1)) == 0;
    for (d = 0; d < last; d++)
        aligned = aligned && (x->step[d] & (x->bytes - 1)) == 0;
    do {
        if (aligned && x->step[last]) { /* as far as the last loop is good */
            int64_t n = pass->loop[last].n - 1;
            int64_t good = x->bytes == 4 ? first_bad(at, x->step[last], n, 4, x->index)
                                         : first_bad(at, x->step[last], n, 8, x->index);
            at += good * x->step[last];
            number += good;
            k[last] = good;
        }
        for (unsigned j = 0; j < x->count; j++, number++) {
            int64_t value = ops_read_index(at + x->index[j].step, x->bytes);
            if (value >= x->index[j].low && value < x->index[j].end)
                continue;
            *bad = (ops_bad_index){number, value, x->index[j].dimension, x->index[j].low,
                                   x->index[j].end};
            return true;
        }
        for (d = pass->loops; d-- > 0;) {
            if (!x->step[d])
                continue;
            at += x->step[d];
            if (++k[d] < pass->loop[d].n)
                break;
            at -= x->step[d] * pass->loop[d].n;
            k[d] = 0;
        }
    } while (d < pass->loops);
    return false;
}

/* Whether two passes read the same indices and accept the same range. */
static bool read_alike(const ops_pass *a, const ops_pass *b)
{
    const ops_indexed *x = ops_pass_indexed(a), *y = ops_pass_indexed(b);
    bool alike = a->loops == b->loops && x->input == y->input && x->bytes == y->bytes &&
                 x->count == y->count && x->at == y->at;
    for (unsigned d = 0; alike && d < a->loops; d++)
        alike = a->loop[d].n == b->loop[d].n && x->step[d] == y->step[d];
    for (unsigned j = 0; alike && j < x->count; j++)
        alike = x->index[j].low == y->index[j].low && x->index[j].end == y->index[j].end &&
                x->index[j].step == y->index[j].step;
    return alike;
}

bool ztl_ops_find_bad_index(const ztl_ops_plan *plan, const void *const *in, ops_bad_index *bad)
{
    const ops_pass *pass = ops_first_pass(plan), *before = NULL;
    for (uint32_t i = 0; i < plan->passes; i++, pass = ops_next_pass(pass)) {
        if (pass->kind != OPS_PASS_INDEXED)
            continue;
        const ops_indexed *x = ops_pass_indexed(pass);
        bool any = x->form == OPS_INDEX_GATHERS || x->form == OPS_INDEX_SCATTERS;
        if (any && !(before && read_alike(before, pass)) && find_bad(pass, in[x->input], bad))
            return true;
        before = any ? pass : NULL;
    }
    return false;
}

bool ztl_ops_run_checked(const ztl_ops_plan *plan, const void *const *in, void *const *out,
                         void *scratch, ops_bad_index *bad)
{
    if (plan->indexed && ztl_ops_find_bad_index(plan, in, bad))
        return false;
    ztl_ops_run_plan(plan, in, out, scratch);
    return true;
}
