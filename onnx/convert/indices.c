/* SPDX-License-Identifier: Apache-2.0
 * Operators that look up where elements are, or whether they are taken.
 */
#include <string.h>

#include "onnx/convert/convert.h"

typedef enum onnx_answer answer;

answer ztl_onnx_compress(onnx_call *c)
{
    ztl_onnx_start(c, ztl_ops_new(ZTL_OPS_COMPRESS));
    c->op.has_axis = ztl_onnx_attribute(c->node, "axis");
    c->op.axis = ztl_onnx_int(c->node, "axis", 0);
    return ztl_onnx_list(c, 1, &c->op.condition);
}

answer ztl_onnx_gather(onnx_call *c)
{
    ztl_onnx_start(c, ztl_ops_new(ZTL_OPS_GATHER));
    ztl_onnx_set_axis(c, 0);
    answer a = ztl_onnx_list(c, 1, &c->op.indices);
    if (a != ONNX_MOVES)
        return a;
    const onnx_value *indices = ztl_onnx_in(c->graph, c->node, 1);
    c->op.has_indices_shape = true;
    c->op.indices_shape = (ztl_ops_list){indices->extent, (size_t)indices->rank};
    return ONNX_MOVES;
}

/* Operators whose indices are one of the buffers. */
static answer indexed(onnx_call *c, enum ztl_ops_kind kind, size_t inputs)
{
    if (!ztl_onnx_word_is(c->node, "reduction", "none", "none"))
        return ztl_onnx_other(c, "with a reduction: that is arithmetic");
    c->op.kind = kind;
    for (size_t i = 0; i < inputs; i++)
        c->in[c->inputs++] = ztl_onnx_in(c->graph, c->node, i);
    return ONNX_MOVES;
}

answer ztl_onnx_gather_elements(onnx_call *c)
{
    ztl_onnx_set_axis(c, 0);
    return indexed(c, ZTL_OPS_GATHER_ELEMENTS, 2);
}

answer ztl_onnx_gather_nd(onnx_call *c)
{
    c->op.batch_dims = ztl_onnx_int(c->node, "batch_dims", 0);
    return indexed(c, ZTL_OPS_GATHER_ND, 2);
}

answer ztl_onnx_scatter_elements(onnx_call *c)
{
    ztl_onnx_set_axis(c, 0);
    return indexed(c, ZTL_OPS_SCATTER_ELEMENTS, 3);
}

answer ztl_onnx_scatter_nd(onnx_call *c)
{
    return indexed(c, ZTL_OPS_SCATTER_ND, 3);
}

answer ztl_onnx_reverse_sequence(onnx_call *c)
{
    ztl_onnx_start(c, ztl_ops_new(ZTL_OPS_REVERSE_SEQUENCE));
    c->op.batch_axis = ztl_onnx_int(c->node, "batch_axis", 1);
    c->op.time_axis = ztl_onnx_int(c->node, "time_axis", 0);
    return ztl_onnx_list(c, 1, &c->op.sequence_lens);
}

answer ztl_onnx_where(onnx_call *c)
{
    answer a = indexed(c, ZTL_OPS_WHERE, 3);
    if (a == ONNX_MOVES)
        c->type = c->in[1]->type;
    return a;
}

/* The positions, if there are any, are one for each of dimension 0. */
answer ztl_onnx_tensor_scatter(onnx_call *c)
{
    bool is_circular = ztl_onnx_word_is(c->node, "mode", "circular", "linear");
    if (!is_circular && !ztl_onnx_word_is(c->node, "mode", "linear", "linear"))
        return ztl_onnx_wrong(c, "mode is not linear or circular");
    c->op.mode = is_circular ? ZTL_OPS_CIRCULAR : ZTL_OPS_LINEAR;
    ztl_onnx_set_axis(c, -2);
    return indexed(c, ZTL_OPS_TENSOR_SCATTER, ztl_onnx_in(c->graph, c->node, 2) ? 3 : 2);
}
