/* SPDX-License-Identifier: Apache-2.0
 * A Conv node as the im2col that a matrix product needs before it.
 */
#include "onnx/convert/im2col.h"

#include <string.h>

#include "host/error.h"

bool ztl_onnx_is_conv(const onnx_node *node)
{
    return !node->is_foreign && !strcmp(node->kind, "Conv");
}

/* An attribute's list; `count` times `otherwise` where there is none. */
static enum onnx_answer take_list(onnx_call *c, const char *name, size_t count, int64_t otherwise,
                                  ztl_ops_list *list)
{
    const Onnx__AttributeProto *a = ztl_onnx_attribute(c->node, name);
    if (a && a->n_ints != count) {
        ztl_fail(c->error, "%s has %zu numbers, the image has %zu axes", name, a->n_ints,
                 (size_t)c->in[0]->rank - 2);
        return ONNX_WRONG;
    }
    int64_t *number = a ? a->ints : ztl_onnx_room(c, count, sizeof *number);
    if (!number)
        return ztl_onnx_wrong(c, "out of memory");
    for (size_t i = 0; !a && i < count; i++)
        number[i] = otherwise;
    *list = (ztl_ops_list){number, count};
    return ONNX_MOVES;
}

/* What SAME_UPPER and SAME_LOWER add to axis d, so that there are ceil(extent / stride) places;
 * false where that is too large. */
static bool same_padding(const onnx_call *c, size_t d, int64_t *padding)
{
    int64_t extent = c->in[0]->extent[d + 2], stride = c->op.strides.value[d], window;
    if (stride < 1 || __builtin_sub_overflow(c->op.kernel.value[d], 1, &window) ||
        __builtin_mul_overflow(window, c->op.dilations.value[d], &window))
        return false;
    int64_t last = extent ? (extent - 1) / stride * stride : 0; /* where the last window starts */
    if (__builtin_add_overflow(window, last - extent + 1, padding))
        return false;
    *padding = *padding > 0 ? *padding : 0;
    return true;
}

static enum onnx_answer pad_same(onnx_call *c, size_t rank, bool lower)
{
    int64_t *pad = ztl_onnx_room(c, 2 * rank, sizeof *pad), total;
    if (!pad)
        return ztl_onnx_wrong(c, "out of memory");
    for (size_t d = 0; d < rank; d++) {
        if (!same_padding(c, d, &total))
            return ztl_onnx_wrong(c, "its kernel, strides or dilations are too large, or below 1");
        pad[d] = lower ? total - total / 2 : total / 2;
        pad[d + rank] = total - pad[d];
    }
    c->op.pads = (ztl_ops_list){pad, 2 * rank};
    return ONNX_MOVES;
}

static enum onnx_answer take_padding(onnx_call *c, size_t rank)
{
    static const char *const modes[] = {"NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"};
    unsigned mode = 0;
    while (mode < 4 && !ztl_onnx_word_is(c->node, "auto_pad", modes[mode], modes[0]))
        mode++;
    if (mode == 0)
        return take_list(c, "pads", 2 * rank, 0, &c->op.pads);
    if (mode == 4)
        return ztl_onnx_wrong(c, "auto_pad is not NOTSET, VALID, SAME_UPPER or SAME_LOWER");
    return mode == 1 ? ONNX_MOVES : pad_same(c, rank, mode == 3);
}

static enum onnx_answer take_lists(onnx_call *c, size_t rank)
{
    const onnx_value *weight = ztl_onnx_in(c->graph, c->node, 1);
    const Onnx__AttributeProto *kernel = ztl_onnx_attribute(c->node, "kernel_shape");
    if (kernel && kernel->n_ints == rank)
        c->op.kernel = (ztl_ops_list){kernel->ints, rank};
    else if (!kernel && weight->rank == (int)rank + 2)
        c->op.kernel = (ztl_ops_list){weight->extent + 2, rank};
    else
        return ztl_onnx_wrong(c, "the extents of the kernel are not known");
    enum onnx_answer a = take_list(c, "strides", rank, 1, &c->op.strides);
    if (a == ONNX_MOVES)
        a = take_list(c, "dilations", rank, 1, &c->op.dilations);
    return a == ONNX_MOVES ? take_padding(c, rank) : a;
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
