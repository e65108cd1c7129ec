/* SPDX-License-Identifier: Apache-2.0
 * Elements that appear several times: tile, expand, resize.
 */
#include "ops/operators/call.h"

/* The factor of an axis; where axes are named, that of the others is 1. */
static int64_t factor_of(const ops_call *call, ztl_ops_list factors, ztl_ops_list axes, unsigned d)
{
    if (!axes.count)
        return factors.value[d];
    for (size_t k = 0; k < axes.count; k++)
        if (ztl_ops_axis(call, axes.value[k], call->in->rank) == (int)d)
            return factors.value[k];
    return 1;
}

/* The input's extents times the factors. */
static bool shape_times(ops_call *call, ztl_ops_list factors, ztl_ops_list axes, const char *name)
{
    int64_t extent[ZTL_OPS_RANK];
    bool chosen[ZTL_OPS_RANK];
    if (!ztl_ops_axes(call, axes, call->in->rank, chosen) ||
        !ztl_ops_needs(call, factors, axes.count ? axes.count : call->in->rank, name))
        return false;
    for (unsigned d = 0; d < call->in->rank; d++) {
        int64_t factor = factor_of(call, factors, axes, d);
        if (factor < 0 || __builtin_mul_overflow(call->in->extent[d], factor, &extent[d]))
            return ztl_ops_fail(call->error, "%s of axis %u is %lld, out of range", name, d,
                                (long long)factor);
    }
    return ztl_ops_output(call, 0, call->in->rank, extent);
}

bool ztl_ops_shape_tile(ops_call *call)
{
    return shape_times(call, call->op->repeats, (ztl_ops_list){NULL, 0}, "repeats");
}

void ztl_ops_map_tile(const ops_call *call, ops_map *map)
{
    const ztl_ops_tensor *in = call->in, *out = call->out;
    ops_piece *piece = ztl_ops_add_piece(map, 0, OPS_OUT, in->offset, out->offset);
    for (unsigned d = 0; d < in->rank; d++) {
        ztl_ops_add_dim(piece, in->extent[d], in->stride[d], out->stride[d]);
        ztl_ops_add_dim(piece, call->op->repeats.value[d], 0, out->stride[d] * in->extent[d]);
    }
}

bool ztl_ops_shape_resize(ops_call *call)
{
    for (size_t d = 0; d < call->op->scales.count; d++)
        if (call->op->scales.value[d] < 1)
            return ztl_ops_fail(call->error, "scales must be whole numbers from 1 on");
    return shape_times(call, call->op->scales, call->op->axes, "scales");
}

void ztl_ops_map_resize(const ops_call *call, ops_map *map)
{
    const ztl_ops_tensor *in = call->in, *out = call->out;
    ops_piece *piece = ztl_ops_add_piece(map, 0, OPS_OUT, in->offset, out->offset);
    for (unsigned d = 0; d < in->rank; d++) {
        int64_t scale = factor_of(call, call->op->scales, call->op->axes, d);
        ztl_ops_add_dim(piece, in->extent[d], in->stride[d], out->stride[d] * scale);
        ztl_ops_add_dim(piece, scale, 0, out->stride[d]);
    }
}

bool ztl_ops_shape_expand(ops_call *call)
{
    const ztl_ops_tensor *in = call->in;
    ztl_ops_list shape = call->op->shape;
    int64_t extent[ZTL_OPS_RANK];
    size_t rank = shape.count > in->rank ? shape.count : in->rank;
    if (rank > ZTL_OPS_RANK)
        return ztl_ops_fail(call->error, "shape has %zu values, at most %d are possible",
                            shape.count, ZTL_OPS_RANK);
    for (unsigned d = 0; d < rank; d++) {
        int from = (int)(d + in->rank) - (int)rank, to = (int)(d + shape.count) - (int)rank;
        int64_t have = from < 0 ? 1 : in->extent[from], want = to < 0 ? 1 : shape.value[to];
        want = want == -1 && from >= 0 ? have : want; /* PyTorch's: this one stays */
        if (have != want && have != 1 && want != 1)
            return ztl_ops_fail(call->error, "an extent of %lld cannot be expanded to %lld",
                                (long long)have, (long long)want);
        extent[d] = have == 1 ? want : have;
    }
    return ztl_ops_output(call, 0, (unsigned)rank, extent);
}

void ztl_ops_map_expand(const ops_call *call, ops_map *map)
{
    ztl_ops_add_broadcast(map, 0, call->in, call->out);
}
