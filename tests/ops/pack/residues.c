/* SPDX-License-Identifier: Apache-2.0
 * Residues against brute force: every instance is put into its class, one by one.
 */
#include "ops/pack/pack.h"
#include "tests/ops/draft.h"

/* Classes, and instances that may be left of all of them: see pack.h. */
enum { MOST_WIDTH = 40, MOST_CLASSES = 1024, MOST_LEFT = 3072 };

static int64_t count[MOST_WIDTH][MOST_WIDTH];

static void add_instances(const ops_piece *grid, unsigned d, int64_t in, int64_t out, int64_t wi,
                          int64_t wo)
{
    if (d == grid->rank) {
        count[((in % wi) + wi) % wi][((out % wo) + wo) % wo]++;
        return;
    }
    for (int64_t k = 0; k < grid->dim[d].n; k++)
        add_instances(grid, d + 1, in + k * grid->dim[d].in, out + k * grid->dim[d].out, wi, wo);
}

static ops_piece random_grid(void)
{
    ops_piece grid = {.rank = (unsigned)below(5), .in = below(90) - 45, .out = below(90) - 45};
    for (unsigned d = 0; d < grid.rank; d++)
        grid.dim[d] = (ops_dim){1 + below(d ? 9 : 40), below(200) - 100, below(200) - 100};
    return grid;
}

static void test_count(void **state)
{
    (void)state;
    unsigned refused = 0;
    for (unsigned round = 0; round < 3000; round++) {
        ops_piece grid[3];
        size_t grids = 1 + (size_t)below(3);
        int64_t wi = 1 + below(MOST_WIDTH), wo = 1 + below(MOST_WIDTH), instances = 1 + below(32);
        int64_t most = below(2) ? INT64_MAX : 1 + below(200), classes = 0, batches = 0, all = 0;
        memset(count, 0, sizeof count);
        for (size_t i = 0; i < grids; i++) {
            grid[i] = random_grid();
            add_instances(&grid[i], 0, grid[i].in, grid[i].out, wi, wo);
        }
        for (int64_t i = 0; i < wi; i++)
            for (int64_t o = 0; o < wo; o++) {
                classes += count[i][o] > 0;
                all += count[i][o];
                batches += (count[i][o] + instances - 1) / instances;
            }
        uint64_t effort = 0;
        int64_t found = ztl_ops_count_batches(&effort, grid, grids, wi, wo, instances, most);
        bool too_many = classes > most || classes > MOST_CLASSES ||
                        (all > MOST_LEFT && classes * (instances - 1) > MOST_LEFT);
        refused += too_many;
        if (found != (too_many ? -1 : batches))
            fail_msg("round %u: %lld batches, not %lld", round, (long long)found,
                     (long long)(too_many ? -1 : batches));
    }
    assert_true(refused > 10);
}

static void test_period(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 2000; round++) {
        int64_t wi = 1 + below(64), wo = 1 + below(64), p = 1;
        ops_dim dim = {1, below(300) - 150, below(300) - 150};
        while (p * dim.in % wi || p * dim.out % wo)
            p++;
        assert_int_equal(ztl_ops_residue_period(&dim, wi, wo), p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_count), cmocka_unit_test(test_period)};
    (void)begin;
    (void)sorted;
    (void)moves_of;
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
