/* SPDX-License-Identifier: Apache-2.0
 * Interleaving by two and back: what it costs, by hand, and what it moves.
 */
#include "tests/ops/search/moved.h"

static int64_t solve(unsigned element, const ops_piece *piece)
{
    return try_way(OPS_WAY_INTERLEAVE2, piece, element, 0);
}

/* `rows` rows of two planes of n elements, next to each other, to n pairs; or back. */
static ops_piece pairs_of(unsigned element, int64_t rows, int64_t n, bool joins)
{
    ops_piece piece = {.src = 0, .dst = OPS_OUT};
    int64_t e = element;
    ztl_ops_add_dim(&piece, rows, 2 * n * e, 2 * n * e);
    ztl_ops_add_dim(&piece, 2, joins ? n * e : e, joins ? e : n * e);
    ztl_ops_add_dim(&piece, n, joins ? e : 2 * e, joins ? 2 * e : e);
    ztl_ops_canonical_piece(&piece);
    return piece;
}

/* Half a register of each plane makes a whole one: 2 loads, a PERMUTE, a store for a KiB. */
static void test_join(void **state)
{
    (void)state;
    for (unsigned element = 1; element <= 4; element *= 2) {
        ops_piece piece = pairs_of(element, 10, 512 / element, true);
        assert_int_equal(solve(element, &piece), 10 * 4);
    }
}

/* A load, a PERMUTE, and a store of each plane. */
static void test_take_apart(void **state)
{
    (void)state;
    for (unsigned element = 1; element <= 4; element *= 2) {
        ops_piece piece = pairs_of(element, 1, 5120 / element, false);
        assert_int_equal(solve(element, &piece), 10 * 4);
    }
}

/* Every other element: one store less. The last element of each of 9 rows is left to
 * slices, as a row reads one element more than it needs. */
static void test_every_other(void **state)
{
    (void)state;
    ops_piece piece = {.src = 0, .dst = OPS_OUT};
    ztl_ops_add_dim(&piece, 9, 1024, 512);
    ztl_ops_add_dim(&piece, 512, 2, 1);
    assert_int_equal(solve(1, &piece), 9 * 3 + 2);
}

static void test_none(void **state)
{
    (void)state;
    ops_piece three = transpose(1, 2, EXTENTS(3, 512), ORDER(1, 0)),
              copy = transpose(1, 2, EXTENTS(2, 512), ORDER(0, 1));
    assert_int_equal(solve(1, &three), NEVER);
    assert_int_equal(solve(1, &copy), NEVER);
}

static void test_random(void **state)
{
    (void)state;
    unsigned found = 0;
    for (unsigned i = 0; i < 400; i++) {
        unsigned element = 1u << below(4);
        ops_piece piece = pairs_of(element, 1 + below(9), 1 + below(150), below(2));
        found += solve(element, &piece) < NEVER;
    }
    assert_true(found > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_join),
                                       cmocka_unit_test(test_take_apart),
                                       cmocka_unit_test(test_every_other),
                                       cmocka_unit_test(test_none), cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
