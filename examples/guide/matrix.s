# SPDX-License-Identifier: Apache-2.0
    .equ SIZE, 128                  # a matrix of 128 x 128 bytes
    .globl _start
_start:
    li t0, 64                       # a slice is a row of a tile: 64 bytes to load,
    csrw tl_load_width, t0
    li t0, 32                       # 32 bytes to store
    csrw tl_store_width, t0
    .altmacro
    .macro stride i                 # row i is i * SIZE bytes on, counted in slices
    li t0, \i * SIZE / 64
    csrw tl_load_stride\i, t0
    li t0, \i * SIZE / 32
    csrw tl_store_stride\i, t0
    .endm
    .set i, 0
    .rept 32
    stride %i
    .set i, i + 1
    .endr

    li a1, 1 << 24 | 1 << 16 | 64 << 8 | 32     # a tile: 32 rows of 64
    li s2, 0                        # s2 = the tile's first row
rows:
    li s3, 0                        # s3 = the tile's first column
columns:
    slli t0, s2, 7                  # from = matrix + row * SIZE + column
    add t0, t0, s3
    la a0, matrix
    add a0, a0, t0
    li t0, 16 << 16                 # 16 slices of 64 bytes fill a register
    csrw tshape, t0
    tl.load tl1, 0(a0)              # rows 0 to 15 of the tile
    tl.load tl2, 16 * SIZE / 64(a0) # rows 16 to 31
    tl.xpose.01 tl1, tl2, a1        # now 64 rows of 32
    slli t0, s3, 7                  # to = result + column * SIZE + row
    add t0, t0, s2
    la a0, result
    add a0, a0, t0
    li t0, 32 << 16                 # 32 slices of 32 bytes
    csrw tshape, t0
    tl.store tl1, 0(a0)
    li t0, 32 * SIZE
    add a0, a0, t0
    tl.store tl2, 0(a0)
    li t0, SIZE
    addi s3, s3, 64
    bne s3, t0, columns
    addi s2, s2, 32
    bne s2, t0, rows

    li s4, 1                        # what tohost gets: 1 means status 0
    li s2, 0                        # s2 = row * SIZE + column
check:
    la t0, matrix
    add t0, t0, s2
    lbu t1, 0(t0)
    andi t0, s2, SIZE - 1           # the place in the result: column * SIZE + row
    slli t0, t0, 7
    srli t2, s2, 7
    add t0, t0, t2
    la t2, result
    add t0, t0, t2
    lbu t2, 0(t0)
    beq t1, t2, same
    li s4, 3                        # 3 means status 1
same:
    addi s2, s2, 1
    li t0, SIZE * SIZE
    bne s2, t0, check
done:
    la a0, tohost
    sd s4, 0(a0)
    j done

    .data
    .balign 64
matrix:
    .set n, 0
    .rept SIZE * SIZE
    .byte (n * 167 >> 3) & 255
    .set n, n + 1
    .endr
result:
    .skip SIZE * SIZE
tohost:
    .dword 0
