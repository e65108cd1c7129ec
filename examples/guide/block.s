# SPDX-License-Identifier: Apache-2.0
    .globl _start
_start:
    la a0, blocks
    li t0, 32 << 16 | 32 << 8 | 1   # 32 slices of 32 bytes: all of a register
    csrw tshape, t0
    tl.load tl1, 0(a0)              # the first 1024 bytes
    tl.load tl2, 32(a0)             # 32 slices on: the second
    li a1, 1 << 24 | 16 << 16 | 8 << 8 | 16     # 16 blocks of 8 rows of 16
turn:
    tl.xpose.12 tl1, tl2, a1
done:
    li t0, 1
    la a0, tohost
    sd t0, 0(a0)
    j done

    .data
blocks:                             # row r, column c of each block: 16 r + c
    .set n, 0
    .rept 2048
    .byte n & 127
    .set n, n + 1
    .endr
    .balign 8
tohost:
    .dword 0
