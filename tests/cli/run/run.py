#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""ztl run: programs in C and assembly, every option, every end, and hostile programs.

usage: run.py ZTL SOURCE_FOLDER
"""
import gzip
import json
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

ZTL, HERE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
TARGETS = {"rv32imac": "ilp32", "rv64imac": "lp64"}


def source(name):
    return os.path.join(HERE, name)


def gcc(march, out, *arguments):
    """Debian's compiler itself, as a user would call it."""
    subprocess.run(["riscv64-unknown-elf-gcc", "-O2", f"-march={march}",
                    f"-mabi={TARGETS[march[:8]]}", *arguments, "-o", out], check=True)


def gcc_hosted(march, out, name):
    gcc(march, out, "--specs=picolibc.specs", "--oslib=semihost", "--crt0=semihost",
        "-mcmodel=medany", "-Wl,--defsym=__flash=0x80000000", "-Wl,--defsym=__flash_size=0x400000",
        "-Wl,--defsym=__ram=0x80400000", "-Wl,--defsym=__ram_size=0x400000", source(name))


class Result:
    def __init__(self, process):
        self.status, self.out, self.err = process.returncode, process.stdout, process.stderr


def ztl(*arguments, stdin=b"", **options):
    process = subprocess.run([ZTL, "run", *arguments], input=stdin, capture_output=True,
                             timeout=120, **options)
    result = Result(process)
    result.out, result.err = result.out.decode(), result.err.decode()
    return result


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = cls.temporary.name

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as out:
            out.write(text)
        return self.path(name)

    def read(self, name):
        with open(self.path(name)) as text:
            return text.read()

    def expect(self, result, status, out=None, err=None):
        message = f"status {result.status}\n{result.out}\n{result.err}"
        self.assertEqual(result.status, status, message)
        if out is not None:
            self.assertEqual(result.out, out, message)
        if err is not None:
            self.assertIn(err, result.err, message)


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

    def trap(self, letter, status, *messages, options=("--timeout", "60")):
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
        self.trap("f", 124, "stopped by --timeout at 0x8000", "(main", options=["--timeout", "0.2"])
        stats = self.path("stats")
        ztl("--max-insns", "123456", f"--stats={stats}", "--json", self.path("rv64imac"), "--", "f")
        self.assertEqual(json.loads(self.read("stats"))["instructions"], 123456)

    def interrupt(self, *arguments):
        process = subprocess.Popen([ZTL, "run", *arguments], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        caught = 0
        while not caught & 1 << (signal.SIGINT - 1):  # until the run has begun
            time.sleep(0.02)
            with open(f"/proc/{process.pid}/status") as text:
                caught = int(re.search(r"SigCgt:\s*(\w+)", text.read())[1], 16)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
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
                                 stdin=reader, capture_output=True, timeout=60)
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
        self.expect(ztl("--l0m", "0x80001000:4K", program), 120, err="is outside the window")
        self.expect(ztl("--isa", "rv64imac_zicsr_ztlx", program), 120,
                    err="the hart lacks the sub-extension")

    def test_host_interface(self):
        for isa in "rv32imac_zicsr_ztl", "rv64imac_zicsr_ztl":
            self.expect(ztl("--isa", isa, "--timeout", "60", source("htif.S")), 5, "HTIF!\n")
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


class Files(Case):
    """Files that are no programs."""

    def test_refused(self):
        program = self.path("program")
        gcc("rv64imac", program, "-nostdlib", "-nostartfiles", "-Wl,-Ttext=0x80000000", "-Wl,-n",
            "-Wl,--no-warn-rwx-segments", "-Wa,-march=rv64imac_zicsr", source("signature.s"))
        with open(program, "rb") as whole:
            image = whole.read()
        with open(self.path("cut"), "wb") as cut:
            cut.write(image[:len(image) // 2])
        self.write("text", "not a program\n")
        for arguments, message in (
                ([self.path("none")], "none: No such file or directory"),
                ([self.path("none.c")], "none.c: No such file or directory"),
                ([self.folder], "is not a regular file"),
                ([self.path("text")], "text: is not an ELF file"),
                ([self.path("cut")], "cut: "),
                (["/bin/true"], "/bin/true: is for "),
                (["--isa", "rv32imac_zicsr", program], "is a program for RV64, the hart is RV32"),
                (["--mem", "0x1000:64K", program], "is outside RAM (which starts at 0x1000); "
                 "give the hart RAM there, as with --mem 0x80000000:0x2000"),
                (["--entry", "nowhere", program], "--entry nowhere: the program has no symbol"),
                (["--entry", "_start+x", program], "'x' is not a number"),
                (["--dump", "tl1", "--dump-at", "nowhere", program], "no symbol 'nowhere'"),
                (["--trace", self.path("no/trace"), program], "--trace "),
                (["--signature", self.path("no/signature"), program], "--signature"),
                (["--stats=" + self.path("no/stats"), program], "No such file")):
            self.expect(ztl(*arguments), 1, "", "ztl run: ")
            self.assertIn(message, ztl(*arguments).err)
        self.expect(ztl("--trace", "/dev/full", program), 1, err="the trace is not complete")

    def test_sources_with_errors(self):
        bad = self.write("bad.s", ".globl _start\n_start: tl.addi tl1, tl2, 300\n")
        result = ztl(bad)
        self.expect(result, 1, "")
        self.assertIn("bad.s:2", result.err)
        self.expect(ztl(self.write("bad.c", "int main(void) { return }\n")), 1, "", "bad.c:1")

    def test_usage(self):
        program = source("trace.s")
        for arguments, message in (
                ([], "no program"),
                (["--no-such", program], "unknown option '--no-such'"),
                ([program, "second"], "'second' is one file too many"),
                (["--isa"], "--isa needs a value"),
                (["--isa=", program], "--isa needs a value"),
                (["--mem", "", program], "--mem needs a value"),
                (["--isa", "rv64q", program], "rv64q"),
                (["--isa", "rv64imac_zfoo", source("trace.s")], "unknown extension 'zfoo'"),
                (["--mem", "5", program], "--mem: '5' is not BASE:SIZE"),
                (["--max-insns", "0", program], "--max-insns: '0'"),
                (["--max-insns", "-3", program], "--max-insns: '-3'"),
                (["--max-insns=4x", program], "--max-insns: '4x'"),
                (["--timeout", "never", program], "--timeout: 'never'"),
                (["--timeout", "0", program], "--timeout: '0'"),
                (["--trace-format", "xml", program], "'xml' is not spike, csv or json"),
                (["--trace-tl", "some", program], "'some' is not hash or full"),
                (["--dump", "tl3:4x0:int8", program],
                 "--dump tl3:4x0:int8: shape '4x0': dimension 1 is '0'"),
                (["--dump-at", "_start", program], "--dump-at _start: needs a --dump before it"),
                (["--dump", "tl1", "--dump-at", "a", "--dump-at", "b", program],
                 "--dump-at b: needs a --dump before it"),
                (["--json", program], "--json needs --stats"),
                (["--signature-granularity", "3", program], "'3' is not 1, 2, 4, 8 or 16"),
                (["--dump", "tl1"] * 17 + [program], "at most 16")):
            self.expect(ztl(*arguments), 2, "", "ztl run: ")
            self.assertIn(message, ztl(*arguments).err)
        result = ztl("--help")
        self.expect(result, 0, err="")
        self.assertIn("example", result.out)


def hand_checked(words):
    """The trace of trace.s, by pc: what stands behind the word."""
    loaded = bytes([0xff, 0x9f, 0x68, 0x24, 0, 0, 0, 0, 0, 0xff] + [0] * 1014)
    added = bytes(min(byte + 1, 255) for byte in loaded)
    return loaded, added, [
        " x5  0x0000000080000000",
        " x6  0x0000000080000100",
        " x10 0x0000000012345000",
        " x11 0x0000000012344fff",
        " mem 0x0000000080000100 0x12344fff",
        " x12 0x0000000012344fff mem 0x0000000080000100",
        " mem 0x0000000080000109 0xff",
        " x12 0x0000000012345000",
        " c832_mscratch 0x0000000012345000",
        " x13 0x0000000012344fff mem 0x0000000080000100 mem 0x0000000080000100 0x24689fff",
        "",
        " x14 0x0000000000020000",
        " x14 0x0000000000020108",
        " c2048_tshape 0x0000000000020108",
        " tl3  %s mem 0x0000000080000100 mem 0x0000000080000108",
        " mem 0x0000000080000110 0x0000000024689fff mem 0x0000000080000118 0x000000000000ff00",
        " tl12 %s",
    ]


class Seeing(Case):
    def lines(self, form):
        """The expected commit log; words and addresses are the assembler's."""
        elf = self.path("trace.elf")
        if not os.path.exists(elf):
            subprocess.run([ZTL, "as", "-march=rv64imac_zicsr_ztl", source("trace.s"), "-o",
                            self.path("trace.o")], check=True)
            subprocess.run(["riscv64-unknown-elf-ld", "-Ttext=0x80000000", "-n",
                            "--no-warn-rwx-segments", self.path("trace.o"), "-o", elf], check=True)
        text = subprocess.run(["riscv64-unknown-elf-objdump", "-d", elf], check=True,
                              capture_output=True, text=True).stdout
        words = re.findall(r"^ +([0-9a-f]{8}):\s+([0-9a-f]+) ", text, re.M)
        loaded, added, tails = hand_checked(words)
        blocks = iter([form(loaded), form(added)])
        lines = []
        for (pc, word), tail in zip(words, tails):
            tail = tail % next(blocks) if "%s" in tail else tail
            lines.append(f"core   0: 3 0x00000000{pc} (0x{word}){tail}")
        last = words[len(tails)][0]
        lines.append(f"core   0: exception trap_machine_ecall, epc 0x00000000{last}")
        lines.append("core   0:           tval 0x0000000000000000")
        return lines

    def test_commit_log(self):
        expected = self.lines(lambda block: f"crc32:{zlib.crc32(block):08x}")
        result = ztl("--trace", "-", source("trace.s"))
        self.expect(result, 120)
        self.assertEqual(result.out.splitlines(), expected)
        full = self.lines(lambda block: block.hex())
        self.assertEqual(ztl("--trace", "-", "--trace-tl", "full",
                             source("trace.s")).out.splitlines(), full)
        path = self.path("trace.gz")
        ztl("--trace", path, source("trace.s"))
        with gzip.open(path, "rt") as text:
            self.assertEqual(text.read().splitlines(), expected)

    def test_of_32_bits(self):
        lines = ztl("--isa", "rv32imac_zicsr_ztl", "--trace", "-",
                    source("trace.s")).out.splitlines()
        self.assertEqual(lines[0], "core   0: 3 0x80000000 (0x00000297) x5  0x80000000")
        self.assertEqual(lines[4], "core   0: 3 0x80000010 (0x00b32023) mem 0x80000100 0x12344fff")
        self.assertEqual(lines[7], "core   0: 3 0x8000001c (0x0605) x12 0x12345000")

    def test_sources_for_a_hart_without_ztl(self):
        for isa, bytes_of_long in ("rv32im_zicsr", 4), ("rv64imac_zicsr_zba", 8):
            path = os.path.join(self.folder, "long.c")
            with open(path, "w") as file:
                file.write("int main(void) { return sizeof(long); }")
            self.assertEqual(ztl("--isa", isa, path).status, bytes_of_long)

    def test_disassembly(self):
        lines = ztl("--trace", "-", "--trace-disasm", source("trace.s")).out.splitlines()
        self.assertEqual(lines[:5], [
            "core   0: >>>>  _start",
            "core   0: 0x0000000080000000 (0x00000297) auipc t0, 0x0",
            "core   0: 3 0x0000000080000000 (0x00000297) x5  0x0000000080000000",
            "core   0: 0x0000000080000004 (0x10028313) addi t1, t0, 256",
            "core   0: 3 0x0000000080000004 (0x10028313) x6  0x0000000080000100"])
        self.assertIn("core   0: >>>>  after", lines)
        self.assertTrue(any(line.endswith("tl.load tl3, 0(t1)") for line in lines))

    def test_csv(self):
        lines = ztl("--trace", "-", "--trace-format", "csv", "--trace-disasm",
                    source("trace.s")).out.splitlines()
        self.assertEqual(lines[0], "pc,word,privilege,x,csr,tl,loads,stores,trap,text")
        self.assertEqual(lines[1], "0x0000000080000000,0x00000297,3,x5=0x0000000080000000"
                         ",,,,,,\"auipc t0, 0x0\"")
        self.assertIn(",0x0605,3,x12=0x0000000012345000,,,,,,", lines[8])
        self.assertIn(",3,,mscratch=0x0000000012345000,,,,,", lines[9])
        self.assertIn(",3,x13=0x0000000012344fff,,,0x0000000080000100:4,"
                      "0x0000000080000100:4=0x24689fff,,", lines[10])
        self.assertIn(",0x0000000080000100:8;0x0000000080000108:8,,,\"tl.load", lines[15])
        self.assertIn(",tl3=crc32:", lines[15])
        self.assertIn("environment call from machine mode:0x0", lines[18])

    def test_json(self):
        text = ztl("--trace", "-", "--trace-format", "json", "--trace-tl", "full",
                   source("trace.s")).out
        events = [json.loads(line) for line in text.splitlines()]
        self.assertEqual(events[0], {"pc": "0x0000000080000000", "word": "0x00000297",
                                     "privilege": 3,
                                     "x": {"register": 5, "value": "0x0000000080000000"}})
        self.assertEqual(events[8]["csr"], {"mscratch": "0x0000000012345000"})
        self.assertEqual(events[9]["loads"], [{"address": "0x0000000080000100", "size": 4}])
        self.assertEqual(events[9]["stores"], [{"address": "0x0000000080000100", "size": 4,
                                                "value": "0x24689fff"}])
        loaded = hand_checked([])[0]
        self.assertEqual(events[14]["tl"], [{"register": 3, "value": loaded.hex()}])
        self.assertEqual(events[17]["trap"]["cause"], 11)
        self.assertNotIn("text", events[0])

    def test_console_between_trace_lines(self):
        result = ztl("--trace", "-", source("htif.S"))
        self.expect(result, 5)
        # The host acts in the store, whose own line follows.
        self.assertRegex(result.out, r"x6  0x0000000001010000\nHcore   0: .* 0x01010000\n")
        self.assertRegex(result.out, r"\nTIF!\ncore   0: 3 ")

    def test_stats(self):
        stats = self.path("stats")
        result = ztl(f"--stats={stats}", "--json", source("trace.s"))
        self.expect(result, 120)
        counts = json.loads(self.read("stats"))
        self.assertEqual(counts["instructions"], 17)
        self.assertEqual(counts["classes"], {"alu": 7, "load": 1, "store": 2, "branch": 1,
                                             "atomic": 1, "csr": 2, "ztl": 3})
        self.assertEqual(counts["ztl"], {"tl.load": 1, "tl.store": 1, "tl.addi": 1})
        self.assertEqual(counts["compressed"], 1)
        self.assertEqual(counts["bytes"], {"loaded": 8, "stored": 9, "ztl_loaded": 16,
                                           "ztl_stored": 16})
        self.assertEqual(counts["exceptions"], {"environment call from machine mode": 1})
        self.assertEqual(counts["exit_status"], 120)
        self.assertGreater(counts["seconds"], 0)
        result = ztl("--stats", source("trace.s"))
        self.assertRegex(result.err, r"instructions +17\n")
        self.assertRegex(result.err, r"tl\.load +1\n")
        self.assertRegex(result.err, r"bytes loaded by Ztl +16\n")

    def test_stats_by_objdump(self):
        """Each executed address has the class and the bytes of its mnemonic in objdump."""
        classes = {"load": r"c\.l[wd](sp)?|l[bhwd]u?", "store": r"c\.s[wd](sp)?|s[bhwd]",
                   "branch": r"c\.b(eq|ne)z|b(eq|ne|lt|ge)u?", "jump": r"c\.j(al|r|alr)?|jalr?",
                   "multiply": r"mul(h|hu|hsu|w)?|(div|rem)u?w?", "csr": r"csrr[wsc]i?",
                   "system": r"ebreak|ecall|c\.ebreak", "fence": r"fence(\.i)?"}
        sizes = {"b": 1, "h": 2, "w": 4, "d": 8}
        for march in TARGETS:
            elf, trace, stats = self.path(march), self.path("trace.csv"), self.path("stats")
            gcc_hosted(march, elf, "hosted.c")
            self.expect(ztl("--trace", trace, "--trace-format", "csv", f"--stats={stats}", "--json",
                            elf, "--", "3"), 3)
            text = subprocess.run(["riscv64-unknown-elf-objdump", "-d", "-M", "no-aliases", elf],
                                  check=True, capture_output=True, text=True).stdout
            mnemonics = dict(re.findall(r"^ *([0-9a-f]+):\t[0-9a-f ]+\t(\S+)", text, re.M))
            expected, moved = {}, {"load": 0, "store": 0}
            for line in self.read("trace.csv").splitlines()[1:]:
                mnemonic = mnemonics[line[2:line.index(",")].lstrip("0")]
                kind = next((name for name, pattern in classes.items()
                             if re.fullmatch(pattern, mnemonic)), "alu")
                expected[kind] = expected.get(kind, 0) + 1
                if kind in moved:
                    moved[kind] += sizes[re.search(r"[ls]([bhwd])", mnemonic)[1]]
            counts = json.loads(self.read("stats"))
            self.assertEqual(counts["classes"], expected)
            self.assertEqual(counts["instructions"], sum(expected.values()))
            self.assertEqual((counts["bytes"]["loaded"], counts["bytes"]["stored"]),
                             (moved["load"], moved["store"]))

    def test_observers_change_nothing(self):
        plain = ztl(source("hosted.c"), "--", "heap")
        seen = ztl("--stats", "--trace", "/dev/null", source("hosted.c"), "--", "heap")
        self.assertEqual(plain.out, seen.out)

    def test_signature(self):
        path = self.path("signature")
        self.expect(ztl("--signature", path, source("signature.s")), 0)
        self.assertEqual(self.read("signature"), "11223344\n55667788\n000099aa\n")
        ztl("--signature", path, "--signature-granularity", "8", source("signature.s"))
        self.assertEqual(self.read("signature"), "5566778811223344\n00000000000099aa\n")
        ztl("--signature", path, "--signature-granularity=1", source("signature.s"))
        self.assertEqual(self.read("signature").split()[:4], ["44", "33", "22", "11"])
        result = ztl("--signature", path, source("trace.s"))
        self.expect(result, 1, err="no symbol begin_signature")

    def test_dump(self):
        result = ztl("--dump", "tl3:2x8", "--dump", "tl12:2x4:int16", source("trace.s"))
        self.expect(result, 120, "tl3 [2,8] byte\n"
                    "   ff 9f 68 24 00 00 00 00\n   00 ff 00 00 00 00 00 00\n"
                    "tl12 [2,4] int16\n   -24321   9577    257    257\n"
                    "     -255    257    257    257\n")
        result = ztl("--dump", "tl3:4", "--dump-at", "_start", source("trace.s"))
        self.assertEqual(result.out, "at 0x80000000 (_start)\ntl3 [4] byte\n   00 00 00 00\n")
        result = ztl("--dump", "tl3:4", "--dump-at", "after", source("trace.s"))
        self.assertRegex(result.out, r"at 0x800000\w\w \(after\)\ntl3 \[4\] byte\n   ff 9f 68 24\n")

    def test_dump_at_several_places(self):
        out = ztl("--dump", "tl3:2", "--dump", "tl12:2", "--dump-at", "after", "--dump", "tl3:4",
                  "--dump-at", "_start", "--dump", "tl0:1", source("trace.s")).out
        self.assertEqual(re.sub(r"0x\w+", "...", out),
                         "at ... (_start)\ntl3 [4] byte\n   00 00 00 00\n"
                         "at ... (after)\ntl3 [2] byte\n   ff 9f\ntl12 [2] byte\n   ff a0\n"
                         "tl0 [1] byte\n   00\n")
        loop = self.write("loop.s", ".globl _start\n_start: li t0, 3\nagain: addi t0, t0, -1\n"
                          "bnez t0, again\necall\n")
        self.assertEqual(ztl("--dump", "tl0:1", "--dump-at", "again", loop).out.count("(again)"), 3)

    def test_demo(self):
        demo = os.path.join(HERE, "../../../examples/demo.s")
        result = ztl("--dump", "tl1+tl2:2x16x16:int32", "--dump-at", "before", "--dump",
                     "tl1+tl2:2x16x16:int32", "--dump-at", "after", demo)
        self.expect(result, 0)
        numbers = re.findall(r"^ +([\d ]+)$", result.out, re.M)
        rows = [[int(number) for number in row.split()] for row in numbers]
        self.assertEqual(rows[:32], [list(range(16 * i, 16 * i + 16)) for i in range(32)])
        self.assertEqual(rows[32:], [[256 * k + 16 * i + j for i in range(16)]
                                     for k in range(2) for j in range(16)])

    def on_terminal(self, *arguments, **environment):
        master, slave = pty.openpty()
        process = subprocess.Popen([ZTL, "run", *arguments], stdout=slave, stderr=slave,
                                   stdin=subprocess.DEVNULL, env={**os.environ, **environment})
        os.close(slave)
        text = b""
        try:
            while chunk := os.read(master, 65536):
                text += chunk
        except OSError:
            pass
        os.close(master)
        process.wait(timeout=60)
        return text.decode()

    def test_terminal(self):
        environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        self.assertNotIn("\033", self.on_terminal("--dump", "tl3:4", source("trace.s"),
                                                  NO_COLOR="1"))
        if "NO_COLOR" not in os.environ:
            self.assertIn("\033[38;5;", self.on_terminal("--dump", "tl3:4", source("trace.s"),
                                                         **environment))
        text = self.on_terminal("--stats", source("trace.s"))
        self.assertRegex(text, r"ztl run: 17 instructions, of them 3 Ztl, 24 bytes loaded, 25 "
                               r"stored, \d+\.\d+ s, \d+\.\d+ million/s")
        text = self.on_terminal(source("trace.s"))
        self.assertRegex(text, r"ztl run: 17 instructions, of them 3 Ztl, \d+\.\d+ s, ")
        self.assertNotIn("million/s", ztl(source("trace.s")).err)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
