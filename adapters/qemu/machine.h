/* SPDX-License-Identifier: Apache-2.0
 *
 * A bare-metal program on unmodified QEMU: qemu-system-riscv32/64 executes what is in a hart's
 * memory, with the monitor; the hart's hooks are all that the program has of the host.
 *
 *     int memory = ztl_qemu_share(hart, &error);     // then load the program
 *     enum ztl_stop stop = ztl_qemu_run_machine(&machine, &result, &error);
 */
#ifndef ZTL_QEMU_MACHINE_H
#define ZTL_QEMU_MACHINE_H

#include <ztl/hart.h>
#include <ztl/host.h>

#include "adapters/qemu/statistics.h"

typedef struct ztl_qemu_machine {
    ztl_hart *hart;           /* RAM below 0x88000000, up to 4 pieces; starts at its pc */
    ztl_host *host;           /* that is attached to it */
    int memory;               /* of ztl_qemu_share */
    const char *isa;          /* its Ztl part counts; NULL: Ztl 2, all of it */
    ztl_window l1m, l0m;      /* size 0 is everything */
    uint64_t library_handler; /* a trap handler that counts as none; 0: there is none */
    uint64_t max_insns;       /* UINT64_MAX: no limit */
    const char *parts;        /* as in ztl_qemu_options */
    /* Waits until a file can be read, at most so many milliseconds (-1: for ever). 1: it can be;
     * 0: not yet; -1: the run is to end. */
    int (*wait)(void *context, int file, int milliseconds);
    void *context;
} ztl_qemu_machine;

typedef struct ztl_qemu_end {
    enum ztl_stop stop; /* EXIT, TRAP, TRAP_LOOP, WFI, LIMIT (max_insns), or HOST: asked to end */
    bool knows_pc;      /* the hart's pc is where it ended */
    ztl_statistics statistics;
} ztl_qemu_end;

/* Makes the hart's RAM a file that QEMU can map too: its descriptor. -1 and a message when that
 * cannot be. */
int ztl_qemu_share(ztl_hart *hart, ztl_error *error);

/* Runs to the end. Integer registers, pc and the last trap are then in the hart, as its memory is.
 * False and a message when QEMU could not do it. */
bool ztl_qemu_run_machine(const ztl_qemu_machine *machine, ztl_qemu_end *end, ztl_error *error);

#endif
