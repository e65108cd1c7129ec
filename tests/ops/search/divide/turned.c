/* SPDX-License-Identifier: Apache-2.0
 * Reversed dimensions, turned in scratch memory: what they take, by hand, and what they move.
 */
#include "tests/ops/search/moved.h"

static int64_t solve(unsigned element, ops_piece piece, uint64_t scratch)
{
    return try_way(OPS_WAY_TURNED, &piece, element, scratch);
}

/* Rows of n pixels, each backwards, every k-th of them. */
static ops_piece mirror(int64_t rows, int64_t n, int64_t k, int64_t pixel, int64_t element)
{
    ops_piece piece = {.src = 0, .dst = OPS_OUT, .in = (n - 1) * k * pixel * element};
    ztl_ops_add_dim(&piece, rows, ((n - 1) * k + 1) * pixel * element, n * pixel * element);
    ztl_ops_add_dim(&piece, n, -k * pixel * element, pixel * element);
    ztl_ops_add_dim(&piece, pixel, element, element);
    ztl_ops_canonical_piece(&piece);
    return piece;
}

/* 225 rows of 225 pixels of 3 bytes: all of it backwards in blocks, 5 instructions for each KiB in
 * and out, then rows of 675 bytes, at least 149 registers loaded and stored. */
static void test_rows(void **state)
{
    (void)state;
    int64_t least = 149 * 5 + 2 * 149, bytes = ops_ceil(225 * 225 * 3, 64) * 64;
    ops_piece piece = mirror(225, 225, 1, 3, 1);
    assert_in_range(solve(1, piece, UINT64_MAX), least, least + least / 10);
    assert_in_range(draft.plan->scratch, bytes, 2 * bytes + 4096);
    assert_int_equal(solve(1, piece, (uint64_t)bytes - 1), NEVER);
    assert_int_equal(solve(1, piece, 0), NEVER);
}

/* Every third of 32 · 1024 elements, backwards: 3 loads, 2 CONCATs and a store for each KiB, then 5
 * instructions for it in blocks. */
static void test_picked(void **state)
{
    (void)state;
    int64_t least = 32 * (6 + 5);
    assert_in_range(solve(1, mirror(1, 32 * 1024, 3, 1, 1), UINT64_MAX), least, least + 16);
}

static void test_none(void **state)
{
    (void)state;
    assert_int_equal(solve(1, transpose(1, 2, EXTENTS(24, 361), ORDER(1, 0)), UINT64_MAX), NEVER);
    assert_int_equal(solve(1, mirror(1, 4096, 1, 1, 1), UINT64_MAX), NEVER); /* what it turns to */
    ops_piece again = mirror(20, 40, 3, 1, 1);
    ztl_ops_add_dim(&again, 2, 0, 20 * 40);
    assert_int_equal(solve(1, again, UINT64_MAX), NEVER);
}

static void test_random(void **state)
{
    (void)state;
    unsigned found = 0;
    for (unsigned i = 0; i < 150; i++) {
        unsigned element = 1u << below(3);
        int64_t rows = 1 + below(60), n = 3 + below(120);
        ops_piece piece = mirror(rows, n, 1 + below(4), 1 + below(3), element);
        found += solve(element, piece, UINT64_MAX) < NEVER;
    }
    assert_true(found > 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_picked),
                                       cmocka_unit_test(test_none), cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
