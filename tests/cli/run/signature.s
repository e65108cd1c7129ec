# SPDX-License-Identifier: Apache-2.0
# Leaves a signature of ten bytes and ends.
    .globl _start, begin_signature, end_signature
_start:
    la t0, begin_signature
    li t1, 0x11223344
    sw t1, 0(t0)
    la t0, tohost
    li t1, 1
    sw t1, 0(t0)
    sw zero, 4(t0)
1:  j 1b
    .data
    .balign 16
begin_signature:
    .word 0, 0x55667788
    .half 0x99aa
end_signature:
    .half 0xbbbb
    .balign 8
tohost: .dword 0
