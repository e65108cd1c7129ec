/* SPDX-License-Identifier: Apache-2.0
 * One instruction at a time: the way that sees everything, and that everything can take.
 */
#include "sim/hart.h"

static void execute(ztl_hart *hart, const step_entry *entry)
{
    const decoded *insn = &entry->insn;
    switch (entry->unit) {
    case UNIT_TENSOR:
        return ztl_execute_tensor(hart, &entry->ztl);
    case UNIT_ATOMIC:
        return ztl_execute_amo(hart, insn);
    case UNIT_SYSTEM:
        return ztl_execute_system(hart, insn);
    case UNIT_FLOAT:
        return ztl_execute_float(hart, insn);
    case UNIT_CACHE:
        return ztl_execute_cache(hart, insn);
    case UNIT_INTEGER32:
        return ztl_execute_insn32(hart, insn);
    default:
        return ztl_execute_insn64(hart, insn);
    }
}

static enum step_unit unit_of(const ztl_hart *hart, const decoded *insn)
{
    enum base_format format = insn->op < BASE_INSNS ? ztl_base_rows[insn->op].format : FORMAT_NONE;
    if (insn->op == OP_ZTL)
        return UNIT_TENSOR;
    if (format == FORMAT_LR || format == FORMAT_AMO)
        return UNIT_ATOMIC;
    if (format == FORMAT_CACHE)
        return UNIT_CACHE;
    if (insn->op >= OP_ECALL && insn->op <= OP_CSRRCI)
        return UNIT_SYSTEM;
    if (insn->op >= INTEGER_INSNS && insn->op < BASE_INSNS)
        return UNIT_FLOAT;
    return hart->isa.xlen == 32 ? UNIT_INTEGER32 : UNIT_INTEGER64;
}

static void decode(const ztl_hart *hart, uint32_t word, step_entry *entry)
{
    decoded *insn = &entry->insn;
    ztl_decode_base(&hart->isa, word, insn);
    if (insn->op == OP_ZTL && !ztl_decode(hart->isa.ztl_revision, word, &entry->ztl))
        entry->ztl = (ztl_insn){.word = word};
    entry->unit = (uint8_t)unit_of(hart, insn);
    entry->is_branch = insn->op < BASE_INSNS && ztl_base_rows[insn->op].format == FORMAT_BRANCH;
    entry->writes_f = entry->unit == UNIT_FLOAT && ztl_writes_float(insn->op);
}

/* The instruction at pc, from the cache if it was there before; NULL when it cannot be fetched. */
static const step_entry *fetch(ztl_hart *hart)
{
    step_entry *entry = &hart->steps[hart->pc / 2 % STEP_CACHE_ENTRIES];
    uint32_t word;
    uint64_t fault;
    if (entry->tag == hart->pc + 1)
        return entry;
    if (!ztl_fetch(hart, hart->pc, &word, &fault)) {
        ztl_raise(hart, CAUSE_FETCH_FAULT, fault);
        return NULL;
    }
    decode(hart, word, entry);
    entry->tag = hart->pc + 1;
    hart->has_steps = true;
    ztl_mark_code(hart, hart->pc, entry->insn.length);
    return entry;
}

static void begin(ztl_hart *hart, ztl_event *event)
{
    hart->trap_raised = hart->waits = hart->watch_triggered = hart->exit_requested = false;
    hart->event = NULL;
    if (!hart->observer.happened)
        return;
    event->pc = hart->pc;
    event->word = event->length = event->rd = 0;
    event->privilege = hart->privilege;
    event->thread = hart->thread;
    event->ztl = NULL;
    event->csr_count = event->access_count = event->tl_count = 0;
    event->branch = event->trapped = event->writes_f = false;
    hart->event = event;
}

static void describe(ztl_event *event, const ztl_hart *hart, const step_entry *entry)
{
    if (!event)
        return;
    event->word = entry->insn.word;
    event->length = entry->insn.length;
    event->writes_f = entry->writes_f;
    event->fd = entry->insn.rd;
    event->rd = entry->writes_f ? 0 : entry->insn.rd;
    event->rd_old = hart->x[event->rd];
    event->branch = entry->is_branch;
}

/* Tells the observer, and says why the run cannot go on, if it cannot. */
static enum ztl_stop finish(ztl_hart *hart, enum ztl_stop stop)
{
    ztl_event *event = hart->event;
    if (event) {
        event->next_pc = hart->pc;
        event->rd_new = hart->x[event->rd];
        if (event->writes_f)
            event->fd_new = ztl_hart_f(hart, event->fd);
        if (event->trapped)
            event->rd = 0, event->writes_f = false, event->access_count = 0,
            event->trap = hart->last_trap;
        hart->event = NULL;
        hart->observer.happened(hart->observer.context, hart, event);
    }
    if (stop != ZTL_STOP_LIMIT)
        return stop;
    if (hart->exit_requested)
        return ZTL_STOP_EXIT;
    if (hart->watch_triggered)
        return ZTL_STOP_WATCHPOINT;
    return hart->waits ? ZTL_STOP_WFI : ZTL_STOP_LIMIT;
}

static bool has_handler(const ztl_hart *hart)
{
    return hart->csr.mtvec_written && !(hart->has_default_handler &&
                                        (hart->csr.mtvec & ~UINT64_C(3)) == hart->default_handler);
}

static bool stops(const ztl_hart *hart)
{
    return hart->trap_policy == ZTL_TRAP_STOP_ALWAYS ||
           (hart->trap_policy == ZTL_TRAP_STOP_UNHANDLED && !has_handler(hart));
}

/* The current instruction raised a trap: takes it if the policy says so. */
static enum ztl_stop handle_trap(ztl_hart *hart)
{
    const ztl_trap *trap = &hart->last_trap;
    if (hart->event)
        hart->event->trapped = true;
    hart->watch_triggered = false;
    if (stops(hart))
        return ZTL_STOP_TRAP;
    ztl_take_trap(hart, trap);
    bool for_ever = hart->pc == trap->pc && trap->privilege == ZTL_MACHINE && !trap->interrupt;
    return for_ever ? ZTL_STOP_TRAP_LOOP : ZTL_STOP_LIMIT;
}

static enum ztl_stop take_interrupt(ztl_hart *hart, int line)
{
    ztl_raise(hart, (uint64_t)line, 0);
    hart->last_trap.interrupt = true;
    return finish(hart, handle_trap(hart));
}

enum ztl_stop ztl_step_one(ztl_hart *hart)
{
    ztl_event event;
    begin(hart, &event);
    int line = ztl_pending_interrupt(hart);
    if (line >= 0)
        return take_interrupt(hart, line);
    const step_entry *entry = fetch(hart);
    if (!entry)
        return finish(hart, handle_trap(hart));
    describe(hart->event, hart, entry);
    execute(hart, entry);
    if (hart->trap_raised) {
        hart->last_trap.word = entry->insn.word;
        hart->last_trap.length = entry->insn.length;
        return finish(hart, handle_trap(hart));
    }
    hart->retired++;
    return finish(hart, ZTL_STOP_LIMIT);
}

static bool writes_pc(const decoded *insn)
{
    return insn->op == OP_JAL || insn->op == OP_JALR || insn->op == OP_MRET;
}

enum ztl_stop ztl_hart_execute(ztl_hart *hart, uint32_t word)
{
    ztl_event event;
    step_entry entry;
    decoded *insn = &entry.insn;
    uint64_t pc = hart->pc;
    begin(hart, &event);
    decode(hart, word, &entry);
    describe(hart->event, hart, &entry);
    unsigned length = insn->length;
    if (entry.is_branch) /* one that is not taken then leaves pc alone */
        insn->length = 0;
    execute(hart, &entry);
    if (hart->trap_raised) {
        hart->last_trap.word = insn->word;
        hart->last_trap.length = (uint8_t)length;
        if (hart->event)
            hart->event->trapped = true;
        return finish(hart, ZTL_STOP_TRAP);
    }
    if (!entry.is_branch && !writes_pc(insn))
        hart->pc = pc;
    hart->retired++;
    return finish(hart, ZTL_STOP_LIMIT);
}
