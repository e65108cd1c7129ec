/* SPDX-License-Identifier: Apache-2.0
 * Chunks of long runs: what they cost, by hand, and what they move.
 */
#include "tests/ops/search/moved.h"

static int64_t solve(unsigned element, ops_piece piece)
{
    return try_way(OPS_WAY_LONG_RUNS, &piece, element, 0);
}

/* 96 bytes of a run that goes on through two dimensions: three chunks of 64 neighbours. */
static void test_source(void **state)
{
    (void)state;
    assert_int_equal(solve(1, transpose(1, 3, EXTENTS(64, 8, 12), ORDER(2, 1, 0))), 3 * 5);
    assert_int_equal(solve(1, transpose(1, 3, EXTENTS(128, 8, 12), ORDER(2, 1, 0))), 2 * 3 * 5);
}

static void test_target(void **state)
{
    (void)state;
    assert_int_equal(solve(1, transpose(1, 3, EXTENTS(12, 8, 64), ORDER(2, 1, 0))), 3 * 5);
    /* 80 elements in blocks of 32: the last one overlaps */
    assert_int_equal(solve(2, transpose(2, 3, EXTENTS(16, 6, 80), ORDER(2, 1, 0))), 3 * 3 * 5);
}

/* Eight neighbours of four bytes: four chunks in a register, and pairs of the outer dimension. */
static void test_few_neighbours(void **state)
{
    (void)state;
    assert_int_equal(solve(4, transpose(4, 4, EXTENTS(4, 8, 196, 12), ORDER(0, 3, 2, 1))),
                     4 / 2 * (196 * 12 / 32 + 1) * 5);
    assert_int_equal(solve(4, transpose(4, 4, EXTENTS(3, 8, 16, 12), ORDER(0, 3, 2, 1))),
                     3 * 16 * 12 / 32 * 3); /* pairs of three would be 2 * 5 for 3 * 3 */
    /* nothing outside: one register */
    assert_int_equal(solve(4, transpose(4, 3, EXTENTS(8, 10, 12), ORDER(2, 1, 0))), 4 * 3);
}

/* Both runs go on: 8 by 12 elements of the source, 3 by 32 of the target. */
static void test_both(void **state)
{
    (void)state;
    assert_int_equal(solve(4, transpose(4, 5, EXTENTS(32, 2, 3, 8, 12), ORDER(4, 3, 1, 2, 0))),
                     96 * 2 * 96 * 4 / 2048 * 5);
}

static void test_none(void **state)
{
    (void)state;
    ops_piece piece = transpose(4, 3, EXTENTS(8, 8, 12), ORDER(2, 1, 0));
    assert_true(solve(4, piece) < NEVER);
    piece.dim[piece.rank - 1].in += 4; /* rows that are no multiple of 32 bytes */
    assert_int_equal(solve(4, piece), NEVER);
    piece = transpose(4, 3, EXTENTS(7, 8, 12), ORDER(2, 1, 0)); /* too few neighbours */
    assert_int_equal(solve(4, piece), NEVER);
    piece = transpose(4, 3, EXTENTS(8, 8, 12), ORDER(2, 1, 0));
    piece.dim[0].in = 0; /* the same elements again */
    assert_int_equal(solve(4, piece), NEVER);
    piece = transpose(4, 3, EXTENTS(8, 8, 12), ORDER(2, 1, 0));
    piece.dim[0].out = (int64_t)1 << 40; /* out of reach */
    assert_int_equal(solve(4, piece), NEVER);
}

/* Any extents in any order, with a gap after some rows; many have the form. */
static void test_random(void **state)
{
    (void)state;
    unsigned found = 0;
    for (unsigned i = 0; i < 3000; i++) {
        unsigned element = 1u << below(4), rank = 2 + (unsigned)below(4), order[5];
        int64_t extent[5];
        for (unsigned d = 0; d < rank; d++) {
            extent[d] = below(2) ? 8 * (1 + below(8)) : 1 + below(13);
            unsigned k = (unsigned)below(d + 1);
            order[d] = order[k];
            order[k] = d;
        }
        ops_piece piece = transpose(element, rank, extent, order);
        if (ztl_ops_elements(&piece) < 60000)
            found += solve(element, piece) < NEVER;
    }
    assert_true(found > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_source),         cmocka_unit_test(test_target),
        cmocka_unit_test(test_few_neighbours), cmocka_unit_test(test_both),
        cmocka_unit_test(test_none),           cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
