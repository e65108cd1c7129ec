/* SPDX-License-Identifier: Apache-2.0
 * Rows padded in scratch memory: what they take, by hand, and what they move.
 */
#include "tests/ops/search/moved.h"

static int64_t solve(unsigned element, ops_piece piece, uint64_t scratch)
{
    return try_way(OPS_WAY_PADDED, &piece, element, scratch);
}

/* 24 rows of 361 bytes: 32 of 384, twice. 12 tiles, two in a batch of 5; and nine registers at
 * least are copied in and out. */
static void test_cost(void **state)
{
    (void)state;
    ops_piece piece = transpose(1, 2, EXTENTS(24, 361), ORDER(1, 0));
    int64_t least = 6 * 5 + 4 * 9;
    assert_in_range(solve(1, piece, UINT64_MAX), least, 2 * least);
    assert_int_equal(draft.plan->stats.insn[ZTL_OP_PERMUTE], 6);
    assert_int_equal(draft.plan->scratch, 2 * 32 * 384);
    assert_true(solve(1, piece, 2 * 32 * 384) < NEVER);
    assert_int_equal(solve(1, piece, 2 * 32 * 384 - 1), NEVER);
    assert_int_equal(solve(1, piece, 0), NEVER);
}

static void test_none(void **state)
{
    (void)state;
    /* more padding than four times the tensor */
    assert_int_equal(solve(1, transpose(1, 2, EXTENTS(9, 9), ORDER(1, 0)), UINT64_MAX), NEVER);
    /* a run that both sides have */
    ops_piece rows = transpose(1, 3, EXTENTS(30, 40, 33), ORDER(1, 0, 2));
    assert_int_equal(solve(1, rows, UINT64_MAX), NEVER);
    ops_piece again = transpose(1, 2, EXTENTS(24, 361), ORDER(1, 0));
    ztl_ops_add_dim(&again, 2, 0, 24 * 361);
    assert_int_equal(solve(1, again, UINT64_MAX), NEVER);
}

/* Runs backwards lie at the end of their padding. */
static void test_backwards(void **state)
{
    (void)state;
    ops_piece piece = {.src = 0, .dst = OPS_OUT, .in = 1060};
    ztl_ops_add_dim(&piece, 7, 1061, 1061);
    ztl_ops_add_dim(&piece, 1061, -1, 1);
    assert_true(solve(1, piece, UINT64_MAX) < NEVER);
}

static void test_random(void **state)
{
    (void)state;
    unsigned found = 0;
    for (unsigned i = 0; i < 150; i++) {
        unsigned element = 1u << below(3);
        int64_t a = 1 + below(5), b = 3 + below(120), c = 3 + below(120);
        ops_piece piece = below(2) ? transpose(element, 3, EXTENTS(a, b, c), ORDER(0, 2, 1))
                                   : transpose(element, 3, EXTENTS(b, a, c), ORDER(2, 1, 0));
        found += solve(element, piece, UINT64_MAX) < NEVER;
    }
    assert_true(found > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cost), cmocka_unit_test(test_none),
                                       cmocka_unit_test(test_backwards),
                                       cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
