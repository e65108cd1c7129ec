#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A real gdb debugs a program on the hart: gdb.py ZTL ZTL_PY BUILD_DIR"""
import os
import signal
import subprocess
import sys
import tempfile
import unittest

import processes

BUILD = sys.argv.pop()
SCRIPT = sys.argv.pop()
ZTL = sys.argv.pop()

PROGRAM = """
    .globl _start
_start:
    li a0, 0x01014020
    la a1, data
    li a2, 0x202001
    csrw 0x800, a2
    .insn r 0x5b, 0, 0, a1, x1, x0
    .insn r 0x5b, 0, 1, a1, x2, x0
here:
    .insn r 0x5b, 3, 1, a0, x1, x2
after:
    la t0, data
    sw a0, 4(t0)
watched:
    lw t1, 8(t0)
    csrw 0x840, zero
loop:
    addi t2, t2, 1
    j loop
    .data
    .balign 4
    .globl data
data:
    .set i, 0
    .rept 2048
    .byte i % 251
    .set i, i + 1
    .endr
"""


def image(n):
    """Byte n of the data above."""
    return n % 251


class Debugging(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(dir=BUILD)
        cls.elves = {}
        for xlen, abi in ((32, "ilp32"), (64, "lp64")):
            source = os.path.join(cls.folder.name, "p.s")
            elf = os.path.join(cls.folder.name, f"p{xlen}.elf")
            with open(source, "w") as out:
                out.write(PROGRAM)
            subprocess.run(
                ["riscv64-unknown-elf-gcc", "-g", "-nostdlib", "-static", "-Wl,-n,--no-warn-rwx-segments", "-Ttext=0x80000000",
                 f"-march=rv{xlen}imac_zicsr", f"-mabi={abi}", source, "-o", elf], check=True)
            cls.elves[xlen] = elf

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def start(self, xlen=64, where="unix:socket"):
        """The name of the socket is relative: the folder's may be too long for one."""
        server = subprocess.Popen(
            [ZTL, "run", "--isa", f"rv{xlen}imac_zicsr_ztl", "--gdb", where, "--max-insns", "1000",
             self.elves[xlen]],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder.name)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.stderr.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        line = server.stderr.readline()
        self.assertIn("gdb", line, "the place to connect to is announced")
        place = next(word for word in line.split() if "socket" in word or ":" in word[:-1])
        return server, place.rstrip(".,;")

    def gdb(self, commands, xlen=64, **options):
        server, place = self.start(xlen, **options)
        arguments = ["gdb-multiarch", "-q", "-nx", "-batch", self.elves[xlen],
                     "-ex", f"source {SCRIPT}", "-ex", f"target remote {place}"]
        for command in commands:
            arguments += ["-ex", command]
        run = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True, timeout=300, stdin=subprocess.DEVNULL,
                             cwd=self.folder.name)
        server.wait(timeout=300)
        return run.stdout

    def test_registers_and_mnemonics(self):
        for xlen in (32, 64):
            text = self.gdb(["break here", "continue", "x/1i $pc", "p $tl1.u8[5]", "p $tl1.i16[5]",
                             "p/x $tshape", "p/x $a0", "stepi", "p $tl1.u8[1]",
                             "set $tl3.u8[0]=7", "p $tl3.u32[0]", "p/x $tl_load_stride5",
                             "set $ttype = 2", "p $ttype", "p/x $pc == &after", "p $tl2.u8",
                             "kill"], xlen)
            self.assertIn("tl.xpose.01 tl1, tl2, a0", text)
            self.assertIn(f"$1 = {image(5)}", text)
            self.assertIn(f"$2 = {image(10) | image(11) << 8}", text)
            self.assertIn("$3 = 0x202001", text)
            self.assertIn("$4 = 0x1014020", text)
            self.assertIn(f"$5 = {image(64)}", text)
            self.assertIn("$6 = 7", text)
            self.assertIn("$7 = 0x5", text)
            self.assertIn("$8 = 2", text)
            self.assertIn("$9 = 0x1", text)
            self.assertIn("$10 = {32, 96, 160, 224, 37, ", text)

    def test_watchpoints(self):
        text = self.gdb(["watch *(int *)((char *)&data + 4)", "continue", "p $pc == &watched",
                         "delete", "rwatch *(int *)((char *)&data + 8)", "continue",
                         "p $t1 != 0", "kill"])
        self.assertIn("Hardware watchpoint", text)
        self.assertIn("$1 = 1", text)
        self.assertIn("$2 = 1", text)

    def test_csr_names_in_disassembly(self):
        text = self.gdb(["break watched", "continue", "x/2i $pc", "kill"])
        self.assertIn("tl_load_stride0", text)

    def test_what_is_ztl(self):
        """Words of the contract: the target says ztl and the text, or no."""
        for xlen in (32, 64):
            text = self.gdb(["monitor ztl 0x0220b55b", "monitor ztl 0x80001073", "monitor ztl 30001073",
                             "monitor ztl 0x00000013", "monitor ztl 7fffffffff", "kill"], xlen)
            self.assertIn("ztl tl.xpose.01 tl1, tl2, a0\nztl csrrw zero, tshape, zero\nno\nno\nusage", text)

    def test_load_and_step(self):
        text = self.gdb(["load", "stepi", "p/x $a0", "step", "info line", "detach"])
        self.assertIn("Loading section .text", text)
        self.assertIn("$1 = 0x1014000", text)

    def test_port_on_loopback(self):
        text = self.gdb(["p $pc == &_start", "kill"], where="0")
        self.assertIn("$1 = 1", text)

    def test_interrupt(self):
        server, place = self.start()
        gdb = subprocess.Popen(
            ["gdb-multiarch", "-q", "-nx", self.elves[64], "-ex", "set confirm off",
             "-ex", f"target remote {place}", "-ex", "echo going\\n", "-ex", "continue",
             "-ex", "p $t2 > 0", "-ex", "kill", "-ex", "quit"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            start_new_session=True, cwd=self.folder.name)
        seen = ""
        while "going" not in seen:
            seen = gdb.stdout.readline()
        processes.wait_until_busy(server.pid)  # the hart is running
        gdb.send_signal(signal.SIGINT)
        text, _ = gdb.communicate(timeout=300)
        self.assertIn("SIGINT", text)
        self.assertIn("$1 = 1", text)

    def test_bad_places(self):
        for where in ("nonsense", "70000", "unix:" + "x" * 200, "unix:/nonexistent/socket"):
            run = subprocess.run([ZTL, "run", "--gdb", where, self.elves[64]], capture_output=True,
                                 text=True, timeout=300)
            self.assertNotEqual(run.returncode, 0, where)
            self.assertIn("ztl run: ", run.stderr)


unittest.main(verbosity=1)
