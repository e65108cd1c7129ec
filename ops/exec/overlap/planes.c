/* SPDX-License-Identifier: Apache-2.0
 * Three planes interleaved and back, and elements joined by CONCAT. Three sets of registers: the
 * next batch is loaded before this one is moved and stored.
 */
#include "ops/exec/engines.h"
#include "ops/exec/overlap/overlap.h"
#include "ops/exec/planes.h"

/* The batch that is moved and stored, and the next one. */
typedef struct pipeline {
    ops_place next;
    uint8_t *now;
    bool has_next;
} pipeline;

static inline __attribute__((always_inline)) void move_on(ops_walk *walk, pipeline *p)
{
    p->now = p->next.to;
    p->has_next = ops_walk_on(walk, &p->next);
}

/* l, n: the first registers of the next batch and of this one. */
#define LOADS(l)                                                                                   \
    OPS_LOAD_TL(l, p.next.from + load[0].offset);                                                  \
    OPS_LOAD_TL((l) + 1, p.next.from + load[1].offset);                                            \
    OPS_LOAD_TL((l) + 2, p.next.from + load[2].offset)
#define STEP(MOVE, l, n)                                                                           \
    move_on(walk, &p);                                                                             \
    if (p.has_next) {                                                                              \
        LOADS(l);                                                                                  \
    }                                                                                              \
    MOVE(n, element);                                                                              \
    OPS_STORE_TL((n) + 4, p.now + store[0].offset);                                                \
    OPS_STORE_TL((n) + 5, p.now + store[1].offset);                                                \
    OPS_STORE_TL((n) + 6, p.now + store[2].offset);                                                \
    if (!p.has_next)                                                                               \
        return;
#define PLANES(name, MOVE)                                                                         \
    static void name(ops_walk *walk)                                                               \
    {                                                                                              \
        const ops_insn *load = ops_pass_insns(walk->pass), *store = load + 4;                      \
        unsigned element = load[3].arg;                                                            \
        pipeline p = {.next = ops_walk_first(walk)};                                               \
        LOADS(1);                                                                                  \
        ops_walk_stores(walk);                                                                     \
        for (;;) {                                                                                 \
            STEP(MOVE, 8, 1)                                                                       \
            STEP(MOVE, 15, 8)                                                                      \
            STEP(MOVE, 1, 15)                                                                      \
        }                                                                                          \
    }
PLANES(interleave3, OPS_INTERLEAVE3_TL)
PLANES(deinterleave3, OPS_DEINTERLEAVE3_TL)

/* Elements of up to four registers to the fifth of a set. */
#define JOIN_LOAD(l, i) OPS_LOAD_TL((l) + (i), p.next.from + load[i].offset)
#define JOIN_LOADS(l)                                                                              \
    JOIN_LOAD(l, 0);                                                                               \
    JOIN_LOAD(l, 1);                                                                               \
    if (loads > 2)                                                                                 \
        JOIN_LOAD(l, 2);                                                                           \
    if (loads > 3)                                                                                 \
    JOIN_LOAD(l, 3)
#define JOIN(n, a, i)                                                                              \
    __riscv_ztl_csrw_tmask_concat_1((uint32_t)concat[(i)-1].offset);                               \
    __riscv_ztl_csrw_tmask_concat_2(concat[(i)-1].arg);                                            \
    OPS_CONCAT_TL((n) + (i), (n) + 4, a, (n) + (i))
#define JOIN_STEP(l, n)                                                                            \
    move_on(walk, &p);                                                                             \
    if (p.has_next) {                                                                              \
        JOIN_LOADS(l);                                                                             \
    }                                                                                              \
    JOIN(n, n, 1);                                                                                 \
    if (loads > 2) {                                                                               \
        JOIN(n, (n) + 4, 2);                                                                       \
    }                                                                                              \
    if (loads > 3) {                                                                               \
        JOIN(n, (n) + 4, 3);                                                                       \
    }                                                                                              \
    OPS_STORE_TL((n) + 4, p.now + store->offset);                                                  \
    if (!p.has_next)                                                                               \
        return;

static void join(ops_walk *walk)
{
    unsigned loads = walk->pass->insns / 2;
    const ops_insn *load = ops_pass_insns(walk->pass), *concat = load + loads,
                   *store = concat + loads - 1;
    pipeline p = {.next = ops_walk_first(walk)};
    JOIN_LOADS(1);
    ops_walk_stores(walk);
    for (;;) {
        JOIN_STEP(6, 1)
        JOIN_STEP(11, 6)
        JOIN_STEP(1, 11)
    }
}

OPS_OVERLAP_GROUPS(interleave3)
OPS_OVERLAP_GROUPS(deinterleave3)
OPS_OVERLAP_GROUPS(join)
