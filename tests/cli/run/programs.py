#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""ztl run: programs in C and assembly, every end, and hostile programs.

usage: programs.py ZTL SOURCE_FOLDER
"""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import processes
from common import TARGETS, ZTL, Case, gcc, gcc_hosted, source, ztl


class Hosted(Case):
    """C programs built with Debian's compiler and picolibc."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for march in TARGETS:
            gcc_hosted(march, os.path.join(cls.folder, march), "hosted.c")

    def test_console_arguments_and_status(self):
        for march in TARGETS:
            self.expect(ztl(self.path(march)), 0, "-5 text beef 1234567890123\n")
            self.expect(ztl(self.path(march), "--", "42", "two"), 42,
                        "argument 1: 42\nargument 2: two\n-5 text beef 1234567890123\n")
            self.expect(ztl(self.path(march), "--", "256"), 255, err="exit code 256")
            self.expect(ztl(self.path(march), "--", "-1"), 255)

    def test_heap(self):
        total = sum(i * i for i in range(200000)) % 2**32
        for march in TARGETS:
            self.expect(ztl(self.path(march), "--", "heap"), 0, f"heap: {total}\n")

    def test_input(self):
        for march in TARGETS:
            self.expect(ztl(self.path(march), "--", "echo", stdin=b"HAL."), 0, "IBM")

    def test_files(self):
        for march in TARGETS:
            with tempfile.TemporaryDirectory(dir=self.folder) as shared:
                for name in "in.txt", "gone.txt":
                    with open(os.path.join(shared, name), "w") as out:
                        out.write("0123456789")
                self.expect(ztl("--dir", shared, self.path(march), "--", "files"), 0,
                            "file: 10 bytes, 8 from the third on: 23456789\n")
                self.assertEqual(sorted(os.listdir(shared)), ["in.txt", "out.txt"])
                with open(os.path.join(shared, "out.txt")) as text:
                    self.assertEqual(text.read(), "from the guest\n")

    def test_no_files_outside(self):
        shared = self.path("shared")
        os.mkdir(shared)
        outside = self.path("outside")
        os.symlink(outside, os.path.join(shared, "link"))
        names = ["/etc/passwd", "../outside", "link", self.path("absolute"), "x/../../outside", ""]
        names = [name for name in names if name]
        for march in TARGETS:
            self.expect(ztl("--dir", shared, self.path(march), "--", "escape", *names), 0,
                        "opened 0\n")
            self.expect(ztl(self.path(march), "--", "escape", "file", *names, cwd=shared), 0,
                        "opened 0\n")  # no --dir: nothing at all
        self.assertEqual(os.listdir(shared), ["link"])
        self.assertFalse(os.path.exists(outside) or os.path.exists(self.path("absolute")))
        self.expect(ztl("--dir", self.path("no such"), self.path("rv64imac")), 1,
                    err="no such: No such file or directory")

    def test_source(self):
        """The same program from its source, on either XLEN."""
        self.expect(ztl(source("hosted.c"), "--", "7"), 7,
                    "argument 1: 7\n-5 text beef 1234567890123\n")
        self.expect(ztl("--isa", "rv32imac_zicsr_ztl", source("hosted.c")), 0,
                    "-5 text beef 1234567890123\n")
        self.expect(ztl("--mem", "0x20000000:8M", source("hosted.c")), 0)


class Ends(Case):
    """Every way a run can end, with its message and status."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for march in TARGETS:
            gcc_hosted(march, os.path.join(cls.folder, march), "trap.c")

    def trap(self, letter, status, *messages, options=("--timeout", "300")):
        for march in TARGETS:
            result = ztl(*options, self.path(march), "--", letter)
            for message in messages:
                self.expect(result, status, err=message)

    def test_traps(self):
        self.trap("n", 120, "ztl run: trap: store access fault at 0x8000", "(main",
                  "sw zero, 0(zero)", "address 0x0")
        self.trap("j", 120, "instruction access fault at 0x1234\n", "ra is 0x8000", "(main")
        self.trap("w", 120, "trap: load a", "ffffffe")
        self.trap("i", 120, "illegal instruction", "# 0x0000000b")
        self.trap("e", 120, "environment call from machine mode", "ecall    # 0x00000073")
        self.trap("s", 120, "trap: ", "(recurse")

    def test_handlers(self):
        self.trap("h", 5, "")
        self.trap("l", 122, "stopped by --max-insns at 0x8000", options=["--max-insns", "1000000"])
        self.trap("l", 124, "stopped by --timeout at 0x8000", options=["--timeout", "0.2"])
        self.trap("r", 120, "trap in the first instruction of the trap handler: illegal")
        self.trap("m", 120, "trap in the first instruction of the trap handler: instruction access")
        self.trap("R", 122, "stopped by --max-insns", options=["--max-insns", "1000000"])
        self.trap("R", 124, "stopped by --timeout", options=["--timeout", "0.2"])
        self.trap("z", 121, "asleep for ever", "(main")

    def test_limits(self):
        self.trap("f", 122, "stopped by --max-insns at 0x8000", "(main",
                  options=["--max-insns", "123456"])
        self.trap("f", 124, "stopped by --timeout at 0x8000", "(main", options=["--timeout", "0.5"])
        stats = self.path("stats")
        ztl("--max-insns", "123456", f"--stats={stats}", "--json", self.path("rv64imac"), "--", "f")
        self.assertEqual(json.loads(self.read("stats"))["instructions"], 123456)

    def interrupt(self, *arguments):
        process = subprocess.Popen([ZTL, "run", *arguments], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while not processes.catches(process.pid, signal.SIGINT):
            time.sleep(0.02)
        processes.wait_until_busy(process.pid, or_asleep=True)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=300)
        return process.returncode, err.decode()

    def test_interrupt(self):
        status, err = self.interrupt(self.path("rv64imac"), "--", "f")
        self.assertEqual(status, 130, err)
        self.assertRegex(err, r"ztl run: interrupted at 0x8000\w+ \(main")

    def test_interrupt_while_reading(self):
        gcc_hosted("rv64imac", self.path("reader"), "hosted.c")
        status, err = self.interrupt(self.path("reader"), "--", "echo")
        self.assertEqual(status, 130, err)
        self.assertIn("(sys_semihost+0x8)", err)
        reader, writer = os.pipe()  # from which nothing ever comes
        process = subprocess.run([ZTL, "run", "--timeout", "0.3", self.path("reader"), "--", "echo"],
                                 stdin=reader, capture_output=True, timeout=300)
        os.close(reader)
        os.close(writer)
        self.assertEqual((process.returncode, process.stdout), (124, b""))

    def test_registers(self):
        result = ztl("--registers", self.path("rv64imac"), "--", "n")
        self.expect(result, 120)
        self.assertRegex(result.err, r"pc   0x000000008000\w{4}\n  zero 0x0{16}  ra   0x")
        self.assertEqual(len(re.findall(r"0x[0-9a-f]{16}", result.err)), 33)
        result = ztl("--registers", self.path("rv32imac"), "--", "n")
        self.assertEqual(len(re.findall(r"  \w+ +0x[0-9a-f]{8}\b", result.err)), 33)

    def test_reason_of_ztl(self):
        program = self.write("shape.s", """
            .globl _start
_start:     li a0, 0x04080804
            nop
here:       tl.xpose.01 tl1, tl2, a0
""")
        self.expect(ztl(program), 120, err="illegal instruction at 0x80000")
        result = ztl(program)
        self.assertIn("(here)", result.err)
        self.assertIn("tl.xpose.01 tl1, tl2, a0    # 0x0220b55b", result.err)
        self.assertIn("SHAPE: D0·D1·D2·D3 = 1024 bytes, must be 2048", result.err)
        program = self.write("window.s", ".globl _start\n_start: li a1, 0x010101\n"
                             "csrw tshape, a1\nla a0, _start\ntl.store tl1, 0(a0)\n")
        result = ztl("--l0m", "0x80001000:4K", program)
        self.expect(result, 120, err="slice 0 (tl_store_stride0 = 0): address 0x80000000 is")
        self.assertIn("is outside the window", " ".join(result.err.split()))
        self.expect(ztl("--isa", "rv64imac_zicsr_ztlx", program), 120,
                    err="the hart lacks the sub-extension")

    def test_host_interface(self):
        for isa in "rv32imac_zicsr_ztl", "rv64imac_zicsr_ztl":
            self.expect(ztl("--isa", isa, "--timeout", "300", source("htif.S")), 5, "HTIF!\n")
        gcc("rv64imac", self.path("htif"), "-nostdlib", "-nostartfiles", "-DLOOP", "-mcmodel=medany",
            "-Wl,-Ttext=0x80000000", "-Wl,-n", "-Wl,--no-warn-rwx-segments", "-Wl,--no-relax",
            source("htif.S"))
        self.expect(ztl(self.path("htif")), 5, "HTIF!\n")


class Hostile(Case):
    def test_code_over_itself(self):
        result = ztl("--max-insns", "10000000", source("self_modifying.s"))
        self.expect(result, 120, err="illegal instruction")
        self.assertIn("(over", result.err)

    def test_wrong_entry(self):
        self.expect(ztl("--entry", "0xfffffffffffffffc", source("trace.s")), 120,
                    err="instruction access fault at 0xfffffffffffffffc")
        self.expect(ztl("--entry", "0", source("trace.s")), 120, err="at 0x0\n")

    def test_jump_off_the_end(self):
        program = self.write("off.s", ".globl _start\n_start: li t0, 0x87fffffc\n"
                             "li t1, 0x00000013\nsw t1, 0(t0)\njr t0\n")
        self.expect(ztl(program), 120, err="instruction access fault at 0x88000000")

    def test_garbage_as_code(self):
        """Random bytes run into something that ends them."""
        import random
        generator = random.Random(3)
        for seed in range(12):
            words = ", ".join(hex(generator.getrandbits(32)) for _ in range(400))
            program = self.write("garbage.s", f".globl _start\n_start: .word {words}\n")
            isa = ("rv64imac_zicsr_ztl", "rv32imac_zicsr_ztl1p0")[seed % 2]
            result = ztl("--isa", isa, "--max-insns", "1000000", program)
            self.assertIn(result.status, (120, 121, 122), result.err)

    def test_many_traps(self):
        """A handler that returns to the instruction that trapped."""
        program = self.write("many.s", ".globl _start\n_start: la t0, 1f\ncsrw mtvec, t0\n"
                             ".word 0\n.balign 4\n1: mret\n")
        self.expect(ztl("--max-insns", "3000000", program), 122, err="--max-insns")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
