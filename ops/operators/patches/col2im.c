/* SPDX-License-Identifier: Apache-2.0
 * Col2im: every pixel from the first tap that has it.
 */
#include "ops/operators/patches/patches.h"

/* The first tap whose places have image position `at` among them; -1 when none has. */
static int64_t first_tap(const ops_patches *p, unsigned k, int64_t at, int64_t *place)
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
static bool starts_segment(const ops_patches *p, unsigned k, int64_t at, segment *s)
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

static void add_segments(ops_map *map, const ops_call *call, const ops_patches *p, const segment *s)
{
    ops_steps pixel = ztl_ops_image_steps(call, p, call->out),
              column = ztl_ops_column_steps(call, p, call->in);
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
static void map_axis(ops_map *map, const ops_call *call, const ops_patches *p, unsigned k,
                     segment *s)
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
    ops_patches p;
    segment s[OPS_AXES];
    ztl_ops_patches_of(call, call->op->shape.value, call->op->shape.count, &p);
    map_axis(map, call, &p, 0, s);
}
