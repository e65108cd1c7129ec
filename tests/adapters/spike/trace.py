#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ztl run --trace-format spike-log writes what Spike writes, line by line: random Ztl programs with
traps. Not compared are symbols, and the texts of base instructions, in which Spike uses the names
of pseudo-instructions: doc/spike.md.

usage: trace.py ZTL SOURCE-DIR EXTENSION SPIKE [COUNT [FIRST-SEED]]"""

import re
import sys

from spike import FOLDER, assemble, ours, spike
from random_ztl import program

count = int(sys.argv[5]) if len(sys.argv) > 5 else 4
first = int(sys.argv[6]) if len(sys.argv) > 6 else 2001
# Of mret; the simulator writes neither.
FURTHER = re.compile(r"( c784_mstatush 0x0+)?( c1957_tcontrol 0x0+)?$")
TEXT = re.compile(r"(core +\d+: 0x[0-9a-f]+ \(0x[0-9a-f]+\)) (.*)")


def lines_of(path):
    for line in path.read_text().splitlines():
        if ">>>>" in line:
            continue
        text = TEXT.match(line)
        yield text.group(1) if text and not text.group(2).startswith("tl.") else FURTHER.sub("", line)


compared = 0
for seed in range(first, first + count):
    xlen = 32 if seed % 2 == 0 else 64
    # Overlapping slices show what each of them stored on Spike, and here what memory holds then.
    text = program(seed, xlen=xlen, calm=True).replace(
        "_start:\n", "_start:\n    csrr a1, mstatus\n    li t0, 0\n    li a1, 0\n")
    elf = assemble(text, "program", f"rv{xlen}imac_zicsr_ztl", "lp64" if xlen == 64 else "ilp32")
    here, there = FOLDER / "here", FOLDER / "there"
    for disasm in (True, False):
        ours("--trace", here, "--trace-format", "spike-log", *(["--trace-disasm"] * disasm), elf)
        spike("--log-commits", *(["-l"] * disasm), f"--log={there}", "--priv=mu", elf,
              isa=f"rv{xlen}imac_zicsr_xztl")
        mine, other = list(lines_of(here)), list(lines_of(there))
        shorter = min(len(mine), len(other))
        assert shorter > 800
        for at, (a, b) in enumerate(zip(mine, other)):
            assert a == b, f"seed {seed}, line {at}\nhere:  {a}\nSpike: {b}"
        # Both end in the same loop, which ends when the host looks at tohost.
        compared += shorter
print(f"{compared} lines of {count} programs are the same")
