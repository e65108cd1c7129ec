/* SPDX-License-Identifier: Apache-2.0
 * Traps: noting, taking and returning from them.
 */
#include "sim/hart.h"
#include "sim/privileged/csr.h"

void ztl_raise(ztl_hart *hart, uint64_t cause, uint64_t tval)
{
    hart->trap_raised = true;
    hart->has_trapped = true;
    hart->last_trap = (ztl_trap){.pc = hart->pc,
                                 .privilege = hart->privilege,
                                 .cause = cause,
                                 .tval = ztl_hart_wrap(hart, tval)};
}

void ztl_take_trap(ztl_hart *hart, const ztl_trap *trap)
{
    machine_csrs *csr = &hart->csr;
    uint64_t interrupt_bit = trap->interrupt ? UINT64_C(1) << (hart->isa.xlen - 1) : 0;
    bool enabled = csr->mstatus & MSTATUS_MIE;
    csr->mepc = trap->pc;
    csr->mcause = interrupt_bit | trap->cause;
    csr->mtval = trap->tval;
    csr->mstatus &= ~(uint64_t)(MSTATUS_MIE | MSTATUS_MPIE | MSTATUS_MPP);
    csr->mstatus |= (uint64_t)trap->privilege << MSTATUS_MPP_SHIFT;
    csr->mstatus |= enabled ? MSTATUS_MPIE : 0;
    hart->privilege = ZTL_MACHINE;
    ztl_privilege_changed(hart);
    bool vectored = trap->interrupt && (csr->mtvec & MTVEC_VECTORED);
    uint64_t base = csr->mtvec & ~UINT64_C(3);
    hart->pc = ztl_hart_wrap(hart, base + (vectored ? 4 * trap->cause : 0));
    ztl_event_csr(hart, CSR_MSTATUS);
    ztl_event_csr(hart, CSR_MEPC);
    ztl_event_csr(hart, CSR_MCAUSE);
    ztl_event_csr(hart, CSR_MTVAL);
}

void ztl_mret(ztl_hart *hart)
{
    machine_csrs *csr = &hart->csr;
    unsigned mode = csr->mstatus >> MSTATUS_MPP_SHIFT & 3;
    bool enable = csr->mstatus & MSTATUS_MPIE;
    csr->mstatus &= ~(uint64_t)(MSTATUS_MIE | MSTATUS_MPP);
    csr->mstatus |= MSTATUS_MPIE | (enable ? MSTATUS_MIE : 0);
    if (mode != ZTL_MACHINE)
        csr->mstatus &= ~(uint64_t)MSTATUS_MPRV;
    hart->privilege = (enum ztl_privilege)mode;
    ztl_privilege_changed(hart);
    hart->pc = csr->mepc;
    ztl_event_csr(hart, CSR_MSTATUS);
}

int ztl_pending_interrupt(const ztl_hart *hart)
{
    static const int order[] = {11, 3, 7};
    uint64_t pending = hart->csr.mip & hart->csr.mie;
    if (pending == 0 || (hart->privilege == ZTL_MACHINE && !(hart->csr.mstatus & MSTATUS_MIE)))
        return -1;
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        if (pending >> order[i] & 1)
            return order[i];
    return -1;
}

void ztl_hart_set_interrupt(ztl_hart *hart, unsigned line, bool raised)
{
    uint64_t bit = line < 16 ? (UINT64_C(1) << line) & INTERRUPT_LINES : 0;
    hart->csr.mip = raised ? hart->csr.mip | bit : hart->csr.mip & ~bit;
}

const char *ztl_hart_cause_name(uint64_t cause, bool interrupt)
{
    static const char *const interrupts[] = {[3] = "machine software interrupt",
                                             [7] = "machine timer interrupt",
                                             [11] = "machine external interrupt"};
    const char *name = !interrupt ? ztl_cause_words(cause) : cause < 12 ? interrupts[cause] : NULL;
    return name && *name ? name : "unknown cause";
}
