# SPDX-License-Identifier: Apache-2.0
"""What the tests of the tools share: running them, and the encodings of the contract.

The encodings are written down here a second time, from sections 3 and 4 of the contract, so that
they do not come from the table under test.
"""
import os
import shutil
import struct
import subprocess
import tempfile
import unittest

ZTL = os.environ["ZTL"]
SANITIZED = os.environ.get("ZTL_SANITIZE") == "ON"
PREFIX = "riscv64-unknown-elf-"

ABI = ("zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 "
       "s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6").split()
ENGINES = ["load", "comp", "store", "reshape"]
XPOSE = {"01": 0b0001, "02": 0b0010, "03": 0b0011, "12": 0b1001, "13": 0b1010, "23": 0b1011,
         "00": 0b0000, "11": 0b0101, "33": 0b1111}
PERMUTE = {"b": 0b10001, "w": 0b10010, "h": 0b10011, "d": 0b10100}


def word2(engine, high5, mid, a, funct3, b):
    """Ztl 2: [31:30], [29:25], [24:20], [19:15], [14:12], [11:7], custom-2."""
    return engine << 30 | high5 << 25 | mid << 20 | a << 15 | funct3 << 12 | b << 7 | 0x5b


def load_store2(st, tm, tl, imm, rs, engine=0):
    return engine << 30 | st << 29 | tm << 28 | (imm & 0xff) << 20 | tl << 15 | rs << 7 | 0x5b


def addi2(tlrd, tlrs, imm, engine=0):
    return engine << 30 | (imm & 0xff) << 20 | tlrs << 15 | 2 << 12 | tlrd << 7 | 0x5b


def word1(funct7, mid, a, funct3, b):
    return funct7 << 25 | mid << 20 | a << 15 | funct3 << 12 | b << 7 | 0x5b


def addi1(td, ts, imm):
    return (imm & 0xfff) << 20 | ts << 15 | 2 << 12 | td << 7 | 0x5b


def run(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          **options)


class ToolTest(unittest.TestCase):
    """Each test works in a directory of its own, which is removed."""

    def setUp(self):
        self.old = os.getcwd()
        self.dir = tempfile.mkdtemp(prefix="ztl-test-")
        os.chdir(self.dir)

    def tearDown(self):
        os.chdir(self.old)
        shutil.rmtree(self.dir)

    def write(self, name, text):
        with open(name, "w") as file:
            file.write(text)
        return name

    def ok(self, *command, **options):
        done = run(*command, **options)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}{done.stderr}")
        return done.stdout

    def ztl(self, *arguments, **options):
        return self.ok(ZTL, *arguments, **options)

    def fails(self, *arguments, **options):
        """The messages of a ztl command that must fail with status 1."""
        done = run(ZTL, *arguments, **options)
        self.assertEqual(done.returncode, 1, done.stderr)
        return done.stderr

    def bytes_of(self, obj, section=".text"):
        self.ok(PREFIX + "objcopy", "-O", "binary", "-j", section, obj, "bytes.bin")
        with open("bytes.bin", "rb") as file:
            return file.read()

    def assemble(self, text, *options, clang=False, name="in.s"):
        """The bytes of .text, by ztl as."""
        self.write(name, text)
        extra = ["--clang"] if clang else []
        self.ztl("as", *extra, *options, name, "-o", "out.o")
        return self.bytes_of("out.o")

    def words(self, text, *options, **keywords):
        data = self.assemble(text, *options, **keywords)
        return [w for (w,) in struct.iter_unpack("<I", data)]
