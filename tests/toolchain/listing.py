# SPDX-License-Identifier: Apache-2.0
"""ztl dis on files: mnemonics, CSR names, symbols and source lines; and source that assembles back
to the same bytes, on programs and on the members of the C library."""
import glob
import os
import re
import unittest

from ztltool import PREFIX, SANITIZED, ZTL, ToolTest, run, word2

PICOLIBC = "/usr/lib/picolibc/riscv64-unknown-elf/lib"

PROGRAM = """# a program
_start: tl.xpose.01 tl2, tl3, a0, reshape
loop:
    csrw tl_load_stride{{5}}, a0
    csrr a1, mstatus
    csrrwi a2, tmask_concat_1, 3
    tl.load tl1, -5(a0)
    tl.mstore tl1, 127(t6), comp
    bnez a0, loop
    j _start
    c.addi a0, 1
    .4byte 0x{alias:08x}
    .4byte 0x0000405b
    ret
"""


class Listing(ToolTest):
    def code_sections(self, obj):
        text = self.ok(PREFIX + "objdump", "-h", obj)
        return re.findall(r"^ *\d+ (\S+) .*\n.*\bCODE\b", text, re.M)

    def assert_round_trip(self, obj, march, *options, clang=False):
        source = self.ztl("dis", "--asm", *options, obj)
        self.write("again.s", source)
        extra = ["--clang", "-mno-relax"] if clang else []  # else branches wait for the linker
        self.ztl("as", *extra, *options, f"-march={march}", "again.s", "-o", "again.o")
        for section in self.code_sections(obj):
            self.assertEqual(self.bytes_of("again.o", section), self.bytes_of(obj, section),
                             f"{obj} {section}")

    def program(self, *options):
        self.write("in.s", PROGRAM.format(alias=word2(0, 0b01001, 3, 2, 1, 1)))
        self.ztl("as", "-march=rv64imac_zicsr", *options, "in.s", "-o", "in.o")

    def test_words(self):
        """Base, compressed and Ztl words; the texts are those of GNU objdump -M no-aliases."""
        for word, text in [("0x00b50533", "add a0, a0, a1"), ("00b50533", "add a0, a0, a1"),
                           ("0x4501", "c.li a0, 0"), ("0x2585", "c.addiw a1, 1"),
                           ("0x0231355b", "tl.xpose.01 tl2, tl3, a0"),
                           ("0x80051073", "csrrw zero, tshape, a0"), ("0xfe000ee3", "beq zero, zero, "
                           "0xfffffffffffffffc"), ("0xffffffff", ".word 0xffffffff")]:
            self.assertEqual(self.ztl("dis", word), text + "\n")
            self.assertEqual(self.ztl("dis", "-", input=word + "\n"), text + "\n")
        self.assertEqual(self.ztl("dis", "--isa", "rv32ic", "0x2001", "0x02b50533"),
                         "c.jal 0x0\n.word 0x02b50533\n")
        for options in ["--isa", "rv64gq"], ["--isa="], ["--isa=rv64i_ztl1p0", "--revision=2"]:
            self.assertEqual(run(ZTL, "dis", *options, "0x13").returncode, 2)

    def test_listing(self):
        self.program("-g")
        lines = self.ztl("dis", "in.o").splitlines()
        texts = [line.split("\t", 2)[2] for line in lines if line.count("\t") >= 2]
        self.assertEqual(texts[0], "tl.xpose.01 tl2, tl3, a0, reshape")
        self.assertEqual(texts[1], "csrw\ttl_load_stride5,a0")
        self.assertEqual(texts[2], "csrr\ta1,mstatus")
        self.assertEqual(texts[3], "csrrw\ta2,tmask_concat_1,3")
        self.assertEqual(texts[4], "tl.load tl1, -5(a0)")
        self.assertEqual(texts[5], "tl.mstore tl1, 127(t6), comp")
        self.assertTrue(texts[6].startswith("bnez\ta0,"))
        self.assertEqual(texts[9:11], ["tl.merge.1 tl1, tl2, tl3", ".word 0x0000405b"])
        whole = "\n".join(lines)
        self.assertIn("<loop>:", whole)
        self.assertRegex(whole, r"in\.s:7\b")
        self.assertIn("    tl.load tl1, -5(a0)\n", whole)
        self.assertNotRegex(self.ztl("dis", "--no-source", "in.o"), r"in\.s:7\b")

    def test_revision(self):
        self.write("in.s", "tl.xpose.01 tl2, tl3, a0\ncsrw ttype, a0\n")
        self.ztl("as", "in.s", "-o", "in.o")
        text = self.ztl("dis", "--revision", "1", "in.o")
        self.assertIn(".word 0x0231355b", text)
        self.assertIn("csrw\t0x804,a0", text)

    def test_the_revision_that_a_file_says(self):
        """Objects, programs and archives of Ztl 1 are known by their note; code has no trace."""
        self.write("one.s", ".globl _start\n_start: tl.addi tl1, tl2, 2000\n")
        self.write("none.s", "nop\n")
        self.ztl("as", "-march=rv64imac", "none.s", "-o", "none.o")
        for clang in [], ["--clang"]:
            self.ztl("as", *clang, "-march=rv64imac_ztl1p0", "one.s", "-o", "one.o")
            self.ok(PREFIX + "ld", "one.o", "none.o", "-o", "one.elf")
            self.ok(PREFIX + "ar", "rc", "one.a", "none.o", "one.o")
            for name in "one.o", "one.elf", "one.a":
                self.assertIn("tl.addi tl1, tl2, 2000", self.ztl("dis", name))
                self.assertIn("tl.mstore tl2, -48(ra)", self.ztl("dis", "--revision=2", name))
        self.assertEqual(self.code_sections("one.o"), [".text"])
        self.assertNotIn("ALLOC", re.search(r" \.note\.ztl .*\n(.*)",
                                            self.ok(PREFIX + "objdump", "-h", "one.o"))[1])
        self.write("in.c", "#include <ztl/intrin.h>\nvoid f(void) { __riscv_ztl_addi(1, 2, 2000); }\n")
        for clang in [], ["--clang"]:
            self.ztl("cc", *clang, "-march=rv64imac_zicsr_ztl1p0", "-c", "in.c")
            self.assertIn("tl.addi tl1, tl2, 2000", self.ztl("dis", "in.o"))
        self.assertNotIn(".note.ztl", self.ok(PREFIX + "objdump", "-h", "none.o"))

    def test_options_of_objdump(self):
        self.write("in.s", "tl.addi tl1, tl2, 3\n.section .other,\"ax\"\ntl.addi tl1, tl2, 4\n")
        self.ztl("as", "in.s", "-o", "in.o")
        text = self.ztl("dis", "-j", ".other", "in.o")
        self.assertIn("tl.addi tl1, tl2, 4", text)
        self.assertNotIn("tl.addi tl1, tl2, 3", text)

    def test_round_trip_of_a_program(self):
        self.program()
        for clang in False, True:
            self.assert_round_trip("in.o", "rv64imac_zicsr", clang=clang)
        source = self.ztl("dis", "--asm", "in.o")
        self.assertIn("tl.mstore tl1, 127(t6), comp", source)
        self.assertIn("csrrw\tzero,tl_load_stride5,a0", source)
        self.assertIn("# tl.merge.1 tl1, tl2, tl3", source)

    def test_round_trip_of_ztl1(self):
        self.write("in.s", "tl.mload tl1, a0, a1\ntl.mstore tl1, a0, a1\ntl.addi tl1, tl2, -2048\n")
        self.ztl("as", "--revision=1", "in.s", "-o", "in.o")
        self.assert_round_trip("in.o", "rv64imac", "--revision=1")

    def test_round_trip_of_a_c_program(self):
        self.write("in.c", "#include <stdio.h>\n#include <math.h>\nint main(int c, char **v)\n"
                   "{\n __asm__ volatile(\"tl.addi tl1, tl2, 3\");\n"
                   " printf(\"%d %f\\n\", c, sin(c));\n return 0;\n}\n")
        self.ztl("cc", "--semihost", "-march=rv64imafdc_ztl", "-O2", "in.c", "-o", "in.elf", "-lm")
        self.assert_round_trip("in.elf", "rv64imafdc")

    def test_round_trip_of_the_c_library(self):
        for march, abi in ("rv64imafdc", "lp64d"), ("rv32imac", "ilp32"):
            os.mkdir(march)
            self.ok(PREFIX + "ar", "x", "--output", march, f"{PICOLIBC}/{march}/{abi}/libc.a")
            members = sorted(glob.glob(march + "/*.o"))
            self.assertGreater(len(members), 100)
            for obj in members[::200 if SANITIZED else 40]:
                self.assert_round_trip(obj, march)


if __name__ == "__main__":
    unittest.main()
