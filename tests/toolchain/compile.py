# SPDX-License-Identifier: Apache-2.0
"""Ztl in inline assembly: by ztl cc with each compiler, by -B in a build of one's own, and in a
CMake project by its toolchain file; from the build directory and from an installation."""
import os
import shutil
import struct
import unittest

from ztltool import PREFIX, ZTL, ToolTest, addi1, addi2, run, word2

INLINE = """
void kernel(unsigned long dims)
{
    __asm__ volatile("tl.xpose.01 tl2, tl3, %0" ::"r"(dims));
    __asm__ volatile("csrw tshape, %0\\n\\ttl.addi tl1, tl2, %1" ::"r"(dims), "i"(7));
}
"""
INTRINSICS = """
#include <ztl/intrin.h>

void kernel(unsigned long dims)
{
    __riscv_ztl_xpose_01(2, 3, dims);
    __riscv_ztl_csrw_tshape(dims);
    __riscv_ztl_addi(1, 2, 7);
}
"""
HELLO = "#include <stdio.h>\n" + INLINE + """
int main(void)
{
    kernel(0x02081008);
    printf("done\\n");
    return 0;
}
"""


class Compile(ToolTest):
    def words_of(self, path):
        """The custom-2 words and the CSR instructions of a file, in order."""
        text = self.ok(PREFIX + "objdump", "-d", path)
        found = []
        for line in text.splitlines():
            field = line.split("\t")
            if len(field) > 2 and len(field[1].strip()) == 8:
                word = int(field[1], 16)
                if word & 0x7f == 0x5b or (word & 0x7f == 0x73 and word >> 28 == 8):
                    found.append(word)
        return found

    def assert_kernel(self, words, revision=2):
        """The three instructions of INLINE; the compiler chose the register."""
        self.assertEqual(len(words), 3, [hex(w) for w in words])
        if revision == 2:
            rs = words[0] >> 7 & 31
            self.assertEqual(words[0], word2(0, 1, 3, 2, 3, rs))
            self.assertEqual(words[2], addi2(1, 2, 7))
        else:
            rs = words[0] >> 20 & 31
            self.assertEqual(words[0], 0b0110001 << 25 | rs << 20 | 3 << 15 | 2 << 7 | 0x5b)
            self.assertEqual(words[2], addi1(1, 2, 7))
        self.assertEqual(words[1] & ~(31 << 15), 0x80001073)

    def test_objects(self):
        self.write("in.c", INLINE)
        for compiler in [], ["--clang"], ["--linux"]:
            for options in [], ["-O2", "-g"]:
                self.ztl("cc", *compiler, *options, "-c", "in.c", "-o", "in.o")
                self.assert_kernel(self.words_of("in.o"))

    def test_revisions_and_widths(self):
        self.write("in.c", INLINE)
        for compiler in [], ["--clang"]:
            for isa, revision in [("rv32imac_zicsr_ztl1p0", 1), ("rv64imac_ztlx_ztla", 2),
                                  ("rv64imac_zicsr_zba_zbb_ztl1p0", 1), ("rv32im_ztl", 2)]:
                self.ztl("cc", *compiler, f"-march={isa}", "-c", "in.c", "-o", "in.o")
                self.assert_kernel(self.words_of("in.o"), revision)
            self.ztl("cc", *compiler, "--revision=1", "-c", "in.c")
            self.assert_kernel(self.words_of("in.o"), 1)

    def test_programs(self):
        self.write("hello.c", HELLO)
        for compiler in [], ["--clang"]:
            for isa in "rv64imac_zicsr_ztl", "rv64imac_zicsr_zba_zbb_ztl", "rv32imac_ztl":
                self.ztl("cc", *compiler, "--semihost", f"-march={isa}", "hello.c", "-o", "h.elf")
                self.assert_kernel(self.words_of("h.elf"))
                header = self.ok(PREFIX + "readelf", "-hl", "h.elf")
                self.assertIn("0x0000000080000000" if "64" in isa else "0x80000000", header)
        self.ztl("cc", "--linux", "hello.c", "-o", "h.elf")
        self.assert_kernel(self.words_of("h.elf"))

    def test_intrinsics(self):
        self.write("in.c", INTRINSICS)
        for compiler in [], ["--clang"], ["--linux"]:
            for revision in 1, 2:
                self.ztl("cc", *compiler, f"--revision={revision}", "-O2", "-c", "in.c")
                self.assert_kernel(self.words_of("in.o"), revision)

    def test_several_sources(self):
        self.write("a.c", "void kernel(unsigned long);\nint main(void) { kernel(1); return 0; }\n")
        self.write("b.c", INLINE)
        self.write("c.S", "#define R tl9\n.text\nbump: tl.addi R, R, 1\n")
        self.write("d.s", ".text\nbump2: tl.addi tl8, tl8, 1\n")
        for compiler in [], ["--clang"]:
            self.ztl("cc", *compiler, "--semihost", "-march=rv64imac_ztl", "-Wl,--no-gc-sections",
                     "a.c", "b.c", "c.S", "d.s", "-o", "all.elf")
            words = self.words_of("all.elf")
            for word in addi2(9, 9, 1), addi2(8, 8, 1), addi2(1, 2, 7):
                self.assertIn(word, words)

    def test_options_of_both_steps(self):
        """The default ISA string is compiled and linked in two steps; nobody should notice."""
        os.mkdir("tmp")
        os.mkdir("src")
        self.write("src/main.c", "#include \"x.h\"\nint other(void) { return X; }\nint main(void) { return 3; }\n")
        self.write("src/x.h", "#define X 5\n")
        env = dict(os.environ, TMPDIR=self.dir + "/tmp")
        self.ztl("cc", "--semihost", "-MMD", "-s", "-x", "c", "-e", "other", "src/main.c", "-o", "out.elf", env=env)
        entry = self.ok(PREFIX + "readelf", "-hS", "out.elf")
        self.assertNotIn(".symtab", entry)
        self.assertNotIn("0x80000000\n", entry)
        with open("main.d") as file:
            self.assertIn("src/x.h", file.read())
        self.ztl("cc", "--clang", "-MMD", "-c", "src/main.c", "-o", "out.o", env=env)
        with open("out.d") as file:
            self.assertIn("src/x.h", file.read())
        self.ztl("cc", "--semihost", "-O2", "-flto", "src/main.c", "-MD", "-MF", "deps", env=env)
        self.assertEqual(run(ZTL, "run", "a.out").returncode, 3)
        self.assertTrue(os.path.exists("deps"))
        self.assertEqual(os.listdir("tmp"), [])

    def test_preprocessing_and_assembly_text(self):
        self.write("in.c", "int r = ZTL_REVISION;\n" + INLINE)
        for compiler in [], ["--clang"]:
            text = self.ztl("cc", *compiler, "--revision=1", "-S", "in.c", "-o", "-")
            self.assertIn("tl.xpose.01 tl2, tl3,", text)
            text = self.ztl("cc", *compiler, "--revision=1", "-E", "in.c")
            self.assertIn("int r = 1;", text)

    def test_environment(self):
        self.write("in.c", INLINE)
        self.ztl("cc", "-c", "in.c", env=dict(os.environ, ZTL_CC="riscv64-linux-gnu-gcc"))
        self.assert_kernel(self.words_of("in.o"))
        done = run(ZTL, "cc", "-c", "in.c", env=dict(os.environ, ZTL_CC="no-such-gcc"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("ztl cc: no-such-gcc: No such file", done.stderr)

    def test_b_in_a_build_of_ones_own(self):
        tools = self.ztl("cc", "--print-b-dir").strip()
        self.write("in.c", INLINE)
        self.write("x.s", "tl.addi tl4, tl5, 6\n")
        for gcc in PREFIX + "gcc", "riscv64-linux-gnu-gcc":
            for options in [], ["-pipe"], ["-Wa,--revision=1"]:
                self.ok(gcc, "-B" + tools, *options, "-c", "in.c", "-o", "in.o")
                self.assert_kernel(self.words_of("in.o"), 1 if "-Wa" in "".join(options) else 2)
            self.ok(gcc, "-B" + tools, "-c", "x.s", "-o", "x.o")
            self.assertEqual(self.words_of("x.o"), [addi2(4, 5, 6)])

    def test_without_ztl_the_object_is_gccs_own(self):
        tools = self.ztl("cc", "--print-b-dir").strip()
        self.write("in.c", "int f(int a) { return a * 3 + 1; }\nconst char *s = \"tl.load; # x\";\n")
        self.ok(PREFIX + "gcc", "-g", "-O2", "-c", "in.c", "-o", "plain.o")
        self.ok(PREFIX + "gcc", "-B" + tools, "-g", "-O2", "-c", "in.c", "-o", "ours.o")
        with open("plain.o", "rb") as plain, open("ours.o", "rb") as ours:
            self.assertEqual(plain.read(), ours.read())

    def cmake_project(self, toolchain, ztl):
        """A project of plain C; the toolchain file and one include make it a Ztl project."""
        os.makedirs("project", exist_ok=True)
        self.write("project/CMakeLists.txt",
                   "cmake_minimum_required(VERSION 3.16)\nproject(plain C)\n"
                   "add_executable(hello hello.c)\n")
        self.write("project/hello.c", HELLO.replace(INLINE, "").replace("kernel(0x02081008);", ""))
        self.ok("cmake", "-S", "project", "-B", "host")
        self.ok("cmake", "--build", "host")
        self.assertEqual(self.ok("host/hello"), "done\n")
        self.write("project/hello.c", HELLO.replace(INLINE, INTRINSICS))
        shutil.rmtree("riscv", ignore_errors=True)
        self.ok("cmake", "-S", "project", "-B", "riscv", "--toolchain", toolchain)
        self.ok("cmake", "--build", "riscv")
        self.assert_kernel(self.words_of("riscv/hello"))
        self.assertEqual(self.ok(ztl, "run", "riscv/hello"), "done\n")

    def test_cmake_toolchain_file(self):
        toolchain = os.path.join(os.path.dirname(ZTL), "share/ztl/ztl-riscv64.cmake")
        self.cmake_project(toolchain, ZTL)
        for isa, bits in ("rv64imac_zicsr_zba_zbb_ztl1p0", 64), ("rv32gc_ztlx1p0_ztla1p0", 32):
            shutil.rmtree("riscv")
            self.ok("cmake", "-S", "project", "-B", "riscv", "--toolchain", toolchain,
                    f"-DZTL_MARCH={isa}")
            self.ok("cmake", "--build", "riscv")
            self.assert_kernel(self.words_of("riscv/hello"), 1)
            self.assertIn(f"ELF{bits}", self.ok(PREFIX + "readelf", "-h", "riscv/hello"))

    def test_installation(self):
        build = os.path.dirname(ZTL)
        prefix = os.path.join(self.dir, "usr")
        self.ok("cmake", "--install", build, "--prefix", prefix)
        ztl = os.path.join(prefix, "bin/ztl")
        self.write("in.c", INTRINSICS)
        for compiler in [], ["--clang"]:
            self.ok(ztl, "cc", *compiler, "-c", "in.c", "-o", "in.o")
            self.assert_kernel(self.words_of("in.o"))
        user = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../install/user_ops.c")
        self.ok(ztl, "cc", "--semihost", user, "-lztlops", "-o", "ops.elf")
        self.assertEqual(self.ok(ztl, "run", "ops.elf"), "transpose 42\n")
        self.assertEqual(self.ok(ztl, "run", user, "-lztlops"), "transpose 42\n")
        self.assertEqual(self.ok(ztl, "cc", "--print-b-dir").strip(),
                         os.path.join(prefix, "libexec/ztl/bin"))
        self.cmake_project(os.path.join(prefix, "share/ztl/ztl-riscv64.cmake"), ztl)


if __name__ == "__main__":
    unittest.main()
