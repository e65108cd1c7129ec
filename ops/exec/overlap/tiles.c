/* SPDX-License-Identifier: Apache-2.0
 * Tiles through 2 to 16 registers. Of two registers there are four sets, and each batch is written
 * down as it is: the queues of the engines are long enough. Of four and eight there are three: in
 * each stage of PERMUTEs of one batch, some loads of the next and some stores of the last one.
 * Sixteen have no room for another set: a register is loaded as soon as it is stored.
 */
#include "ops/exec/engines.h"
#include "ops/exec/overlap/overlap.h"

/* One code for each width, as the intrinsics have: EACH(w) with it. */
#define BY_WIDTH(width, EACH, ...)                                                                 \
    switch (width) {                                                                               \
    case 0:                                                                                        \
        EACH(b, __VA_ARGS__);                                                                      \
        break;                                                                                     \
    case 1:                                                                                        \
        EACH(h, __VA_ARGS__);                                                                      \
        break;                                                                                     \
    case 2:                                                                                        \
        EACH(w, __VA_ARGS__);                                                                      \
        break;                                                                                     \
    default:                                                                                       \
        EACH(d, __VA_ARGS__);                                                                      \
    }

/* The offsets of the first load and the first store are in the walk, those of the others are seen
 * from there. */
#define PAIR(w, t, from, to)                                                                       \
    do {                                                                                           \
        OPS_LOAD_TL(t, from);                                                                      \
        OPS_LOAD_TL((t) + 1, (from) + in_1);                                                       \
        OPS_PERMUTE_TL((t) >> 1, w, t, (t) + 1, dims);                                             \
        OPS_STORE_TL(t, to);                                                                       \
        OPS_STORE_TL((t) + 1, (to) + out_1);                                                       \
    } while (0)
#define NEXT_PAIR(w, t)                                                                            \
    do {                                                                                           \
        PAIR(w, t, at.from, at.to);                                                                \
        at.from += at.in;                                                                          \
        at.to += at.out;                                                                           \
    } while (0)

/* Two batches of a list, from both halves of it: as stores of a pair often reach into each other,
 * they are in turn. */
#define TWO_PAIRS(w, t)                                                                            \
    do {                                                                                           \
        const uint8_t *from_0 = from + batch->in, *from_1 = from + half->in;                       \
        uint8_t *to_0 = to + batch->out, *to_1 = to + half->out;                                   \
        OPS_LOAD_TL(t, from_0);                                                                    \
        OPS_LOAD_TL((t) + 1, from_0 + in_1);                                                       \
        OPS_LOAD_TL((t) + 2, from_1);                                                              \
        OPS_LOAD_TL((t) + 3, from_1 + in_1);                                                       \
        OPS_PERMUTE_TL((t) >> 1, w, t, (t) + 1, dims);                                             \
        OPS_PERMUTE_TL(((t) >> 1) + 1, w, (t) + 2, (t) + 3, dims);                                 \
        OPS_STORE_TL(t, to_0);                                                                     \
        OPS_STORE_TL((t) + 2, to_1);                                                               \
        OPS_STORE_TL((t) + 1, to_0 + out_1);                                                       \
        OPS_STORE_TL((t) + 3, to_1 + out_1);                                                       \
        batch++;                                                                                   \
        half++;                                                                                    \
    } while (0)
#define PAIR_OFFSETS                                                                               \
    const ops_insn *insn = ops_pass_insns(walk->pass);                                             \
    int64_t in_1 = insn[1].offset - insn[0].offset, out_1 = insn[4].offset - insn[3].offset;       \
    unsigned long dims = insn[2].arg
#define PAIRS(w)                                                                                   \
    static void pair_list_##w(ops_walk *walk)                                                      \
    {                                                                                              \
        PAIR_OFFSETS;                                                                              \
        const uint8_t *from = walk->from;                                                          \
        uint8_t *to = walk->to;                                                                    \
        do {                                                                                       \
            const ops_batch *batch = walk->first, *end = walk->end,                                \
                            *half = batch + (end - batch) / 2;                                     \
            if ((end - batch) & 1) {                                                               \
                end--;                                                                             \
                PAIR(w, 1, from + end->in, to + end->out);                                         \
            }                                                                                      \
            while (half != end) {                                                                  \
                TWO_PAIRS(w, 3);                                                                   \
                if (half == end)                                                                   \
                    break;                                                                         \
                TWO_PAIRS(w, 7);                                                                   \
            }                                                                                      \
        } while (ztl_ops_walk_group(walk));                                                        \
    }                                                                                              \
    static void pair_loop_##w(ops_walk *walk)                                                      \
    {                                                                                              \
        PAIR_OFFSETS;                                                                              \
        ops_place at = ops_walk_first(walk);                                                       \
        do {                                                                                       \
            for (; at.left >= 4; at.left -= 4) {                                                   \
                NEXT_PAIR(w, 1);                                                                   \
                NEXT_PAIR(w, 3);                                                                   \
                NEXT_PAIR(w, 5);                                                                   \
                NEXT_PAIR(w, 7);                                                                   \
            }                                                                                      \
            if (at.left & 2) {                                                                     \
                NEXT_PAIR(w, 1);                                                                   \
                NEXT_PAIR(w, 3);                                                                   \
            }                                                                                      \
            if (at.left & 1)                                                                       \
                NEXT_PAIR(w, 5);                                                                   \
        } while (ops_walk_run(walk, &at, false));                                                  \
    }                                                                                              \
    static void pairs_##w(ops_walk *walk)                                                          \
    {                                                                                              \
        if (walk->pass->loops)                                                                     \
            pair_loop_##w(walk);                                                                   \
        else                                                                                       \
            pair_list_##w(walk);                                                                   \
    }
PAIRS(b)
PAIRS(h)
PAIRS(w)
PAIRS(d)
#define RUN_PAIRS(w, walk) pairs_##w(walk)

void ztl_ops_overlap_pair(ops_walk *walk)
{
    const ops_insn *insn = ops_pass_insns(walk->pass);
    walk->from += insn[0].offset;
    walk->to += insn[3].offset;
    BY_WIDTH(insn[2].width, RUN_PAIRS, walk)
}

/* PERMUTEs of registers that differ in a bit; t: the first of the set. */
#define ONE(w, t, i, bit)                                                                          \
    OPS_PERMUTE_TL((bit) == 1 ? (i) >> 1 : (i), w, (t) + (i), (t) + (i) + (bit), dims)
#define TWO_1(w, t)    ONE(w, t, 0, 1), ONE(w, t, 2, 1)
#define TWO_2(w, t)    ONE(w, t, 0, 2), ONE(w, t, 1, 2)
#define FOUR_1(w, t)   TWO_1(w, t), TWO_1(w, (t) + 4)
#define FOUR_2(w, t)   TWO_2(w, t), TWO_2(w, (t) + 4)
#define FOUR_4(w, t)   ONE(w, t, 0, 4), ONE(w, t, 1, 4), ONE(w, t, 2, 4), ONE(w, t, 3, 4)
#define EIGHT_1(w, t)  FOUR_1(w, t), FOUR_1(w, (t) + 8)
#define EIGHT_2(w, t)  FOUR_2(w, t), FOUR_2(w, (t) + 8)
#define EIGHT_4(w, t)  FOUR_4(w, t), FOUR_4(w, (t) + 8)
#define TWO_8(w, t, i) ONE(w, t, i, 8), ONE(w, t, (i) + 1, 8)

/* The PERMUTEs of a stage, which begins at its ORDER. */
#define STAGE(insn, EACH, t)                                                                       \
    do {                                                                                           \
        unsigned long dims = (insn)[1].arg;                                                        \
        __riscv_ztl_csrw_tl_transpose_perm((insn)->arg);                                           \
        BY_WIDTH((insn)[1].width, EACH, t)                                                         \
    } while (0)

/* What is in the pipeline: a batch to be loaded, one to be permuted, one to be stored, if there
 * are. */
typedef struct pipeline {
    ops_place next;
    uint8_t *now, *last;
    bool has_next, has_now, has_last;
} pipeline;

#define LOAD(t, i)  OPS_LOAD_TL((t) + (i), p.next.from + load[i].offset)
#define STORE(t, i) OPS_STORE_TL((t) + (i), p.last + store[i].offset)
#define LOAD_IF(...)                                                                               \
    if (p.has_next) {                                                                              \
        __VA_ARGS__;                                                                               \
    }
#define STORE_IF(...)                                                                              \
    if (p.has_last) {                                                                              \
        __VA_ARGS__;                                                                               \
    }

static inline __attribute__((always_inline)) pipeline start(const ops_walk *walk)
{
    return (pipeline){.next = ops_walk_first(walk), .has_next = true};
}

/* Moves on by a batch: false when there is none to permute. */
static inline __attribute__((always_inline)) bool move_on(ops_walk *walk, pipeline *p)
{
    p->last = p->now;
    p->has_last = p->has_now;
    p->now = p->next.to;
    p->has_now = p->has_next;
    if (p->has_next)
        p->has_next = ops_walk_on(walk, &p->next);
    return p->has_now;
}

/* l, n, s: the first registers of what is loaded, permuted, stored. */
#define STEP_4(l, n, s)                                                                            \
    if (!move_on(walk, &p)) {                                                                      \
        STORE_IF(STORE(s, 0); STORE(s, 1); STORE(s, 2); STORE(s, 3))                               \
        return;                                                                                    \
    }                                                                                              \
    LOAD_IF(LOAD(l, 0); LOAD(l, 1))                                                                \
    STORE_IF(STORE(s, 0); STORE(s, 1))                                                             \
    STAGE(stage, TWO_2, n);                                                                        \
    LOAD_IF(LOAD(l, 2); LOAD(l, 3))                                                                \
    STORE_IF(STORE(s, 2); STORE(s, 3))                                                             \
    STAGE(stage + 3, TWO_1, n);

static void tiles_4(ops_walk *walk)
{
    const ops_insn *load = ops_pass_insns(walk->pass), *stage = load + 4, *store = stage + 6;
    pipeline p = start(walk);
    LOAD(1, 0);
    LOAD(1, 1);
    LOAD(1, 2);
    LOAD(1, 3);
    for (;;) {
        STEP_4(5, 1, 9)
        STEP_4(9, 5, 1)
        STEP_4(1, 9, 5)
    }
}

#define STEP_8(l, n, s)                                                                            \
    if (!move_on(walk, &p)) {                                                                      \
        STORE_IF(STORE(s, 0); STORE(s, 1); STORE(s, 2); STORE(s, 3); STORE(s, 4); STORE(s, 5);     \
                 STORE(s, 6); STORE(s, 7))                                                         \
        return;                                                                                    \
    }                                                                                              \
    LOAD_IF(LOAD(l, 0); LOAD(l, 1); LOAD(l, 2))                                                    \
    STORE_IF(STORE(s, 0); STORE(s, 1); STORE(s, 2))                                                \
    STAGE(stage, FOUR_4, n);                                                                       \
    LOAD_IF(LOAD(l, 3); LOAD(l, 4); LOAD(l, 5))                                                    \
    STORE_IF(STORE(s, 3); STORE(s, 4); STORE(s, 5))                                                \
    STAGE(stage + 5, FOUR_2, n);                                                                   \
    LOAD_IF(LOAD(l, 6); LOAD(l, 7))                                                                \
    STORE_IF(STORE(s, 6); STORE(s, 7))                                                             \
    STAGE(stage + 10, FOUR_1, n);

static void tiles_8(ops_walk *walk)
{
    const ops_insn *load = ops_pass_insns(walk->pass), *stage = load + 8, *store = stage + 15;
    pipeline p = start(walk);
    LOAD(1, 0);
    LOAD(1, 1);
    LOAD(1, 2);
    LOAD(1, 3);
    LOAD(1, 4);
    LOAD(1, 5);
    LOAD(1, 6);
    LOAD(1, 7);
    for (;;) {
        STEP_8(9, 1, 17)
        STEP_8(17, 9, 1)
        STEP_8(1, 17, 9)
    }
}

/* Registers that the first stage takes together, stored and loaded again; then their PERMUTEs. */
#define STORE_AND_LOAD(i)                                                                          \
    STORE_IF(STORE(1, i))                                                                          \
    LOAD_IF(LOAD(1, i))
#define FOUR_IN_TURN(i)                                                                            \
    STORE_AND_LOAD(i)                                                                              \
    STORE_AND_LOAD((i) + 8)                                                                        \
    STORE_AND_LOAD((i) + 1)                                                                        \
    STORE_AND_LOAD((i) + 9)                                                                        \
    if (p.has_next) {                                                                              \
        unsigned long dims = stage[1].arg;                                                         \
        BY_WIDTH(stage[1].width, TWO_8, 1, i)                                                      \
    }

static void tiles_16(ops_walk *walk)
{
    const ops_insn *load = ops_pass_insns(walk->pass), *stage = load + 16, *store = stage + 36;
    pipeline p = start(walk);
    for (;;) {
        if (p.has_next)
            __riscv_ztl_csrw_tl_transpose_perm(stage->arg);
        FOUR_IN_TURN(0)
        FOUR_IN_TURN(2)
        FOUR_IN_TURN(4)
        FOUR_IN_TURN(6)
        p.last = p.next.to;
        p.has_last = p.has_next;
        if (!p.has_next)
            return;
        STAGE(stage + 9, EIGHT_4, 1);
        STAGE(stage + 18, EIGHT_2, 1);
        STAGE(stage + 27, EIGHT_1, 1);
        p.has_next = ops_walk_on(walk, &p.next);
    }
}

OPS_OVERLAP_GROUPS(tiles_4)
OPS_OVERLAP_GROUPS(tiles_8)
OPS_OVERLAP_GROUPS(tiles_16)
