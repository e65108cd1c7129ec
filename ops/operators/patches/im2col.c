/* SPDX-License-Identifier: Apache-2.0
 * Im2col, tap by tap.
 */
#include "ops/operators/patches/patches.h"

/* Where pixel `at` of an axis is, and the step to the pixel of the next place. */
static int64_t pixel_at(const ops_image *from, const ops_patches *p, unsigned k, int64_t at)
{
    if (!from->is_split)
        return at * from->step.place[k];
    return at % p->stride[k] * from->phase[k] + at / p->stride[k] * from->step.place[k];
}

static int64_t place_step(const ops_image *from, const ops_patches *p, unsigned k)
{
    return from->step.place[k] * (from->is_split ? 1 : p->stride[k]);
}

/* The places of a tap. Rows that continue each other on both sides are one run, with whatever lies
 * between them: constants belong there, and are written later. */
static void add_places(ops_map *map, ops_piece *piece, const ops_image *from, const ops_patches *p,
                       const ops_steps *column, const ops_range *at)
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
    map->fills_last |= joins && at[x].n < p->out[x];
}

static void add_tap(ops_map *map, const ops_call *call, const ops_patches *p, const ops_image *from,
                    const int64_t *tap)
{
    ops_steps column = ztl_ops_column_steps(call, p, call->out);
    ops_range in[OPS_AXES];
    int64_t start = call->out->offset, target, source = from->offset + tap[p->axes - 1] * from->tap,
            c = p->c / p->groups;
    bool any = true;
    for (unsigned k = 0; k < p->axes; k++) {
        in[k] = ops_inside(p, k, tap[k]);
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

void ztl_ops_map_im2col(const ops_call *call, ops_map *map)
{
    ops_patches p;
    int64_t tap[OPS_AXES] = {0};
    ztl_ops_patches_of(call, call->in->extent, call->in->rank, &p);
    bool nhwc = call->op->layout == ZTL_OPS_NHWC;
    map->keep_apart = ztl_ops_patches_overlap(&p);
    if (nhwc && p.c / p.groups * call->in->bits < 8 * OPS_SLICE_BYTES) {
        ztl_ops_map_windows(call, map, &p);
        return;
    }
    ops_image from = {.offset = call->in->offset, .step = ztl_ops_image_steps(call, &p, call->in)};
    if (!nhwc && p.stride[p.axes - 1] > 1 && call->in->bits >= 8 && ztl_ops_share_phases(&p))
        ztl_ops_separate_phases(call, map, &p, &from);
    else
        ztl_ops_pad_first(call, map, &p, &from);
    do
        add_tap(map, call, &p, &from, tap);
    while (ops_next_of(tap, p.kernel, p.axes));
}
