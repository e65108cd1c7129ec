/* SPDX-License-Identifier: Apache-2.0
 * Im2col and back: attributes, shapes and strides.
 */
#include "ops/operators/patches/patches.h"

static bool check_range(const ops_call *call, const char *name, int64_t value, int64_t low)
{
    if (value >= low && value <= INT32_MAX)
        return true;
    return ztl_ops_fail(call->error, "%s %lld is out of range", name, (long long)value);
}

static bool check_lists(const ops_call *call, unsigned axes)
{
    const ztl_ops_op *op = call->op;
    return ztl_ops_needs(call, op->kernel, axes, "kernel") &&
           (!op->strides.count || ztl_ops_needs(call, op->strides, axes, "strides")) &&
           (!op->dilations.count || ztl_ops_needs(call, op->dilations, axes, "dilations")) &&
           (!op->pads.count || ztl_ops_needs(call, op->pads, 2 * (size_t)axes, "pads"));
}

static bool axis_of(const ops_call *call, unsigned k, ops_patches *p)
{
    const ztl_ops_op *op = call->op;
    p->kernel[k] = op->kernel.value[k];
    p->stride[k] = ops_value(op->strides, k, 1);
    p->dilation[k] = ops_value(op->dilations, k, 1);
    p->pad[k][0] = ops_value(op->pads, k, 0);
    p->pad[k][1] = ops_value(op->pads, k + p->axes, 0);
    if (p->size[k] > INT64_MAX / 64)
        return ztl_ops_fail(call->error, "an image of %lld pixels is too large",
                            (long long)p->size[k]);
    if (!check_range(call, "kernel", p->kernel[k], 1) ||
        !check_range(call, "stride", p->stride[k], 1) ||
        !check_range(call, "dilation", p->dilation[k], 1) ||
        !check_range(call, "pad", p->pad[k][0], 0) || !check_range(call, "pad", p->pad[k][1], 0))
        return false;
    int64_t room =
        p->size[k] + p->pad[k][0] + p->pad[k][1] - (p->kernel[k] - 1) * p->dilation[k] - 1;
    if (room < 0)
        return ztl_ops_fail(call->error, "the kernel is larger than the padded image");
    p->out[k] = room / p->stride[k] + 1;
    p->stride[k] = p->out[k] > 1 ? p->stride[k] : 1; /* a single place has no next one */
    return true;
}

bool ztl_ops_patches_of(const ops_call *call, const int64_t *image, size_t rank, ops_patches *p)
{
    bool nhwc = call->op->layout == ZTL_OPS_NHWC;
    if (rank < 3 || rank > 2 + OPS_AXES)
        return ztl_ops_fail(call->error, "the image has rank %zu, not 3 to %d", rank, 2 + OPS_AXES);
    *p = (ops_patches){.axes = (unsigned)rank - 2};
    p->n = image[0];
    p->c = image[nhwc ? rank - 1 : 1];
    p->groups = call->op->groups ? call->op->groups : 1;
    if (!check_lists(call, p->axes))
        return false;
    for (unsigned k = 0; k < p->axes; k++) {
        p->size[k] = image[(nhwc ? 1 : 2) + k];
        if (!axis_of(call, k, p))
            return false;
    }
    if (p->groups < 1 || p->c % p->groups)
        return ztl_ops_fail(call->error, "%lld channels are no multiple of %lld groups",
                            (long long)p->c, (long long)p->groups);
    return true;
}

static bool columns_shape(const ops_call *call, const ops_patches *p, int64_t *extent,
                          unsigned *rank)
{
    bool nhwc = call->op->layout == ZTL_OPS_NHWC;
    int64_t column = p->c / p->groups, places = 1;
    for (unsigned k = 0; k < p->axes; k++)
        if (__builtin_mul_overflow(column, p->kernel[k], &column) ||
            __builtin_mul_overflow(places, p->out[k], &places))
            return ztl_ops_fail(call->error, "the columns are too large");
    *rank = 0;
    extent[(*rank)++] = p->n;
    if (p->groups > 1)
        extent[(*rank)++] = p->groups;
    extent[(*rank)++] = nhwc ? places : column;
    extent[(*rank)++] = nhwc ? column : places;
    return true;
}

bool ztl_ops_shape_im2col(ops_call *call)
{
    ops_patches p;
    int64_t extent[ZTL_OPS_RANK];
    unsigned rank = 0;
    return ztl_ops_patches_of(call, call->in->extent, call->in->rank, &p) &&
           columns_shape(call, &p, extent, &rank) && ztl_ops_output(call, 0, rank, extent);
}

/* Whether two taps have a pixel of axis k: those t apart, the fewest, that are whole strides apart.
 */
static bool overlaps(const ops_patches *p, unsigned k)
{
    int64_t t = p->stride[k] / ztl_ops_gcd(p->stride[k], p->dilation[k]);
    int64_t last = p->out[k] - 1 - t * p->dilation[k] / p->stride[k];
    for (int64_t tap = t; tap < p->kernel[k] && last >= 0; tap++) {
        int64_t first = p->pad[k][0] - tap * p->dilation[k]; /* the place whose tap is pixel 0 */
        first = first > 0 ? ops_ceil(first, p->stride[k]) : 0;
        int64_t pixel = first * p->stride[k] + tap * p->dilation[k] - p->pad[k][0];
        if (first <= last && pixel < p->size[k])
            return true;
    }
    return false;
}

bool ztl_ops_patches_overlap(const ops_patches *p)
{
    for (unsigned k = 0; k < p->axes; k++)
        if (overlaps(p, k))
            return true;
    return false;
}

/* What ONNX does with overlapping patches, no instruction can: other results must be asked for. */
static bool check_overlap(const ops_call *call, const ops_patches *p)
{
    enum ztl_ops_mode mode = call->op->mode;
    if (mode != ZTL_OPS_CONSTANT && mode != ZTL_OPS_APART && mode != ZTL_OPS_FIRST)
        return ztl_ops_fail(call->error, "mode %u is neither apart nor first", (unsigned)mode);
    for (unsigned k = 0; mode != ZTL_OPS_FIRST && k < p->axes; k++)
        if (overlaps(p, k))
            return ztl_ops_fail(call->error,
                                "patches overlap along image axis %u, and Ztl adds no tensors as "
                                "ONNX's Col2Im does; mode first takes the first tap of a pixel",
                                k);
    return true;
}

bool ztl_ops_shape_col2im(ops_call *call)
{
    ops_patches p;
    int64_t extent[ZTL_OPS_RANK];
    unsigned rank = 0;
    ztl_ops_list shape = call->op->shape;
    if (!ztl_ops_patches_of(call, shape.value, shape.count, &p) ||
        !ztl_ops_output(call, 0, (unsigned)shape.count, shape.value) ||
        !columns_shape(call, &p, extent, &rank))
        return false;
    if (call->in->rank != rank || memcmp(call->in->extent, extent, rank * sizeof *extent))
        return ztl_ops_fail(call->error,
                            "the columns do not have the shape that im2col gives this image");
    return check_overlap(call, &p);
}

ops_steps ztl_ops_image_steps(const ops_call *call, const ops_patches *p,
                              const ztl_ops_tensor *image)
{
    bool nhwc = call->op->layout == ZTL_OPS_NHWC;
    const int64_t *s = image->stride;
    ops_steps r = {.n = s[0], .c = s[nhwc ? image->rank - 1 : 1]};
    memcpy(r.place, s + (nhwc ? 1 : 2), p->axes * sizeof *s);
    r.group = r.c * (p->c / p->groups);
    return r;
}

ops_steps ztl_ops_column_steps(const ops_call *call, const ops_patches *p,
                               const ztl_ops_tensor *columns)
{
    bool nhwc = call->op->layout == ZTL_OPS_NHWC;
    const int64_t *last = columns->stride + columns->rank - 2;
    int64_t column = last[nhwc], place = last[!nhwc], c = p->c / p->groups;
    int64_t tap = nhwc ? column * c : column;
    ops_steps r = {.n = columns->stride[0], .group = p->groups > 1 ? columns->stride[1] : 0};
    for (unsigned k = p->axes; k-- > 0;) {
        r.place[k] = place;
        r.tap[k] = tap;
        place *= p->out[k];
        tap *= p->kernel[k];
    }
    r.c = nhwc ? column : tap;
    return r;
}
