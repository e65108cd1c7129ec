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

/* The strides of a pass's first group. */
void ztl_ops_set_first(const ops_pass *pass, const ops_vector *vector, const ops_group *group);

/* The first group of a pass, the next one, and the next index of the outer loops: false after the
 * last. Groups set their strides. */
void ztl_ops_walk_start(ops_walk *walk, const ops_pass *pass, const uint8_t *from, uint8_t *to);
bool ztl_ops_walk_group(ops_walk *walk);
bool ztl_ops_walk_outside(ops_walk *walk);

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
