/* SPDX-License-Identifier: Apache-2.0
 * The same elements in another order: transpose, flip, roll.
 */
#include "ops/operators/call.h"

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
