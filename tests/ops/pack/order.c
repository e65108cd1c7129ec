/* SPDX-License-Identifier: Apache-2.0
 * The order of groups: the same groups, and never more strides to write between them.
 */
#include <stdlib.h>
#include <string.h>

#include "ops/pack/packing.h"
#include "tests/unit.h"

enum { GROUPS = 20, ROUNDS = 200 };

static ops_vector vector[GROUPS];

static uint64_t state = UINT64_C(88172645463325252);

static unsigned below(unsigned n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 33) % n;
}

/* Blocks of eight strides that differ; all 32 where more than three blocks do. */
static unsigned differ(uint32_t a, uint32_t b)
{
    unsigned blocks = 0;
    for (unsigned i = 0; i < 32; i += 8)
        blocks += memcmp(&vector[a].stride[i], &vector[b].stride[i], 8 * sizeof(int32_t)) != 0;
    return 8 * blocks;
}

static unsigned writes(const ops_group *group)
{
    unsigned sum = 0;
    for (unsigned g = 1; g < GROUPS; g++)
        sum +=
            differ(group[g - 1].load, group[g].load) + differ(group[g - 1].store, group[g].store);
    return sum;
}

static int by_first(const void *a, const void *b)
{
    return (int)((const ops_group *)a)->first - (int)((const ops_group *)b)->first;
}

static void test_order(void **context)
{
    (void)context;
    unsigned before = 0, after = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        ops_pass pass = {.kind = OPS_PASS_RUNS, .slices = 32, .groups = GROUPS};
        ops_group group[GROUPS], given[GROUPS];
        for (unsigned g = 0; g < GROUPS; g++) {
            for (unsigned i = 0; i < 32; i++)
                vector[g].stride[i] = (int32_t)(i + (i % 8 ? 0 : below(3)));
            given[g] = group[g] =
                (ops_group){.load = below(GROUPS), .store = below(4), .first = g, .count = 1};
        }
        ztl_ops_order_groups(&pass, vector, group);
        assert_true(writes(group) <= writes(given));
        before += writes(given);
        after += writes(group);
        qsort(group, GROUPS, sizeof *group, by_first);
        assert_memory_equal(group, given, sizeof group);
    }
    assert_true(4 * after < 3 * before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
