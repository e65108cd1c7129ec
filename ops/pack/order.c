/* SPDX-License-Identifier: Apache-2.0
 * The order of groups: after each one, that of which the fewest strides must be written.
 */
#include "ops/format/body.h"
#include "ops/pack/packing.h"

enum { MOST_GROUPS = 128 }; /* as each is compared with every other one */

static unsigned writes_between(const ops_vector *vector, unsigned slices, uint32_t a, uint32_t b)
{
    return a == b ? 0 : ztl_ops_changed(ztl_ops_changes_of(&vector[a], &vector[b], slices), slices);
}

static unsigned step_cost(const ops_pass *pass, const ops_vector *vector, const ops_group *a,
                          const ops_group *b)
{
    unsigned loads =
        pass->kind == OPS_PASS_FILL ? 0 : writes_between(vector, pass->slices, a->load, b->load);
    return loads + writes_between(vector, pass->slices, a->store, b->store);
}

static uint64_t total_cost(const ops_pass *pass, const ops_vector *vector, const ops_group *group)
{
    uint64_t total = 0;
    for (uint32_t g = 1; g < pass->groups; g++)
        total += step_cost(pass, vector, &group[g - 1], &group[g]);
    return total;
}

void ztl_ops_order_groups(const ops_pass *pass, const ops_vector *vector, ops_group *group)
{
    ops_group next[MOST_GROUPS];
    if (pass->groups > MOST_GROUPS)
        return;
    memcpy(next, group, pass->groups * sizeof *group);
    for (uint32_t g = 1; g + 1 < pass->groups; g++) {
        uint32_t best = g;
        unsigned least = step_cost(pass, vector, &next[g - 1], &next[g]);
        for (uint32_t k = g + 1; least && k < pass->groups; k++) {
            unsigned cost = step_cost(pass, vector, &next[g - 1], &next[k]);
            if (cost < least) {
                least = cost;
                best = k;
            }
        }
        ops_group taken = next[best];
        memmove(&next[g + 1], &next[g], (best - g) * sizeof *next);
        next[g] = taken;
    }
    if (total_cost(pass, vector, next) <
        total_cost(pass, vector, group)) /* it looks ahead by one */
        memcpy(group, next, pass->groups * sizeof *group);
}
