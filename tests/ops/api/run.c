/* SPDX-License-Identifier: Apache-2.0
 * Running plans: buffers that are missing or overlap, sizes that overflow, work without scratch
 * memory, honest counts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ops/planned.h"

static void refuse_run(const void *in, void *out, void *scratch, const char *words)
{
    ztl_error error = {""};
    assert_false(ztl_ops_run(plan, &in, &out, scratch, &error));
    if (!strstr(error.text, words))
        fail_msg("'%s' does not say '%s'", error.text, words);
    assert_false(ztl_ops_run(plan, &in, &out, scratch, NULL));
}

static void accept_run(const void *in, void *out, void *scratch)
{
    ztl_error error = {""};
    if (!ztl_ops_run(plan, &in, &out, scratch, &error))
        fail_msg("%s", error.text);
}

/* A transpose of 24 bytes in one array: side by side is right, a byte less is not. */
static void test_overlap(void **state)
{
    (void)state;
    uint8_t bytes[64], before[64];
    ztl_ops_tensor in, out;
    ztl_error error;
    ztl_ops_op op = {.kind = ZTL_OPS_TRANSPOSE};
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = before[i] = (uint8_t)i;
    assert_true(ztl_ops_dense(&in, 8, 2, (int64_t[]){4, 6}));
    assert_int_equal(ztl_ops_infer(&op, &in, 1, &out, 1, &error), 1);
    make(&op, &in, 1, &out, NULL);
    refuse_run(bytes, bytes, NULL, "input 0 and output 0 overlap by 24 bytes");
    refuse_run(bytes, bytes + 23, NULL, "overlap by 1 bytes");
    refuse_run(bytes + 23, bytes, NULL, "overlap by 1 bytes");
    refuse_run(NULL, bytes, NULL, "input 0 is missing");
    refuse_run(bytes, NULL, NULL, "output 0 is missing");
    refuse_run(bytes, (void *)(UINTPTR_MAX - 8), NULL, "leaves the address space");
    assert_memory_equal(bytes, before, sizeof bytes);
    accept_run(bytes, bytes + 24, NULL);
    assert_int_equal(bytes[24 + 1], 6);
    /* What counts is where the elements lie, backwards too. */
    in = (ztl_ops_tensor){
        .rank = 2, .bits = 8, .extent = {4, 6}, .stride = {-6, 1}, .offset = 18 + 24, .size = 48};
    make(&op, &in, 1, &out, NULL);
    refuse_run(bytes, bytes + 24, NULL, "overlap by 24 bytes");
    accept_run(bytes, bytes, NULL);
}

static void test_scratch_overlap(void **state)
{
    (void)state;
    enum { ROOM = 3 * 127 * 129 + (1 << 16) };
    ztl_ops_tensor in, out;
    ztl_error error;
    ztl_ops_op op = {.kind = ZTL_OPS_TRANSPOSE};
    assert_true(ztl_ops_dense(&in, 8, 2, (int64_t[]){127, 129}));
    assert_int_equal(ztl_ops_infer(&op, &in, 1, &out, 1, &error), 1);
    make(&op, &in, 1, &out, NULL);
    assert_true(ztl_ops_scratch_bytes(plan) > 0);
    uint8_t *bytes = calloc(1, ROOM + ztl_ops_scratch_bytes(plan));
    assert_non_null(bytes);
    refuse_run(bytes, bytes + in.size, NULL, "scratch memory is missing");
    refuse_run(bytes, bytes + in.size, bytes, "input 0 and scratch memory overlap");
    refuse_run(bytes, bytes + in.size, bytes + in.size, "output 0 and scratch memory overlap");
    accept_run(bytes, bytes + in.size, bytes + 2 * in.size);
    free(bytes);
}

/* Nothing is read or written, so nothing can be missing. */
static void test_empty(void **state)
{
    (void)state;
    ztl_ops_tensor in, out;
    ztl_error error;
    ztl_ops_op op = {.kind = ZTL_OPS_TRANSPOSE};
    assert_true(ztl_ops_dense(&in, 8, 2, (int64_t[]){0, 6}));
    assert_int_equal(ztl_ops_infer(&op, &in, 1, &out, 1, &error), 1);
    make(&op, &in, 1, &out, NULL);
    accept_run(NULL, NULL, NULL);
}

static void refuse_shape(ztl_ops_op op, const ztl_ops_tensor *in, const char *words)
{
    ztl_ops_tensor out[2];
    ztl_error error = {""};
    assert_int_equal(ztl_ops_infer(&op, in, 1, out, 2, &error), 0);
    if (!strstr(error.text, words))
        fail_msg("'%s' does not say '%s'", error.text, words);
}

static void test_sizes(void **state)
{
    (void)state;
    ztl_ops_tensor in, out;
    int64_t huge[] = {INT64_C(1) << 40, INT64_C(1) << 40}, deep[9] = {1};
    assert_false(ztl_ops_dense(&in, 8, 2, huge));
    assert_false(ztl_ops_dense(&in, 8, 9, deep));
    assert_false(ztl_ops_dense(&in, 7, 1, deep));
    assert_true(ztl_ops_dense(&in, 32, 2, (int64_t[]){3, 4}));
    refuse_shape((ztl_ops_op){.kind = ZTL_OPS_TILE, .repeats = {huge, 2}}, &in, "too large");
    refuse_shape((ztl_ops_op){.kind = ZTL_OPS_RESIZE, .scales = {huge, 2}}, &in, "too large");
    refuse_shape((ztl_ops_op){.kind = ZTL_OPS_RESHAPE, .shape = {huge, 2}}, &in, "too large");
    int64_t pads[] = {INT64_MAX, 0, INT64_MAX, 0};
    refuse_shape((ztl_ops_op){.kind = ZTL_OPS_PAD, .pads = {pads, 4}}, &in, "");
    out = in;
    out.rank = 9;
    ztl_ops_op op = {.kind = ZTL_OPS_TRANSPOSE};
    assert_int_equal(ztl_ops_plan_space(&op, &out, 1, &in, 1), 0);
}

/* Rows of 6 with a gap become rows of 4 with a gap: no cut agrees. */
static void test_reshape_without_scratch(void **state)
{
    (void)state;
    ztl_ops_tensor in = {.rank = 2, .bits = 16, .extent = {40, 6}, .stride = {20, 2}, .size = 800};
    ztl_ops_tensor out = {.rank = 2, .bits = 16, .extent = {60, 4}, .stride = {12, 2}, .size = 720};
    int64_t shape[] = {60, 4};
    ztl_ops_op op = {.kind = ZTL_OPS_RESHAPE, .shape = {shape, 2}};
    static const ztl_ops_machine none = {.no_scratch = true}, little = {.scratch_limit = 100},
                                 apart = {.disjoint_windows = true};
    uint16_t from[400], to[360];
    for (unsigned i = 0; i < 400; i++)
        from[i] = (uint16_t)(i * 7);
    make(&op, &in, 1, &out, NULL);
    assert_true(ztl_ops_scratch_bytes(plan) > 0);
    const ztl_ops_machine *machines[] = {&none, &little, &apart};
    for (unsigned m = 0; m < 3; m++) {
        make(&op, &in, 1, &out, machines[m]);
        assert_true(ztl_ops_scratch_bytes(plan) <= (m == 1 ? 100 : 0));
        memset(to, 0, sizeof to);
        uint8_t scratch[100];
        accept_run(from, to, scratch);
        for (unsigned k = 0; k < 240; k++)
            assert_int_equal(to[k / 4 * 6 + k % 4], from[k / 6 * 10 + k % 6]);
    }
}

static ztl_ops_stats where_stats(int64_t columns, unsigned bits)
{
    ztl_ops_tensor in[3], out;
    ztl_error error;
    ztl_ops_op op = {.kind = ZTL_OPS_WHERE};
    assert_true(ztl_ops_dense(&in[0], 8, 2, (int64_t[]){64, columns}));
    assert_true(ztl_ops_dense(&in[1], bits, 2, (int64_t[]){64, 8}));
    in[2] = in[1];
    assert_int_equal(ztl_ops_infer(&op, in, 3, &out, 1, &error), 1);
    make(&op, in, 3, &out, NULL);
    return ztl_ops_plan_stats(plan);
}

/* The condition is read by scalar code, every element of it; 32 make a mask, across rows too, and
 * a slice is as much as one of them selects. */
static void test_where_counts(void **state)
{
    (void)state;
    ztl_ops_stats each = where_stats(8, 32), rows = where_stats(1, 32);
    assert_int_equal(each.scalar_reads, 64 * 8);
    assert_int_equal(each.scalar, 0);
    assert_int_equal(each.insn[ZTL_OP_LOAD], 2); /* of 2 KiB */
    assert_int_equal(each.insn[ZTL_OP_MLOAD], 64 * 8 / 32);
    assert_int_equal(each.insn[ZTL_OP_MSTORE], 64 * 8 / 32);
    assert_int_equal(rows.scalar_reads, 64);
    assert_int_equal(rows.insn[ZTL_OP_LOAD], 2);
    assert_int_equal(rows.insn[ZTL_OP_MLOAD], 64 / 32);
    /* Half-bytes are selected one to a byte. */
    each = where_stats(8, 4);
    assert_int_equal(each.scalar_reads, 64 * 8);
    assert_int_equal(each.scalar, 0);
}

/* Of a row that is gathered several times the bound counts the bytes once. */
static void test_gather_bound(void **state)
{
    (void)state;
    ztl_ops_tensor in, out;
    ztl_error error;
    int64_t rows[] = {5, 900, -995, 3, 5, 700, 5, -100};
    ztl_ops_op op = {.kind = ZTL_OPS_GATHER, .indices = {rows, 8}};
    assert_true(ztl_ops_dense(&in, 8, 2, (int64_t[]){1000, 1024}));
    assert_int_equal(ztl_ops_infer(&op, &in, 1, &out, 1, &error), 1);
    make(&op, &in, 1, &out, NULL);
    assert_int_equal(ztl_ops_lower_bound(plan), 4 + 8);
    op.indices.count = 1;
    assert_int_equal(ztl_ops_infer(&op, &in, 1, &out, 1, &error), 1);
    make(&op, &in, 1, &out, NULL);
    assert_int_equal(ztl_ops_lower_bound(plan), 1 + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_scratch_overlap),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_reshape_without_scratch),
        cmocka_unit_test(test_where_counts),
        cmocka_unit_test(test_gather_bound),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
