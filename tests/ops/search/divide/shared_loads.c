/* SPDX-License-Identifier: Apache-2.0
 * Shared loads: what the passes move is what the pieces say, and what several pieces read is
 * loaded once.
 */
#include "tests/ops/search/asked.h"

enum { MOST = 1 << 18, TARGET = 1 << 20 };

static move expected[MOST], found[MOST];

static size_t add_bytes(const ops_piece *piece, unsigned d, move at, size_t n)
{
    if (d == piece->rank) {
        expected[n] = at;
        return n + 1;
    }
    for (int64_t k = 0; k < piece->dim[d].n; k++) {
        move next = {at.in + k * piece->dim[d].in, at.out + k * piece->dim[d].out};
        n = add_bytes(piece, d + 1, next, n);
    }
    return n;
}

/* Every byte of every slice. */
static size_t bytes_of(const ops_pass *pass, move *moves)
{
    static move slice[MOST];
    size_t slices = moves_of(pass, slice), n = 0;
    assert_true(slices * pass->load_width <= MOST);
    for (size_t i = 0; i < slices; i++)
        for (uint32_t k = 0; k < pass->load_width; k++)
            moves[n++] = (move){slice[i].in + k, slice[i].out + k};
    return n;
}

/* Carries the pieces out with shared loads, checks what is moved, returns the statistics. */
static ztl_ops_stats share(const ops_piece *piece, size_t count)
{
    begin_planner(1, 0);
    ops_query q = ask(piece, count);
    assert_true(carry_out(OPS_WAY_SHARED_LOADS, &q) < NEVER);
    size_t wanted = 0, n = 0;
    for (size_t i = 0; i < count; i++)
        wanted = add_bytes(&piece[i], 0, (move){piece[i].in, piece[i].out}, wanted);
    const ops_pass *pass = ops_first_pass(draft.plan);
    for (uint32_t i = 0; i < draft.plan->passes; i++, pass = ops_next_pass(pass))
        n = sorted(found, n + bytes_of(pass, found + n));
    wanted = sorted(expected, wanted);
    assert_int_equal(n, wanted);
    assert_memory_equal(found, expected, n * sizeof *found);
    return draft.plan->stats;
}

static ops_piece run_of(int64_t in, int64_t out, int64_t n)
{
    return (ops_piece){.dst = OPS_OUT, .rank = 1, .in = in, .out = out, .dim = {{n, 1, 1}}};
}

/* Two runs of 4 KiB that overlap by 3: 5 KiB are loaded once, 8 stored. */
static void test_overlap(void **state)
{
    (void)state;
    const ops_piece piece[] = {run_of(0, TARGET, 4096), run_of(1024, 2 * TARGET, 4096)};
    ztl_ops_stats stats = share(piece, 2);
    assert_int_equal(stats.insn[ZTL_OP_LOAD], 5);
    assert_int_equal(stats.insn[ZTL_OP_STORE], 8);
}

/* The same run to three places: one load of each KiB, three stores. */
static void test_copies(void **state)
{
    (void)state;
    const ops_piece piece[] = {run_of(64, TARGET, 8192), run_of(64, 2 * TARGET, 8192),
                               run_of(64, 3 * TARGET, 8192)};
    ztl_ops_stats stats = share(piece, 3);
    assert_int_equal(stats.insn[ZTL_OP_LOAD], 8);
    assert_int_equal(stats.insn[ZTL_OP_STORE], 24);
}

/* The nine taps of a 3 by 3 convolution: rows of 64, the image has 34 of them. */
static void test_taps(void **state)
{
    (void)state;
    ops_piece piece[9];
    uint64_t apart = 0;
    for (int64_t k = 0; k < 9; k++)
        piece[k] = (ops_piece){.dst = OPS_OUT,
                               .rank = 2,
                               .in = k / 3 * 128 + k % 3 * 32,
                               .out = TARGET + k * 2048,
                               .dim = {{32, 128, 64}, {64, 1, 1}}};
    for (size_t k = 0; k < 9; k++) {
        begin_planner(1, 0);
        apart += (uint64_t)ztl_ops_cost_below(&planner, &piece[k], 0, NEVER).key;
    }
    ztl_ops_stats stats = share(piece, 9);
    assert_int_equal(apart, 9 * (2 + 2));
    /* 34 rows of 128 bytes are 4.25 KiB; each of nine targets takes 2 stores or few more. */
    assert_true(stats.insn[ZTL_OP_LOAD] < 18 && ztl_ops_total(&stats) < apart);
}

static bool shares(const ops_piece *piece, size_t count)
{
    begin_planner(1, 0);
    ops_query q = ask(piece, count);
    return carry_out(OPS_WAY_SHARED_LOADS, &q) < NEVER;
}

/* Pieces that read nothing in common share nothing; nor does a single one, or a constant. */
static void test_nothing_shared(void **state)
{
    (void)state;
    ops_piece piece[] = {run_of(0, TARGET, 4096), run_of(8192, 2 * TARGET, 4096)};
    assert_false(shares(piece, 2));
    assert_false(shares(piece, 1));
    piece[1].in = 0;
    assert_true(shares(piece, 2));
    piece[0].src = piece[1].src = OPS_FILL;
    assert_false(shares(piece, 2));
}

/* Random boxes of a plane. */
static void test_random(void **state)
{
    (void)state;
    unsigned shared = 0;
    for (unsigned round = 0; round < 150; round++) {
        ops_piece piece[6];
        size_t count = 2 + (size_t)below(5);
        int64_t unit = below(2) ? 1 : 32;
        for (size_t i = 0; i < count; i++)
            piece[i] = (ops_piece){.dst = OPS_OUT,
                                   .rank = 2,
                                   .in = below(4) * 256 + below(4) * unit,
                                   .out = TARGET + (int64_t)i * 8192,
                                   .dim = {{2 + below(12), 256, 256}, {33 + below(100), 1, 1}}};
        if (!shares(piece, count))
            continue;
        share(piece, count);
        shared++;
    }
    assert_true(shared > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overlap), cmocka_unit_test(test_copies), cmocka_unit_test(test_taps),
        cmocka_unit_test(test_nothing_shared), cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
