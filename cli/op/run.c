/* SPDX-License-Identifier: Apache-2.0
 * Runs the plan of ztl op, and checks what it made.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/op/request.h"

int op_time_plan(op_request *r)
{
    ztl_error error;
    void *nowhere[ZTL_OPS_BUFFERS] = {NULL};
    ops_job job = r->job;
    job.target = nowhere;
    double start = op_now_ms();
    ztl_op_timing_watch(&r->timing, &job);
    if (!ztl_ops_sim_run(&job, r->made, &r->figures.retired, &error) ||
        !ztl_op_timing_complete(&r->timing, &error))
        return op_complain(r, ZTL_EXIT_FAILURE, "--timing", error.text);
    r->run_ms = op_now_ms() - start;
    return ZTL_EXIT_OK;
}

int op_run_plan(op_request *r)
{
    ztl_error error;
    for (size_t i = 0; i < r->job.outputs; i++) {
        memcpy(r->out[i].descr, r->element.descr, sizeof r->out[i].descr);
        r->target[i] = r->out[i].data = calloc(1, r->job.out[i].size + 1);
        if (!r->target[i])
            return op_complain(r, ZTL_EXIT_FAILURE, "", "out of memory");
    }
    ops_job job = r->job;
    double start = op_now_ms();
    ztl_op_timing_watch(&r->timing, &job);
    if (!ztl_op_execute(r->engine, r->threads, &job, r->made, &r->figures, &error))
        return op_complain(r, ZTL_EXIT_FAILURE, ztl_op_engine_name(r->engine), error.text);
    r->run_ms = op_now_ms() - start;
    if (!ztl_op_timing_complete(&r->timing, &error))
        return op_complain(r, ZTL_EXIT_FAILURE, "--timing", error.text);
    if (r->stats || r->json) {
        ztl_progress_step(r->progress, "measuring");
        ztl_op_measure(&job, r->made, &r->figures);
    }
    return ZTL_EXIT_OK;
}

/* The element at a place, in the unit of the strides, by its index in every dimension. */
static void print_difference(const op_request *r, const ztl_ops_tensor *t, int64_t place)
{
    int64_t index[ZTL_OPS_RANK];
    for (unsigned k = 0; k < t->rank; k++) {
        unsigned d = r->fortran ? t->rank - 1 - k : k;
        index[d] = place / t->stride[d];
        place %= t->stride[d];
    }
    fprintf(stderr, "ztl op: --check: element [");
    for (unsigned d = 0; d < t->rank; d++)
        fprintf(stderr, "%s%" PRId64, d ? ", " : "", index[d]);
    fprintf(stderr, "] differs from the reference\n");
}

/* Whether an output is as it should be; a message tells the first element that is not. */
static bool is_right(const op_request *r, size_t output, const uint8_t *right)
{
    const ztl_ops_tensor *t = &r->job.out[output];
    const uint8_t *made = r->out[output].data;
    uint64_t k = 0;
    while (k < t->size && made[k] == right[k])
        k++;
    if (k == t->size)
        return true;
    bool halves = t->bits == 4, second = halves && (made[k] & 15) == (right[k] & 15);
    ztl_progress_wipe(r->progress);
    print_difference(r, t, (int64_t)(halves ? 2 * k + second : k));
    return false;
}

int op_check_results(op_request *r)
{
    const ops_job *job = &r->job;
    void *target[ZTL_OPS_BUFFERS], *work = malloc(r->space);
    ztl_error error = {"out of memory"};
    int status = ZTL_EXIT_OK;
    bool good = work;
    for (size_t i = 0; i < job->outputs; i++)
        good = (target[i] = calloc(1, job->out[i].size + 1)) && good;
    if (!good || !ztl_ops_reference(job->op, job->in, job->inputs, job->out, job->outputs,
                                    job->source, target, work, r->space, &error))
        status = op_complain(r, ZTL_EXIT_FAILURE, "--check", error.text);
    for (size_t i = 0; i < job->outputs; i++) {
        if (!status && !is_right(r, i, target[i]))
            status = ZTL_EXIT_FAILURE;
        free(target[i]);
    }
    free(work);
    return status;
}
