# SPDX-License-Identifier: Apache-2.0
    .globl _start
_start:
    la a0, block                    # a0 = the address of the data
    li t0, 4 << 16 | 1 << 8 | 8     # 4 slices of 1 x 8 elements
    csrw tshape, t0
    tl.load tl1, 0(a0)              # 32 bytes into tl1
    tl.addi tl2, tl1, 100           # add 100 to each
done:
    li t0, 1                        # ends the run, with status 0
    la a0, tohost
    sd t0, 0(a0)
    j done

    .data
block:
    .byte   0,   1,   2,   3,   4,   5,   6,   7
    .byte  16,  17,  18,  19,  20,  21,  22,  23
    .byte 128, 129, 130, 131, 132, 133, 134, 135
    .byte 150, 151, 152, 153, 154, 155, 156, 157
    .balign 8
tohost:
    .dword 0
