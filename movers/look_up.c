/* SPDX-License-Identifier: Apache-2.0
 * Indices and conditions that are read when a mover runs: a nest of loops around runs of bytes.
 */
#include "movers/look_up.h"

static void drop(ops_lookup *x, unsigned d)
{
    x->rank--;
    memmove(&x->dim[d], &x->dim[d + 1], (x->rank - d) * sizeof *x->dim);
    memmove(&x->step[d], &x->step[d + 1], (x->rank - d) * sizeof *x->step);
}

/* The positions that a condition selects from stay the last loop. */
static bool is_free(const ops_lookup *x, unsigned d)
{
    return x->rank > 1 && (x->form == OPS_INDEX_GATHERS || (d + 1 < x->rank && !x->flat));
}

bool ztl_native_look_up_new(native_look_up *l, const ops_lookup *x, int64_t element)
{
    if (x->form != OPS_INDEX_GATHERS && x->form != OPS_INDEX_SELECTS)
        return false;
    *l = (native_look_up){*x, element};
    if (l->x.rank == 0)
        ops_lookup_dim(&l->x, 1, 0, 0, 0);
    for (unsigned d = l->x.rank; d-- > 0;)
        if (l->x.dim[d].n == 0)
            return false;
        else if (l->x.dim[d].n == 1 && is_free(&l->x, d))
            drop(&l->x, d);
    for (unsigned d = l->x.rank; d-- > 0;) {
        const ops_dim *dim = &l->x.dim[d];
        if (l->x.step[d] || dim->in != l->run || dim->out != l->run || !is_free(&l->x, d))
            continue;
        l->run *= dim->n;
        drop(&l->x, d);
        d = l->x.rank; /* one further out may go on from here */
    }
    return true;
}

static inline int64_t read_index(const uint8_t *at, unsigned bytes)
{
    int32_t narrow;
    int64_t wide;
    if (bytes == 4) {
        memcpy(&narrow, at, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, at, sizeof wide);
    return wide;
}

/* The next position of all loops but the last; those that share their indices only if `all`. */
static bool next(const ops_lookup *x, bool all, int64_t *k, int64_t *in, int64_t *out, int64_t *at)
{
    for (unsigned d = x->rank - 1; d-- > 0;) {
        if (!all && !x->step[d])
            continue;
        *in += x->dim[d].in;
        *out += x->dim[d].out;
        *at += x->step[d];
        if (++k[d] < x->dim[d].n)
            return true;
        *in -= x->dim[d].in * x->dim[d].n;
        *out -= x->dim[d].out * x->dim[d].n;
        *at -= x->step[d] * x->dim[d].n;
        k[d] = 0;
    }
    return false;
}

static bool are_in_range(const ops_lookup *x, const uint8_t *indices)
{
    int64_t k[OPS_DIMS] = {0}, in = 0, out = 0, at = x->at;
    int64_t step = x->step[x->rank - 1], n = step ? x->dim[x->rank - 1].n : 1;
    do {
        for (unsigned j = 0; j < x->count; j++) {
            const ops_index *index = &x->index[j];
            const uint8_t *from = indices + at + index->step;
            uint64_t low = (uint64_t)index->low, range = (uint64_t)index->end - low, bad = 0;
            for (int64_t i = 0; i < n; i++, from += step)
                bad |= (uint64_t)read_index(from, x->bytes) - low >= range;
            if (bad)
                return false;
        }
    } while (next(x, false, k, &in, &out, &at));
    return true;
}

static inline __attribute__((always_inline)) void gather(const ops_lookup *x, const uint8_t *at,
                                                         const uint8_t *from, uint8_t *to,
                                                         unsigned bytes, unsigned count, size_t run)
{
    const ops_dim last = x->dim[x->rank - 1];
    const int64_t step = x->step[x->rank - 1];
    for (int64_t k = 0; k < last.n; k++, at += step, from += last.in, to += last.out) {
        int64_t place = 0;
        for (unsigned j = 0; j < count; j++) {
            int64_t value = read_index(at + x->index[j].step, bytes);
            place += (value + (value >> 63 & x->index[j].extent)) * x->index[j].stride;
        }
        memcpy(to, from + place, run);
    }
}

/* Runs of a few bytes have code of their own. */
static inline __attribute__((always_inline)) void
gather_runs(const ops_lookup *x, const uint8_t *at, const uint8_t *from, uint8_t *to,
            unsigned bytes, unsigned count, int64_t run)
{
    switch (run) {
    case 1:
        gather(x, at, from, to, bytes, count, 1);
        break;
    case 2:
        gather(x, at, from, to, bytes, count, 2);
        break;
    case 4:
        gather(x, at, from, to, bytes, count, 4);
        break;
    case 8:
        gather(x, at, from, to, bytes, count, 8);
        break;
    default:
        gather(x, at, from, to, bytes, count, (size_t)run);
    }
}

static void gather_line(const native_look_up *l, const uint8_t *at, const uint8_t *from,
                        uint8_t *to)
{
    const ops_lookup *x = &l->x;
    if (x->bytes == 4 && x->count == 1)
        gather_runs(x, at, from, to, 4, 1, l->run);
    else if (x->bytes == 8 && x->count == 1)
        gather_runs(x, at, from, to, 8, 1, l->run);
    else
        gather_runs(x, at, from, to, x->bytes, x->count, l->run);
}

/* Returns how many of n positions remain. */
static inline __attribute__((always_inline)) int64_t select_line(const ops_lookup *x, int64_t n,
                                                                 const uint8_t *at,
                                                                 const uint8_t *from, uint8_t *to,
                                                                 size_t run)
{
    const ops_dim last = x->dim[x->rank - 1];
    const int64_t step = x->step[x->rank - 1];
    int64_t count = 0;
    for (int64_t k = 0; k < n; k++, at += step, from += last.in)
        if (*at) {
            memcpy(to, from, run);
            to += last.out;
            count++;
        }
    return count;
}

static void select(const native_look_up *l, const uint8_t *indices, const uint8_t *from,
                   uint8_t *to, uint8_t *selected)
{
    const ops_lookup *x = &l->x;
    const ops_dim *last = &x->dim[x->rank - 1];
    int64_t k[OPS_DIMS] = {0}, in = x->in, out = x->out, at = x->at, count = 0;
    int64_t left = x->flat ? x->most : INT64_MAX;
    do {
        int64_t n = last->n < left ? last->n : left;
        uint8_t *target = to + (x->flat ? x->out + count * last->out : out);
        int64_t found = l->run == 4
                            ? select_line(x, n, indices + at, from + in, target, 4)
                            : select_line(x, n, indices + at, from + in, target, (size_t)l->run);
        count = x->flat ? count + found : found;
        left -= x->flat ? n : 0;
    } while (left > 0 && next(x, true, k, &in, &out, &at));
    memcpy(selected + x->count_at, &count, sizeof count);
}

bool ztl_native_look_up(const native_look_up *l, const native_buffers *buffers)
{
    const ops_lookup *x = &l->x;
    const uint8_t *indices = buffers->in[x->input], *from = buffers->in[x->src];
    uint8_t *to = buffers->out[0];
    if (x->form == OPS_INDEX_SELECTS) {
        select(l, indices, from, to, buffers->out[1]);
        return true;
    }
    if (!are_in_range(x, indices))
        return false;
    int64_t k[OPS_DIMS] = {0}, in = x->in, out = x->out, at = x->at;
    do
        gather_line(l, indices + at, from + in, to + out);
    while (next(x, true, k, &in, &out, &at));
    return true;
}
