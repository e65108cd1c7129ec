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

    def test_failing_htif_exit(self):
        """It says so, and with which value; one that succeeds says nothing."""
        for value, status, err in ((7, 3, "ztl run: failed: tohost is 0x7, exit code 3\n"), (1, 0, "")):
            self.write("end.s", f".globl _start\n_start: la a0, tohost\n li a1, {value}\n sd a1, (a0)\n"
                                "1: j 1b\n .data\n .balign 8\n.globl tohost\ntohost: .dword 0\n")
            result = ztl(self.path("end.s"))
            self.assertEqual((result.status, result.out, result.err), (status, "", err))

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

    def test_names_the_compiler_lacks(self):
        """What the hart has anyway, and capitals, in the ISA string of a source."""
        for isa in "rv64gc_zicclsm_zihpm_zaamo_zalrsc_zca", "RV32IMAC_Zicsr_Zicntr", "rv64gcb":
            self.expect(ztl("--isa", isa, source("hosted.c")), 0, "-5 text beef 1234567890123\n")


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

    def test_trap_before_the_handler_is_set(self):
        """Started behind picolibc's start-up code, main returns to nowhere."""
        for march, isa in (("rv32imac", "rv32imac_zicsr_ztl"), ("rv64imac", "rv64imac_zicsr_ztl")):
            program = self.write("nowhere.c", "int main(void) { return 0; }")
            for options in ["--max-insns", "1000"], ["--timeout", "300"]:
                self.expect(ztl("--isa", isa, "--entry", "main", *options, program), 120,
                            err="trap: instruction access fault at 0x0\n")
            self.trap("n", 122, "stopped by --max-insns", options=["--max-insns", "1"])

    def test_every_attempt_counts(self):
        """Nothing retires but one instruction in two: the trap is an attempt as well."""
        program = self.write("attempts.s", ".globl _start\n_start: la t0, 1f\ncsrw mtvec, t0\n"
                             ".word 0\n.balign 4\n1: mret\n")
        for options in [], ["--dump", "tl0:1", "--dump-at", "_start"]:
            stats = self.path("stats")
            self.expect(ztl("--max-insns", "1003", f"--stats={stats}", "--json", *options, program), 122)
            counts = json.loads(self.read("stats"))
            self.assertEqual(counts["instructions"], 3 + 500)
            self.assertEqual(counts["exceptions"], {"illegal instruction": 500})

    def test_limits(self):
        self.trap("f", 122, "stopped by --max-insns at 0x8000", "(main",
                  options=["--max-insns", "123456"])
        self.trap("f", 124, "stopped by --timeout at 0x8000", "(main", options=["--timeout", "0.5"])
        stats = self.path("stats")
        ztl("--max-insns", "123456", f"--stats={stats}", "--json", self.path("rv64imac"), "--", "f")
        self.assertEqual(json.loads(self.read("stats"))["instructions"], 123456)

    def interrupt(self, *arguments, number=signal.SIGINT):
        process = subprocess.Popen([ZTL, "run", *arguments], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while not processes.catches(process.pid, number):
            time.sleep(0.02)
        processes.wait_until_busy(process.pid, or_asleep=True)
        process.send_signal(number)
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

    def pipe_nobody_reads(self):
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        self.addCleanup(os.close, writer)
        os.set_blocking(writer, False)
        try:
            while os.write(writer, b"x" * 4096):
                pass
        except BlockingIOError:
            os.set_blocking(writer, True)
        return writer

    FLOOD = """
            .globl _start
_start:     li a0, {operation}
            la a1, parameters
            .option norvc
            .balign 16
            slli x0, x0, 0x1f
            ebreak
            srai x0, x0, 7
            j _start
            .data
            .balign 8
parameters: .dword {parameters}
"""

    def test_limits_in_host_calls(self):
        """Writing to a pipe that nobody reads: as SYS_WRITE, SYS_WRITE0, SYS_WRITEC and by HTIF."""
        calls = [self.FLOOD.format(operation=5, parameters="1, 0x80000000, 0x4000000"),
                 self.FLOOD.format(operation=5, parameters="1, 0x80000000, 100"),
                 self.FLOOD.format(operation=4, parameters="0x4141414141414141, 0"),
                 self.FLOOD.format(operation=3, parameters="65"),
                 ".globl _start, tohost\n_start: li t0, 0x0101000000000041\nla t1, tohost\n"
                 "1: sd t0, 0(t1)\nj 1b\n.data\n.balign 8\ntohost: .dword 0\n"]
        for call in calls:
            program = self.write("flood.s", call)
            process = subprocess.run([ZTL, "run", "--timeout", "0.5", program], capture_output=False,
                                     stdout=self.pipe_nobody_reads(), stderr=subprocess.PIPE,
                                     stdin=subprocess.DEVNULL, timeout=300)
            self.assertEqual(process.returncode, 124, process.stderr)
            self.assertIn(b"stopped by --timeout at 0x80000", process.stderr)

    def test_limits_of_a_huge_call(self):
        """One SYS_WRITE of a tebibyte, of which each byte is there."""
        program = self.write("huge.s", self.FLOOD.format(operation=5,
                                                         parameters="1, 0x80000000, 0x10000000000"))
        process = subprocess.run([ZTL, "run", "--timeout", "0.5", "--mem", "0x80000000:1025G", program],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=300)
        self.assertEqual(process.returncode, 124, process.stderr)

    def test_limits_of_outputs_that_wait(self):
        program = self.write("loop.s", ".globl _start\n_start: j _start\n")
        process = subprocess.run([ZTL, "run", "--timeout", "0.5", "--trace", "-", program],
                                 stdout=self.pipe_nobody_reads(), stderr=subprocess.PIPE, timeout=300)
        self.assertEqual(process.returncode, 124, process.stderr)
        fifo = self.path("fifo")
        os.mkfifo(fifo)
        self.expect(ztl("--timeout", "0.5", "--trace", fifo, program), 124, err="stopped by --timeout")

    def test_zeros_without_end(self):
        """64 GiB of zeros are no reason to wait."""
        program = self.write("zeros.s", ".globl _start, tohost\n_start: li t0, 1\nla t1, tohost\n"
                             "sd t0, 0(t1)\nj _start\n.bss\n.balign 8\ntohost: .dword 0\n"
                             ".space 0x1000000000\n")
        self.expect(ztl("--mem", "0x80000000:65G", "--timeout", "250", program), 0)

    def test_signals(self):
        for number, word in ((signal.SIGTERM, "terminated"), (signal.SIGHUP, "hung up")):
            status, err = self.interrupt(self.path("rv64imac"), "--", "f", number=number)
            self.assertEqual(status, 128 + number, err)
            self.assertRegex(err, rf"ztl run: {word} at 0x8000\w+ \(main")

    def test_ignored_signals(self):
        """nohup means what it says."""
        result = ztl("--timeout", "0.5", self.path("rv64imac"), "--", "f",
                     preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.expect(result, 124)
        process = subprocess.Popen([ZTL, "run", "--timeout", "2", self.path("rv64imac"), "--", "f"],
                                   stderr=subprocess.DEVNULL,
                                   preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        while not processes.catches(process.pid, signal.SIGTERM):
            time.sleep(0.02)
        process.send_signal(signal.SIGHUP)
        self.assertEqual(process.wait(timeout=300), 124)

    def test_memory_from_zero(self):
        program = self.write("five.c", "int main(void) { return 5; }")
        self.expect(ztl("--mem", "0:1M", program), 5)
        program = self.write("zero.s", ".globl _start, tohost\n_start: auipc a0, 0\nbnez a0, 1f\n"
                             "li t0, 3\nla t1, tohost\nsd t0, 0(t1)\n1: j 1b\n.data\n.balign 8\n"
                             "tohost: .dword 0\n")
        self.expect(ztl("--mem", "0:1M", "--timeout", "250", program), 1)
        self.expect(ztl("--mem", "0:64K", "--mem", "0x80000000:64K", "--timeout", "250", program), 1)

    def test_registers(self):
        result = ztl("--registers", self.path("rv64imac"), "--", "n")
        self.expect(result, 120)
        self.assertRegex(result.err, r"pc   0x000000008000\w{4}\n  zero 0x0{16}  ra   0x")
        self.assertEqual(len(re.findall(r"0x[0-9a-f]{16}", result.err)), 33)
        result = ztl("--registers", "--isa", "rv32imac_zicsr", self.path("rv32imac"), "--", "n")
        self.assertEqual(len(re.findall(r"  \w+ +0x[0-9a-f]{8}\b", result.err)), 33)

    def test_ztl_csrs(self):
        program = self.write("csrs.s", """
            .globl _start
_start:     li a0, 0x20108
            csrw tshape, a0
            li a0, 0xabcdef
            csrw tl_load_mask, a0
            li a0, -2
            csrw tl_load_stride5, a0
            csrw tl_store_stride31, a0
            ecall
""")
        for isa in "rv32imac_zicsr_ztl", "rv64imac_zicsr_ztl":
            err = ztl("--registers", "--isa", isa, program).err
            for pattern in (r"\btshape +0x00020108\b", r"\btl_load_mask +0x00abcdef\b",
                            r"\btl_transpose_perm +0x000000e4\b",
                            r"\btl_load_stride4 +0x00000004 0xfffffffe 0x00000006 0x00000007\n",
                            r"\btl_store_stride28 +0x0000001c 0x0000001d 0x0000001e 0xfffffffe\n"):
                self.assertRegex(err, pattern)
            self.assertLessEqual(max(map(len, err.splitlines())), 80)
        err = ztl("--registers", "--isa", "rv64imac_zicsr_ztl1p0", self.write(
            "old.s", ".globl _start\n_start: ecall\n")).err
        self.assertNotIn("stride", err)
        self.assertIn("tl_load_mask", err)

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
