/* SPDX-License-Identifier: Apache-2.0
 * Operators on values: add an immediate, fill, where.
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
