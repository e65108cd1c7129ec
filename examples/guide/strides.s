# SPDX-License-Identifier: Apache-2.0
    .globl _start
_start:
    la a0, matrix                   # 8 rows of 24 bytes: 3 slices of 8 in a row
    li t0, 4 << 16 | 1 << 8 | 8     # 4 slices of 8 bytes
    csrw tshape, t0
    tl.load tl1, 0(a0)              # strides 0 1 2 3: one after the other
    csrwi tl_load_stride0, 0
    csrwi tl_load_stride1, 3        # a row is 3 slices
    csrwi tl_load_stride2, 6
    csrwi tl_load_stride3, 9
    tl.load tl2, 0(a0)              # the first 8 columns of rows 0 to 3
    tl.load tl3, 13(a0)             # 13 slices on: from row 4, column 8
    csrwi tl_load_stride0, 21       # row 7
    csrwi tl_load_stride1, 0        # row 0
    csrwi tl_load_stride2, 15       # row 5
    csrwi tl_load_stride3, 15       # and row 5 again
    tl.load tl4, 0(a0)
done:
    li t0, 1
    la a0, tohost
    sd t0, 0(a0)
    j done

    .data
matrix:                             # row r, column c: 32 r + c
    .set row, 0
    .rept 8
    .byte row,      row + 1,  row + 2,  row + 3,  row + 4,  row + 5,  row + 6,  row + 7
    .byte row + 8,  row + 9,  row + 10, row + 11, row + 12, row + 13, row + 14, row + 15
    .byte row + 16, row + 17, row + 18, row + 19, row + 20, row + 21, row + 22, row + 23
    .set row, row + 32
    .endr
    .balign 8
tohost:
    .dword 0
