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
#include "bench/cycles/cycles.h"
#include "bench/cases/cases.h"
#include "bench/ops/host.h"
#include "bench/cases/run.h"
#include "bench/ops/why.h"
#include "host/command/exit.h"
#include "host/command/options.h"
#include "host/error.h"

enum { WIDTHS = 3 };
static const unsigned widths[WIDTHS] = {8, 16, 32};
static const char *const types[WIDTHS] = {"int8", "fp16", "fp32"};

/* The results of one group with one element type. */
enum { MOST_CASES = 128 };

typedef struct summary {
    double log_gain, least_gain;
    double ratio[MOST_CASES], plan_ms[MOST_CASES];
    unsigned count;
} summary;

typedef struct options {
    bool json, count_only, host, why, cycles, compiled;
    unsigned aim; /* enum ztl_ops_aim */
    const char *only, *python, *group, *machine, *against;
    unsigned threads;
} options;

/* What one case came to. */
typedef struct result {
    uint64_t bytes, retired, scalar;
    double plan_ms;
} result;

/* Random shapes are many, and alike to the simulator: they are only counted. */
static bool only_counts(const options *o, enum ztl_ops_group group)
{
    return o->count_only || !ztl_ops_group_runs(group);
}

static void print_line(const options *o, enum ztl_ops_group group, const ztl_ops_case *c,
                       const char *type, const ztl_ops_plan *plan, const result *r, bool first)
{
    ztl_ops_stats s = ztl_ops_plan_stats(plan);
    uint64_t total = ztl_ops_total(&s), bound = ztl_ops_lower_bound(plan);
    double ratio = (double)total / (double)bound;
    double gain = r->retired ? (double)r->scalar / (double)r->retired : 0;
    if (o->json)
        printf("%s\n  {\"name\": \"%s %s\", \"group\": \"%s\", \"bytes\": %" PRIu64
               ", \"ztl\": %" PRIu64 ", \"lower_bound\": %" PRIu64
               ", \"ratio\": %.3f, \"csr_writes\": %" PRIu64 ", \"scalar_moves\": %" PRIu64,
               first ? "" : ",", c->name, type, ztl_ops_group_name(group), r->bytes, total, bound,
               ratio, s.csr, s.scalar);
    else
        printf("%-30s %-4s %10" PRIu64 " %7" PRIu64 " %7" PRIu64 " %6.2f %6" PRIu64, c->name, type,
               r->bytes, total, bound, ratio, s.csr);
    if (!only_counts(o, group))
        printf(o->json ? ", \"retired\": %" PRIu64 ", \"scalar_retired\": %" PRIu64
                         ", \"gain\": %.2f"
                       : " %9" PRIu64 " %10" PRIu64 " %7.1f",
               r->retired, r->scalar, gain);
    printf(o->json ? ", \"plan_ms\": %.3f}" : " %7.2f\n", r->plan_ms);
    fflush(stdout);
}

static void add_result(summary *sum, const ztl_ops_plan *plan, const result *r)
{
    ztl_ops_stats s = ztl_ops_plan_stats(plan);
    double gain = r->retired ? (double)r->scalar / (double)r->retired : 1;
    sum->log_gain += log(gain);
    sum->least_gain = sum->count && sum->least_gain < gain ? sum->least_gain : gain;
    sum->ratio[sum->count] = (double)ztl_ops_total(&s) / (double)ztl_ops_lower_bound(plan);
    sum->plan_ms[sum->count++] = r->plan_ms;
}

/* Milliseconds of this thread alone: what else the machine does is not the planner's. */
static double thread_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

/* Plans, and runs, one case; false when that fails. */
static bool measure(const options *o, enum ztl_ops_group group, size_t index, unsigned k,
                    summary *sum, bool first)
{
    ztl_ops_case c;
    ztl_error error;
    if (!ztl_ops_case_of(group, index, widths[k], &c))
        return false;
    if (c.is_left_out) {
        ztl_op_free(&c.text);
        return true;
    }
    size_t space = ztl_ops_plan_space(&c.text.op, c.in, c.inputs, c.out, c.outputs);
    ztl_ops_plan *plan = malloc(space);
    const ops_manner plain = {0};
    const ztl_ops_machine machine = {.aim = (enum ztl_ops_aim)o->aim};
    result r = {.bytes = 0};
    for (size_t i = 0; i < c.inputs; i++)
        r.bytes += c.in[i].size;
    for (size_t i = 0; i < c.outputs; i++)
        r.bytes += c.out[i].size;
    bool good = plan != NULL;
    for (unsigned i = 0; good && i < 3; i++) {
        double begin = thread_ms();
        good = ztl_ops_make(&c.text.op, c.in, c.inputs, c.out, c.outputs, &machine, plan, space,
                            &error);
        double ms = thread_ms() - begin;
        r.plan_ms = i && r.plan_ms < ms ? r.plan_ms : ms;
    }
    if (!good)
        fprintf(stderr, "ztl bench ops: %s: %s\n", c.name, plan ? error.text : "out of memory");
    good = good &&
           (only_counts(o, group) || ztl_ops_simulate(&c, plan, &plain, &r.retired, &r.scalar));
    if (good) {
        add_result(sum, plan, &r);
        print_line(o, group, &c, types[k], plan, &r, first);
    }
    free(plan);
    ztl_op_free(&c.text);
    return good;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The value that so many hundredths of all do not exceed. */
static double percentile(double *value, unsigned count, unsigned hundredths)
{
    qsort(value, count, sizeof *value, compare);
    return value[(count * hundredths + 99) / 100 - 1];
}

static double mean_ratio(const summary *sum)
{
    double log_ratio = 0;
    for (unsigned i = 0; i < sum->count; i++)
        log_ratio += log(sum->ratio[i]);
    return exp(log_ratio / sum->count);
}

static void print_json_summary(bool counts, summary *sum)
{
    printf("\"mean_ratio\": %.3f, \"ratio_95\": %.3f, \"ratio_99\": %.3f, \"worst_ratio\": %.3f",
           mean_ratio(sum), percentile(sum->ratio, sum->count, 95),
           percentile(sum->ratio, sum->count, 99), percentile(sum->ratio, sum->count, 100));
    if (!counts)
        printf(", \"mean_gain\": %.2f, \"least_gain\": %.2f", exp(sum->log_gain / sum->count),
               sum->least_gain);
    printf(", \"plan_ms_median\": %.3f, \"plan_ms_95\": %.3f, \"cases\": %u}",
           percentile(sum->plan_ms, sum->count, 50), percentile(sum->plan_ms, sum->count, 95),
           sum->count);
}

static void print_text_summary(bool counts, const char *group, const char *type, summary *sum)
{
    printf("%s, %s: ratio %.3f in the geometric mean, 95 %% below %.2f, worst %.2f;\n   ", group,
           type, mean_ratio(sum), percentile(sum->ratio, sum->count, 95),
           percentile(sum->ratio, sum->count, 100));
    if (!counts)
        printf(" gain %.1f, least %.2f;", exp(sum->log_gain / sum->count), sum->least_gain);
    printf(" planned in %.2f ms, 95 %% below %.2f; %u cases\n",
           percentile(sum->plan_ms, sum->count, 50), percentile(sum->plan_ms, sum->count, 95),
           sum->count);
}

/* One line for each group and element, in JSON an object of objects. */
static void print_summary(const options *o, summary (*sum)[WIDTHS])
{
    bool first = true;
    for (enum ztl_ops_group g = 0; g < ZTL_OPS_GROUPS; g++) {
        const char *name = ztl_ops_group_name(g);
        for (unsigned k = 0; k < WIDTHS && sum[g][k].count; k++) {
            if (!o->json) {
                print_text_summary(only_counts(o, g), name, types[k], &sum[g][k]);
                continue;
            }
            if (k == 0)
                printf("%s\"%s\": {", first ? "" : ", ", name);
            printf("%s\"%s\": {", k ? ", " : "", types[k]);
            print_json_summary(only_counts(o, g), &sum[g][k]);
            printf(k + 1 == WIDTHS ? "}" : "");
            first = false;
        }
    }
}

/* Whether a case is asked for. */
static bool is_wanted(const options *o, enum ztl_ops_group group, size_t index)
{
    ztl_ops_case c;
    if (!ztl_ops_group_is(group, o->group))
        return false;
    bool wanted =
        ztl_ops_case_of(group, index, widths[0], &c) && (!o->only || strstr(c.name, o->only));
    ztl_op_free(&c.text);
    return wanted;
}

static bool run_cases(const options *o, summary (*sum)[WIDTHS], bool *first)
{
    bool good = true;
    for (enum ztl_ops_group g = 0; g < ZTL_OPS_GROUPS; g++)
        for (size_t i = 0; i < ztl_ops_cases(g); i++)
            for (unsigned k = 0; k < WIDTHS && is_wanted(o, g, i); k++) {
                unsigned before = sum[g][k].count;
                good &= measure(o, g, i, k, &sum[g][k], *first);
                *first &= sum[g][k].count == before;
            }
    return good;
}

static bool is_any_wanted(const options *o)
{
    for (enum ztl_ops_group g = 0; g < ZTL_OPS_GROUPS; g++)
        for (size_t i = 0; i < ztl_ops_cases(g); i++)
            if (is_wanted(o, g, i))
                return true;
    return false;
}

static int run(const options *o)
{
    summary sum[ZTL_OPS_GROUPS][WIDTHS] = {{{0}}};
    char cpu[128];
    bool first = true;
    if (!is_any_wanted(o)) {
        fprintf(stderr, "ztl bench ops: no case's name contains '%s'\n", o->only);
        return ZTL_EXIT_FAILURE;
    }
    if (o->json)
        printf("{\"suite\": \"ops\", \"cpu\": \"%s\", \"results\": [",
               ztl_bench_cpu(cpu, sizeof cpu));
    else
        printf("%-30s %-4s %10s %7s %7s %6s %6s%s %7s\n", "case", "type", "bytes", "Ztl", "bound",
               "ratio", "CSR", o->count_only ? "" : "   retired     scalar    gain", "plan ms");
    bool good = run_cases(o, sum, &first);
    if (o->json)
        printf("\n], \"summary\": {");
    print_summary(o, sum);
    if (o->json)
        printf("}}\n");
    return good ? ZTL_EXIT_OK : ZTL_EXIT_FAILURE;
}

static void print_usage(FILE *out)
{
    fputs("usage: ztl bench ops [--json] [--count [--for AIM]] [--group NAME] [--only TEXT]\n"
          "       ztl bench ops --cycles [--compiled] [--for AIM] [--machine M]\n"
          "                     [--json] [--group NAME] [--only TEXT]\n"
          "       ztl bench ops --why [--json]\n"
          "       ztl bench ops --host [--against NAMES] [--threads N] [--json]\n"
          "                     [--group NAME] [--only TEXT] [--python FILE]\n\n"
          "Plans the operators of real networks at int8, fp16 and fp32 and runs them on\n"
          "the simulated hart. The columns are: bytes of the tensors, Ztl instructions,\n"
          "the lower bound (each KiB of input loaded once, each KiB of output stored\n"
          "once), their ratio, CSR writes, all retired instructions, those of scalar C\n"
          "at -O3, scalar / retired, and the time of planning.\n\n"
          "  --group NAME   table (operators of real networks), everyday (few channels,\n"
          "                 odd extents, many dimensions), formats (in blocks), random\n"
          "                 (transposes, counted), indices (read at run time, counted);\n"
          "                 with --cycles, beside kernels by hand: byhand, odd (transposes\n"
          "                 that are not aligned), edges (padding, joining, slices, small\n"
          "                 tensors)\n"
          "  --count        plan and count, but run nothing\n"
          "  --why          attribute the instructions beyond the bound to their causes\n"
          "  --host         time the transposes and the everyday cases on this machine, and\n"
          "                 other libraries in the same run; speed is the best library's\n"
          "                 time / ours\n"
          "  --against NAMES  which ones: numpy (if not given), pytorch, onednn, opencv,\n"
          "                 with commas between; those that are not installed are named\n"
          "  --threads N    threads of each, ours and theirs (1)\n"
          "  --python FILE  the interpreter that has the libraries (/usr/bin/python3)\n"
          "  --cycles       cycles on a machine ('ztl timing --list') against the floor\n"
          "                 (each byte through its port once at full width), there and with\n"
          "                 an engine for each kind, and against the bound (the busiest\n"
          "                 engine or port); how many times as many with one engine;\n"
          "                 retired for each Ztl instruction; how many times as many scalar\n"
          "                 C takes; what the rest was lost to\n"
          "  --machine M    that machine (four)\n"
          "  --compiled     of the plans that 'ztl op --emit' writes, compiled at -O2\n"
          "  --for AIM      of plans for few cycles on that machine, or for few\n"
          "                 instructions (if not given: with --cycles, cycles)\n"
          "  --only TEXT    only cases whose name contains TEXT\n"
          "  --json         results as JSON\n\n"
          "example: ztl bench ops --only im2col\n",
          out);
}

static bool is_group(const char *name)
{
    char names[128];
    for (enum ztl_ops_group g = 0; g < ZTL_OPS_GROUPS; g++)
        if (ztl_ops_group_is(g, name))
            return true;
    ztl_ops_group_names(names, sizeof names);
    fprintf(stderr, "ztl bench ops: the groups are %s, not '%s'\n", names, name);
    return false;
}

/* Whether the options go together; says which do not. */
static bool are_consistent(const options *o, bool threads, bool aim)
{
    if (o->group && !is_group(o->group))
        return false;
    if ((o->against || threads) && !o->host) {
        fprintf(stderr, "ztl bench ops: --against and --threads go with --host\n");
        return false;
    }
    if (o->group && o->host && strcmp(o->group, ztl_ops_group_name(ZTL_OPS_TABLE)) &&
        strcmp(o->group, ztl_ops_group_name(ZTL_OPS_EVERYDAY))) {
        fprintf(stderr, "ztl bench ops: --host times the groups table and everyday\n");
        return false;
    }
    if ((o->machine || o->compiled) && !o->cycles) {
        fprintf(stderr, "ztl bench ops: %s goes with --cycles\n",
                o->machine ? "--machine" : "--compiled");
        return false;
    }
    if (aim && !o->cycles && !o->count_only) {
        fprintf(stderr, "ztl bench ops: --for goes with --cycles and --count\n");
        return false;
    }
    if (o->cycles && (o->host || o->why || o->count_only)) {
        fprintf(stderr, "ztl bench ops: --cycles goes neither with --host nor --why nor --count\n");
        return false;
    }
    if (o->why && (o->host || o->only || o->count_only || o->group)) {
        fprintf(stderr, "ztl bench ops: --why covers all cases, and goes with --json alone\n");
        return false;
    }
    return true;
}

int ztl_bench_ops(int argc, char **argv)
{
    options o = {.python = "/usr/bin/python3", .threads = 1};
    bool threads = false, aim = false;
    static const char *const aims[] = {"cycles", "instructions", NULL};
    const ztl_option table[] = {
        {"--json", .flag = &o.json},
        {"--count", .flag = &o.count_only},
        {"--host", .flag = &o.host},
        {"--only", .text = &o.only},
        {"--group", .text = &o.group},
        {"--why", .flag = &o.why},
        {"--python", .text = &o.python},
        {"--cycles", .flag = &o.cycles},
        {"--for", .choice = &o.aim, .choices = aims, .once = &aim},
        {"--compiled", .flag = &o.compiled},
        {"--machine", .text = &o.machine},
        {"--against", .text = &o.against},
        {"--threads", .number = &o.threads, .least = 1, .most = 64, .once = &threads},
        {0}};
    int status = ztl_bench_options("ztl bench ops", table, argc, argv, print_usage);
    if (status >= 0)
        return status;
    if (!are_consistent(&o, threads, aim))
        return ZTL_EXIT_USAGE;
    if (!aim && !o.cycles)
        o.aim = ZTL_OPS_FEW_INSTRUCTIONS;
    if (o.cycles)
        return ztl_bench_ops_cycles(
            &(ztl_bench_cycles_options){o.json, o.compiled, o.aim, o.machine, o.only, o.group});
    if (o.why)
        return ztl_bench_ops_why(o.json);
    const ztl_bench_host_options host = {o.json, o.only, o.group, o.against, o.python, o.threads};
    return o.host ? ztl_bench_ops_host(&host) : run(&o);
}
