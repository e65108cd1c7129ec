/* SPDX-License-Identifier: Apache-2.0
 * The plan of ztl op.
 */
#include <stdlib.h>
#include <time.h>

#include "cli/op/request.h"
#include "host/error.h"
#include "ops/operators/table.h"

double op_now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

bool op_selects(const op_request *r)
{
    return r->index_input >= 0 && ops_does(&r->text.op, OPS_CONDITION);
}

/* The tensors of the operator. */
static int make_job(op_request *r)
{
    ztl_error error;
    ops_job *job = &r->job;
    *job = (ops_job){.op = &r->text.op,
                     .in = r->tensor_in,
                     .out = r->tensor_out,
                     .inputs = r->inputs,
                     .source = r->source,
                     .target = r->target};
    for (size_t i = 0; i < r->inputs; i++) {
        r->tensor_in[i] = r->in[i].tensor;
        r->source[i] = r->in[i].data;
    }
    job->outputs =
        ztl_ops_infer(job->op, job->in, job->inputs, r->tensor_out, ZTL_OPS_BUFFERS, &error);
    if (!job->outputs)
        return op_complain(r, ZTL_EXIT_FAILURE, "", error.text);
    size_t wanted = op_selects(r) ? 1 : job->outputs;
    if (r->outputs && !r->emit.is_on && r->outputs != wanted) {
        ztl_fail(&error, "%zu outputs (-o), the operator makes %zu", r->outputs, wanted);
        return op_complain(r, ZTL_EXIT_USAGE, "", error.text);
    }
    if (r->fortran && job->out[0].bits == 4)
        return op_complain(r, ZTL_EXIT_USAGE, "--order F", "packed half-bytes need C order");
    for (size_t i = 0; i < job->outputs; i++)
        ztl_npy_lay_out(&r->tensor_out[i], r->fortran);
    return ZTL_EXIT_OK;
}

/* The machine that the plan is for. */
static bool set_engines(op_request *r, ztl_error *error)
{
    ztl_timing_machine machine = r->timing.machine;
    if (!r->plan_for && !r->timing.machine_text)
        return true;
    if (r->plan_for && !ztl_timing_parse(r->plan_for, &machine, error))
        return false;
    r->machine.engines = ZTL_OPS_ENGINES(&machine);
    return true;
}

int op_make_plan(op_request *r)
{
    ztl_error error;
    const ops_job *job = &r->job;
    int status = make_job(r);
    if (status)
        return status;
    r->space = ztl_ops_plan_space(job->op, job->in, job->inputs, job->out, job->outputs);
    r->made = malloc(r->space);
    double start = op_now_ms();
    r->machine.aim = (enum ztl_ops_aim)r->aim;
    if (!set_engines(r, &error))
        return op_complain(r, ZTL_EXIT_USAGE, "--machine", error.text);
    r->machine.effort = (enum ztl_ops_effort)r->effort;
    if (!r->made)
        return op_complain(r, ZTL_EXIT_FAILURE, "", "out of memory");
    if (!ztl_ops_make(job->op, job->in, job->inputs, job->out, job->outputs, &r->machine, r->made,
                      r->space, &error))
        return op_complain(r, ZTL_EXIT_FAILURE, "", error.text);
    r->plan_ms = op_now_ms() - start;
    return ZTL_EXIT_OK;
}

int op_emit_plan(op_request *r)
{
    ztl_error error;
    ztl_progress_step(r->progress, "writing");
    return ztl_op_emit_write(&r->emit, r->made, &r->job, r->outputs ? r->output[0] : NULL, &error)
               ? ZTL_EXIT_OK
               : op_complain(r, ZTL_EXIT_FAILURE, "--emit", error.text);
}
