#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Linux programs on the simulator: their system calls answer what QEMU's do, and reach nothing that
was not handed over.

usage: linux.py ZTL SOURCE_FOLDER"""
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest

ZTL, HERE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
BARE = ["-static", "-O1", "-nostdlib", "-ffreestanding", "-fno-builtin", "-march=rv64imac",
        "-mabi=lp64"]


def build(out, *arguments):
    subprocess.run(["riscv64-linux-gnu-gcc", "-Wall", "-Werror", *arguments, "-o", out], check=True)
    return out


def execute(*command, stdin=b"", cwd=None):
    done = subprocess.run(command, input=stdin, capture_output=True, timeout=120, cwd=cwd)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def run(*arguments, stdin=b"", cwd=None):
    return execute(ZTL, "run", *arguments, stdin=stdin, cwd=cwd)


class Linux(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.calls = build(str(cls.folder / "calls"), *BARE, os.path.join(HERE, "calls.c"))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def make_directory(self, name):
        top = self.folder / name
        (top / "sub").mkdir(parents=True)
        (top / "data").write_text("hello, file\n")
        (self.folder / "secret").write_text("secret\n")
        (top / "link").symlink_to("../secret")
        (top / "sub/link").symlink_to("../../secret")
        (top / "away").symlink_to("..")
        os.mkfifo(top / "pipe")
        return str(top)

    def test_answers_as_qemu(self):
        """Wild pointers, numbers of no file, memory, time: call by call the same results."""
        for what in "pm":
            status, out, err = execute("qemu-riscv64", self.calls, what)
            self.assertEqual((status, err), (0, ""))
            self.assertEqual(run(self.calls, "--", what), (0, out, ""))
            self.assertGreater(out.count("\n"), 30)

    def test_files_as_qemu(self):
        there, here = self.make_directory("there"), self.make_directory("here")
        status, out, _ = execute("qemu-riscv64", self.calls, "f", cwd=there)
        self.assertEqual(status, 0)
        self.assertEqual(run("--dir", here, self.calls, "--", "f"), (0, out, ""))
        for top in there, here:
            self.assertEqual(sorted(os.listdir(top + "/sub")), ["link"])

    def test_nothing_without_a_directory(self):
        _, out, err = run(self.calls, "--", "f", cwd=self.make_directory("none"))
        self.assertEqual(err, "")
        self.assertIn("open -13\n", out)
        self.assertIn("create -13\n", out)
        self.assertEqual(os.listdir(self.folder / "none/sub"), ["link"])

    def test_cannot_leave(self):
        top = self.make_directory("confined")
        status, out, err = run("--dir", top, self.calls, "--", "l")
        self.assertEqual(status, 0)
        places = out.split("cwd")[0]
        for line in places.splitlines()[1:]:
            words = line.rsplit(" ", 1)
            if len(words) == 2 and words[0] in ("open", "unlink"):
                self.assertLess(int(words[1]), 0, out)
            elif len(words) == 2:
                self.assertEqual(words[1], "1", out)
        self.assertEqual((self.folder / "secret").read_text(), "secret\n")
        self.assertIn("/sub out -13\nshared -19\n", out)
        self.assertIn("pieces end 1\n", out)
        self.assertEqual(err.count("system call 220 (clone) is not served, threads"), 1, err)
        self.assertEqual(err.count("system call 5000 (unknown) is not served: ENOSYS"), 1, err)
        self.assertEqual(err.count("\n"), 2, err)

    def test_environment_is_by_option(self):
        self.assertEqual(run(self.calls, "--", "e"), (0, "arguments 2\n", ""))
        self.assertEqual(run("--env", "A=b c", "--env=D=", self.calls, "--", "e", "with a space"),
                         (0, "arguments 3\nA=b c\nD=\n", ""))

    def test_deaths(self):
        for what, status, message in (("s", 139, "trap: store access fault (SIGSEGV) at 0x"),
                                      ("n", 139, "trap: load access fault (SIGSEGV) at 0x"),
                                      ("j", 139, "instruction access fault (SIGSEGV) at 0x"),
                                      ("a", 134, "ended by SIGABRT at 0x"), ("x", 77, "")):
            got, out, err = run(self.calls, "--", what)
            self.assertEqual((got, out), (status, "arguments 2\n"), err)
            self.assertIn(message, err)
            self.assertEqual(execute("qemu-riscv64", self.calls, what)[0], -(status - 128)
                             if status > 128 else status)

    def test_limits_and_views(self):
        self.assertEqual(run("--max-insns", "100", self.calls, "--", "p")[0], 122)
        status, _, err = run("--stats", "--timing", "four", self.calls, "--", "e")
        self.assertEqual(status, 0)
        self.assertIn("instructions", err)
        status, _, _ = run("--trace", str(self.folder / "trace"), self.calls, "--", "e")
        self.assertEqual(status, 0)
        first = (self.folder / "trace").read_text().splitlines()[0]
        self.assertRegex(first, r"^core +0: 0 0x000000000001[01]")

    def test_ordinary_program(self):
        """As the compiler makes it by default; both engines, and QEMU alone."""
        program = build(str(self.folder / "program"), "-static", "-O2",
                        os.path.join(HERE, "program.c"), "-lm")
        top, said = self.folder / "ordinary", "to standard error\n"
        top.mkdir()
        status, out, err = execute("qemu-riscv64", "-U", "WORD", program, "an argument",
                                   stdin=b"one\ntwo\n", cwd=top)
        self.assertEqual((status, err), (42, said))
        self.assertIn("read two\n", out)
        self.assertEqual(run("--dir", str(top), program, "--", "an argument", stdin=b"one\ntwo\n"),
                         (42, out, said))
        self.assertEqual(run("--engine", "qemu", program, "--", "an argument", stdin=b"one\ntwo\n",
                             cwd=top), (42, out, said))
        self.assertEqual(os.listdir(top), [])
        status, out, _ = run(program, cwd=top)
        self.assertEqual((status, out.splitlines()[-1]), (3, "kept.txt: Permission denied"))
        status, out, err = run("--dir", str(top), "--env", "WORD=given", program, "--", "a", "b")
        self.assertEqual(status, 134)
        self.assertIn("given on\n", out)
        self.assertRegex(err, r"ended by SIGABRT at 0x\w+\n(.*\n)*.*#\d+ abort")

    def test_stripped_and_others(self):
        """A program of Linux is found as one whatever was taken out of it, on both engines."""
        hello = self.folder / "hello.cpp"
        hello.write_text("#include <iostream>\n#include <stdexcept>\nint main()\n{\n"
                         "    try { throw std::runtime_error(\"caught\"); }\n"
                         "    catch (const std::exception &e) { std::cout << e.what() << 1.5; }\n}\n")
        for options in [], ["-s"], ["-Wl,--build-id=none"], ["-Wl,-z,noseparate-code", "-s"]:
            out = str(self.folder / "hello")
            subprocess.run(["riscv64-linux-gnu-g++", "-static", "-O1", *options, str(hello), "-o",
                            out], check=True)
            for engine in "sim", "qemu":
                self.assertEqual(run("--engine", engine, out), (0, "caught1.5", ""))
        image = bytearray(pathlib.Path(out).read_bytes())  # now only a section has the note
        start, count = struct.unpack_from("<Q", image, 32)[0], struct.unpack_from("<H", image, 56)[0]
        for at in range(start, start + 56 * count, 56):
            if struct.unpack_from("<I", image, at)[0] in (4, 0x6474e551):
                struct.pack_into("<I", image, at, 0)
        pathlib.Path(out).write_bytes(image)
        self.assertEqual(run(out), (0, "caught1.5", ""))

    def test_tensor_instructions(self):
        """Ztl loads and stores go by the rights of pages, by pointer and one by one."""
        source = self.folder / "tensor.s"
        source.write_text(".globl _start\n_start:\n    la a0, data\n    li t0, 1 << 16 | 1 << 8 | 8\n"
                          "    csrw tshape, t0\n    tl.load tl1, 0(a0)\n    tl.addi tl1, tl1, 1\n"
                          "    addi a2, a0, 32\n    tl.store tl1, 0(a2)\n    lbu a0, 33(a0)\n    ld t1, 0(sp)\n"
                          "    li t2, 1\n    beq t1, t2, 1f\n    la a1, fixed\n"
                          "    tl.store tl1, 0(a1)\n1:  li a7, 93\n    ecall\n"
                          "    .section .rodata\nfixed: .zero 64\n"
                          "    .data\ndata: .byte 5, 6, 7, 8\n    .zero 60\n")
        program = str(self.folder / "tensor")
        subprocess.run([ZTL, "cc", "--linux", "-static", "-nostdlib", str(source), "-o", program],
                       check=True)
        for options in [], ["--stats"]:
            self.assertEqual(run(*options, program)[0], 7)
            status, _, err = run(*options, program, "--", "more")
            self.assertEqual(status, 139)
            self.assertRegex(err, r"store access fault \(SIGSEGV\) at 0x\w+ \(_start")

    def test_manual_lists_the_calls(self):
        top = pathlib.Path(HERE).parents[2]
        served = re.findall(r"^SERVED\(\d+, (\w+)\)", (top / "sim/linux/syscalls.def").read_text(),
                            flags=re.M)
        section = (top / "doc/linux.md").read_text().split("## System calls\n")[1].split("\n\n")[0]
        listed = [name for row in section.splitlines()[2:] for name in row.split("|")[2].split()]
        self.assertEqual(sorted(listed), sorted(served))

    def test_same_every_time(self):
        self.assertEqual(run(self.calls, "--", "m"), run(self.calls, "--", "m"))

    def test_refusals(self):
        for arguments, message in (
                (["--env", "A", self.calls], "--env: 'A' is not NAME=VALUE"),
                (["--seed", "x", self.calls], "--seed: 'x' is not a number"),
                (["--clock", "x", self.calls], "'x' is not insns or host"),
                (["--mem", "0x1000:1G", self.calls], "its memory has only a size, as in --mem 1G"),
                (["--mem", "1M", self.calls], "needs more memory than 0x100000 bytes"),
                (["--engine", "qemu", "--seed", "5", self.calls], "Linux programs on the simulator")):
            status, out, err = run(*arguments)
            self.assertIn(status, (1, 2))
            self.assertIn(message, err)
            self.assertEqual(out, "")
        source = self.folder / "bare.s"
        source.write_text(".globl _start\n_start: j _start\n")
        status, _, err = run("--env", "A=b", str(source))
        self.assertIn("--env is for Linux programs", err)
        self.assertEqual(status, 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
