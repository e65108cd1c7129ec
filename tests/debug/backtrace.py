#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Call stacks of programs that have stopped, by file and line, and from damaged files.

usage: backtrace.py ZTL SOURCE_FOLDER BACKTRACE_TOOL
"""
import os
import random
import re
import struct
import subprocess
import sys
import unittest

from common import TARGETS, ZTL, Case, Result, gcc, gcc_hosted, source, ztl


TOOL = os.path.abspath(sys.argv[3])
os.chdir("/")  # paths below the current folder are shown from there


def line_of(mark, name="stack.c"):
    with open(source(name)) as text:
        return next(i for i, line in enumerate(text, 1) if f"/* {mark} */" in line)


def stack(result):
    """The frames of a report, without their numbers, which must count up."""
    report = result.err.replace("\n     at ", " at ")  # a line that is too long for one
    frames = re.findall(r"^  #(\d+) (.*)$", report, re.M)
    numbers = [int(number) for number, _ in frames]
    assert numbers == sorted(set(numbers)), report
    return [text for _, text in frames]


class Lines(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.programs = []
        for march in TARGETS:
            for options in "-O2", "-O0":
                path = os.path.join(cls.folder, march + options)
                gcc_hosted(march, path, "stack.c", "-g", options)
                cls.programs.append(path)

    def at(self, mark):
        return f"{source('stack.c')}:{line_of(mark)}"

    def check(self, letter, *expected):
        for program in self.programs:
            frames = stack(ztl("--timeout", "300", "--max-insns", "1000000", program, "--", letter))
            self.assertEqual(frames[:len(expected)], list(expected), program)

    def test_inlined_and_through_a_library(self):
        """From a comparison that qsort calls, which was built without -g or with it."""
        for program in self.programs:
            frames = stack(ztl(program, "--", "q"))
            self.assertEqual(frames[:3], [f"inner at {self.at('inner')}, inlined",
                                          f"middle at {self.at('middle')}",
                                          f"compare at {self.at('compare')}"])
            self.assertIn(f"main at {self.at('main q')}", frames[3:])

    def test_jump_into_the_void(self):
        self.check("l", "0x1234", f"leap at {self.at('leap')}", f"main at {self.at('main l')}")

    def test_recursion_is_counted(self):
        for program in self.programs:
            result = ztl(program, "--", "r")
            self.assertEqual(stack(result)[1], f"recurse at {self.at('again')}")
            self.assertRegex(result.err, r"(?m)^     ... and \d+ more of it$")
            self.assertLess(len(result.err.splitlines()), 50)

    def test_stopped_by_a_limit(self):
        self.check("e", f"main at {self.at('main e')}")

    def test_paths_from_here(self):
        frames = stack(ztl(source("stack.c"), "--", "l", cwd=os.path.dirname(source("stack.c"))))
        self.assertEqual(frames[1], f"leap at stack.c:{line_of('leap')}")

    def test_clang(self):
        """clang leaves out .debug_aranges."""
        path = self.path("clang")
        program = self.write("clang.c", "__attribute__((noinline)) int deep(volatile int *p)\n"
                             "{\n    return *p;\n}\nint main(void)\n{\n"
                             "    return deep((int *)16) + 1;\n}\n")
        subprocess.run([ZTL, "cc", "--clang", "--semihost", "-g", "-O1",
                        "-march=rv64imac", "-mabi=lp64", program, "-o", path], check=True)
        self.assertEqual(stack(ztl(path))[:2], [f"deep at {program}:3", f"main at {program}:7"])

    def test_without_g(self):
        """Symbols, or the addresses alone, where no more is known."""
        path = self.path("plain")
        text = self.write("plain.s", ".globl _start\n_start: nop\n call f\nafter: nop\n.type f, "
                          "@function\nf: lw zero, 0(zero)\n ret\n")
        for options, expected in (([], ["f", "_start+0xc"]), (["-s"], ["0x80000010", "0x8000000c"])):
            subprocess.run(["riscv64-unknown-elf-gcc", "-march=rv64i", "-mabi=lp64", "-nostdlib",
                            "-Wl,--no-relax", "-Wl,--nmagic", "-Wl,-Ttext=0x80000000", *options, text,
                            "-o", path], check=True)
            self.assertEqual(stack(ztl(path)), expected)


class Assembly(Case):
    """ztl run of a source: its own lines, also where Ztl instructions were rewritten."""

    def trap(self, text, *options, name="x.s"):
        path = self.write(name, text)
        return [frame.replace(path, name) for frame in stack(ztl(*options, path))]

    def test_own_lines(self):
        for isa in "rv64imac_zicsr_ztl", "rv32imac_zicsr_ztl":
            self.assertEqual(self.trap(
                ".globl _start\n_start:\n    csrwi tshape, 0\n    call f\n    nop\nf:\n"
                "    tl.addi tl1, tl2, 3; nop\n    tl.load tl1, 0(a0)\n    ret\n", "--isa", isa),
                ["f at x.s:8", "_start at x.s:4"])

    def test_old_ra_is_not_a_caller(self):
        self.assertEqual(self.trap(".globl _start\n_start:\n    call f\nagain:\n"
                                   "    lw zero, 0(zero)\nf:\n    ret\n"), ["again at x.s:5"])
        self.assertEqual(self.trap(".globl _start\nf:\n    ret\n_start:\n    la t0, f\n"
                                   "    jalr t0\n    lw zero, 0(zero)\n"), ["_start at x.s:7"])

    def test_preprocessed(self):
        self.assertEqual(self.trap("#define BAD tl.load tl1, 0(a0)\n\n.globl _start\n_start:\n"
                                   "    BAD\n", name="x.S"), ["_start at x.S:5"])

    def test_included(self):
        inner = self.write("inner.inc", "\n    tl.load tl1, 0(a0)\n")
        frames = self.trap(f'.globl _start\n_start:\n    nop\n    .include "{inner}"\n    nop\n')
        self.assertEqual(frames, [f"_start at {inner}:2"])

    def test_frame_pointers(self):
        """No unwind tables, but the frames that the ABI describes."""
        self.assertEqual(self.trap(
            ".globl _start\n_start:\n    la sp, top\n    li s0, 0\n    call f\n1:  j 1b\n"
            "f:  addi sp, sp, -16\n    sd ra, 8(sp)\n    sd s0, 0(sp)\n    addi s0, sp, 16\n"
            "    call g\n    ret\n"
            "g:  addi sp, sp, -16\n    sd ra, 8(sp)\n    sd s0, 0(sp)\n    addi s0, sp, 16\n"
            "    call h\n    lw zero, 0(zero)\n    ret\nh:  ret\n"
            "    .bss\n    .balign 16\n    .skip 256\ntop:\n"),
            ["g at x.s:18", "f at x.s:11", "_start at x.s:5"])
        self.assertEqual(self.trap(  # sp is moved in a way that its first instructions do not tell
            ".globl _start\n_start:\n    la sp, top\n    li s0, 0\n    call f\n1:  j 1b\n"
            "f:  li t0, 16\n    sub sp, sp, t0\n    sd ra, 8(sp)\n    sd s0, 0(sp)\n"
            "    add s0, sp, t0\n    call h\n    lw zero, 0(zero)\n    ret\nh:  ret\n"
            "    .bss\n    .balign 16\n    .skip 256\ntop:\n"),
            ["f at x.s:13", "_start at x.s:5"])

    def test_prologues(self):
        """Neither tables nor frame pointers: s0 is a number. Short and long instructions make the
        frames, seen behind a branch, and one that is not complete."""
        for isa, store, size in ("rv64imac", "sd", 8), ("rv32imac", "sw", 4), ("rv64ima", "sd", 8):
            text = (".globl _start\n_start:\n    la sp, top\n    call f\n1:  j 1b\n"
                    f"f:  addi sp, sp, -32\n    {store} s0, 8(sp)\n    {store} ra, 16(sp)\n"
                    "    la s0, top\n    call g\n    ret\n"
                    f"g:  addi sp, sp, -496\n    addi sp, sp, -16\n    {store} s0, 0(sp)\n"
                    f"    {store} ra, {512 - size}(sp)\n    addi s0, sp, 64\n    beqz s0, 2f\n"
                    "    call h\n2:  call i\n    ret\nh:  ret\ni:  addi sp, sp, -16\n    lw zero, 0(zero)\n"
                    "    .bss\n    .balign 16\n    .skip 2048\ntop:\n")
            self.assertEqual(self.trap(text, "--isa", isa + "_zicsr"),
                             ["i at x.s:23", "g at x.s:19", "f at x.s:10", "_start at x.s:4"], isa)
            self.assertEqual(self.trap(text.replace("call i", "call h; lw zero, 0(zero)"), "--isa",
                                       isa + "_zicsr"),
                             ["g at x.s:19", "f at x.s:10", "_start at x.s:4"], isa)

    def test_long_names_without_lines(self):
        """Longer than a terminal is wide, with nothing to say behind them."""
        name = "start_of_" + "thread_" * 12
        text = (".globl _start\n_start:\n    la sp, top\n    li s0, 0\n    call f\n1:  j 1b\n"
                "f:  addi sp, sp, -16\n    sd ra, 8(sp)\n    sd s0, 0(sp)\n    addi s0, sp, 16\n"
                "    call g\n    ret\n"
                "g:  addi sp, sp, -16\n    sd ra, 8(sp)\n    sd s0, 0(sp)\n    addi s0, sp, 16\n"
                "    lw zero, 0(zero)\n    ret\n"
                "    .type f, @function\n    .type g, @function\n"
                "    .bss\n    .balign 16\n    .skip 256\ntop:\n").replace("call f", f"call {name}")
        text = text.replace("\nf:", f"\n{name}:").replace(".type f", f".type {name}")
        program = os.path.join(self.folder, "long")
        gcc("rv64imac_zicsr", program, "-nostdlib", "-static", "-Wl,-Ttext=0x80000000,--no-relax",
            self.write("long.s", text))
        result = ztl(program)
        self.assertEqual([line for line in result.err.splitlines() if not line.strip()], [], result.err)
        frames = [re.sub(r"\+0x\w+$", "", frame) for frame in stack(result)]
        self.assertEqual(frames, ["g", name, "_start"], result.err)


class Registers(Case):
    """Programs of which only registers are left, also moved ones; addr2line knows the lines."""

    def output(self, *command):
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def place(self, program, address):
        name, line = self.output("riscv64-linux-gnu-addr2line", "-f", "-e", program,
                                 hex(address)).splitlines()[:2]
        path, number = line.rsplit(":", 1)
        return f"{name} at {os.path.realpath(path)}:{number.split()[0]}"

    def test_linux_programs(self):
        for option, base in ("-no-pie", 0), ("-pie", 0x4000000000):
            program = self.path("linux" + option)
            subprocess.run(["riscv64-linux-gnu-gcc", "-g", "-O1", option, source("stack.c"), "-o",
                            program], check=True)
            code = self.output("riscv64-linux-gnu-objdump", "-d", program)
            ra = int(re.search(r"<leap>\n +([0-9a-f]+):", code)[1], 16)
            start = int(re.search(r"^([0-9a-f]+) <leap>:", code, re.M)[1], 16)
            expected = [self.place(program, start), self.place(program, ra - 1)]
            frames = stack(self.run_tool(program, base, base + start, base + ra))
            self.assertEqual(frames, expected)
            self.assertEqual(stack(self.run_tool(program, base, base + start, 0)), expected[:1])

    def test_through_a_library_without_tables(self):
        """The C library's abort says nothing about its frame but by its instructions."""
        program = self.path("asserts")
        text = self.write("asserts.c", "#include <assert.h>\n#include <stdio.h>\n"
                          "__attribute__((noinline)) int deep(int n)\n{\n    char room[3000];\n"
                          "    sprintf(room, \"%d\", n);\n    assert(n > 5);\n    return room[n];\n}\n"
                          "int main(int argc, char **argv) { return deep(argc) + deep(!argv); }\n")
        subprocess.run(["riscv64-linux-gnu-gcc", "-static", "-O2", text, "-o", program], check=True)
        names = [frame.split("+")[0] for frame in stack(ztl(program))]
        self.assertEqual([n for n in names if n in ("abort", "__assert_fail", "deep", "main",
                                                    "__libc_start_call_main", "_start")],
                         ["abort", "__assert_fail", "deep", "main", "__libc_start_call_main",
                          "_start"])
        self.assertLess(len(names), 12)

    def run_tool(self, program, *numbers):
        return Result(subprocess.run([TOOL, program, *map(hex, numbers)], check=True, text=True,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE))


class Damaged(Case):
    """Whatever the debugging information says, the report comes and ends."""

    def test_circles(self):
        for directives in ".cfi_def_cfa sp, 0", ".cfi_def_cfa sp, 16", ".cfi_def_cfa sp, -16":
            path = self.write("circle.s", ".globl _start\n_start:\n    la sp, _start\n    call f\n"
                              f"    nop\nf:\n    .cfi_startproc\n    {directives}\n"
                              "    .cfi_same_value ra\n    la ra, f+4\n    nop\n"
                              "    lw zero, 0(zero)\n    .cfi_endproc\n")
            result = ztl(path)
            self.assertEqual(result.status, 120)
            self.assertIn(f"#0 f at {path}:12\n", result.err)
            self.assertLess(len(result.err.splitlines()), 50)

    def sections(self, image):
        """Where the debugging information lies, by the section headers."""
        offset, = struct.unpack_from("<Q", image, 40)
        size, count, names = struct.unpack_from("<HHH", image, 58)
        header = [struct.unpack_from("<IIQQQQ", image, offset + i * size) for i in range(count)]
        table = header[names][4]
        for name, _, _, _, start, length in header:
            text = image[table + name:image.index(b"\0", table + name)].decode()
            if text.startswith((".debug", ".eh_frame")):
                yield start, length

    def test_bits(self):
        good = self.path("good")
        gcc_hosted("rv64imac", good, "stack.c", "-g")
        with open(good, "rb") as file:
            image = file.read()
        pieces = list(self.sections(image))
        self.assertGreater(len(pieces), 5)
        chance = random.Random(1)
        for _ in range(60):
            damaged = bytearray(image)
            start, length = chance.choice(pieces)
            for _ in range(chance.choice([1, 10, 1000])):
                damaged[start + chance.randrange(length)] = chance.choice([0, 0xff, 0x80,
                                                                           chance.randrange(256)])
            with open(self.path("damaged"), "wb") as file:
                file.write(damaged)
            result = ztl(self.path("damaged"), "--", "l")
            self.assertEqual(result.status, 120, result.err)
            self.assertIn("instruction access fault at 0x1234", result.err)
            self.assertNotRegex(result.err, r"[\x00-\x09\x0b-\x1f\x7f]|Sanitizer")

    def test_names_do_not_drive_the_terminal(self):
        path = self.path("names")
        text = self.write("names.s", '.globl _start\n_start:\n    call "f\033[31m\x07"\n    nop\n'
                          '"f\033[31m\x07":\n    lw zero, 0(zero)\n')
        subprocess.run(["riscv64-unknown-elf-gcc", "-nostdlib", "-march=rv64i", "-mabi=lp64",
                        "-Wl,--nmagic", "-Wl,-Ttext=0x80000000", text, "-o", path], check=True)
        frames = stack(ztl(path))
        self.assertEqual(frames[0], "f?[31m?")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
