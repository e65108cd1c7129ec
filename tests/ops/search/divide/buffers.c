/* SPDX-License-Identifier: Apache-2.0
 * A stage, one pair of buffers after the other; and parts that are joined in scratch memory first.
 */
#include "tests/ops/search/moved.h"

enum { ROWS = 1024 };

static int64_t plan(const ops_moves *stage, uint64_t scratch)
{
    begin_planner(1, scratch);
    planner.fill[0] = 0x5a;
    ops_query q = ask(stage->piece, stage->count);
    q.stage = stage;
    return carry_out(OPS_WAY_BUFFERS, &q);
}

static ops_piece copy_of(unsigned src, unsigned dst, int64_t out, int64_t n)
{
    ops_piece piece = {.src = src, .dst = OPS_OUT + dst, .out = out};
    ztl_ops_add_dim(&piece, n, 1, 1);
    return piece;
}

/* 4 KiB from each of two inputs, 1 KiB from the first to another output. */
static void test_sum(void **state)
{
    (void)state;
    const ops_piece piece[] = {copy_of(0, 0, 0, 4096), copy_of(1, 0, 4096, 4096),
                               copy_of(0, 1, 0, 1024)};
    const ops_moves stage = {.piece = piece, .count = 3};
    assert_int_equal(plan(&stage, 0), 8 + 8 + 2);
    check_all_moves(piece, 3, 1);
}

/* Constants around a copy: a store, and one instruction for each of two bytes of the constant. */
static void test_constants(void **state)
{
    (void)state;
    const ops_piece piece = copy_of(0, 0, 64, 1024);
    ops_piece both[] = {copy_of(0, 0, 64, 1024), {.src = OPS_FILL, .dst = OPS_OUT}};
    ztl_ops_add_dim(&both[1], 2, 0, 1024 + 64);
    ztl_ops_add_dim(&both[1], 64, 0, 1);
    const ops_moves stage = {
        .piece = &piece, .count = 1, .fill = &both[1], .fills = 1, .fill_element = 1};
    assert_int_equal(plan(&stage, 0), 2 + 1 + ops_constant_ztl(1));
    check_all_moves(both, 2, 1);
}

/* Two tables of 4 columns side by side: slices of 4 bytes take 2 × 32 batches of 2 instructions.
 * Joined in scratch memory, they are copied with 16, and then interleaved. */
static void test_joined(void **state)
{
    (void)state;
    ops_piece part[2];
    for (unsigned k = 0; k < 2; k++) {
        part[k] = (ops_piece){.src = k, .dst = OPS_OUT, .out = 4 * k};
        ztl_ops_add_dim(&part[k], ROWS, 4, 8);
        ztl_ops_add_dim(&part[k], 4, 1, 1);
    }
    const ops_moves stage = {.piece = part, .count = 2};
    assert_int_equal(plan(&stage, 0), 2 * 32 * 2);
    check_all_moves(part, 2, 1);
    assert_in_range(plan(&stage, UINT64_MAX), 16 + 2 * 8, 2 * 32 * 2 - 1);
    check_all_moves(part, 2, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sum), cmocka_unit_test(test_constants),
                                       cmocka_unit_test(test_joined)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
