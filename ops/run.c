/* SPDX-License-Identifier: Apache-2.0
 * Running a plan: for every group of batches the strides are set, then the pass's instructions are
 * executed for every batch. Nothing is decided here.
 */
#include "ops/engine.h"
#include "ops/plan.h"
#include "ops/scalar.h"
#include "ops/weave.h"

static void add(const ops_insn *insn)
{
    __riscv_ztl_csrw_ttype(insn->arg);
    ops_engine_add((int)insn->offset);
    __riscv_ztl_csrw_ttype(0);
}

static void execute(const ops_insn *insn, const ops_insn *end, const uint8_t *from, uint8_t *to)
{
    for (; insn < end; insn++)
        switch (insn->code) {
        case OPS_LOAD:
            ops_engine_load(insn->reg, from + insn->offset);
            break;
        case OPS_STORE:
            ops_engine_store(insn->reg, to + insn->offset);
            break;
        case OPS_PERMUTE:
            ops_engine_permute(insn->width, insn->bit, insn->reg, insn->arg);
            break;
        case OPS_ORDER:
            __riscv_ztl_csrw_tl_transpose_perm(insn->arg);
            break;
        case OPS_ADD:
            add(insn);
            break;
        case OPS_WEAVE:
            ops_weave(insn->arg);
            break;
        case OPS_UNWEAVE:
            ops_unweave();
            break;
        }
}

/* The batches of a group at every position of the pass's loops. */
static void run_batches(const ops_pass *pass, const ops_group *group, const uint8_t *from,
                        uint8_t *to)
{
    const ops_insn *first = ops_pass_insns(pass), *end = first + pass->insns;
    const ops_batch *batch = ops_pass_batches(pass) + group->first, *last = batch + group->count;
    int64_t at[OPS_DIMS] = {0};
    unsigned d;
    do {
        for (const ops_batch *b = batch; b < last; b++)
            execute(first, end, from + b->in, to + b->out);
        for (d = pass->loops; d-- > 0;) {
            from += pass->loop[d].in;
            to += pass->loop[d].out;
            if (++at[d] < pass->loop[d].n)
                break;
            from -= pass->loop[d].in * pass->loop[d].n;
            to -= pass->loop[d].out * pass->loop[d].n;
            at[d] = 0;
        }
    } while (d < pass->loops);
}

/* tl1 = the constant of a fill, byte by byte. */
static void make_constant(const ops_pass *pass)
{
    __riscv_ztl_csrw_ttype(ZTL_TTYPE_INT8);
    __riscv_ztl_csrw_tshape(ZTL_SHAPE(32, 1, 32));
    for (unsigned k = 0; k < pass->element; k++) {
        uint32_t mask = 0;
        for (unsigned i = k; i < 32; i += pass->element)
            mask |= UINT32_C(1) << i;
        ops_engine_constant((int8_t)(pass->value >> (8 * k)));
        __riscv_ztl_csrw_tmask_concat_1(mask);
        __riscv_ztl_merge_2(1, 2, 1);
    }
    __riscv_ztl_csrw_ttype(0);
}

static void run_pass(const ops_pass *pass, const uint8_t *from, uint8_t *to)
{
    if (pass->kind == OPS_PASS_FILL)
        make_constant(pass);
    __riscv_ztl_csrw_tshape(pass->tile_shape ? pass->tile_shape : ZTL_SHAPE(pass->slices, 1, 1));
    __riscv_ztl_csrw_tl_load_width(pass->load_width);
    __riscv_ztl_csrw_tl_store_width(pass->store_width);
    __riscv_ztl_csrw_tl_transpose_perm(pass->order);
    const ops_group *group = ops_pass_groups(pass);
    const ops_vector *vector = ops_pass_vectors(pass);
    uint32_t load = UINT32_MAX, store = UINT32_MAX;
    for (uint32_t g = 0; g < pass->groups; g++, group++) {
        if (group->load != load && pass->kind != OPS_PASS_FILL)
            ops_engine_load_strides(vector[group->load].stride, pass->slices);
        if (group->store != store)
            ops_engine_store_strides(vector[group->store].stride, pass->slices);
        load = group->load;
        store = group->store;
        run_batches(pass, group, from, to);
    }
}

static uint8_t *buffer(unsigned index, const void *const *in, void *const *out, void *scratch)
{
    if (index == OPS_SCRATCH)
        return scratch;
    if (index == OPS_FILL)
        return NULL;
    return index < OPS_OUT ? (uint8_t *)(uintptr_t)in[index] : out[index - OPS_OUT];
}

void ztl_ops_run(const ztl_ops_plan *plan, const void *const *in, void *const *out, void *scratch)
{
    const ops_pass *pass = ops_first_pass(plan);
    __riscv_ztl_csrw_ttype(0);
    for (uint32_t i = 0; i < plan->passes; i++, pass = ops_next_pass(pass)) {
        const uint8_t *from = buffer(pass->src, in, out, scratch);
        uint8_t *to = buffer(pass->dst, in, out, scratch);
        if (pass->kind == OPS_PASS_SCALAR)
            ops_run_scalar(pass, from, to);
        else if (pass->kind == OPS_PASS_SELECT)
            ops_run_select(pass, in[0], from, to);
        else
            run_pass(pass, from, to);
    }
}
