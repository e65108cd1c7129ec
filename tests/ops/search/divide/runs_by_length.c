/* SPDX-License-Identifier: Apache-2.0
 * Pieces as slices, those with runs of one length together: what they cost, and move.
 */
#include "tests/ops/search/moved.h"

/* `rows` rows of `bytes` bytes, dense in the source, at a pitch of 128 in the target. */
static ops_piece rows_of(int64_t rows, int64_t bytes, int64_t from, int64_t to)
{
    ops_piece piece = {.src = 0, .dst = OPS_OUT, .in = from, .out = to};
    ztl_ops_add_dim(&piece, rows, bytes, 128);
    ztl_ops_add_dim(&piece, bytes, 1, 1);
    return piece;
}

static int64_t solve(const ops_piece *piece, size_t count)
{
    return try_pieces(OPS_WAY_RUNS_BY_LENGTH, piece, count, 1, 0);
}

/* Each length has slices as wide as its runs: 8 batches of 64 bytes, 8 of 32. As one pass, all
 * slices would be 32 bytes wide, and half of a register idle. */
static void test_lengths(void **state)
{
    (void)state;
    const ops_piece piece[] = {rows_of(128, 64, 0, 0), rows_of(256, 32, 8192, 128 * 128)};
    assert_int_equal(solve(piece, 2), 2 * 8 + 2 * 8);
}

/* Few slices of either length: together they fill one batch. */
static void test_joined(void **state)
{
    (void)state;
    const ops_piece piece[] = {rows_of(8, 32, 0, 0), rows_of(8, 64, 256, 8 * 128)};
    assert_int_equal(solve(piece, 2), 2);
}

static void test_none(void **state)
{
    (void)state;
    const ops_piece piece = rows_of(128, 64, 0, 0);
    assert_int_equal(solve(&piece, 1), NEVER);
}

static void test_random(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 100; i++) {
        ops_piece piece[5];
        size_t count = 2 + (size_t)below(4);
        int64_t from = 0;
        for (size_t k = 0; k < count; k++) {
            piece[k] = rows_of(1 + below(40), 1 + below(128), from, (int64_t)k * 40 * 128);
            from += ztl_ops_elements(&piece[k]);
        }
        assert_true(solve(piece, count) < NEVER);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lengths),
                                       cmocka_unit_test(test_joined), cmocka_unit_test(test_none),
                                       cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
