/* SPDX-License-Identifier: Apache-2.0
 * Im2col and back. Columns are, for groups = 1, [N, C·kh·kw, oh·ow] of an NCHW image and
 * [N, oh·ow, kh·kw·C] of an NHWC one; with groups a dimension of them follows N. Images have any
 * number of axes, up to AXES, where these names have H and W.
 */
#include "ops/operators/call.h"

enum { AXES = 4 };

/* An image, its columns and how they belong together; by axis, x is the last. */
typedef struct patches {
    int64_t n, c, groups;
    unsigned axes;
    int64_t size[AXES], out[AXES], kernel[AXES], stride[AXES], dilation[AXES], pad[AXES][2];
} patches;

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

static bool axis_of(const ops_call *call, unsigned k, patches *p)
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

/* The attributes, and the image's shape from `image` (N, C, H, W or N, H, W, C). */
static bool patches_of(const ops_call *call, const int64_t *image, size_t rank, patches *p)
{
    bool nhwc = call->op->layout == ZTL_OPS_NHWC;
    if (rank < 3 || rank > 2 + AXES)
        return ztl_ops_fail(call->error, "the image has rank %zu, not 3 to %d", rank, 2 + AXES);
    *p = (patches){.axes = (unsigned)rank - 2};
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

static bool columns_shape(const ops_call *call, const patches *p, int64_t *extent, unsigned *rank)
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
    patches p;
    int64_t extent[ZTL_OPS_RANK];
    unsigned rank = 0;
    return patches_of(call, call->in->extent, call->in->rank, &p) &&
           columns_shape(call, &p, extent, &rank) && ztl_ops_output(call, 0, rank, extent);
}

/* Whether two taps have a pixel of axis k: those t apart, the fewest, that are whole strides apart.
 */
static bool overlaps(const patches *p, unsigned k)
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

static bool any_overlap(const patches *p)
{
    for (unsigned k = 0; k < p->axes; k++)
        if (overlaps(p, k))
            return true;
    return false;
}

/* What ONNX does with overlapping patches, no instruction can: other results must be asked for. */
static bool check_overlap(const ops_call *call, const patches *p)
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
    patches p;
    int64_t extent[ZTL_OPS_RANK];
    unsigned rank = 0;
    ztl_ops_list shape = call->op->shape;
    if (!patches_of(call, shape.value, shape.count, &p) ||
        !ztl_ops_output(call, 0, (unsigned)shape.count, shape.value) ||
        !columns_shape(call, &p, extent, &rank))
        return false;
    if (call->in->rank != rank || memcmp(call->in->extent, extent, rank * sizeof *extent))
        return ztl_ops_fail(call->error,
                            "the columns do not have the shape that im2col gives this image");
    return check_overlap(call, &p);
}

/* The steps of image and columns. */
typedef struct steps {
    int64_t n, group, c, place[AXES], tap[AXES];
} steps;

static steps image_steps(const ops_call *call, const patches *p, const ztl_ops_tensor *image)
{
    bool nhwc = call->op->layout == ZTL_OPS_NHWC;
    const int64_t *s = image->stride;
    steps r = {.n = s[0], .c = s[nhwc ? image->rank - 1 : 1]};
    memcpy(r.place, s + (nhwc ? 1 : 2), p->axes * sizeof *s);
    r.group = r.c * (p->c / p->groups);
    return r;
}

static steps column_steps(const ops_call *call, const patches *p, const ztl_ops_tensor *columns)
{
    bool nhwc = call->op->layout == ZTL_OPS_NHWC;
    const int64_t *last = columns->stride + columns->rank - 2;
    int64_t column = last[nhwc], place = last[!nhwc], c = p->c / p->groups;
    int64_t tap = nhwc ? column * c : column;
    steps r = {.n = columns->stride[0], .group = p->groups > 1 ? columns->stride[1] : 0};
    for (unsigned k = p->axes; k-- > 0;) {
        r.place[k] = place;
        r.tap[k] = tap;
        place *= p->out[k];
        tap *= p->kernel[k];
    }
    r.c = nhwc ? column : tap;
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
    int64_t phase[AXES]; /* the steps between phases, where they are split */
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
                       const steps *column, const range *at)
{
    unsigned x = p->axes - 1, rows = x;
    int64_t step = place_step(from, p, x);
    bool joins = map->may_overwrite && x > 0 && at[x - 1].n > 1 &&
                 place_step(from, p, x - 1) == p->out[x] * step;
    rows -= joins;
    for (unsigned k = 0; k < rows; k++)
        ztl_ops_add_dim(piece, at[k].n, place_step(from, p, k), column->place[k]);
    ztl_ops_add_dim(piece, joins ? (at[x - 1].n - 1) * p->out[x] + at[x].n : at[x].n, step,
                    column->place[x]);
    map->fills_last |= joins;
}

static void add_tap(ops_map *map, const ops_call *call, const patches *p, const image *from,
                    const int64_t *tap)
{
    steps column = column_steps(call, p, call->out);
    range in[AXES];
    int64_t start = call->out->offset, source = from->offset, target, c = p->c / p->groups;
    bool any = true;
    for (unsigned k = 0; k < p->axes; k++) {
        in[k] = inside(p, k, tap[k]);
        any = any && in[k].n;
        start += tap[k] * column.tap[k];
    }
    target = start;
    for (unsigned k = 0; k < p->axes && any; k++) {
        source += pixel_at(from, p, k, in[k].at);
        target += in[k].first * column.place[k];
    }
    if (any) {
        ops_piece *piece = ztl_ops_add_piece(map, from->src, OPS_OUT, source, target);
        ztl_ops_add_dim(piece, p->n, from->step.n, column.n);
        ztl_ops_add_dim(piece, p->groups, from->step.group, column.group);
        ztl_ops_add_dim(piece, c, from->step.c, column.c);
        add_places(map, piece, from, p, &column, in);
    }
    ztl_ops_tensor plane = {.rank = 3 + p->axes,
                            .bits = call->out->bits,
                            .extent = {p->n, p->groups, c},
                            .stride = {column.n, column.group, column.c},
                            .offset = start};
    int64_t at[ZTL_OPS_RANK] = {0}, n[ZTL_OPS_RANK] = {p->n, p->groups, c};
    for (unsigned k = 0; k < p->axes; k++) {
        plane.extent[3 + k] = p->out[k];
        plane.stride[3 + k] = column.place[k];
        at[3 + k] = any ? in[k].first : 0;
        n[3 + k] = any ? in[k].n : k == 0 ? 0 : p->out[k];
    }
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
    int64_t phases = 1, taps = 1;
    bool fits = true;
    for (unsigned k = 0; k < p->axes; k++) {
        fits = fits && p->stride[k] <= p->size[k];
        phases *= phases_read(p, k);
        taps *= p->kernel[k];
    }
    return fits && phases < taps;
}

/* The image with its phases separated. */
static image split_image(const ops_call *call, const patches *p)
{
    image split = {.src = OPS_SCRATCH, .is_split = true};
    int64_t step = call->in->bits / 8;
    for (unsigned k = p->axes; k-- > 0;) {
        split.step.place[k] = step;
        step *= ops_ceil(p->size[k], p->stride[k]);
    }
    for (unsigned k = p->axes; k-- > 0;) {
        split.phase[k] = step;
        step *= p->stride[k];
    }
    split.step.c = step;
    split.step.group = split.step.c * (p->c / p->groups);
    split.step.n = split.step.c * p->c;
    return split;
}

/* The next of all combinations of less than `most` on each axis; false after the last. */
static bool next_of(int64_t *at, const int64_t *most, unsigned axes)
{
    for (unsigned k = axes; k-- > 0; at[k] = 0)
        if (++at[k] < most[k])
            return true;
    return false;
}

/* Pixels of one phase next to each other: then taps read runs although they skip pixels. */
static void split_phase(ops_map *map, const patches *p, const image *in_place, const image *split,
                        const int64_t *tap)
{
    const steps *from = &in_place->step, *to = &split->step;
    int64_t phase[AXES], source = in_place->offset, target = 0;
    for (unsigned k = 0; k < p->axes; k++) {
        phase[k] = ops_mod(tap[k] * p->dilation[k] - p->pad[k][0], p->stride[k]);
        source += phase[k] * from->place[k];
        target += phase[k] * split->phase[k];
    }
    ops_piece *piece = ztl_ops_add_piece(map, 0, OPS_SCRATCH, source, target);
    ztl_ops_add_dim(piece, p->n, from->n, to->n);
    ztl_ops_add_dim(piece, p->c, from->c, to->c);
    for (unsigned k = 0; k < p->axes; k++)
        ztl_ops_add_dim(piece, ops_ceil(p->size[k] - phase[k], p->stride[k]),
                        from->place[k] * p->stride[k], to->place[k]);
}

static void split_phases(ops_map *map, const patches *p, const image *in_place, const image *split)
{
    int64_t tap[AXES] = {0}, phases[AXES];
    for (unsigned k = 0; k < p->axes; k++)
        phases[k] = phases_read(p, k);
    do
        split_phase(map, p, in_place, split, tap);
    while (next_of(tap, phases, p->axes));
}

/* Whether the phases of a row differ in their number of pixels. */
static bool is_uneven(const patches *p)
{
    unsigned x = p->axes - 1;
    for (unsigned k = 0; k < p->axes; k++)
        if (phases_read(p, k) != p->stride[k])
            return false;
    return p->size[x] % p->stride[x];
}

/* The image in scratch memory, with room for whole strides: then all phases are alike, and are
 * separated together. Pixels beyond the image are those of no place. */
static image even_image(const ops_call *call, const patches *p, int64_t offset)
{
    image even = {.src = OPS_SCRATCH, .offset = offset};
    int64_t step = call->in->bits / 8;
    for (unsigned k = p->axes; k-- > 0;) {
        even.step.place[k] = step;
        step *= ops_ceil(p->size[k], p->stride[k]) * p->stride[k];
    }
    even.step.c = step;
    even.step.n = step * p->c;
    return even;
}

static void split_evenly(ops_map *map, const patches *p, const image *in_place, const image *even,
                         const image *split)
{
    ops_piece *copy = ztl_ops_add_piece(map, 0, OPS_SCRATCH, in_place->offset, even->offset);
    ztl_ops_add_dim(copy, p->n, in_place->step.n, even->step.n);
    ztl_ops_add_dim(copy, p->c, in_place->step.c, even->step.c);
    for (unsigned k = 0; k < p->axes; k++)
        ztl_ops_add_dim(copy, p->size[k], in_place->step.place[k], even->step.place[k]);
    ops_piece *piece = ztl_ops_add_piece(map, OPS_SCRATCH, OPS_SCRATCH, even->offset, 0);
    ztl_ops_add_dim(piece, p->n, even->step.n, split->step.n);
    ztl_ops_add_dim(piece, p->c, even->step.c, split->step.c);
    for (unsigned k = 0; k < p->axes; k++) {
        int64_t step = even->step.place[k];
        ztl_ops_add_dim(piece, ops_ceil(p->size[k], p->stride[k]), step * p->stride[k],
                        split->step.place[k]);
        ztl_ops_add_dim(piece, p->stride[k], step, split->phase[k]);
    }
}

/* Separates the phases, all together or one by one, or none; *from is then where they are. What
 * there is no scratch memory for is no choice; where there is enough for what all together go
 * through once more, one by one is none either. */
static void separate(const ops_call *call, ops_map *map, const patches *p, image *from)
{
    image split = split_image(call, p);
    uint64_t bytes = (uint64_t)(p->n * split.step.n), first = (bytes + 63) & ~UINT64_C(63);
    image even = even_image(call, p, (int64_t)first);
    uint64_t both = first + (uint64_t)(p->n * even.step.n);
    bool may_even = is_uneven(p) && both <= map->scratch_limit;
    bool may_split = bytes <= map->scratch_limit && !(may_even && 2 * both <= map->scratch_limit);
    map->choices = may_split + may_even;
    /* A KiB out of every other element is two loads, a PERMUTE and a store. */
    uint64_t made = (uint64_t)ztl_ops_tensor_elements(call->out) * call->out->bits / 8;
    map->least_direct = call->out->bits <= 128 ? 4 * made / 1024 : 0;
    if (map->choice == map->choices)
        return;
    bool evenly = may_even && map->choice == 0;
    if (evenly)
        split_evenly(map, p, from, &even, &split);
    else
        split_phases(map, p, from, &split);
    map->scratch = evenly ? both : bytes;
    *from = split;
}

/* Taps of one row of the kernel, at some places of the last axis. */
typedef struct window {
    const int64_t *row; /* the taps of the other axes */
    int64_t from, n;    /* places */
    range taps;         /* those inside the image */
} window;

static bool row_is_inside(const patches *p, const int64_t *row)
{
    for (unsigned k = 0; k + 1 < p->axes; k++)
        if (!inside(p, k, row[k]).n)
            return false;
    return true;
}

/* One run for each place. */
static void add_window(ops_map *map, const ops_call *call, const patches *p, const window *w)
{
    steps step = image_steps(call, p, call->in), column = column_steps(call, p, call->out);
    unsigned x = p->axes - 1;
    int64_t at = w->from * p->stride[x] + w->taps.first * p->dilation[x] - p->pad[x][0];
    int64_t source = call->in->offset + at * step.place[x];
    int64_t target = call->out->offset + w->taps.first * column.tap[x] + w->from * column.place[x];
    for (unsigned k = 0; k < x; k++) {
        range in = inside(p, k, w->row[k]);
        source += in.at * step.place[k];
        target += w->row[k] * column.tap[k] + in.first * column.place[k];
    }
    ops_piece *piece = ztl_ops_add_piece(map, 0, OPS_OUT, source, target);
    ztl_ops_add_dim(piece, p->n, step.n, column.n);
    ztl_ops_add_dim(piece, p->groups, step.group, column.group);
    for (unsigned k = 0; k < x; k++)
        ztl_ops_add_dim(piece, inside(p, k, w->row[k]).n, step.place[k] * p->stride[k],
                        column.place[k]);
    ztl_ops_add_dim(piece, w->n, step.place[x] * p->stride[x], column.place[x]);
    ztl_ops_add_dim(piece, w->taps.n, step.place[x] * p->dilation[x], column.tap[x]);
    ztl_ops_add_dim(piece, p->c / p->groups, step.c, column.c);
}

/* What place x has of the taps: first … first + n - 1 are inside the image. */
static range taps_at(const patches *p, int64_t x)
{
    unsigned last = p->axes - 1;
    range r = {0, 0, 0};
    for (int64_t kx = 0; kx < p->kernel[last]; kx++) {
        int64_t at = x * p->stride[last] + kx * p->dilation[last] - p->pad[last][0];
        if (at < 0 || at >= p->size[last])
            continue;
        if (!r.n)
            r.first = kx;
        r.n++;
    }
    return r;
}

/* Constants at the places of a window, for taps outside the image. */
static void fill_window(ops_map *map, const ops_call *call, const patches *p, const window *w)
{
    steps column = column_steps(call, p, call->out);
    unsigned x = p->axes - 1, last = x + 2;
    bool any = w->taps.n && row_is_inside(p, w->row);
    ztl_ops_tensor part = {.rank = x + 5,
                           .bits = call->out->bits,
                           .extent = {p->n, p->groups},
                           .stride = {column.n, column.group},
                           .offset = call->out->offset + w->from * column.place[x]};
    int64_t at[ZTL_OPS_RANK] = {0}, size[ZTL_OPS_RANK] = {p->n, p->groups};
    for (unsigned k = 0; k < x; k++) {
        range in = inside(p, k, w->row[k]);
        part.offset += w->row[k] * column.tap[k];
        part.extent[2 + k] = p->out[k];
        part.stride[2 + k] = column.place[k];
        at[2 + k] = any ? in.first : 0;
        size[2 + k] = any ? in.n : k == 0 ? 0 : p->out[k];
    }
    const int64_t extents[3] = {w->n, p->kernel[x], p->c / p->groups};
    const int64_t strides[3] = {column.place[x], column.tap[x], column.c};
    for (unsigned k = 0; k < 3; k++) {
        part.extent[last + k] = extents[k];
        part.stride[last + k] = strides[k];
        size[last + k] = extents[k];
    }
    at[last + 1] = any ? w->taps.first : 0;
    size[last + 1] = any ? w->taps.n : x > 0 ? p->kernel[x] : 0;
    ztl_ops_add_frame(map, 0, &part, at, size);
}

/* Small pixels: a place's taps of one row are a run of the image, except at its edges. */
static void map_windows(const ops_call *call, ops_map *map, const patches *p)
{
    unsigned last = p->axes - 1;
    int64_t row[AXES] = {0};
    do
        for (int64_t x = 0, n; x < p->out[last]; x += n) {
            window w = {.row = row, .from = x, .taps = taps_at(p, x)};
            for (n = 1; x + n < p->out[last]; n++) {
                range next = taps_at(p, x + n);
                if (next.first != w.taps.first || next.n != w.taps.n)
                    break;
            }
            w.n = n;
            if (w.taps.n && row_is_inside(p, row))
                add_window(map, call, p, &w);
            fill_window(map, call, p, &w);
        }
    while (next_of(row, p->kernel, last));
}

void ztl_ops_map_im2col(const ops_call *call, ops_map *map)
{
    patches p;
    int64_t tap[AXES] = {0};
    patches_of(call, call->in->extent, call->in->rank, &p);
    bool nhwc = call->op->layout == ZTL_OPS_NHWC;
    map->keep_apart = any_overlap(&p);
    if (nhwc && p.c / p.groups * call->in->bits < 8 * OPS_SLICE_BYTES) {
        map_windows(call, map, &p);
        return;
    }
    image from = {.offset = call->in->offset, .step = image_steps(call, &p, call->in)};
    if (!nhwc && p.stride[p.axes - 1] > 1 && call->in->bits >= 8 && share_phases(&p))
        separate(call, map, &p, &from);
    do
        add_tap(map, call, &p, &from, tap);
    while (next_of(tap, p.kernel, p.axes));
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

static void add_segments(ops_map *map, const ops_call *call, const patches *p, const segment *s)
{
    steps pixel = image_steps(call, p, call->out), column = column_steps(call, p, call->in);
    int64_t in = call->in->offset, out = call->out->offset;
    bool none = false;
    for (unsigned k = 0; k < p->axes; k++) {
        none = none || s[k].tap < 0;
        in += s[k].tap * column.tap[k] + s[k].place * column.place[k];
        out += s[k].at * pixel.place[k];
    }
    ops_piece *piece = ztl_ops_add_piece(map, none ? OPS_FILL : 0, OPS_OUT, none ? 0 : in, out);
    ztl_ops_add_dim(piece, p->n, none ? 0 : column.n, pixel.n);
    ztl_ops_add_dim(piece, p->groups, none ? 0 : column.group, pixel.group);
    ztl_ops_add_dim(piece, p->c / p->groups, none ? 0 : column.c, pixel.c);
    for (unsigned k = 0; k < p->axes; k++)
        ztl_ops_add_dim(piece, s[k].n, none ? 0 : column.place[k], pixel.place[k] * s[k].step);
}

/* The segments of axis k with all of the axes after it. */
static void map_axis(ops_map *map, const ops_call *call, const patches *p, unsigned k, segment *s)
{
    if (k == p->axes) {
        add_segments(map, call, p, s);
        return;
    }
    for (int64_t at = 0; at < p->size[k]; at++)
        if (starts_segment(p, k, at, &s[k]))
            map_axis(map, call, p, k + 1, s);
}

void ztl_ops_map_col2im(const ops_call *call, ops_map *map)
{
    patches p;
    segment s[AXES];
    patches_of(call, call->op->shape.value, call->op->shape.count, &p);
    map_axis(map, call, &p, 0, s);
}
