/* SPDX-License-Identifier: Apache-2.0
 * Operators with elements that no input has: constants, ones, and what surrounds an image.
 */
#include <string.h>

#include "onnx/convert/convert.h"

typedef enum onnx_answer answer;

/* The bits of one element of a tensor. */
static void take_bits(const onnx_value *value, size_t i, uint64_t *low, uint64_t wide[3])
{
    uint64_t word[4] = {0};
    unsigned bytes = ztl_onnx_bits(value->type) / 8;
    if (value->buffer && bytes)
        memcpy(word, value->buffer->bytes + i * bytes, bytes);
    *low = word[0];
    if (wide)
        memcpy(wide, word + 1, sizeof word - sizeof word[0]);
}

/* A number of an attribute as an element. */
static answer take_float(onnx_call *c, double number, int type)
{
    float single = (float)number;
    uint32_t bits32;
    memcpy(&bits32, &single, sizeof bits32);
    if (number == 0)
        c->op.value = 0;
    else if (type == ONNX_FLOAT)
        c->op.value = bits32;
    else if (type == ONNX_DOUBLE)
        memcpy(&c->op.value, &number, sizeof number);
    else if (ztl_onnx_is_integer(type))
        c->op.value = (uint64_t)(int64_t)number;
    else
        return ztl_onnx_other(c, "a value other than 0 as a float for such elements");
    return ONNX_MOVES;
}

answer ztl_onnx_pad(onnx_call *c)
{
    static const char *const modes[] = {"constant", "edge", "reflect", "wrap"};
    unsigned mode = 0;
    c->op.kind = ZTL_OPS_PAD;
    ztl_onnx_start(c, c->op);
    while (mode < 4 && !ztl_onnx_word_is(c->node, "mode", modes[mode], "constant"))
        mode++;
    if (mode == 4)
        return ztl_onnx_wrong(c, "mode is not constant, edge, reflect or wrap");
    c->op.mode = (enum ztl_ops_mode)mode;
    answer a = ztl_onnx_either_list(
        c, ztl_onnx_attribute(c->node, "paddings") ? "paddings" : "pads", 1, &c->op.pads);
    if (a == ONNX_MOVES)
        a = ztl_onnx_list(c, 3, &c->op.axes);
    if (a != ONNX_MOVES || mode)
        return a;
    const Onnx__AttributeProto *value = ztl_onnx_attribute(c->node, "value");
    if (value)
        return take_float(c, (double)value->f, ztl_onnx_in(c->graph, c->node, 0)->type);
    if (!ztl_onnx_in(c->graph, c->node, 2))
        return ONNX_MOVES;
    if (!ztl_onnx_in(c->graph, c->node, 2)->buffer) {
        c->unknown = ztl_onnx_in(c->graph, c->node, 2);
        return ONNX_WAITS;
    }
    if (ztl_onnx_count(ztl_onnx_in(c->graph, c->node, 2)) != 1)
        return ztl_onnx_wrong(c, "constant_value is not one element");
    take_bits(ztl_onnx_in(c->graph, c->node, 2), 0, &c->op.value, c->op.wide);
    return ONNX_MOVES;
}

answer ztl_onnx_one_hot(onnx_call *c)
{
    c->op.kind = ZTL_OPS_ONE_HOT;
    ztl_onnx_set_axis(c, -1);
    const onnx_value *indices = ztl_onnx_in(c->graph, c->node, 0),
                     *depth = ztl_onnx_in(c->graph, c->node, 1),
                     *values = ztl_onnx_in(c->graph, c->node, 2);
    c->unknown = !indices->buffer ? indices : !depth->buffer ? depth : values;
    if (!c->unknown->buffer)
        return ONNX_WAITS;
    if (ztl_onnx_count(depth) != 1 || ztl_onnx_count(values) != 2)
        return ztl_onnx_wrong(c, "depth is not one element, or values are not two");
    answer a = ztl_onnx_take_integers(c, 0, &c->op.indices);
    c->op.has_indices_shape = true;
    c->op.indices_shape = (ztl_ops_list){indices->extent, (size_t)indices->rank};
    c->op.depth = ztl_onnx_integer(depth, 0);
    c->op.bits = ztl_onnx_bits(values->type);
    take_bits(values, 0, &c->op.value, c->op.wide);
    take_bits(values, 1, &c->op.on[0], c->op.on + 1);
    c->type = values->type;
    return a;
}

/* The bits of a 1. */
static bool one_of(int type, uint64_t *bits)
{
    static const uint16_t high[ONNX_TYPES] = {[ONNX_FLOAT] = 0x3f80,
                                              [ONNX_DOUBLE] = 0x3ff0,
                                              [ONNX_FLOAT16] = 0x3c00,
                                              [ONNX_BFLOAT16] = 0x3f80};
    if (!ztl_onnx_is_float(type) && !ztl_onnx_is_integer(type))
        return false;
    *bits = ztl_onnx_is_float(type) ? (uint64_t)high[type] << (ztl_onnx_bits(type) - 16) : 1;
    return true;
}

answer ztl_onnx_eye_like(onnx_call *c)
{
    ztl_onnx_start(c, ztl_ops_new(ZTL_OPS_EYE_LIKE));
    c->type = (int)ztl_onnx_int(
        c->node, "dtype",
        ztl_onnx_in(c->graph, c->node, 0) ? ztl_onnx_in(c->graph, c->node, 0)->type : 0);
    c->op.k = ztl_onnx_int(c->node, "k", 0);
    c->op.bits = ztl_onnx_bits(c->type);
    return one_of(c->type, &c->op.on[0]) ? ONNX_MOVES
                                         : ztl_onnx_other(c, "a type of elements without a 1");
}

answer ztl_onnx_constant_of_shape(onnx_call *c)
{
    const Onnx__AttributeProto *value = ztl_onnx_attribute(c->node, "value");
    c->op.kind = ZTL_OPS_CONSTANT_OF_SHAPE;
    c->type = ONNX_FLOAT;
    if (value && value->t) {
        onnx_value one = {0};
        if (!ztl_onnx_read_tensor(value->t, NULL, &one, c->error))
            return ONNX_WRONG;
        c->type = one.type;
        if (ztl_onnx_count(&one) == 1)
            take_bits(&one, 0, &c->op.value, c->op.wide);
        size_t count = ztl_onnx_count(&one);
        ztl_onnx_release(one.buffer);
        if (count != 1)
            return ztl_onnx_wrong(c, "value is not one element");
    }
    c->op.bits = ztl_onnx_bits(c->type);
    return ztl_onnx_list(c, 0, &c->op.shape);
}
