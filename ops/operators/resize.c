/* SPDX-License-Identifier: Apache-2.0
 * Nearest neighbours by any factor: resize, upsample. Positions are reckoned in double, in the
 * order in which ONNX writes them down.
 */
#include "ops/operators/call.h"

/* One axis: its extents, the factor, and the part of the input that it comes from. */
typedef struct axis {
    int64_t in, out;
    double scale, start, end;
} axis;

/* Where in the attributes' lists axis d is; -1 for one that stays as it is. */
static int listed(const ops_call *call, unsigned d)
{
    ztl_ops_list axes = call->op->axes;
    for (size_t k = 0; k < axes.count; k++)
        if (ztl_ops_axis(call, axes.value[k], call->in->rank) == (int)d)
            return (int)k;
    return axes.count ? -1 : (int)d;
}

/* The one factor of sizes that keep the ratio of the axes. */
static double joint_scale(const ops_call *call)
{
    double best = 0;
    bool larger = call->op->aspect == ZTL_OPS_NOT_SMALLER, any = false;
    for (unsigned d = 0; d < call->in->rank; d++) {
        int k = listed(call, d);
        if (k < 0)
            continue;
        double scale = (double)call->op->sizes.value[k] / (double)call->in->extent[d];
        if (!any || (larger ? scale > best : scale < best))
            best = scale;
        any = true;
    }
    return best;
}

/* An extent; one that is too large for any tensor is the largest. */
static int64_t whole(double x)
{
    return x < 9e18 ? (int64_t)x : INT64_MAX;
}

static axis axis_of(const ops_call *call, unsigned d)
{
    const ztl_ops_op *op = call->op;
    int k = listed(call, d);
    axis a = {.in = call->in->extent[d], .out = call->in->extent[d], .scale = 1, .end = 1};
    if (k < 0)
        return a;
    if (op->roi.count) {
        a.start = op->roi.value[k];
        a.end = op->roi.value[(size_t)k + op->roi.count / 2];
    }
    if (!op->sizes.count) {
        a.scale = op->scales.value[k];
        a.out = whole(a.scale * (double)a.in);
    } else if (op->aspect != ZTL_OPS_STRETCH) {
        a.scale = joint_scale(call);
        a.out = whole(a.scale * (double)a.in + 0.5);
    } else {
        a.out = op->sizes.value[k];
        a.scale = (double)a.out / (double)a.in;
    }
    return a;
}

/* A number that extents can be reckoned with, nan not. */
static bool is_usable(double value, double most)
{
    return value >= -most && value <= most;
}

static bool check_lists(const ops_call *call)
{
    const ztl_ops_op *op = call->op;
    size_t axes = op->axes.count ? op->axes.count : call->in->rank;
    bool crops = op->coordinate == ZTL_OPS_TF_CROP_AND_RESIZE;
    if (op->scales.count && op->sizes.count)
        return ztl_ops_fail(call->error, "resize takes scales or sizes, not both");
    if (op->aspect != ZTL_OPS_STRETCH && !op->sizes.count)
        return ztl_ops_fail(call->error, "keep_aspect_ratio_policy needs sizes");
    size_t count = op->sizes.count ? op->sizes.count : op->scales.count;
    if (count != axes)
        return ztl_ops_fail(call->error, "%s has %zu values, needs %zu",
                            op->sizes.count ? "sizes" : "scales", count, axes);
    if (op->roi.count != (crops ? 2 * axes : 0))
        return ztl_ops_fail(call->error, "roi has %zu values, needs %zu", op->roi.count,
                            crops ? 2 * axes : 0);
    for (size_t k = 0; k < op->roi.count; k++)
        if (!is_usable(op->roi.value[k], 1e6))
            return ztl_ops_fail(call->error, "roi number %zu is out of range", k);
    for (size_t k = 0; k < op->scales.count; k++)
        if (!is_usable(op->scales.value[k], 1e9) || op->scales.value[k] <= 0)
            return ztl_ops_fail(call->error, "scales number %zu is not above 0 and below 1e9", k);
    for (size_t k = 0; k < op->sizes.count; k++)
        if (op->sizes.value[k] < 0 || op->sizes.value[k] > INT32_MAX)
            return ztl_ops_fail(call->error, "sizes %lld (number %zu) is out of range",
                                (long long)op->sizes.value[k], k);
    return true;
}

bool ztl_ops_shape_resize(ops_call *call)
{
    const ztl_ops_op *op = call->op;
    int64_t extent[ZTL_OPS_RANK];
    bool chosen[ZTL_OPS_RANK];
    if (op->coordinate > ZTL_OPS_TF_HALF_PIXEL_FOR_NN || op->nearest > ZTL_OPS_CEIL ||
        op->aspect > ZTL_OPS_NOT_SMALLER)
        return ztl_ops_fail(call->error, "a mode of resize is not one of its words");
    if (!ztl_ops_axes(call, op->axes, call->in->rank, chosen) || !check_lists(call))
        return false;
    for (unsigned d = 0; d < call->in->rank; d++) {
        int64_t in = call->in->extent[d];
        if (in > INT64_C(1) << 40)
            return ztl_ops_fail(call->error, "axis %u of %lld is too large", d, (long long)in);
        if (op->sizes.count && listed(call, d) >= 0 && in == 0)
            return ztl_ops_fail(call->error, "axis %u is empty, it has no neighbours", d);
        extent[d] = axis_of(call, d).out;
    }
    return ztl_ops_output(call, 0, call->in->rank, extent);
}

/* The largest whole number not above x, which is small enough to be one. */
static int64_t floor_of(double x)
{
    int64_t whole = (int64_t)x;
    return whole - ((double)whole > x);
}

/* Where position x of the output is in the input. */
static double position(const axis *a, enum ztl_ops_coordinate mode, int64_t at)
{
    double in = (double)a->in, width = a->scale * in, x = (double)at;
    switch (mode) {
    case ZTL_OPS_HALF_PIXEL_SYMMETRIC: {
        double adjustment = (double)a->out / width, centre = in / 2;
        return centre * (1 - adjustment) + (x + 0.5) / a->scale - 0.5;
    }
    case ZTL_OPS_PYTORCH_HALF_PIXEL:
        return width == 1 ? -0.5 : (x + 0.5) / a->scale - 0.5;
    case ZTL_OPS_ALIGN_CORNERS:
        return width == 1 ? 0 : x * (in - 1) / (width - 1);
    case ZTL_OPS_ASYMMETRIC:
        return x / a->scale;
    case ZTL_OPS_TF_HALF_PIXEL_FOR_NN:
        return (x + 0.5) / a->scale;
    case ZTL_OPS_TF_CROP_AND_RESIZE:
        return (width == 1 ? (a->end - a->start) * (in - 1) / 2
                           : x * (a->end - a->start) * (in - 1) / (width - 1)) +
               a->start * (in - 1);
    default:
        return (x + 0.5) / a->scale - 0.5;
    }
}

/* The element that position x of the output gets; -1 where it lies outside a crop. */
static int64_t neighbour(const ztl_ops_op *op, const axis *a, int64_t at)
{
    double x = position(a, op->coordinate, at), last = (double)(a->in - 1);
    if (op->coordinate == ZTL_OPS_TF_CROP_AND_RESIZE && (x < 0 || x > last))
        return -1;
    x = x < -1 ? -1 : x > last + 1 ? last + 1 : x;
    int64_t low = floor_of(x);
    double beyond = x - (double)low;
    bool next = op->nearest == ZTL_OPS_FLOOR               ? false
                : op->nearest == ZTL_OPS_CEIL              ? beyond > 0
                : op->nearest == ZTL_OPS_ROUND_PREFER_CEIL ? beyond >= 0.5
                                                           : beyond > 0.5;
    low += next;
    return low < 0 ? 0 : low >= a->in ? a->in - 1 : low;
}

/* An axis as segments: every `step`-th position from `at` on, n of them, gets an element that is
 * `by` further each time; and so do the positions after each, `times` in all. */
typedef struct segment {
    int64_t at, step, n, from, by, times;
} segment;

/* What an axis is cut into: by a period of the positions, or where the distance changes. */
typedef struct segments {
    const ztl_ops_op *op; /* NULL: all stay where they are */
    axis axis;
    int64_t first, end; /* the positions that have a neighbour */
    int64_t period;     /* 0: none */
    int64_t times;      /* every element so many times in a row; 0: otherwise */
    int64_t count;
} segments;

/* The positions from `at` on that get the same element, up to `end`. Neighbours never turn back, so
 * that they are not looked at one by one: a factor may be 1e9. */
static int64_t same_from(const segments *s, int64_t at, int64_t end)
{
    int64_t from = neighbour(s->op, &s->axis, at), low = at, step = 1;
    while (low + step < end && neighbour(s->op, &s->axis, low + step) == from) {
        low += step;
        step *= 2;
    }
    for (; step; step /= 2)
        if (low + step < end && neighbour(s->op, &s->axis, low + step) == from)
            low += step;
    return low + 1 - at;
}

/* Not of positions that get all the same element: these have few segments. */
static bool has_period(const segments *s, int64_t period)
{
    int64_t by =
        neighbour(s->op, &s->axis, s->first + period) - neighbour(s->op, &s->axis, s->first);
    if (by == 0)
        return false;
    for (int64_t x = s->first; x + period < s->end; x++)
        if (neighbour(s->op, &s->axis, x + period) - neighbour(s->op, &s->axis, x) != by)
            return false;
    return true;
}

/* How often every element is repeated, 0 where that differs. */
static int64_t repetition(const segments *s)
{
    int64_t from = neighbour(s->op, &s->axis, s->first), n = s->end - s->first,
            times = same_from(s, s->first, s->end);
    bool equal = times > 1 && n % times == 0;
    for (int64_t x = 0; equal && x < n; x += times)
        equal = neighbour(s->op, &s->axis, s->first + x) == from + x / times &&
                neighbour(s->op, &s->axis, s->first + x + times - 1) == from + x / times;
    return equal ? times : 0;
}

/* The segment that starts at `at`, as long as it goes. */
static segment run_from(const segments *s, int64_t at)
{
    if (!s->op)
        return (segment){at, 1, s->end - at, at, 1, 1};
    segment r = {at, 1, 1, neighbour(s->op, &s->axis, at), 0, 1};
    if (s->times) {
        r.step = r.times = s->times;
        r.n = (s->end - at) / s->times;
        r.by = 1;
        return r;
    }
    if (s->period) {
        r.step = s->period;
        r.n = (s->end - at - 1) / s->period + 1;
        r.by = r.n > 1 ? neighbour(s->op, &s->axis, at + s->period) - r.from : 0;
        return r;
    }
    int64_t last = r.from;
    r.n = same_from(s, at, s->end);
    if (r.n > 1)
        return r;
    for (; at + r.n < s->end; r.n++) {
        int64_t next = neighbour(s->op, &s->axis, at + r.n);
        if (r.n == 1)
            r.by = next - last;
        if (next - last != r.by)
            break;
        last = next;
    }
    return r;
}

static bool next_segment(const segments *s, int64_t *at, segment *r)
{
    if (*at >= (s->period ? s->first + s->period : s->end))
        return false;
    *r = run_from(s, *at);
    *at += s->times ? r->n * r->times : s->period ? 1 : r->n;
    return true;
}

/* An axis whose positions stay as they are. */
static segments unchanged(int64_t n)
{
    return (segments){.axis = {.in = n, .out = n, .scale = 1}, .end = n, .count = 1};
}

/* How many of n positions from `at` on, up or down, lie outside a crop, at the same end of it. */
static int64_t outside(const segments *s, int64_t at, int64_t step, int64_t n)
{
    int64_t low = 0, high = n;
    if (n <= 0 || neighbour(s->op, &s->axis, at) >= 0)
        return 0;
    bool below = position(&s->axis, s->op->coordinate, at) < 0;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        double x = position(&s->axis, s->op->coordinate, at + step * middle);
        if (below ? x < 0 : x > (double)(s->axis.in - 1))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

enum { MOST_PERIOD = 32 };

static segments cut_axis(const ops_call *call, unsigned d)
{
    segments s = {.op = call->op, .axis = axis_of(call, d)};
    segment r;
    if (listed(call, d) < 0)
        return unchanged(s.axis.in);
    s.first = outside(&s, 0, 1, s.axis.out);
    if (s.first < s.axis.out && neighbour(s.op, &s.axis, s.first) < 0) /* beyond the other end */
        s.first = s.axis.out;
    s.end = s.axis.out - outside(&s, s.axis.out - 1, -1, s.axis.out - s.first);
    if (s.end > s.first && (s.times = repetition(&s))) {
        s.count = 1;
        return s;
    }
    for (int64_t at = s.first; next_segment(&s, &at, &r);)
        s.count++;
    for (int64_t p = 1; p <= MOST_PERIOD && p < s.count && !s.period; p++)
        if (p < s.end - s.first && has_period(&s, p))
            s.period = s.count = p;
    return s;
}

/* Every segment of every axis from `from` to `to` with those of the others. */
static void add_segments(ops_map *map, const segments *s, unsigned d, unsigned src, unsigned dst,
                         const ztl_ops_tensor *from, const ztl_ops_tensor *to, ops_piece *so_far)
{
    segment r;
    if (d == to->rank) {
        ops_piece *piece = ztl_ops_add_piece(map, src, dst, so_far->in, so_far->out);
        for (unsigned k = 0; k < so_far->rank; k++)
            ztl_ops_add_dim(piece, so_far->dim[k].n, so_far->dim[k].in, so_far->dim[k].out);
        return;
    }
    for (int64_t at = s[d].first; next_segment(&s[d], &at, &r);) {
        ops_piece piece = *so_far;
        piece.in += r.from * from->stride[d];
        piece.out += r.at * to->stride[d];
        ztl_ops_add_dim(&piece, r.n, r.by * from->stride[d], r.step * to->stride[d]);
        ztl_ops_add_dim(&piece, r.times, 0, to->stride[d]);
        add_segments(map, s, d + 1, src, dst, from, to, &piece);
    }
}

/* Many segments along several axes: one axis at a time, the shorter way round. */
static bool through_scratch(const ops_call *call, ops_map *map, const segments *s, unsigned by)
{
    const ztl_ops_tensor *in = call->in, *out = call->out;
    segments first[ZTL_OPS_RANK], second[ZTL_OPS_RANK];
    ztl_ops_tensor between;
    int64_t extent[ZTL_OPS_RANK];
    for (unsigned d = 0; d < in->rank; d++) {
        extent[d] = d == by ? out->extent[d] : in->extent[d];
        first[d] = d == by ? s[d] : unchanged(in->extent[d]);
        second[d] = d == by ? unchanged(out->extent[d]) : s[d];
    }
    second[by].first = s[by].first;
    second[by].end = s[by].end;
    if (!ztl_ops_dense(&between, in->bits, in->rank, extent) || between.size > map->scratch_limit)
        return false;
    map->scratch = between.size;
    ops_piece piece = {.in = in->offset};
    add_segments(map, first, 0, 0, OPS_SCRATCH, in, &between, &piece);
    piece = (ops_piece){.out = out->offset};
    add_segments(map, second, 0, OPS_SCRATCH, OPS_OUT, &between, out, &piece);
    return true;
}

enum { MOST_PIECES = 64 }; /* that are not worth a detour, as long as they have runs */

/* What the axes are cut into, all together. */
typedef struct cuts {
    int64_t pieces;   /* MOST_PIECES for more */
    int64_t run;      /* elements that stay together */
    unsigned cut;     /* axes with several segments, */
    unsigned most;    /* … the one with the most of them, */
    unsigned changed; /* axes that do not stay as they are, */
    unsigned first;   /* … of two, the one to begin with: an outer one if it shrinks */
} cuts;

static cuts cut_axes(const ops_call *call, segments *s)
{
    cuts c = {.pieces = 1, .run = 1};
    for (unsigned d = 0; d < call->in->rank; d++) {
        s[d] = cut_axis(call, d);
        bool changes = s[d].count > 1 || call->in->extent[d] != call->out->extent[d];
        c.pieces *= s[d].count < MOST_PIECES ? s[d].count : MOST_PIECES;
        c.pieces = c.pieces < MOST_PIECES ? c.pieces : MOST_PIECES;
        c.run = changes ? 1 : c.run * call->out->extent[d];
        c.cut += s[d].count > 1;
        c.most = s[d].count > s[c.most].count ? d : c.most;
        if (changes && (!c.changed++ || s[c.first].axis.scale >= 1))
            c.first = d;
    }
    return c;
}

void ztl_ops_map_resize(const ops_call *call, ops_map *map)
{
    const ztl_ops_tensor *in = call->in, *out = call->out;
    segments s[ZTL_OPS_RANK];
    int64_t at[ZTL_OPS_RANK], n[ZTL_OPS_RANK];
    bool any = true;
    cuts c = cut_axes(call, s);
    for (unsigned d = 0; d < in->rank; d++) {
        at[d] = s[d].first;
        n[d] = s[d].end - s[d].first;
        any = any && n[d] > 0;
    }
    ops_piece piece = {.in = in->offset, .out = out->offset};
    bool has_runs = c.run * in->bits >= 8 * OPS_SLICE_BYTES;
    bool detours = any && (has_runs ? c.cut > 1 && c.pieces == MOST_PIECES : c.changed > 1);
    detours =
        detours && !map->choice && through_scratch(call, map, s, c.changed == 2 ? c.first : c.most);
    map->choices = detours && c.pieces < MOST_PIECES;
    if (any && !detours)
        add_segments(map, s, 0, 0, OPS_OUT, in, out, &piece);
    if (call->op->coordinate == ZTL_OPS_TF_CROP_AND_RESIZE) {
        for (unsigned d = 0; d < in->rank && !any; d++)
            at[d] = n[d] = 0;
        ztl_ops_add_frame(map, 0, out, at, n);
    }
}

/* Upsample counts from the first element on, and rounds down. */
static ztl_ops_op as_resize(const ztl_ops_op *op)
{
    ztl_ops_op resize = {.kind = ZTL_OPS_RESIZE,
                         .coordinate = ZTL_OPS_ASYMMETRIC,
                         .nearest = ZTL_OPS_FLOOR,
                         .scales = op->scales};
    return resize;
}

bool ztl_ops_shape_upsample(ops_call *call)
{
    const ztl_ops_op *own = call->op, resize = as_resize(own);
    call->op = &resize;
    bool good = ztl_ops_shape_resize(call);
    call->op = own;
    return good;
}

void ztl_ops_map_upsample(const ops_call *call, ops_map *map)
{
    ztl_ops_op resize = as_resize(call->op);
    ops_call copy = *call;
    copy.op = &resize;
    ztl_ops_map_resize(&copy, map);
}
