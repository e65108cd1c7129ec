/* SPDX-License-Identifier: Apache-2.0
 * Passes without permutes: a register is loaded and stored, to one place or to several. Four
 * registers in turn are enough: a store is as long as a load.
 */
#include "ops/exec/engines.h"
#include "ops/exec/overlap/overlap.h"

/* Lists of batches, no loops: only the next group is far. */
static void copy_list(ops_walk *walk)
{
    const uint8_t *from = walk->from;
    uint8_t *to = walk->to;
    const ops_batch *batch = walk->first, *end = walk->end;
#define COPY(t, i)                                                                                 \
    OPS_LOAD_TL(t, from + batch[i].in);                                                            \
    OPS_STORE_TL(t, to + batch[i].out)
    do {
        for (end = walk->end; end - batch >= 4; batch += 4) {
            COPY(1, 0);
            COPY(2, 1);
            COPY(3, 2);
            COPY(4, 3);
        }
        switch (end - batch) {
        case 3:
            COPY(1, 0);
            batch++;
            __attribute__((fallthrough));
        case 2:
            COPY(2, 0);
            batch++;
            __attribute__((fallthrough));
        case 1:
            COPY(3, 0);
            batch++;
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
    OPS_LOAD_TL(t, at.from);                                                                       \
    OPS_STORE_TL(t, at.to);                                                                        \
    if (!ops_walk_on_all(walk, &at))                                                               \
        return;
    for (;;) {
        COPY(1)
        COPY(2)
        COPY(3)
        COPY(4)
    }
#undef COPY
}

void ztl_ops_overlap_copy(ops_walk *walk)
{
    const ops_pass *pass = walk->pass;
    if (pass->loops)
        copy_loop(walk);
    else if (pass->slices <= 4 && pass->groups > 1 && pass->strides & OPS_ONE_STORE)
        copy_rows(walk);
    else
        copy_list(walk);
}

/* The stores of the last n instructions before `end`, in their order. */
#define STORE(t, k)                                                                                \
    case k:                                                                                        \
        OPS_STORE_TL(t, at.to + past[-(k)].offset);                                                \
        __attribute__((fallthrough));
#define STORES(t, stores, end)                                                                     \
    do {                                                                                           \
        const ops_insn *past = (end), *more = past - (stores);                                     \
        for (; past - more > 16; more++)                                                           \
            OPS_STORE_TL(t, at.to + more->offset);                                                 \
        switch (past - more) {                                                                     \
            STORE(t, 16)                                                                           \
            STORE(t, 15)                                                                           \
            STORE(t, 14)                                                                           \
            STORE(t, 13)                                                                           \
            STORE(t, 12)                                                                           \
            STORE(t, 11)                                                                           \
            STORE(t, 10)                                                                           \
            STORE(t, 9)                                                                            \
            STORE(t, 8)                                                                            \
            STORE(t, 7)                                                                            \
            STORE(t, 6)                                                                            \
            STORE(t, 5)                                                                            \
            STORE(t, 4)                                                                            \
            STORE(t, 3)                                                                            \
            STORE(t, 2)                                                                            \
            STORE(t, 1)                                                                            \
        default:;                                                                                  \
        }                                                                                          \
    } while (0)

void ztl_ops_overlap_spread(ops_walk *walk)
{
    const ops_pass *pass = walk->pass;
    const ops_insn *insn = ops_pass_insns(pass), *end = insn + pass->insns;
    int64_t first = insn->offset;
    uint32_t stores = pass->insns - 1;
    ops_place at = ops_walk_first(walk);
#define SPREAD(t)                                                                                  \
    OPS_LOAD_TL(t, at.from + first);                                                               \
    STORES(t, stores, end);                                                                        \
    if (!ops_walk_on_all(walk, &at))                                                               \
        return;
    for (;;) {
        SPREAD(1)
        SPREAD(2)
        SPREAD(3)
        SPREAD(4)
    }
#undef SPREAD
}

/* A pair that is permuted, and each of it stored to any number of places. */
#define SPREAD_PAIR(s)                                                                             \
    if (shaped)                                                                                    \
        __riscv_ztl_csrw_tshape(load[-1].arg);                                                     \
    OPS_LOAD_TL(1 + 2 * s, at.from + load[0].offset);                                              \
    if (loads > 1)                                                                                 \
        OPS_LOAD_TL(2 + 2 * s, at.from + load[1].offset);                                          \
    switch (permute->width) {                                                                      \
    case 0:                                                                                        \
        OPS_PERMUTE_TL(b, 1 + 2 * s, 2 + 2 * s, dims);                                             \
        break;                                                                                     \
    case 1:                                                                                        \
        OPS_PERMUTE_TL(h, 1 + 2 * s, 2 + 2 * s, dims);                                             \
        break;                                                                                     \
    case 2:                                                                                        \
        OPS_PERMUTE_TL(w, 1 + 2 * s, 2 + 2 * s, dims);                                             \
        break;                                                                                     \
    default:                                                                                       \
        OPS_PERMUTE_TL(d, 1 + 2 * s, 2 + 2 * s, dims);                                             \
    }                                                                                              \
    if (shaped)                                                                                    \
        __riscv_ztl_csrw_tshape(permute[1].arg);                                                   \
    STORES(1 + 2 * s, first, end - second);                                                        \
    STORES(2 + 2 * s, second, end);                                                                \
    if (!ops_walk_on_all(walk, &at))                                                               \
        return;

void ztl_ops_overlap_spread_pair(ops_walk *walk)
{
    const ops_pass *pass = walk->pass;
    const ops_insn *insn = ops_pass_insns(pass), *end = insn + pass->insns;
    bool shaped = ops_code_of(insn) == OPS_SHAPE;
    const ops_insn *load = insn + shaped;
    unsigned loads = ops_code_of(load + 1) == OPS_LOAD ? 2 : 1;
    const ops_insn *permute = load + loads, *store = permute + 1 + shaped;
    unsigned long dims = permute->arg;
    uint32_t first = 0, second;
    while (store + first < end && store[first].op == OPS_STORE)
        first++;
    second = (uint32_t)(end - store) - first;
    ops_place at = ops_walk_first(walk);
    for (;;) {
        SPREAD_PAIR(0)
        SPREAD_PAIR(1)
        SPREAD_PAIR(2)
    }
}

/* The constant stays in its register. Four at a time, as there is nothing else to do. */
static void fill_list(const ops_walk *walk, const ops_batch *batch)
{
    uint8_t *to = walk->to;
    for (; walk->end - batch >= 4; batch += 4) {
        OPS_STORE_TL(1, to + batch[0].out);
        OPS_STORE_TL(1, to + batch[1].out);
        OPS_STORE_TL(1, to + batch[2].out);
        OPS_STORE_TL(1, to + batch[3].out);
    }
    for (; batch < walk->end; batch++)
        OPS_STORE_TL(1, to + batch->out);
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
    walk->to += ops_pass_insns(walk->pass)->offset;
    do
        if (walk->pass->loops)
            fill_loop(walk, walk->first);
        else
            fill_list(walk, walk->first);
    while (ztl_ops_walk_outside(walk) || ztl_ops_walk_group(walk));
}
