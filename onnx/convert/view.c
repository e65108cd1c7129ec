/* SPDX-License-Identifier: Apache-2.0
 * Calls whose output is their input, seen in another shape.
 */
#include "onnx/convert/convert.h"

bool ztl_onnx_only_reshapes(const onnx_call *c)
{
    switch (c->op.kind) {
    case ZTL_OPS_RESHAPE:
    case ZTL_OPS_FLATTEN:
    case ZTL_OPS_SQUEEZE:
    case ZTL_OPS_UNSQUEEZE:
    case ZTL_OPS_IDENTITY:
        return true;
    default:
        return false;
    }
}

/* Dimensions of more than 1 keep their order. */
static bool keeps_order(const onnx_call *c, const ztl_ops_tensor *in)
{
    int64_t before = -1;
    for (size_t d = 0; d < c->op.perm.count; d++) {
        if (in->extent[c->op.perm.value[d]] == 1)
            continue;
        if (c->op.perm.value[d] < before)
            return false;
        before = c->op.perm.value[d];
    }
    return c->op.perm.count || in->rank < 2;
}

static bool steps_forward(const onnx_call *c)
{
    for (size_t i = 0; i < c->op.steps.count; i++)
        if (c->op.steps.value[i] < 0)
            return false;
    return true;
}

bool ztl_onnx_is_view(const onnx_call *c, const ztl_ops_tensor *in, const ztl_ops_tensor *out)
{
    if (ztl_onnx_only_reshapes(c))
        return true;
    switch (c->op.kind) {
    case ZTL_OPS_TRANSPOSE:
        return keeps_order(c, in);
    case ZTL_OPS_CONCAT: /* of one, or of one and empty ones */
    case ZTL_OPS_SLICE:
    case ZTL_OPS_SPLIT:
    case ZTL_OPS_EXPAND:
    case ZTL_OPS_TILE:
        return c->inputs == 1 && in->size == out->size && steps_forward(c);
    default:
        return false;
    }
}
