/* SPDX-License-Identifier: Apache-2.0
 * Im2col of small pixels: windows of several taps.
 */
#include "ops/operators/patches/patches.h"

/* Taps of one row of the kernel, at some places of the last axis. */
typedef struct window {
    const int64_t *row; /* the taps of the other axes */
    int64_t from, n;    /* places */
    ops_range taps;     /* those inside the image */
} window;

static bool row_is_inside(const ops_patches *p, const int64_t *row)
{
    for (unsigned k = 0; k + 1 < p->axes; k++)
        if (!ops_inside(p, k, row[k]).n)
            return false;
    return true;
}

/* One run for each place. */
static void add_window(ops_map *map, const ops_call *call, const ops_patches *p, const window *w)
{
    ops_steps step = ztl_ops_image_steps(call, p, call->in),
              column = ztl_ops_column_steps(call, p, call->out);
    unsigned x = p->axes - 1;
    int64_t at = w->from * p->stride[x] + w->taps.first * p->dilation[x] - p->pad[x][0];
    int64_t source = call->in->offset + at * step.place[x];
    int64_t target = call->out->offset + w->taps.first * column.tap[x] + w->from * column.place[x];
    for (unsigned k = 0; k < x; k++) {
        ops_range in = ops_inside(p, k, w->row[k]);
        source += in.at * step.place[k];
        target += w->row[k] * column.tap[k] + in.first * column.place[k];
    }
    ops_piece *piece = ztl_ops_add_piece(map, 0, OPS_OUT, source, target);
    ztl_ops_add_dim(piece, p->n, step.n, column.n);
    ztl_ops_add_dim(piece, p->groups, step.group, column.group);
    for (unsigned k = 0; k < x; k++)
        ztl_ops_add_dim(piece, ops_inside(p, k, w->row[k]).n, step.place[k] * p->stride[k],
                        column.place[k]);
    ztl_ops_add_dim(piece, w->n, step.place[x] * p->stride[x], column.place[x]);
    ztl_ops_add_dim(piece, w->taps.n, step.place[x] * p->dilation[x], column.tap[x]);
    ztl_ops_add_dim(piece, p->c / p->groups, step.c, column.c);
}

/* What place x has of the taps: first … first + n - 1 are inside the image. */
static ops_range taps_at(const ops_patches *p, int64_t x)
{
    unsigned last = p->axes - 1;
    ops_range r = {0, 0, 0};
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
static void fill_window(ops_map *map, const ops_call *call, const ops_patches *p, const window *w)
{
    ops_steps column = ztl_ops_column_steps(call, p, call->out);
    unsigned x = p->axes - 1, last = x + 2;
    bool any = w->taps.n && row_is_inside(p, w->row);
    ztl_ops_tensor part = {.rank = x + 5,
                           .bits = call->out->bits,
                           .extent = {p->n, p->groups},
                           .stride = {column.n, column.group},
                           .offset = call->out->offset + w->from * column.place[x]};
    int64_t at[ZTL_OPS_RANK] = {0}, size[ZTL_OPS_RANK] = {p->n, p->groups};
    for (unsigned k = 0; k < x; k++) {
        ops_range in = ops_inside(p, k, w->row[k]);
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

void ztl_ops_map_windows(const ops_call *call, ops_map *map, const ops_patches *p)
{
    unsigned last = p->axes - 1;
    int64_t row[OPS_AXES] = {0};
    do
        for (int64_t x = 0, n; x < p->out[last]; x += n) {
            window w = {.row = row, .from = x, .taps = taps_at(p, x)};
            for (n = 1; x + n < p->out[last]; n++) {
                ops_range next = taps_at(p, x + n);
                if (next.first != w.taps.first || next.n != w.taps.n)
                    break;
            }
            w.n = n;
            if (w.taps.n && row_is_inside(p, row))
                add_window(map, call, p, &w);
            fill_window(map, call, p, &w);
        }
    while (ops_next_of(row, p->kernel, last));
}
