/* SPDX-License-Identifier: Apache-2.0
 * Plans for few cycles: never longer on the busiest port or engine than those for few instructions,
 * now and then shorter, and with the same result. The cycles are reckoned here, instruction by
 * instruction, by the rules of doc/timing.md.
 */
#include <stdlib.h>
#include <string.h>

#include <ztl/ops.h>

#include "ops/format/plan.h"
#include "tests/unit.h"

static uint64_t up(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t busy_cycles(const ztl_ops_plan *plan)
{
    uint64_t load = 0, store = 0;
    const ops_pass *pass = ops_first_pass(plan);
    for (unsigned p = 0; p < plan->passes; p++, pass = ops_next_pass(pass))
        for (uint64_t run = 0; run < ops_runs(pass); run++)
            for (unsigned i = 0; i < pass->insns; i++) {
                unsigned code = ops_code_of(&ops_pass_insns(pass)[i]);
                if (code == OPS_LOAD)
                    load += larger(pass->slices, up(pass->slices * pass->load_width, 64));
                if (code == OPS_STORE)
                    store += larger(pass->slices, up(pass->slices * pass->store_width, 64));
            }
    ztl_ops_stats stats = ztl_ops_plan_stats(plan);
    uint64_t moves = 32 * (stats.insn[ZTL_OP_XPOSE] + stats.insn[ZTL_OP_PERMUTE]) +
                     16 * (stats.insn[ZTL_OP_CONCAT] + stats.insn[ZTL_OP_MERGE]);
    return larger(larger(load, store), moves);
}

/* How many cycles fewer a plan for cycles takes. */
static uint64_t gain(const ztl_ops_op *op, unsigned bits, unsigned rank, const int64_t *extent)
{
    ztl_ops_tensor in, out;
    ztl_error error;
    uint64_t cycles[2];
    uint8_t *result[2];
    assert_true(ztl_ops_dense(&in, bits, rank, extent));
    assert_int_equal(ztl_ops_infer(op, &in, 1, &out, 1, &error), 1);
    uint8_t *source = malloc(in.size);
    assert_non_null(source);
    for (uint64_t i = 0; i < in.size; i++)
        source[i] = (uint8_t)(i * 2654435761u >> 13);
    for (unsigned k = 0; k < 2; k++) {
        ztl_ops_machine machine = {.aim = k ? ZTL_OPS_FEW_CYCLES : ZTL_OPS_FEW_INSTRUCTIONS};
        ztl_ops_plan *plan = ztl_ops_plan_new(op, &in, 1, &out, 1, &machine, &error);
        assert_non_null(plan);
        result[k] = calloc(1, out.size);
        assert_non_null(result[k]);
        assert_true(
            ztl_ops_plan_run(plan, (const void *[]){source}, (void *[]){result[k]}, &error));
        cycles[k] = busy_cycles(plan);
        ztl_ops_plan_free(plan);
    }
    assert_memory_equal(result[0], result[1], out.size);
    assert_true(cycles[1] <= cycles[0]);
    free(source);
    free(result[0]);
    free(result[1]);
    return cycles[0] - cycles[1];
}

static void test_never_longer(void **context)
{
    (void)context;
    static const int64_t pads[] = {0, 0, 3, 3, 0, 0, 3, 3}, heads[] = {0, 2, 1, 3},
                         nhwc[] = {0, 2, 3, 1};
    uint64_t padded = 0;
    for (unsigned bits = 8; bits <= 32; bits *= 2) {
        ztl_ops_op op = ztl_ops_pad(pads, 8, ZTL_OPS_REFLECT, 0);
        padded += gain(&op, bits, 4, (int64_t[]){1, 3, 224, 224});
        op = ztl_ops_transpose(heads, 4);
        gain(&op, bits, 4, (int64_t[]){8, 49, 3, 32});
        op = ztl_ops_transpose(nhwc, 4);
        gain(&op, bits, 4, (int64_t[]){1, 3, 64, 64});
        gain(&op, bits, 4, (int64_t[]){3, 85, 40, 40});
    }
    assert_true(padded > 0);
}

static void test_unknown(void **context)
{
    (void)context;
    ztl_ops_tensor t;
    ztl_error error;
    ztl_ops_op op = {.kind = ZTL_OPS_IDENTITY};
    ztl_ops_machine machine = {.aim = (enum ztl_ops_aim)2};
    assert_true(ztl_ops_dense(&t, 8, 1, (int64_t[]){64}));
    assert_null(ztl_ops_plan_new(&op, &t, 1, &t, 1, &machine, &error));
    assert_string_equal(error.text, "unknown aim 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_never_longer),
        cmocka_unit_test(test_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
