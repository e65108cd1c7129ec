/* SPDX-License-Identifier: Apache-2.0
 *
 * libztl-trap: a Linux program on a RISC-V CPU without Ztl executes Ztl instructions. The CPU
 * raises SIGILL, the model executes, the program goes on after the instruction. What traps
 * reaches the program as the signal that Linux has for it.
 */
#include <errno.h>
#include <string.h>
#include <ucontext.h>

#include "adapters/qemu/guard.h"
#include "adapters/qemu/linux/linux.h"

enum { A0 = REG_A0, A1 = REG_A0 + 1 };

/* The instruction at pc, which need not be aligned to its size. A compressed one is not ours, and
 * nothing may follow it. */
static uint32_t fetch(uintptr_t pc)
{
    uint16_t low, high;
    memcpy(&low, (const void *)pc, sizeof low);
    if ((low & 3) != 3)
        return low;
    memcpy(&high, (const void *)(pc + 2), sizeof high);
    return low | (uint32_t)high << 16;
}

/* What the last fault in a guarded access was. */
static _Thread_local long last_fault __attribute__((tls_model("initial-exec")));

static void deliver_trap(const ztl_result *trap, siginfo_t *info, void *context)
{
    siginfo_t fault = {.si_addr = NULL};
    switch (trap->cause) {
    case ZTL_CAUSE_LOAD_MISALIGNED:
    case ZTL_CAUSE_STORE_MISALIGNED:
        fault.si_signo = SIGBUS;
        fault.si_code = BUS_ADRALN;
        break;
    case ZTL_CAUSE_LOAD_FAULT:
    case ZTL_CAUSE_STORE_FAULT:
        fault.si_signo = SIGSEGV;
        fault.si_code = last_fault == SEGV_ACCERR ? SEGV_ACCERR : SEGV_MAPERR;
        break;
    default:
        ztl_trap_deliver(SIGILL, info, context, trap);
        return;
    }
    fault.si_addr = (void *)(uintptr_t)trap->tval;
    ztl_trap_deliver(fault.si_signo, &fault, context, trap);
}

static void on_illegal(int signal, siginfo_t *info, void *context)
{
    int before = errno;
    ucontext_t *uc = context;
    unsigned long *x = uc->uc_mcontext.__gregs; /* pc in the place of x0 */
    ztl_state *state = info->si_code > 0 ? ztl_trap_state() : NULL;
    ztl_result result;
    enum ztl_emulated done = ZTL_NOT_OURS;
    if (state)
        done = ztl_emulate(state, fetch(x[REG_PC]), x, NULL, ztl_trap_statistics(), &result);
    if (done == ZTL_EMULATED)
        x[REG_PC] += 4;
    else if (done == ZTL_TRAPPED)
        deliver_trap(&result, info, context);
    else
        ztl_trap_deliver(signal, info, context, NULL);
    errno = before;
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
    ucontext_t *uc = context;
    unsigned long *x = uc->uc_mcontext.__gregs;
    if (info->si_code <= 0 || !ztl_guard_covers(x[REG_PC])) {
        ztl_trap_deliver(signal, info, context, NULL);
        return;
    }
    last_fault = info->si_code;
    x[A0] = 1;
    x[A1] = (unsigned long)info->si_addr;
    x[REG_PC] = (unsigned long)ztl_guard_fault;
}

/* Before the constructors of the program, which may use Ztl. Its name lets a static program ask
 * the linker for this object: -u ztl_trap_install. */
void ztl_trap_install(void) __attribute__((constructor(101), visibility("default")));
void ztl_trap_install(void)
{
    ztl_trap_configure();
    ztl_trap_catch(SIGSEGV, on_fault);
    ztl_trap_catch(SIGBUS, on_fault);
    ztl_trap_catch(SIGILL, on_illegal);
}
