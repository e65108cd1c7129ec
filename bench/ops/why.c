/* SPDX-License-Identifier: Apache-2.0
 * Where the instructions beyond the lower bound go: every instruction of every plan of the table is
 * put down to what made it necessary.
 */
#include "bench/ops/why.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/cases/cases.h"
#include "host/command/exit.h"
#include "ops/format/insn.h"

enum part {
    NARROW,  /* slices narrower than a 32nd of a register */
    AGAIN,   /* bytes moved more than once: open batches, overlapping edges, taps */
    SCRATCH, /* stores to scratch memory and loads from it */
    ROUND,   /* one PERMUTE for each pair of registers */
    ROUNDS,  /* further rounds */
    WEAVING, /* PERMUTE and CONCAT for a factor 3, PERMUTE for two planes */
    BORDER,  /* constants: making them, and their narrow stores */
    PARTS
};

static const char *const names[PARTS] = {
    "slices narrower than 32 bytes", "bytes moved again: open batches, overlapping edges",
    "to and from scratch memory",    "the PERMUTE of each pair of registers",
    "further rounds of PERMUTE",     "factor 3, elements that alternate: PERMUTE, CONCAT",
    "constants for borders",
};

/* Instructions of a pass; `full`: how many of the loads and stores would do if each moved 1 KiB. */
typedef struct counts {
    double load, store, shuffle, full_load, full_store;
} counts;

static counts count(const ops_pass *pass)
{
    counts c = {0};
    double slices = pass->tile_shape ? pass->tile_shape >> 16 : pass->slices;
    ztl_ops_stats stats = {0};
    for (uint32_t i = 0; i < pass->insns; i++)
        ztl_ops_count(&stats, ops_code_of(&ops_pass_insns(pass)[i]), ops_runs(pass));
    c.load = (double)stats.insn[ZTL_OP_LOAD];
    c.store = (double)stats.insn[ZTL_OP_STORE];
    c.shuffle = (double)ztl_ops_total(&stats) - c.load - c.store;
    c.full_load = c.load * slices * pass->load_width / 1024;
    c.full_store = c.store * slices * pass->store_width / 1024;
    c.full_store = c.full_store < c.store ? c.full_store : c.store;
    return c;
}

/* Adds the pass's parts; AGAIN gets its full loads and stores, of which the bound is taken later.
 */
static void add_pass(const ops_pass *pass, double *part)
{
    counts c = count(pass);
    bool reads = pass->src != OPS_SCRATCH, writes = pass->dst != OPS_SCRATCH;
    if (pass->kind == OPS_PASS_FILL) {
        part[BORDER] +=
            (double)(ops_ztl(OPS_CONSTANT_BYTE) * pass->element) + c.store - c.full_store;
        part[AGAIN] += c.full_store;
        return;
    }
    part[SCRATCH] += (reads ? 0 : c.load) + (writes ? 0 : c.store);
    part[AGAIN] += (reads ? c.full_load : 0) + (writes ? c.full_store : 0);
    part[NARROW] += (reads ? c.load - c.full_load : 0) + (writes ? c.store - c.full_store : 0);
    if (pass->kind == OPS_PASS_TILES) {
        double first = c.shuffle < c.load / 2 ? c.shuffle : c.load / 2;
        part[ROUND] += first;
        part[ROUNDS] += c.shuffle - first;
    } else {
        part[WEAVING] += c.shuffle;
    }
}

/* Sums over the table. */
typedef struct sums {
    double part[PARTS];
    double ratio, log_ratio, worst;
} sums;

static void add_parts(const ztl_ops_plan *plan, double *sum)
{
    double part[PARTS] = {0}, bound = (double)ztl_ops_lower_bound(plan);
    const ops_pass *pass = ops_first_pass(plan);
    for (uint32_t i = 0; i < plan->passes; i++, pass = ops_next_pass(pass))
        add_pass(pass, part);
    part[AGAIN] -= bound;
    for (unsigned p = 0; p < PARTS; p++)
        sum[p] += part[p] / bound;
}

static const ztl_ops_machine few_instructions = {.aim = ZTL_OPS_FEW_INSTRUCTIONS};

/* Adds a case, each part of it as a multiple of its bound. False when it cannot be planned. */
static bool add_case(size_t index, unsigned bits, sums *sum)
{
    ztl_ops_case c;
    ztl_error error;
    if (!ztl_ops_case_of(ZTL_OPS_TABLE, index, bits, &c))
        return false;
    size_t space = ztl_ops_plan_space(&c.text.op, c.in, c.inputs, c.out, 1);
    ztl_ops_plan *plan = malloc(space);
    bool good = plan && ztl_ops_make(&c.text.op, c.in, c.inputs, c.out, 1, &few_instructions, plan,
                                     space, &error);
    if (good) {
        ztl_ops_stats stats = ztl_ops_plan_stats(plan);
        double ratio = (double)ztl_ops_total(&stats) / (double)ztl_ops_lower_bound(plan);
        sum->ratio += ratio;
        sum->log_ratio += log(ratio);
        sum->worst = ratio > sum->worst ? ratio : sum->worst;
        add_parts(plan, sum->part);
    }
    free(plan);
    ztl_op_free(&c.text);
    return good;
}

enum { WIDTHS = 3 };

static const char *const types[WIDTHS] = {"int8", "fp16", "fp32"};

static void print_row(bool json, const char *name, const double *value)
{
    printf(json ? ",\n  {\"what\": \"%s\"" : "%-52s", name);
    for (unsigned k = 0; k < WIDTHS; k++)
        if (json)
            printf(", \"%s\": %.3f", types[k], value[k]);
        else
            printf(" %6.3f", value[k]);
    printf(json ? "}" : "\n");
}

static void print_head(bool json)
{
    if (json)
        printf("{\"suite\": \"ops why\", \"rows\": [\n  {\"what\": \"the bound itself\", "
               "\"int8\": 1, \"fp16\": 1, \"fp32\": 1}");
    else
        printf("%-52s %6s %6s %6s\n%-52s %6.3f %6.3f %6.3f\n",
               "Ztl instructions for each of the bound", types[0], types[1], types[2],
               "the bound itself", 1.0, 1.0, 1.0);
}

static void print_parts(bool json, const sums *sum, double n)
{
    for (unsigned p = 0; p < PARTS; p++) {
        double row[WIDTHS];
        for (unsigned k = 0; k < WIDTHS; k++)
            row[k] = sum[k].part[p] / n;
        print_row(json, names[p], row);
    }
}

static void print_ratios(bool json, const sums *sum, double n)
{
    double mean[WIDTHS], geometric[WIDTHS], worst[WIDTHS];
    for (unsigned k = 0; k < WIDTHS; k++) {
        mean[k] = sum[k].ratio / n;
        geometric[k] = exp(sum[k].log_ratio / n);
        worst[k] = sum[k].worst;
    }
    print_row(json, "arithmetic mean of the ratios", mean);
    print_row(json, "geometric mean", geometric);
    print_row(json, "worst case", worst);
}

int ztl_bench_ops_why(bool json)
{
    static const unsigned widths[WIDTHS] = {8, 16, 32};
    sums sum[WIDTHS] = {{.part = {0}}};
    double n = (double)ztl_ops_cases(ZTL_OPS_TABLE);
    for (unsigned k = 0; k < WIDTHS; k++)
        for (size_t i = 0; i < ztl_ops_cases(ZTL_OPS_TABLE); i++)
            if (!add_case(i, widths[k], &sum[k])) {
                fprintf(stderr, "ztl bench ops: case %zu cannot be planned\n", i);
                return ZTL_EXIT_FAILURE;
            }
    print_head(json);
    print_parts(json, sum, n);
    print_ratios(json, sum, n);
    if (json)
        printf("\n]}\n");
    return ZTL_EXIT_OK;
}
