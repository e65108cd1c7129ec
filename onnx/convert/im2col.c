/* SPDX-License-Identifier: Apache-2.0 */
#include "onnx/convert/im2col.h"

#include <string.h>

#include "host/error.h"

bool ztl_onnx_is_conv(const onnx_node *node)
{
    return !node->is_foreign && !strcmp(node->kind, "Conv");
}

/* An attribute's list as the operator's; all ones, or zeros, where there is none. */
static ztl_ops_list list_of(onnx_call *c, const char *name, size_t count, int64_t otherwise)
{
    const Onnx__AttributeProto *a = ztl_onnx_attribute(c->node, name);
    if (a && a->n_ints == count)
        return (ztl_ops_list){a->ints, a->n_ints};
    int64_t *number = ztl_onnx_room(c, count, sizeof *number);
    for (size_t i = 0; number && i < count; i++)
        number[i] = otherwise;
    return (ztl_ops_list){number, number ? count : 0};
}

/* SAME_UPPER and SAME_LOWER: the output has ceil(extent / stride) positions. */
static void pad_same(onnx_call *c, size_t rank, bool lower)
{
    const onnx_value *image = c->in[0];
    int64_t *pad = ztl_onnx_room(c, 2 * rank, sizeof *pad);
    for (size_t d = 0; pad && d < rank; d++) {
        int64_t extent = image->extent[d + 2], stride = c->op.strides.value[d];
        int64_t window = (c->op.kernel.value[d] - 1) * c->op.dilations.value[d] + 1;
        int64_t places = stride > 0 ? (extent + stride - 1) / stride : 0;
        int64_t total = (places - 1) * stride + window - extent;
        total = total > 0 ? total : 0;
        pad[d] = lower ? (total + 1) / 2 : total / 2;
        pad[d + rank] = total - pad[d];
    }
    c->op.pads = (ztl_ops_list){pad, pad ? 2 * rank : 0};
}

static enum onnx_answer take_lists(onnx_call *c, size_t rank)
{
    const onnx_value *weight = ztl_onnx_in(c->graph, c->node, 1);
    const Onnx__AttributeProto *kernel = ztl_onnx_attribute(c->node, "kernel_shape");
    if (kernel && kernel->n_ints == rank)
        c->op.kernel = (ztl_ops_list){kernel->ints, rank};
    else if (weight && weight->rank == (int)rank + 2)
        c->op.kernel = (ztl_ops_list){weight->extent + 2, rank};
    else
        return ztl_onnx_wrong(c, "the extents of the kernel are not known");
    c->op.strides = list_of(c, "strides", rank, 1);
    c->op.dilations = list_of(c, "dilations", rank, 1);
    if (!c->op.strides.count || !c->op.dilations.count)
        return ztl_onnx_wrong(c, "out of memory");
    if (ztl_onnx_word_is(c->node, "auto_pad", "NOTSET", "NOTSET"))
        c->op.pads = list_of(c, "pads", 2 * rank, 0);
    else if (ztl_onnx_word_is(c->node, "auto_pad", "VALID", ""))
        c->op.pads = (ztl_ops_list){0};
    else
        pad_same(c, rank, ztl_onnx_word_is(c->node, "auto_pad", "SAME_LOWER", ""));
    return ONNX_MOVES;
}

enum onnx_answer ztl_onnx_im2col(const onnx_graph *graph, const onnx_node *node, onnx_call *call,
                                 ztl_error *error)
{
    *call = (onnx_call){.graph = graph, .node = node, .error = error, .inputs = 1};
    const onnx_value *image = call->in[0] = ztl_onnx_in(graph, node, 0);
    call->op.kind = ZTL_OPS_IM2COL;
    call->op.groups = ztl_onnx_int(node, "group", 1);
    if (!ztl_onnx_is_shaped(image) || image->rank < 3) {
        call->unknown = image;
        return ONNX_WAITS;
    }
    call->type = image->type;
    return take_lists(call, (size_t)image->rank - 2);
}

bool ztl_onnx_im2col_is_view(const onnx_call *call)
{
    const ztl_ops_op *op = &call->op;
    bool is_view = true;
    for (size_t i = 0; i < op->kernel.count; i++)
        is_view = is_view && op->kernel.value[i] == 1 && op->strides.value[i] == 1;
    for (size_t i = 0; i < op->pads.count; i++)
        is_view = is_view && op->pads.value[i] == 0;
    return is_view;
}
