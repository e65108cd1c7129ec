/* SPDX-License-Identifier: Apache-2.0
 * Elements that appear several times: tile, expand.
 */
#include "ops/operators/call.h"

bool ztl_ops_shape_tile(ops_call *call)
{
    ztl_ops_list repeats = call->op->repeats;
    int64_t extent[ZTL_OPS_RANK];
    if (!ztl_ops_needs(call, repeats, call->in->rank, "repeats"))
        return false;
    for (unsigned d = 0; d < call->in->rank; d++)
        if (repeats.value[d] < 0 ||
            __builtin_mul_overflow(call->in->extent[d], repeats.value[d], &extent[d]))
            return ztl_ops_fail(call->error, "repeats of axis %u is %lld, out of range", d,
                                (long long)repeats.value[d]);
    return ztl_ops_output(call, 0, call->in->rank, extent);
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
            return ztl_ops_fail(call->error,
                                "an extent of %lld cannot be expanded to %lld (dimension %u)",
                                (long long)have, (long long)want, d);
        extent[d] = have == 1 ? want : have;
    }
    return ztl_ops_output(call, 0, (unsigned)rank, extent);
}

void ztl_ops_map_expand(const ops_call *call, ops_map *map)
{
    ztl_ops_add_broadcast(map, 0, call->in, call->out);
}
