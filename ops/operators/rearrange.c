/* SPDX-License-Identifier: Apache-2.0
 * Axes split, reordered, joined and made new, as a pattern says: rearrange, repeat.
 */
#include "ops/operators/pattern.h"

bool ztl_ops_shape_rearrange(ops_call *call)
{
    ops_pattern pattern;
    int64_t extent[ZTL_OPS_RANK];
    if (!ztl_ops_read_pattern(&pattern, call))
        return false;
    const pattern_side *right = &pattern.side[PATTERN_RIGHT];
    for (unsigned d = 0; d < right->rank; d++)
        extent[d] = 1;
    for (unsigned i = 0; i < right->count; i++) {
        unsigned d = right->item[i].dim;
        if (__builtin_mul_overflow(extent[d], pattern.axis[right->item[i].axis].n, &extent[d]))
            return ztl_ops_fail(call->error, "dimension %u of the output is too large", d);
    }
    return ztl_ops_output(call, 0, right->rank, extent);
}

/* The step of each axis in a tensor; 0 for those that it does not have. */
static void steps_in(const ops_pattern *pattern, const pattern_side *side,
                     const ztl_ops_tensor *tensor, int64_t *step)
{
    int64_t next[ZTL_OPS_RANK];
    memcpy(next, tensor->stride, sizeof next);
    for (unsigned i = side->count; i-- > 0;) {
        unsigned axis = side->item[i].axis, d = side->item[i].dim;
        step[axis] = next[d];
        next[d] *= pattern->axis[axis].n;
    }
}

void ztl_ops_map_rearrange(const ops_call *call, ops_map *map)
{
    ops_pattern pattern;
    int64_t in[OPS_MAP_DIMS] = {0}, out[OPS_MAP_DIMS] = {0};
    ztl_ops_read_pattern(&pattern, call);
    steps_in(&pattern, &pattern.side[PATTERN_LEFT], call->in, in);
    steps_in(&pattern, &pattern.side[PATTERN_RIGHT], call->out, out);
    ops_piece *piece = ztl_ops_add_piece(map, 0, OPS_OUT, call->in->offset, call->out->offset);
    for (unsigned i = 0; i < pattern.axes; i++)
        ztl_ops_add_dim(piece, pattern.axis[i].n, in[i], out[i]);
}

bool ztl_ops_shape_repeat(ops_call *call)
{
    return ztl_ops_shape_rearrange(call);
}

void ztl_ops_map_repeat(const ops_call *call, ops_map *map)
{
    ztl_ops_map_rearrange(call, map);
}
