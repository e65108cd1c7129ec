/* SPDX-License-Identifier: Apache-2.0
 * Ztl instructions, through the model.
 */
#include "isa/effects.h"
#include "sim/hart.h"

static bool is_store(const ztl_insn *insn)
{
    return ztl_effects(insn->row) & ZTL_STORES;
}

static const ztl_memory *memory_for(const ztl_hart *hart, const ztl_insn *insn)
{
    if (hart->event || hart->watchpoint_count)
        return &hart->ztl_seen_memory;
    return is_store(insn) ? &hart->ztl_store_memory : &hart->ztl_load_memory;
}

/* Which tensor registers an instruction that retired wrote. */
static void note_registers(ztl_event *event, const ztl_insn *insn)
{
    event->ztl = insn;
    if (is_store(insn))
        return;
    event->tl_count = ztl_effects(insn->row) & ZTL_PAIR ? 2 : 1;
    for (unsigned k = 0; k < event->tl_count; k++)
        event->tl[k] = (uint8_t)insn->operand[k];
}

void ztl_execute_tensor(ztl_hart *hart, const ztl_insn *insn)
{
    const ztl_memory *memory = memory_for(hart, insn);
    ztl_result result = insn->row ? ztl_execute_decoded(&hart->ztl, insn, hart->x, memory)
                                  : ztl_execute(&hart->ztl, insn->word, hart->x, memory);
    if (result.status != ZTL_OK) {
        ztl_raise(hart, result.cause, result.tval);
        hart->last_trap.ztl = result;
        if (result.reason != ZTL_REASON_NONE)
            ztl_event_csr(hart, ZTL_CSR_STATUS);
        return;
    }
    hart->ztl_retired++;
    if (hart->event)
        note_registers(hart->event, insn);
    hart->pc = ztl_hart_wrap(hart, hart->pc + 4);
}
