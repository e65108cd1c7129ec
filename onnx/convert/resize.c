/* SPDX-License-Identifier: Apache-2.0
 * Resize and Upsample, as far as they choose elements instead of mixing them.
 */
#include <string.h>

#include "host/error.h"
#include "onnx/convert/convert.h"

static enum onnx_answer take_reals(onnx_call *c, size_t i, ztl_ops_reals *list)
{
    onnx_parameter p;
    enum onnx_answer a = ztl_onnx_parameter(c, i, sizeof(double), &p);
    double *real = p.room;
    for (size_t k = 0; real && k < p.count; k++)
        real[k] = ztl_onnx_real(p.value, k);
    if (real)
        *list = (ztl_ops_reals){real, p.count};
    return a;
}

/* The number of a word in a list; the count of words for none. */
static unsigned word_of(const onnx_call *c, const char *name, const char *const *words,
                        unsigned count)
{
    unsigned i = 0;
    while (i < count && !ztl_onnx_word_is(c->node, name, words[i], words[0]))
        i++;
    return i;
}

static bool is_nearest(onnx_call *c)
{
    return ztl_onnx_word_is(c->node, "mode", "nearest", "nearest") ||
           ztl_fail(c->error, "interpolates: that is arithmetic, only mode nearest moves data");
}

static bool take_words(onnx_call *c)
{
    static const char *const coordinate[] = {
        "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel",  "align_corners",
        "asymmetric", "tf_crop_and_resize",   "tf_half_pixel_for_nn"};
    static const char *const nearest[] = {"round_prefer_floor", "round_prefer_ceil", "floor",
                                          "ceil"};
    static const char *const aspect[] = {"stretch", "not_larger", "not_smaller"};
    unsigned x = word_of(c, "coordinate_transformation_mode", coordinate, 7);
    unsigned n = word_of(c, "nearest_mode", nearest, 4);
    unsigned a = word_of(c, "keep_aspect_ratio_policy", aspect, 3);
    if (x == 7 || n == 4 || a == 3)
        return ztl_fail(c->error, "%s is not one that ONNX has",
                        x == 7   ? "coordinate_transformation_mode"
                        : n == 4 ? "nearest_mode"
                                 : "keep_aspect_ratio_policy");
    c->op.coordinate = (enum ztl_ops_coordinate)x;
    c->op.nearest = (enum ztl_ops_nearest)n;
    c->op.aspect = (enum ztl_ops_aspect)a;
    return true;
}

/* Version 10 rounds down and has no other inputs than scales. */
static enum onnx_answer resize_10(onnx_call *c)
{
    c->op.coordinate = ZTL_OPS_ASYMMETRIC;
    c->op.nearest = ZTL_OPS_FLOOR;
    return take_reals(c, 1, &c->op.scales);
}

/* What lies outside the region is extrapolation_value, a float. */
static enum onnx_answer take_outside(onnx_call *c)
{
    const Onnx__AttributeProto *value = ztl_onnx_attribute(c->node, "extrapolation_value");
    if (c->op.coordinate != ZTL_OPS_TF_CROP_AND_RESIZE) {
        c->op.roi = (ztl_ops_reals){0};
        return ONNX_MOVES;
    }
    if (!value || value->f == 0)
        return ONNX_MOVES;
    uint32_t bits;
    memcpy(&bits, &value->f, sizeof bits);
    c->op.value = bits;
    if (c->in[0]->type == ONNX_FLOAT)
        return ONNX_MOVES;
    ztl_fail(c->error, "an extrapolation_value other than 0 for elements that are not float32");
    return ONNX_OTHER;
}

enum onnx_answer ztl_onnx_resize(onnx_call *c)
{
    c->op.kind = ZTL_OPS_RESIZE;
    c->in[0] = ztl_onnx_in(c->graph, c->node, 0);
    c->inputs = 1;
    if (!is_nearest(c))
        return ONNX_OTHER;
    if (c->graph->opset <= 10)
        return resize_10(c);
    if (!take_words(c))
        return ONNX_WRONG;
    enum onnx_answer a = take_reals(c, 2, &c->op.scales);
    if (a == ONNX_MOVES)
        a = ztl_onnx_list(c, 3, &c->op.sizes);
    if (a == ONNX_MOVES)
        a = take_reals(c, 1, &c->op.roi);
    const Onnx__AttributeProto *axes = ztl_onnx_attribute(c->node, "axes");
    if (axes)
        c->op.axes = (ztl_ops_list){axes->ints, axes->n_ints};
    if (c->op.sizes.count)
        c->op.scales = (ztl_ops_reals){0};
    return a == ONNX_MOVES ? take_outside(c) : a;
}

enum onnx_answer ztl_onnx_upsample(onnx_call *c)
{
    const Onnx__AttributeProto *scales = ztl_onnx_attribute(c->node, "scales");
    c->op.kind = ZTL_OPS_UPSAMPLE;
    c->in[0] = ztl_onnx_in(c->graph, c->node, 0);
    c->inputs = 1;
    if (!is_nearest(c))
        return ONNX_OTHER;
    if (!scales)
        return take_reals(c, 1, &c->op.scales);
    double *real = ztl_onnx_room(c, scales->n_floats, sizeof *real);
    if (!real)
        return ztl_onnx_wrong(c, "out of memory");
    for (size_t i = 0; i < scales->n_floats; i++)
        real[i] = (double)scales->floats[i];
    c->op.scales = (ztl_ops_reals){real, scales->n_floats};
    return ONNX_MOVES;
}
