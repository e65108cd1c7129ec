/* SPDX-License-Identifier: Apache-2.0
 * CSR instructions, calls to the machine and to the host, mret, wfi.
 */
#include "sim/hart.h"
#include "sim/privileged/csr.h"

/* The words around an ebreak that make it a call to the host. */
enum { SEMIHOST_BEFORE = 0x01f01013, SEMIHOST_AFTER = 0x40705013 };

static void illegal(ztl_hart *hart, const decoded *insn)
{
    ztl_raise(hart, CAUSE_ILLEGAL, insn->word);
}

static uint64_t combine(enum base_op op, uint64_t old, uint64_t operand)
{
    switch (op) {
    case OP_CSRRS:
    case OP_CSRRSI:
        return old | operand;
    case OP_CSRRC:
    case OP_CSRRCI:
        return old & ~operand;
    default:
        return operand;
    }
}

/* A counter that is written does not count the instruction that writes it. */
static void hold_counter(ztl_hart *hart, unsigned address)
{
    if (address == CSR_MCYCLE || address == CSR_MCYCLEH)
        hart->csr.cycle_offset--;
    if (address == CSR_MINSTRET || address == CSR_MINSTRETH)
        hart->csr.instret_offset--;
}

/* Tells the observer what a CSR instruction wrote. fcsr is two, and a write of either makes mstatus
 * say so. */
static void tell_written(ztl_hart *hart, unsigned address, uint64_t status)
{
    ztl_event_csr(hart, address == CSR_FCSR ? CSR_FFLAGS : address);
    if (address == CSR_FCSR)
        ztl_event_csr(hart, CSR_FRM);
    if (address <= CSR_FCSR && hart->csr.mstatus != status)
        ztl_event_csr(hart, CSR_MSTATUS);
}

static void execute_csr(ztl_hart *hart, const decoded *insn)
{
    unsigned address = (unsigned)insn->imm;
    bool immediate = ztl_base_rows[insn->op].format == FORMAT_CSRI;
    bool swaps = insn->op == OP_CSRRW || insn->op == OP_CSRRWI;
    bool writes = swaps || insn->rs1 != 0;
    uint64_t operand = immediate ? insn->rs1 : hart->x[insn->rs1];
    uint64_t old, status = hart->csr.mstatus;
    if (!ztl_csr_allowed(hart, address, writes) || !ztl_csr_get(hart, address, &old))
        return illegal(hart, insn);
    if (writes) {
        ztl_csr_set(hart, address, combine(insn->op, old, operand));
        tell_written(hart, address, status);
        hold_counter(hart, address);
    }
    hart->x[insn->rd ? insn->rd : X_SINK] = old;
    hart->pc = ztl_hart_wrap(hart, hart->pc + insn->length);
}

static bool word_is(const ztl_hart *hart, uint64_t address, uint32_t expected)
{
    uint32_t word;
    return ztl_hart_read_memory(hart, address, &word, sizeof word) == sizeof word &&
           word == expected;
}

static void execute_ebreak(ztl_hart *hart, const decoded *insn)
{
    bool host_call = hart->hooks.semihost && insn->length == 4 &&
                     word_is(hart, hart->pc - 4, SEMIHOST_BEFORE) &&
                     word_is(hart, hart->pc + 4, SEMIHOST_AFTER);
    if (!host_call || !hart->hooks.semihost(hart->hooks.context, hart))
        return ztl_raise(hart, CAUSE_BREAKPOINT, hart->pc);
    hart->pc = ztl_hart_wrap(hart, hart->pc + insn->length);
}

/* A system call, if somebody serves it. */
static void execute_ecall(ztl_hart *hart, const decoded *insn)
{
    enum { A0 = 10 };
    bool is_user = hart->privilege == ZTL_USER;
    uint64_t old = hart->x[A0];
    if (!is_user || !hart->hooks.user_call || !hart->hooks.user_call(hart->hooks.context, hart))
        return ztl_raise(hart, is_user ? CAUSE_ECALL_USER : CAUSE_ECALL_MACHINE, 0);
    if (hart->event) {
        hart->event->rd = A0;
        hart->event->rd_old = old;
    }
    hart->pc = ztl_hart_wrap(hart, hart->pc + insn->length);
}

static void execute_wfi(ztl_hart *hart, const decoded *insn)
{
    if (hart->privilege == ZTL_USER && (hart->csr.mstatus & MSTATUS_TW))
        return illegal(hart, insn);
    hart->waits = !(hart->csr.mip & hart->csr.mie);
    hart->pc = ztl_hart_wrap(hart, hart->pc + insn->length);
}

void ztl_execute_system(ztl_hart *hart, const decoded *insn)
{
    switch (insn->op) {
    case OP_ECALL:
        return execute_ecall(hart, insn);
    case OP_EBREAK:
        return execute_ebreak(hart, insn);
    case OP_MRET:
        if (hart->privilege != ZTL_MACHINE)
            return illegal(hart, insn);
        return ztl_mret(hart);
    case OP_WFI:
        return execute_wfi(hart, insn);
    default:
        return execute_csr(hart, insn);
    }
}
