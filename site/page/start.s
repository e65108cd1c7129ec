# SPDX-License-Identifier: Apache-2.0
# Transposes a matrix of 32 rows of 64 bytes.
#
# Step through it: the last instruction shown swapped rows and columns. Then change something, such
# as the shape in a1, or  tl.xpose.01  to  tl.xpose.02 , and run it again.
    .globl _start
_start:
    la a0, matrix
    li t0, 32 << 16 | 1 << 8 | 32           # 32 slices of 1 x 32 bytes: as much as a register holds
    csrw tshape, t0
    tl.load tl1, 0(a0)                      # the upper 16 rows
    tl.load tl2, 32(a0)                     # the lower 16 rows, 32 slices on
    li a1, 1 << 24 | 1 << 16 | 64 << 8 | 32 # the shape: 32 rows, 64 columns
    tl.xpose.01 tl1, tl2, a1                # dimension 0 becomes 1, and 1 becomes 0
    la a2, result
    tl.store tl1, 0(a2)
    tl.store tl2, 32(a2)
done:
    li t0, 1                                # ends the program
    la t1, tohost
    sd t0, 0(t1)
    j done

    .data
matrix:                                     # row r, column c: 4 r + c / 16
    .set n, 0
    .rept 2048
    .byte (n >> 6) * 4 + (n & 63) / 16
    .set n, n + 1
    .endr
result:
    .zero 2048
    .balign 8
tohost:
    .dword 0
