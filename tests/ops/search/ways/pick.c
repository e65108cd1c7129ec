/* SPDX-License-Identifier: Apache-2.0
 * Every k-th element: what it costs, by hand, and what it moves.
 */
#include "tests/ops/search/moved.h"

/* Rows of n, of which every k-th is taken. */
static int64_t pick(unsigned element, int64_t rows, int64_t n, int64_t k)
{
    ops_piece piece = {.src = 0, .dst = OPS_OUT};
    if (rows > 1)
        ztl_ops_add_dim(&piece, rows, n * k * element, n * element);
    ztl_ops_add_dim(&piece, n, k * element, element);
    return try_way(OPS_WAY_PICK, &piece, element, 0);
}

/* k loads, k - 1 CONCATs and a store for a register of the target; the last 32 elements by
 * themselves. */
static void test_cost(void **state)
{
    (void)state;
    assert_int_equal(pick(1, 1, 1024 + 32, 3), 2 * 6);
    assert_int_equal(pick(2, 1, 1024 + 32, 3), 3 * 6);
    assert_int_equal(pick(4, 1, 512 + 32, 8), 3 * 16);
    assert_int_equal(pick(1, 1, 33, 2), 2 * 4);
}

static void test_none(void **state)
{
    (void)state;
    assert_int_equal(pick(1, 1, 32, 3), NEVER);
    assert_int_equal(pick(1, 1, 1000, 1), NEVER);
    assert_int_equal(pick(1, 1, 1000, 9), NEVER);
    ops_piece apart = {.src = 0, .dst = OPS_OUT};
    ztl_ops_add_dim(&apart, 1000, 6, 4); /* of 4 bytes: not at whole elements */
    assert_int_equal(try_way(OPS_WAY_PICK, &apart, 4, 0), NEVER);
}

static void test_random(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 300; i++)
        assert_true(pick(1u << below(4), 1 + below(9), 33 + below(300), 2 + below(7)) < NEVER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cost), cmocka_unit_test(test_none),
                                       cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
