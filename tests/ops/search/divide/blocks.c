/* SPDX-License-Identifier: Apache-2.0
 * Blocks of a long dimension through scratch memory: what they cost, and what they move.
 */
#include "tests/ops/search/moved.h"

enum { PIXELS = 2048 };

static int64_t solve(const ops_piece *piece, uint64_t scratch)
{
    return try_way(OPS_WAY_BLOCKS, piece, 1, scratch);
}

/* An image of four channels with their order reversed: RGBA to ABGR. */
static ops_piece reversed_channels(int64_t pixels)
{
    ops_piece piece = {.src = 0, .dst = OPS_OUT, .in = 3};
    ztl_ops_add_dim(&piece, pixels, 4, 4);
    ztl_ops_add_dim(&piece, 4, -1, 1);
    return piece;
}

/* Each KiB is loaded, half a PERMUTE, and stored; in both passes. */
static void test_reversed(void **state)
{
    (void)state;
    ops_piece piece = reversed_channels(PIXELS);
    assert_int_equal(solve(&piece, UINT64_MAX), 2 * 5 * 4 * PIXELS / 2048);
    assert_int_equal(solve(&piece, 4 * PIXELS - 1), NEVER);
    assert_int_equal(solve(&piece, 4 * PIXELS), 2 * 5 * 4 * PIXELS / 2048);
}

/* 258 blocks of 8 pixels are 9 chunks of 32, so 5 pairs of them in each pass. 3 pixels are no
 * block: their bytes go as 12 slices. */
static void test_rest(void **state)
{
    (void)state;
    ops_piece blocks = reversed_channels(PIXELS + 16), rest = reversed_channels(PIXELS + 3);
    assert_int_equal(solve(&blocks, UINT64_MAX), 2 * 5 * 5);
    assert_int_equal(solve(&rest, UINT64_MAX), 2 * 5 * 4 * PIXELS / 2048 + 2);
}

static void test_none(void **state)
{
    (void)state;
    ops_piece few = reversed_channels(60);
    assert_int_equal(solve(&few, UINT64_MAX), NEVER);
}

static void test_random(void **state)
{
    (void)state;
    unsigned found = 0;
    for (unsigned i = 0; i < 60; i++) {
        ops_piece piece = reversed_channels(1 + below(3000));
        found += solve(&piece, UINT64_MAX) < NEVER;
    }
    assert_true(found > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reversed), cmocka_unit_test(test_rest),
                                       cmocka_unit_test(test_none), cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
