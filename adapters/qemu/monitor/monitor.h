/* SPDX-License-Identifier: Apache-2.0
 *
 * What the monitor is told: it lies in RAM before the hart starts.
 *
 * The monitor runs a bare-metal program on a RISC-V machine without Ztl (qemu-system-riscv32/64,
 * -machine virt). The program believes to be in machine mode: it runs in user mode, and the monitor
 * executes what traps there: Ztl, the CSRs of machine mode, mret. Semihosting calls pass through.
 */
#ifndef ZTL_QEMU_MONITOR_H
#define ZTL_QEMU_MONITOR_H

#include <stdint.h>

#define ZTL_MONITOR_BASE       0x8f000000 /* the last 16 MiB of 256 */
#define ZTL_MONITOR_PARAMETERS 0x8ff00000
#define ZTL_MONITOR_MAGIC      0x6e6f6d6c747aull

typedef struct ztl_monitor_parameters {
    uint64_t magic;
    uint64_t entry;              /* where the program starts */
    uint64_t l1m_base, l1m_size; /* windows; size 0 is everything */
    uint64_t l0m_base, l0m_size;
    char isa[256];         /* its Ztl part counts */
    char statistics[1024]; /* a file of the host, written when the program exits; or "" */
} ztl_monitor_parameters;

#endif
