/* SPDX-License-Identifier: Apache-2.0
 * Runs a case's plan and plain C on the simulated hart.
 */
#include "bench/cases/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/error.h"

bool ztl_ops_buffers_fill(const ztl_ops_case *c, ops_buffers *b)
{
    uint32_t state = 1;
    bool good = true;
    for (size_t i = 0; i < c->outputs; i++) {
        good = (b->ztl[i] = calloc(1, c->out[i].size + 1)) && good;
        good = (b->scalar[i] = calloc(1, c->out[i].size + 1)) && good;
    }
    for (size_t i = 0; i < c->inputs; i++) {
        good = (b->in[i] = malloc(c->in[i].size + 1)) && good;
        for (size_t k = 0; b->in[i] && k < c->in[i].size; k++) {
            state = state * 1664525 + 1013904223;
            b->in[i][k] = (uint8_t)(state >> 24);
        }
    }
    return good;
}

void ztl_ops_buffers_free(const ztl_ops_case *c, ops_buffers *b)
{
    for (size_t i = 0; i < c->inputs; i++)
        free(b->in[i]);
    for (size_t i = 0; i < c->outputs; i++) {
        free(b->ztl[i]);
        free(b->scalar[i]);
    }
}

bool ztl_ops_buffers_agree(const ztl_ops_case *c, const ops_buffers *b)
{
    for (size_t i = 0; i < c->outputs; i++)
        if (memcmp(b->ztl[i], b->scalar[i], c->out[i].size))
            return false;
    return true;
}

bool ztl_ops_simulate(const ztl_ops_case *c, const ztl_ops_plan *plan, const ops_manner *manner,
                      uint64_t *retired, uint64_t *scalar)
{
    ops_buffers b = {.ztl = {NULL}};
    ztl_error error = {"out of memory"};
    bool good = ztl_ops_buffers_fill(c, &b);
    ops_job job = {.op = &c->text.op,
                   .in = c->in,
                   .out = c->out,
                   .inputs = c->inputs,
                   .outputs = c->outputs,
                   .source = (const void *const *)b.in,
                   .target = b.ztl,
                   .image = manner->image,
                   .watch = manner->plan.watch,
                   .watcher = manner->plan.context};
    good = good && ztl_ops_sim_run(&job, plan, retired, &error);
    job.target = b.scalar;
    job.image = NULL;
    job.watch = manner->scalar.watch;
    job.watcher = manner->scalar.context;
    good = good && ztl_ops_sim_scalar(&job, scalar, &error);
    if (good && !ztl_ops_buffers_agree(c, &b)) {
        ztl_fail(&error, "the plan's output differs from the scalar one");
        good = false;
    }
    if (!good)
        fprintf(stderr, "ztl bench ops: %s: %s\n", c->name, error.text);
    ztl_ops_buffers_free(c, &b);
    return good;
}
