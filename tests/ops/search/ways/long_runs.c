/* SPDX-License-Identifier: Apache-2.0
 * Chunks of long runs: what they cost, by hand, and what they move.
 */
#include "tests/ops/search/moved.h"

static int64_t solve(unsigned element, ops_piece piece)
{
    return try_way(OPS_WAY_LONG_RUNS, &piece, element, 0);
}

/* The run of the source goes on through both dimensions of 4 and 24: three chunks of 32 bytes, in
 * two batches, for each 32 of the 64 rows. A batch is 2 loads, 1 PERMUTE, 2 stores. */
static void test_through_dimensions(void **state)
{
    (void)state;
    assert_int_equal(solve(1, transpose(1, 3, EXTENTS(64, 4, 24), ORDER(2, 1, 0))), 3 * 5);
    assert_int_equal(solve(1, transpose(1, 3, EXTENTS(4, 24, 64), ORDER(2, 1, 0))), 3 * 5);
}

/* 100 elements are three chunks and one that overlaps; in each of 5 rows, tiles would overlap. */
static void test_overlap(void **state)
{
    (void)state;
    assert_int_equal(solve(1, transpose(1, 3, EXTENTS(64, 5, 32), ORDER(2, 1, 0))), 5 * 5);
}

static void test_none(void **state)
{
    (void)state;
    /* steps on the other side that are no multiples of 32; a run shorter than a chunk */
    assert_int_equal(solve(1, transpose(1, 3, EXTENTS(64, 7, 7), ORDER(2, 1, 0))), NEVER);
    assert_int_equal(solve(1, transpose(1, 2, EXTENTS(64, 24), ORDER(1, 0))), NEVER);
    /* a dimension that is repeated */
    ops_piece piece = transpose(1, 3, EXTENTS(64, 4, 24), ORDER(2, 1, 0));
    ztl_ops_add_dim(&piece, 3, 0, 64 * 96);
    ztl_ops_canonical_piece(&piece);
    assert_int_equal(solve(1, piece), NEVER);
}

static void test_random(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 100; i++) {
        const int64_t rows = 32 * (1 + below(3)), a = 4 * (1 + below(3)), b = 8 * (1 + below(6));
        const unsigned element = 1u << below(3);
        const bool back = below(2);
        int64_t taken =
            solve(element, back ? transpose(element, 3, EXTENTS(a, b, rows), ORDER(2, 1, 0))
                                : transpose(element, 3, EXTENTS(rows, a, b), ORDER(2, 1, 0)));
        assert_true(taken < NEVER);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_through_dimensions),
                                       cmocka_unit_test(test_overlap), cmocka_unit_test(test_none),
                                       cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
