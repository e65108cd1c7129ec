/* SPDX-License-Identifier: Apache-2.0
 * Operators and their tensors: what a call makes, and whether it is right.
 */
#include "ops/api/check.h"
#include "ops/operators/table.h"

static bool check_count(const ops_call *call)
{
    const ops_count takes = ztl_ops_count_inputs(call->op->kind);
    const char *name = ztl_ops_name(call->op->kind);
    if (call->inputs >= takes.least && call->inputs <= takes.most)
        return true;
    if (takes.least == takes.most)
        return ztl_ops_fail(call->error, "%s takes %zu input%s, not %zu", name, takes.least,
                            takes.least != 1 ? "s" : "", call->inputs);
    return ztl_ops_fail(call->error, "%s takes %zu %s %zu inputs, not %zu", name, takes.least,
                        takes.most == takes.least + 1 ? "or" : "to", takes.most, call->inputs);
}

static bool check_inputs(const ops_call *call)
{
    unsigned kind = call->op->kind;
    if (kind >= ZTL_OPS_KINDS)
        return ztl_ops_fail(call->error, "unknown operator %u", kind);
    if (!check_count(call))
        return false;
    for (size_t i = 0; i < call->inputs; i++)
        if (!ztl_ops_check_tensor(call, "input", i, &call->in[i]))
            return false;
    return ztl_ops_check_attributes(call) && ztl_ops_check_indices(call);
}

size_t ztl_ops_infer(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                     ztl_ops_tensor *out, size_t room, ztl_error *error)
{
    ztl_ops_tensor all[ZTL_OPS_BUFFERS];
    ops_call call = {.op = op, .in = in, .inputs = inputs, .out = all, .error = error};
    if (!check_inputs(&call) || !ztl_ops_operator(op->kind)->shape(&call))
        return 0;
    if (call.outputs > room) {
        ztl_ops_fail(call.error, "there are %zu outputs, room is for %zu", call.outputs, room);
        return 0;
    }
    memcpy(out, all, call.outputs * sizeof *out);
    return call.outputs;
}

/* The caller's outputs must have the shape that the operator makes. */
static bool check_output(const ops_call *call, size_t i, const ztl_ops_tensor *out)
{
    const ztl_ops_tensor *made = &call->out[i];
    if (out->rank != made->rank || out->bits != made->bits)
        return ztl_ops_fail(call->error, "output %zu has rank %u and %u bits, must have %u and %u",
                            i, out->rank, out->bits, made->rank, made->bits);
    for (unsigned d = 0; d < out->rank; d++)
        if (out->extent[d] != made->extent[d])
            return ztl_ops_fail(call->error,
                                "output %zu has extent %lld in dimension %u, must have %lld", i,
                                (long long)out->extent[d], d, (long long)made->extent[d]);
    return ztl_ops_check_tensor(call, "output", i, out) && ztl_ops_check_distinct(call, i, out);
}

bool ztl_ops_check_call(ops_call *call, const ztl_ops_tensor *out, size_t outputs,
                        ops_tensors *tensors)
{
    call->out = tensors->out;
    if (!check_inputs(call) || !ztl_ops_operator(call->op->kind)->shape(call))
        return false;
    if (call->outputs != outputs)
        return ztl_ops_fail(call->error, "there are %zu outputs, not %zu", call->outputs, outputs);
    for (size_t i = 0; i < outputs; i++) {
        if (!check_output(call, i, &out[i]))
            return false;
        tensors->out[i] = ztl_ops_tensor_plain(&out[i]);
    }
    for (size_t i = 0; i < call->inputs; i++)
        tensors->in[i] = ztl_ops_tensor_plain(&call->in[i]);
    call->in = tensors->in;
    return true;
}

bool ztl_ops_build_map(ops_call *call, ops_arena *arena, ops_map *map)
{
    unsigned bits = call->out[0].bits;
    bool empty = true;
    map->arena = arena;
    map->element = bits / 8;
    for (size_t i = 0; i < call->outputs; i++)
        empty = empty && ztl_ops_tensor_elements(&call->out[i]) == 0;
    if (!empty)
        ztl_ops_operator(call->op->kind)->map(call, map);
    if (arena->full)
        return ztl_ops_fail(call->error, "the memory for the plan is too small");
    ztl_ops_in_order(map);
    ztl_ops_canonical(map);
    return true;
}
