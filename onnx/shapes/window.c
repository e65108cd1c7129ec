/* SPDX-License-Identifier: Apache-2.0
 * Operators with a window that moves over an image: convolutions and pools.
 */
#include <string.h>

#include "onnx/shapes/shapes.h"

enum { AXES = ONNX_RANK - 2, LARGEST = 1 << 30 };

typedef struct window {
    int axes;
    int64_t kernel[AXES], stride[AXES], dilation[AXES], padding[AXES], more[AXES];
    bool same; /* auto_pad is SAME_UPPER or SAME_LOWER */
} window;

/* An attribute's list, of numbers that are not absurd; `count` times `otherwise` where it is not
 * there. */
static bool take(const onnx_node *node, const char *name, int count, int64_t otherwise,
                 int64_t *list)
{
    const Onnx__AttributeProto *a = ztl_onnx_attribute(node, name);
    if (a && a->n_ints != (size_t)count)
        return false;
    for (int i = 0; i < count; i++) {
        list[i] = a ? a->ints[i] : otherwise;
        if (list[i] < 0 || list[i] > LARGEST)
            return false;
    }
    return true;
}

/* What both sides of each axis are padded by, together. */
static bool take_padding(const onnx_node *node, window *w)
{
    int64_t pads[2 * AXES] = {0};
    w->same = ztl_onnx_word_is(node, "auto_pad", "SAME_UPPER", "") ||
              ztl_onnx_word_is(node, "auto_pad", "SAME_LOWER", "");
    if (ztl_onnx_word_is(node, "auto_pad", "NOTSET", "NOTSET") &&
        !take(node, "pads", 2 * w->axes, 0, pads))
        return false;
    for (int d = 0; d < w->axes; d++)
        w->padding[d] = pads[d] + pads[d + w->axes];
    return true;
}

/* `weight`: a tensor whose extents behind the second are the kernel's, or NULL. */
static bool take_window(const onnx_node *node, const onnx_value *image, const onnx_value *weight,
                        window *w)
{
    *w = (window){.axes = image->rank - 2};
    if (w->axes < 1 || (weight && weight->rank != image->rank) ||
        (!weight && !ztl_onnx_attribute(node, "kernel_shape")))
        return false;
    if (!take(node, "kernel_shape", w->axes, 0, w->kernel) ||
        !take(node, "strides", w->axes, 1, w->stride) ||
        !take(node, "dilations", w->axes, 1, w->dilation) ||
        !take(node, "output_padding", w->axes, 0, w->more))
        return false;
    for (int d = 0; d < w->axes; d++) {
        if (weight && !ztl_onnx_attribute(node, "kernel_shape"))
            w->kernel[d] = weight->extent[d + 2];
        if (w->kernel[d] < 1 || w->kernel[d] > LARGEST || w->stride[d] < 1 || w->dilation[d] < 1 ||
            image->extent[d + 2] > INT64_MAX / 4)
            return false;
    }
    return take_padding(node, w);
}

static int64_t span(const window *w, int d)
{
    return (w->kernel[d] - 1) * w->dilation[d] + 1;
}

/* Places of the window along axis d; 0 where it does not fit. A place that would start behind the
 * image and the padding before it does not count, whatever `ceil` says. */
static int64_t places(const window *w, int d, int64_t extent, bool ceil)
{
    int64_t room = extent + w->padding[d] - span(w, d), stride = w->stride[d];
    if (w->same)
        return (extent + stride - 1) / stride;
    if (room < 0)
        return 0;
    int64_t count = room / stride + 1;
    bool one_more = ceil && room % stride && count * stride < extent + w->padding[d] / 2;
    return count + one_more;
}

static bool slide(const onnx_value *image, const window *w, bool ceil, int64_t *extent)
{
    for (int d = 0; d < w->axes; d++)
        if ((extent[d + 2] = places(w, d, image->extent[d + 2], ceil)) < 1)
            return false;
    return true;
}

/* QLinearConv has its weights behind the scale and the zero point of the image. */
void ztl_onnx_rule_conv(const onnx_shaping *s)
{
    const onnx_value *image = ztl_onnx_shaped(s, 0);
    const onnx_value *weight = ztl_onnx_shaped(s, s->node->inputs > 7 ? 3 : 1);
    window w;
    if (!image || !weight || !take_window(s->node, image, weight, &w))
        return;
    int64_t extent[ONNX_RANK] = {image->extent[0], weight->extent[0]};
    if (slide(image, &w, false, extent))
        ztl_onnx_give(s, 0, s->type, image->rank, extent);
}

void ztl_onnx_rule_conv_transpose(const onnx_shaping *s)
{
    const onnx_value *image = ztl_onnx_shaped(s, 0), *weight = ztl_onnx_shaped(s, 1);
    const Onnx__AttributeProto *given = ztl_onnx_attribute(s->node, "output_shape");
    int64_t groups = ztl_onnx_int(s->node, "group", 1);
    window w;
    if (!image || !weight || groups < 1 || groups > LARGEST || weight->extent[1] > LARGEST ||
        !take_window(s->node, image, weight, &w) || (given && given->n_ints != (size_t)w.axes))
        return;
    int64_t extent[ONNX_RANK] = {image->extent[0], weight->extent[1] * groups};
    for (int d = 0; d < w.axes; d++) {
        int64_t n = image->extent[d + 2];
        if (n > LARGEST)
            return;
        extent[d + 2] = given    ? given->ints[d]
                        : w.same ? n * w.stride[d]
                                 : w.stride[d] * (n - 1) + w.more[d] + span(&w, d) - w.padding[d];
    }
    ztl_onnx_give(s, 0, s->type, image->rank, extent);
}

void ztl_onnx_rule_pool(const onnx_shaping *s)
{
    const onnx_value *image = ztl_onnx_shaped(s, 0);
    window w;
    if (!image || !take_window(s->node, image, NULL, &w))
        return;
    int64_t extent[ONNX_RANK] = {image->extent[0], image->extent[1]};
    if (!slide(image, &w, ztl_onnx_int(s->node, "ceil_mode", 0), extent))
        return;
    ztl_onnx_give(s, 0, s->type, image->rank, extent);
    ztl_onnx_give(s, 1, ONNX_INT64, image->rank, extent); /* MaxPool's indices */
}
