/* SPDX-License-Identifier: Apache-2.0
 * Whether an operator leaves the outermost dimension alone: each of its positions in the output
 * comes from the same position of the inputs, and does not depend on how many there are.
 */
#include "ops/operators/call.h"

static bool has_first(ztl_ops_list axes, unsigned rank)
{
    for (size_t i = 0; i < axes.count; i++)
        if (axes.value[i] == 0 || axes.value[i] == -(int64_t)rank)
            return true;
    return axes.count == 0;
}

static bool is_first(const ops_call *call)
{
    return call->op->axis == 0 || call->op->axis == -(int64_t)call->in->rank;
}

/* Inputs that have the dimension; those of 1 are broadcast along it. */
static bool take_broadcast(const ops_call *call, bool *varies)
{
    const ztl_ops_tensor *out = call->out;
    bool any = false;
    for (size_t i = 0; i < call->inputs; i++) {
        varies[i] = call->in[i].rank == out->rank && call->in[i].extent[0] == out->extent[0];
        any |= varies[i];
    }
    return any;
}

static bool take_gather(const ops_call *call, bool *varies)
{
    bool by_index = is_first(call), at_run_time = call->inputs == 2;
    varies[0] = !by_index;
    if (at_run_time)
        varies[1] = by_index;
    return !by_index || (at_run_time && call->in[1].rank > 0);
}

static bool take_elements(const ops_call *call, bool *varies)
{
    varies[0] = !is_first(call);
    return !varies[0] || call->in[0].extent[0] == call->in[1].extent[0];
}

static bool take_cache(const ops_call *call, bool *varies)
{
    int64_t axis = call->op->has_axis ? call->op->axis : -2;
    if (call->inputs == 3)
        varies[2] = call->in[2].rank == 1;
    return axis != 0 && axis != -(int64_t)call->in->rank;
}

bool ztl_ops_keeps_outer(const ops_call *call, bool *varies)
{
    const ztl_ops_op *op = call->op;
    unsigned rank = call->in->rank;
    for (size_t i = 0; i < call->inputs; i++)
        varies[i] = true;
    switch (op->kind) {
    case ZTL_OPS_TRANSPOSE:
        return op->perm.count && (op->perm.value[0] == 0 || op->perm.value[0] == -(int64_t)rank);
    case ZTL_OPS_CONCAT:
    case ZTL_OPS_SPLIT:
        return !is_first(call);
    case ZTL_OPS_COMPRESS:
        return call->inputs == 1 && op->has_axis && !is_first(call);
    case ZTL_OPS_SLICE:
    case ZTL_OPS_ROLL:
    case ZTL_OPS_FLIP:
    case ZTL_OPS_RESIZE:
        return !has_first(op->axes, rank);
    case ZTL_OPS_PAD:
        return op->axes.count ? !has_first(op->axes, rank)
                              : op->pads.value[0] == 0 && op->pads.value[rank] == 0;
    case ZTL_OPS_TILE:
        return op->repeats.value[0] == 1;
    case ZTL_OPS_EXPAND:
    case ZTL_OPS_WHERE:
        return take_broadcast(call, varies);
    case ZTL_OPS_GATHER:
        return take_gather(call, varies);
    case ZTL_OPS_GATHER_ELEMENTS:
        return take_elements(call, varies);
    case ZTL_OPS_GATHER_ND:
        varies[0] = op->batch_dims > 0;
        return call->in[1].rank > 1;
    case ZTL_OPS_TENSOR_SCATTER:
        return take_cache(call, varies);
    case ZTL_OPS_RESHAPE:
    case ZTL_OPS_FLATTEN:
    case ZTL_OPS_SQUEEZE:
    case ZTL_OPS_UNSQUEEZE:
    case ZTL_OPS_DEPTH_TO_SPACE:
    case ZTL_OPS_SPACE_TO_DEPTH:
    case ZTL_OPS_IM2COL:
    case ZTL_OPS_ADD:
    case ZTL_OPS_FILL:
        return true;
    default:
        return false;
    }
}
