/* SPDX-License-Identifier: Apache-2.0
 * A dimension cut in two: it costs what its parts cost.
 */
#include "tests/ops/search/moved.h"

static int64_t solve(ops_piece piece)
{
    return try_way(OPS_WAY_CUT, &piece, 1, 0);
}

/* Of 100 rows 96 are six tiles. The pitch of the target is a multiple of 4 only, so that eight
 * registers hold them: 8 loads, 12 PERMUTEs, 8 stores. 4 rows are left: 256 single bytes are 8
 * batches of 2, and there may be something better. */
static void test_rows(void **state)
{
    (void)state;
    int64_t taken = solve(transpose(1, 2, EXTENTS(100, 64), ORDER(1, 0)));
    assert_in_range(taken, 28 + 2, 28 + 2 * 8);
}

/* Nothing is left beyond a multiple of 128, so there is nothing to cut off; nor of three rows. */
static void test_none(void **state)
{
    (void)state;
    assert_int_equal(solve(transpose(1, 2, EXTENTS(128, 128), ORDER(1, 0))), NEVER);
    assert_int_equal(solve(transpose(1, 2, EXTENTS(3, 2), ORDER(1, 0))), NEVER);
}

static void test_random(void **state)
{
    (void)state;
    unsigned found = 0;
    for (unsigned i = 0; i < 100; i++)
        found +=
            solve(transpose(1, 2, EXTENTS(1 + below(150), 1 + below(150)), ORDER(1, 0))) < NEVER;
    assert_true(found > 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_none),
                                       cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
