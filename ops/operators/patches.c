/* SPDX-License-Identifier: Apache-2.0
 * Im2col and back. Columns are, for groups = 1, [N, C·kh·kw, oh·ow] of an NCHW image and
 * [N, oh·ow, kh·kw·C] of an NHWC one; with groups a dimension of them follows N.
 */
#include "ops/operators/call.h"

/* An image, its columns and how they belong together. */
typedef struct patches {
    int64_t n, c, groups;
    int64_t size[2], out[2], kernel[2], stride[2], dilation[2], pad[2][2]; /* y, x */
} patches;

static bool check_range(const ops_call *call, const char *name, int64_t value, int64_t low)
{
    if (value >= low && value <= INT32_MAX)
        return true;
    return ztl_ops_fail(call->error, "%s %lld is out of range", name, (long long)value);
}

/* The attributes, and the image's shape from `image` (N, C, H, W or N, H, W, C). */
static bool patches_of(const ops_call *call, const int64_t *image, patches *p)
{
    const ztl_ops_op *op = call->op;
    bool nhwc = op->layout == ZTL_OPS_NHWC;
    p->n = image[0];
    p->c = image[nhwc ? 3 : 1];
    p->groups = op->groups ? op->groups : 1;
    if (!ztl_ops_needs(call, op->kernel, 2, "kernel") ||
        (op->strides.count && !ztl_ops_needs(call, op->strides, 2, "strides")) ||
        (op->dilations.count && !ztl_ops_needs(call, op->dilations, 2, "dilations")) ||
        (op->pads.count && !ztl_ops_needs(call, op->pads, 4, "pads")))
        return false;
    for (unsigned k = 0; k < 2; k++) {
        p->size[k] = image[(nhwc ? 1 : 2) + k];
        p->kernel[k] = op->kernel.value[k];
        p->stride[k] = ops_value(op->strides, k, 1);
        p->dilation[k] = ops_value(op->dilations, k, 1);
        p->pad[k][0] = ops_value(op->pads, k, 0);
        p->pad[k][1] = ops_value(op->pads, k + 2, 0);
        if (p->size[k] > INT64_MAX / 64)
            return ztl_ops_fail(call->error, "%lld pixels are too many", (long long)p->size[k]);
        if (!check_range(call, "kernel", p->kernel[k], 1) ||
            !check_range(call, "stride", p->stride[k], 1) ||
            !check_range(call, "dilation", p->dilation[k], 1) ||
            !check_range(call, "pad", p->pad[k][0], 0) ||
            !check_range(call, "pad", p->pad[k][1], 0))
            return false;
        int64_t room =
            p->size[k] + p->pad[k][0] + p->pad[k][1] - (p->kernel[k] - 1) * p->dilation[k] - 1;
        if (room < 0)
            return ztl_ops_fail(call->error, "the kernel is larger than the padded image");
        p->out[k] = room / p->stride[k] + 1;
        p->stride[k] = p->out[k] > 1 ? p->stride[k] : 1; /* a single place has no next one */
    }
    if (p->groups < 1 || p->c % p->groups)
        return ztl_ops_fail(call->error, "%lld channels are no multiple of %lld groups",
                            (long long)p->c, (long long)p->groups);
    return true;
}

static bool columns_shape(const ops_call *call, const patches *p, int64_t *extent, unsigned *rank)
{
    bool nhwc = call->op->layout == ZTL_OPS_NHWC;
    int64_t column, places;
    if (__builtin_mul_overflow(p->c / p->groups, p->kernel[0] * p->kernel[1], &column) ||
        __builtin_mul_overflow(p->out[0], p->out[1], &places))
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
    patches p;
    int64_t extent[ZTL_OPS_RANK];
    unsigned rank = 0;
    if (call->in->rank != 4)
        return ztl_ops_fail(call->error, "the input has rank %u, needs 4", call->in->rank);
    return patches_of(call, call->in->extent, &p) && columns_shape(call, &p, extent, &rank) &&
           ztl_ops_output(call, 0, rank, extent);
}

bool ztl_ops_shape_col2im(ops_call *call)
{
    patches p;
    int64_t extent[ZTL_OPS_RANK];
    unsigned rank = 0;
    if (!ztl_ops_needs(call, call->op->shape, 4, "shape") ||
        !ztl_ops_output(call, 0, 4, call->op->shape.value) ||
        !patches_of(call, call->op->shape.value, &p) || !columns_shape(call, &p, extent, &rank))
        return false;
    if (call->in->rank != rank || memcmp(call->in->extent, extent, rank * sizeof *extent))
        return ztl_ops_fail(call->error,
                            "the columns do not have the shape that im2col gives this image");
    return true;
}

/* The steps of image and columns. */
typedef struct steps {
    int64_t n, group, c, place[2], tap[2];
} steps;

static steps image_steps(const ops_call *call, const patches *p, const ztl_ops_tensor *image)
{
    bool nhwc = call->op->layout == ZTL_OPS_NHWC;
    const int64_t *s = image->stride, *place = s + (nhwc ? 1 : 2);
    steps r = {.n = s[0], .c = s[nhwc ? 3 : 1], .place = {place[0], place[1]}};
    r.group = r.c * (p->c / p->groups);
    return r;
}

static steps column_steps(const ops_call *call, const patches *p, const ztl_ops_tensor *columns)
{
    bool nhwc = call->op->layout == ZTL_OPS_NHWC;
    const int64_t *last = columns->stride + columns->rank - 2;
    int64_t column = last[nhwc], place = last[!nhwc], c = p->c / p->groups;
    steps r = {.n = columns->stride[0], .group = p->groups > 1 ? columns->stride[1] : 0};
    r.place[0] = place * p->out[1];
    r.place[1] = place;
    r.tap[1] = nhwc ? column * c : column;
    r.tap[0] = r.tap[1] * p->kernel[1];
    r.c = nhwc ? column : column * p->kernel[0] * p->kernel[1];
    return r;
}

/* Along one axis: places `first` … `first + n - 1` of a tap lie inside the image, from `at` on. */
typedef struct range {
    int64_t first, n, at;
} range;

static range inside(const patches *p, unsigned k, int64_t tap)
{
    int64_t from = tap * p->dilation[k] - p->pad[k][0];
    int64_t first = from < 0 ? ops_ceil(-from, p->stride[k]) : 0;
    int64_t end = p->size[k] > from ? ops_ceil(p->size[k] - from, p->stride[k]) : 0;
    end = end < p->out[k] ? end : p->out[k];
    return (range){first, end > first ? end - first : 0, from + first * p->stride[k]};
}

/* The image as taps find it: in place, or in scratch memory with the pixels of each phase of the
 * strides together. */
typedef struct image {
    unsigned src;
    int64_t offset;
    bool is_split;
    int64_t phase[2]; /* the steps between phases, where they are split */
    steps step;
} image;

/* Where pixel `at` of an axis is, and the step to the pixel of the next place. */
static int64_t pixel_at(const image *from, const patches *p, unsigned k, int64_t at)
{
    if (!from->is_split)
        return at * from->step.place[k];
    return at % p->stride[k] * from->phase[k] + at / p->stride[k] * from->step.place[k];
}

static int64_t place_step(const image *from, const patches *p, unsigned k)
{
    return from->step.place[k] * (from->is_split ? 1 : p->stride[k]);
}

/* The places of a tap. Rows that continue each other on both sides are one run, with whatever lies
 * between them: constants belong there, and are written later. */
static void add_places(ops_map *map, ops_piece *piece, const image *from, const patches *p,
                       const steps *column, range y, range x)
{
    int64_t row = place_step(from, p, 0), step = place_step(from, p, 1);
    if (map->may_overwrite && y.n > 1 && row == p->out[1] * step) {
        ztl_ops_add_dim(piece, (y.n - 1) * p->out[1] + x.n, step, column->place[1]);
        map->fills_last = true;
        return;
    }
    ztl_ops_add_dim(piece, y.n, row, column->place[0]);
    ztl_ops_add_dim(piece, x.n, step, column->place[1]);
}

static void add_tap(ops_map *map, const ops_call *call, const patches *p, const image *from,
                    int64_t ky, int64_t kx)
{
    steps column = column_steps(call, p, call->out);
    range y = inside(p, 0, ky), x = inside(p, 1, kx);
    int64_t out = call->out->offset + ky * column.tap[0] + kx * column.tap[1];
    int64_t c = p->c / p->groups;
    bool any = y.n && x.n;
    if (any) {
        ops_piece *piece = ztl_ops_add_piece(
            map, from->src, OPS_OUT,
            from->offset + pixel_at(from, p, 0, y.at) + pixel_at(from, p, 1, x.at),
            out + y.first * column.place[0] + x.first * column.place[1]);
        ztl_ops_add_dim(piece, p->n, from->step.n, column.n);
        ztl_ops_add_dim(piece, p->groups, from->step.group, column.group);
        ztl_ops_add_dim(piece, c, from->step.c, column.c);
        add_places(map, piece, from, p, &column, y, x);
    }
    ztl_ops_tensor plane = {
        .rank = 5,
        .bits = call->out->bits,
        .extent = {p->n, p->groups, c, p->out[0], p->out[1]},
        .stride = {column.n, column.group, column.c, column.place[0], column.place[1]},
        .offset = out};
    int64_t at[5] = {0, 0, 0, any ? y.first : 0, any ? x.first : 0};
    int64_t n[5] = {p->n, p->groups, c, any ? y.n : 0, any ? x.n : p->out[1]};
    ztl_ops_add_frame(map, 0, &plane, at, n);
}

/* How many phases taps read: those of the first so many taps, then the same ones again. */
static int64_t phases_read(const patches *p, unsigned k)
{
    int64_t all = p->stride[k] / ztl_ops_gcd(p->dilation[k], p->stride[k]);
    return all < p->kernel[k] ? all : p->kernel[k];
}

/* Whether several taps read the same phase, so that separating the phases once serves them all. */
static bool share_phases(const patches *p)
{
    return p->stride[0] <= p->size[0] && p->stride[1] <= p->size[1] &&
           phases_read(p, 0) * phases_read(p, 1) < p->kernel[0] * p->kernel[1];
}

/* The image with its phases separated. */
static image split_image(const ops_call *call, const patches *p)
{
    image split = {.src = OPS_SCRATCH, .is_split = true};
    split.step.place[1] = call->in->bits / 8;
    split.step.place[0] = ops_ceil(p->size[1], p->stride[1]) * split.step.place[1];
    split.phase[1] = ops_ceil(p->size[0], p->stride[0]) * split.step.place[0];
    split.phase[0] = p->stride[1] * split.phase[1];
    split.step.c = p->stride[0] * split.phase[0];
    split.step.group = split.step.c * (p->c / p->groups);
    split.step.n = split.step.c * p->c;
    return split;
}

/* Pixels of one phase next to each other: then taps read runs although they skip pixels. */
static void split_phase(ops_map *map, const patches *p, const image *in_place, const image *split,
                        const int64_t tap[2])
{
    const steps *from = &in_place->step, *to = &split->step;
    int64_t phase[2];
    for (unsigned k = 0; k < 2; k++)
        phase[k] = ops_mod(tap[k] * p->dilation[k] - p->pad[k][0], p->stride[k]);
    ops_piece *piece =
        ztl_ops_add_piece(map, 0, OPS_SCRATCH,
                          in_place->offset + phase[0] * from->place[0] + phase[1] * from->place[1],
                          phase[0] * split->phase[0] + phase[1] * split->phase[1]);
    ztl_ops_add_dim(piece, p->n, from->n, to->n);
    ztl_ops_add_dim(piece, p->c, from->c, to->c);
    for (unsigned k = 0; k < 2; k++)
        ztl_ops_add_dim(piece, ops_ceil(p->size[k] - phase[k], p->stride[k]),
                        from->place[k] * p->stride[k], to->place[k]);
}

static void split_phases(ops_map *map, const patches *p, const image *in_place, const image *split)
{
    for (int64_t ky = 0; ky < phases_read(p, 0); ky++)
        for (int64_t kx = 0; kx < phases_read(p, 1); kx++)
            split_phase(map, p, in_place, split, (int64_t[]){ky, kx});
}

/* Taps first … first + taps - 1 of row ky at places from … from + n - 1: one run for each place. */
static void add_window(ops_map *map, const ops_call *call, const patches *p, int64_t ky,
                       int64_t from, int64_t n, int64_t first, int64_t taps)
{
    steps step = image_steps(call, p, call->in), column = column_steps(call, p, call->out);
    range y = inside(p, 0, ky);
    int64_t x = from * p->stride[1] + first * p->dilation[1] - p->pad[1][0];
    ops_piece *piece = ztl_ops_add_piece(
        map, 0, OPS_OUT, call->in->offset + y.at * step.place[0] + x * step.place[1],
        call->out->offset + ky * column.tap[0] + first * column.tap[1] + y.first * column.place[0] +
            from * column.place[1]);
    ztl_ops_add_dim(piece, p->n, step.n, column.n);
    ztl_ops_add_dim(piece, p->groups, step.group, column.group);
    ztl_ops_add_dim(piece, y.n, step.place[0] * p->stride[0], column.place[0]);
    ztl_ops_add_dim(piece, n, step.place[1] * p->stride[1], column.place[1]);
    ztl_ops_add_dim(piece, taps, step.place[1] * p->dilation[1], column.tap[1]);
    ztl_ops_add_dim(piece, p->c / p->groups, step.c, column.c);
}

/* What place x has of the taps: first … first + n - 1 are inside the image. */
static range taps_at(const patches *p, int64_t x)
{
    range r = {0, 0, 0};
    for (int64_t kx = 0; kx < p->kernel[1]; kx++) {
        int64_t at = x * p->stride[1] + kx * p->dilation[1] - p->pad[1][0];
        if (at < 0 || at >= p->size[1])
            continue;
        if (!r.n)
            r.first = kx;
        r.n++;
    }
    return r;
}

/* Constants at places from … from + n - 1 of row ky, for taps outside first … first + taps - 1. */
static void fill_window(ops_map *map, const ops_call *call, const patches *p, int64_t ky,
                        int64_t from, int64_t n, range taps)
{
    steps column = column_steps(call, p, call->out);
    range y = inside(p, 0, ky);
    ztl_ops_tensor part = {
        .rank = 6,
        .bits = call->out->bits,
        .extent = {p->n, p->groups, p->out[0], n, p->kernel[1], p->c / p->groups},
        .stride = {column.n, column.group, column.place[0], column.place[1], column.tap[1],
                   column.c},
        .offset = call->out->offset + ky * column.tap[0] + from * column.place[1]};
    int64_t at[6] = {0, 0, y.n ? y.first : 0, 0, taps.first, 0};
    int64_t size[6] = {p->n, p->groups, y.n, n, taps.n, p->c / p->groups};
    if (!taps.n)
        size[2] = 0;
    ztl_ops_add_frame(map, 0, &part, at, size);
}

/* Small pixels: a place's taps of one row are a run of the image, except at its edges. */
static void map_windows(const ops_call *call, ops_map *map, const patches *p)
{
    for (int64_t ky = 0; ky < p->kernel[0]; ky++)
        for (int64_t x = 0, n; x < p->out[1]; x += n) {
            range taps = taps_at(p, x);
            for (n = 1; x + n < p->out[1]; n++) {
                range next = taps_at(p, x + n);
                if (next.first != taps.first || next.n != taps.n)
                    break;
            }
            if (taps.n && inside(p, 0, ky).n)
                add_window(map, call, p, ky, x, n, taps.first, taps.n);
            fill_window(map, call, p, ky, x, n, taps);
        }
}

void ztl_ops_map_im2col(const ops_call *call, ops_map *map)
{
    patches p;
    patches_of(call, call->in->extent, &p);
    bool nhwc = call->op->layout == ZTL_OPS_NHWC;
    map->keep_apart = true;
    if (nhwc && p.c / p.groups * call->in->bits < 8 * OPS_SLICE_BYTES) {
        map_windows(call, map, &p);
        return;
    }
    image from = {.offset = call->in->offset, .step = image_steps(call, &p, call->in)};
    if (!nhwc && p.stride[1] > 1 && call->in->bits >= 8 && share_phases(&p)) {
        image split = split_image(call, &p);
        uint64_t bytes = (uint64_t)(p.n * split.step.n);
        if (bytes <= map->scratch_limit) {
            split_phases(map, &p, &from, &split);
            map->scratch = bytes;
            from = split;
        }
    }
    for (int64_t ky = 0; ky < p.kernel[0]; ky++)
        for (int64_t kx = 0; kx < p.kernel[1]; kx++)
            add_tap(map, call, &p, &from, ky, kx);
}

/* The first tap whose places have image position `at` among them; -1 when none has. */
static int64_t first_tap(const patches *p, unsigned k, int64_t at, int64_t *place)
{
    for (int64_t tap = 0; tap < p->kernel[k]; tap++) {
        int64_t from = at + p->pad[k][0] - tap * p->dilation[k];
        *place = from / p->stride[k];
        if (from >= 0 && from % p->stride[k] == 0 && *place < p->out[k])
            return tap;
    }
    return -1;
}

/* Image positions at, at + step, … that tap `tap` (-1: none) has at places place, place + 1, … */
typedef struct segment {
    int64_t tap, place, at, step, n;
} segment;

/* The segment that starts at `at`, unless the position belongs to one that started before. */
static bool starts_segment(const patches *p, unsigned k, int64_t at, segment *s)
{
    int64_t place = 0, other;
    s->tap = first_tap(p, k, at, &place);
    s->step = s->tap < 0 ? 1 : p->stride[k];
    s->place = place;
    s->at = at;
    if (at >= s->step && first_tap(p, k, at - s->step, &other) == s->tap)
        return false;
    for (s->n = 1; at + s->n * s->step < p->size[k]; s->n++)
        if (first_tap(p, k, at + s->n * s->step, &other) != s->tap)
            break;
    return true;
}

static void add_segments(ops_map *map, const ops_call *call, const patches *p, const segment *y,
                         const segment *x)
{
    steps pixel = image_steps(call, p, call->out), column = column_steps(call, p, call->in);
    bool none = y->tap < 0 || x->tap < 0;
    int64_t in = call->in->offset + y->tap * column.tap[0] + x->tap * column.tap[1] +
                 y->place * column.place[0] + x->place * column.place[1];
    ops_piece *piece =
        ztl_ops_add_piece(map, none ? OPS_FILL : 0, OPS_OUT, none ? 0 : in,
                          call->out->offset + y->at * pixel.place[0] + x->at * pixel.place[1]);
    ztl_ops_add_dim(piece, p->n, none ? 0 : column.n, pixel.n);
    ztl_ops_add_dim(piece, p->groups, none ? 0 : column.group, pixel.group);
    ztl_ops_add_dim(piece, p->c / p->groups, none ? 0 : column.c, pixel.c);
    ztl_ops_add_dim(piece, y->n, none ? 0 : column.place[0], pixel.place[0] * y->step);
    ztl_ops_add_dim(piece, x->n, none ? 0 : column.place[1], pixel.place[1] * x->step);
}

void ztl_ops_map_col2im(const ops_call *call, ops_map *map)
{
    patches p;
    segment y, x;
    patches_of(call, call->op->shape.value, &p);
    for (int64_t i = 0; i < p.size[0]; i++) {
        if (!starts_segment(&p, 0, i, &y))
            continue;
        for (int64_t j = 0; j < p.size[1]; j++)
            if (starts_segment(&p, 1, j, &x))
                add_segments(map, call, &p, &y, &x);
    }
}
