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

/* What is in the pipeline: a batch to be loaded, one to be permuted, one to be stored, if there
 * are. */
typedef struct pipeline {
    ops_place next;
    uint8_t *now, *last;
    bool has_next, has_now, has_last;
} pipeline;

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

enum { SHORT = 7 }; /* fewer batches are not worth a loop of their own */

/* Whether there are steps enough for it to be worth while. */
static inline bool is_long(const ops_walk *walk, const pipeline *p)
{
    if (!p->has_next)
        return false;
    if (!walk->pass->loops)
        return walk->end - p->next.batch >= SHORT;
    return p->next.left + (p->next.second - 1) * walk->inner.n >= SHORT;
}

/* The next batch of two loops, whose steps are in registers of the hart. */
#define QUICK_ADVANCE                                                                              \
    from += inner.in;                                                                              \
    to += inner.out;                                                                               \
    if (__builtin_expect(--left == 0, 0)) {                                                        \
        from += second.in;                                                                         \
        to += second.out;                                                                          \
        left = inner.n;                                                                            \
        again--;                                                                                   \
    }

/* The offsets of the first load and the first store are in the walk, those of the others are seen
 * from there. */
#define PAIR_LOADS(t, from)                                                                        \
    do {                                                                                           \
        OPS_LOAD_TL(t, from);                                                                      \
        if (__builtin_expect(two, 1))                                                              \
            OPS_LOAD_TL((t) + 1, (from) + in_1);                                                   \
    } while (0)
#define PAIR_MOVE(w, t) OPS_PERMUTE_TL((t) >> 1, w, t, (t) + 1, dims)
#define PAIR_STORES(t, to)                                                                         \
    do {                                                                                           \
        OPS_STORE_TL(t, to);                                                                       \
        if (__builtin_expect(both, 1))                                                             \
            OPS_STORE_TL((t) + 1, (to) + out_1);                                                   \
    } while (0)
#define PAIR(w, t, from, to)                                                                       \
    do {                                                                                           \
        PAIR_LOADS(t, from);                                                                       \
        PAIR_MOVE(w, t);                                                                           \
        PAIR_STORES(t, to);                                                                        \
    } while (0)
/* Two batches of a list, from both halves of it: as stores of a pair often reach into each other,
 * they are in turn. */
#define TWO_PAIRS(w, t)                                                                            \
    do {                                                                                           \
        const uint8_t *from_0 = from + batch->in, *from_1 = from + half->in;                       \
        uint8_t *to_0 = to + batch->out, *to_1 = to + half->out;                                   \
        OPS_LOAD_TL(t, from_0);                                                                    \
        if (__builtin_expect(two, 1))                                                              \
            OPS_LOAD_TL((t) + 1, from_0 + in_1);                                                   \
        OPS_LOAD_TL((t) + 2, from_1);                                                              \
        if (__builtin_expect(two, 1))                                                              \
            OPS_LOAD_TL((t) + 3, from_1 + in_1);                                                   \
        OPS_PERMUTE_TL((t) >> 1, w, t, (t) + 1, dims);                                             \
        OPS_PERMUTE_TL(((t) >> 1) + 1, w, (t) + 2, (t) + 3, dims);                                 \
        OPS_STORE_TL(t, to_0);                                                                     \
        OPS_STORE_TL((t) + 2, to_1);                                                               \
        if (__builtin_expect(both, 1)) {                                                           \
            OPS_STORE_TL((t) + 1, to_0 + out_1);                                                   \
            OPS_STORE_TL((t) + 3, to_1 + out_1);                                                   \
        }                                                                                          \
        batch++;                                                                                   \
        half++;                                                                                    \
    } while (0)
#define PAIR_OFFSETS                                                                               \
    const ops_insn *insn = ops_pass_insns(walk->pass);                                             \
    const bool two = ops_code_of(insn + 1) == OPS_LOAD; /* or one load */                          \
    const ops_insn *permute = insn + 1 + two, *store = permute + 1;                                \
    const bool both = walk->pass->insns == 4u + two; /* or one store */                            \
    int64_t in_1 = two ? insn[1].offset - insn[0].offset : 0,                                      \
            out_1 = both ? store[1].offset - store[0].offset : 0;                                  \
    unsigned long dims = permute->arg
/* Loops: a batch is loaded, one permuted and one stored in each step; l, n, s: their registers. */
#define STEP_2(w, l, n, s)                                                                         \
    if (!move_on(walk, &p)) {                                                                      \
        if (p.has_last)                                                                            \
            PAIR_STORES(s, p.last);                                                                \
        return;                                                                                    \
    }                                                                                              \
    if (p.has_next)                                                                                \
        PAIR_LOADS(l, p.next.from);                                                                \
    if (p.has_last)                                                                                \
        PAIR_STORES(s, p.last);                                                                    \
    PAIR_MOVE(w, n);
#define QUICK_STEP_2(w, l, n, s)                                                                   \
    last = now;                                                                                    \
    now = to;                                                                                      \
    QUICK_ADVANCE                                                                                  \
    PAIR_LOADS(l, from);                                                                           \
    PAIR_STORES(s, last);                                                                          \
    PAIR_MOVE(w, n);
#define PAIR_LOOP(w)                                                                               \
    static void pair_loop_##w(ops_walk *walk)                                                      \
    {                                                                                              \
        PAIR_OFFSETS;                                                                              \
        pipeline p = start(walk);                                                                  \
        PAIR_LOADS(1, p.next.from);                                                                \
        STEP_2(w, 3, 1, 7)                                                                         \
        ops_walk_stores(walk);                                                                     \
        for (;;) {                                                                                 \
            if (is_long(walk, &p)) {                                                               \
                const ops_dim inner = walk->inner, second = walk->second;                          \
                int64_t left = p.next.left, again = p.next.second;                                 \
                const uint8_t *from = p.next.from;                                                 \
                uint8_t *to = p.next.to, *now = p.now, *last;                                      \
                for (int64_t all = left + (again - 1) * inner.n; all > 4; all -= 4) {              \
                    QUICK_STEP_2(w, 5, 3, 1)                                                       \
                    QUICK_STEP_2(w, 7, 5, 3)                                                       \
                    QUICK_STEP_2(w, 1, 7, 5)                                                       \
                    QUICK_STEP_2(w, 3, 1, 7)                                                       \
                }                                                                                  \
                p.next.left = left;                                                                \
                p.next.second = again;                                                             \
                p.next.from = from;                                                                \
                p.next.to = to;                                                                    \
                p.now = now;                                                                       \
            }                                                                                      \
            STEP_2(w, 5, 3, 1)                                                                     \
            STEP_2(w, 7, 5, 3)                                                                     \
            STEP_2(w, 1, 7, 5)                                                                     \
            STEP_2(w, 3, 1, 7)                                                                     \
        }                                                                                          \
    }
/* Short loops: one batch after the other, as there is more to do between them. */
#define NEXT_PAIR(w, t)                                                                            \
    if (!ops_walk_on_all(walk, &at))                                                               \
        return;                                                                                    \
    PAIR(w, t, at.from, at.to);
#define PAIR_SHORT(w)                                                                              \
    static void pair_short_##w(ops_walk *walk)                                                     \
    {                                                                                              \
        PAIR_OFFSETS;                                                                              \
        ops_place at = ops_walk_first(walk);                                                       \
        PAIR_LOADS(1, at.from);                                                                    \
        ztl_ops_first_stores(walk->pass);                                                          \
        PAIR_MOVE(w, 1);                                                                           \
        PAIR_STORES(1, at.to);                                                                     \
        for (;;) {                                                                                 \
            NEXT_PAIR(w, 3)                                                                        \
            NEXT_PAIR(w, 5)                                                                        \
            NEXT_PAIR(w, 7)                                                                        \
            NEXT_PAIR(w, 1)                                                                        \
        }                                                                                          \
    }
PAIR_LOOP(b)
PAIR_SHORT(b)
PAIR_LOOP(h)
PAIR_SHORT(h)
PAIR_LOOP(w)
PAIR_SHORT(w)
PAIR_LOOP(d)
PAIR_SHORT(d)

#define PAIRS(w)                                                                                   \
    static void pair_list_##w(ops_walk *walk)                                                      \
    {                                                                                              \
        PAIR_OFFSETS;                                                                              \
        const uint8_t *from = walk->from;                                                          \
        uint8_t *to = walk->to;                                                                    \
        PAIR_LOADS(1, from + walk->first->in);                                                     \
        PAIR_MOVE(w, 1);                                                                           \
        ztl_ops_first_stores(walk->pass);                                                          \
        PAIR_STORES(1, to + walk->first->out);                                                     \
        walk->first++;                                                                             \
        do {                                                                                       \
            const ops_batch *batch = walk->first, *end = walk->end,                                \
                            *half = batch + (end - batch) / 2;                                     \
            if ((end - batch) & 1) {                                                               \
                end--;                                                                             \
                PAIR(w, 3, from + end->in, to + end->out);                                         \
            }                                                                                      \
            while (half != end) {                                                                  \
                TWO_PAIRS(w, 5);                                                                   \
                if (half == end)                                                                   \
                    break;                                                                         \
                TWO_PAIRS(w, 1);                                                                   \
            }                                                                                      \
        } while (ztl_ops_walk_group(walk));                                                        \
    }                                                                                              \
    static void pairs_##w(ops_walk *walk)                                                          \
    {                                                                                              \
        if (!walk->pass->loops)                                                                    \
            pair_list_##w(walk);                                                                   \
        else if (walk->inner.n * walk->second.n < SHORT)                                           \
            pair_short_##w(walk);                                                                  \
        else                                                                                       \
            do                                                                                     \
                pair_loop_##w(walk);                                                               \
            while (ztl_ops_walk_group(walk));                                                      \
    }
PAIRS(b)
PAIRS(h)
PAIRS(w)
PAIRS(d)
#define RUN_PAIRS(w, walk) pairs_##w(walk)

void ztl_ops_overlap_pair(ops_walk *walk)
{
    const ops_insn *insn = ops_pass_insns(walk->pass), *permute = insn;
    while (ops_code_of(permute) == OPS_LOAD)
        permute++;
    walk->from += insn->offset;
    walk->to += permute[1].offset;
    BY_WIDTH(permute->width, RUN_PAIRS, walk)
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

/* Steps inside two loops or a list, with everything that does not change in registers of the hart:
 * as STEP_4, three times over as often as there is a next batch for it. */
#define QUICK_STEP_4(w, ADVANCE, l, n, s)                                                          \
    last = now;                                                                                    \
    now = to;                                                                                      \
    ADVANCE;                                                                                       \
    OPS_LOAD_TL(l, from + in_0);                                                                   \
    OPS_LOAD_TL((l) + 1, from + in_1);                                                             \
    OPS_STORE_TL(s, last + out_0);                                                                 \
    OPS_STORE_TL((s) + 1, last + out_1);                                                           \
    __riscv_ztl_csrw_tl_transpose_perm(order_0);                                                   \
    OPS_PERMUTE_TL(0, w, n, (n) + 2, dims_0);                                                      \
    OPS_PERMUTE_TL(1, w, (n) + 1, (n) + 3, dims_0);                                                \
    OPS_LOAD_TL((l) + 2, from + in_2);                                                             \
    OPS_LOAD_TL((l) + 3, from + in_3);                                                             \
    OPS_STORE_TL((s) + 2, last + out_2);                                                           \
    OPS_STORE_TL((s) + 3, last + out_3);                                                           \
    __riscv_ztl_csrw_tl_transpose_perm(order_1);                                                   \
    OPS_PERMUTE_TL(0, w, n, (n) + 1, dims_1);                                                      \
    OPS_PERMUTE_TL(1, w, (n) + 2, (n) + 3, dims_1);
#define QUICK_STEPS_4(w, ADVANCE)                                                                  \
    QUICK_STEP_4(w, ADVANCE, 9, 5, 1)                                                              \
    QUICK_STEP_4(w, ADVANCE, 1, 9, 5)                                                              \
    QUICK_STEP_4(w, ADVANCE, 5, 1, 9)
#define QUICK_4(w)                                                                                 \
    static __attribute__((noinline)) void quick_4_##w(const ops_walk *walk, const ops_insn *load,  \
                                                      const unsigned long *dims, pipeline *p)      \
    {                                                                                              \
        const ops_insn *stage = load + 4, *store = stage + 6;                                      \
        const int64_t in_0 = load[0].offset, in_1 = load[1].offset, in_2 = load[2].offset,         \
                      in_3 = load[3].offset, out_0 = store[0].offset, out_1 = store[1].offset,     \
                      out_2 = store[2].offset, out_3 = store[3].offset;                            \
        const unsigned long order_0 = stage[0].arg, dims_0 = dims[0], order_1 = stage[3].arg,      \
                            dims_1 = dims[1];                                                      \
        const uint8_t *from = p->next.from;                                                        \
        uint8_t *to = p->next.to, *now = p->now, *last;                                            \
        if (walk->pass->loops) {                                                                   \
            const ops_dim inner = walk->inner, second = walk->second;                              \
            int64_t left = p->next.left, again = p->next.second;                                   \
            int64_t all = left + (again - 1) * inner.n;                                            \
            for (; all > 3; all -= 3) {                                                            \
                QUICK_STEPS_4(w, QUICK_ADVANCE)                                                    \
            }                                                                                      \
            p->next.left = left;                                                                   \
            p->next.second = again;                                                                \
        } else {                                                                                   \
            const ops_batch *batch = p->next.batch, *end = walk->end - 3;                          \
            const uint8_t *first = walk->from;                                                     \
            uint8_t *target = walk->to;                                                            \
            while (batch < end) {                                                                  \
                QUICK_STEPS_4(w, (batch++, from = first + batch->in, to = target + batch->out))    \
            }                                                                                      \
            p->next.batch = batch;                                                                 \
        }                                                                                          \
        p->next.from = from;                                                                       \
        p->next.to = to;                                                                           \
        p->now = now;                                                                              \
    }
QUICK_4(b)
QUICK_4(h)
QUICK_4(w)
QUICK_4(d)
#define RUN_QUICK_4(w, ...) quick_4_##w(__VA_ARGS__)

/* The dimensions of a stage in elements of another width: of a wider one if the last of them stay
 * where they are and are whole ones; else 0. */
static unsigned long widen(const ops_insn *stage, unsigned width)
{
    unsigned by = width - stage[1].width, last = stage[1].arg >> 24;
    if (by && (stage->arg >> 6 != 3 || last & ((1u << by) - 1)))
        return 0;
    return (stage[1].arg & 0xffffff) | last >> by << 24;
}

static __attribute__((noinline)) void run_quick_4(const ops_walk *walk, pipeline *p)
{
    const ops_insn *load = ops_pass_insns(walk->pass), *stage = load + 4;
    const unsigned width = stage[1].width > stage[4].width ? stage[1].width : stage[4].width;
    const unsigned long both[] = {widen(stage, width), widen(stage + 3, width)};
    if (both[0] && both[1]) {
        BY_WIDTH(width, RUN_QUICK_4, walk, load, both, p)
    }
}

static void tiles_4(ops_walk *walk)
{
    const ops_insn *load = ops_pass_insns(walk->pass), *stage = load + 4, *store = stage + 6;
    pipeline p = start(walk);
    LOAD(1, 0);
    LOAD(1, 1);
    LOAD(1, 2);
    LOAD(1, 3);
    STEP_4(5, 1, 9)
    ops_walk_stores(walk);
    for (;;) {
        if (is_long(walk, &p)) {
            pipeline q = p; /* p stays in registers */
            run_quick_4(walk, &q);
            p = q;
        }
        STEP_4(9, 5, 1)
        STEP_4(1, 9, 5)
        STEP_4(5, 1, 9)
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
    STEP_8(9, 1, 17)
    ops_walk_stores(walk);
    for (;;) {
        STEP_8(17, 9, 1)
        STEP_8(1, 17, 9)
        STEP_8(9, 1, 17)
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
        ops_walk_stores(walk);
        p.has_next = ops_walk_on(walk, &p.next);
    }
}

OPS_OVERLAP_GROUPS(tiles_4)
OPS_OVERLAP_GROUPS(tiles_8)
OPS_OVERLAP_GROUPS(tiles_16)
