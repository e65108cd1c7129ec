/* SPDX-License-Identifier: Apache-2.0
 * Strides of a value as a view of another value's bytes.
 */
#include "onnx/report/form.h"

#include <string.h>

bool ztl_onnx_is_dense(const onnx_form *form)
{
    const ztl_ops_tensor *t = &form->tensor;
    ztl_ops_tensor dense;
    if (t->bits == 2) /* never seen through strides */
        return true;
    if (t->offset || !ztl_ops_dense(&dense, t->bits, t->rank, t->extent) || dense.size != t->size)
        return false;
    for (unsigned d = 0; d < t->rank; d++)
        if (t->extent[d] > 1 && t->stride[d] != dense.stride[d])
            return false;
    return true;
}

static int64_t axis_of(int64_t axis, unsigned rank)
{
    return axis < 0 ? axis + (int64_t)rank : axis;
}

static void permute(const onnx_call *c, const ztl_ops_tensor *in, ztl_ops_tensor *out)
{
    for (unsigned d = 0; d < in->rank; d++) {
        size_t from = c->op.perm.count ? (size_t)c->op.perm.value[d] : in->rank - 1 - d;
        out->extent[d] = in->extent[from];
        out->stride[d] = in->stride[from];
    }
}

/* ONNX clamps a start to the positions there are. */
static int64_t first_of(int64_t start, int64_t n, int64_t step)
{
    start += start < 0 ? n : 0;
    int64_t most = step < 0 ? n - 1 : n;
    return start < 0 ? 0 : start > most ? most : start;
}

static bool slice(const onnx_call *c, const ztl_ops_tensor *dense, const ztl_ops_tensor *in,
                  ztl_ops_tensor *out)
{
    const ztl_ops_op *op = &c->op;
    for (size_t i = 0; i < op->starts.count; i++) {
        int64_t axis = axis_of(op->axes.count ? op->axes.value[i] : (int64_t)i, in->rank);
        int64_t step = op->steps.count ? op->steps.value[i] : 1;
        if (axis < 0 || axis >= (int64_t)in->rank || !step)
            return false;
        out->offset += first_of(op->starts.value[i], in->extent[axis], step) * in->stride[axis];
        out->stride[axis] = in->stride[axis] * step;
    }
    memcpy(out->extent, dense->extent, sizeof out->extent);
    return true;
}

/* Outputs lie one after the other; all but the last are as long as the first where no list says
 * otherwise. */
static bool split(const onnx_call *c, size_t o, const ztl_ops_tensor *dense,
                  const ztl_ops_tensor *in, ztl_ops_tensor *out)
{
    int64_t axis = axis_of(c->op.axis, in->rank), before = 0, n = in->extent[axis];
    int64_t parts = c->op.num_outputs;
    if (!c->op.split.count && parts < 1)
        return false;
    for (size_t i = 0; i < o; i++)
        before += c->op.split.count ? c->op.split.value[i] : (n + parts - 1) / parts;
    out->offset += before * in->stride[axis];
    memcpy(out->extent, dense->extent, sizeof out->extent);
    return true;
}

static void expand(const ztl_ops_tensor *dense, const ztl_ops_tensor *in, ztl_ops_tensor *out)
{
    unsigned more = dense->rank - in->rank;
    out->rank = dense->rank;
    for (unsigned d = 0; d < dense->rank; d++) {
        out->extent[d] = dense->extent[d];
        out->stride[d] =
            d < more || in->extent[d - more] != dense->extent[d] ? 0 : in->stride[d - more];
    }
}

bool ztl_onnx_see(const onnx_call *c, size_t o, const ztl_ops_tensor *dense, const onnx_form *in,
                  onnx_form *out)
{
    *out = *in;
    if (c->inputs != 1 || in->tensor.bits < 8 || in->tensor.bits != dense->bits)
        return false;
    if (ztl_onnx_only_reshapes(c))
        return ztl_ops_view(&in->tensor, dense, &out->tensor);
    switch (c->op.kind) {
    case ZTL_OPS_TRANSPOSE:
        permute(c, &in->tensor, &out->tensor);
        return true;
    case ZTL_OPS_SLICE:
        return dense->size && slice(c, dense, &in->tensor, &out->tensor);
    case ZTL_OPS_SPLIT:
        return dense->size && split(c, o, dense, &in->tensor, &out->tensor);
    case ZTL_OPS_EXPAND:
        expand(dense, &in->tensor, &out->tensor);
        return true;
    default:
        return false;
    }
}

ztl_ops_tensor ztl_onnx_part(const onnx_call *concat, const ztl_ops_tensor *in, size_t i,
                             const ztl_ops_tensor *out)
{
    ztl_ops_tensor part = *out;
    int64_t axis = axis_of(concat->op.axis, out->rank);
    for (size_t k = 0; k < i; k++)
        part.offset += in[k].extent[axis] * out->stride[axis];
    part.extent[axis] = in[i].extent[axis];
    return part;
}
