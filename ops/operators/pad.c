/* SPDX-License-Identifier: Apache-2.0
 * Pad: every axis is cut into what comes before, the tensor itself, and what comes after. Cropping
 * or padding to a shape.
 */
#include "ops/operators/call.h"

/* A part of an axis: n positions from `at` of the target on, out of `from`, `from` + step, … of the
 * source; and so several times, each a period further on in the target. */
typedef struct part {
    int64_t n, at, from, step, times, period;
} part;

/* What is before the first period that is whole, one, and what is after the last: two runs each. */
enum { PARTS = 6 };

typedef struct parts {
    unsigned count;
    part part[PARTS];
} parts;

/* What an axis gets before (or after) it; where axes are named, the others get nothing. */
static int64_t pad_of(const ops_call *call, unsigned d, bool after)
{
    ztl_ops_list axes = call->op->axes, pads = call->op->pads;
    if (!axes.count)
        return pads.value[d + (after ? call->in->rank : 0)];
    for (size_t k = 0; k < axes.count; k++)
        if (ztl_ops_axis(call, axes.value[k], call->in->rank) == (int)d)
            return pads.value[k + (after ? axes.count : 0)];
    return 0;
}

static void add(parts *all, int64_t n, int64_t at, int64_t from, int64_t step, int64_t times,
                int64_t period)
{
    if (n > 0 && times > 0)
        all->part[all->count++] = (part){n, at, from, step, times, period};
}

/* Where the mode repeats itself: the runs of a period, the second of which goes backwards. */
typedef struct wave {
    int64_t forward, backward, last; /* positions of each; where the second begins */
} wave;

static wave wave_of(enum ztl_ops_mode mode, int64_t extent)
{
    wave w = {.forward = extent};
    if (mode == ZTL_OPS_REFLECT && extent > 2)
        w.backward = extent - 2;
    else if (mode == ZTL_OPS_SYMMETRIC)
        w.backward = extent;
    w.last = extent - 1 - (mode == ZTL_OPS_REFLECT);
    return w;
}

/* Positions from `low` up to `high`, counted from the first of the tensor, all within a period. */
static void add_rest(parts *all, wave w, int64_t low, int64_t high, int64_t start)
{
    int64_t period = w.forward + w.backward, base = low - ops_mod(low, period), from = low - base;
    int64_t end = high - base < w.forward ? high - base : w.forward;
    add(all, end - from, low - start, from, 1, 1, 0);
    from = from > w.forward ? from : w.forward;
    add(all, high - base - from, base + from - start, w.last - (from - w.forward), -1, 1, 0);
}

static void add_waves(parts *all, wave w, int64_t low, int64_t high)
{
    int64_t period = w.forward + w.backward;
    int64_t first = low + ops_mod(-low, period), last = high - ops_mod(high, period);
    if (first > last) {
        add_rest(all, w, low, high, low);
        return;
    }
    int64_t times = (last - first) / period;
    add_rest(all, w, low, first, low);
    add(all, w.forward, first - low, 0, 1, times, period);
    add(all, w.backward, first + w.forward - low, w.last, -1, times, period);
    add_rest(all, w, last, high, low);
}

static parts parts_of(const ops_call *call, unsigned d)
{
    int64_t extent = call->in->extent[d], before = pad_of(call, d, false),
            after = pad_of(call, d, true);
    int64_t cut = before < 0 ? -before : 0;
    parts all = {0};
    if (extent > 0 && call->op->mode != ZTL_OPS_EDGE) {
        add_waves(&all, wave_of(call->op->mode, extent), -before, extent + after);
        return all;
    }
    add(&all, before, 0, 0, 0, 1, 0);
    add(&all, extent - cut - (after < 0 ? -after : 0), before + cut, cut, 1, 1, 0);
    add(&all, after, before + extent, extent - 1, 0, 1, 0);
    return all;
}

bool ztl_ops_shape_pad(ops_call *call)
{
    const ztl_ops_tensor *in = call->in;
    ztl_ops_list axes = call->op->axes;
    int64_t extent[ZTL_OPS_RANK];
    bool chosen[ZTL_OPS_RANK];
    if (call->op->mode > ZTL_OPS_WRAP && call->op->mode != ZTL_OPS_SYMMETRIC)
        return ztl_ops_fail(call->error,
                            "the mode is none of constant, edge, reflect, wrap, symmetric");
    if (!ztl_ops_axes(call, axes, in->rank, chosen) ||
        !ztl_ops_needs(call, call->op->pads, 2 * (axes.count ? axes.count : in->rank), "pads"))
        return false;
    for (unsigned d = 0; d < in->rank; d++) {
        for (unsigned k = 0; k < 2; k++) {
            int64_t n = pad_of(call, d, k);
            if (n > INT32_MAX || n < -in->extent[d] ||
                (call->op->mode != ZTL_OPS_CONSTANT && n > 0 && in->extent[d] == 0))
                return ztl_ops_fail(call->error,
                                    "pad %lld of axis %u is not possible in an extent of %lld",
                                    (long long)n, d, (long long)in->extent[d]);
        }
        extent[d] = in->extent[d] + pad_of(call, d, false) + pad_of(call, d, true);
        if (extent[d] < 0)
            return ztl_ops_fail(call->error, "the pads of axis %u leave nothing", d);
    }
    return ztl_ops_output(call, 0, in->rank, extent);
}

/* Every part of every axis combined with those of the others. */
static void map_borders(const ops_call *call, ops_map *map)
{
    const ztl_ops_tensor *in = call->in, *out = call->out;
    parts all[ZTL_OPS_RANK];
    unsigned total = 1;
    for (unsigned d = 0; d < in->rank; d++) {
        all[d] = parts_of(call, d);
        total *= all[d].count;
    }
    for (unsigned k = 0; k < total; k++) {
        unsigned choice = k;
        ops_piece *piece = ztl_ops_add_piece(map, 0, OPS_OUT, in->offset, out->offset);
        for (unsigned d = 0; piece && d < in->rank; choice /= all[d++].count) {
            const part *p = &all[d].part[choice % all[d].count];
            piece->in += p->from * in->stride[d];
            piece->out += p->at * out->stride[d];
            ztl_ops_add_dim(piece, p->times, 0, p->period * out->stride[d]);
            ztl_ops_add_dim(piece, p->n, p->step * in->stride[d], out->stride[d]);
        }
    }
}

void ztl_ops_map_pad(const ops_call *call, ops_map *map)
{
    const ztl_ops_tensor *in = call->in, *out = call->out;
    if (call->op->mode != ZTL_OPS_CONSTANT) {
        map_borders(call, map);
        return;
    }
    int64_t in_at[ZTL_OPS_RANK], at[ZTL_OPS_RANK], n[ZTL_OPS_RANK];
    for (unsigned d = 0; d < in->rank; d++) {
        int64_t before = pad_of(call, d, false), after = pad_of(call, d, true);
        in_at[d] = before < 0 ? -before : 0;
        at[d] = before > 0 ? before : 0;
        n[d] = in->extent[d] - in_at[d] - (after < 0 ? -after : 0);
    }
    ztl_ops_add_part(map, 0, in, in_at, 0, out, at, n);
    ztl_ops_add_frame(map, 0, out, at, n);
}

/* The extent that is wanted of an axis; where axes are named, the others stay. */
static int64_t wanted(const ops_call *call, unsigned d)
{
    ztl_ops_list axes = call->op->axes, shape = call->op->shape;
    if (!axes.count)
        return shape.value[d];
    for (size_t k = 0; k < axes.count; k++)
        if (ztl_ops_axis(call, axes.value[k], call->in->rank) == (int)d)
            return shape.value[k];
    return call->in->extent[d];
}

bool ztl_ops_shape_center_crop_pad(ops_call *call)
{
    ztl_ops_list axes = call->op->axes;
    unsigned rank = call->in->rank;
    int64_t extent[ZTL_OPS_RANK];
    bool chosen[ZTL_OPS_RANK];
    if (!ztl_ops_axes(call, axes, rank, chosen) ||
        !ztl_ops_needs(call, call->op->shape, axes.count ? axes.count : rank, "shape"))
        return false;
    for (unsigned d = 0; d < rank; d++)
        extent[d] = wanted(call, d);
    return ztl_ops_output(call, 0, rank, extent);
}

/* Of an odd difference, the larger half is at the end. */
void ztl_ops_map_center_crop_pad(const ops_call *call, ops_map *map)
{
    const ztl_ops_tensor *in = call->in, *out = call->out;
    int64_t in_at[ZTL_OPS_RANK], at[ZTL_OPS_RANK], n[ZTL_OPS_RANK];
    for (unsigned d = 0; d < in->rank; d++) {
        int64_t have = in->extent[d], want = out->extent[d];
        n[d] = have < want ? have : want;
        in_at[d] = (have - n[d]) / 2;
        at[d] = (want - n[d]) / 2;
    }
    ztl_ops_add_part(map, 0, in, in_at, 0, out, at, n);
    ztl_ops_add_frame(map, 0, out, at, n);
}
