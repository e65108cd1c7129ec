/* SPDX-License-Identifier: Apache-2.0
 * ztl bench ops: the operators of real networks, in instructions.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/ops_cases.h"
#include "cli/command.h"

enum { WIDTHS = 3 };
static const unsigned widths[WIDTHS] = {8, 16, 32};
static const char *const types[WIDTHS] = {"int8", "fp16", "fp32"};

/* Geometric means and worst cases of one element type. */
typedef struct summary {
    double log_ratio, worst;
    unsigned count;
} summary;

typedef struct options {
    bool json;
    const char *only;
} options;

static void print_line(const options *o, const ztl_ops_case *c, const char *type,
                       const ztl_ops_plan *plan, double plan_ms, bool first)
{
    ztl_ops_stats s = ztl_ops_plan_stats(plan);
    uint64_t total = ztl_ops_total(&s), bound = ztl_ops_lower_bound(plan), bytes = c->out.size;
    double ratio = (double)total / (double)bound;
    for (size_t i = 0; i < c->inputs; i++)
        bytes += c->in[i].size;
    if (o->json)
        printf("%s\n  {\"name\": \"%s %s\", \"bytes\": %" PRIu64 ", \"ztl\": %" PRIu64
               ", \"lower_bound\": %" PRIu64 ", \"ratio\": %.3f, \"csr_writes\": %" PRIu64
               ", \"scalar_moves\": %" PRIu64 ", \"plan_ms\": %.3f}",
               first ? "" : ",", c->name, type, bytes, total, bound, ratio, s.csr, s.scalar,
               plan_ms);
    else
        printf("%-30s %-4s %10" PRIu64 " %8" PRIu64 " %8" PRIu64 " %6.2f %7" PRIu64 " %8.2f\n",
               c->name, type, bytes, total, bound, ratio, s.csr, plan_ms);
}

/* Plans one case; false when that fails. */
static bool measure(const options *o, size_t index, unsigned k, summary *sum, bool first)
{
    ztl_ops_case c;
    ztl_ops_error error;
    if (!ztl_ops_case_of(index, widths[k], &c))
        return false;
    size_t space = ztl_ops_plan_space(&c.text.op, c.in, c.inputs, &c.out, 1);
    ztl_ops_plan *plan = malloc(space);
    double best = 0;
    bool good = plan != NULL;
    for (unsigned i = 0; good && i < 3; i++) {
        double start = ztl_bench_now();
        good = ztl_ops_make(&c.text.op, c.in, c.inputs, &c.out, 1, NULL, plan, space, &error);
        double ms = (ztl_bench_now() - start) / 1e6;
        best = i && best < ms ? best : ms;
    }
    if (good) {
        ztl_ops_stats s = ztl_ops_plan_stats(plan);
        double ratio = (double)ztl_ops_total(&s) / (double)ztl_ops_lower_bound(plan);
        sum->log_ratio += log(ratio);
        sum->worst = ratio > sum->worst ? ratio : sum->worst;
        sum->count++;
        print_line(o, &c, types[k], plan, best, first);
    } else {
        fprintf(stderr, "ztl bench ops: %s: %s\n", c.name, plan ? error.text : "out of memory");
    }
    free(plan);
    ztl_op_free(&c.text);
    return good;
}

static void print_summary(const options *o, const summary *sum)
{
    for (unsigned k = 0; k < WIDTHS; k++) {
        double mean = sum[k].count ? exp(sum[k].log_ratio / sum[k].count) : 0;
        if (o->json)
            printf("%s\"%s\": {\"mean_ratio\": %.3f, \"worst_ratio\": %.3f}", k ? ", " : "",
                   types[k], mean, sum[k].worst);
        else
            printf("%s: geometric mean of the ratio %.3f, worst %.2f, over %u cases\n", types[k],
                   mean, sum[k].worst, sum[k].count);
    }
}

static int run(const options *o)
{
    summary sum[WIDTHS] = {{0}};
    char cpu[128];
    bool good = true, first = true;
    ztl_ops_case c;
    if (o->json)
        printf("{\"suite\": \"ops\", \"cpu\": \"%s\", \"results\": [",
               ztl_bench_cpu(cpu, sizeof cpu));
    else
        printf("%-30s %-4s %10s %8s %8s %6s %7s %8s\n", "case", "type", "bytes", "Ztl", "bound",
               "ratio", "CSR", "plan ms");
    for (size_t i = 0; i < ztl_ops_cases(); i++)
        for (unsigned k = 0; k < WIDTHS; k++) {
            bool wanted =
                ztl_ops_case_of(i, widths[k], &c) && (!o->only || strstr(c.name, o->only));
            ztl_op_free(&c.text);
            if (!wanted)
                continue;
            good &= measure(o, i, k, &sum[k], first);
            first = false;
        }
    if (o->json)
        printf("\n], \"summary\": {");
    print_summary(o, sum);
    if (o->json)
        printf("}}\n");
    return good && !first ? ZTL_EXIT_OK : ZTL_EXIT_FAILURE;
}

int ztl_bench_ops(int argc, char **argv)
{
    options o = {.json = false};
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--json")) {
            o.json = true;
        } else if (!strcmp(argv[i], "--only") && i + 1 < argc) {
            o.only = argv[++i];
        } else if (!strcmp(argv[i], "--help")) {
            printf("usage: ztl bench ops [--json] [--only TEXT]\n\n"
                   "Plans the operators of real networks at int8, fp16 and fp32 and prints, for\n"
                   "each, the bytes of its tensors, the Ztl instructions, the least that any\n"
                   "program needs (each KiB of input loaded once, each KiB of output stored\n"
                   "once), the ratio of the two, the CSR writes, and how long planning took.\n\n"
                   "example: ztl bench ops --only im2col\n");
            return ZTL_EXIT_OK;
        } else {
            fprintf(stderr, "ztl bench ops: unknown option '%s'\n", argv[i]);
            return ZTL_EXIT_USAGE;
        }
    }
    return run(&o);
}
