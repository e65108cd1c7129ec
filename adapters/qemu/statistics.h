/* SPDX-License-Identifier: Apache-2.0
 *
 * What was emulated. Under Linux this is a file that every thread and every child process adds to
 * while it runs, so that the figures are there however the program ends.
 */
#ifndef ZTL_QEMU_STATISTICS_H
#define ZTL_QEMU_STATISTICS_H

#include <ztl/isa.h>

enum { ZTL_STATISTICS_MAGIC = 0x324c545a }; /* "ZTL2" in memory order */

typedef struct ztl_statistics {
    uint64_t magic;
    uint64_t count[ZTL_INSNS]; /* retired, by enum ztl_insn_id */
    uint64_t csr;              /* CSR instructions on Ztl CSRs */
    uint64_t traps;            /* Ztl instructions that trapped */
    uint64_t bytes_loaded;
    uint64_t bytes_stored;
} ztl_statistics;

#endif
