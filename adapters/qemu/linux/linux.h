/* SPDX-License-Identifier: Apache-2.0
 * What the parts of the Linux trap library share.
 */
#ifndef ZTL_QEMU_LINUX_H
#define ZTL_QEMU_LINUX_H

#include <signal.h>

#include "adapters/qemu/emulate.h"

/* The kernel's own form of struct sigaction and sigset_t. QEMU 7.2 takes the mask one place further
 * on than Linux does, so it stands in both. */
typedef uint64_t kernel_mask;
typedef struct kernel_action {
    union {
        void (*handler)(int);
        void (*action)(int, siginfo_t *, void *);
    };
    unsigned long flags;
    kernel_mask mask;
    kernel_mask mask_for_qemu;
} kernel_action;

static inline kernel_mask mask_of(int signal)
{
    return (kernel_mask)1 << (signal - 1);
}

/* This thread's hart, made at its first use; NULL when there is no memory for it. */
ztl_state *ztl_trap_state(void);

/* Reads the environment: ZTL_ISA, ZTL_STATISTICS. */
void ztl_trap_configure(void);
ztl_statistics *ztl_trap_statistics(void);

/* Keeps for the host what the program is about to die of; ztl as for ztl_trap_deliver. */
void ztl_trap_note_death(const siginfo_t *info, const void *context, const ztl_result *ztl);

/* Catches a signal for us; the program goes on seeing the action that it set. */
void ztl_trap_catch(int signal, void (*action)(int, siginfo_t *, void *));

/* Gives the program a signal as the kernel would: its handler, with its mask, or death. ztl: what
 * a Ztl instruction did wrong; NULL: it was none. */
void ztl_trap_deliver(int signal, siginfo_t *info, void *context, const ztl_result *ztl);

#endif
