/* SPDX-License-Identifier: Apache-2.0
 * Pad: every axis is cut into what comes before, the tensor itself, and what comes after. Cropping
 * or padding to a shape.
 */
#include "ops/operators/call.h"

/* A part of an axis: n positions from `at` of the target on, out of `from`, `from` + step, … */
typedef struct part {
    int64_t n, at, from, step;
} part;

/* What the mode puts at `n` positions before (or after) an axis of `extent`. */
static part border(enum ztl_ops_mode mode, bool before, int64_t n, int64_t extent)
{
    part p = {.n = n > 0 ? n : 0};
    switch (mode) {
    case ZTL_OPS_EDGE:
        p.from = before ? 0 : extent - 1;
        break;
    case ZTL_OPS_REFLECT:
        p.from = before ? n : extent - 2;
        p.step = -1;
        break;
    default: /* WRAP */
        p.from = before ? extent - n : 0;
        p.step = 1;
        break;
    }
    return p;
}

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

static void parts_of(const ops_call *call, unsigned d, part parts[3])
{
    int64_t extent = call->in->extent[d], before = pad_of(call, d, false),
            after = pad_of(call, d, true);
    int64_t cut = before < 0 ? -before : 0;
    parts[0] = border(call->op->mode, true, before, extent);
    parts[1] = (part){.n = extent - cut - (after < 0 ? -after : 0), .from = cut, .step = 1};
    parts[1].at = parts[0].n;
    parts[2] = border(call->op->mode, false, after, extent);
    parts[2].at = parts[1].at + parts[1].n;
}

bool ztl_ops_shape_pad(ops_call *call)
{
    const ztl_ops_tensor *in = call->in;
    ztl_ops_list axes = call->op->axes;
    int64_t extent[ZTL_OPS_RANK];
    bool chosen[ZTL_OPS_RANK];
    if (call->op->mode > ZTL_OPS_WRAP)
        return ztl_ops_fail(call->error, "the mode is none of constant, edge, reflect, wrap");
    if (!ztl_ops_axes(call, axes, in->rank, chosen) ||
        !ztl_ops_needs(call, call->op->pads, 2 * (axes.count ? axes.count : in->rank), "pads"))
        return false;
    for (unsigned d = 0; d < in->rank; d++) {
        int64_t most = in->extent[d] - (call->op->mode == ZTL_OPS_REFLECT);
        for (unsigned k = 0; k < 2; k++) {
            int64_t n = pad_of(call, d, k);
            bool bounded = call->op->mode == ZTL_OPS_REFLECT || call->op->mode == ZTL_OPS_WRAP;
            if (n > INT32_MAX || n < -in->extent[d] ||
                (call->op->mode != ZTL_OPS_CONSTANT && n > 0 &&
                 (in->extent[d] == 0 || (bounded && n > most))))
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
    part parts[ZTL_OPS_RANK][3];
    unsigned total = 1;
    for (unsigned d = 0; d < in->rank; d++, total *= 3)
        parts_of(call, d, parts[d]);
    for (unsigned k = 0; k < total; k++) {
        unsigned choice = k;
        int64_t elements = 1;
        for (unsigned d = 0; d < in->rank; d++, choice /= 3)
            elements *= parts[d][choice % 3].n;
        if (!elements)
            continue;
        ops_piece *piece = ztl_ops_add_piece(map, 0, OPS_OUT, in->offset, out->offset);
        choice = k;
        for (unsigned d = 0; piece && d < in->rank; d++, choice /= 3) {
            const part *p = &parts[d][choice % 3];
            piece->in += p->from * in->stride[d];
            piece->out += p->at * out->stride[d];
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
        part parts[3];
        parts_of(call, d, parts);
        n[d] = parts[1].n;
        in_at[d] = parts[1].from;
        at[d] = parts[1].at;
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
