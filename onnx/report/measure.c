/* SPDX-License-Identifier: Apache-2.0
 * One row of a report: plan, run, compare, count.
 */
#include <stdlib.h>
#include <string.h>

#include "host/error.h"
#include "onnx/report/report.h"
#include "ops/drive/drive.h"
#include "ops/map/lookup.h"
#include "ops/operators/table.h"

/* More memory than this is not simulated. */
#define MOST (UINT64_C(1) << 30)

/* What a row is measured with. */
typedef struct bench {
    onnx_row *row;
    const onnx_report_options *options;
    uint8_t *in[ZTL_OPS_BUFFERS];
    void *plain[ZTL_OPS_BUFFERS]; /* outputs of the reference */
    void *made[ZTL_OPS_BUFFERS];
    ztl_ops_plan *plan;
    ztl_timing *timing;
    uint64_t cycles; /* of the runs before this one */
    bool failed;     /* for want of memory */
} bench;

static uint32_t next(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

/* Whether an input holds indices, and how they are looked up. */
static bool is_index_input(const onnx_row *row, size_t i, ops_lookup *x)
{
    const ops_call call = {.op = &row->call.op,
                           .in = row->in,
                           .inputs = row->call.inputs,
                           .out = row->out,
                           .outputs = row->outputs};
    return ztl_ops_look_up(&call, x) && x->input == i && x->form != OPS_INDEX_SELECTS;
}

/* The graph's own elements where they are known and have the size; else bytes that differ
 * everywhere, conditions of both kinds, indices in range. */
static void fill(const bench *b, size_t i)
{
    const onnx_row *row = b->row;
    const onnx_value *value = row->call.in[i];
    uint32_t state = (uint32_t)i + 1;
    for (size_t k = 0; k < i; k++)
        if (row->call.in[k] == value && row->in[k].size == row->in[i].size) {
            memcpy(b->in[i], b->in[k], row->in[i].size); /* the same tensor */
            return;
        }
    if (value->buffer && value->buffer->size == row->in[i].size) {
        memcpy(b->in[i], value->buffer->bytes, row->in[i].size);
        return;
    }
    ops_lookup x;
    bool is_index = is_index_input(row, i, &x);
    size_t step = is_index ? row->in[i].bits / 8 : 1;
    for (size_t k = 0; k + step <= row->in[i].size; k += step) {
        int64_t range = is_index ? x.index[k / step % x.count].end : 256;
        int64_t number = range ? (int64_t)next(&state) % range : 0;
        if (ops_does(&row->call.op, OPS_SELECTS) && i == 0)
            number &= 1;
        memcpy(b->in[i] + k, &number, step);
    }
}

static bool set_up(bench *b, ztl_error *error)
{
    onnx_row *row = b->row;
    bool good = true;
    for (size_t i = 0; i < row->call.inputs; i++)
        good = (b->in[i] = calloc(1, row->in[i].size + 8)) && good;
    for (size_t i = 0; i < row->outputs; i++) {
        good = (b->plain[i] = calloc(1, row->out[i].size + 8)) && good;
        good = (b->made[i] = calloc(1, row->out[i].size + 8)) && good;
    }
    for (size_t i = 0; good && i < row->call.inputs; i++)
        fill(b, i);
    return good || ztl_fail(error, "out of memory");
}

static void clean_up(bench *b)
{
    for (size_t i = 0; i < b->row->call.inputs; i++)
        free(b->in[i]);
    for (size_t i = 0; i < b->row->outputs; i++) {
        free(b->plain[i]);
        free(b->made[i]);
    }
    ztl_ops_plan_free(b->plan);
}

bool ztl_onnx_reference(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                        const ztl_ops_tensor *out, size_t outputs, const void *const *source,
                        void *const *target, ztl_error *error)
{
    size_t space = ztl_ops_plan_space(op, in, inputs, out, outputs);
    void *work = malloc(space + 1);
    bool good =
        work ? ztl_ops_reference(op, in, inputs, out, outputs, source, target, work, space, error)
             : ztl_fail(error, "out of memory");
    free(work);
    return good;
}

static bool run_reference(bench *b, ztl_error *error)
{
    const onnx_row *row = b->row;
    if (row->expect)
        return row->expect(row, b->in, b->plain, error);
    return ztl_onnx_reference(&row->call.op, row->in, row->call.inputs, row->out, row->outputs,
                              (const void *const *)b->in, b->plain, error);
}

static bool is_right(const bench *b, const char *whose, ztl_error *error)
{
    for (size_t i = 0; i < b->row->outputs; i++)
        if (memcmp(b->plain[i], b->made[i], b->row->out[i].size))
            return ztl_fail(error, "the output of %s is not the reference's", whose);
    return true;
}

static void end_run(bench *b)
{
    if (b->timing)
        b->cycles += ztl_timing_result(b->timing).cycles;
    ztl_timing_destroy(b->timing);
    b->timing = NULL;
}

/* A run of the hart begins; plain C that copies and then looks up takes two. */
static void watch(void *context, ztl_hart *hart)
{
    bench *b = context;
    end_run(b);
    b->timing = ztl_timing_create(b->options->machine);
    b->failed = b->failed || !b->timing;
    if (b->timing)
        ztl_timing_attach(b->timing, hart);
}

/* The cycles of the runs since the last time. */
static bool take_cycles(bench *b, uint64_t *cycles, ztl_error *error)
{
    end_run(b);
    *cycles = b->cycles;
    b->cycles = 0;
    return !b->failed || ztl_fail(error, "out of memory");
}

static void clear_outputs(bench *b)
{
    for (size_t i = 0; i < b->row->outputs; i++)
        memset(b->made[i], 0, b->row->out[i].size);
}

static bool simulate(bench *b, ztl_error *error)
{
    onnx_row *row = b->row;
    onnx_figures *f = &row->figures;
    ops_job job = {.op = &row->call.op,
                   .in = row->in,
                   .out = row->out,
                   .inputs = row->call.inputs,
                   .outputs = row->outputs,
                   .source = (const void *const *)b->in,
                   .target = b->made,
                   .watch = b->options->machine ? watch : NULL,
                   .watcher = b};
    bool good =
        ztl_ops_sim_run(&job, b->plan, &f->retired, error) && is_right(b, "the plan", error);
    good = take_cycles(b, &f->cycles, error) && good;
    clear_outputs(b);
    good = good && ztl_ops_sim_scalar(&job, &f->scalar, error) && is_right(b, "plain C", error);
    good = take_cycles(b, &f->scalar_cycles, error) && good;
    clear_outputs(b);
    good = good && ztl_ops_sim_words(&job, &f->words, error) && is_right(b, "C by words", error);
    return take_cycles(b, &f->words_cycles, error) && good;
}

static void count(onnx_figures *f, const ztl_ops_plan *plan, const ztl_timing_machine *machine)
{
    uint64_t in, out;
    ztl_ops_stats stats = ztl_ops_plan_stats(plan);
    memcpy(f->insn, stats.insn, sizeof f->insn);
    f->ztl = ztl_ops_total(&stats);
    f->bound = ztl_ops_lower_bound(plan);
    f->csr = stats.csr;
    f->scalar_moves = stats.scalar + stats.scalar_reads;
    ztl_ops_moved_bytes(plan, &in, &out);
    f->floor = machine ? ztl_timing_floor(machine, in, out) : 0;
}

static uint64_t bytes_of(const onnx_row *row)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < row->call.inputs; i++)
        bytes += row->in[i].size;
    for (size_t i = 0; i < row->outputs; i++)
        bytes += row->out[i].size;
    return bytes;
}

void ztl_onnx_measure(onnx_row *row, const onnx_report_options *options)
{
    bench b = {.row = row, .options = options};
    ztl_ops_machine machine = {.aim = ZTL_OPS_FEW_CYCLES};
    if (options->machine)
        machine.engines = ZTL_OPS_ENGINES(options->machine);
    row->figures.bytes = bytes_of(row);
    if (row->figures.bytes > MOST) {
        row->figures = (onnx_figures){0};
        row->state = ONNX_ROW_OTHER;
        ztl_fail(&row->why, "more than 1 GiB: not simulated");
        snprintf(row->reason, sizeof row->reason, "more than 1 GiB: not simulated");
        return;
    }
    bool good = set_up(&b, &row->why) && run_reference(&b, &row->why);
    b.plan = good ? ztl_ops_plan_new(&row->call.op, row->in, row->call.inputs, row->out,
                                     row->outputs, &machine, &row->why)
                  : NULL;
    if (b.plan)
        count(&row->figures, b.plan, options->machine);
    row->state = b.plan && simulate(&b, &row->why) ? ONNX_ROW_MEASURED : ONNX_ROW_FAILED;
    if (row->state == ONNX_ROW_FAILED)
        row->figures = (onnx_figures){0};
    clean_up(&b);
}
