/* SPDX-License-Identifier: Apache-2.0
 * A Ztl program on unmodified QEMU: a Linux program under qemu-riscv64, with libztl-trap.
 */
#ifndef ZTL_QEMU_RUN_H
#define ZTL_QEMU_RUN_H

#include <stdio.h>

#include <ztl/ztl.h>

#include "adapters/qemu/statistics.h"

typedef struct ztl_qemu_options {
    const char *program;            /* an ELF file */
    const char *const *arguments;   /* of the program, after its name, ended by NULL; may be NULL */
    const char *const *environment; /* NAME=VALUE beside that of this process, without commas;
                                     * ended by NULL; may be NULL */
    const char *isa;                /* its Ztl part counts; NULL: Ztl 2, all of it */
    uint64_t max_insns;             /* of all its processes, libraries included; 0: no limit */
    double timeout;                 /* seconds; 0: none */
    const char *parts; /* where libztl-trap.so is; NULL: where this program was built or
                        * installed */
} ztl_qemu_options;

typedef struct ztl_qemu_result {
    int status;      /* exit status of the program; 128 + n where signal n ended it */
    bool timed_out;  /* it was killed after the timeout */
    bool is_limited; /* it was killed after max_insns, at limit_pc */
    uint64_t limit_pc;
    ztl_statistics statistics; /* all 0 when none came back */
    ztl_death death;           /* signal 0: none, or none that came back */
} ztl_qemu_result;

/* Runs the program with this process's standard input and output, and waits. It may do whatever
 * this user may. False and a message when it could not be run. */
bool ztl_qemu_run(const ztl_qemu_options *options, ztl_qemu_result *result, ztl_error *error);

/* Instructions executed, by mnemonic, and bytes moved: lines of text, or one JSON object. */
void ztl_qemu_report(const ztl_statistics *statistics, bool as_json, FILE *out);

#endif
