/* SPDX-License-Identifier: Apache-2.0
 * Tiles across the ends of rows: what they cost, by hand, and what they move.
 */
#include "tests/ops/search/moved.h"

static int64_t solve(unsigned element, ops_piece piece)
{
    return try_way(OPS_WAY_ACROSS, &piece, element, 0);
}

/* Rows of 35 elements of 4 bytes: five chunks, each of another pattern, of five blocks of eight. A
 * batch is 8 loads, 12 PERMUTEs and 8 stores. */
static void test_patterns(void **state)
{
    (void)state;
    assert_int_equal(solve(4, transpose(4, 3, EXTENTS(40, 5, 7), ORDER(2, 1, 0))), 5 * 28);
    assert_int_equal(solve(4, transpose(4, 3, EXTENTS(7, 5, 40), ORDER(2, 1, 0))), 5 * 28);
    /* 32 tensors of an odd number of elements, of eight residues: four of each, so 20 tiles */
    assert_int_equal(solve(4, transpose(4, 4, EXTENTS(32, 40, 5, 7), ORDER(0, 3, 2, 1))),
                     5 * 5 * 28);
}

/* Rows at multiples of 16 bytes: two registers; of 8: four. The second chunk overlaps the first,
 * and has other residues. */
static void test_stages(void **state)
{
    (void)state;
    assert_int_equal(solve(4, transpose(4, 2, EXTENTS(64, 12), ORDER(1, 0))), 2 * 5);
    assert_int_equal(solve(4, transpose(4, 2, EXTENTS(64, 10), ORDER(1, 0))), 2 * 12);
}

static void test_none(void **state)
{
    (void)state;
    /* rows that are shorter than a chunk, with nothing to go on with but the other side's run */
    assert_int_equal(solve(4, transpose(4, 2, EXTENTS(64, 7), ORDER(1, 0))), NEVER);
    /* single bytes at odd places need five stages */
    assert_int_equal(solve(1, transpose(1, 2, EXTENTS(64, 33), ORDER(1, 0))), NEVER);
    ops_piece piece = transpose(4, 2, EXTENTS(64, 9), ORDER(1, 0));
    assert_true(solve(4, piece) < NEVER);
    piece.dim[0].out = 0;
    assert_int_equal(solve(4, piece), NEVER);
}

static void test_random(void **state)
{
    (void)state;
    assert_true(try_transposes(OPS_WAY_ACROSS, 1500, 0) > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_patterns),
                                       cmocka_unit_test(test_stages), cmocka_unit_test(test_none),
                                       cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
