/* SPDX-License-Identifier: Apache-2.0
 * Writing the passes of a plan, and counting what they execute.
 */
#include "ops/format/draft.h"

#include "ops/format/body.h"
#include "ops/format/insn.h"

ops_mark ztl_ops_set_mark(const ops_draft *draft)
{
    return (ops_mark){*draft->arena, *draft->plan, draft->has_constant, draft->choices};
}

void ztl_ops_roll_back(ops_draft *draft, const ops_mark *mark)
{
    *draft->arena = mark->arena;
    *draft->plan = mark->plan;
    draft->has_constant = mark->has_constant;
    draft->choices = mark->choices;
}

ops_pass *ztl_ops_write_head(ops_draft *draft, const ops_pass *form)
{
    size_t bytes = sizeof *form + form->insns * sizeof(ops_insn) +
                   form->vectors * sizeof(ops_vector) + form->groups * sizeof(ops_group) +
                   form->batches * sizeof(ops_batch);
    ops_pass *pass = ztl_ops_keep(draft->arena, bytes);
    if (!pass)
        return NULL;
    *pass = *form;
    pass->bytes = bytes;
    ops_pass_follows(pass);
    draft->plan->passes++;
    return pass;
}

/* What each group changes; returns the CSR writes for that. */
static uint64_t find_changes(const ops_pass *pass)
{
    uint64_t writes = 0;
    ops_group *group = ops_pass_groups(pass);
    for (uint32_t g = 0; g < pass->groups; g++, group++) {
        ztl_ops_find_changes(pass, g ? group - 1 : NULL, group, &group->load_changes,
                             &group->store_changes);
        writes += ztl_ops_changed(group->load_changes, pass->slices) +
                  ztl_ops_changed(group->store_changes, pass->slices);
    }
    return writes;
}

static void count(ztl_ops_stats *stats, const ops_pass *pass)
{
    for (uint32_t i = 0; i < pass->insns; i++)
        ztl_ops_count(stats, ops_code_of(&ops_pass_insns(pass)[i]), ops_runs(pass));
    ztl_ops_count(stats, OPS_START, 1);
    stats->csr += find_changes(pass);
    if (pass->kind == OPS_PASS_FILL) {
        ztl_ops_count(stats, OPS_START_CONSTANT, 1);
        ztl_ops_count(stats, OPS_CONSTANT_BYTE, pass->element);
    }
}

void ztl_ops_write_pass(ops_draft *draft, const ops_pass *form, const ops_insn *insn,
                        const ops_vector *vector, const ops_group *group, const ops_batch *batch)
{
    ops_pass *pass = form->groups ? ztl_ops_write_head(draft, form) : NULL;
    if (!pass)
        return;
    bool fills = pass->kind == OPS_PASS_FILL;
    if (fills && draft->has_constant)
        pass->element = 0;
    draft->has_constant = fills;
    memcpy(ops_pass_insns(pass), insn, form->insns * sizeof *insn);
    memcpy(ops_pass_vectors(pass), vector, form->vectors * sizeof *vector);
    memcpy(ops_pass_groups(pass), group, form->groups * sizeof *group);
    memcpy(ops_pass_batches(pass), batch, form->batches * sizeof *batch);
    if (!pass->tile_shape)
        pass->tile_shape = pass->slices << 16 | 1 << 8 | 1;
    pass->body = ztl_ops_body_of(pass);
    pass->strides = ztl_ops_strides_of(pass);
    count(&draft->plan->stats, pass);
}
