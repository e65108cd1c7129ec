# SPDX-License-Identifier: Apache-2.0
# Rows 0 and 2 of one block and all others of another, on the machine of machine.sv.
    .globl  _start
_start:
    la      a0, rows
    li      t0, 0x080408            # 8 rows of 4 x 8 elements
    csrw    tshape, t0
    li      t0, 0x004
    csrw    ttype, t0               # int16
    tl.load tl1, 0(a0)
    tl.addi tl2, tl1, 1
    li      t0, 0x05
    csrw    tmask_concat_1, t0
    tl.merge.0 tl3, tl1, tl2
    la      a1, out
    tl.store tl3, 0(a1)
    lhu     t1, 2 * 64(a1)          # row 2 came from tl1, row 3 from tl2
    lhu     t2, 3 * 64(a1)
    sub     a0, t2, t1
    addi    a0, a0, -1              # 0: as it should be
    li      t0, 0x10000004
    sw      a0, 0(t0)               # the end
1:  j       1b

    .balign 4
rows:
    .fill   512, 2, 0x1234
out:
    .space  1024
