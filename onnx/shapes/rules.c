/* SPDX-License-Identifier: Apache-2.0
 * The rules that need few lines.
 */
#include <math.h>
#include <string.h>

#include "onnx/shapes/shapes.h"

typedef const onnx_shaping shaping;

static void give_like(shaping *s, size_t o, int type, const onnx_value *like)
{
    ztl_onnx_give(s, o, type, like->rank, like->extent);
}

void ztl_onnx_rule_same(shaping *s)
{
    const onnx_value *in = ztl_onnx_shaped(s, 0);
    if (in)
        give_like(s, 0, s->type, in);
}

/* Before opset 7, the second input was stretched to the first. */
void ztl_onnx_rule_broadcast(shaping *s)
{
    int64_t extent[ONNX_RANK];
    int rank = 0;
    if (s->graph->opset < 7 && s->node->inputs == 2) {
        ztl_onnx_rule_same(s);
        return;
    }
    for (size_t i = 0; i < s->node->inputs; i++)
        if (!ztl_onnx_shaped(s, i) || !ztl_onnx_broadcast(ztl_onnx_shaped(s, i), &rank, extent))
            return;
    if (s->node->inputs)
        ztl_onnx_give(s, 0, s->type, rank, extent);
}

void ztl_onnx_rule_dropout(shaping *s)
{
    const onnx_value *in = ztl_onnx_shaped(s, 0);
    ztl_onnx_rule_same(s);
    if (in)
        give_like(s, 1, s->graph->opset >= 10 ? ONNX_BOOL : s->type, in);
}

/* Behind the output: what training changes, a number for each channel. */
void ztl_onnx_rule_batch_norm(shaping *s)
{
    const onnx_value *mean = ztl_onnx_shaped(s, 3);
    ztl_onnx_rule_same(s);
    for (size_t i = 1; mean && i < s->node->outputs; i++)
        give_like(s, i, mean->type, mean);
}

/* Behind the output: mean and deviation, of 1 along the axes they are taken over. */
void ztl_onnx_rule_layer_norm(shaping *s)
{
    const onnx_value *in = ztl_onnx_shaped(s, 0);
    int axis, type = (int)ztl_onnx_int(s->node, "stash_type", ONNX_FLOAT);
    ztl_onnx_rule_same(s);
    if (!in || !ztl_onnx_axis(ztl_onnx_int(s->node, "axis", -1), in->rank, &axis))
        return;
    onnx_value small = *in;
    for (int d = axis; d < in->rank; d++)
        small.extent[d] = 1;
    give_like(s, 1, type, &small);
    give_like(s, 2, type, &small);
}

void ztl_onnx_rule_quantize(shaping *s)
{
    ztl_onnx_rule_same(s);
    ztl_onnx_give(s, 1, ONNX_FLOAT, 0, NULL);
    ztl_onnx_give(s, 2, ONNX_UINT8, 0, NULL);
}

void ztl_onnx_rule_from_attribute(shaping *s)
{
    const Onnx__AttributeProto *shape = ztl_onnx_attribute(s->node, "shape");
    if (shape && shape->n_ints <= ONNX_RANK)
        ztl_onnx_give(s, 0, s->type, (int)shape->n_ints, shape->ints);
}

void ztl_onnx_rule_global_pool(shaping *s)
{
    const onnx_value *in = ztl_onnx_shaped(s, 0);
    if (!in || in->rank < 2)
        return;
    onnx_value out = *in;
    for (int d = 2; d < in->rank; d++)
        out.extent[d] = 1;
    give_like(s, 0, s->type, &out);
}

void ztl_onnx_rule_grid_sample(shaping *s)
{
    const onnx_value *in = ztl_onnx_shaped(s, 0), *grid = ztl_onnx_shaped(s, 1);
    if (!in || !grid || in->rank < 3 || grid->rank != in->rank)
        return;
    onnx_value out = *in;
    memcpy(out.extent + 2, grid->extent + 1, (size_t)(in->rank - 2) * sizeof *out.extent);
    give_like(s, 0, s->type, &out);
}

/* A piece of the image for each region. */
void ztl_onnx_rule_roi(shaping *s)
{
    const onnx_value *in = ztl_onnx_shaped(s, 0), *regions = ztl_onnx_shaped(s, 1);
    const Onnx__AttributeProto *pooled = ztl_onnx_attribute(s->node, "pooled_shape");
    if (!in || !regions || in->rank != 4 || regions->rank != 2 || (pooled && pooled->n_ints != 2))
        return;
    int64_t extent[] = {regions->extent[0], in->extent[1],
                        pooled ? pooled->ints[0] : ztl_onnx_int(s->node, "output_height", 1),
                        pooled ? pooled->ints[1] : ztl_onnx_int(s->node, "output_width", 1)};
    ztl_onnx_give(s, 0, s->type, 4, extent);
}

/* Queries, keys and values with their heads in a dimension of their own, or within the last. */
void ztl_onnx_rule_attention(shaping *s)
{
    const onnx_value *q = ztl_onnx_shaped(s, 0), *v = ztl_onnx_shaped(s, 2);
    int64_t heads = ztl_onnx_int(s->node, "q_num_heads", 0), out;
    int64_t shared = ztl_onnx_int(s->node, "kv_num_heads", 0);
    if (!q || !v || q->rank != v->rank || q->rank < 3 || q->rank > 4 ||
        (q->rank == 3 && shared < 1))
        return;
    onnx_value made = *q;
    out = v->extent[v->rank - 1];
    if (q->rank == 3 && __builtin_mul_overflow(out / shared, heads, &out))
        return;
    made.extent[q->rank - 1] = out;
    give_like(s, 0, s->type, &made);
}

/* An input that is one number, known now; -1 otherwise. */
static int64_t one_number(shaping *s, size_t input)
{
    const onnx_value *value = ztl_onnx_in(s->graph, s->node, input);
    bool known = value && value->buffer && ztl_onnx_count(value) == 1;
    return known ? ztl_onnx_integer(value, 0) : -1;
}

void ztl_onnx_rule_top_k(shaping *s)
{
    const onnx_value *in = ztl_onnx_shaped(s, 0);
    int axis;
    if (!in || !ztl_onnx_axis(ztl_onnx_int(s->node, "axis", -1), in->rank, &axis))
        return;
    onnx_value out = *in;
    out.extent[axis] = ztl_onnx_int(s->node, "k", one_number(s, 1));
    give_like(s, 0, s->type, &out);
    give_like(s, 1, ONNX_INT64, &out);
}

void ztl_onnx_rule_det(shaping *s)
{
    const onnx_value *in = ztl_onnx_shaped(s, 0);
    if (in && in->rank >= 2)
        ztl_onnx_give(s, 0, s->type, in->rank - 2, in->extent);
}

/* All states, the last one, and LSTM's last cell. */
void ztl_onnx_rule_recurrent(shaping *s)
{
    const onnx_value *in = ztl_onnx_shaped(s, 0), *weight = ztl_onnx_shaped(s, 2);
    bool batch_first = ztl_onnx_int(s->node, "layout", 0);
    int64_t ways = ztl_onnx_word_is(s->node, "direction", "bidirectional", "forward") ? 2 : 1;
    if (!in || !weight || in->rank != 3 || weight->rank != 3)
        return;
    int64_t steps = in->extent[batch_first], batch = in->extent[!batch_first];
    int64_t hidden = ztl_onnx_int(s->node, "hidden_size", weight->extent[2]);
    const int64_t all[][4] = {{steps, ways, batch, hidden}, {batch, steps, ways, hidden}};
    const int64_t last[][3] = {{ways, batch, hidden}, {batch, ways, hidden}};
    ztl_onnx_give(s, 0, s->type, 4, all[batch_first]);
    ztl_onnx_give(s, 1, s->type, 3, last[batch_first]);
    ztl_onnx_give(s, 2, s->type, 3, last[batch_first]);
}

/* A shape with `count` dimensions at `axis` replaced by others. */
static void splice(shaping *s, const onnx_value *in, int axis, int count, const int64_t *other,
                   int others)
{
    int64_t extent[3 * ONNX_RANK];
    int behind = in->rank - axis - count;
    memcpy(extent, in->extent, (size_t)axis * sizeof *extent);
    memcpy(extent + axis, other, (size_t)others * sizeof *extent);
    memcpy(extent + axis + others, in->extent + axis + count, (size_t)behind * sizeof *extent);
    ztl_onnx_give(s, 0, s->type, axis + others + behind, extent);
}

void ztl_onnx_rule_gather(shaping *s)
{
    const onnx_value *in = ztl_onnx_shaped(s, 0), *indices = ztl_onnx_shaped(s, 1);
    int axis;
    if (in && indices && ztl_onnx_axis(ztl_onnx_int(s->node, "axis", 0), in->rank, &axis))
        splice(s, in, axis, 1, indices->extent, indices->rank);
}

void ztl_onnx_rule_one_hot(shaping *s)
{
    const onnx_value *indices = ztl_onnx_shaped(s, 0);
    int64_t depth = one_number(s, 1);
    int axis;
    if (indices && ztl_onnx_axis(ztl_onnx_int(s->node, "axis", -1), indices->rank + 1, &axis))
        splice(s, indices, axis, 0, &depth, 1);
}

/* Pad with a value that is not known yet. */
void ztl_onnx_rule_pad(shaping *s)
{
    const onnx_value *in = ztl_onnx_shaped(s, 0), *pads = ztl_onnx_in(s->graph, s->node, 1);
    size_t rank = in ? (size_t)in->rank : 0;
    if (!in || !pads || !pads->buffer || ztl_onnx_count(pads) != 2 * rank || s->node->inputs > 3)
        return;
    onnx_value out = *in;
    for (size_t d = 0; d < rank; d++)
        for (size_t end = 0; end < 2; end++)
            if (__builtin_add_overflow(out.extent[d], ztl_onnx_integer(pads, d + end * rank),
                                       &out.extent[d]))
                return;
    give_like(s, 0, s->type, &out);
}

/* The factor of each dimension: an attribute of old models, or an input; NAN where it is not known.
 */
static float scale_of(shaping *s, size_t input, int rank, int d)
{
    const Onnx__AttributeProto *a = ztl_onnx_attribute(s->node, "scales");
    const onnx_value *value = ztl_onnx_in(s->graph, s->node, input);
    if (a)
        return a->n_floats == (size_t)rank ? a->floats[d] : NAN;
    bool known = value && value->buffer && ztl_onnx_count(value) == (size_t)rank;
    return known ? (float)ztl_onnx_real(value, (size_t)d) : NAN;
}

/* Every mode but those that choose a region, a part of the axes or a ratio. */
void ztl_onnx_rule_resize(shaping *s)
{
    const onnx_value *in = ztl_onnx_shaped(s, 0), *sizes = ztl_onnx_in(s->graph, s->node, 3);
    bool is_new = !strcmp(s->node->kind, "Resize") && s->graph->opset > 10;
    if (!in || ztl_onnx_attribute(s->node, "axes") ||
        !ztl_onnx_word_is(s->node, "keep_aspect_ratio_policy", "stretch", "stretch"))
        return;
    onnx_value out = *in;
    bool is_sized = is_new && sizes && sizes->buffer && ztl_onnx_count(sizes) == (size_t)in->rank;
    if (!is_sized &&
        ztl_onnx_word_is(s->node, "coordinate_transformation_mode", "tf_crop_and_resize", ""))
        return;
    for (int d = 0; d < in->rank; d++) {
        float extent = floorf((float)in->extent[d] * scale_of(s, is_new ? 2 : 1, in->rank, d));
        bool fits = extent >= 0 && extent < 1e9F;
        out.extent[d] = is_sized ? ztl_onnx_integer(sizes, (size_t)d) : fits ? (int64_t)extent : -1;
    }
    give_like(s, 0, s->type, &out);
}
