/* SPDX-License-Identifier: Apache-2.0
 * Padding before the taps: the image goes to scratch memory once, with its constants around it, and
 * no tap has edges then. Two forms of it:
 *
 *     padded    [C][H + 2][W + 2]        every row of a tap is a run
 *     shifted   [kw][C][H + 2][W]        an image for each shift of a row: all of a tap is a run
 */
#include "ops/operators/patches/patches.h"

/* Whether padding first is a choice: NCHW, steps of one pixel, constants at some edge. */
static bool suits(const ops_call *call, const ops_patches *p)
{
    int64_t pads = 0;
    for (unsigned k = 0; k < p->axes; k++) {
        if (p->stride[k] != 1)
            return false;
        pads += p->pad[k][0] + p->pad[k][1];
    }
    return pads && call->op->layout == ZTL_OPS_NCHW && call->out->bits >= 8 &&
           call->out->bits <= 64;
}

/* Whether rows keep their length, so that a shifted plane is one run. */
static bool keeps_rows(const ops_image *from, const ops_patches *p)
{
    unsigned x = p->axes - 1;
    return p->axes == 2 && p->out[x] == p->size[x] &&
           from->step.place[0] == p->size[x] * from->step.place[x];
}

/* A dense image of these planes in scratch memory; returns its bytes. */
static int64_t lay_out(const ops_patches *p, int64_t element, ops_image *image)
{
    int64_t step = element;
    *image = (ops_image){.src = OPS_SCRATCH};
    for (unsigned k = p->axes; k-- > 0; step *= p->size[k])
        image->step.place[k] = step;
    image->step.c = step;
    image->step.group = step * (p->c / p->groups);
    image->step.n = step * p->c;
    return image->step.n * p->n;
}

static void fill(ops_map *map, const ops_patches *p, const ops_image *to, int64_t at, int64_t rows,
                 int64_t row_step, int64_t run)
{
    if (rows < 1 || run < 1)
        return;
    ops_piece *piece = ztl_ops_add_piece(map, OPS_FILL, OPS_SCRATCH, 0, at);
    ztl_ops_add_dim(piece, p->n, 0, to->step.n);
    ztl_ops_add_dim(piece, p->c, 0, to->step.c);
    ztl_ops_add_dim(piece, rows, 0, row_step);
    ztl_ops_add_dim(piece, run, 0, to->step.place[p->axes - 1]);
}

/* All of it constants first, then the image over them. */
static void write_padded(ops_map *map, const ops_patches *p, const ops_image *from,
                         const ops_image *to, const ops_patches *in)
{
    int64_t at = 0, element = to->step.place[p->axes - 1];
    ops_piece *all = ztl_ops_add_piece(map, OPS_FILL, OPS_SCRATCH, 0, 0);
    ztl_ops_add_dim(all, to->step.n * p->n / element, 0, element);
    for (unsigned k = 0; k < p->axes; k++)
        at += in->pad[k][0] * to->step.place[k];
    ops_piece *copy = ztl_ops_add_piece(map, from->src, OPS_SCRATCH, from->offset, at);
    ztl_ops_add_dim(copy, p->n, from->step.n, to->step.n);
    ztl_ops_add_dim(copy, p->c, from->step.c, to->step.c);
    for (unsigned k = 0; k < p->axes; k++)
        ztl_ops_add_dim(copy, in->size[k], from->step.place[k], to->step.place[k]);
}

/* One shift: the plane as a run, then the constants over what came from the rows beside. */
static void write_shifted(ops_map *map, const ops_patches *in, const ops_image *from,
                          const ops_image *to, int64_t base, int64_t shift)
{
    int64_t w = in->size[1], h = in->size[0], element = to->step.place[1], row = to->step.place[0];
    int64_t left = shift < 0 ? -shift : 0, right = shift > 0 ? shift : 0;
    int64_t top = base + in->pad[0][0] * row;
    left = left < w ? left : w;
    right = right < w ? right : w;
    if (h * w > left + right) {
        ops_piece *copy =
            ztl_ops_add_piece(map, from->src, OPS_SCRATCH,
                              from->offset + right * from->step.place[1], top + left * element);
        ztl_ops_add_dim(copy, in->n, from->step.n, to->step.n);
        ztl_ops_add_dim(copy, in->c, from->step.c, to->step.c);
        ztl_ops_add_dim(copy, h * w - left - right, from->step.place[1], element);
    }
    fill(map, in, to, top, h, row, left);
    fill(map, in, to, top + (w - right) * element, h, row, right);
    fill(map, in, to, base, 1, row, in->pad[0][0] * w);
    fill(map, in, to, top + h * row, 1, row, in->pad[0][1] * w);
}

void ztl_ops_pad_first(const ops_call *call, ops_map *map, ops_patches *p, ops_image *from)
{
    const ops_patches in = *p;
    ops_patches padded = *p, rows = *p;
    ops_image to, shifted;
    unsigned x = p->axes - 1;
    if (!suits(call, p))
        return;
    for (unsigned k = 0; k < p->axes; k++) {
        padded.size[k] += p->pad[k][0] + p->pad[k][1];
        padded.pad[k][0] = padded.pad[k][1] = 0;
    }
    rows = padded;
    rows.size[x] = p->out[x];
    int64_t bytes = lay_out(&padded, from->step.place[x], &to);
    int64_t each = lay_out(&rows, from->step.place[x], &shifted);
    bool may_pad = (uint64_t)bytes <= map->scratch_limit;
    bool may_shift = keeps_rows(from, p) && p->kernel[x] > 1 &&
                     (uint64_t)(each * p->kernel[x]) <= map->scratch_limit;
    map->choices = may_pad + may_shift;
    if (map->choice == map->choices)
        return;
    if (may_pad && map->choice == 0) {
        write_padded(map, &padded, from, &to, &in);
        map->scratch = (uint64_t)bytes;
        *from = to;
        *p = padded;
        return;
    }
    for (int64_t k = 0; k < p->kernel[x]; k++)
        write_shifted(map, &in, from, &shifted, k * each, k * p->dilation[x] - p->pad[x][0]);
    map->fills_last = true;
    map->scratch = (uint64_t)(each * p->kernel[x]);
    shifted.tap = each;
    *from = shifted;
    *p = rows;
    p->dilation[x] = 0;
}
