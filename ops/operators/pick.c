/* SPDX-License-Identifier: Apache-2.0
 * Positions picked from an axis: gather, compress.
 */
#include "ops/operators/call.h"

ztl_ops_list ztl_ops_index_shape(const ops_call *call, int64_t *count)
{
    const ztl_ops_op *op = call->op;
    *count = (int64_t)op->indices.count;
    if (call->inputs == 2)
        return (ztl_ops_list){call->in[1].extent, call->in[1].rank};
    return op->has_indices_shape ? op->indices_shape : (ztl_ops_list){count, 1};
}

bool ztl_ops_check_index_shape(const ops_call *call, ztl_ops_list shape)
{
    int64_t n = 1;
    for (size_t k = 0; k < shape.count; k++)
        if (shape.value[k] < 0 || __builtin_mul_overflow(n, shape.value[k], &n))
            return ztl_ops_fail(call->error,
                                "extent %lld in dimension %zu of the indices is out of range",
                                (long long)shape.value[k], k);
    if (call->inputs != 2 && n != (int64_t)call->op->indices.count)
        return ztl_ops_fail(call->error, "there are %zu indices, their shape has %lld",
                            call->op->indices.count, (long long)n);
    return true;
}

/* The indices' dimensions stand in the output where the axis was. */
bool ztl_ops_shape_gather(ops_call *call)
{
    const ztl_ops_tensor *in = call->in;
    int axis = ztl_ops_axis(call, call->op->axis, in->rank);
    int64_t extent[ZTL_OPS_RANK], count;
    ztl_ops_list shape = ztl_ops_index_shape(call, &count);
    if (axis < 0 || !ztl_ops_check_index_shape(call, shape))
        return false;
    if (call->inputs == 2 && !in->extent[axis] && ztl_ops_tensor_elements(&call->in[1]))
        return ztl_ops_fail(call->error, "dimension %d has no positions, but there are indices",
                            axis);
    if (in->rank - 1 + shape.count > ZTL_OPS_RANK)
        return ztl_ops_fail(call->error, "the output has rank %zu, at most %d is possible",
                            in->rank - 1 + shape.count, ZTL_OPS_RANK);
    for (size_t k = 0; k < call->op->indices.count; k++) {
        int64_t index = call->op->indices.value[k];
        if (index < -in->extent[axis] || index >= in->extent[axis])
            return ztl_ops_fail(call->error,
                                "index %lld (number %zu) is outside dimension %d of %lld",
                                (long long)index, k, axis, (long long)in->extent[axis]);
    }
    unsigned rank = 0;
    for (int d = 0; d < axis; d++)
        extent[rank++] = in->extent[d];
    for (size_t k = 0; k < shape.count; k++)
        extent[rank++] = shape.value[k];
    for (unsigned d = (unsigned)axis + 1; d < in->rank; d++)
        extent[rank++] = in->extent[d];
    return ztl_ops_output(call, 0, rank, extent);
}

/* A run of picks with a constant step is one piece. */
static void add_picks(ops_map *map, const ztl_ops_tensor *in, const ztl_ops_tensor *out,
                      unsigned axis, int64_t first, int64_t step, int64_t at, int64_t n)
{
    ops_piece *piece = ztl_ops_add_piece(map, 0, OPS_OUT, in->offset + first * in->stride[axis],
                                         out->offset + at * out->stride[axis]);
    for (unsigned d = 0; d < out->rank; d++)
        ztl_ops_add_dim(piece, d == axis ? n : out->extent[d],
                        in->stride[d] * (d == axis ? step : 1), out->stride[d]);
}

/* Collects picks, in order, into runs. */
typedef struct picking {
    ops_map *map;
    const ztl_ops_tensor *in, *out;
    unsigned axis;
    int64_t first, last, step, at, n;
} picking;

static void flush(picking *p)
{
    if (p->n)
        add_picks(p->map, p->in, p->out, p->axis, p->first, p->n > 1 ? p->step : 1, p->at, p->n);
    p->at += p->n;
    p->n = 0;
}

static void pick(picking *p, int64_t index)
{
    if (p->n > 1 && index - p->last != p->step)
        flush(p);
    if (p->n == 1)
        p->step = index - p->last;
    if (p->n == 0)
        p->first = index;
    p->last = index;
    p->n++;
}

/* The output with one dimension for the indices: the innermost ones, as far as they are contiguous.
 * Returns the number of the outer ones, which are dropped. */
static unsigned join_indices(const ops_call *call, unsigned axis, unsigned indices,
                             ztl_ops_tensor *rows)
{
    const ztl_ops_tensor *out = call->out;
    unsigned outer = indices;
    *rows = *out;
    rows->rank = call->in->rank;
    rows->extent[axis] = 1;
    rows->stride[axis] = 0;
    while (outer > 0) {
        unsigned d = axis + outer - 1;
        if (outer == indices)
            rows->stride[axis] = out->stride[d];
        else if (out->stride[d] != rows->stride[axis] * rows->extent[axis])
            break;
        rows->extent[axis] *= out->extent[d];
        outer--;
    }
    for (unsigned d = axis + 1; d < rows->rank; d++) {
        rows->extent[d] = out->extent[d + indices - 1];
        rows->stride[d] = out->stride[d + indices - 1];
    }
    return outer;
}

void ztl_ops_map_gather(const ops_call *call, ops_map *map)
{
    if (call->inputs == 2)
        return;
    unsigned axis = (unsigned)ztl_ops_axis(call, call->op->axis, call->in->rank);
    int64_t count, at[ZTL_OPS_RANK] = {0};
    ztl_ops_tensor rows;
    unsigned indices = (unsigned)ztl_ops_index_shape(call, &count).count;
    unsigned outer = join_indices(call, axis, indices, &rows);
    picking p = {.map = map, .in = call->in, .out = &rows, .axis = axis};
    for (int64_t k = 0; k < count; k++) {
        int64_t index = call->op->indices.value[k];
        pick(&p, index < 0 ? index + call->in->extent[axis] : index);
        if ((k + 1) % rows.extent[axis])
            continue;
        flush(&p);
        p.at = 0;
        rows.offset = call->out->offset;
        for (unsigned d = outer; d-- > 0 && ++at[d] == call->out->extent[axis + d];)
            at[d] = 0;
        for (unsigned d = 0; d < outer; d++)
            rows.offset += at[d] * call->out->stride[axis + d];
    }
}

/* Shell sort, in place. */
static void sort(int64_t *value, size_t n)
{
    for (size_t gap = n / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (size_t i = gap; i < n; i++)
            for (size_t k = i; k >= gap && value[k - gap] > value[k]; k -= gap) {
                int64_t swap = value[k];
                value[k] = value[k - gap];
                value[k - gap] = swap;
            }
}

size_t ztl_ops_gather_positions(const ops_call *call, ops_arena *arena)
{
    ztl_ops_list list = call->op->indices;
    size_t high = arena->high, different = list.count > 0;
    int axis = ztl_ops_axis(call, call->op->axis, call->in->rank);
    int64_t *index = ztl_ops_borrow(arena, list.count * sizeof *index);
    if (!index)
        return list.count;
    for (size_t k = 0; k < list.count; k++)
        index[k] = list.value[k] + (list.value[k] < 0 ? call->in->extent[axis] : 0);
    sort(index, list.count);
    for (size_t k = 1; k < list.count; k++)
        different += index[k] != index[k - 1];
    arena->high = high;
    return different;
}

/* A condition that is read at run time: room for all positions that it may select, and output 1,
 * their number. */
static bool shape_select(ops_call *call, int axis, int64_t most)
{
    const ztl_ops_tensor *condition = &call->in[1];
    int64_t extent[ZTL_OPS_RANK];
    if (condition->rank != 1)
        return ztl_ops_fail(call->error, "the condition has rank %u, needs 1", condition->rank);
    if (call->op->condition.count)
        return ztl_ops_fail(call->error, "the condition is both a list and an input");
    if (condition->extent[0] > most)
        return ztl_ops_fail(call->error, "the condition has %lld values for %lld positions",
                            (long long)condition->extent[0], (long long)most);
    memcpy(extent, call->in->extent, sizeof extent);
    extent[call->op->has_axis ? axis : 0] = condition->extent[0];
    if (!ztl_ops_output(call, 0, call->op->has_axis ? call->in->rank : 1, extent))
        return false;
    call->outputs = 2;
    return ztl_ops_dense(&call->out[1], 64, 0, NULL);
}

bool ztl_ops_shape_compress(ops_call *call)
{
    const ztl_ops_tensor *in = call->in;
    ztl_ops_list condition = call->op->condition;
    int axis = call->op->has_axis ? ztl_ops_axis(call, call->op->axis, in->rank) : 0;
    if (axis < 0)
        return false;
    int64_t most = call->op->has_axis ? in->extent[axis] : ztl_ops_tensor_elements(in), count = 0;
    if (call->inputs == 2)
        return shape_select(call, axis, most);
    if ((int64_t)condition.count > most)
        return ztl_ops_fail(call->error, "the condition has %zu values for %lld positions",
                            condition.count, (long long)most);
    for (size_t k = 0; k < condition.count; k++)
        count += condition.value[k] != 0;
    int64_t extent[ZTL_OPS_RANK];
    memcpy(extent, in->extent, sizeof extent);
    if (!call->op->has_axis)
        return ztl_ops_output(call, 0, 1, &count);
    extent[axis] = count;
    return ztl_ops_output(call, 0, in->rank, extent);
}

/* Flattened: the place of every element that is kept. */
static void map_flat(const ops_call *call, ops_map *map)
{
    const ztl_ops_tensor *in = call->in;
    int64_t at[ZTL_OPS_RANK] = {0};
    ztl_ops_tensor flat = {.rank = 1, .bits = in->bits, .stride = {1}, .offset = in->offset};
    picking p = {.map = map, .in = &flat, .out = call->out};
    for (size_t k = 0; k < call->op->condition.count; k++) {
        int64_t place = 0;
        for (unsigned d = 0; d < in->rank; d++)
            place += at[d] * in->stride[d];
        if (call->op->condition.value[k])
            pick(&p, place);
        for (unsigned d = in->rank; d-- > 0 && ++at[d] == in->extent[d];)
            at[d] = 0;
    }
    flush(&p);
}

void ztl_ops_map_compress(const ops_call *call, ops_map *map)
{
    if (call->inputs == 2)
        return;
    if (!call->op->has_axis) {
        map_flat(call, map);
        return;
    }
    unsigned axis = (unsigned)ztl_ops_axis(call, call->op->axis, call->in->rank);
    picking p = {.map = map, .in = call->in, .out = call->out, .axis = axis};
    for (size_t k = 0; k < call->op->condition.count; k++)
        if (call->op->condition.value[k])
            pick(&p, (int64_t)k);
    flush(&p);
}
