/* SPDX-License-Identifier: Apache-2.0
 * From a word to the body of its instruction, and from a trap to tl_xpose_status.
 */
#include "model/model.h"

#include "model/pointer.h"

static ztl_body *const bodies[ZTL_OPS] = {
#define ZTL_OP(ID, name, body, ...) [ZTL_OP_##ID] = ztl_body_##body,
#include "isa/ztl.def"
};

static ztl_result dispatch(const ztl_step *step)
{
    const ztl_insn_row *row = step->insn->row;
    if (!row)
        return ztl_illegal(step, ZTL_RULE_NO_ENCODING, step->insn->word, 0);
    if (!(step->state->config.subsets & row->subset))
        return ztl_illegal(step, ZTL_RULE_NO_SUBSET, 0, 0);
    return bodies[row->op](step);
}

/* A hart without Ztl, or a word outside its opcode: illegal, but no business of tl_xpose_status. */
static ztl_result not_ours(const ztl_step *step)
{
    ztl_result result = ztl_illegal(step, ZTL_RULE_NO_ENCODING, step->insn->word, 0);
    result.reason = ZTL_REASON_NONE;
    return result;
}

static ztl_result execute(const ztl_step *step)
{
    uint32_t word = step->insn->word;
    if (step->state->config.subsets == 0 || (word & ZTL_OPCODE_MASK) != ZTL_OPCODE)
        return not_ours(step);
    ztl_result result = dispatch(step);
    if (result.status == ZTL_TRAP && result.cause == ZTL_CAUSE_ILLEGAL)
        step->state->csr[ZTL_SLOT_STATUS] = (uint32_t)result.reason | (word >> 12 & 7) << 8;
    return result;
}

bool ztl_execute_fast(ztl_state *state, const ztl_insn *insn, const uint64_t x[32],
                      const ztl_memory *memory)
{
    const ztl_step step = {state, insn, x, memory};
    return ztl_try_fast(&step);
}

ztl_result ztl_execute(ztl_state *state, uint32_t word, const uint64_t x[32],
                       const ztl_memory *memory)
{
    if (!ztl_usable(state) || !x)
        return (ztl_result){.status = ZTL_MISUSE};
    ztl_insn insn;
    if (!ztl_decode(state->config.revision, word, &insn))
        insn = (ztl_insn){.word = word};
    const ztl_step step = {state, &insn, x, memory};
    return ztl_try_fast(&step) ? ztl_done() : execute(&step);
}

ztl_result ztl_execute_decoded(ztl_state *state, const ztl_insn *insn, const uint64_t x[32],
                               const ztl_memory *memory)
{
    if (!ztl_usable(state) || !x || !insn || !insn->row ||
        insn->row->revision != state->config.revision)
        return (ztl_result){.status = ZTL_MISUSE};
    const ztl_step step = {state, insn, x, memory};
    return ztl_try_fast(&step) ? ztl_done() : execute(&step);
}
