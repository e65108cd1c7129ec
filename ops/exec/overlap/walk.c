/* SPDX-License-Identifier: Apache-2.0
 * How a pass begins; its outer loops, and its groups.
 */
#include "ops/exec/overlap/walk.h"

#include "ops/exec/strides.h"

bool ztl_ops_walk_outside(ops_walk *walk)
{
    const ops_dim *first = walk->pass->loop, *loop = first + walk->depth;
    int64_t *at = walk->at + walk->depth;
    while (loop-- > first) {
        walk->from += loop->in;
        walk->to += loop->out;
        if (++*--at < loop->n)
            return true;
        walk->from -= loop->in * loop->n;
        walk->to -= loop->out * loop->n;
        *at = 0;
    }
    return false;
}

bool ztl_ops_walk_group(ops_walk *walk)
{
    const ops_pass *pass = walk->pass;
    const ops_group *before = walk->group, *group = before + 1;
    if (before == walk->last)
        return false;
    walk->group = group; /* its batches follow those of the one before */
    walk->first = walk->end;
    walk->end += group->count;
    if (group->load_changes)
        ops_change_loads(pass, &walk->vector[group->load], group->load_changes);
    if (group->store_changes)
        ops_change_stores(pass, &walk->vector[group->store], group->store_changes);
    return true;
}

void ztl_ops_first_stores(const ops_pass *pass)
{
    ops_set_stores(pass, &ops_pass_vectors(pass)[ops_pass_groups(pass)->store]);
}

void ztl_ops_walk_start(ops_walk *walk, const ops_pass *pass, const uint8_t *from, uint8_t *to)
{
    const ops_vector *vector = ops_pass_vectors(pass);
    const ops_group *group = ops_pass_groups(pass);
    walk->from = from;
    walk->to = to;
    walk->pass = pass;
    walk->group = group;
    walk->last = group + pass->groups - 1;
    walk->vector = vector;
    walk->first = ops_pass_batches(pass) + group->first;
    walk->end = walk->first + group->count;
    walk->is_first = true;
    walk->depth = pass->loops;
    walk->inner = walk->second = (ops_dim){1, 0, 0};
    if (walk->depth)
        walk->inner = pass->loop[--walk->depth];
    if (walk->depth) {
        walk->second = pass->loop[--walk->depth];
        walk->second.in -= walk->inner.in * walk->inner.n;
        walk->second.out -= walk->inner.out * walk->inner.n;
    }
    for (unsigned d = walk->depth; d > 0;) {
        walk->at[--d] = 0;
        __asm__("" : : : "memory"); /* a call of memset would take longer */
    }
    if (group->load_changes)
        ops_set_loads(pass, &vector[group->load]);
}
