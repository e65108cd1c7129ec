/* SPDX-License-Identifier: Apache-2.0
 *
 * One function for each operator, in the table at the end. Attributes became inputs over the
 * versions of ONNX: where the older form and the newer one have the same name, both are looked for.
 */
#include "onnx/convert/convert.h"

#include <stdlib.h>
#include <string.h>

#include "host/error.h"

typedef enum onnx_answer answer;

answer ztl_onnx_wrong(onnx_call *c, const char *what)
{
    ztl_fail(c->error, "%s", what);
    return ONNX_WRONG;
}

static answer other(onnx_call *c, const char *what)
{
    ztl_fail(c->error, "%s", what);
    return ONNX_OTHER;
}

void *ztl_onnx_room(onnx_call *c, size_t count, size_t size)
{
    void *room = c->lists < ONNX_LISTS ? calloc(count + 1, size) : NULL;
    if (room)
        c->list[c->lists++] = room;
    return room;
}

static const onnx_value *input(const onnx_call *c, size_t i)
{
    return ztl_onnx_in(c->graph, c->node, i);
}

/* An operator on the node's first input. */
static void start(onnx_call *c, ztl_ops_op op)
{
    c->op = op;
    c->in[0] = input(c, 0);
    c->inputs = 1;
}

answer ztl_onnx_parameter(onnx_call *c, size_t i, size_t size, onnx_parameter *p)
{
    *p = (onnx_parameter){.value = input(c, i)};
    if (!p->value)
        return ONNX_MOVES;
    if (!p->value->buffer) {
        c->unknown = p->value;
        return ONNX_WAITS;
    }
    p->count = ztl_onnx_count(p->value);
    p->room = ztl_onnx_room(c, p->count, size);
    return p->room ? ONNX_MOVES : ztl_onnx_wrong(c, "out of memory");
}

/* The numbers of an input, of whatever type it is, as integers. */
static answer take_integers(onnx_call *c, size_t i, ztl_ops_list *list)
{
    onnx_parameter p;
    answer a = ztl_onnx_parameter(c, i, sizeof(int64_t), &p);
    int64_t *number = p.room;
    for (size_t k = 0; number && k < p.count; k++)
        number[k] = ztl_onnx_integer(p.value, k);
    if (number)
        *list = (ztl_ops_list){number, p.count};
    return a;
}

/* The integers of an input that is a parameter. */
answer ztl_onnx_list(onnx_call *c, size_t i, ztl_ops_list *list)
{
    const onnx_value *value = input(c, i);
    if (value && value->buffer && !ztl_onnx_is_integer(value->type))
        return ztl_onnx_wrong(c, "a parameter is not of integers");
    return take_integers(c, i, list);
}

static bool attribute_list(const onnx_call *c, const char *name, ztl_ops_list *list)
{
    const Onnx__AttributeProto *a = ztl_onnx_attribute(c->node, name);
    if (a)
        *list = (ztl_ops_list){a->ints, a->n_ints};
    return a;
}

/* A list that is an attribute in old models and an input in new ones. */
static answer either_list(onnx_call *c, const char *name, size_t i, ztl_ops_list *list)
{
    return attribute_list(c, name, list) ? ONNX_MOVES : ztl_onnx_list(c, i, list);
}

static answer set_axis(onnx_call *c, int64_t otherwise)
{
    c->op.has_axis = true;
    c->op.axis = ztl_onnx_int(c->node, "axis", otherwise);
    return ONNX_MOVES;
}

static answer transpose(onnx_call *c)
{
    start(c, ztl_ops_transpose(NULL, 0));
    attribute_list(c, "perm", &c->op.perm);
    return ONNX_MOVES;
}

static answer concat(onnx_call *c)
{
    c->op.kind = ZTL_OPS_CONCAT;
    if (c->node->inputs > ZTL_OPS_BUFFERS)
        return other(c, "more than 64 inputs");
    for (size_t i = 0; i < c->node->inputs; i++)
        c->in[c->inputs++] = input(c, i);
    if (!ztl_onnx_attribute(c->node, "axis") && c->graph->opset >= 4)
        return ztl_onnx_wrong(c, "axis is missing");
    return set_axis(c, 1);
}

static answer reshape(onnx_call *c)
{
    start(c, ztl_ops_reshape(NULL, 0));
    c->op.allowzero = ztl_onnx_int(c->node, "allowzero", 0);
    answer a = either_list(c, "shape", 1, &c->op.shape);
    if (a == ONNX_MOVES && !c->op.shape.value)
        return ztl_onnx_wrong(c, "shape is missing");
    return a;
}

static answer flatten(onnx_call *c)
{
    start(c, ztl_ops_flatten(ztl_onnx_int(c->node, "axis", 1)));
    return ONNX_MOVES;
}

static answer squeeze(onnx_call *c)
{
    start(c, ztl_ops_squeeze(NULL, 0));
    return either_list(c, "axes", 1, &c->op.axes);
}

static answer unsqueeze(onnx_call *c)
{
    start(c, ztl_ops_unsqueeze(NULL, 0));
    return either_list(c, "axes", 1, &c->op.axes);
}

static answer identity(onnx_call *c)
{
    start(c, ztl_ops_identity());
    return ONNX_MOVES;
}

/* Slice has always said "to the end" with a number that is too large, and a list that is longer
 * than the tensor has dimensions does not exist. */
static answer slice(onnx_call *c)
{
    static const struct {
        const char *name;
        size_t offset;
    } part[] = {{"starts", offsetof(ztl_ops_op, starts)},
                {"ends", offsetof(ztl_ops_op, ends)},
                {"axes", offsetof(ztl_ops_op, axes)},
                {"steps", offsetof(ztl_ops_op, steps)}};
    c->op.kind = ZTL_OPS_SLICE;
    start(c, c->op);
    for (size_t i = 0; i < 4; i++) {
        answer a = either_list(c, part[i].name, i + 1,
                               (ztl_ops_list *)(void *)((char *)&c->op + part[i].offset));
        if (a != ONNX_MOVES)
            return a;
    }
    return ONNX_MOVES;
}

static answer split(onnx_call *c)
{
    start(c, ztl_ops_split(0, NULL, 0));
    set_axis(c, 0);
    answer a = either_list(c, "split", 1, &c->op.split);
    c->op.num_outputs = ztl_onnx_int(c->node, "num_outputs", 0);
    if (a == ONNX_MOVES && !c->op.split.count && !c->op.num_outputs)
        c->op.num_outputs = (int64_t)c->node->outputs;
    return a;
}

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
        return other(c, "a value other than 0 as a float for such elements");
    return ONNX_MOVES;
}

static answer pad(onnx_call *c)
{
    static const char *const modes[] = {"constant", "edge", "reflect", "wrap"};
    unsigned mode = 0;
    c->op.kind = ZTL_OPS_PAD;
    start(c, c->op);
    while (mode < 4 && !ztl_onnx_word_is(c->node, "mode", modes[mode], "constant"))
        mode++;
    if (mode == 4)
        return ztl_onnx_wrong(c, "mode is not constant, edge, reflect or wrap");
    c->op.mode = (enum ztl_ops_mode)mode;
    answer a = either_list(c, ztl_onnx_attribute(c->node, "paddings") ? "paddings" : "pads", 1,
                           &c->op.pads);
    if (a == ONNX_MOVES)
        a = ztl_onnx_list(c, 3, &c->op.axes);
    if (a != ONNX_MOVES || mode)
        return a;
    const Onnx__AttributeProto *value = ztl_onnx_attribute(c->node, "value");
    if (value)
        return take_float(c, (double)value->f, input(c, 0)->type);
    if (!input(c, 2))
        return ONNX_MOVES;
    if (!input(c, 2)->buffer) {
        c->unknown = input(c, 2);
        return ONNX_WAITS;
    }
    if (ztl_onnx_count(input(c, 2)) != 1)
        return ztl_onnx_wrong(c, "constant_value is not one element");
    take_bits(input(c, 2), 0, &c->op.value, c->op.wide);
    return ONNX_MOVES;
}

static answer compress(onnx_call *c)
{
    start(c, ztl_ops_new(ZTL_OPS_COMPRESS));
    c->op.has_axis = ztl_onnx_attribute(c->node, "axis");
    c->op.axis = ztl_onnx_int(c->node, "axis", 0);
    return ztl_onnx_list(c, 1, &c->op.condition);
}

static answer gather(onnx_call *c)
{
    start(c, ztl_ops_new(ZTL_OPS_GATHER));
    set_axis(c, 0);
    answer a = ztl_onnx_list(c, 1, &c->op.indices);
    if (a != ONNX_MOVES)
        return a;
    const onnx_value *indices = input(c, 1);
    c->op.has_indices_shape = true;
    c->op.indices_shape = (ztl_ops_list){indices->extent, (size_t)indices->rank};
    return ONNX_MOVES;
}

/* Operators whose indices are one of the buffers. */
static answer indexed(onnx_call *c, enum ztl_ops_kind kind, size_t inputs)
{
    if (!ztl_onnx_word_is(c->node, "reduction", "none", "none"))
        return other(c, "with a reduction: that is arithmetic");
    c->op.kind = kind;
    for (size_t i = 0; i < inputs; i++)
        c->in[c->inputs++] = input(c, i);
    return ONNX_MOVES;
}

static answer gather_elements(onnx_call *c)
{
    set_axis(c, 0);
    return indexed(c, ZTL_OPS_GATHER_ELEMENTS, 2);
}

static answer gather_nd(onnx_call *c)
{
    c->op.batch_dims = ztl_onnx_int(c->node, "batch_dims", 0);
    return indexed(c, ZTL_OPS_GATHER_ND, 2);
}

static answer scatter_elements(onnx_call *c)
{
    set_axis(c, 0);
    return indexed(c, ZTL_OPS_SCATTER_ELEMENTS, 3);
}

static answer scatter_nd(onnx_call *c)
{
    return indexed(c, ZTL_OPS_SCATTER_ND, 3);
}

static answer depth_to_space(onnx_call *c)
{
    start(c, ztl_ops_new(ZTL_OPS_DEPTH_TO_SPACE));
    c->op.blocksize = ztl_onnx_int(c->node, "blocksize", 0);
    c->op.mode = ztl_onnx_word_is(c->node, "mode", "CRD", "DCR") ? ZTL_OPS_CRD : ZTL_OPS_DCR;
    return ONNX_MOVES;
}

static answer space_to_depth(onnx_call *c)
{
    start(c, ztl_ops_new(ZTL_OPS_SPACE_TO_DEPTH));
    c->op.blocksize = ztl_onnx_int(c->node, "blocksize", 0);
    c->op.mode = ZTL_OPS_DCR;
    return ONNX_MOVES;
}

static answer tile(onnx_call *c)
{
    start(c, ztl_ops_new(ZTL_OPS_TILE));
    return ztl_onnx_list(c, 1, &c->op.repeats);
}

/* Both sides broadcast. */
static answer expand(onnx_call *c)
{
    ztl_ops_list shape = {0};
    start(c, ztl_ops_new(ZTL_OPS_EXPAND));
    answer a = ztl_onnx_list(c, 1, &shape);
    if (a != ONNX_MOVES)
        return a;
    const onnx_value *in = input(c, 0);
    size_t rank = in->rank > 0 ? (size_t)in->rank : 0;
    size_t most = shape.count > rank ? shape.count : rank;
    int64_t *extent = ztl_onnx_room(c, most, sizeof *extent);
    if (!extent)
        return ztl_onnx_wrong(c, "out of memory");
    for (size_t d = 0; d < most; d++) {
        int64_t mine = d < rank ? in->extent[rank - 1 - d] : 1;
        int64_t wanted = d < shape.count ? shape.value[shape.count - 1 - d] : 1;
        extent[most - 1 - d] = wanted == 1 ? mine : wanted;
    }
    c->op.shape = (ztl_ops_list){extent, most};
    return ONNX_MOVES;
}

static answer reverse_sequence(onnx_call *c)
{
    start(c, ztl_ops_new(ZTL_OPS_REVERSE_SEQUENCE));
    c->op.batch_axis = ztl_onnx_int(c->node, "batch_axis", 1);
    c->op.time_axis = ztl_onnx_int(c->node, "time_axis", 0);
    return ztl_onnx_list(c, 1, &c->op.sequence_lens);
}

static answer where(onnx_call *c)
{
    answer a = indexed(c, ZTL_OPS_WHERE, 3);
    if (a == ONNX_MOVES)
        c->type = c->in[1]->type;
    return a;
}

static answer one_hot(onnx_call *c)
{
    c->op.kind = ZTL_OPS_ONE_HOT;
    set_axis(c, -1);
    const onnx_value *indices = input(c, 0), *depth = input(c, 1), *values = input(c, 2);
    c->unknown = !indices->buffer ? indices : !depth->buffer ? depth : values;
    if (!c->unknown->buffer)
        return ONNX_WAITS;
    if (ztl_onnx_count(depth) != 1 || ztl_onnx_count(values) != 2)
        return ztl_onnx_wrong(c, "depth is not one element, or values are not two");
    answer a = take_integers(c, 0, &c->op.indices);
    c->op.has_indices_shape = true;
    c->op.indices_shape = (ztl_ops_list){indices->extent, (size_t)indices->rank};
    c->op.depth = ztl_onnx_integer(depth, 0);
    c->op.bits = ztl_onnx_bits(values->type);
    take_bits(values, 0, &c->op.value, c->op.wide);
    take_bits(values, 1, &c->op.on[0], c->op.on + 1);
    c->type = values->type;
    return a;
}

static answer trilu(onnx_call *c)
{
    ztl_ops_list k = {0};
    answer a = ztl_onnx_list(c, 1, &k);
    if (a != ONNX_MOVES)
        return a;
    if (k.count > 1)
        return ztl_onnx_wrong(c, "k is not one number");
    start(c, ztl_ops_trilu(ztl_onnx_int(c->node, "upper", 1), k.count ? k.value[0] : 0));
    return ONNX_MOVES;
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

static answer eye_like(onnx_call *c)
{
    start(c, ztl_ops_new(ZTL_OPS_EYE_LIKE));
    c->type = (int)ztl_onnx_int(c->node, "dtype", input(c, 0) ? input(c, 0)->type : 0);
    c->op.k = ztl_onnx_int(c->node, "k", 0);
    c->op.bits = ztl_onnx_bits(c->type);
    return one_of(c->type, &c->op.on[0]) ? ONNX_MOVES : other(c, "a type of elements without a 1");
}

static answer constant_of_shape(onnx_call *c)
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

static answer center_crop_pad(onnx_call *c)
{
    start(c, ztl_ops_new(ZTL_OPS_CENTER_CROP_PAD));
    attribute_list(c, "axes", &c->op.axes);
    return ztl_onnx_list(c, 1, &c->op.shape);
}

static const struct {
    const char *kind;
    answer (*convert)(onnx_call *c);
} table[] = {
    {"CenterCropPad", center_crop_pad},
    {"Compress", compress},
    {"Concat", concat},
    {"ConstantOfShape", constant_of_shape},
    {"DepthToSpace", depth_to_space},
    {"Expand", expand},
    {"EyeLike", eye_like},
    {"Flatten", flatten},
    {"Gather", gather},
    {"GatherElements", gather_elements},
    {"GatherND", gather_nd},
    {"Identity", identity},
    {"OneHot", one_hot},
    {"Pad", pad},
    {"Reshape", reshape},
    {"Resize", ztl_onnx_resize},
    {"ReverseSequence", reverse_sequence},
    {"Scatter", scatter_elements},
    {"ScatterElements", scatter_elements},
    {"ScatterND", scatter_nd},
    {"Slice", slice},
    {"SpaceToDepth", space_to_depth},
    {"Split", split},
    {"Squeeze", squeeze},
    {"Tile", tile},
    {"Transpose", transpose},
    {"Trilu", trilu},
    {"Unsqueeze", unsqueeze},
    {"Upsample", ztl_onnx_upsample},
    {"Where", where},
};

enum { KINDS = sizeof table / sizeof table[0] };

static size_t row_of(const onnx_node *node)
{
    for (size_t i = 0; i < KINDS; i++)
        if (!node->is_foreign && !strcmp(node->kind, table[i].kind))
            return i;
    return KINDS;
}

bool ztl_onnx_is_movement(const onnx_node *node)
{
    return row_of(node) < KINDS;
}

static answer check_inputs(onnx_call *c)
{
    for (size_t i = 0; i < c->inputs; i++) {
        if (c->in[i]->other) {
            ztl_fail(c->error, "%s is %s, not a tensor", c->in[i]->name, c->in[i]->other);
            return ONNX_OTHER;
        }
        if (c->in[i]->type && !ztl_onnx_bits(c->in[i]->type)) {
            ztl_fail(c->error, "%s: elements are %s", c->in[i]->name,
                     ztl_onnx_type_name(c->in[i]->type));
            return ONNX_OTHER;
        }
        if (!ztl_onnx_is_shaped(c->in[i])) {
            c->unknown = c->in[i];
            return ONNX_WAITS;
        }
    }
    if (!c->type && c->inputs)
        c->type = c->in[0]->type;
    return ONNX_MOVES;
}

answer ztl_onnx_convert(const onnx_graph *graph, const onnx_node *node, onnx_call *call,
                        ztl_error *error)
{
    size_t row = row_of(node);
    *call = (onnx_call){.graph = graph, .node = node, .error = error};
    if (row == KINDS)
        return other(call, "no data movement");
    answer a = table[row].convert(call);
    answer b = a == ONNX_MOVES || a == ONNX_WAITS ? check_inputs(call) : a;
    return b == ONNX_MOVES ? a : b;
}

void ztl_onnx_call_free(onnx_call *call)
{
    while (call->lists)
        free(call->list[--call->lists]);
}

size_t ztl_onnx_call_shapes(const onnx_call *c, ztl_ops_tensor *in, ztl_ops_tensor *out,
                            ztl_error *error)
{
    for (size_t i = 0; i < c->inputs; i++)
        if (!ztl_onnx_tensor(c->in[i], &in[i])) {
            ztl_fail(error, "%s is too large", c->in[i]->name);
            return 0;
        }
    return ztl_ops_infer(&c->op, in, c->inputs, out, ZTL_OPS_BUFFERS, error);
}
