#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Spike's log shows Ztl: texts of instructions and CSRs, accesses of loads and stores, traps.

usage: log.py ZTL SOURCE-DIR EXTENSION SPIKE"""

from spike import FOLDER, assemble, spike

PROGRAM = """    .globl _start
_start:
    la t0, handler
    csrw mtvec, t0
    la a0, block
    li t0, 2 << 16 | 1 << 8 | 12
    csrw tshape, t0
    csrr t1, tl_store_stride{31}
    tl.load tl1, 0(a0)
    tl.store tl1, 2(a0), store
    tl.mload tl1, 0(a0)
    li a1, 8
    tl.load tl1, 0(a1)
    li t0, 1
    la t1, tohost
    sd t0, 0(t1)
end: j end
    .balign 4
handler:
    csrr t5, mepc
    addi t5, t5, 4
    csrw mepc, t5
    mret
    .data
    .balign 64
    .globl tohost, fromhost
tohost: .dword 0
fromhost: .dword 0
    .balign 64
block: .byte 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24
    .zero 64
"""
log = FOLDER / "log"
spike("-l", "--log-commits", f"--log={log}", assemble(PROGRAM, "program"))
lines = log.read_text().splitlines()
text = "\n".join(lines)
for expected in ("csrw    tshape, t0", "csrr    t1, tl_store_stride31", "tl.load tl1, 0(a0)",
                 "tl.store tl1, 2(a0), store", "tl.mload tl1, 0(a0)",
                 "exception trap_illegal_instruction", "exception trap_load_access_fault"):
    assert expected in text, f"{expected}\n{text}"


def commit(words):
    """The commit line after the line of a text."""
    return lines[next(i for i, line in enumerate(lines) if words in line) + 1].split(" mem ")[1:]


block = int(commit("tl.load tl1, 0(a0)")[0], 16)
assert [int(a, 16) for a in commit("tl.load tl1, 0(a0)")] == [block, block + 12]
assert [tuple(int(part, 16) for part in pair.split()) for pair in commit("tl.store tl1, 2(a0)")] == [
    (block + 24, 0x0807060504030201), (block + 32, 0x0c0b0a09), (block + 36, 0x14131211100f0e0d),
    (block + 44, 0x18171615)], commit("tl.store tl1, 2(a0)")
tvals = [int(line.split("tval")[1], 16) for line in lines if "tval" in line]
assert tvals[1] == 8 and tvals[0] & 0x7f == 0x5b, tvals
