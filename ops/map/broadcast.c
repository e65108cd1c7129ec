/* SPDX-License-Identifier: Apache-2.0
 * Loops over several tensors of broadcast shapes at once.
 */
#include "ops/map/broadcast.h"

/* The step of a tensor along dimension d of a tensor of `rank` to which it is broadcast. */
static int64_t step_of(const ztl_ops_tensor *t, unsigned d, unsigned rank)
{
    int own = (int)(d + t->rank) - (int)rank;
    return own < 0 || t->extent[own] == 1 ? 0 : t->stride[own];
}

/* The dimensions of a tensor, largest stride first. */
static void order_of(const ztl_ops_tensor *t, unsigned *order)
{
    for (unsigned d = 0; d < t->rank; d++) {
        unsigned k = d;
        for (; k > 0 && ops_magnitude(t->stride[order[k - 1]]) < ops_magnitude(t->stride[d]); k--)
            order[k] = order[k - 1];
        order[k] = d;
    }
}

/* Adds an innermost loop, or merges it with the last one. */
static void add_loop(ops_loops *loops, int64_t n, const int64_t *step)
{
    uint64_t last = loops->rank - 1;
    bool joins = loops->rank > 0;
    for (unsigned i = 0; joins && i < OPS_TOGETHER; i++)
        joins = loops->step[last][i] == n * step[i];
    uint64_t at = joins ? last : loops->rank++;
    loops->n[at] = joins ? loops->n[at] * n : n;
    memcpy(loops->step[at], step, sizeof loops->step[at]);
}

ops_loops ztl_ops_loops_of(const ztl_ops_tensor *const *tensor, unsigned count)
{
    const ztl_ops_tensor *all = tensor[count - 1];
    ops_loops loops = {.rank = 0};
    unsigned order[ZTL_OPS_RANK];
    order_of(all, order);
    for (unsigned i = 0; i < count; i++)
        loops.at[i] = tensor[i]->offset;
    for (unsigned k = 0; k < all->rank; k++) {
        int64_t step[OPS_TOGETHER] = {0};
        for (unsigned i = 0; i < count; i++)
            step[i] = step_of(tensor[i], order[k], all->rank);
        if (all->extent[order[k]] != 1)
            add_loop(&loops, all->extent[order[k]], step);
    }
    if (!loops.rank)
        add_loop(&loops, 1, (int64_t[OPS_TOGETHER]){0});
    return loops;
}
