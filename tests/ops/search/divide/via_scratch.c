/* SPDX-License-Identifier: Apache-2.0
 * Through scratch memory in another layout: what it costs, and what it moves.
 */
#include "tests/ops/search/moved.h"

static int64_t solve(unsigned element, ops_piece piece, uint64_t scratch)
{
    return try_way(OPS_WAY_VIA_SCRATCH, &piece, element, scratch);
}

/* Rows of 49 bytes to a pitch of 64, 20 slices of 49 in a batch: 4 of 2 instructions. Then tiles:
 * two in each row, the second at another residue as it overlaps: 2 batches of 5. */
static void test_pitch(void **state)
{
    (void)state;
    ops_piece piece = transpose(1, 2, EXTENTS(64, 49), ORDER(1, 0));
    assert_in_range(solve(1, piece, UINT64_MAX), 10, 4 * 2 + 2 * 5);
}

/* 4 to a pixel of 2 bytes: as slices 16384 / 32 batches of 2 = 1024. Neither side has a run of the
 * other, so both passes must be better than that together. */
static void test_order(void **state)
{
    (void)state;
    ops_piece piece = transpose(2, 3, EXTENTS(32, 16, 32), ORDER(2, 1, 0));
    int64_t least = 2 * 32;
    assert_in_range(solve(2, piece, UINT64_MAX), 2 * least, 4 * least);
}

static void test_memory(void **state)
{
    (void)state;
    ops_piece piece = transpose(1, 2, EXTENTS(64, 49), ORDER(1, 0));
    assert_int_equal(solve(1, piece, 0), NEVER);
    assert_int_equal(solve(1, piece, 64 * 49 - 1), NEVER); /* all of it goes there at once */
    assert_true(solve(1, piece, 64 * 49 + 63) < NEVER);
}

static void test_random(void **state)
{
    (void)state;
    assert_true(try_transposes(OPS_WAY_VIA_SCRATCH, 60, UINT64_MAX) > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pitch), cmocka_unit_test(test_order),
                                       cmocka_unit_test(test_memory),
                                       cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
