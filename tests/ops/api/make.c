/* SPDX-License-Identifier: Apache-2.0
 * Plans: their counts against the least possible, and the errors of wrong arguments.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/cases/cases.h"
#include "ops/format/plan.h"
#include "tests/ops/planned.h"

/* What is counted here. */
static const ztl_ops_machine few_instructions = {.aim = ZTL_OPS_FEW_INSTRUCTIONS};

/* One half-byte may be left at the end. */
static double ratio(unsigned bits)
{
    ztl_ops_stats stats = ztl_ops_plan_stats(plan);
    assert_true(stats.scalar <= (bits == 4 ? 1 : 0));
    return (double)ztl_ops_total(&stats) / (double)ztl_ops_lower_bound(plan);
}

/* Planning ends after so many steps, whatever the shape: each takes some 10 ns. A piece, the passes
 * it is divided into and theirs have OPS_MOST_EFFORT each, in every plan that is compared. */
enum { MOST_STEPS = 5000000 };

/* The groups of the benchmark: geometric mean and worst case for each element. */
typedef struct bound {
    enum ztl_ops_group group;
    unsigned bits;
    double mean, worst;
} bound;

static double plan_case(const bound *b, size_t index)
{
    ztl_ops_case c;
    ztl_error error = {""};
    assert_true(ztl_ops_case_of(b->group, index, b->bits, &c));
    if (!ztl_ops_make(&c.text.op, c.in, c.inputs, c.out, c.outputs, &few_instructions, plan, SPACE,
                      &error))
        fail_msg("%s: %s", c.name, error.text);
    assert_true(plan->effort < (b->group == ZTL_OPS_TABLE ? MOST_STEPS / 40 : MOST_STEPS));
    double r = ratio(b->bits);
    if (r > b->worst || r < 1)
        fail_msg("%s at %u bits: ratio %.2f", c.name, b->bits, r);
    ztl_op_free(&c.text);
    return r;
}

static void test_groups(void **state)
{
    (void)state;
    static const bound bounds[] = {
        {ZTL_OPS_TABLE, 8, 1.38, 4.0},    {ZTL_OPS_TABLE, 16, 1.30, 3.1},
        {ZTL_OPS_TABLE, 32, 1.23, 2.2},   {ZTL_OPS_EVERYDAY, 8, 2.9, 6.0},
        {ZTL_OPS_EVERYDAY, 16, 2.4, 5.0}, {ZTL_OPS_EVERYDAY, 32, 2.1, 4.2},
        {ZTL_OPS_RANDOM, 8, 2.4, 7.0},    {ZTL_OPS_RANDOM, 16, 2.0, 4.5},
        {ZTL_OPS_RANDOM, 32, 1.55, 3.5},
    };
    for (size_t k = 0; k < sizeof bounds / sizeof bounds[0]; k++) {
        double sum = 0, count = (double)ztl_ops_cases(bounds[k].group);
        for (size_t i = 0; i < ztl_ops_cases(bounds[k].group); i++)
            sum += log(plan_case(&bounds[k], i));
        print_message("%s, %u bits: geometric mean %.3f\n", ztl_ops_group_name(bounds[k].group),
                      bounds[k].bits, exp(sum / count));
        assert_true(exp(sum / count) <= bounds[k].mean);
    }
}

static uint32_t random_number(uint32_t *state, uint32_t range)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state % range;
}

/* A transpose of at least 64 KiB, rank 2 to 5, extents 1 to 300. */
static void random_transpose(uint32_t *seed, unsigned bits, ztl_ops_tensor *in, int64_t *perm)
{
    int64_t extent[5];
    unsigned rank;
    uint64_t bytes;
    do {
        rank = 2 + random_number(seed, 4);
        for (unsigned d = 0; d < rank; d++)
            extent[d] = 1 + random_number(seed, 300);
        assert_true(ztl_ops_dense(in, bits, rank, extent));
        bytes = in->size;
    } while (bytes < 64 << 10 || bytes > 64 << 20);
    for (unsigned d = 0; d < rank; d++)
        perm[d] = d;
    for (unsigned d = rank; d-- > 1;) {
        unsigned k = random_number(seed, d + 1);
        int64_t swap = perm[d];
        perm[d] = perm[k];
        perm[k] = swap;
    }
}

static double mean_of_transposes(unsigned bits, unsigned count)
{
    uint32_t seed = 2463534242u + bits;
    double sum = 0;
    for (unsigned i = 0; i < count; i++) {
        ztl_ops_tensor in, out;
        ztl_error error = {""};
        int64_t perm[5];
        random_transpose(&seed, bits, &in, perm);
        ztl_ops_op op = {.kind = ZTL_OPS_TRANSPOSE, .perm = {perm, in.rank}};
        assert_int_equal(ztl_ops_infer(&op, &in, 1, &out, 1, &error), 1);
        make(&op, &in, 1, &out, &few_instructions);
        assert_true(plan->effort < MOST_STEPS);
        sum += log(ratio(bits));
    }
    return exp(sum / count);
}

/* Shapes that are in no table. */
static void test_random_transposes(void **state)
{
    (void)state;
    double narrow = mean_of_transposes(8, TRANSPOSES), wide = mean_of_transposes(32, TRANSPOSES);
    print_message("random transposes: int8 %.3f, fp32 %.3f\n", narrow, wide);
    assert_true(narrow < 2.8);
    assert_true(wide < 2.0);
}

/* Plans `op` for dense inputs of the given extents. */
static double ratio_of(const ztl_ops_op *op, unsigned bits, unsigned rank, size_t inputs,
                       const int64_t (*extent)[4])
{
    ztl_ops_tensor in[4], out;
    ztl_error error = {""};
    for (size_t i = 0; i < inputs; i++)
        assert_true(ztl_ops_dense(&in[i], bits, rank, extent[i]));
    if (ztl_ops_infer(op, in, inputs, &out, 1, &error) != 1 ||
        !ztl_ops_make(op, in, inputs, &out, 1, &few_instructions, plan, SPACE, &error))
        fail_msg("%s", error.text);
    return ratio(bits);
}

/* Each way where nothing else would do nearly as well; no shape is in the table. */
static void test_ways(void **state)
{
    (void)state;
    int64_t last[] = {2}, other[] = {1, 2}, swap[] = {1, 0}, heads[] = {0, 2, 1, 3};
    int64_t kernel[] = {5, 5}, pads[] = {2, 2, 2, 2}, starts[] = {0, 0}, ends[] = {600, 140};
    const double twice[] = {1, 2, 2};
    ztl_ops_op op = {.kind = ZTL_OPS_FLIP, .axes = {last, 1}};
    assert_true(ratio_of(&op, 8, 3, 1, &(const int64_t[4]){5, 96, 224}) < 2.6);
    op = (ztl_ops_op){.kind = ZTL_OPS_TRANSPOSE, .perm = {swap, 2}};
    assert_true(ratio_of(&op, 8, 2, 1, &(const int64_t[4]){640, 23}) < 2.8);
    assert_true(ratio_of(&op, 8, 2, 1, &(const int64_t[4]){23, 640}) < 2.8);
    assert_true(ratio_of(&op, 32, 2, 1, &(const int64_t[4]){5000, 3}) < 1.9);
    op = (ztl_ops_op){.kind = ZTL_OPS_RESIZE, .scales = {twice, 3}};
    assert_true(ratio_of(&op, 8, 3, 1, &(const int64_t[4]){60, 40, 20}) < 1.6);
    op = (ztl_ops_op){
        .kind = ZTL_OPS_SLICE, .starts = {starts, 2}, .ends = {ends, 2}, .steps = {other, 2}};
    assert_true(ratio_of(&op, 8, 2, 1, &(const int64_t[4]){600, 140}) < 3.5);
    op = (ztl_ops_op){.kind = ZTL_OPS_CONCAT, .axis = 1};
    const int64_t parts[][4] = {{3000, 2}, {3000, 2}, {3000, 45}};
    assert_true(ratio_of(&op, 8, 2, 3, parts) < 2.2);
    op = (ztl_ops_op){.kind = ZTL_OPS_IM2COL, .kernel = {kernel, 2}, .pads = {pads, 4}};
    assert_true(ratio_of(&op, 16, 4, 1, &(const int64_t[4]){1, 16, 40, 40}) < 1.5);
    op = (ztl_ops_op){.kind = ZTL_OPS_TRANSPOSE, .perm = {heads, 4}};
    assert_true(ratio_of(&op, 8, 4, 1, &(const int64_t[4]){4, 49, 9, 32}) < 1.05);
    assert_true(ztl_ops_plan_stats(plan).csr < 200);
}

/* Half-bytes are moved in blocks, at most as badly as bytes, which are twice as many: 5
 * instructions to unpack a KiB, 5 to pack one. */
static void test_half_bytes(void **state)
{
    (void)state;
    double mean = mean_of_transposes(4, TRANSPOSES / 5);
    print_message("random transposes: int4 %.3f\n", mean);
    assert_true(mean < 2 * 2.8 + 5);
}

/* Plans for a dense matrix of half-bytes and a machine without scratch memory. */
static double direct_ratio(const ztl_ops_op *op, const int64_t *extent, uint64_t singles)
{
    ztl_ops_tensor in, out;
    ztl_error error = {""};
    ztl_ops_machine none = {.no_scratch = true, .aim = ZTL_OPS_FEW_INSTRUCTIONS};
    assert_true(ztl_ops_dense(&in, 4, 2, extent));
    if (ztl_ops_infer(op, &in, 1, &out, 1, &error) != 1 ||
        !ztl_ops_make(op, &in, 1, &out, 1, &none, plan, SPACE, &error))
        fail_msg("%s", error.text);
    ztl_ops_stats stats = ztl_ops_plan_stats(plan);
    assert_int_equal(stats.scalar, singles);
    return (double)ztl_ops_total(&stats) / (double)ztl_ops_lower_bound(plan);
}

/* Squares in registers, which take less than unpacking too; runs shifted by half a byte; and of odd
 * rows only the ends are single. */
static void test_direct_half_bytes(void **state)
{
    (void)state;
    int64_t swap[] = {1, 0}, shift[] = {3}, axis[] = {1}, starts[] = {0, 1}, ends[] = {64, 301};
    ztl_ops_op op = {.kind = ZTL_OPS_TRANSPOSE, .perm = {swap, 2}};
    assert_true(ratio_of(&op, 4, 2, 1, &(const int64_t[4]){256, 640}) == 1.25);
    assert_int_equal(ztl_ops_scratch_bytes(plan), 0);
    assert_true(direct_ratio(&op, (int64_t[]){256, 640}, 0) == 1.25);
    assert_true(direct_ratio(&op, (int64_t[]){96, 1120}, 0) < 3.1);
    assert_true(direct_ratio(&op, (int64_t[]){250, 642}, 0) < 50);
    op = (ztl_ops_op){.kind = ZTL_OPS_ROLL, .shift = {shift, 1}, .axes = {axis, 1}};
    assert_true(direct_ratio(&op, (int64_t[]){64, 2048}, 2 * 64) < 3);
    op = (ztl_ops_op){.kind = ZTL_OPS_SLICE, .starts = {starts, 2}, .ends = {ends, 2}};
    assert_true(direct_ratio(&op, (int64_t[]){64, 301}, 0) < 9);
    ends[1] = 300;
    assert_true(direct_ratio(&op, (int64_t[]){64, 300}, 64) < 16);
}

/* Constants of two different words are stored like others: in whole registers. */
static void test_wide_constant(void **state)
{
    (void)state;
    ztl_ops_tensor in, out;
    ztl_error error = {""};
    ztl_ops_op op = {.kind = ZTL_OPS_FILL, .value = 1, .wide = {2}};
    assert_true(ztl_ops_dense(&in, 128, 2, (int64_t[]){40, 64}));
    assert_int_equal(ztl_ops_infer(&op, &in, 1, &out, 1, &error), 1);
    make(&op, &in, 1, &out, NULL);
    ztl_ops_stats stats = ztl_ops_plan_stats(plan);
    assert_int_equal(stats.insn[ZTL_OP_STORE], 40);
    assert_int_equal(stats.insn[ZTL_OP_ADDI], 16);
}

static void refuse(const ztl_ops_op *op, const ztl_ops_tensor *in, const ztl_ops_tensor *out,
                   const char *words)
{
    ztl_error error = {""};
    assert_false(ztl_ops_make(op, in, 1, out, 1, &few_instructions, plan, SPACE, &error));
    if (!strstr(error.text, words))
        fail_msg("'%s' does not say '%s'", error.text, words);
}

static void test_arguments(void **state)
{
    (void)state;
    ztl_ops_tensor good, bad, out;
    int64_t perm[] = {1, 0}, twice[] = {1, 1}, one[] = {0};
    ztl_ops_op op = {.kind = ZTL_OPS_TRANSPOSE, .perm = {perm, 2}};
    ztl_error error;
    assert_true(ztl_ops_dense(&good, 8, 2, (int64_t[]){3, 4}));
    assert_int_equal(ztl_ops_infer(&op, &good, 1, &out, 1, &error), 1);
    bad = good;
    bad.rank = 9;
    refuse(&op, &bad, &out, "rank 9");
    bad = good;
    bad.bits = 12;
    refuse(&op, &bad, &out, "12 bits");
    bad = good;
    bad.size = 11;
    refuse(&op, &bad, &out, "leave the buffer");
    bad = good;
    bad.stride[0] = -4;
    refuse(&op, &bad, &out, "leave the buffer");
    bad = good;
    bad.stride[1] = INT64_MAX / 2;
    refuse(&op, &bad, &out, "leave the buffer");
    bad = good;
    bad.extent[0] = bad.extent[1] = INT64_C(1) << 40;
    refuse(&op, &bad, &out, "too many elements");
    bad = out;
    bad.stride[0] = 1;
    refuse(&op, &good, &bad, "overlap");
    bad = out;
    bad.extent[0] = 3;
    refuse(&op, &good, &bad, "must have 4");
    op.perm = (ztl_ops_list){twice, 2};
    refuse(&op, &good, &out, "twice");
    op.perm = (ztl_ops_list){one, 1};
    refuse(&op, &good, &out, "perm has 1 values");
    op = (ztl_ops_op){.kind = ZTL_OPS_CONCAT, .axis = 2};
    refuse(&op, &good, &out, "axis 2");
    op = (ztl_ops_op){.kind = ZTL_OPS_KINDS};
    refuse(&op, &good, &out, "unknown operator");
}

/* What the outputs are by ONNX. */
static void test_outputs(void **state)
{
    (void)state;
    ztl_ops_tensor in, out[4];
    ztl_error error;
    ztl_ops_op split = {.kind = ZTL_OPS_SPLIT, .axis = 1, .num_outputs = 3};
    assert_true(ztl_ops_dense(&in, 128, 2, (int64_t[]){2, 7}));
    assert_int_equal(in.size, 2 * 7 * 16);
    assert_int_equal(ztl_ops_infer(&split, &in, 1, out, 4, &error), 3);
    assert_int_equal(out[0].extent[1], 3);
    assert_int_equal(out[1].extent[1], 3);
    assert_int_equal(out[2].extent[1], 1);
    split.num_outputs = 5;
    assert_int_equal(ztl_ops_infer(&split, &in, 1, out, 4, &error), 0);
    assert_string_equal(error.text, "7 positions cannot be split into 5 equal parts and a smaller "
                                    "one");
    int64_t index[] = {6, -1, 0, 3}, shape[] = {2, 1, 2};
    ztl_ops_op gather = {.kind = ZTL_OPS_GATHER, .axis = -1, .indices = {index, 4}};
    assert_int_equal(ztl_ops_infer(&gather, &in, 1, out, 4, &error), 1);
    assert_int_equal(out->rank, 2);
    gather.has_indices_shape = true;
    assert_int_equal(ztl_ops_infer(&gather, &in, 1, out, 4, &error), 0);
    assert_string_equal(error.text, "there are 4 indices, their shape has 1");
    gather.indices_shape = (ztl_ops_list){shape, 3};
    assert_int_equal(ztl_ops_infer(&gather, &in, 1, out, 4, &error), 1);
    assert_int_equal(out->rank, 4);
    assert_int_equal(out->extent[1] * out->extent[2] * out->extent[3], 4);
    gather.indices_shape.count = 0;
    gather.indices.count = 1;
    assert_int_equal(ztl_ops_infer(&gather, &in, 1, out, 4, &error), 1);
    assert_int_equal(out->rank, 1);
    ztl_ops_op roll = {.kind = ZTL_OPS_ROLL, .shift = {shape, 1}};
    assert_int_equal(ztl_ops_infer(&roll, &in, 1, out, 4, &error), 1);
    assert_int_equal(out->extent[1], 7);
}

/* Too little memory is an error, never a write outside it. */
static void test_small_memory(void **state)
{
    (void)state;
    ztl_ops_tensor in, out;
    ztl_error error;
    ztl_ops_op op = {.kind = ZTL_OPS_TRANSPOSE};
    assert_true(ztl_ops_dense(&in, 8, 2, (int64_t[]){127, 129}));
    assert_int_equal(ztl_ops_infer(&op, &in, 1, &out, 1, &error), 1);
    for (size_t space = 0; space < 40000; space += 1000) {
        void *small = malloc(space + 1);
        assert_non_null(small);
        if (!ztl_ops_make(&op, &in, 1, &out, 1, &few_instructions, small, space, &error))
            assert_non_null(strstr(error.text, "memory"));
        free(small);
    }
}

/* Without scratch memory the plan uses none, and takes more instructions. */
static void test_scratch(void **state)
{
    (void)state;
    ztl_ops_tensor in, out;
    ztl_error error;
    ztl_ops_op op = {.kind = ZTL_OPS_TRANSPOSE};
    ztl_ops_machine none = {.no_scratch = true, .aim = ZTL_OPS_FEW_INSTRUCTIONS},
                    disjoint = {.disjoint_windows = true};
    assert_true(ztl_ops_dense(&in, 8, 2, (int64_t[]){127, 129}));
    assert_int_equal(ztl_ops_infer(&op, &in, 1, &out, 1, &error), 1);
    make(&op, &in, 1, &out, NULL);
    assert_true(ztl_ops_scratch_bytes(plan) > 0);
    double with = ratio(8);
    make(&op, &in, 1, &out, &none);
    assert_int_equal(ztl_ops_scratch_bytes(plan), 0);
    assert_true(ratio(8) > with);
    make(&op, &in, 1, &out, &disjoint);
    assert_int_equal(ztl_ops_scratch_bytes(plan), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_random_transposes),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_small_memory),
        cmocka_unit_test(test_scratch),
        cmocka_unit_test(test_half_bytes),
        cmocka_unit_test(test_direct_half_bytes),
        cmocka_unit_test(test_wide_constant),
        cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_ways),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
