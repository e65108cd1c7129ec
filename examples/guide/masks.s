# SPDX-License-Identifier: Apache-2.0
    .globl _start
_start:
    la a0, block
    li t0, 4 << 16 | 1 << 8 | 8     # 4 slices of 8 bytes
    csrw tshape, t0
    csrwi tl_load_mask, 0b0111      # bit i is slice i
    tl.mload tl1, 0(a0)             # slices 0 to 2; slice 3 becomes 0
    tl.addi tl2, tl1, 100
    csrwi tmask_concat_1, 0b0101
    tl.merge.0 tl3, tl1, tl2        # slices 0 and 2 of tl1, 1 and 3 of tl2
    csrwi tmask_concat_2, 0b0011
    tl.concat.0 tl4, tl1, tl2       # 0 and 2 of tl1, then 0 and 1 of tl2
done:
    li t0, 1
    la a0, tohost
    sd t0, 0(a0)
    j done

    .data
block:
    .byte  0,  1,  2,  3,  4,  5,  6,  7
    .byte 16, 17, 18, 19, 20, 21, 22, 23
    .byte 32, 33, 34, 35, 36, 37, 38, 39
    .byte 48, 49, 50, 51, 52, 53, 54, 55
    .balign 8
tohost:
    .dword 0
