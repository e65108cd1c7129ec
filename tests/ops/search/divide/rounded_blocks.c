/* SPDX-License-Identifier: Apache-2.0
 * Pieces with room for more positions in scratch memory: which have the form, and what they cost.
 */
#include "ops/search/ways/way.h"
#include "tests/unit.h"

#include <stdlib.h>

enum { SPACE = 4 << 20, ROWS = 1000 };

/* Instructions that are reckoned, and checked against those that are written; NEVER for no form. */
static int64_t plan(const ops_piece *piece, size_t count, uint64_t scratch)
{
    ops_arena arena = {.base = calloc(1, SPACE), .high = SPACE};
    assert_non_null(arena.base);
    ops_draft draft = {.arena = &arena, .plan = (ztl_ops_plan *)arena.base, .room = arena.high};
    ztl_ops_keep(&arena, sizeof *draft.plan);
    ops_planner planner = {.draft = &draft,
                           .arena = &arena,
                           .element = 1,
                           .may_reload = true,
                           .scratch_limit = scratch};
    int64_t reckoned = ztl_ops_solve_rounded_blocks(&planner, piece, count, false).ztl;
    assert_int_equal(arena.high, SPACE);
    if (reckoned < OPS_NEVER.ztl) {
        ztl_ops_solve_rounded_blocks(&planner, piece, count, true);
        assert_false(arena.full);
        assert_int_equal(ztl_ops_total(&draft.plan->stats), reckoned);
        assert_true(draft.plan->scratch <= scratch);
    }
    assert_int_equal(planner.scratch_top, 0);
    free(arena.base);
    return reckoned;
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
    assert_true(plan(two, 2, 24 * 1024 - 1) >= OPS_NEVER.ztl);
}

static void test_none(void **state)
{
    (void)state;
    const ops_piece hole[] = {columns(5, 0, 13, 0, 5, 0), columns(7, 0, 13, 6, 7, 1)};
    assert_true(plan(hole, 2, UINT64_MAX) >= OPS_NEVER.ztl);
    ops_piece few[] = {columns(5, 0, 12, 0, 5, 0), columns(7, 0, 12, 5, 7, 1)};
    few[1].dim[0].n = ROWS - 1; /* not the same dimension */
    assert_true(plan(few, 2, UINT64_MAX) >= OPS_NEVER.ztl);
    few[0].dim[0].n = few[1].dim[0].n = 400; /* too few */
    assert_true(plan(few, 2, UINT64_MAX) >= OPS_NEVER.ztl);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_joined), cmocka_unit_test(test_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
