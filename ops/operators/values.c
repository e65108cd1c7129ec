/* SPDX-License-Identifier: Apache-2.0
 * Operators on values: add an immediate, constants, where.
 */
#include "ops/operators/call.h"

bool ztl_ops_shape_add(ops_call *call)
{
    const ztl_type_row *type = ztl_isa_type(call->op->type);
    if (!type || type->bits != call->in->bits)
        return ztl_ops_fail(call->error, "the type has %u bits, the elements have %u",
                            type ? type->bits : 0, call->in->bits);
    if (call->op->addend < -128 || call->op->addend > 127)
        return ztl_ops_fail(call->error, "addend %lld is outside -128 to 127",
                            (long long)call->op->addend);
    return ztl_ops_output(call, 0, call->in->rank, call->in->extent);
}

void ztl_ops_map_add(const ops_call *call, ops_map *map)
{
    ztl_ops_add_box(map, 0, call->in, 0, call->out);
}

bool ztl_ops_shape_fill(ops_call *call)
{
    return ztl_ops_output(call, 0, call->in->rank, call->in->extent);
}

void ztl_ops_map_fill(const ops_call *call, ops_map *map)
{
    ztl_ops_add_box(map, OPS_FILL, NULL, 0, call->out);
}

bool ztl_ops_shape_constant_of_shape(ops_call *call)
{
    ztl_ops_list shape = call->op->shape;
    if (shape.count > ZTL_OPS_RANK)
        return ztl_ops_fail(call->error, "shape has %zu values, at most %d are possible",
                            shape.count, ZTL_OPS_RANK);
    return ztl_ops_output_of(call, 0, call->op->bits, (unsigned)shape.count, shape.value);
}

void ztl_ops_map_constant_of_shape(const ops_call *call, ops_map *map)
{
    ztl_ops_add_box(map, OPS_FILL, NULL, 0, call->out);
}

/* The new axis of the output: -1, the default, is after all dimensions of the indices. */
static int hot_axis(const ops_call *call, unsigned rank)
{
    return ztl_ops_axis(call, call->op->has_axis ? call->op->axis : -1, rank);
}

bool ztl_ops_shape_one_hot(ops_call *call)
{
    int64_t extent[ZTL_OPS_RANK], count;
    ztl_ops_list shape = ztl_ops_index_shape(call, &count);
    if (!ztl_ops_check_index_shape(call, shape))
        return false;
    if (shape.count >= ZTL_OPS_RANK)
        return ztl_ops_fail(call->error, "the output has rank %zu, at most %d is possible",
                            shape.count + 1, ZTL_OPS_RANK);
    if (call->op->depth < 1)
        return ztl_ops_fail(call->error, "depth %lld is out of range", (long long)call->op->depth);
    unsigned rank = (unsigned)shape.count + 1, from = 0;
    int axis = hot_axis(call, rank);
    if (axis < 0)
        return false;
    for (unsigned d = 0; d < rank; d++)
        extent[d] = d == (unsigned)axis ? call->op->depth : shape.value[from++];
    return ztl_ops_output_of(call, 0, call->op->bits, rank, extent);
}

/* Where the element that index `k` switches on is; false where the index is outside the depth. */
static bool hot_place(const ops_call *call, unsigned axis, size_t k, int64_t *place)
{
    const ztl_ops_tensor *out = call->out;
    int64_t index = call->op->indices.value[k], depth = call->op->depth, rest = (int64_t)k;
    if (index < -depth || index >= depth)
        return false;
    *place = out->offset + (index < 0 ? index + depth : index) * out->stride[axis];
    for (unsigned d = out->rank; d-- > 0;)
        if (d != axis) {
            *place += rest % out->extent[d] * out->stride[d];
            rest /= out->extent[d];
        }
    return true;
}

/* Everything off, then some on: places at equal distances are one piece. */
void ztl_ops_map_one_hot(const ops_call *call, ops_map *map)
{
    unsigned axis = (unsigned)hot_axis(call, call->out->rank);
    int64_t place, first = 0, last = 0, step = 0, n = 0;
    ztl_ops_add_box(map, OPS_FILL, NULL, 0, call->out);
    for (size_t k = 0; k <= call->op->indices.count; k++) {
        bool more = k < call->op->indices.count;
        if (more && !hot_place(call, axis, k, &place))
            continue;
        if (n && (!more || (n > 1 && place - last != step))) {
            ztl_ops_add_dim(ztl_ops_add_piece(map, OPS_FILL_ON, OPS_OUT, 0, first), n, 0, step);
            n = 0;
        }
        if (!more)
            break;
        step = n == 1 ? place - last : step;
        first = n ? first : place;
        last = place;
        n++;
    }
}

/* The inputs' extents where they agree or are 1, from the last dimension on. */
bool ztl_ops_shape_where(ops_call *call)
{
    unsigned rank = 0;
    int64_t extent[ZTL_OPS_RANK];
    if (call->in[0].bits != 8)
        return ztl_ops_fail(call->error, "the condition has elements of %u bits, needs 8",
                            call->in[0].bits);
    if (call->in[1].bits != call->in[2].bits)
        return ztl_ops_fail(call->error, "inputs 1 and 2 differ in their element");
    for (unsigned i = 0; i < 3; i++)
        rank = call->in[i].rank > rank ? call->in[i].rank : rank;
    for (unsigned d = 0; d < rank; d++) {
        extent[d] = 1;
        for (unsigned i = 0; i < 3; i++) {
            int from = (int)(d + call->in[i].rank) - (int)rank;
            int64_t n = from < 0 ? 1 : call->in[i].extent[from];
            if (n != 1 && extent[d] != 1 && n != extent[d])
                return ztl_ops_fail(call->error, "extents %lld and %lld do not go together",
                                    (long long)n, (long long)extent[d]);
            extent[d] = n != 1 ? n : extent[d];
        }
    }
    if (!ztl_ops_output(call, 0, rank, extent))
        return false;
    return ztl_ops_dense(&call->out[0], call->in[1].bits, rank, extent) ||
           ztl_ops_fail(call->error, "the output is too large");
}

/* The third input everywhere; lower/where.c adds the masked pass. */
void ztl_ops_map_where(const ops_call *call, ops_map *map)
{
    ztl_ops_add_broadcast(map, 2, &call->in[2], call->out);
}
