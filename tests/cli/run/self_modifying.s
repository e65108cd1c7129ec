# SPDX-License-Identifier: Apache-2.0
# Writes code over itself, in a loop, with and without fence.i: always the new code runs. Then it
# overwrites everything from here on.
    .globl _start
    .option norvc
_start:
    li s0, 0
    li s1, 10
again:
    la t0, patch
    slli t1, s0, 20
    li t2, 0x00000513           # addi a0, zero, 0
    or t1, t1, t2
    sw t1, 0(t0)
    andi t3, s0, 1
    beqz t3, patch
    fence.i
patch:
    addi a0, zero, 77
    bne a0, s0, wrong
    addi s0, s0, 1
    blt s0, s1, again
    la t0, over
    li t1, 0xffffffff
over:
    sw t1, 0(t0)
    addi t0, t0, 4
    j over
wrong:
    ecall
