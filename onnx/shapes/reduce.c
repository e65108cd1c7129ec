/* SPDX-License-Identifier: Apache-2.0
 * Reductions.
 */
#include <string.h>

#include "onnx/shapes/shapes.h"

/* The axes, a bit each: an attribute in old models, an input in new ones; none are all. */
static bool take_axes(const onnx_shaping *s, int rank, unsigned *axes)
{
    const Onnx__AttributeProto *a = ztl_onnx_attribute(s->node, "axes");
    const onnx_value *input = ztl_onnx_in(s->graph, s->node, 1);
    if (input && (!input->buffer || !ztl_onnx_is_integer(input->type)))
        return false;
    size_t count = a ? a->n_ints : input ? ztl_onnx_count(input) : 0;
    bool none = ztl_onnx_int(s->node, "noop_with_empty_axes", 0);
    *axes = count || none ? 0 : ~0U;
    for (size_t i = 0; i < count; i++) {
        int at;
        if (!ztl_onnx_axis(a ? a->ints[i] : ztl_onnx_integer(input, i), rank, &at))
            return false;
        *axes |= 1U << at;
    }
    return true;
}

static void give(const onnx_shaping *s, const onnx_value *in, unsigned axes)
{
    bool keep = ztl_onnx_int(s->node, "keepdims", 1);
    int64_t extent[ONNX_RANK];
    int rank = 0;
    for (int d = 0; d < in->rank; d++)
        if (!(axes >> d & 1))
            extent[rank++] = in->extent[d];
        else if (keep)
            extent[rank++] = 1;
    ztl_onnx_give(s, 0, s->type, rank, extent);
}

void ztl_onnx_rule_reduce(const onnx_shaping *s)
{
    const onnx_value *in = ztl_onnx_shaped(s, 0);
    unsigned axes;
    if (in && take_axes(s, in->rank, &axes))
        give(s, in, axes);
}

void ztl_onnx_rule_arg_reduce(const onnx_shaping *s)
{
    const onnx_value *in = ztl_onnx_shaped(s, 0);
    int at;
    if (in && ztl_onnx_axis(ztl_onnx_int(s->node, "axis", 0), in->rank, &at))
        give(s, in, 1U << at);
}
