/* SPDX-License-Identifier: Apache-2.0
 * Every k-th element of short rows: what that takes, by hand, and what it moves.
 */
#include "tests/ops/search/moved.h"

static int64_t solve(unsigned element, ops_piece piece, uint64_t scratch)
{
    return try_way(OPS_WAY_WHOLE_ROWS, &piece, element, scratch);
}

/* Every k-th of n elements of rows that are `pitch` elements apart. */
static ops_piece every(int64_t k, int64_t n, int64_t rows, int64_t pitch, int64_t element)
{
    ops_piece piece = {.src = 0, .dst = OPS_OUT};
    ztl_ops_add_dim(&piece, rows, pitch * element, n * element);
    ztl_ops_add_dim(&piece, n, k * element, element);
    return piece;
}

/* Every fourth element of every fourth row of 56: 16 rows of 64 bytes in a register, 14 · 512
 * elements, so at least 28 registers are loaded, stored and loaded again; 3 CONCATs and a store for
 * each of the 7 that are left, and the last 32 elements by themselves. */
static void test_cost(void **state)
{
    (void)state;
    ops_piece piece = every(4, 14, 512, 4 * 56, 1);
    int64_t least = 3 * 28 + 4 * 7;
    assert_in_range(solve(1, piece, UINT64_MAX), least, 2 * least);
    assert_int_equal(draft.plan->scratch, 4 * 14 * 512);
    assert_true(solve(1, piece, 4 * 14 * 512) < NEVER);
    assert_int_equal(solve(1, piece, 4 * 14 * 512 - 1), NEVER);
    assert_int_equal(solve(1, piece, 0), NEVER);
}

/* Every other pixel of 3 bytes in 225 rows of 225: rows of at least 2 · 113 pixels copied, then
 * blocks of them, 5 instructions for each pair of KiB in, and out. */
static void test_pixels(void **state)
{
    (void)state;
    ops_piece piece = {.src = 0, .dst = OPS_OUT};
    ztl_ops_add_dim(&piece, 225, 225 * 3, 113 * 3);
    ztl_ops_add_dim(&piece, 113, 2 * 3, 3);
    ztl_ops_add_dim(&piece, 3, 1, 1);
    int64_t in = ops_ceil(2 * 113 * 3 * 225, 1024), out = ops_ceil(113 * 3 * 225, 1024);
    int64_t least = 2 * in + 5 * (in + out) / 2;
    assert_in_range(solve(1, piece, UINT64_MAX), least - 8, least + least / 10);
}

static void test_none(void **state)
{
    (void)state;
    assert_int_equal(solve(1, (ops_piece){.dst = OPS_OUT}, UINT64_MAX), NEVER); /* one element */
    assert_int_equal(solve(1, every(1, 14, 512, 56, 1), UINT64_MAX), NEVER);    /* runs */
    assert_int_equal(solve(1, every(9, 14, 512, 200, 1), UINT64_MAX), NEVER);   /* too far apart */
    ops_piece apart = every(4, 14, 512, 56, 1); /* a target that is not dense */
    apart.dim[0].out = 15;
    assert_int_equal(solve(1, apart, UINT64_MAX), NEVER);
    ops_piece again = every(4, 14, 512, 56, 1);
    ztl_ops_add_dim(&again, 2, 0, 14 * 512);
    assert_int_equal(solve(1, again, UINT64_MAX), NEVER);
}

static void test_random(void **state)
{
    (void)state;
    unsigned found = 0;
    for (unsigned i = 0; i < 150; i++) {
        unsigned element = 1u << below(3);
        int64_t k = 2 + below(7), n = 3 + below(40), rows = 20 + below(300);
        ops_piece piece = every(k, n, rows, k * n + below(200), element);
        if (below(3) == 0) { /* pixels */
            int64_t size = 2 + below(4);
            for (unsigned d = 0; d < 2; d++) {
                piece.dim[d].in *= size;
                piece.dim[d].out *= size;
            }
            ztl_ops_add_dim(&piece, size, element, element);
        }
        found += solve(element, piece, UINT64_MAX) < NEVER;
    }
    assert_true(found > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cost), cmocka_unit_test(test_pixels),
                                       cmocka_unit_test(test_none), cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
