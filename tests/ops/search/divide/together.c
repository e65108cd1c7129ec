/* SPDX-License-Identifier: Apache-2.0
 * Blocks of a long dimension: which pieces have the form, and what they cost.
 */
#include "tests/ops/search/asked.h"

enum { PIXELS = 64 * 128 };

/* `whole`: all that the pieces write and do not write, which is constant. */
static int64_t plan(const ops_piece *piece, size_t count, const ops_piece *whole, uint64_t scratch)
{
    ops_piece rest = {.src = OPS_FILL, .dst = OPS_OUT, .rank = 1};
    ops_moves moves = {
        .piece = piece, .count = count, .fill = &rest, .fills = whole != NULL, .whole = whole};
    begin_planner(1, scratch);
    draft.plan->element = 8;
    rest.dim[0].n = whole ? whole->dim[0].n : 0;
    for (size_t i = 0; i < count; i++)
        rest.dim[0].n -= ztl_ops_elements(&piece[i]);
    ops_query q = ask(piece, count);
    if (count == 1)
        return carry_out(OPS_WAY_BLOCKS, &q);
    q.stage = &moves;
    return carry_out(OPS_WAY_TOGETHER, &q);
}

/* A channel of an image with `in` of them to one with `out`. */
static ops_piece channel(int64_t in, int64_t from, int64_t out, int64_t to, unsigned dst)
{
    ops_piece piece = {.src = 0, .dst = OPS_OUT + dst, .in = from, .out = to};
    ztl_ops_add_dim(&piece, PIXELS, in, out);
    return piece;
}

/* 32 blocks of 64 neighbours: each KiB is loaded, half a PERMUTE, and stored, in each pass. */
static void test_permuted(void **state)
{
    (void)state;
    const ops_piece swapped[] = {channel(4, 2, 4, 0, 0), channel(4, 1, 4, 1, 0),
                                 channel(4, 0, 4, 2, 0), channel(4, 3, 4, 3, 0)};
    assert_int_equal(plan(swapped, 4, NULL, UINT64_MAX), 2 * 5 * 4 * PIXELS / 2048);
    assert_true(plan(swapped, 4, NULL, 4 * PIXELS - 1) >= OPS_NEVER.key);
}

static void test_split(void **state)
{
    (void)state;
    const ops_piece split[] = {channel(3, 0, 1, 0, 0), channel(3, 1, 1, 0, 1),
                               channel(3, 2, 1, 0, 2)};
    assert_int_equal(plan(split, 3, NULL, UINT64_MAX), 2 * 5 * 3 * PIXELS / 2048);
}

/* A target that is not filled must not be written between the pieces, unless constants belong
 * there; the row of constants is one store, and its constant two instructions. */
static void test_holes(void **state)
{
    (void)state;
    const ops_piece parts[] = {channel(2, 0, 4, 0, 0), channel(2, 1, 4, 1, 0)};
    ops_piece whole = {.src = OPS_FILL, .dst = OPS_OUT};
    ztl_ops_add_dim(&whole, 4 * PIXELS, 0, 1);
    assert_true(plan(parts, 2, NULL, UINT64_MAX) >= OPS_NEVER.key);
    assert_in_range(plan(parts, 2, &whole, UINT64_MAX), 5 * 6 * PIXELS / 2048,
                    5 * 6 * PIXELS / 2048 + 4);
}

/* The same with the constant first: the last block ends where the image does. */
static void test_hole_first(void **state)
{
    (void)state;
    const ops_piece parts[] = {channel(2, 0, 3, 1, 0), channel(2, 1, 3, 2, 0)};
    ops_piece whole = {.src = OPS_FILL, .dst = OPS_OUT};
    ztl_ops_add_dim(&whole, 3 * PIXELS, 0, 1);
    assert_in_range(plan(parts, 2, &whole, UINT64_MAX), 5 * 5 * PIXELS / 2048,
                    5 * 5 * PIXELS / 2048 + 8);
}

/* Every third element, backwards: what is before the last one may not be there, so that the first
 * pass has a block of 32 less. */
static void test_backwards(void **state)
{
    (void)state;
    ops_piece piece = {.src = 0, .dst = OPS_OUT, .in = 3 * (PIXELS - 1)};
    ztl_ops_add_dim(&piece, PIXELS, -3, 1);
    assert_in_range(plan(&piece, 1, NULL, UINT64_MAX), 5 * 4 * PIXELS / 2048,
                    5 * 4 * PIXELS / 2048 + 12);
}

/* Two pieces that write the same element have no form. */
static void test_overlap(void **state)
{
    (void)state;
    const ops_piece parts[] = {channel(2, 0, 2, 0, 0), channel(2, 1, 2, 0, 0)};
    assert_true(plan(parts, 2, NULL, UINT64_MAX) >= OPS_NEVER.key);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_permuted),  cmocka_unit_test(test_split),
        cmocka_unit_test(test_holes),     cmocka_unit_test(test_hole_first),
        cmocka_unit_test(test_backwards), cmocka_unit_test(test_overlap)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
