/* SPDX-License-Identifier: Apache-2.0
 * Depth to space and back: blocks of r·r pixels from r·r channels.
 */
#include "ops/operators/call.h"

static bool check_blocks(const ops_call *call)
{
    if (call->in->rank != 4)
        return ztl_ops_fail(call->error, "the input has rank %u, needs 4 (NCHW)", call->in->rank);
    if (call->op->blocksize < 1 || call->op->blocksize > INT16_MAX)
        return ztl_ops_fail(call->error, "blocksize %lld is out of range",
                            (long long)call->op->blocksize);
    enum ztl_ops_mode mode = call->op->mode; /* 0, where none is given, is DCR */
    if (mode && mode != ZTL_OPS_DCR && mode != ZTL_OPS_CRD)
        return ztl_ops_fail(call->error, "the mode is neither DCR nor CRD");
    return true;
}

bool ztl_ops_shape_depth_to_space(ops_call *call)
{
    int64_t r = call->op->blocksize;
    const int64_t *n = call->in->extent;
    if (!check_blocks(call))
        return false;
    if (n[1] % (r * r))
        return ztl_ops_fail(call->error, "%lld channels are no multiple of %lld", (long long)n[1],
                            (long long)(r * r));
    return ztl_ops_output(call, 0, 4, (int64_t[]){n[0], n[1] / (r * r), n[2] * r, n[3] * r});
}

bool ztl_ops_shape_space_to_depth(ops_call *call)
{
    int64_t r = call->op->blocksize;
    const int64_t *n = call->in->extent;
    if (!check_blocks(call))
        return false;
    if (n[2] % r || n[3] % r)
        return ztl_ops_fail(call->error, "%lld by %lld pixels are no multiple of %lld",
                            (long long)n[2], (long long)n[3], (long long)r);
    return ztl_ops_output(call, 0, 4, (int64_t[]){n[0], n[1] * r * r, n[2] / r, n[3] / r});
}

/* `deep` has the channels, `wide` the pixels. */
static void map_blocks(const ops_call *call, ops_map *map, const ztl_ops_tensor *deep,
                       const ztl_ops_tensor *wide, bool to_space)
{
    int64_t r = call->op->blocksize, channels = wide->extent[1];
    bool crd = call->op->mode == ZTL_OPS_CRD;
    int64_t c = deep->stride[1] * (crd ? r * r : 1), block = deep->stride[1] * (crd ? 1 : channels);
    const ops_dim dims[] = {
        {deep->extent[0], deep->stride[0], wide->stride[0]},     {channels, c, wide->stride[1]},
        {deep->extent[2], deep->stride[2], wide->stride[2] * r}, {r, block * r, wide->stride[2]},
        {deep->extent[3], deep->stride[3], wide->stride[3] * r}, {r, block, wide->stride[3]}};
    ops_piece *piece = ztl_ops_add_piece(map, 0, OPS_OUT, call->in->offset, call->out->offset);
    for (unsigned d = 0; d < sizeof dims / sizeof dims[0]; d++)
        ztl_ops_add_dim(piece, dims[d].n, to_space ? dims[d].in : dims[d].out,
                        to_space ? dims[d].out : dims[d].in);
}

void ztl_ops_map_depth_to_space(const ops_call *call, ops_map *map)
{
    map_blocks(call, map, call->in, call->out, true);
}

void ztl_ops_map_space_to_depth(const ops_call *call, ops_map *map)
{
    map_blocks(call, map, call->out, call->in, false);
}
