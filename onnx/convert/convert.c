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

answer ztl_onnx_other(onnx_call *c, const char *what)
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
void ztl_onnx_start(onnx_call *c, ztl_ops_op op)
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
answer ztl_onnx_take_integers(onnx_call *c, size_t i, ztl_ops_list *list)
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
    return ztl_onnx_take_integers(c, i, list);
}

bool ztl_onnx_attribute_list(const onnx_call *c, const char *name, ztl_ops_list *list)
{
    const Onnx__AttributeProto *a = ztl_onnx_attribute(c->node, name);
    if (a)
        *list = (ztl_ops_list){a->ints, a->n_ints};
    return a;
}

/* A list that is an attribute in old models and an input in new ones. */
answer ztl_onnx_either_list(onnx_call *c, const char *name, size_t i, ztl_ops_list *list)
{
    return ztl_onnx_attribute_list(c, name, list) ? ONNX_MOVES : ztl_onnx_list(c, i, list);
}

answer ztl_onnx_set_axis(onnx_call *c, int64_t otherwise)
{
    c->op.has_axis = true;
    c->op.axis = ztl_onnx_int(c->node, "axis", otherwise);
    return ONNX_MOVES;
}

static answer transpose(onnx_call *c)
{
    ztl_onnx_start(c, ztl_ops_transpose(NULL, 0));
    ztl_onnx_attribute_list(c, "perm", &c->op.perm);
    return ONNX_MOVES;
}

static answer concat(onnx_call *c)
{
    c->op.kind = ZTL_OPS_CONCAT;
    if (c->node->inputs > ZTL_OPS_BUFFERS)
        return ztl_onnx_other(c, "more than 64 inputs");
    for (size_t i = 0; i < c->node->inputs; i++)
        c->in[c->inputs++] = input(c, i);
    if (!ztl_onnx_attribute(c->node, "axis") && c->graph->opset >= 4)
        return ztl_onnx_wrong(c, "axis is missing");
    return ztl_onnx_set_axis(c, 1);
}

static answer reshape(onnx_call *c)
{
    ztl_onnx_start(c, ztl_ops_reshape(NULL, 0));
    c->op.allowzero = ztl_onnx_int(c->node, "allowzero", 0);
    answer a = ztl_onnx_either_list(c, "shape", 1, &c->op.shape);
    if (a == ONNX_MOVES && !c->op.shape.value)
        return ztl_onnx_wrong(c, "shape is missing");
    return a;
}

static answer flatten(onnx_call *c)
{
    ztl_onnx_start(c, ztl_ops_flatten(ztl_onnx_int(c->node, "axis", 1)));
    return ONNX_MOVES;
}

static answer squeeze(onnx_call *c)
{
    ztl_onnx_start(c, ztl_ops_squeeze(NULL, 0));
    return ztl_onnx_either_list(c, "axes", 1, &c->op.axes);
}

static answer unsqueeze(onnx_call *c)
{
    ztl_onnx_start(c, ztl_ops_unsqueeze(NULL, 0));
    return ztl_onnx_either_list(c, "axes", 1, &c->op.axes);
}

static answer identity(onnx_call *c)
{
    ztl_onnx_start(c, ztl_ops_identity());
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
    ztl_onnx_start(c, c->op);
    for (size_t i = 0; i < 4; i++) {
        answer a = ztl_onnx_either_list(c, part[i].name, i + 1,
                                        (ztl_ops_list *)(void *)((char *)&c->op + part[i].offset));
        if (a != ONNX_MOVES)
            return a;
    }
    return ONNX_MOVES;
}

static answer split(onnx_call *c)
{
    ztl_onnx_start(c, ztl_ops_split(0, NULL, 0));
    ztl_onnx_set_axis(c, 0);
    answer a = ztl_onnx_either_list(c, "split", 1, &c->op.split);
    c->op.num_outputs = ztl_onnx_int(c->node, "num_outputs", 0);
    if (a == ONNX_MOVES && !c->op.split.count && !c->op.num_outputs)
        c->op.num_outputs = (int64_t)c->node->outputs;
    return a;
}

static answer depth_to_space(onnx_call *c)
{
    ztl_onnx_start(c, ztl_ops_new(ZTL_OPS_DEPTH_TO_SPACE));
    c->op.blocksize = ztl_onnx_int(c->node, "blocksize", 0);
    c->op.mode = ztl_onnx_word_is(c->node, "mode", "CRD", "DCR") ? ZTL_OPS_CRD : ZTL_OPS_DCR;
    return ONNX_MOVES;
}

static answer space_to_depth(onnx_call *c)
{
    ztl_onnx_start(c, ztl_ops_new(ZTL_OPS_SPACE_TO_DEPTH));
    c->op.blocksize = ztl_onnx_int(c->node, "blocksize", 0);
    c->op.mode = ZTL_OPS_DCR;
    return ONNX_MOVES;
}

static answer tile(onnx_call *c)
{
    ztl_onnx_start(c, ztl_ops_new(ZTL_OPS_TILE));
    return ztl_onnx_list(c, 1, &c->op.repeats);
}

/* Both sides broadcast. */
static answer expand(onnx_call *c)
{
    ztl_ops_list shape = {0};
    ztl_onnx_start(c, ztl_ops_new(ZTL_OPS_EXPAND));
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

static answer trilu(onnx_call *c)
{
    ztl_ops_list k = {0};
    answer a = ztl_onnx_list(c, 1, &k);
    if (a != ONNX_MOVES)
        return a;
    if (k.count > 1)
        return ztl_onnx_wrong(c, "k is not one number");
    ztl_onnx_start(c, ztl_ops_trilu(ztl_onnx_int(c->node, "upper", 1), k.count ? k.value[0] : 0));
    return ONNX_MOVES;
}

static answer center_crop_pad(onnx_call *c)
{
    ztl_onnx_start(c, ztl_ops_new(ZTL_OPS_CENTER_CROP_PAD));
    ztl_onnx_attribute_list(c, "axes", &c->op.axes);
    return ztl_onnx_list(c, 1, &c->op.shape);
}

/* The same bytes as another type; the elements are as wide. */
static answer bit_cast(onnx_call *c)
{
    ztl_onnx_start(c, ztl_ops_identity());
    c->type = (int)ztl_onnx_int(c->node, "to", 0);
    bool fits = ztl_onnx_bits(c->type) &&
                (!c->in[0]->type || ztl_onnx_bits(c->type) == ztl_onnx_bits(c->in[0]->type));
    return fits ? ONNX_MOVES : ztl_onnx_wrong(c, "`to` is no type whose elements are as wide");
}

static const struct {
    const char *kind;
    answer (*convert)(onnx_call *c);
} table[] = {
    {"BitCast", bit_cast},
    {"CenterCropPad", center_crop_pad},
    {"Compress", ztl_onnx_compress},
    {"Concat", concat},
    {"ConstantOfShape", ztl_onnx_constant_of_shape},
    {"DepthToSpace", depth_to_space},
    {"Expand", expand},
    {"EyeLike", ztl_onnx_eye_like},
    {"Flatten", flatten},
    {"Gather", ztl_onnx_gather},
    {"GatherElements", ztl_onnx_gather_elements},
    {"GatherND", ztl_onnx_gather_nd},
    {"Identity", identity},
    {"OneHot", ztl_onnx_one_hot},
    {"Pad", ztl_onnx_pad},
    {"Reshape", reshape},
    {"Resize", ztl_onnx_resize},
    {"ReverseSequence", ztl_onnx_reverse_sequence},
    {"Scatter", ztl_onnx_scatter_elements},
    {"ScatterElements", ztl_onnx_scatter_elements},
    {"ScatterND", ztl_onnx_scatter_nd},
    {"Slice", slice},
    {"SpaceToDepth", space_to_depth},
    {"Split", split},
    {"Squeeze", squeeze},
    {"TensorScatter", ztl_onnx_tensor_scatter},
    {"Tile", tile},
    {"Transpose", transpose},
    {"Trilu", trilu},
    {"Unsqueeze", unsqueeze},
    {"Upsample", ztl_onnx_upsample},
    {"Where", ztl_onnx_where},
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
        if (c->in[i]->deep) {
            ztl_fail(c->error, "an input of rank %zu, at most %d is possible", c->in[i]->deep,
                     ONNX_RANK);
            return ONNX_OTHER;
        }
        if (ztl_onnx_bits(c->in[i]->type) == 2 && !ztl_onnx_only_reshapes(c))
            return ztl_onnx_other(c, "elements of 2 bits, at least 4 are possible");
        if (!ztl_onnx_is_shaped(c->in[i])) {
            c->unknown = c->in[i];
            return ONNX_WAITS;
        }
    }
    if (!c->type && c->inputs)
        c->type = c->in[0]->type;
    return ONNX_MOVES;
}

/* The rank of the output, where it may be higher than that of the first input. */
static size_t rank_of(const onnx_call *c)
{
    size_t rank = c->inputs ? (size_t)c->in[0]->rank : 0;
    switch (c->op.kind) {
    case ZTL_OPS_RESHAPE:
    case ZTL_OPS_EXPAND:
    case ZTL_OPS_CONSTANT_OF_SHAPE:
        return c->op.shape.count;
    case ZTL_OPS_UNSQUEEZE:
        return rank + c->op.axes.count;
    case ZTL_OPS_GATHER:
        return rank + c->op.indices_shape.count - (rank > 0);
    case ZTL_OPS_ONE_HOT:
        return c->op.indices_shape.count + 1;
    case ZTL_OPS_GATHER_ND: {
        const onnx_value *at = c->in[1];
        int64_t last = at->rank ? at->extent[at->rank - 1] : 0;
        int64_t made = (int64_t)rank + at->rank - 1 - last - c->op.batch_dims;
        return made > 0 ? (size_t)made : 0;
    }
    default:
        return rank;
    }
}

static answer check_rank(onnx_call *c)
{
    size_t rank = rank_of(c);
    if (rank <= ONNX_RANK)
        return ONNX_MOVES;
    c->deep = rank;
    ztl_fail(c->error, "an output of rank %zu, at most %d is possible", rank, ONNX_RANK);
    return ONNX_OTHER;
}

answer ztl_onnx_convert(const onnx_graph *graph, const onnx_node *node, onnx_call *call,
                        ztl_error *error)
{
    size_t row = row_of(node);
    *call = (onnx_call){.graph = graph, .node = node, .error = error};
    if (row == KINDS)
        return ztl_onnx_other(call, "no data movement");
    answer a = table[row].convert(call);
    answer b = a == ONNX_MOVES || a == ONNX_WAITS ? check_inputs(call) : a;
    if (b == ONNX_MOVES)
        b = a == ONNX_MOVES ? check_rank(call) : a;
    return b;
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
    return ztl_onnx_call_outputs(c, in, out, error);
}

/* Elements of 2 bits are only reshaped: their shapes are those of wider ones. */
size_t ztl_onnx_call_outputs(const onnx_call *c, const ztl_ops_tensor *in, ztl_ops_tensor *out,
                             ztl_error *error)
{
    ztl_ops_tensor wider;
    bool is_small = c->inputs && in->bits == 2;
    if (is_small) {
        wider = *in;
        ztl_ops_dense(&wider, 8, in->rank, in->extent);
    }
    size_t outputs =
        ztl_ops_infer(&c->op, is_small ? &wider : in, c->inputs, out, ZTL_OPS_BUFFERS, error);
    if (is_small) {
        out->bits = 2;
        out->size = in->size;
    }
    return outputs;
}
