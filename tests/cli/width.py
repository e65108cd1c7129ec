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
COMMANDS = ["run", "as", "cc", "conform", "gen", "dis", "cosim", "op", "timing", "isa", "draw", "onnx", "bench"]
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
