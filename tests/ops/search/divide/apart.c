/* SPDX-License-Identifier: Apache-2.0
 * Several pieces, each by itself: they cost what each costs alone.
 */
#include "tests/ops/search/moved.h"

/* A transpose of 64 by 64 bytes: two batches of tiles, of 5 instructions. A copy of 4 KiB: 8. */
static void test_sum(void **state)
{
    (void)state;
    ops_piece piece[] = {transpose(1, 2, EXTENTS(64, 64), ORDER(1, 0)),
                         {.src = 0, .dst = OPS_OUT, .in = 4096, .out = 4096}};
    ztl_ops_add_dim(&piece[1], 4096, 1, 1);
    assert_int_equal(try_pieces(OPS_WAY_APART, piece, 2, 1, 0), 2 * 5 + 8);
}

static void test_none(void **state)
{
    (void)state;
    ops_piece piece = transpose(1, 2, EXTENTS(64, 64), ORDER(1, 0));
    assert_int_equal(try_pieces(OPS_WAY_APART, &piece, 1, 1, 0), NEVER);
}

/* Of more than eight pieces no trees are kept: they are planned once more when they are written. */
static void test_many(void **state)
{
    (void)state;
    ops_piece piece[12];
    for (int64_t k = 0; k < 12; k++) {
        piece[k] = transpose(1, 2, EXTENTS(64, 64), ORDER(1, 0));
        piece[k].in = k * 4096;
        piece[k].out = (11 - k) * 4096;
    }
    assert_int_equal(try_pieces(OPS_WAY_APART, piece, 12, 1, 0), 12 * 2 * 5);
}

static void test_random(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 60; i++) {
        ops_piece piece[3];
        int64_t in = 0, out = 0;
        for (unsigned k = 0; k < 3; k++) {
            const int64_t n = 1 + below(90), m = 1 + below(90);
            piece[k] = transpose(1, 2, EXTENTS(n, m), ORDER(1, 0));
            piece[k].in = in;
            piece[k].out = out;
            in += n * m;
            out += n * m + below(5);
        }
        assert_true(try_pieces(OPS_WAY_APART, piece, 3, 1, UINT64_MAX) < NEVER);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sum), cmocka_unit_test(test_none),
                                       cmocka_unit_test(test_many), cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
