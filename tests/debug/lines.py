#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Lines of addresses, as addr2line tells them; from damaged files, fewer of them.

usage: lines.py ZTL SOURCE_FOLDER LINES_TOOL
"""
import os
import random
import re
import subprocess
import sys
import unittest

from common import TARGETS, ZTL, Case, gcc_hosted


TOOL = os.path.abspath(sys.argv[3])


def lines(path, addresses, base=0):
    done = subprocess.run([TOOL, path, str(base), *map(str, addresses)], capture_output=True,
                          timeout=120)
    assert done.returncode == 0 and not done.stderr, done
    text = done.stdout.decode()
    *found, unknown = text.splitlines()
    assert unknown == "unknown: ''" and len(found) == len(addresses), text
    return found


def addr2line(path, addresses):
    done = subprocess.run(["riscv64-unknown-elf-addr2line", "-e", path, *map(hex, addresses)],
                          capture_output=True, text=True, check=True)
    told = (re.sub(r" \(discriminator \d+\)$", "", line) for line in done.stdout.splitlines())
    return ["" if line.endswith((":0", ":?")) else os.path.basename(line) for line in told]


def code(path):
    """The addresses of main, up to its end."""
    done = subprocess.run(["riscv64-unknown-elf-objdump", "-d", "--disassemble=main", path],
                          capture_output=True, text=True, check=True)
    return [int(a, 16) for a in re.findall(r"^ *([0-9a-f]+):\t", done.stdout, re.M)]


class Lines(Case):
    def check(self, path):
        addresses = code(path)
        expected = addr2line(path, addresses)
        self.assertGreater(len(set(expected)), 3)
        self.assertEqual(lines(path, addresses), expected)
        return addresses, expected

    def test_gcc(self):
        for march in TARGETS:
            path = self.path(march)
            gcc_hosted(march, path, "stack.c", "-g", "-O1")
            self.check(path)

    def test_clang(self):
        """clang leaves out .debug_aranges."""
        path, program = self.path("clang"), self.write("clang.c", "volatile int n;\nint main(void)\n"
                                                       "{\n    n = 1;\n    n += 2;\n    n *= 3;\n"
                                                       "    return n;\n}\n")
        subprocess.run([ZTL, "cc", "--clang", "--semihost", "-g", "-O1", "-march=rv64imac",
                        "-mabi=lp64", program, "-o", path], check=True)
        self.check(path)

    def test_nothing_known(self):
        path = self.path("plain")
        gcc_hosted("rv64imac", path, "stack.c", "-g0")
        addresses = [0, *code(path), 2**64 - 2]
        self.assertEqual(lines(path, addresses), [""] * len(addresses))
        self.assertEqual(lines("/dev/null", [4]), [""])
        self.assertEqual(lines(os.path.join(self.folder, "none"), [4]), [""])

    def test_names_are_safe(self):
        program = self.write("safe.s", '    .file 1 "a/evil\x1b[2J\\377.c"\n    .globl main, _start\n'
                             "main:\n_start:\n    .loc 1 7\n    nop\n    nop\n"
                             f'    .file 2 "{"long" * 100}.c"\n    .loc 2 1000000000\n    nop\n')
        path = self.path("safe")
        subprocess.run(["riscv64-unknown-elf-gcc", "-march=rv64i", "-mabi=lp64", "-nostdlib",
                        "-Wl,-Ttext=0x80000000", program, "-o", path], check=True)
        first, again, last = lines(path, [0x80000000, 0x80000004, 0x80000008])
        self.assertEqual((first, again), ("evil?[2J?.c:7",) * 2)
        self.assertRegex(last, r"^(long)+l?o?n?\.\.\.:1000000000$")
        self.assertLess(len(last), 80)

    def test_damaged(self):
        """Each line is right, or missing, or another; nothing worse happens."""
        path = self.path("whole")
        gcc_hosted("rv64imac", path, "stack.c", "-g", "-O1")
        addresses, _ = self.check(path)
        with open(path, "rb") as file:
            whole = file.read()
        chance = random.Random(13)
        for _ in range(40):
            damaged = bytearray(whole)
            for _ in range(chance.choice((1, 20, 2000))):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            with open(self.path("damaged"), "wb") as file:
                file.write(damaged[:chance.choice((len(damaged), len(damaged) * 3 // 4))])
            for line in lines(self.path("damaged"), addresses):
                self.assertTrue(line.isprintable(), line)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
