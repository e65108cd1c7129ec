/* SPDX-License-Identifier: Apache-2.0
 * Nearest neighbours by any factor: resize, upsample.
 */
#include "ops/operators/nearest/neighbours.h"

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

static ops_axis axis_of(const ops_call *call, unsigned d)
{
    const ztl_ops_op *op = call->op;
    int k = listed(call, d);
    ops_axis a = {.in = call->in->extent[d], .out = call->in->extent[d], .scale = 1, .end = 1};
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

/* Making a plan may take a look at every position of an axis only where there are not too many. */
static bool check_lengths(ops_call *call)
{
    for (unsigned d = 0; d < call->in->rank; d++) {
        ops_segments s = ztl_ops_whole_axis(call->op, axis_of(call, d));
        if (listed(call, d) >= 0 && !ztl_ops_can_cut(&s))
            return ztl_ops_fail(
                call->error, "axis %u has %lld positions, at most %d by a factor without a period",
                d, (long long)(s.end - s.first), OPS_MOST_LOOKED);
    }
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
    return check_lengths(call) && ztl_ops_output(call, 0, call->in->rank, extent);
}

static ops_segments cut_axis(const ops_call *call, unsigned d)
{
    if (listed(call, d) < 0)
        return ztl_ops_unchanged(call->in->extent[d]);
    ops_segments s = ztl_ops_whole_axis(call->op, axis_of(call, d));
    ztl_ops_cut_axis(&s);
    return s;
}

/* Every segment of every axis from `from` to `to` with those of the others. */
static void add_segments(ops_map *map, const ops_segments *s, unsigned d, unsigned src,
                         unsigned dst, const ztl_ops_tensor *from, const ztl_ops_tensor *to,
                         ops_piece *so_far)
{
    ops_segment r;
    if (d == to->rank) {
        ops_piece *piece = ztl_ops_add_piece(map, src, dst, so_far->in, so_far->out);
        for (unsigned k = 0; k < so_far->rank; k++)
            ztl_ops_add_dim(piece, so_far->dim[k].n, so_far->dim[k].in, so_far->dim[k].out);
        return;
    }
    for (int64_t at = s[d].first; ztl_ops_next_segment(&s[d], &at, &r);) {
        ops_piece piece = *so_far;
        piece.in += r.from * from->stride[d];
        piece.out += r.at * to->stride[d];
        ztl_ops_add_dim(&piece, r.n, r.by * from->stride[d], r.step * to->stride[d]);
        ztl_ops_add_dim(&piece, r.times, 0, to->stride[d]);
        add_segments(map, s, d + 1, src, dst, from, to, &piece);
    }
}

/* Many segments along several axes: one axis at a time, the shorter way round. */
static bool through_scratch(const ops_call *call, ops_map *map, const ops_segments *s, unsigned by)
{
    const ztl_ops_tensor *in = call->in, *out = call->out;
    ops_segments first[ZTL_OPS_RANK], second[ZTL_OPS_RANK];
    ztl_ops_tensor between;
    int64_t extent[ZTL_OPS_RANK];
    for (unsigned d = 0; d < in->rank; d++) {
        extent[d] = d == by ? out->extent[d] : in->extent[d];
        first[d] = d == by ? s[d] : ztl_ops_unchanged(in->extent[d]);
        second[d] = d == by ? ztl_ops_unchanged(out->extent[d]) : s[d];
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

static cuts cut_axes(const ops_call *call, ops_segments *s)
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
    ops_segments s[ZTL_OPS_RANK];
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
