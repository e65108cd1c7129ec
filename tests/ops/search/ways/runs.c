/* SPDX-License-Identifier: Apache-2.0
 * Slices of runs that both sides have: what they cost, by hand, and what they move.
 */
#include "tests/ops/search/moved.h"

static int64_t solve(unsigned element, const ops_piece *piece)
{
    return try_way(OPS_WAY_RUNS, piece, element, 0);
}

/* `rows` rows of `bytes` bytes from one pitch to another. */
static ops_piece rows_of(int64_t rows, int64_t bytes, int64_t in, int64_t out)
{
    ops_piece piece = {.src = 0, .dst = OPS_OUT};
    ztl_ops_add_dim(&piece, rows, in, out);
    ztl_ops_add_dim(&piece, bytes, 1, 1);
    ztl_ops_canonical_piece(&piece);
    return piece;
}

static void test_whole_runs(void **state)
{
    (void)state;
    ops_piece copy = rows_of(1, 4096, 0, 0), rows = rows_of(64, 64, 128, 64);
    assert_int_equal(solve(1, &copy), 4 + 4);
    assert_int_equal(solve(1, &rows), 2 * 64 / 16); /* 16 slices of 64 bytes fill a register */
    ops_piece odd = rows_of(1, 4097, 0, 0);         /* the last slice overlaps the one before */
    assert_int_equal(solve(1, &odd), 5 + 5);
}

/* Rows of 48 bytes at multiples of 64: a slice of 48 starts at one of three residues modulo 48, 22
 * or 21 rows at each, and 21 fill a register: four batches. Slices of 16 would take six. */
static void test_residues(void **state)
{
    (void)state;
    ops_piece piece = rows_of(64, 48, 64, 48);
    assert_int_equal(solve(1, &piece), 2 * 4);
}

/* 512 elements that lie apart: 32 of them for a load and a store, however wide they are. */
static void test_elements(void **state)
{
    (void)state;
    for (unsigned element = 1; element <= 8; element *= 2) {
        ops_piece piece = {.src = 0, .dst = OPS_OUT};
        ztl_ops_add_dim(&piece, 512, 2 * element, element);
        assert_int_equal(solve(element, &piece), 2 * 512 / 32);
    }
}

/* One load for five copies, and five stores. */
static void test_copies(void **state)
{
    (void)state;
    ops_piece piece = {.src = 0, .dst = OPS_OUT};
    ztl_ops_add_dim(&piece, 5, 0, 1024);
    ztl_ops_add_dim(&piece, 1024, 1, 1);
    assert_int_equal(solve(1, &piece), 1 + 5);
}

/* A border of constants: 30 rows of 2 bytes are one store. */
static void test_constant(void **state)
{
    (void)state;
    ops_piece piece = {.src = OPS_FILL, .dst = OPS_OUT};
    ztl_ops_add_dim(&piece, 30, 0, 32);
    ztl_ops_add_dim(&piece, 2, 0, 1);
    assert_int_equal(solve(1, &piece), 1);
}

static void test_random(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 300; i++) {
        int64_t bytes = 1 + below(300);
        ops_piece piece = rows_of(1 + below(60), bytes, bytes + below(70), bytes + below(70));
        assert_true(solve(1, &piece) < NEVER);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_runs), cmocka_unit_test(test_residues),
        cmocka_unit_test(test_elements),   cmocka_unit_test(test_copies),
        cmocka_unit_test(test_constant),   cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
