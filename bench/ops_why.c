/* SPDX-License-Identifier: Apache-2.0
 * Where the instructions beyond the lower bound go: every instruction of every plan of the table is
 * put down to what made it necessary.
 */
#include "bench/ops_why.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/ops_cases.h"
#include "cli/command.h"
#include "ops/plan.h"

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
    double runs = pass->batches, slices = pass->tile_shape ? pass->tile_shape >> 16 : pass->slices;
    const ops_insn *insn = ops_pass_insns(pass);
    for (unsigned d = 0; d < pass->loops; d++)
        runs *= (double)pass->loop[d].n;
    for (uint32_t i = 0; i < pass->insns; i++) {
        enum ops_code code = ops_code_of(&insn[i]);
        c.load += code == OPS_LOAD ? runs : 0;
        c.store += code == OPS_STORE ? runs : 0;
        c.shuffle += runs * (code == OPS_PERMUTE   ? 1
                             : code == OPS_WEAVE   ? 7
                             : code == OPS_UNWEAVE ? 5
                                                   : 0);
    }
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
        part[BORDER] += 2 * pass->element + c.store - c.full_store;
        part[AGAIN] += c.full_store;
        return;
    }
    part[SCRATCH] += (reads ? 0 : c.load) + (writes ? 0 : c.store);
    part[AGAIN] += (reads ? c.full_load : 0) + (writes ? c.full_store : 0);
    part[NARROW] += (reads ? c.load - c.full_load : 0) + (writes ? c.store - c.full_store : 0);
    if (pass->kind == OPS_PASS_BITS) {
        double first = c.shuffle < c.load / 2 ? c.shuffle : c.load / 2;
        part[ROUND] += first;
        part[ROUNDS] += c.shuffle - first;
    } else {
        part[WEAVING] += c.shuffle;
    }
}

/* Adds a case's parts, each as a multiple of its bound. False when it cannot be planned. */
static bool add_case(size_t index, unsigned bits, double *sum)
{
    ztl_ops_case c;
    ztl_ops_error error;
    double part[PARTS] = {0};
    if (!ztl_ops_case_of(index, bits, &c))
        return false;
    size_t space = ztl_ops_plan_space(&c.text.op, c.in, c.inputs, &c.out, 1);
    ztl_ops_plan *plan = malloc(space);
    bool good =
        plan && ztl_ops_make(&c.text.op, c.in, c.inputs, &c.out, 1, NULL, plan, space, &error);
    if (good) {
        double bound = (double)ztl_ops_lower_bound(plan);
        const ops_pass *pass = ops_first_pass(plan);
        for (uint32_t i = 0; i < plan->passes; i++, pass = ops_next_pass(pass))
            add_pass(pass, part);
        part[AGAIN] -= bound;
        for (unsigned p = 0; p < PARTS; p++)
            sum[p] += part[p] / bound;
    }
    free(plan);
    ztl_op_free(&c.text);
    return good;
}

int ztl_bench_ops_why(void)
{
    static const unsigned widths[] = {8, 16, 32};
    double sum[3][PARTS] = {{0}}, n = (double)ztl_ops_cases(), all[3] = {1, 1, 1};
    for (unsigned k = 0; k < 3; k++)
        for (size_t i = 0; i < ztl_ops_cases(); i++)
            if (!add_case(i, widths[k], sum[k])) {
                fprintf(stderr, "ztl bench ops: case %zu cannot be planned\n", i);
                return ZTL_EXIT_FAILURE;
            }
    printf("%-52s %6s %6s %6s\n", "Ztl instructions for each of the bound", "int8", "fp16", "fp32");
    printf("%-52s %6.3f %6.3f %6.3f\n", "the bound itself", 1.0, 1.0, 1.0);
    for (unsigned p = 0; p < PARTS; p++) {
        printf("%-52s %6.3f %6.3f %6.3f\n", names[p], sum[0][p] / n, sum[1][p] / n, sum[2][p] / n);
        for (unsigned k = 0; k < 3; k++)
            all[k] += sum[k][p] / n;
    }
    printf("%-52s %6.3f %6.3f %6.3f\n", "arithmetic mean of the ratios", all[0], all[1], all[2]);
    return ZTL_EXIT_OK;
}
