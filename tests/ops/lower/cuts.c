/* SPDX-License-Identifier: Apache-2.0
 * Gathers of many rows: those of every size take little more than moving their bytes must, by the
 * count of the plan; and no run takes more than its plan says.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ztl/ops.h>

#include "tests/unit.h"

enum { LEAST = 64, MOST = 8192 };

static ztl_ops_plan *plan_rows(unsigned bits, int64_t rows, int64_t bytes, int64_t n)
{
    ztl_ops_op op = ztl_ops_gather(0, NULL, 0);
    ztl_ops_tensor in[2], out;
    ztl_error error = {""};
    assert_true(ztl_ops_dense(&in[0], bits, 2, (int64_t[]){rows, bytes * 8 / bits}));
    assert_true(ztl_ops_dense(&in[1], 64, 1, &n));
    assert_int_equal(ztl_ops_infer(&op, in, 2, &out, 1, &error), 1);
    ztl_ops_plan *plan = ztl_ops_plan_new(&op, in, 2, &out, 1, NULL, &error);
    if (!plan)
        fail_msg("%s", error.text);
    return plan;
}

/* 100 times the instructions of a plan for each that is needed. */
static uint64_t percent(const ztl_ops_plan *plan, int64_t bytes)
{
    ztl_ops_stats stats = ztl_ops_plan_stats(plan);
    uint64_t moved = (uint64_t)bytes, bound = 2 * ((moved + 1023) / 1024);
    assert_int_equal(ztl_ops_lower_bound(plan), bound);
    return 100 * ztl_ops_total(&stats) / bound;
}

static void check_size(unsigned bits, int64_t rows, int64_t bytes)
{
    enum { N = 1000000 };
    ztl_ops_plan *plan = plan_rows(bits, rows, bytes, N);
    uint64_t most = percent(plan, N * bytes);
    if (most > 110 || ztl_ops_plan_bytes(plan) > 4096)
        fail_msg("rows of %d bytes, elements of %u bits, table of %d: %d %%, %zu bytes", (int)bytes,
                 bits, (int)rows, (int)most, ztl_ops_plan_bytes(plan));
    ztl_ops_plan_free(plan);
}

/* Every size of a row, as elements of 1, 2 and 4 bytes; now and then from a table of few or of many
 * rows. */
static void test_every_size(void **state)
{
    (void)state;
    for (int64_t bytes = LEAST; bytes <= MOST; bytes += STEP) {
        for (unsigned bits = 8; bits <= 32 && bytes * 8 % bits == 0; bits *= 2)
            check_size(bits, 1000, bytes);
        if (bytes % 7 == 0) {
            check_size(8, 1, bytes);
            check_size(8, 1000000, bytes);
        }
    }
}

/* With fewer rows there are fewer to sort: still within 1.5 for ten thousand. */
static void test_fewer(void **state)
{
    (void)state;
    for (int64_t bytes = LEAST; bytes <= 2200; bytes += STEP) {
        ztl_ops_plan *plan = plan_rows(8, 50000, bytes, 10000);
        assert_true(percent(plan, 10000 * bytes) <= 150);
        ztl_ops_plan_free(plan);
    }
}

/* Rows of less than 32 bytes: 32 slices are what a load has. */
static void test_narrow(void **state)
{
    (void)state;
    for (int64_t bytes = 1; bytes < 64; bytes++) {
        ztl_ops_plan *plan = plan_rows(8, 1000, bytes, 1024000);
        ztl_ops_stats stats = ztl_ops_plan_stats(plan);
        int64_t together = bytes <= 32 ? 32 : 1024 / bytes;
        assert_int_equal(ztl_ops_total(&stats), 2 * ((1024000 + together - 1) / together));
        ztl_ops_plan_free(plan);
    }
}

/* The bytes of sizes that are cut in every way, with indices of all residues, one residue, and a
 * few; all bytes around them stay. */
static void test_bytes(void **state)
{
    (void)state;
    static const int64_t sizes[] = {67,  173,  257,  367,  521,  601, 677,
                                    683, 1025, 1031, 1361, 2049, 3073};
    enum { ROWS = 40, N = 4000, EDGE = 64 };
    unsigned random = 1;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (unsigned kind = 0; kind < 3; kind++) {
            size_t size = (size_t)sizes[s], all = N * size;
            uint8_t *table = malloc(ROWS * size), *target = malloc(all + 2 * EDGE);
            int64_t *index = malloc(N * sizeof *index);
            ztl_ops_plan *plan = plan_rows(8, ROWS, sizes[s], N);
            ztl_error error = {""};
            assert_true(table && target && index);
            for (size_t i = 0; i < ROWS * size; i++)
                table[i] = (uint8_t)((random = random * 1664525 + 1013904223) >> 24);
            for (int i = 0; i < N; i++) {
                random = random * 1664525 + 1013904223;
                index[i] = kind == 0   ? (int64_t)(random >> 8) % (2 * ROWS) - ROWS
                           : kind == 1 ? ROWS - 1
                                       : i % 3;
            }
            memset(target, 0xa5, all + 2 * EDGE);
            if (!ztl_ops_plan_run(plan, (const void *[]){table, index}, (void *[]){target + EDGE},
                                  &error))
                fail_msg("%s", error.text);
            for (int i = 0; i < N; i++) {
                size_t row = (size_t)(index[i] < 0 ? index[i] + ROWS : index[i]);
                assert_memory_equal(target + EDGE + (size_t)i * size, table + row * size, size);
            }
            for (int i = 0; i < EDGE; i++)
                assert_true(target[i] == 0xa5 && target[EDGE + all + (size_t)i] == 0xa5);
            ztl_ops_plan_free(plan);
            free(table);
            free(target);
            free(index);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_size),
        cmocka_unit_test(test_fewer),
        cmocka_unit_test(test_narrow),
        cmocka_unit_test(test_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
