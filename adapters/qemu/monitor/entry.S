# SPDX-License-Identifier: Apache-2.0
# Start, and the way from the program to the monitor and back. While the program runs, mscratch is
# the monitor's stack; while the monitor runs, mtvec leads to `fault`.
#include "adapters/qemu/bare/frame.h"
#include "adapters/qemu/monitor/monitor.h"

#if __riscv_xlen == 64
#define LOAD ld
#define STORE sd
#else
#define LOAD lw
#define STORE sw
#endif
#define WORD (__riscv_xlen / 8)
#define FRAME_SIZE ((FRAME_PLACES * WORD + 15) & ~15)
#define MSTATUS_MPP 0x1800
#define MSTATUS_FS 0x2000

# At ZTL_MONITOR_BASE, and 4 bytes after it ZTL_MONITOR_BELL: void ztl_monitor_bell(void).
    .section .first, "ax"
    .option push
    .option norvc
    .globl _start
_start:
    j       start
    .globl ztl_monitor_bell
ztl_monitor_bell:
    ret
    .option pop

start:
    csrr    t0, mhartid
1:  bnez    t0, 1b              # one hart only
    la      sp, stack_top - FRAME_SIZE
    la      t0, fault
    csrw    mtvec, t0
    li      t0, -1
    csrw    mcounteren, t0      # user mode has the counters
    csrw    scounteren, t0
    li      t0, MSTATUS_FS
    csrs    mstatus, t0
    mv      a0, sp
    call    ztl_monitor_start
    j       resume

    .text
    .balign 4
program:
    csrrw   sp, mscratch, sp
    addi    sp, sp, -FRAME_SIZE
    STORE   x1, 1 * WORD(sp)
    .irp n, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    STORE   x\n, \n * WORD(sp)
    .endr
    csrr    t0, mscratch
    STORE   t0, 2 * WORD(sp)
    csrr    t0, mepc
    STORE   t0, FRAME_PC * WORD(sp)
    la      t0, fault
    csrw    mtvec, t0
    mv      a0, sp
    call    ztl_monitor_trap

# The frame at sp is the program: go there, in user mode.
resume:
    la      t0, program
    csrw    mtvec, t0
    li      t0, MSTATUS_MPP
    csrc    mstatus, t0
    LOAD    t0, FRAME_PC * WORD(sp)
    csrw    mepc, t0
    addi    t0, sp, FRAME_SIZE
    csrw    mscratch, t0
    LOAD    x1, 1 * WORD(sp)
    .irp n, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    LOAD    x\n, \n * WORD(sp)
    .endr
    LOAD    x2, 2 * WORD(sp)
    mret

# A trap in the monitor itself: a guarded access, which then answers that it faulted.
    .balign 4
fault:
    csrr    t0, mepc
    la      t1, ztl_guard_begin
    bltu    t0, t1, .
    la      t1, ztl_guard_end
    bgeu    t0, t1, .
    la      t0, ztl_guard_fault
    csrw    mepc, t0
    li      a0, 1
    csrr    a1, mtval
    mret

    .bss
    .balign 16
    .space  32768
stack_top:

    .section .note.GNU-stack, "", @progbits
