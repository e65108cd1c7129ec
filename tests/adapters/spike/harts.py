#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Four harts of one Spike have registers and CSRs of their own, and share memory.

usage: harts.py ZTL SOURCE-DIR EXTENSION SPIKE"""

from spike import FOLDER, assemble, spike

HARTS = 4
PROGRAM = """    .globl _start
_start:
    csrr s0, mhartid
    addi t0, s0, 1
    slli t0, t0, 16             # hart h: h + 1 slices of 1 x 8 bytes
    ori t0, t0, 1 << 8 | 8
    csrw tshape, t0
    slli t1, s0, 6
    la a0, source
    add a0, a0, t1
    tl.load tl1, 0(a0)
    li t2, 20000                # longer than Spike's turns, so that harts alternate
again:
    addi t2, t2, -1
    bnez t2, again
    la a1, begin_signature
    add a1, a1, t1
    tl.addi tl2, tl1, 1
    csrr t3, tshape
    bne t3, t0, end
    tl.store tl2, 0(a1)
    la t4, arrived
    li t5, 1
    amoadd.w x0, t5, (t4)
    bnez s0, end
1:  lw t6, 0(t4)
    li t5, 4
    bne t6, t5, 1b
    li t0, 1
    la t1, tohost
    sd t0, 0(t1)
end: j end
    .data
    .balign 64
    .globl tohost, fromhost, begin_signature, end_signature
tohost: .dword 0
fromhost: .dword 0
arrived: .dword 0
    .balign 64
source:
    .set n, 0
    .rept 256
    .byte n
    .set n, n + 1
    .endr
begin_signature: .zero 256
end_signature:
"""
program, signature = assemble(PROGRAM, "harts"), FOLDER / "signature"
spike(f"-p{HARTS}", f"+signature={signature}", "+signature-granularity=1", program)
found = [int(word, 16) for word in signature.read_text().split()]
expected = [0] * 256
for hart in range(HARTS):
    for i in range(8 * (hart + 1)):
        expected[64 * hart + i] = min(64 * hart + i + 1, 255)
assert found == expected, found
