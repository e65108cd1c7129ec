/* SPDX-License-Identifier: Apache-2.0
 * ztl bench ops: the operators of real networks, in instructions.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/bench.h"
#include "bench/ops_cases.h"
#include "bench/ops_host.h"
#include "bench/ops_why.h"
#include "host/exit.h"
#include "host/options.h"
#include "ops/drive/drive.h"

enum { WIDTHS = 3 };
static const unsigned widths[WIDTHS] = {8, 16, 32};
static const char *const types[WIDTHS] = {"int8", "fp16", "fp32"};

/* Geometric means and worst cases of one element type. */
typedef struct summary {
    double log_ratio, worst, log_gain, least_gain;
    unsigned count;
} summary;

typedef struct options {
    bool json, count_only, host, why;
    const char *only, *python;
} options;

/* What one case came to. */
typedef struct result {
    uint64_t bytes, retired, scalar;
    double plan_ms;
} result;

static void print_line(const options *o, const ztl_ops_case *c, const char *type,
                       const ztl_ops_plan *plan, const result *r, bool first)
{
    ztl_ops_stats s = ztl_ops_plan_stats(plan);
    uint64_t total = ztl_ops_total(&s), bound = ztl_ops_lower_bound(plan);
    double ratio = (double)total / (double)bound;
    double gain = r->retired ? (double)r->scalar / (double)r->retired : 0;
    if (o->json)
        printf("%s\n  {\"name\": \"%s %s\", \"bytes\": %" PRIu64 ", \"ztl\": %" PRIu64
               ", \"lower_bound\": %" PRIu64 ", \"ratio\": %.3f, \"csr_writes\": %" PRIu64
               ", \"scalar_moves\": %" PRIu64,
               first ? "" : ",", c->name, type, r->bytes, total, bound, ratio, s.csr, s.scalar);
    else
        printf("%-30s %-4s %10" PRIu64 " %7" PRIu64 " %7" PRIu64 " %6.2f %6" PRIu64, c->name, type,
               r->bytes, total, bound, ratio, s.csr);
    if (!o->count_only)
        printf(o->json ? ", \"retired\": %" PRIu64 ", \"scalar_retired\": %" PRIu64
                         ", \"gain\": %.2f"
                       : " %9" PRIu64 " %10" PRIu64 " %7.1f",
               r->retired, r->scalar, gain);
    printf(o->json ? ", \"plan_ms\": %.3f}" : " %7.2f\n", r->plan_ms);
    fflush(stdout);
}

/* Inputs with different bytes everywhere, and two outputs to compare. */
typedef struct buffers {
    uint8_t *in[8], *ztl, *scalar;
} buffers;

static bool fill_buffers(const ztl_ops_case *c, buffers *b)
{
    uint32_t state = 1;
    bool good = (b->ztl = calloc(1, c->out.size + 1)) && (b->scalar = calloc(1, c->out.size + 1));
    for (size_t i = 0; i < c->inputs; i++) {
        good = (b->in[i] = malloc(c->in[i].size + 1)) && good;
        for (size_t k = 0; b->in[i] && k < c->in[i].size; k++) {
            state = state * 1664525 + 1013904223;
            b->in[i][k] = (uint8_t)(state >> 24);
        }
    }
    return good;
}

/* Runs the plan and the scalar version on the hart; their outputs must be the same. */
static bool simulate(const ztl_ops_case *c, const ztl_ops_plan *plan, result *r)
{
    buffers b = {.ztl = NULL};
    char error[200] = "out of memory";
    bool good = fill_buffers(c, &b);
    void *target = b.ztl;
    ops_job job = {.op = &c->text.op,
                   .in = c->in,
                   .out = &c->out,
                   .inputs = c->inputs,
                   .outputs = 1,
                   .source = (const void *const *)b.in,
                   .target = &target};
    good = good && ztl_ops_sim_run(&job, plan, &r->retired, error, sizeof error);
    target = b.scalar;
    good = good && ztl_ops_sim_scalar(&job, &r->scalar, error, sizeof error);
    if (good && memcmp(b.ztl, b.scalar, c->out.size)) {
        snprintf(error, sizeof error, "the plan's output differs from the scalar one");
        good = false;
    }
    if (!good)
        fprintf(stderr, "ztl bench ops: %s: %s\n", c->name, error);
    for (size_t i = 0; i < c->inputs; i++)
        free(b.in[i]);
    free(b.ztl);
    free(b.scalar);
    return good;
}

static void add_result(summary *sum, const ztl_ops_plan *plan, const result *r)
{
    ztl_ops_stats s = ztl_ops_plan_stats(plan);
    double ratio = (double)ztl_ops_total(&s) / (double)ztl_ops_lower_bound(plan);
    double gain = r->retired ? (double)r->scalar / (double)r->retired : 1;
    sum->log_ratio += log(ratio);
    sum->worst = ratio > sum->worst ? ratio : sum->worst;
    sum->log_gain += log(gain);
    sum->least_gain = sum->count && sum->least_gain < gain ? sum->least_gain : gain;
    sum->count++;
}

/* Milliseconds of this thread alone: what else the machine does is not the planner's. */
static double thread_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

/* Plans, and runs, one case; false when that fails. */
static bool measure(const options *o, size_t index, unsigned k, summary *sum, bool first)
{
    ztl_ops_case c;
    ztl_ops_error error;
    if (!ztl_ops_case_of(index, widths[k], &c))
        return false;
    size_t space = ztl_ops_plan_space(&c.text.op, c.in, c.inputs, &c.out, 1);
    ztl_ops_plan *plan = malloc(space);
    result r = {.bytes = c.out.size};
    for (size_t i = 0; i < c.inputs; i++)
        r.bytes += c.in[i].size;
    bool good = plan != NULL;
    for (unsigned i = 0; good && i < 3; i++) {
        double begin = thread_ms();
        good = ztl_ops_make(&c.text.op, c.in, c.inputs, &c.out, 1, NULL, plan, space, &error);
        double ms = thread_ms() - begin;
        r.plan_ms = i && r.plan_ms < ms ? r.plan_ms : ms;
    }
    if (!good)
        fprintf(stderr, "ztl bench ops: %s: %s\n", c.name, plan ? error.text : "out of memory");
    good = good && (o->count_only || simulate(&c, plan, &r));
    if (good) {
        add_result(sum, plan, &r);
        print_line(o, &c, types[k], plan, &r, first);
    }
    free(plan);
    ztl_op_free(&c.text);
    return good;
}

static void print_summary(const options *o, const summary *sum)
{
    for (unsigned k = 0; k < WIDTHS; k++) {
        double mean = sum[k].count ? exp(sum[k].log_ratio / sum[k].count) : 0;
        double gain = sum[k].count ? exp(sum[k].log_gain / sum[k].count) : 0;
        if (o->json)
            printf("%s\"%s\": {\"mean_ratio\": %.3f, \"worst_ratio\": %.3f", k ? ", " : "",
                   types[k], mean, sum[k].worst);
        else
            printf("%s: ratio %.3f in the geometric mean, worst %.2f; ", types[k], mean,
                   sum[k].worst);
        if (!o->count_only)
            printf(o->json ? ", \"mean_gain\": %.2f, \"least_gain\": %.2f"
                           : "gain %.1f, least %.2f; ",
                   gain, sum[k].least_gain);
        printf(o->json ? ", \"cases\": %u}" : "%u cases\n", sum[k].count);
    }
}

/* Whether a case is asked for. */
static bool is_wanted(const options *o, size_t index)
{
    ztl_ops_case c;
    bool wanted = ztl_ops_case_of(index, widths[0], &c) && (!o->only || strstr(c.name, o->only));
    ztl_op_free(&c.text);
    return wanted;
}

static bool run_cases(const options *o, summary *sum)
{
    bool good = true, first = true;
    for (size_t i = 0; i < ztl_ops_cases(); i++)
        for (unsigned k = 0; k < WIDTHS && is_wanted(o, i); k++) {
            good &= measure(o, i, k, &sum[k], first);
            first = false;
        }
    return good;
}

static int run(const options *o)
{
    summary sum[WIDTHS] = {{0}};
    char cpu[128];
    bool any = false;
    for (size_t i = 0; i < ztl_ops_cases(); i++)
        any = any || is_wanted(o, i);
    if (!any) {
        fprintf(stderr, "ztl bench ops: no case's name contains '%s'\n", o->only);
        return ZTL_EXIT_FAILURE;
    }
    if (o->json)
        printf("{\"suite\": \"ops\", \"cpu\": \"%s\", \"results\": [",
               ztl_bench_cpu(cpu, sizeof cpu));
    else
        printf("%-30s %-4s %10s %7s %7s %6s %6s%s %7s\n", "case", "type", "bytes", "Ztl", "bound",
               "ratio", "CSR", o->count_only ? "" : "   retired     scalar    gain", "plan ms");
    bool good = run_cases(o, sum);
    if (o->json)
        printf("\n], \"summary\": {");
    print_summary(o, sum);
    if (o->json)
        printf("}}\n");
    return good ? ZTL_EXIT_OK : ZTL_EXIT_FAILURE;
}

static void print_usage(FILE *out)
{
    fputs("usage: ztl bench ops [--json] [--count] [--only TEXT]\n"
          "       ztl bench ops --why [--json]\n"
          "       ztl bench ops --host [--json] [--only TEXT] [--python FILE]\n\n"
          "Plans the operators of real networks at int8, fp16 and fp32 and runs them on\n"
          "the simulated hart. The columns are: bytes of the tensors, Ztl instructions,\n"
          "the lower bound (each KiB of input loaded once, each KiB of output stored\n"
          "once), their ratio, CSR writes, all retired instructions, those of scalar C\n"
          "at -O3, scalar / retired, and the time of planning.\n\n"
          "  --count        plan and count, but run nothing\n"
          "  --why          attribute the instructions beyond the bound to their causes,\n"
          "                 and count again as if slices could lie at any byte\n"
          "  --host         time the transposes on this machine, through the model, and\n"
          "                 NumPy's in the same run\n"
          "  --python FILE  the interpreter that has NumPy (/usr/bin/python3)\n"
          "  --only TEXT    only cases whose name contains TEXT\n"
          "  --json         results as JSON\n\n"
          "example: ztl bench ops --only im2col\n",
          out);
}

int ztl_bench_ops(int argc, char **argv)
{
    options o = {.python = "/usr/bin/python3"};
    const ztl_option table[] = {{"--json", .flag = &o.json},
                                {"--count", .flag = &o.count_only},
                                {"--host", .flag = &o.host},
                                {"--only", .text = &o.only},
                                {"--why", .flag = &o.why},
                                {"--python", .text = &o.python},
                                {0}};
    int status = ztl_bench_options("ztl bench ops", table, argc, argv, print_usage);
    if (status >= 0)
        return status;
    if (o.why && (o.host || o.only || o.count_only)) {
        fprintf(stderr, "ztl bench ops: --why covers all cases, and goes with --json alone\n");
        return ZTL_EXIT_USAGE;
    }
    if (o.why)
        return ztl_bench_ops_why(o.json);
    return o.host ? ztl_bench_ops_host(o.json, o.only, o.python) : run(&o);
}
