#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What ztl prints fits 80 columns, or the terminal that it is printed on.

usage: width.py ZTL ZTL_QEMU
"""
import os
import re
import struct
import subprocess
import sys
import tempfile
import unittest

import terminal

ZTL, QEMU = (os.path.abspath(path) for path in sys.argv[1:3])
COMMANDS = ["run", "as", "cc", "conform", "gen", "dis", "cosim", "op", "timing", "isa", "draw", "onnx", "bench",
            "serve", "complete"]
SUITES = ["insn", "sim", "ops", "compare"]


def run(*command, **options):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=300, **options)
    return done.stdout


class Width(unittest.TestCase):
    def fits(self, text, columns=80, at_least=2):
        lines = text.splitlines()
        self.assertGreaterEqual(len(lines), at_least)
        self.assertEqual([line for line in lines if len(line) > columns], [])

    def test_help(self):
        self.fits(run(ZTL, "--help"))
        self.fits(run(QEMU, "--help"))
        for command in COMMANDS:
            self.fits(run(ZTL, command, "--help"), at_least=6)
        for suite in SUITES:
            self.fits(run(ZTL, "bench", suite, "--help"))
        listed = set(re.findall(r"^  (\w+) ", run(ZTL, "--help"), re.M))
        self.assertTrue(set(COMMANDS) >= listed - {"ztl"}, listed)

    def test_help_of_operators(self):
        names = re.findall(r"^  ([a-z][a-z0-9-]*) ", run(ZTL, "op", "--help"), re.M)
        names.remove("ztl")  # the example
        self.assertGreater(len(names), 20)
        for name in names:
            self.fits(run(ZTL, "op", name, "--help"), at_least=8)

    def test_tables_on_a_terminal(self):
        whole = {}
        for table in "insn", "csr", "type", "reason", "rule", "subset":
            whole[table] = run(ZTL, "isa", "--table", table)
            for columns in 80, 100, 120:
                text = terminal.run([ZTL, "isa", "--table", table], columns)
                self.fits(text, columns)
                if columns == 80:  # the words of one table are longer than that together
                    continue
                words = sorted(re.findall(r"\S+", text))
                self.assertEqual(words, sorted(re.findall(r"\S+", whole[table])), table)
        # A pipe is for tools: a row stays a line.
        self.assertIn("tl_load_stride", whole["csr"])
        self.assertGreater(max(map(len, whole["csr"].splitlines())), 80)

    def test_traps(self):
        with tempfile.TemporaryDirectory() as folder:
            name = "a_function_with_quite_a_long_name_that_leaves_little_room_on_its_line"
            path = os.path.join(folder, "trap.s")
            with open(path, "w") as file:
                file.write(f".globl _start\n_start: call {name}\n nop\n{name}:\n"
                           " li t0, 0x200108\n csrw tshape, t0\n li a0, 0x7fffffffffffff00\n"
                           " li t0, -2000000000\n csrw tl_load_stride31, t0\n li t0, 0x80000000\n"
                           " csrw tl_load_mask, t0\n tl.mload tl31, -128(a0)\n")
            text = run(ZTL, "run", "--stats", "trap.s", cwd=folder)
            self.fits(text, at_least=15)
            words = " ".join(text.split())
            self.assertIn("load access fault: slice 31 (tl_load_stride31 = -2000000000): address 0x7f",
                          words)
            self.assertIn(f"#0 {name} at trap.s:12 #1 _start at trap.s:2", words)
            self.fits(terminal.run([ZTL, "run", path], 79).split("  #0")[0], 79)

    def test_plans(self):
        for words in (["pad", "--shape-in", "2,3,4,5", "--pads", "1,1,1,1,1,1,1,1"],
                      ["transpose", "--shape-in", "1,3,224,224,4,5"],
                      ["im2col", "--shape-in", "1,3,64,64", "--kernel", "3,3"]):
            words = [ZTL, "op", *words, "--type", "int8", "--plan"]
            whole = run(*words)
            self.assertGreater(max(map(len, whole.splitlines())), 80)  # a pipe is for tools
            for columns in 60, 80, 120:
                text = terminal.run(words, columns)
                self.fits(text, columns)
                self.assertEqual(text.split(), whole.split())

    def test_regions(self):
        """With names as long as may be, and waits that have the longest words."""
        name = "a_region_with_a_name_of_as_many_characters_as_the_mark_can_hold"
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "regions.S")
            with open(path, "w") as file:
                file.write(f'''#include <ztl/region.h>
    .globl _start
_start: la a0, block
    la a1, other
    li t0, 32 << 16 | 1 << 8 | 32
    csrw tshape, t0
    li t1, 20000
1:  ztl_region_begin "{name}", t3
    tl.load tl1, (a0)
    tl.store tl1, (a1), store
    ztl_region_end
    addi t1, t1, -1
    bnez t1, 1b
    li a7, 93
    li a0, 0
    ecall
    .bss
    .balign 64
block: .space 1024
other: .space 1024
''')
            text = run(ZTL, "run", "--timing", "four,l0m.bytes=16", path)
            self.assertIn(name, text)
            self.assertIn("WAR, WAW: ", text)
            self.fits(text, at_least=30)
            self.fits(run(ZTL, "run", "--stats", path), at_least=12)

    def test_counts_of_operators(self):
        with tempfile.TemporaryDirectory() as folder:
            header = "{'descr': '<i2', 'fortran_order': False, 'shape': (64, 96), }"
            header = header.ljust(117) + "\n"
            with open(os.path.join(folder, "m.npy"), "wb") as file:
                file.write(b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode() +
                           bytes(64 * 96 * 2))
            self.fits(run(ZTL, "op", "transpose", "m.npy", "--stats", "--check", cwd=folder))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
