/* SPDX-License-Identifier: Apache-2.0
 * Where the batches of a pass are, one after the other: in each group, inside the outer loops of
 * the pass, the list of the group, and for each of that the two innermost loops.
 */
#ifndef ZTL_OPS_WALK_H
#define ZTL_OPS_WALK_H

#include "ops/exec/exec.h"

/* What does not change from batch to batch. */
typedef struct ops_walk {
    const uint8_t *from; /* of the index of the outer loops */
    uint8_t *to;
    const ops_pass *pass;
    const ops_group *group, *last; /* this one, and the last of the pass */
    const ops_vector *vector;
    const ops_batch *first, *end; /* of the group */
    ops_dim inner, second; /* the two innermost loops; a step of the second follows the last one of
                              the first */
    unsigned depth;        /* of the other loops */
    bool is_first;         /* group, whose strides of stores have not been set */
    int64_t at[OPS_DIMS];
} ops_walk;

/* What does. It has copies of what is needed for each batch, as instructions that access memory
 * make the compiler read the walk again. */
typedef struct ops_place {
    const uint8_t *from;
    uint8_t *to;
    int64_t left, in, out; /* of the innermost loop */
    int64_t second;        /* left of the second */
    const ops_batch *batch;
} ops_place;

/* How a pass begins: its walk, with the strides of loads; then, while the first loads run, those of
 * stores. */
void ztl_ops_walk_start(ops_walk *walk, const ops_pass *pass, const uint8_t *from, uint8_t *to);
void ztl_ops_first_stores(const ops_pass *pass);

/* The next group, and the next index of the outer loops: false after the last. Groups set their
 * strides. */
bool ztl_ops_walk_group(ops_walk *walk);
bool ztl_ops_walk_outside(ops_walk *walk);

/* Before the first store of a group. */
static inline __attribute__((always_inline)) void ops_walk_stores(ops_walk *walk)
{
    if (__builtin_expect(walk->is_first, 0))
        ztl_ops_first_stores(walk->pass);
    walk->is_first = false;
}

static inline __attribute__((always_inline)) void ops_walk_to(const ops_walk *walk,
                                                              ops_place *place)
{
    place->from = walk->from + place->batch->in;
    place->to = walk->to + place->batch->out;
    place->left = walk->inner.n;
    place->second = walk->second.n;
}

static inline __attribute__((always_inline)) ops_place ops_walk_first(const ops_walk *walk)
{
    ops_place place = {.in = walk->inner.in, .out = walk->inner.out, .batch = walk->first};
    ops_walk_to(walk, &place);
    return place;
}

/* Behind the first batches of the innermost loop. */
static inline __attribute__((always_inline)) void ops_walk_skip(ops_place *place, int64_t count)
{
    place->from += count * place->in;
    place->to += count * place->out;
    place->left -= count;
}

/* From behind the last step of the innermost loop to the first of the next one. */
static inline __attribute__((always_inline)) bool ops_walk_run(ops_walk *walk, ops_place *place,
                                                               bool in_group)
{
    if (--place->second > 0) {
        place->from += walk->second.in;
        place->to += walk->second.out;
        place->left = walk->inner.n;
        return true;
    }
    if (++place->batch == walk->end) {
        if (!ztl_ops_walk_outside(walk) && (in_group || !ztl_ops_walk_group(walk)))
            return false;
        place->batch = walk->first;
    }
    ops_walk_to(walk, place);
    return true;
}

static inline __attribute__((always_inline)) bool ops_walk_step(ops_walk *walk, ops_place *place,
                                                                bool in_group)
{
    place->from += place->in;
    place->to += place->out;
    if (__builtin_expect(--place->left > 0, 1))
        return true;
    return ops_walk_run(walk, place, in_group);
}

/* Goes to the next batch of the group, or of the pass; false after the last. A group that follows
 * changes the strides: what is in flight must have been issued. */
#define ops_walk_on(walk, place)     ops_walk_step(walk, place, true)
#define ops_walk_on_all(walk, place) ops_walk_step(walk, place, false)

#endif
