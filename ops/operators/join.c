/* SPDX-License-Identifier: Apache-2.0
 * Parts put together and taken out: concat, split, slice, focus.
 */
#include "ops/operators/call.h"

bool ztl_ops_shape_concat(ops_call *call)
{
    const ztl_ops_tensor *first = call->in;
    int axis = ztl_ops_axis(call, call->op->axis, first->rank);
    int64_t extent[ZTL_OPS_RANK];
    if (axis < 0)
        return false;
    memcpy(extent, first->extent, sizeof extent);
    for (size_t i = 1; i < call->inputs; i++) {
        const ztl_ops_tensor *in = &call->in[i];
        if (in->rank != first->rank || in->bits != first->bits)
            return ztl_ops_fail(call->error, "input %zu differs from input 0 in rank or element",
                                i);
        for (unsigned d = 0; d < in->rank; d++)
            if (d != (unsigned)axis && in->extent[d] != first->extent[d])
                return ztl_ops_fail(call->error,
                                    "input %zu has extent %lld in dimension %u, input 0 %lld", i,
                                    (long long)in->extent[d], d, (long long)first->extent[d]);
        extent[axis] += in->extent[axis];
    }
    return ztl_ops_output(call, 0, first->rank, extent);
}

void ztl_ops_map_concat(const ops_call *call, ops_map *map)
{
    int axis = ztl_ops_axis(call, call->op->axis, call->in->rank);
    int64_t zero[ZTL_OPS_RANK] = {0}, at[ZTL_OPS_RANK] = {0};
    for (size_t i = 0; i < call->inputs; i++) {
        ztl_ops_add_part(map, (unsigned)i, &call->in[i], zero, 0, call->out, at,
                         call->in[i].extent);
        at[axis] += call->in[i].extent[axis];
    }
}

/* Equal parts of n positions; the last gets the remainder, which must not be negative. */
static bool equal_parts(const ops_call *call, int64_t n, ztl_ops_list *parts, int64_t *part)
{
    int64_t count = call->op->num_outputs;
    if (count < 1 || count > ZTL_OPS_BUFFERS)
        return ztl_ops_fail(call->error, "split needs 1 to %d parts", ZTL_OPS_BUFFERS);
    int64_t each = ops_ceil(n, count);
    if (each * (count - 1) > n)
        return ztl_ops_fail(
            call->error, "%lld positions cannot be split into %lld equal parts and a smaller one",
            (long long)n, (long long)count);
    for (int64_t k = 0; k < count; k++)
        part[k] = k + 1 < count ? each : n - each * k;
    *parts = (ztl_ops_list){part, (size_t)count};
    return true;
}

bool ztl_ops_shape_split(ops_call *call)
{
    const ztl_ops_tensor *in = call->in;
    ztl_ops_list split = call->op->split;
    int axis = ztl_ops_axis(call, call->op->axis, in->rank);
    int64_t extent[ZTL_OPS_RANK], part[ZTL_OPS_BUFFERS], total = 0;
    if (axis < 0)
        return false;
    if (split.count && call->op->num_outputs)
        return ztl_ops_fail(call->error, "split and num_outputs exclude each other");
    if (split.count == 0 && !equal_parts(call, in->extent[axis], &split, part))
        return false;
    if (split.count > ZTL_OPS_BUFFERS)
        return ztl_ops_fail(call->error, "split needs 1 to %d parts", ZTL_OPS_BUFFERS);
    memcpy(extent, in->extent, sizeof extent);
    for (size_t k = 0; k < split.count; k++) {
        extent[axis] = split.value[k];
        if (!ztl_ops_output(call, k, in->rank, extent))
            return false;
        if (__builtin_add_overflow(total, split.value[k], &total))
            return ztl_ops_fail(call->error, "the parts of split are too large");
    }
    if (total != in->extent[axis])
        return ztl_ops_fail(call->error, "the parts of split make %lld, dimension %d has %lld",
                            (long long)total, axis, (long long)in->extent[axis]);
    return true;
}

void ztl_ops_map_split(const ops_call *call, ops_map *map)
{
    int axis = ztl_ops_axis(call, call->op->axis, call->in->rank);
    int64_t zero[ZTL_OPS_RANK] = {0}, at[ZTL_OPS_RANK] = {0};
    for (size_t k = 0; k < call->outputs; k++) {
        ztl_ops_add_part(map, 0, call->in, at, (unsigned)k, &call->out[k], zero,
                         call->out[k].extent);
        at[axis] += call->out[k].extent[axis];
    }
}

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* How many positions a step takes within a distance. */
static int64_t steps_in(int64_t distance, int64_t step)
{
    uint64_t by = step < 0 ? -(uint64_t)step : (uint64_t)step;
    return distance > 0 ? (int64_t)(((uint64_t)distance - 1) / by) + 1 : 0;
}

/* Start, step and count of every axis, by the rules of ONNX. A step that is never taken is 1. */
static bool ranges_of(const ops_call *call, int64_t *start, int64_t *step, int64_t *count)
{
    const ztl_ops_op *op = call->op;
    const ztl_ops_tensor *in = call->in;
    for (unsigned d = 0; d < in->rank; d++) {
        start[d] = 0;
        step[d] = 1;
        count[d] = in->extent[d];
    }
    bool chosen[ZTL_OPS_RANK];
    size_t axes = op->axes.count ? op->axes.count : op->starts.count;
    if (axes > in->rank)
        return ztl_ops_fail(call->error, "%zu axes are more than the rank %u", axes, in->rank);
    if (!ztl_ops_needs(call, op->starts, axes, "starts") ||
        !ztl_ops_needs(call, op->ends, axes, "ends") ||
        (op->steps.count && !ztl_ops_needs(call, op->steps, axes, "steps")) ||
        (op->axes.count && !ztl_ops_axes(call, op->axes, in->rank, chosen)))
        return false;
    for (size_t k = 0; k < axes; k++) {
        int d = op->axes.count ? ztl_ops_axis(call, op->axes.value[k], in->rank) : (int)k;
        int64_t n = in->extent[d], by = ops_value(op->steps, k, 1);
        int64_t from = op->starts.value[k], to = op->ends.value[k];
        if (by == 0)
            return ztl_ops_fail(call->error, "the step of axis %d is 0", d);
        from = clamp(from < 0 ? from + n : from, by < 0 ? -1 : 0, by < 0 ? n - 1 : n);
        to = clamp(to < 0 && to >= -n ? to + n : to, by < 0 ? -1 : 0, n);
        start[d] = from;
        count[d] = steps_in(by > 0 ? to - from : from - to, by);
        step[d] = count[d] > 1 ? by : 1;
    }
    return true;
}

bool ztl_ops_shape_slice(ops_call *call)
{
    int64_t start[ZTL_OPS_RANK], step[ZTL_OPS_RANK], count[ZTL_OPS_RANK];
    return ranges_of(call, start, step, count) && ztl_ops_output(call, 0, call->in->rank, count);
}

void ztl_ops_map_slice(const ops_call *call, ops_map *map)
{
    int64_t start[ZTL_OPS_RANK], step[ZTL_OPS_RANK], count[ZTL_OPS_RANK];
    ztl_ops_tensor in = *call->in;
    ranges_of(call, start, step, count);
    for (unsigned d = 0; d < in.rank; d++) {
        in.offset += start[d] * in.stride[d];
        in.stride[d] *= step[d];
    }
    ztl_ops_add_box(map, 0, &in, 0, call->out);
}

/* The two axes that are sliced: the last two, or the two before a last axis that is joined. */
static unsigned focus_axis(const ops_call *call, int axis)
{
    return call->in->rank - (axis == (int)call->in->rank - 1 ? 3u : 2u);
}

bool ztl_ops_shape_focus(ops_call *call)
{
    const ztl_ops_tensor *in = call->in;
    int64_t r = call->op->blocksize, extent[ZTL_OPS_RANK];
    int axis = ztl_ops_axis(call, call->op->axis, in->rank);
    if (axis < 0)
        return false;
    if (in->rank < 3 || r < 1 || r > INT16_MAX)
        return ztl_ops_fail(call->error, "focus needs rank 3 or more and a blocksize from 1 to %d",
                            INT16_MAX);
    unsigned y = focus_axis(call, axis);
    if ((unsigned)axis == y || (unsigned)axis == y + 1)
        return ztl_ops_fail(call->error, "axis %d is one of the sliced axes", axis);
    memcpy(extent, in->extent, sizeof extent);
    for (unsigned d = y; d < y + 2; d++) {
        if (extent[d] % r)
            return ztl_ops_fail(call->error, "extent %lld of dimension %u is no multiple of %lld",
                                (long long)extent[d], d, (long long)r);
        extent[d] /= r;
    }
    extent[axis] *= r * r;
    return ztl_ops_output(call, 0, in->rank, extent);
}

/* Part (i, j), rows i and columns j of every block, is the (i + j·r)-th of the joined axis. */
void ztl_ops_map_focus(const ops_call *call, ops_map *map)
{
    const ztl_ops_tensor *in = call->in, *out = call->out;
    int64_t r = call->op->blocksize;
    int axis = ztl_ops_axis(call, call->op->axis, in->rank);
    unsigned y = focus_axis(call, axis);
    ops_piece *piece = ztl_ops_add_piece(map, 0, OPS_OUT, in->offset, out->offset);
    for (unsigned d = 0; d < in->rank; d++) {
        bool sliced = d == y || d == y + 1;
        ztl_ops_add_dim(piece, in->extent[d] / (sliced ? r : 1), in->stride[d] * (sliced ? r : 1),
                        out->stride[d]);
    }
    int64_t part = in->extent[axis] * out->stride[axis];
    ztl_ops_add_dim(piece, r, in->stride[y], part);
    ztl_ops_add_dim(piece, r, in->stride[y + 1], part * r);
}
