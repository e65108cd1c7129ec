/* SPDX-License-Identifier: Apache-2.0
 * Short runs that are repeated: what that takes, by hand, and what it moves.
 */
#include "tests/ops/search/moved.h"

static int64_t solve(unsigned element, ops_piece piece, uint64_t scratch)
{
    return try_way(OPS_WAY_REPEATED, &piece, element, scratch);
}

/* `outer` runs, each repeated n times, one after the other. */
static ops_piece repeat(int64_t outer, int64_t n, int64_t run, int64_t element)
{
    ops_piece piece = {.src = 0, .dst = OPS_OUT};
    ztl_ops_add_dim(&piece, outer, run * element, n * run * element);
    ztl_ops_add_dim(&piece, n, 0, run * element);
    ztl_ops_add_dim(&piece, run, element, element);
    ztl_ops_canonical_piece(&piece);
    return piece;
}

/* One byte 60000 times: 58 stores of 1024 and one of the rest, whose loads are two; a KiB of it in
 * a few instructions. */
static void test_cost(void **state)
{
    (void)state;
    assert_in_range(solve(1, repeat(1, 60000, 1, 1), UINT64_MAX), 61, 80);
    assert_int_equal(solve(1, repeat(1, 60000, 1, 1), 0), NEVER);
    /* 341 times 3 bytes are stored at once, 30 times */
    assert_in_range(solve(1, repeat(1, 10000, 3, 1), UINT64_MAX), 31, 50);
}

static void test_none(void **state)
{
    (void)state;
    assert_int_equal(solve(1, repeat(1, 1, 1000, 1), UINT64_MAX), NEVER);
    assert_int_equal(solve(1, repeat(1, 50, 1024, 1), UINT64_MAX), NEVER); /* long runs */
    ops_piece apart = repeat(1, 1000, 3, 1); /* repetitions that do not touch */
    apart.dim[0].out = 4;
    assert_int_equal(solve(1, apart, UINT64_MAX), NEVER);
}

static void test_random(void **state)
{
    (void)state;
    unsigned found = 0;
    for (unsigned i = 0; i < 150; i++) {
        unsigned element = 1u << below(3);
        ops_piece piece = repeat(1 + below(9), 20 + below(500), 1 + below(9), element);
        if (below(3) == 0)
            ztl_ops_add_dim(&piece, 2, 0, 1 << 20);
        ztl_ops_canonical_piece(&piece);
        found += solve(element, piece, UINT64_MAX) < NEVER;
    }
    assert_true(found > 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cost), cmocka_unit_test(test_none),
                                       cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
