# SPDX-License-Identifier: Apache-2.0
    .globl _start
_start:
    la a0, block
    li t0, 4 << 16 | 1 << 8 | 8     # 4 slices of 1 x 8 bytes
    csrw tshape, t0
    tl.load tl1, 0(a0)
    tl.addi tl2, tl1, 0x64          # saturates at 0xff
    csrwi tmask_concat_1, 0b0011
    tl.merge.0 tl3, tl1, tl2        # slices 0 and 1 of tl1, 2 and 3 of tl2
done:
    li t0, 1                        # ends the run, with status 0
    la a0, tohost
    sd t0, 0(a0)
    j done

    .data
block:
    .byte 0, 1, 2, 3, 4, 5, 6, 7, 0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57
    .byte 0, 1, 2, 3, 4, 5, 6, 7, 0x98, 0x99, 0x9a, 0x9b, 0x9c, 0x9d, 0x9e, 0x9f
    .balign 8
tohost:
    .dword 0
