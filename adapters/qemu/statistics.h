/* SPDX-License-Identifier: Apache-2.0
 * What was emulated; and, of a Linux program, how it ended.
 */
#ifndef ZTL_QEMU_STATISTICS_H
#define ZTL_QEMU_STATISTICS_H

#include <ztl/ztl.h>

enum { ZTL_STATISTICS_MAGIC = 0x324c545a }; /* "ZTL2" in memory order */

typedef struct ztl_statistics {
    uint64_t magic;
    uint64_t count[ZTL_INSNS]; /* retired, by enum ztl_insn_id */
    uint64_t csr;              /* CSR instructions on Ztl CSRs */
    uint64_t traps;            /* Ztl instructions that trapped */
    uint64_t bytes_loaded;
    uint64_t bytes_stored;
} ztl_statistics;

/* The Ztl CSRs of a hart, as ztl_state has them. */
typedef struct ztl_csr_values {
    uint32_t csr[ZTL_SLOTS];
    uint8_t written[ZTL_SLOTS];
} ztl_csr_values;

static inline void ztl_csr_values_take(ztl_csr_values *to, const ztl_state *from)
{
    for (int i = 0; i < ZTL_SLOTS; i++) {
        to->csr[i] = from->csr[i];
        to->written[i] = from->written[i];
    }
}

static inline void ztl_csr_values_give(const ztl_csr_values *from, ztl_state *to)
{
    for (int i = 0; i < ZTL_SLOTS; i++) {
        to->csr[i] = from->csr[i];
        to->written[i] = from->written[i];
    }
}

/* The fault that a Linux program, or one of its processes, died of. */
typedef struct ztl_death {
    uint64_t signal; /* 0: none */
    uint64_t pc, x[32];
    uint64_t address;    /* of the signal */
    uint64_t entry;      /* where the program's entry was, for the place it was loaded at */
    uint8_t code[4];     /* the instruction; 0: it could not be fetched */
    ztl_result ztl;      /* status ZTL_TRAP: what a Ztl instruction did wrong ... */
    ztl_csr_values csrs; /* ... and with which CSRs */
} ztl_death;

/* A file that every thread and every process of a Linux program shares, so that the figures are
 * there however it ends. */
typedef struct ztl_linux_report {
    ztl_statistics statistics;
    ztl_death death;
    uint64_t executed; /* instructions, when there is a limit to them; see plugin/plugin.c */
    uint64_t limit_pc; /* where the limit was reached; 0: it was not */
} ztl_linux_report;

#endif
