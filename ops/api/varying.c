/* SPDX-License-Identifier: Apache-2.0
 * A plan for tensors whose outermost extent is only known when it runs: a plan for the largest, and
 * plans for 1, 4, 16 … positions, of which every smaller extent is composed.
 */
#include <stdlib.h>

#include "ops/api/check.h"
#include "ops/exec/exec.h"

enum { BLOCKS = 32, FACTOR = 4 };

struct ztl_ops_varying {
    size_t inputs, outputs, blocks;
    int64_t extent[BLOCKS]; /* of each plan, from the largest on */
    ztl_ops_plan *plan[BLOCKS];
    int64_t in[ZTL_OPS_BUFFERS], out[ZTL_OPS_BUFFERS]; /* bytes from position to position */
};

/* Tensors of `extent` positions; false where the operator makes of them another shape than the one
 * of all positions has. */
static bool shorten(const ops_call *whole, const bool *varies, int64_t extent, ops_tensors *tensors,
                    ztl_error *error)
{
    ops_call call = {.op = whole->op, .in = tensors->in, .inputs = whole->inputs, .error = error};
    ztl_ops_tensor made[ZTL_OPS_BUFFERS];
    for (size_t i = 0; i < whole->inputs; i++) {
        tensors->in[i] = whole->in[i];
        if (varies[i])
            tensors->in[i].extent[0] = extent;
    }
    size_t outputs = ztl_ops_infer(call.op, call.in, call.inputs, made, ZTL_OPS_BUFFERS, error);
    if (!outputs)
        return false;
    for (size_t i = 0; i < outputs; i++) {
        tensors->out[i] = whole->out[i];
        tensors->out[i].extent[0] = extent;
        if (outputs != whole->outputs || made[i].rank != whole->out[i].rank ||
            memcmp(made[i].extent, tensors->out[i].extent, made[i].rank * sizeof(int64_t)) != 0)
            return ztl_ops_fail(error,
                                "%s: the shape of the output depends on the outermost extent",
                                ztl_ops_name(whole->op->kind));
    }
    return true;
}

/* Bytes from position to position; false for half of one. */
static bool step_of(const ztl_ops_tensor *tensor, int64_t *step, ztl_error *error)
{
    int64_t stride = tensor->rank ? tensor->stride[0] : 0;
    *step = tensor->bits == 4 ? stride / 2 : stride;
    return tensor->bits != 4 || stride % 2 == 0 ||
           ztl_ops_fail(error, "elements of 4 bits: positions do not begin with a byte");
}

static bool find_steps(ztl_ops_varying *v, const ops_call *call, const bool *varies,
                       ztl_error *error)
{
    for (size_t i = 0; i < call->inputs; i++)
        if (varies[i] && !step_of(&call->in[i], &v->in[i], error))
            return false;
    for (size_t i = 0; i < call->outputs; i++)
        if (!step_of(&call->out[i], &v->out[i], error))
            return false;
    return true;
}

/* Whether every tensor that varies has the same extent, and there is one. */
static bool check_outer(const ops_call *call, const bool *varies, ztl_error *error)
{
    int64_t most = call->out[0].rank ? call->out[0].extent[0] : 0;
    bool good = most > 0;
    for (size_t i = 0; i < call->inputs; i++)
        good = good && (!varies[i] || (call->in[i].rank && call->in[i].extent[0] == most));
    for (size_t i = 0; i < call->outputs; i++)
        good = good && call->out[i].rank && call->out[i].extent[0] == most;
    return good || ztl_ops_fail(error, "%s: the outermost dimension is not that of the output",
                                ztl_ops_name(call->op->kind));
}

static bool make_blocks(ztl_ops_varying *v, const ops_call *call, const bool *varies,
                        const ztl_ops_machine *machine, ztl_error *error)
{
    int64_t most = call->out[0].extent[0], block = 1;
    while (block <= (most - 1) / FACTOR)
        block *= FACTOR;
    for (int64_t extent = most; extent > 0; v->blocks++) {
        ops_tensors tensors;
        if (!shorten(call, varies, extent, &tensors, error))
            return false;
        v->extent[v->blocks] = extent;
        v->plan[v->blocks] = ztl_ops_plan_new(call->op, tensors.in, call->inputs, tensors.out,
                                              call->outputs, machine, error);
        if (!v->plan[v->blocks])
            return false;
        extent = extent == most && block < most ? block : extent / FACTOR;
    }
    return true;
}

ztl_ops_varying *ztl_ops_varying_new(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                                     const ztl_ops_tensor *out, size_t outputs,
                                     const ztl_ops_machine *machine, ztl_error *error)
{
    ops_call call = {.op = op, .in = in, .inputs = inputs, .error = error};
    ops_tensors tensors;
    bool varies[ZTL_OPS_BUFFERS];
    if (!ztl_ops_check_call(&call, out, outputs, &tensors))
        return NULL;
    if (!ztl_ops_keeps_outer(&call, varies)) {
        ztl_ops_fail(error, "%s: the outermost dimension cannot vary here", ztl_ops_name(op->kind));
        return NULL;
    }
    ztl_ops_varying *v = calloc(1, sizeof *v);
    if (!v) {
        ztl_ops_fail(error, "out of memory: %zu bytes", sizeof *v);
        return NULL;
    }
    v->inputs = inputs;
    v->outputs = outputs;
    if (check_outer(&call, varies, error) && find_steps(v, &call, varies, error) &&
        make_blocks(v, &call, varies, machine, error))
        return v;
    ztl_ops_varying_free(v);
    return NULL;
}

void ztl_ops_varying_free(ztl_ops_varying *v)
{
    for (size_t i = 0; v && i < BLOCKS; i++)
        ztl_ops_plan_free(v->plan[i]);
    free(v);
}

uint64_t ztl_ops_varying_scratch(const ztl_ops_varying *v)
{
    uint64_t most = 0;
    for (size_t i = 0; i < v->blocks; i++)
        if (ztl_ops_scratch_bytes(v->plan[i]) > most)
            most = ztl_ops_scratch_bytes(v->plan[i]);
    return most;
}

/* Block after block; `check` only looks at them. */
static bool run_blocks(const ztl_ops_varying *v, int64_t extent, const void *const *in,
                       void *const *out, void *scratch, bool check, ztl_error *error)
{
    const void *source[ZTL_OPS_BUFFERS] = {NULL};
    void *target[ZTL_OPS_BUFFERS] = {NULL};
    ops_bad_index bad;
    int64_t done = 0;
    for (size_t block = 0; done < extent; done += v->extent[block]) {
        while (v->extent[block] > extent - done)
            block++;
        for (size_t i = 0; i < v->inputs; i++)
            source[i] = in && in[i] ? (const uint8_t *)in[i] + done * v->in[i] : NULL;
        for (size_t i = 0; i < v->outputs; i++)
            target[i] = out && out[i] ? (uint8_t *)out[i] + done * v->out[i] : NULL;
        const ztl_ops_plan *plan = v->plan[block];
        if (!check) {
            ztl_ops_run_plan(plan, source, target, scratch);
            continue;
        }
        if (!ztl_ops_check_run(plan, source, target, scratch, error))
            return false;
        if (plan->indexed && ztl_ops_find_bad_index(plan, source, &bad))
            return ztl_ops_say_bad(error, &bad);
    }
    return true;
}

bool ztl_ops_varying_run(const ztl_ops_varying *v, int64_t extent, const void *const *in,
                         void *const *out, void *scratch, ztl_error *error)
{
    if (extent < 0 || extent > v->extent[0])
        return ztl_ops_fail(error, "extent %lld is not from 0 to %lld", (long long)extent,
                            (long long)v->extent[0]);
    return run_blocks(v, extent, in, out, scratch, true, error) &&
           run_blocks(v, extent, in, out, scratch, false, error);
}
