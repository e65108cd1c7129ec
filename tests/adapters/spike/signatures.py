#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random Ztl programs leave the same signature here and on Spike: memory, registers, CSRs and traps,
on RV64 and RV32, some with wild addresses.

usage: signatures.py ZTL SOURCE-DIR EXTENSION SPIKE [COUNT [FIRST-SEED]]"""

import sys

from spike import FOLDER, assemble, ours, spike
from random_ztl import program

count = int(sys.argv[5]) if len(sys.argv) > 5 else 12
first = int(sys.argv[6]) if len(sys.argv) > 6 else 1
trapped = set()
for seed in range(first, first + count):
    xlen = 32 if seed % 3 == 0 else 64
    elf = assemble(program(seed, xlen=xlen), "random", f"rv{xlen}imac_zicsr_ztl",
                   "lp64" if xlen == 64 else "ilp32")
    here, there = FOLDER / "here", FOLDER / "there"
    ours("--signature", here, elf)
    spike(f"+signature={there}", "+signature-granularity=4", elf, isa=f"rv{xlen}gc_xztl")
    mine, other = here.read_text().split(), there.read_text().split()
    words = xlen // 32
    trapped.update(mine[-128 * 4 * words::4 * words])
    for at, (a, b) in enumerate(zip(mine, other)):
        assert a == b, f"seed {seed}: word {at} of the signature is {a} here, {b} on Spike"
    assert len(mine) == len(other), f"seed {seed}: {len(mine)} and {len(other)} words"
causes = {int(cause, 16) for cause in trapped}
print(f"{count} signatures are the same; causes of traps: {sorted(cause for cause in causes if 0 < cause < 16)}")
assert {2, 4, 5, 6, 7} <= causes, "not every kind of trap was met"
