/* SPDX-License-Identifier: Apache-2.0
 * Filling the whole output where only a border of it is constant.
 */
#include "tests/ops/search/moved.h"

/* A frame of `border` bytes around an image of `side` by `side`, as four pieces. */
static int64_t fill(int64_t side, int64_t border, bool may_fill_all)
{
    int64_t pitch = side + 2 * border, all = pitch * pitch;
    ops_piece frame[2] = {{.src = OPS_FILL, .dst = OPS_OUT},
                          {.src = OPS_FILL, .dst = OPS_OUT, .out = border * pitch - border}};
    ztl_ops_add_dim(&frame[0], 2, 0, all - border * pitch);
    ztl_ops_add_dim(&frame[0], border * pitch, 0, 1);
    ztl_ops_add_dim(&frame[1], side + 1, 0, pitch);
    ztl_ops_add_dim(&frame[1], 2 * border, 0, 1);
    ops_piece whole = {.src = OPS_FILL, .dst = OPS_OUT};
    ztl_ops_add_dim(&whole, all, 0, 1);
    begin_planner(1, 0);
    planner.fill[0] = 0x5a;
    ops_query q = ask(frame, 2);
    q.whole = may_fill_all ? &whole : NULL;
    int64_t taken = carry_out(OPS_WAY_WHOLE_OUTPUT, &q);
    if (taken < NEVER)
        check_all_moves(&whole, 1, 1); /* what the image needs is written later */
    return taken;
}

/* A KiB for a store, whatever the frame is. */
static void test_whole(void **state)
{
    (void)state;
    assert_int_equal(fill(30, 1, true), 1);
    assert_int_equal(fill(60, 2, true), 4);
    assert_int_equal(fill(62, 2, true), 5); /* 66 by 66: the last slice overlaps */
}

static void test_none(void **state)
{
    (void)state;
    assert_int_equal(fill(30, 1, false), NEVER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_whole), cmocka_unit_test(test_none)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
