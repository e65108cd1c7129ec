/* SPDX-License-Identifier: Apache-2.0
 * Passes without permutes: a register is loaded and stored, to one place or to several. Four
 * registers in turn are enough: a store is as long as a load.
 */
#include "ops/exec/engines.h"
#include "ops/exec/overlap/overlap.h"

enum { FEW = 8 }; /* batches of a list that are copied before the halves of it would be found */

/* Lists of batches, no loops: from both halves in turn, as stores of neighbours often reach into
 * each other. */
static void copy_list(ops_walk *walk)
{
    const uint8_t *from = walk->from;
    uint8_t *to = walk->to;
    const ops_batch *batch, *half, *end;
#define COPY(t, batch)                                                                             \
    OPS_LOAD_TL(t, from + (batch).in);                                                             \
    OPS_STORE_TL(t, to + (batch).out)
    do {
        batch = walk->first;
        end = walk->end;
        if (end - batch < FEW) {
            do {
                COPY(1, *batch);
                if (++batch == end)
                    break;
                COPY(2, *batch);
            } while (++batch != end);
            continue;
        }
        half = batch + (end - batch) / 2;
        if ((end - batch) & 1) {
            end--;
            COPY(1, *end);
        }
        if ((end - half) & 1) {
            COPY(2, *batch);
            COPY(3, *half);
            batch++;
            half++;
        }
        for (; half != end; batch += 2, half += 2) {
            COPY(1, batch[0]);
            COPY(2, half[0]);
            COPY(3, batch[1]);
            COPY(4, half[1]);
        }
    } while (ztl_ops_walk_group(walk));
#undef COPY
}

/* Many groups of few slices, which differ in what they load: rows that are gathered. Two registers
 * are enough, as the hart takes longer to set strides than a port to move. */
#define WRITE_1 __riscv_ztl_csrw_load_stride(0, (long)stride[0])
#define WRITE_2 WRITE_1, __riscv_ztl_csrw_load_stride(1, (long)stride[1])
#define WRITE_3 WRITE_2, __riscv_ztl_csrw_load_stride(2, (long)stride[2])
#define WRITE_4 WRITE_3, __riscv_ztl_csrw_load_stride(3, (long)stride[3])
#define ROW(t, WRITE)                                                                              \
    OPS_LOAD_TL(t, from + batch->in);                                                              \
    OPS_STORE_TL(t, to + batch->out);                                                              \
    batch++;                                                                                       \
    if (group++ == last)                                                                           \
        return;                                                                                    \
    stride = vector[group->load].stride;                                                           \
    WRITE;
#define ROWS(t, WRITE)                                                                             \
    end += group->count;                                                                           \
    do {                                                                                           \
        OPS_LOAD_TL(t, from + batch->in);                                                          \
        OPS_STORE_TL(t, to + batch->out);                                                          \
    } while (++batch != end);                                                                      \
    if (group++ == last)                                                                           \
        return;                                                                                    \
    stride = vector[group->load].stride;                                                           \
    WRITE;
#define COPY_ROWS(n)                                                                               \
    static void copy_rows_##n(const ops_walk *walk)                                                \
    {                                                                                              \
        const uint8_t *from = walk->from;                                                          \
        uint8_t *to = walk->to;                                                                    \
        const ops_batch *batch = walk->first, *end = batch;                                        \
        const ops_group *group = walk->group, *last = walk->last;                                  \
        const ops_vector *vector = walk->vector;                                                   \
        const int32_t *stride;                                                                     \
        while (walk->pass->groups == walk->pass->batches) {                                        \
            ROW(1, WRITE_##n)                                                                      \
            ROW(2, WRITE_##n)                                                                      \
        }                                                                                          \
        for (;;) {                                                                                 \
            ROWS(1, WRITE_##n)                                                                     \
            ROWS(2, WRITE_##n)                                                                     \
        }                                                                                          \
    }
COPY_ROWS(1)
COPY_ROWS(2)
COPY_ROWS(3)
COPY_ROWS(4)

static void copy_rows(const ops_walk *walk)
{
    switch (walk->pass->slices) {
    case 1:
        copy_rows_1(walk);
        break;
    case 2:
        copy_rows_2(walk);
        break;
    case 3:
        copy_rows_3(walk);
        break;
    default:
        copy_rows_4(walk);
    }
}

static void copy_loop(ops_walk *walk)
{
    ops_place at = ops_walk_first(walk);
#define COPY(t)                                                                                    \
    do {                                                                                           \
        OPS_LOAD_TL(t, at.from);                                                                   \
        OPS_STORE_TL(t, at.to);                                                                    \
        at.from += at.in;                                                                          \
        at.to += at.out;                                                                           \
    } while (0)
    OPS_LOAD_TL(1, at.from);
    if (at.left >= 4) {
        OPS_LOAD_TL(2, at.from + at.in);
        OPS_LOAD_TL(3, at.from + 2 * at.in);
        OPS_LOAD_TL(4, at.from + 3 * at.in);
        ztl_ops_first_stores(walk->pass);
        OPS_STORE_TL(1, at.to);
        OPS_STORE_TL(2, at.to + at.out);
        OPS_STORE_TL(3, at.to + 2 * at.out);
        OPS_STORE_TL(4, at.to + 3 * at.out);
        ops_walk_skip(&at, 4);
    } else {
        ztl_ops_first_stores(walk->pass);
        OPS_STORE_TL(1, at.to);
        ops_walk_skip(&at, 1);
    }
    do {
        for (; at.left >= 4; at.left -= 4) {
            COPY(1);
            COPY(2);
            COPY(3);
            COPY(4);
        }
        if (at.left & 2) {
            COPY(1);
            COPY(2);
        }
        if (at.left & 1)
            COPY(3);
    } while (ops_walk_run(walk, &at, false));
#undef COPY
}

void ztl_ops_overlap_copy(ops_walk *walk)
{
    const ops_pass *pass = walk->pass;
    if (pass->loops) {
        copy_loop(walk);
        return;
    }
    ztl_ops_first_stores(pass);
    if (pass->slices <= 4 && pass->groups > 1 && pass->strides & OPS_ONE_STORE)
        copy_rows(walk);
    else
        copy_list(walk);
}

/* Two batches that are stored in turn, to each place: their stores lie farther apart than those of
 * one. */
#define SPREAD(t, from_0, to_0)                                                                    \
    do {                                                                                           \
        OPS_LOAD_TL(t, (from_0) + first);                                                          \
        SPREAD_STORES(t, to_0);                                                                    \
    } while (0)
#define SPREAD_STORES(t, to_0)                                                                     \
    do {                                                                                           \
        uint8_t *at_0 = (to_0);                                                                    \
        const ops_insn *store = stores;                                                            \
        do                                                                                         \
            OPS_STORE_TL(t, at_0 + store->offset);                                                 \
        while (++store != end);                                                                    \
    } while (0)
#define SPREAD_TWO(t, from_0, to_0, from_1, to_1)                                                  \
    do {                                                                                           \
        uint8_t *at_0 = (to_0), *at_1 = (to_1);                                                    \
        const ops_insn *store = stores;                                                            \
        OPS_LOAD_TL(t, (from_0) + first);                                                          \
        OPS_LOAD_TL((t) + 1, (from_1) + first);                                                    \
        do {                                                                                       \
            int64_t offset = store->offset;                                                        \
            OPS_STORE_TL(t, at_0 + offset);                                                        \
            OPS_STORE_TL((t) + 1, at_1 + offset);                                                  \
        } while (++store != end);                                                                  \
    } while (0)

static void spread_list(ops_walk *walk, const ops_insn *stores, const ops_insn *end)
{
    int64_t first = stores[-1].offset;
    const uint8_t *from = walk->from;
    uint8_t *to = walk->to;
#define LISTED_TWO(t)                                                                              \
    SPREAD_TWO(t, from + batch->in, to + batch->out, from + half->in, to + half->out)
    OPS_LOAD_TL(1, from + walk->first->in + first);
    ztl_ops_first_stores(walk->pass);
    SPREAD_STORES(1, to + (walk->first++)->out);
    do {
        const ops_batch *batch = walk->first, *last = walk->end, *half;
        half = batch + (last - batch) / 2;
        if ((last - batch) & 1) {
            last--;
            SPREAD(1, from + last->in, to + last->out);
        }
        for (; half != last; batch++, half++) {
            LISTED_TWO(2);
            if (++half == last)
                break;
            batch++;
            LISTED_TWO(4);
        }
    } while (ztl_ops_walk_group(walk));
#undef LISTED_TWO
}

static void spread_loop(ops_walk *walk, const ops_insn *stores, const ops_insn *end)
{
    int64_t first = stores[-1].offset;
    ops_place at = ops_walk_first(walk);
    OPS_LOAD_TL(1, at.from + first);
    ztl_ops_first_stores(walk->pass);
    SPREAD_STORES(1, at.to);
    ops_walk_skip(&at, 1);
    do {
        int64_t n = at.left, half = n / 2, left = half;
        const uint8_t *from = at.from + half * at.in;
        uint8_t *to = at.to + half * at.out;
        if (n & 1) {
            SPREAD(1, from + left * at.in, to + left * at.out);
        }
        for (; left > 0; left--) {
            SPREAD_TWO(2, at.from, at.to, from, to);
            at.from += at.in;
            at.to += at.out;
            from += at.in;
            to += at.out;
            if (!--left)
                break;
            SPREAD_TWO(4, at.from, at.to, from, to);
            at.from += at.in;
            at.to += at.out;
            from += at.in;
            to += at.out;
        }
        at.from += (n - half) * at.in;
        at.to += (n - half) * at.out;
    } while (ops_walk_run(walk, &at, false));
}

void ztl_ops_overlap_spread(ops_walk *walk)
{
    const ops_insn *insn = ops_pass_insns(walk->pass), *end = insn + walk->pass->insns;
    if (walk->pass->loops)
        spread_loop(walk, insn + 1, end);
    else
        spread_list(walk, insn + 1, end);
}

/* A pair that is permuted, and each of it stored to any number of places. */
#define PAIR_LOADS(s)                                                                              \
    if (shaped)                                                                                    \
        __riscv_ztl_csrw_tshape(load[-1].arg);                                                     \
    OPS_LOAD_TL(1 + 2 * s, at.from + load[0].offset);                                              \
    if (loads > 1)                                                                                 \
        OPS_LOAD_TL(2 + 2 * s, at.from + load[1].offset);
#define PAIR_STORES(s)                                                                             \
    switch (permute->width) {                                                                      \
    case 0:                                                                                        \
        OPS_PERMUTE_TL(s, b, 1 + 2 * s, 2 + 2 * s, dims);                                          \
        break;                                                                                     \
    case 1:                                                                                        \
        OPS_PERMUTE_TL(s, h, 1 + 2 * s, 2 + 2 * s, dims);                                          \
        break;                                                                                     \
    case 2:                                                                                        \
        OPS_PERMUTE_TL(s, w, 1 + 2 * s, 2 + 2 * s, dims);                                          \
        break;                                                                                     \
    default:                                                                                       \
        OPS_PERMUTE_TL(s, d, 1 + 2 * s, 2 + 2 * s, dims);                                          \
    }                                                                                              \
    if (shaped)                                                                                    \
        __riscv_ztl_csrw_tshape(permute[1].arg);                                                   \
    for (store = stores; store != second; store++)                                                 \
        OPS_STORE_TL(1 + 2 * s, at.to + store->offset);                                            \
    for (; store != end; store++)                                                                  \
        OPS_STORE_TL(2 + 2 * s, at.to + store->offset);                                            \
    if (!ops_walk_on_all(walk, &at))                                                               \
        return;

void ztl_ops_overlap_spread_pair(ops_walk *walk)
{
    const ops_pass *pass = walk->pass;
    const ops_insn *insn = ops_pass_insns(pass), *end = insn + pass->insns;
    bool shaped = ops_code_of(insn) == OPS_SHAPE;
    const ops_insn *load = insn + shaped;
    unsigned loads = ops_code_of(load + 1) == OPS_LOAD ? 2 : 1;
    const ops_insn *permute = load + loads, *stores = permute + 1 + shaped, *second = stores,
                   *store;
    unsigned long dims = permute->arg;
    while (second < end && second->op == OPS_STORE)
        second++;
    ops_place at = ops_walk_first(walk);
    PAIR_LOADS(0)
    ztl_ops_first_stores(pass);
    for (;;) {
        PAIR_STORES(0)
        PAIR_LOADS(1)
        PAIR_STORES(1)
        PAIR_LOADS(2)
        PAIR_STORES(2)
        PAIR_LOADS(0)
    }
}

/* The constant stays in its register. Four at a time, as there is nothing else to do. */
static void fill_list(const ops_walk *walk)
{
    const ops_batch *batch = walk->first, *end = walk->end, *half;
    uint8_t *to = walk->to;
    if ((end - batch) & 1)
        OPS_STORE_TL(1, to + (--end)->out);
    half = batch + (end - batch) / 2;
    if ((end - half) & 1) {
        OPS_STORE_TL(1, to + (batch++)->out);
        OPS_STORE_TL(1, to + (half++)->out);
    }
    for (; half != end; batch += 2, half += 2) {
        OPS_STORE_TL(1, to + batch[0].out);
        OPS_STORE_TL(1, to + half[0].out);
        OPS_STORE_TL(1, to + batch[1].out);
        OPS_STORE_TL(1, to + half[1].out);
    }
}

static void fill_loop(const ops_walk *walk, const ops_batch *batch)
{
    int64_t step = walk->inner.out;
    for (; batch < walk->end; batch++) {
        uint8_t *to = walk->to + batch->out;
        for (int64_t k = walk->second.n; k > 0; k--, to += walk->second.out) {
            int64_t n = walk->inner.n;
            for (; n >= 4; n -= 4) {
                OPS_STORE_TL(1, to);
                to += step;
                OPS_STORE_TL(1, to);
                to += step;
                OPS_STORE_TL(1, to);
                to += step;
                OPS_STORE_TL(1, to);
                to += step;
            }
            for (; n > 0; n--, to += step)
                OPS_STORE_TL(1, to);
        }
    }
}

void ztl_ops_overlap_fill(ops_walk *walk)
{
    ztl_ops_first_stores(walk->pass);
    walk->to += ops_pass_insns(walk->pass)->offset;
    do
        if (walk->pass->loops)
            fill_loop(walk, walk->first);
        else
            fill_list(walk);
    while (ztl_ops_walk_outside(walk) || ztl_ops_walk_group(walk));
}
