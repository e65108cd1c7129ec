/* SPDX-License-Identifier: Apache-2.0
 * Tiles of a transpose: what they cost, by hand, and what they move.
 */
#include "tests/ops/search/moved.h"

static int64_t solve(unsigned element, ops_piece piece)
{
    return try_way(OPS_WAY_TILES, &piece, element, 0);
}

/* Pitches that are multiples of 32 on both sides: two registers have two tiles of 32 by 32 bytes,
 * and a batch is 2 loads, 1 PERMUTE, 2 stores. */
static void test_one_stage(void **state)
{
    (void)state;
    assert_int_equal(solve(1, transpose(1, 2, EXTENTS(64, 64), ORDER(1, 0))), 2 * 5);
    assert_int_equal(solve(1, transpose(1, 2, EXTENTS(3136, 64), ORDER(1, 0))), 98 * 5);
    /* 32 bytes are 8 elements of 4: 4 of 8 by 8 elements fill a register */
    assert_int_equal(solve(4, transpose(4, 2, EXTENTS(64, 64), ORDER(1, 0))), 8 * 5);
}

/* Rows at multiples of 8: two bits of a row's number must select the register, so four registers,
 * two stages of two PERMUTEs. The second tile of each row overlaps the first, at another residue.
 */
static void test_two_stages(void **state)
{
    (void)state;
    assert_int_equal(solve(1, transpose(1, 2, EXTENTS(64, 40), ORDER(1, 0))), 2 * (4 + 4 + 4));
}

/* Rows at odd bytes: four bits select the register, as slices are of 16 bytes. 16 loads, four
 * stages of 8 PERMUTEs and 16 stores, for the 12 tiles of 16 by 16 bytes, which have two residues.
 */
static void test_four_stages(void **state)
{
    (void)state;
    assert_int_equal(solve(1, transpose(1, 2, EXTENTS(64, 33), ORDER(1, 0))), 2 * (16 + 32 + 16));
}

/* The same tile to three places is transposed once. */
static void test_copies(void **state)
{
    (void)state;
    ops_piece piece = transpose(1, 2, EXTENTS(64, 64), ORDER(1, 0));
    ztl_ops_add_dim(&piece, 3, 0, 4096);
    ztl_ops_canonical_piece(&piece);
    assert_int_equal(solve(1, piece), 2 * (2 + 1 + 3 * 2));
}

static void test_none(void **state)
{
    (void)state;
    /* a run shorter than a tile; rows at odd bytes, which need five stages; nothing to transpose
     */
    assert_int_equal(solve(1, transpose(1, 2, EXTENTS(64, 6), ORDER(1, 0))), NEVER);
    assert_int_equal(solve(1, transpose(1, 2, EXTENTS(64, 64), ORDER(0, 1))), NEVER);
}

static void test_random(void **state)
{
    (void)state;
    assert_true(try_transposes(OPS_WAY_TILES, 1500, 0) > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_stage),   cmocka_unit_test(test_two_stages),
        cmocka_unit_test(test_four_stages), cmocka_unit_test(test_copies),
        cmocka_unit_test(test_none),        cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
