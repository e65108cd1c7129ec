/* SPDX-License-Identifier: Apache-2.0
 * Dimensions with room for more positions in scratch memory: what they take, by hand, and what they
 * move.
 */
#include "tests/ops/search/moved.h"

static int64_t solve(unsigned element, ops_piece piece, uint64_t scratch)
{
    return try_way(OPS_WAY_ROUNDED, &piece, element, scratch);
}

/* 13 rows of 1000 bytes: as many registers copied in, 13 KiB twice through 5 instructions for a
 * pair, and 13 registers copied out. */
static void test_cost(void **state)
{
    (void)state;
    int64_t least = 2 * 13 + 2 * ops_ceil(13, 2) * 5 + 2 * 13;
    ops_piece piece = transpose(1, 2, EXTENTS(13, 1000), ORDER(1, 0));
    assert_in_range(solve(1, piece, UINT64_MAX), least, least + 8);
    assert_int_equal(draft.plan->scratch, 3 * 13 * 1024);
    assert_true(solve(1, piece, 3 * 13 * 1024) < NEVER);
    assert_int_equal(solve(1, piece, 2 * 13 * 1024 - 1), NEVER);
    assert_int_equal(solve(1, piece, 0), NEVER);
}

static void test_none(void **state)
{
    (void)state;
    /* nothing to round, or far too much */
    assert_int_equal(solve(1, transpose(1, 2, EXTENTS(13, 1024), ORDER(1, 0)), UINT64_MAX), NEVER);
    assert_int_equal(solve(1, transpose(1, 2, EXTENTS(13, 400), ORDER(1, 0)), UINT64_MAX), NEVER);
}

/* A thousand pixels of 3 bytes, each twice. */
static void test_again(void **state)
{
    (void)state;
    ops_piece piece = {.src = 0, .dst = OPS_OUT};
    ztl_ops_add_dim(&piece, 1000, 3, 6);
    ztl_ops_add_dim(&piece, 2, 0, 3);
    ztl_ops_add_dim(&piece, 3, 1, 1);
    assert_in_range(solve(1, piece, UINT64_MAX), 2 * 3 + 5 * 9 / 2 + 2 * 6, 60);
    ops_piece back = {.src = 0, .dst = OPS_OUT, .in = 4}; /* pixels of 5, backwards */
    ztl_ops_add_dim(&back, 1000, 5, 5);
    ztl_ops_add_dim(&back, 5, -1, 1);
    assert_in_range(solve(1, back, UINT64_MAX), 4 * 5 + 5 * 5, 60);
}

static void test_random(void **state)
{
    (void)state;
    unsigned found = 0;
    for (unsigned i = 0; i < 100; i++) {
        unsigned element = 1u << below(3);
        int64_t n = 1024 / (element * element) - 1 - below(400 / (element * element));
        int64_t a = 1 + below(4), c = 3 + below(20);
        ops_piece piece = below(2) ? transpose(element, 3, EXTENTS(a, n, c), ORDER(2, 0, 1))
                                   : transpose(element, 3, EXTENTS(c, n, a), ORDER(1, 2, 0));
        found += solve(element, piece, UINT64_MAX) < NEVER;
    }
    assert_true(found > 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cost), cmocka_unit_test(test_none),
                                       cmocka_unit_test(test_again), cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
