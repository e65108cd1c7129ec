/* SPDX-License-Identifier: Apache-2.0
 * The same elements, most of them in another order: identity, transpose, flip, reverse-sequence,
 * roll.
 */
#include "ops/operators/call.h"

bool ztl_ops_shape_identity(ops_call *call)
{
    return ztl_ops_output(call, 0, call->in->rank, call->in->extent);
}

void ztl_ops_map_identity(const ops_call *call, ops_map *map)
{
    ztl_ops_add_box(map, 0, call->in, 0, call->out);
}

static unsigned perm_at(const ops_call *call, unsigned k)
{
    unsigned rank = call->in->rank;
    int64_t from = ops_value(call->op->perm, k, rank - 1 - (int64_t)k);
    return (unsigned)(from < 0 ? from + rank : from);
}

bool ztl_ops_shape_transpose(ops_call *call)
{
    unsigned rank = call->in->rank;
    bool seen[ZTL_OPS_RANK];
    int64_t extent[ZTL_OPS_RANK];
    if (call->op->perm.count && (!ztl_ops_needs(call, call->op->perm, rank, "perm") ||
                                 !ztl_ops_axes(call, call->op->perm, rank, seen)))
        return false;
    for (unsigned d = 0; d < rank; d++)
        extent[d] = call->in->extent[perm_at(call, d)];
    return ztl_ops_output(call, 0, rank, extent);
}

void ztl_ops_map_transpose(const ops_call *call, ops_map *map)
{
    ztl_ops_tensor in = *call->in;
    for (unsigned d = 0; d < in.rank; d++)
        in.stride[d] = call->in->stride[perm_at(call, d)];
    ztl_ops_add_box(map, 0, &in, 0, call->out);
}

bool ztl_ops_shape_flip(ops_call *call)
{
    bool chosen[ZTL_OPS_RANK];
    return ztl_ops_axes(call, call->op->axes, call->in->rank, chosen) &&
           ztl_ops_output(call, 0, call->in->rank, call->in->extent);
}

void ztl_ops_map_flip(const ops_call *call, ops_map *map)
{
    ztl_ops_tensor in = *call->in;
    bool chosen[ZTL_OPS_RANK];
    ztl_ops_axes(call, call->op->axes, in.rank, chosen);
    for (unsigned d = 0; d < in.rank; d++)
        if (chosen[d]) {
            in.offset += (in.extent[d] - 1) * in.stride[d];
            in.stride[d] = -in.stride[d];
        }
    ztl_ops_add_box(map, 0, &in, 0, call->out);
}

/* The axes of reverse-sequence: whose positions have a length each, and which one is reversed. */
static void sequence_axes(const ztl_ops_op *op, unsigned *batch, unsigned *time)
{
    bool is_default = op->batch_axis == 0 && op->time_axis == 0;
    *batch = is_default ? 1 : (unsigned)op->batch_axis;
    *time = is_default ? 0 : (unsigned)op->time_axis;
}

bool ztl_ops_shape_reverse_sequence(ops_call *call)
{
    const ztl_ops_op *op = call->op;
    const ztl_ops_tensor *in = call->in;
    unsigned batch, time;
    sequence_axes(op, &batch, &time);
    if (batch > 1 || time > 1 || batch == time)
        return ztl_ops_fail(call->error, "batch_axis %lld and time_axis %lld are not 0 and 1",
                            (long long)op->batch_axis, (long long)op->time_axis);
    if (in->rank < 2)
        return ztl_ops_fail(call->error, "the input has rank %u, needs 2 or more", in->rank);
    if (!ztl_ops_needs(call, op->sequence_lens, (size_t)in->extent[batch], "sequence_lens"))
        return false;
    for (size_t k = 0; k < op->sequence_lens.count; k++)
        if (op->sequence_lens.value[k] < 0 || op->sequence_lens.value[k] > in->extent[time])
            return ztl_ops_fail(call->error, "sequence_lens %lld (number %zu) is not 0 to %lld",
                                (long long)op->sequence_lens.value[k], k,
                                (long long)in->extent[time]);
    return ztl_ops_output(call, 0, in->rank, in->extent);
}

/* Positions first … first + n - 1 of the batch, all of the same length. */
static void reverse_some(const ops_call *call, ops_map *map, unsigned batch, unsigned time,
                         int64_t first, int64_t n, int64_t length)
{
    ztl_ops_tensor in = *call->in, out = *call->out;
    in.offset += first * in.stride[batch];
    out.offset += first * out.stride[batch];
    out.extent[batch] = n;
    int64_t at[ZTL_OPS_RANK] = {0}, size[ZTL_OPS_RANK];
    memcpy(size, out.extent, sizeof size);
    size[time] -= length;
    at[time] = length;
    ztl_ops_add_part(map, 0, &in, at, 0, &out, at, size);
    if (length == 0)
        return;
    out.extent[time] = length;
    in.offset += (length - 1) * in.stride[time];
    in.stride[time] = -in.stride[time];
    ztl_ops_add_box(map, 0, &in, 0, &out);
}

void ztl_ops_map_reverse_sequence(const ops_call *call, ops_map *map)
{
    const int64_t *length = call->op->sequence_lens.value;
    unsigned batch, time;
    sequence_axes(call->op, &batch, &time);
    for (int64_t k = 0, n; k < call->in->extent[batch]; k += n) {
        n = 1;
        while (k + n < call->in->extent[batch] && length[k + n] == length[k])
            n++;
        reverse_some(call, map, batch, time, k, n, length[k]);
    }
}

/* An axis may be named several times: it then rolls by all of its shifts. */
bool ztl_ops_shape_roll(ops_call *call)
{
    const ztl_ops_op *op = call->op;
    for (size_t k = 0; k < op->axes.count; k++)
        if (ztl_ops_axis(call, op->axes.value[k], call->in->rank) < 0)
            return false;
    return ztl_ops_needs(call, op->shift, op->axes.count ? op->axes.count : 1, "shift") &&
           ztl_ops_output(call, 0, call->in->rank, call->in->extent);
}

/* Joins dimensions that continue each other in both tensors: rows of one become one row. */
static void join_rows(ztl_ops_tensor *a, ztl_ops_tensor *b)
{
    unsigned rank = 0;
    for (unsigned d = 0; d < a->rank; d++) {
        int64_t n = a->extent[d];
        bool joins = rank && a->stride[rank - 1] == n * a->stride[d] &&
                     b->stride[rank - 1] == n * b->stride[d];
        unsigned to = joins ? rank - 1 : rank++;
        a->extent[to] = b->extent[to] = n * (joins ? a->extent[to] : 1);
        a->stride[to] = a->stride[d];
        b->stride[to] = b->stride[d];
    }
    a->rank = b->rank = rank;
}

/* Without axes the elements are one row. An index, and the shift, are numbers with one digit per
 * axis; adding them carries. So each axis is cut into what does not wrap, which carries nothing
 * into the next axis, and what wraps, which carries one. */
static void map_flat_roll(const ops_call *call, ops_map *map)
{
    ztl_ops_tensor in = *call->in, out = *call->out;
    int64_t digit[ZTL_OPS_RANK], total = 1;
    join_rows(&in, &out);
    for (unsigned d = 0; d < in.rank; d++)
        total *= in.extent[d];
    int64_t shift = total ? ops_mod(call->op->shift.value[0], total) : 0;
    for (unsigned d = in.rank; d-- > 0 && total; shift /= in.extent[d])
        digit[d] = shift % in.extent[d];
    for (unsigned part = 0; total && part < 1u << in.rank; part++) {
        int64_t in_at[ZTL_OPS_RANK], out_at[ZTL_OPS_RANK], n[ZTL_OPS_RANK], carry = 0;
        for (unsigned d = in.rank; d-- > 0;) {
            int64_t by = digit[d] + carry;
            carry = part >> d & 1;
            n[d] = carry ? by : in.extent[d] - by;
            in_at[d] = carry ? in.extent[d] - by : 0;
            out_at[d] = carry ? 0 : by;
        }
        ztl_ops_add_part(map, 0, &in, in_at, 0, &out, out_at, n);
    }
}

/* How far each axis rolls, from 0 to less than its extent. */
static void shifts_of(const ops_call *call, int64_t *shift)
{
    const ztl_ops_op *op = call->op;
    for (size_t k = 0; k < op->axes.count; k++) {
        int d = ztl_ops_axis(call, op->axes.value[k], call->in->rank);
        int64_t n = call->in->extent[d];
        shift[d] = n ? (shift[d] + ops_mod(op->shift.value[k], n)) % n : 0;
    }
}

/* Every rolled axis cuts the tensor in two: what does not wrap around, and what does. */
void ztl_ops_map_roll(const ops_call *call, ops_map *map)
{
    const ztl_ops_tensor *in = call->in;
    int64_t shift[ZTL_OPS_RANK] = {0};
    if (call->op->axes.count == 0) {
        map_flat_roll(call, map);
        return;
    }
    shifts_of(call, shift);
    for (unsigned part = 0; part < 1u << in->rank; part++) {
        int64_t in_at[ZTL_OPS_RANK], out_at[ZTL_OPS_RANK], n[ZTL_OPS_RANK];
        for (unsigned d = 0; d < in->rank; d++) {
            bool wraps = part >> d & 1;
            n[d] = wraps ? shift[d] : in->extent[d] - shift[d];
            in_at[d] = wraps ? in->extent[d] - shift[d] : 0;
            out_at[d] = wraps ? 0 : shift[d];
        }
        ztl_ops_add_part(map, 0, in, in_at, 0, call->out, out_at, n);
    }
}
