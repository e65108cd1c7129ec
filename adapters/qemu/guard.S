# SPDX-License-Identifier: Apache-2.0
# Accesses that may fault: see guard.h. Nothing here uses the stack.
#if __riscv_xlen == 64
#define LOAD ld
#define STORE sd
#else
#define LOAD lw
#define STORE sw
#endif
#define WORD (__riscv_xlen / 8)

    .macro function name
    .globl \name
    .hidden \name
    .type \name, @function
\name:
    .endm

    .text
    .balign 4
function ztl_guard_begin

# a0: to, a1: from, a2: size. Words where both sides are aligned alike, bytes elsewhere.
function ztl_guard_copy
    xor     t0, a0, a1
    andi    t0, t0, WORD - 1
    bnez    t0, 3f
1:  andi    t0, a0, WORD - 1
    beqz    t0, 2f
    beqz    a2, 4f
    lbu     t1, 0(a1)
    sb      t1, 0(a0)
    addi    a0, a0, 1
    addi    a1, a1, 1
    addi    a2, a2, -1
    j       1b
2:  li      t0, WORD
    bltu    a2, t0, 3f
    LOAD    t1, 0(a1)
    STORE   t1, 0(a0)
    addi    a0, a0, WORD
    addi    a1, a1, WORD
    addi    a2, a2, -WORD
    j       2b
3:  beqz    a2, 4f
    lbu     t1, 0(a1)
    sb      t1, 0(a0)
    addi    a0, a0, 1
    addi    a1, a1, 1
    addi    a2, a2, -1
    j       3b
4:  li      a0, 0
    ret

function ztl_guard_read
    lbu     t0, 0(a0)
    li      a0, 0
    ret

# The or with zero keeps the byte even while another thread writes it.
function ztl_guard_write
#ifdef __riscv_atomic
    andi    a0, a0, -4
    amoor.w zero, zero, (a0)
#else
    lbu     t0, 0(a0)
    sb      t0, 0(a0)
#endif
    li      a0, 0
    ret
function ztl_guard_end

function ztl_guard_fault
    ret

    .section .note.GNU-stack, "", @progbits
