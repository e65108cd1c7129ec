/* SPDX-License-Identifier: Apache-2.0
 * The hart of a thread, on which its intrinsics are executed.
 */
#ifndef ZTL_INTRIN_THREAD_HART_H
#define ZTL_INTRIN_THREAD_HART_H

#include <ztl/intrin/host.h>

#include "fuse/record.h"

typedef struct thread_hart {
    ztl_state state;
    ztl_fast fast;
    const char *bodies; /* as chosen; NULL: the fastest */
    uint64_t x[32];
    ztl_intrin_handler *handler;
    void *context;
    bool ready;
    ztl_recorder recorder;
} thread_hart;

/* The thread's hart, allocated at its first use: a thread that uses no Ztl, or has a small stack,
 * pays nothing. */
extern _Thread_local thread_hart *ztl_this_hart;

/* The program's own memory. */
extern const ztl_memory ztl_program_memory;

/* An instruction, decoded for the hart's revision, and a CSR instruction, with their traps. */
void ztl_thread_execute(thread_hart *hart, const ztl_intrin_site *site, const ztl_insn *insn,
                        uint64_t a0, uint64_t a1);
unsigned long ztl_thread_csr(thread_hart *hart, const ztl_intrin_site *site, uint64_t value);

/* rounds.c: false when the instruction is to be executed now, as all that was recorded has been. */
bool ztl_thread_record(thread_hart *hart, const ztl_intrin_site *site, const ztl_insn *insn,
                       uint64_t a0, uint64_t a1);

/* Executes what has been recorded, and records no more. */
void ztl_thread_leave_rounds(thread_hart *hart);

#endif
