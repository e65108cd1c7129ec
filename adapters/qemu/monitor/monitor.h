/* SPDX-License-Identifier: Apache-2.0
 *
 * What the monitor and the host share: a mailbox in the machine's RAM, which both see.
 *
 * The monitor runs a bare-metal program on a RISC-V machine without Ztl (qemu-system-riscv32/64,
 * -machine none: a hart and RAM from 0 on, no devices). The program believes to be in machine mode:
 * it runs in user mode, reaches its own RAM only, and the monitor executes what traps there: Ztl,
 * the CSRs of machine mode, mret. What the program asks of the host, and its end, the monitor hands
 * to the host: it fills the mailbox and rings the bell, an instruction at which QEMU
 * (plugin/plugin.c) waits for the host's answer.
 */
#ifndef ZTL_QEMU_MONITOR_H
#define ZTL_QEMU_MONITOR_H

/* The program's RAM is anywhere below the monitor's, as on the simulator. */
#define ZTL_MONITOR_RAMS    4 /* pieces of it at the most */
#define ZTL_MONITOR_BASE    0x88000000
#define ZTL_MONITOR_SIZE    0x01000000
#define ZTL_MONITOR_BELL    (ZTL_MONITOR_BASE + 4)
#define ZTL_MONITOR_MAILBOX (ZTL_MONITOR_BASE + 0x800000)

#ifndef __ASSEMBLER__
#include <ztl/ztl.h>

#include "adapters/qemu/statistics.h"

/* Why the bell rings. Only a call is answered. */
enum ztl_monitor_event {
    ZTL_MONITOR_CALL = 1,  /* semihosting: x[10] and x[11] ask, x[10] is the answer */
    ZTL_MONITOR_TRAP,      /* a trap that nothing handles */
    ZTL_MONITOR_TRAP_LOOP, /* a trap in the first instruction of the trap handler */
    ZTL_MONITOR_ASLEEP,    /* wfi, and there are no interrupts; pc is past it */
    ZTL_MONITOR_CONFUSED,  /* the monitor's own parameters are wrong */
};

typedef struct ztl_monitor_mailbox {
    /* From the host, before the machine starts. */
    uint64_t entry;              /* where the program starts */
    uint64_t l1m_base, l1m_size; /* windows; size 0 is everything */
    uint64_t l0m_base, l0m_size;
    ztl_window ram[ZTL_MONITOR_RAMS + 1]; /* the last one has a size of 0 */
    uint64_t library_handler;             /* a trap handler that counts as none; 0: there is none */
    char isa[256];                        /* its Ztl part counts */
    /* From the monitor, when the bell rings. */
    uint64_t event;
    uint64_t x[32], pc;
    uint64_t privilege, cause, tval;
    uint64_t word, length; /* the instruction that trapped; 0: it could not be fetched */
    ztl_result ztl;        /* status ZTL_TRAP: what the Ztl instruction did wrong ... */
    ztl_csr_values csrs;   /* ... and with which CSRs; of a call, not those of now */
    ztl_statistics statistics;
    /* Characters that the program has written since the bell last rang. */
    uint64_t console_size;
    char console[4096];
} ztl_monitor_mailbox;
#endif
#endif
