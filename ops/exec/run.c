/* SPDX-License-Identifier: Apache-2.0
 * Running a plan: sets the strides of each group, then executes the pass's program for every
 * batch. Nothing is decided here.
 */
#include "ops/exec/exec.h"
#include "ops/exec/insn.h"
#include "ops/exec/overlap/overlap.h"
#include "ops/exec/strides.h"
#include "ops/format/indexed.h"

/* tl1 = the constant of a fill, byte by byte. */
static __attribute__((noinline)) void make_constant(const ops_pass *pass)
{
    __riscv_ztl_csrw_ttype(ZTL_TTYPE_INT8);
    __riscv_ztl_csrw_tshape(ZTL_SHAPE(32, 1, 32));
    for (unsigned k = 0; k < pass->element; k++) {
        uint32_t mask = 0;
        for (unsigned i = k; i < 32; i += pass->element)
            mask |= UINT32_C(1) << i;
        ops_insn_constant((int8_t)(pass->value[k / 8] >> (8 * (k % 8))));
        __riscv_ztl_csrw_tmask_concat_1(mask);
        __riscv_ztl_merge_2_e(1, 2, 1, ZTL_ENGINE_RESHAPE);
    }
    __riscv_ztl_csrw_ttype(0);
}

#if OPS_OVERLAPS
static __attribute__((noinline)) void run_any(ops_walk *walk)
{
    ops_place at = ops_walk_first(walk);
    ztl_ops_first_stores(walk->pass);
    do
        ztl_ops_run_program(walk->pass, at.from, at.to);
    while (ops_walk_on_all(walk, &at));
}

/* What there is of a small tensor: nothing to walk. */
static __attribute__((noinline)) void copy_one(const ops_pass *pass, const uint8_t *from,
                                               uint8_t *to)
{
    const ops_group *group = ops_pass_groups(pass);
    const ops_batch *batch = ops_pass_batches(pass) + group->first;
    ops_set_loads(pass, &ops_pass_vectors(pass)[group->load]);
    OPS_LOAD_TL(1, from + batch->in);
    ztl_ops_first_stores(pass);
    OPS_STORE_TL(1, to + batch->out);
}

static __attribute__((noinline)) void run_walk(const ops_pass *pass, const uint8_t *from,
                                               uint8_t *to)
{
    ops_walk walk;
    ztl_ops_walk_start(&walk, pass, from, to);
    switch ((enum ops_body)pass->body) {
#define BODY(ID, name)                                                                             \
    case OPS_BODY_##ID:                                                                            \
        ztl_ops_overlap_##name(&walk);                                                             \
        break;
        BODY(COPY, copy)
        BODY(SPREAD, spread)
        BODY(FILL, fill)
        BODY(PAIR, pair)
        BODY(SPREAD_PAIR, spread_pair)
        BODY(TILES_4, tiles_4)
        BODY(TILES_8, tiles_8)
        BODY(TILES_16, tiles_16)
        BODY(INTERLEAVE3, interleave3)
        BODY(DEINTERLEAVE3, deinterleave3)
        BODY(JOIN, join)
#undef BODY
    default:
        run_any(&walk);
    }
}

static void run_batches(const ops_pass *pass, const uint8_t *from, uint8_t *to)
{
    if (pass->body == OPS_BODY_COPY && pass->batches == 1 && !pass->loops)
        copy_one(pass, from, to);
    else
        run_walk(pass, from, to);
}
#else
static void run_batches(const ops_pass *pass, const uint8_t *from, uint8_t *to)
{
    const ops_group *group = ops_pass_groups(pass);
    const ops_vector *vector = ops_pass_vectors(pass);
    ztl_intrin_rounds_begin();
    for (uint32_t g = 0; g < pass->groups; g++, group++) {
        if (group->load_changes)
            ops_set_loads(pass, &vector[group->load]);
        if (group->store_changes)
            ops_set_stores(pass, &vector[group->store]);
        ztl_ops_run_rounds(pass, group, from, to);
    }
    ztl_intrin_rounds_end();
}
#endif

/* What is rare, out of the way of what is not. */
static __attribute__((noinline)) void prepare(const ops_pass *pass, const ops_buffers *b)
{
    if (pass->kind == OPS_PASS_FILL)
        make_constant(pass);
    else if (pass->kind == OPS_PASS_SCALAR)
        ztl_ops_run_scalar(pass, b->from, b->to);
    else if (pass->kind == OPS_PASS_WHERE)
        ztl_ops_run_where(pass, b->indices, b->from, b->to);
    else if (pass->kind == OPS_PASS_INDEXED)
        ztl_ops_run_indexed(pass, b);
    else
        ztl_ops_run_nibbles(pass, b->from, b->to);
}

static __attribute__((noinline)) void run_program(const ops_pass *pass, const uint8_t *from,
                                                  uint8_t *to)
{
    __riscv_ztl_csrw_tshape(pass->tile_shape);
    __riscv_ztl_csrw_tl_load_width(pass->load_width);
    __riscv_ztl_csrw_tl_store_width(pass->store_width);
    __riscv_ztl_csrw_tl_transpose_perm(pass->order);
    run_batches(pass, from, to);
}

static inline uint8_t *buffer(unsigned index, const void *const *in, void *const *out,
                              void *scratch)
{
    if (index < OPS_OUT)
        return (uint8_t *)(uintptr_t)in[index];
    return index == OPS_SCRATCH ? scratch : out[index - OPS_OUT];
}

void ztl_ops_run_pass(const ops_pass *pass, const ops_buffers *b)
{
    if (pass->body == OPS_BODY_NONE || pass->kind == OPS_PASS_FILL)
        prepare(pass, b);
    if (pass->body != OPS_BODY_NONE)
        run_program(pass, b->from, b->to);
}

ops_buffers ztl_ops_buffers(const ops_pass *pass, const void *const *in, void *const *out,
                            void *scratch)
{
    uint8_t *to = buffer(pass->dst, in, out, scratch);
    ops_buffers b = {.from = pass->src == OPS_FILL ? to : buffer(pass->src, in, out, scratch),
                     .to = to};
    if (pass->kind == OPS_PASS_WHERE)
        b.indices = in[0];
    if (pass->kind == OPS_PASS_INDEXED) {
        const ops_indexed *x = ops_pass_indexed(pass);
        b.indices = in[x->input];
        b.selected = x->form == OPS_INDEX_SELECTS ? out[1] : NULL;
    }
    return b;
}

static __attribute__((noinline)) void run_passes(const ztl_ops_plan *plan, const void *const *in,
                                                 void *const *out, void *scratch)
{
    const ops_pass *pass = ops_first_pass(plan);
    bool in_place = plan->indexed == OPS_IN_PLACE && in[0] == out[0];
    for (uint32_t left = plan->passes; left > 0; left--, pass = ops_next_pass(pass)) {
        if (in_place && pass->kind != OPS_PASS_INDEXED) /* a copy of what is there */
            continue;
        if (pass->body != OPS_BODY_NONE && pass->kind != OPS_PASS_FILL) { /* nothing to prepare */
            run_program(pass, buffer(pass->src, in, out, scratch),
                        buffer(pass->dst, in, out, scratch));
            continue;
        }
        ops_buffers b = ztl_ops_buffers(pass, in, out, scratch);
        ztl_ops_run_pass(pass, &b);
    }
}

/* Most plans are one pass of copies or tiles. */
void ztl_ops_run_plan(const ztl_ops_plan *plan, const void *const *in, void *const *out,
                      void *scratch)
{
    const ops_pass *pass = ops_first_pass(plan);
    bool plain = plan->passes == 1 && pass->src < OPS_OUT && pass->dst < OPS_SCRATCH &&
                 pass->body != OPS_BODY_NONE;
    __riscv_ztl_csrw_ttype(0);
    if (plain)
        run_program(pass, in[pass->src], out[pass->dst - OPS_OUT]);
    else
        run_passes(plan, in, out, scratch);
}
