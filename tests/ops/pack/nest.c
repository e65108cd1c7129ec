/* SPDX-License-Identifier: Apache-2.0
 * Nests of loops against lists: both move every instance of the grids from its place in the source
 * to its place in the target, and nothing else.
 */
#include "ops/pack/packing.h"
#include "tests/ops/draft.h"

enum { MOST = 1 << 18 };

static move expected[MOST], found[MOST];

static size_t add_instances(const ops_piece *grid, unsigned d, move at, size_t n)
{
    if (d == grid->rank) {
        expected[n] = at;
        return n + 1;
    }
    for (int64_t k = 0; k < grid->dim[d].n; k++) {
        move next = {at.in + k * grid->dim[d].in, at.out + k * grid->dim[d].out};
        n = add_instances(grid, d + 1, next, n);
    }
    return n;
}

/* Compares all passes of the draft with the instances; returns the batches. */
static uint64_t check(size_t instances, const char *what, unsigned round)
{
    size_t n = 0;
    uint64_t batches = 0;
    const ops_pass *pass = ops_first_pass(draft.plan);
    assert_false(arena.full);
    for (uint32_t i = 0; i < draft.plan->passes; i++, pass = ops_next_pass(pass)) {
        assert_true(n + ops_runs(pass) * pass->slices <= MOST);
        n += moves_of(pass, found + n);
        batches += ops_runs(pass);
    }
    n = sorted(found, n);
    if (n != instances || memcmp(found, expected, n * sizeof *found))
        fail_msg("round %u, %s: %zu different moves, not %zu", round, what, n, instances);
    assert_int_equal(draft.plan->stats.insn[ZTL_OP_LOAD], batches);
    assert_int_equal(draft.plan->stats.insn[ZTL_OP_STORE], batches);
    return batches;
}

static ops_piece random_grid(unsigned width)
{
    ops_piece grid = {.rank = 1 + (unsigned)below(3), .in = below(100), .out = below(100)};
    int64_t in = width, out = width;
    for (unsigned d = 0; d < grid.rank; d++) {
        int64_t n = 1 + below(40);
        in *= below(3) ? 1 : 2;
        grid.dim[d] = (ops_dim){n, in + below(3), out};
        in = grid.dim[d].in * n;
        out *= n;
        out += below(2) * (1 + below(64));
    }
    return grid;
}

static void test_nest_and_list(void **state)
{
    (void)state;
    static const unsigned widths[] = {1, 2, 5, 8, 16, 32, 48, 100};
    unsigned nests = 0;
    for (unsigned round = 0; round < 400; round++) {
        unsigned width = widths[below(8)];
        ops_tile tile = ztl_ops_slice_tile(width);
        ops_piece grid[2] = {random_grid(width), random_grid(width)};
        size_t grids = 1 + (size_t)below(2), n = 0;
        grid[1].out += 1 << 24; /* apart from the other */
        for (size_t i = 0; i < grids; i++)
            n = add_instances(&grid[i], 0, (move){grid[i].in, grid[i].out}, n);
        n = sorted(expected, n);
        const ops_insn insn[] = {{.op = OPS_LOAD}, {.op = OPS_STORE}};
        const ops_pass form = {
            .kind = OPS_PASS_RUNS, .load_width = width, .store_width = width, .insns = 2};
        begin();
        ztl_ops_pack_batches(&draft, &form, insn, &tile, grid, grids);
        uint64_t packed = check(n, "packed", round);
        for (uint32_t i = 0; i < draft.plan->passes; i++)
            nests += ops_first_pass(draft.plan)->loops > 0;
        begin();
        const ops_packing packing = {.draft = &draft, .form = &form, .insn = insn, .tile = &tile};
        uint64_t effort = 0;
        int64_t counted =
            ztl_ops_count_batches(&effort, grid, grids, width, width, tile.instances, INT64_MAX);
        ztl_ops_pack_list(&packing, grid, grids, counted);
        uint64_t listed = check(n, "listed", round);
        assert_true(counted < 0 || listed == (uint64_t)counted);
        if (counted >= 0 && packed != listed)
            fail_msg("round %u: %llu batches packed, %llu listed", round,
                     (unsigned long long)packed, (unsigned long long)listed);
    }
    assert_true(nests > 50);
}

/* A roll-back leaves everything as it was. */
static void test_roll_back(void **state)
{
    (void)state;
    const ops_insn insn[] = {{.op = OPS_LOAD}, {.op = OPS_STORE}};
    const ops_pass form = {.kind = OPS_PASS_RUNS, .load_width = 8, .store_width = 8, .insns = 2};
    ops_tile tile = ztl_ops_slice_tile(8);
    ops_piece grid = random_grid(8);
    begin();
    ops_mark mark = ztl_ops_set_mark(&draft);
    ztl_ops_plan before = *draft.plan;
    size_t low = arena.low, high = arena.high;
    ztl_ops_pack_batches(&draft, &form, insn, &tile, &grid, 1);
    draft.choices++;
    draft.has_constant = true;
    ztl_ops_borrow(&arena, 100);
    assert_true(draft.plan->passes > 0);
    ztl_ops_roll_back(&draft, &mark);
    assert_memory_equal(&before, draft.plan, sizeof before);
    assert_int_equal(arena.low, low);
    assert_int_equal(arena.high, high);
    assert_int_equal(draft.choices, 0);
    assert_false(draft.has_constant);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nest_and_list),
                                       cmocka_unit_test(test_roll_back)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
