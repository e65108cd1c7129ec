/* SPDX-License-Identifier: Apache-2.0
 * Pieces with room for more positions in scratch memory: which have the form, and what they cost.
 */
#include "tests/ops/search/asked.h"

enum { ROWS = 1000 };

static int64_t plan(const ops_piece *piece, size_t count, uint64_t scratch)
{
    const ops_moves moves = {.piece = piece, .count = count};
    begin_planner(1, scratch);
    ops_query q = ask(piece, count);
    q.stage = &moves;
    return carry_out(OPS_WAY_ROUNDED_TOGETHER, &q);
}

/* `n` columns of a table with `in` of them to one with `out`. */
static ops_piece columns(int64_t in, int64_t from, int64_t out, int64_t to, int64_t n, unsigned src)
{
    ops_piece piece = {.src = src, .dst = OPS_OUT, .in = from, .out = to};
    ztl_ops_add_dim(&piece, ROWS, in, out);
    ztl_ops_add_dim(&piece, n, 1, 1);
    return piece;
}

/* Tables of 5 and 7 columns side by side: 5, 7 and 12 registers are copied, and 12 KiB go through 5
 * instructions for a pair, twice. */
static void test_joined(void **state)
{
    (void)state;
    const ops_piece two[] = {columns(5, 0, 12, 0, 5, 0), columns(7, 0, 12, 5, 7, 1)};
    int64_t least = 2 * (5 + 7 + 12) + 5 * 12;
    assert_in_range(plan(two, 2, UINT64_MAX), least, least + 16);
    assert_true(plan(two, 2, 24 * 1024 - 1) >= OPS_NEVER.key);
}

static void test_none(void **state)
{
    (void)state;
    const ops_piece hole[] = {columns(5, 0, 13, 0, 5, 0), columns(7, 0, 13, 6, 7, 1)};
    assert_true(plan(hole, 2, UINT64_MAX) >= OPS_NEVER.key);
    ops_piece few[] = {columns(5, 0, 12, 0, 5, 0), columns(7, 0, 12, 5, 7, 1)};
    few[1].dim[0].n = ROWS - 1; /* not the same dimension */
    assert_true(plan(few, 2, UINT64_MAX) >= OPS_NEVER.key);
    few[0].dim[0].n = few[1].dim[0].n = 400; /* too few */
    assert_true(plan(few, 2, UINT64_MAX) >= OPS_NEVER.key);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_joined), cmocka_unit_test(test_none)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
