/* SPDX-License-Identifier: Apache-2.0
 * What the operators share.
 */
#include "ops/operators/call.h"

#include <stdarg.h>
#include <stdio.h>

bool ztl_ops_fail(ztl_error *error, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (error)
        vsnprintf(error->text, sizeof error->text, format, list);
    va_end(list);
    return false;
}

int64_t ztl_ops_tensor_elements(const ztl_ops_tensor *tensor)
{
    int64_t n = 1;
    for (unsigned d = 0; d < tensor->rank; d++)
        n *= tensor->extent[d];
    return n;
}

bool ztl_ops_output(ops_call *call, size_t k, unsigned rank, const int64_t *extent)
{
    if (rank > ZTL_OPS_RANK)
        return ztl_ops_fail(call->error, "the output has rank %u, at most %d is possible", rank,
                            ZTL_OPS_RANK);
    for (unsigned d = 0; d < rank; d++)
        if (extent[d] < 0)
            return ztl_ops_fail(call->error, "the output's extent %lld in dimension %u is negative",
                                (long long)extent[d], d);
    if (!ztl_ops_dense(&call->out[k], call->in[0].bits, rank, extent))
        return ztl_ops_fail(call->error, "the output is too large");
    call->outputs = k + 1;
    return true;
}

int ztl_ops_axis(const ops_call *call, int64_t axis, unsigned rank)
{
    if (axis < -(int64_t)rank || axis >= (int64_t)rank) {
        ztl_ops_fail(call->error, "axis %lld is outside a tensor of rank %u", (long long)axis,
                     rank);
        return -1;
    }
    return (int)(axis < 0 ? axis + rank : axis);
}

bool ztl_ops_axes(const ops_call *call, ztl_ops_list list, unsigned rank, bool *chosen)
{
    for (unsigned d = 0; d < rank; d++)
        chosen[d] = list.count == 0;
    for (size_t k = 0; k < list.count; k++) {
        int axis = ztl_ops_axis(call, list.value[k], rank);
        if (axis < 0)
            return false;
        if (chosen[axis])
            return ztl_ops_fail(call->error, "axis %d is named twice", axis);
        chosen[axis] = true;
    }
    return true;
}

bool ztl_ops_needs(const ops_call *call, ztl_ops_list list, size_t count, const char *name)
{
    if (list.count == count)
        return true;
    return ztl_ops_fail(call->error, "%s has %zu values, needs %zu", name, list.count, count);
}

ops_piece *ztl_ops_add_box(ops_map *map, unsigned src, const ztl_ops_tensor *in, unsigned dst,
                           const ztl_ops_tensor *out)
{
    ops_piece *piece =
        ztl_ops_add_piece(map, src, OPS_OUT + dst, src == OPS_FILL ? 0 : in->offset, out->offset);
    for (unsigned d = 0; d < out->rank; d++)
        ztl_ops_add_dim(piece, out->extent[d], src == OPS_FILL ? 0 : in->stride[d], out->stride[d]);
    return piece;
}

void ztl_ops_add_part(ops_map *map, unsigned src, const ztl_ops_tensor *in, const int64_t *in_at,
                      unsigned dst, const ztl_ops_tensor *out, const int64_t *out_at,
                      const int64_t *n)
{
    for (unsigned d = 0; d < out->rank; d++)
        if (n[d] <= 0)
            return;
    ops_piece *piece =
        ztl_ops_add_piece(map, src, OPS_OUT + dst, src == OPS_FILL ? 0 : in->offset, out->offset);
    for (unsigned d = 0; piece && d < out->rank; d++) {
        bool fills = src == OPS_FILL;
        piece->in += fills ? 0 : in_at[d] * in->stride[d];
        piece->out += out_at[d] * out->stride[d];
        ztl_ops_add_dim(piece, n[d], fills ? 0 : in->stride[d], out->stride[d]);
    }
}

/* Axis by axis, from the outermost: what lies before and after the box, with the whole extent of
 * the inner axes. */
static void add_sides(ops_map *map, unsigned dst, const ztl_ops_tensor *out, const int64_t *at,
                      const int64_t *n)
{
    int64_t where[ZTL_OPS_RANK] = {0}, size[ZTL_OPS_RANK];
    memcpy(size, out->extent, sizeof size);
    for (unsigned d = 0; d < out->rank; d++) {
        int64_t after = out->extent[d] - at[d] - n[d];
        size[d] = at[d];
        where[d] = 0;
        ztl_ops_add_part(map, OPS_FILL, NULL, NULL, dst, out, where, size);
        size[d] = after;
        where[d] = at[d] + n[d];
        ztl_ops_add_part(map, OPS_FILL, NULL, NULL, dst, out, where, size);
        size[d] = n[d];
        where[d] = at[d];
    }
}

/* A gap of `bytes` from `from` on, at every index of the axes before `end`; `fewer` of the last. */
static void add_gap(ops_map *map, unsigned dst, const ztl_ops_tensor *out, unsigned end,
                    const int64_t *n, int64_t fewer, int64_t from, int64_t bytes)
{
    int64_t unit = out->bits == 4 ? 1 : out->bits / 8;
    if (bytes <= 0 || (end && n[end - 1] - fewer <= 0))
        return;
    ops_piece *piece = ztl_ops_add_piece(map, OPS_FILL, OPS_OUT + dst, 0, from);
    for (unsigned d = 0; d < end; d++)
        ztl_ops_add_dim(piece, n[d] - (d + 1 == end ? fewer : 0), 0, out->stride[d]);
    ztl_ops_add_dim(piece, bytes / unit, 0, unit);
}

/* The first of the last axes that are dense together. */
static unsigned dense_from(const ztl_ops_tensor *out)
{
    int64_t step = out->bits == 4 ? 1 : out->bits / 8;
    unsigned d = out->rank;
    while (d > 0 && out->stride[d - 1] == step)
        step *= out->extent[--d];
    return d;
}

/* In dense axes, the gap between the end of one row of the box and the start of the next is one
 * run, and so is the gap between planes. */
void ztl_ops_add_frame(ops_map *map, unsigned dst, const ztl_ops_tensor *out, const int64_t *at,
                       const int64_t *n)
{
    unsigned first = dense_from(out);
    int64_t reach = out->bits == 4 ? 1 : out->bits / 8, start = out->offset;
    bool simple = first < out->rank;
    for (unsigned d = 0; d < out->rank; d++)
        simple &= n[d] > 0 && (d >= first || n[d] == out->extent[d]);
    if (!simple) {
        add_sides(map, dst, out, at, n);
        return;
    }
    for (unsigned d = 0; d < out->rank; d++)
        start += at[d] * out->stride[d];
    for (unsigned d = out->rank; d-- > first;) {
        add_gap(map, dst, out, d + 1, n, 1, start + reach, out->stride[d] - reach);
        reach += (n[d] - 1) * out->stride[d];
    }
    int64_t whole = out->stride[first] * out->extent[first], head = start - out->offset;
    add_gap(map, dst, out, first, n, 0, out->offset, head);
    add_gap(map, dst, out, first, n, 0, start + reach, whole - head - reach);
}

ops_piece *ztl_ops_add_broadcast(ops_map *map, unsigned src, const ztl_ops_tensor *in,
                                 const ztl_ops_tensor *out)
{
    ops_piece *piece = ztl_ops_add_piece(map, src, OPS_OUT, in->offset, out->offset);
    for (unsigned d = 0; d < out->rank; d++) {
        int from = (int)(d + in->rank) - (int)out->rank;
        bool moves = from >= 0 && in->extent[from] != 1;
        ztl_ops_add_dim(piece, out->extent[d], moves ? in->stride[from] : 0, out->stride[d]);
    }
    return piece;
}
