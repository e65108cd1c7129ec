# SPDX-License-Identifier: Apache-2.0
    .globl _start
_start:
    la a0, block
    li t0, 1 << 16 | 1 << 8 | 8     # 1 slice of 8 elements
    csrw tshape, t0
    tl.load tl1, 0(a0)              # ttype is 0: elements are bytes
    tl.addi tl2, tl1, 100           # bytes stop at 255
    csrwi ttype, 1 << 1
    tl.addi tl3, tl1, 100           # int8 stops at 127
    csrwi ttype, 1 << 2
    tl.addi tl4, tl1, 100           # int16: two bytes are one number
done:
    li t0, 1
    la a0, tohost
    sd t0, 0(a0)
    j done

    .data
block:
    .byte 0, 1, 100, 0, 150, 0, 200, 255
    .balign 8
tohost:
    .dword 0
