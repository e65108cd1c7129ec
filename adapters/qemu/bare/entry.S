# SPDX-License-Identifier: Apache-2.0
# From a trap to ztl_trap_handle and back, or on to the handler that mtvec named before.
#include "adapters/qemu/bare/frame.h"

#if __riscv_xlen == 64
#define LOAD ld
#define STORE sd
#else
#define LOAD lw
#define STORE sw
#endif
#define WORD (__riscv_xlen / 8)
#define FRAME_SIZE ((FRAME_PLACES * WORD + 15) & ~15)

    .text
    .balign 4
    .globl ztl_trap_entry
    .hidden ztl_trap_entry
ztl_trap_entry:
    addi    sp, sp, -FRAME_SIZE
    STORE   x1, 1 * WORD(sp)
    .irp n, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    STORE   x\n, \n * WORD(sp)
    .endr
    addi    t0, sp, FRAME_SIZE
    STORE   t0, 2 * WORD(sp)
    csrr    t0, mepc
    csrr    t1, mstatus
    STORE   t0, FRAME_PC * WORD(sp)
    STORE   t1, FRAME_STATUS * WORD(sp)
    mv      a0, sp
    call    ztl_trap_handle
    LOAD    t0, FRAME_PC * WORD(sp)
    LOAD    t1, FRAME_STATUS * WORD(sp)
    csrw    mepc, t0
    csrw    mstatus, t1
    bnez    a0, 1f

    .macro restore
    LOAD    x1, 1 * WORD(sp)
    .irp n, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    LOAD    x\n, \n * WORD(sp)
    .endr
    LOAD    x2, 2 * WORD(sp)
    .endm
    restore
    mret

1:  restore
# No register is free to jump through, so ztl_trap_install writes a jump to the handler here.
    .option push
    .option norvc
    .balign 4
    .globl ztl_trap_chain
    .hidden ztl_trap_chain
ztl_trap_chain:
    j       ztl_trap_chain
    .option pop

    .section .note.GNU-stack, "", @progbits
