/* SPDX-License-Identifier: Apache-2.0
 * The figures of ztl op, for people and for programs.
 */
#include "cli/op/output/stats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fold.h"
#include "host/command/terminal.h"

static uint64_t emulated(const ztl_op_figures *figures)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < ZTL_INSNS; i++)
        sum += figures->emulated.count[i];
    return sum;
}

static double ratio_of(uint64_t a, uint64_t b)
{
    return b ? (double)a / (double)b : 1.0;
}

static void print_retired(const ztl_op_figures *figures)
{
    if (!figures->retired) {
        printf("all instructions retired: not counted: %s\n", figures->why_not.text);
        return;
    }
    printf("all instructions retired on the simulated hart: %" PRIu64, figures->retired);
    if (figures->scalar)
        printf(";\n  of scalar C at -O3: %" PRIu64 ", %.1f times as many\n", figures->scalar,
               ratio_of(figures->scalar, figures->retired));
    else
        printf(";\n  of scalar C: not counted: %s\n", figures->why_not.text);
}

void ztl_op_print_stats(const ztl_op_report *report)
{
    ztl_ops_stats s = ztl_ops_plan_stats(report->plan);
    uint64_t total = ztl_ops_total(&s), bound = ztl_ops_lower_bound(report->plan);
    printf("%s: %" PRIu64 " bytes in, %" PRIu64 " bytes out\n", report->name, report->bytes_in,
           report->bytes_out);
    printf("Ztl instructions: %" PRIu64 "\n", total);
    const char *before = "  ";
    for (unsigned op = 0; op < ZTL_OPS; op++)
        if (s.insn[op]) {
            printf("%s%s %" PRIu64, before, ztl_op_name((enum ztl_op)op), s.insn[op]);
            before = ", ";
        }
    if (total)
        putchar('\n');
    printf("lower bound: %" PRIu64 ", ratio %.3f\n", bound, ratio_of(total, bound));
    printf("beside them: CSR writes %" PRIu64 ", scalar moves %" PRIu64 ", scalar reads %" PRIu64
           "\nscratch memory: %" PRIu64 " bytes\n",
           s.csr, s.scalar, s.scalar_reads, ztl_ops_scratch_bytes(report->plan));
    print_retired(report->figures);
    if (report->engine == ZTL_OP_QEMU)
        printf("under QEMU: %" PRIu64 " Ztl instructions, %" PRIu64 " on CSRs;\n  %" PRIu64
               " bytes loaded, %" PRIu64 " stored\n",
               emulated(report->figures), report->figures->emulated.csr,
               report->figures->emulated.bytes_loaded, report->figures->emulated.bytes_stored);
    printf("planned in %.3f ms, run in %.3f ms (%s)\n", report->plan_ms, report->run_ms,
           ztl_op_engine_name(report->engine));
}

/* The plan in words; NULL without memory. */
static char *description(const ztl_ops_plan *plan)
{
    size_t n = ztl_ops_describe(plan, NULL, 0);
    char *text = malloc(n + 1);
    if (text)
        ztl_ops_describe(plan, text, n + 1);
    return text;
}

void ztl_op_print_plan(const ztl_ops_plan *plan)
{
    char *text = description(plan), *rest = text;
    bool folds = ztl_terminal_columns(stdout);
    for (char *line = text; line && *line && folds; line = rest) {
        rest = line + strcspn(line, "\n");
        if (*rest)
            *rest++ = '\0';
        ztl_fold_print(stdout, 0, strspn(line, " ") + 4, line);
    }
    if (text && !folds)
        fputs(text, stdout);
    free(text);
}

/* The plan as an array of its lines, which have no characters that JSON would have to escape. */
static void print_lines(const ztl_ops_plan *plan)
{
    char *text = description(plan), *line = text ? strtok(text, "\n") : NULL;
    printf(", \"plan\": [");
    for (const char *before = ""; line; before = ", ", line = strtok(NULL, "\n"))
        printf("%s\"%s\"", before, line);
    printf("]");
    free(text);
}

/* A count, or null where there is none. */
static void print_count(const char *name, uint64_t count)
{
    if (count)
        printf(", \"%s\": %" PRIu64, name, count);
    else
        printf(", \"%s\": null", name);
}

void ztl_op_print_json(const ztl_op_report *report)
{
    ztl_ops_stats s = ztl_ops_plan_stats(report->plan);
    uint64_t total = ztl_ops_total(&s), bound = ztl_ops_lower_bound(report->plan);
    printf("{\"operator\": \"%s\", \"engine\": \"%s\", \"bytes_in\": %" PRIu64
           ", \"bytes_out\": %" PRIu64,
           report->name, ztl_op_engine_name(report->engine), report->bytes_in, report->bytes_out);
    for (unsigned op = 0; op < ZTL_OPS; op++)
        printf(", \"%s\": %" PRIu64, ztl_op_name((enum ztl_op)op), s.insn[op]);
    printf(", \"ztl\": %" PRIu64 ", \"lower_bound\": %" PRIu64
           ", \"ratio\": %.3f, \"csr_writes\": %" PRIu64 ", \"scalar_moves\": %" PRIu64
           ", \"scalar_reads\": %" PRIu64 ", \"scratch\": %" PRIu64
           ", \"plan_ms\": %.3f, \"run_ms\": %.3f",
           total, bound, ratio_of(total, bound), s.csr, s.scalar, s.scalar_reads,
           ztl_ops_scratch_bytes(report->plan), report->plan_ms, report->run_ms);
    print_count("retired", report->figures->retired);
    print_count("scalar_retired", report->figures->scalar);
    print_count("emulated", emulated(report->figures));
    if (report->with_plan)
        print_lines(report->plan);
    if (report->timing)
        ztl_op_timing_print_json(report->timing, report->plan);
    printf("}\n");
}
