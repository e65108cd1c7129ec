/* SPDX-License-Identifier: Apache-2.0
 * Interleaving by three and back: what it costs, by hand, and what it moves.
 */
#include "tests/ops/search/moved.h"

static int64_t solve(unsigned element, const ops_piece *piece)
{
    return try_way(OPS_WAY_INTERLEAVE3, piece, element, 0);
}

/* Three planes of n elements to n triples, or back. */
static ops_piece triples_of(unsigned element, int64_t n, bool joins)
{
    return joins ? transpose(element, 2, EXTENTS(3, n), ORDER(1, 0))
                 : transpose(element, 2, EXTENTS(n, 3), ORDER(1, 0));
}

/* A batch has 32 blocks of 32 bytes of each plane: 3 loads, 4 PERMUTEs, 3 CONCATs and 3 stores;
 * back it is one PERMUTE and 4 CONCATs. */
static void test_cost(void **state)
{
    (void)state;
    ops_piece joined = triples_of(1, 4096, true), apart = triples_of(1, 4096, false);
    assert_int_equal(solve(1, &joined), 4 * (3 + 7 + 3));
    assert_int_equal(solve(1, &apart), 4 * (3 + 5 + 3));
    /* blocks are 32 elements, so that of 4 bytes 8 blocks fill a register */
    ops_piece wide = triples_of(4, 4096, true);
    assert_int_equal(solve(4, &wide), 16 * 13);
}

static void test_none(void **state)
{
    (void)state;
    ops_piece two = transpose(1, 2, EXTENTS(2, 512), ORDER(1, 0)), few = triples_of(1, 31, true);
    assert_int_equal(solve(1, &two), NEVER);
    assert_int_equal(solve(1, &few), NEVER);
}

static void test_random(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 200; i++) {
        unsigned element = 1u << below(3);
        ops_piece piece = triples_of(element, 32 + below(500), below(2));
        assert_true(solve(element, &piece) < NEVER);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cost), cmocka_unit_test(test_none),
                                       cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
