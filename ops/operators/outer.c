/* SPDX-License-Identifier: Apache-2.0
 * Where an operator leaves an outer dimension alone: each of its positions in the output comes from
 * the same position of the inputs, and does not depend on how many there are.
 */
#include "ops/operators/call.h"

static bool is_axis(int64_t axis, unsigned rank, unsigned k)
{
    return axis == (int64_t)k || axis == (int64_t)k - (int64_t)rank;
}

static bool has_axis(ztl_ops_list axes, unsigned rank, unsigned k)
{
    for (size_t i = 0; i < axes.count; i++)
        if (is_axis(axes.value[i], rank, k))
            return true;
    return axes.count == 0;
}

/* Where a transpose takes dimension k to. */
static bool follow_transpose(const ops_call *call, unsigned k, ops_followed *f)
{
    unsigned rank = call->in->rank, to = 0;
    while (to < rank && !is_axis(ops_value(call->op->perm, to, rank - 1 - (int64_t)to), rank, k))
        to++;
    f->out[0] = (int)to;
    return to < rank;
}

static bool follow_pad(const ops_call *call, unsigned k)
{
    const ztl_ops_op *op = call->op;
    if (op->axes.count)
        return !has_axis(op->axes, call->in->rank, k);
    return op->pads.value[k] == 0 && op->pads.value[k + call->in->rank] == 0;
}

/* Dimensions of the output; inputs that lack one, or have 1, are broadcast along it. */
static bool follow_broadcast(const ops_call *call, unsigned k, ops_followed *f)
{
    const ztl_ops_tensor *out = call->out;
    bool any = false;
    for (size_t i = 0; i < call->inputs; i++) {
        int d = (int)k - (int)(out->rank - call->in[i].rank);
        f->in[i] = d >= 0 && call->in[i].extent[d] == out->extent[k] ? d : -1;
        any |= f->in[i] >= 0;
    }
    return any;
}

/* Dimensions of the output: those of the data before the axis, of the indices, of the data. */
static bool follow_gather(const ops_call *call, unsigned k, ops_followed *f)
{
    unsigned axis = (unsigned)ztl_ops_axis(call, call->op->axis, call->in->rank);
    unsigned indices = call->inputs == 2 ? call->in[1].rank : 1;
    bool by_index = k >= axis && k < axis + indices;
    f->in[0] = by_index ? -1 : k < axis ? (int)k : (int)(k + 1 - indices);
    if (call->inputs == 2)
        f->in[1] = by_index ? (int)(k - axis) : -1;
    return !by_index || call->inputs == 2;
}

/* The data has a dimension that the indices do not name. */
static bool follow_elements(const ops_call *call, unsigned k, ops_followed *f)
{
    if (is_axis(call->op->axis, call->in->rank, k))
        f->in[0] = -1;
    return true;
}

/* The number of updates; or a dimension that the indices do not name. */
static bool follow_scatter_elements(const ops_call *call, unsigned k, ops_followed *f)
{
    if (is_axis(call->op->axis, call->in->rank, k))
        f->in[0] = f->out[0] = -1;
    return true;
}

static bool follow_gather_nd(const ops_call *call, unsigned k, ops_followed *f)
{
    if (k >= call->op->batch_dims)
        f->in[0] = -1;
    return k + 1 < call->in[1].rank;
}

/* Updates are in the order of all their dimensions: only that of the first stays. */
static bool follow_scatter_nd(const ops_call *call, unsigned k, ops_followed *f)
{
    f->in[0] = f->out[0] = -1;
    return k == 0 && call->in[1].rank > 1;
}

static bool follow_cache(const ops_call *call, unsigned k, ops_followed *f)
{
    int64_t axis = call->op->has_axis ? call->op->axis : -2;
    if (call->inputs == 3)
        f->in[2] = k == 0 && call->in[2].rank == 1 ? 0 : -1;
    return !is_axis(axis, call->in->rank, k);
}

/* A condition at run time may be of fewer positions, whose results follow each other. */
static bool follow_compress(const ops_call *call, unsigned k, ops_followed *f)
{
    bool at_run_time = call->inputs == 2, selects = is_axis(call->op->axis, call->in->rank, k);
    if (at_run_time) {
        f->in[1] = selects ? 0 : -1;
        f->out[1] = -1;
    }
    f->counts_on = selects;
    return call->op->has_axis && (at_run_time || !selects);
}

bool ztl_ops_follow(const ops_call *call, unsigned k, ops_followed *f)
{
    const ztl_ops_op *op = call->op;
    unsigned rank = call->in->rank;
    f->counts_on = false;
    for (size_t i = 0; i < ZTL_OPS_BUFFERS; i++)
        f->in[i] = f->out[i] = (int)k;
    switch (op->kind) {
    case ZTL_OPS_TRANSPOSE:
        return follow_transpose(call, k, f);
    case ZTL_OPS_CONCAT:
    case ZTL_OPS_SPLIT:
        return !is_axis(op->axis, rank, k);
    case ZTL_OPS_COMPRESS:
        return follow_compress(call, k, f);
    case ZTL_OPS_SLICE:
    case ZTL_OPS_ROLL:
    case ZTL_OPS_FLIP:
    case ZTL_OPS_RESIZE:
        return !has_axis(op->axes, rank, k);
    case ZTL_OPS_PAD:
        return k < rank && follow_pad(call, k);
    case ZTL_OPS_TILE:
        return k < rank && op->repeats.value[k] == 1;
    case ZTL_OPS_EXPAND:
    case ZTL_OPS_WHERE:
        return k < call->out->rank && follow_broadcast(call, k, f);
    case ZTL_OPS_GATHER:
        return k < call->out->rank && follow_gather(call, k, f);
    case ZTL_OPS_GATHER_ELEMENTS:
        return follow_elements(call, k, f);
    case ZTL_OPS_GATHER_ND:
        return follow_gather_nd(call, k, f);
    case ZTL_OPS_SCATTER_ELEMENTS:
        return follow_scatter_elements(call, k, f);
    case ZTL_OPS_SCATTER_ND:
        return follow_scatter_nd(call, k, f);
    case ZTL_OPS_TENSOR_SCATTER:
        return follow_cache(call, k, f);
    case ZTL_OPS_TRILU:
        return k + 2 < rank;
    case ZTL_OPS_RESHAPE:
    case ZTL_OPS_FLATTEN:
    case ZTL_OPS_SQUEEZE:
    case ZTL_OPS_UNSQUEEZE: /* what comes before is left alone too: shapes are checked elsewhere */
        return k == 0 || (rank && call->out->rank && call->in->extent[0] == call->out->extent[0]);
    case ZTL_OPS_DEPTH_TO_SPACE:
    case ZTL_OPS_SPACE_TO_DEPTH:
    case ZTL_OPS_IM2COL:
        return k == 0;
    case ZTL_OPS_ADD:
    case ZTL_OPS_FILL:
    case ZTL_OPS_IDENTITY:
        return true;
    default:
        return false;
    }
}
