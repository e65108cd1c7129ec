/* SPDX-License-Identifier: Apache-2.0
 * Plans on the model, on a simulated hart, under QEMU; or the host's own instructions.
 */
#include "cli/op/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ztl/movers.h>

#include "host/error.h"

const char *const ztl_op_engines[] = {"model", "sim", "qemu", "native", NULL};

const char *ztl_op_engine_name(enum ztl_op_engine engine)
{
    return ztl_op_engines[engine];
}

static bool run_on_model(const ops_job *job, const ztl_ops_plan *plan, ztl_error *error)
{
    ztl_error why = {"out of memory"};
    void *scratch = malloc(ztl_ops_scratch_bytes(plan) + 1);
    bool good = scratch && ztl_ops_run(plan, job->source, job->target, scratch, &why);
    if (!good)
        ztl_fail(error, "%s", why.text);
    free(scratch);
    return good;
}

static bool run_native(const ops_job *job, unsigned threads, ztl_error *error)
{
    ztl_mover *mover = ztl_mover_new(job->op, job->in, job->inputs, job->out, job->outputs, error);
    bool good = mover && ztl_mover_run(mover, job->source, job->target, threads, error);
    ztl_mover_free(mover);
    return good;
}

bool ztl_op_execute(enum ztl_op_engine engine, unsigned threads, const ops_job *job,
                    const ztl_ops_plan *plan, ztl_op_figures *figures, ztl_error *error)
{
    switch (engine) {
    case ZTL_OP_SIM:
        return ztl_ops_sim_run(job, plan, &figures->retired, error);
    case ZTL_OP_QEMU:
        return ztl_ops_qemu_run(job, plan, &figures->emulated, error);
    case ZTL_OP_NATIVE:
        return run_native(job, threads, error);
    default:
        return run_on_model(job, plan, error);
    }
}

/* The scalar version must have made what the plan has made. */
static bool is_same(const ops_job *job, void *const *other)
{
    for (size_t i = 0; i < job->outputs; i++)
        if (memcmp(job->target[i], other[i], job->out[i].size))
            return false;
    return true;
}

/* 0, with the reason, where it cannot be counted. */
static uint64_t count_scalar(const ops_job *job, void *const *spare, ztl_error *why)
{
    uint64_t retired;
    ops_job other = *job;
    other.target = spare;
    other.watch = NULL;
    for (size_t i = 0; i < job->outputs; i++)
        memset(spare[i], 0, job->out[i].size);
    if (!ztl_ops_sim_scalar(&other, &retired, why))
        return 0;
    if (is_same(job, spare))
        return retired;
    ztl_fail(why, "its output is not the plan's");
    return 0;
}

void ztl_op_measure(const ops_job *job, const ztl_ops_plan *plan, ztl_op_figures *figures)
{
    void *spare[ZTL_OPS_BUFFERS] = {NULL};
    bool good = true;
    for (size_t i = 0; i < job->outputs; i++)
        good = (spare[i] = calloc(1, job->out[i].size + 1)) && good;
    ops_job other = *job;
    other.target = spare;
    other.watch = NULL;
    ztl_fail(&figures->why_not, good ? "" : "out of memory");
    good = good && (figures->retired ||
                    ztl_ops_sim_run(&other, plan, &figures->retired, &figures->why_not));
    if (good)
        figures->scalar = count_scalar(job, spare, &figures->why_not);
    for (size_t i = 0; i < job->outputs; i++)
        free(spare[i]);
}
