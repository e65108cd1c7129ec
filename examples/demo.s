# SPDX-License-Identifier: Apache-2.0
# Transposes two matrices of 16 x 16 words with one instruction:
#
#   ztl run --dump tl1+tl2:2x16x16:int32 --dump-at before \
#           --dump tl1+tl2:2x16x16:int32 --dump-at after examples/demo.s
    .globl _start
_start:
    # The numbers from 0 to 511, in memory.
    la a0, matrices
    li t0, 0
    li t1, 512
fill:
    sw t0, 0(a0)
    addi a0, a0, 4
    addi t0, t0, 1
    blt t0, t1, fill

    # Two registers of 32 slices, each a row of 1 x 8 words.
    la a0, matrices
    csrwi ttype, 8                              # int32
    li t0, 32 << 16 | 1 << 8 | 8
    csrw tshape, t0
    tl.load tl1, 0(a0)
    tl.load tl2, 32(a0)
before:
    li a1, 1 << 24 | 16 << 16 | 16 << 8 | 2     # D0 = 2, D1 = D2 = 16, D3 = 1
    tl.xpose.12 tl1, tl2, a1
after:
    tl.store tl1, 0(a0)
    tl.store tl2, 32(a0)

    # The exit of semihosting, with code 0.
    li a0, 0x20
    la a1, exit
    .balign 16
    .option norvc
    slli zero, zero, 0x1f
    ebreak
    srai zero, zero, 7

    .data
    .balign 16
exit:
    .dword 0x20026, 0
    .bss
    .balign 1024
matrices:
    .zero 2048
