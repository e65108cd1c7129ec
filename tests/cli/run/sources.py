#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Programs from sources: several of them, in C, C++ and assembly, with options of the compiler.

    sources.py ZTL SOURCE_FOLDER
"""
import os
import subprocess
import sys
import unittest

from common import ZTL, Case, gcc, gcc_hosted, ztl

MAIN = """#include <stdio.h>
int half(int), quarter(int);
int main(int argc, char **argv) { printf("%d %d %d %s\\n", half(N), quarter(N), argc, argv[argc - 1]); return STATUS; }
"""
ASSEMBLY = ".globl half\nhalf: srai a0, a0, 1\n tl.addi tl1, tl2, 3\n ret\n"
CPLUSPLUS = """#include <stdio.h>
#include <ztl/intrin.h>
#include "step.h"
struct Shape { int edges; Shape(int n) : edges(n) { __riscv_ztl_csrw_tshape(n); } ~Shape() { puts("gone"); }
               virtual int corners() const { return edges; } };
struct Box : Shape { Box() : Shape(4) {} int corners() const override { static Shape s(STEP); return s.corners(); } };
static Box box;
int main() { const Shape &s = box; printf("%d %d\\n", s.edges, s.corners()); }
"""

DEFAULTS = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
int main(int argc, char **argv)
{
    double v[] = {2.5, -0.125, 1e3, 0.1};
    char *copy = malloc(32);
    float third = argc * 1.5f;
    qsort(v, 4, sizeof v[0], order);
    strcpy(copy, argv[argc - 1]);
    printf("%f %g %.3e %d %s %a\\n", v[0] / 3, v[1], v[3], argc, copy, third);
    FILE *file = fopen("defaults.txt", "w");
    fprintf(file, "%f\\n", v[2]);
    return fclose(file) ? 1 : 7;
}
"""


class Sources(Case):
    def run_in(self, *arguments, **options):
        return ztl(*arguments, cwd=self.folder, **options)

    def test_several_with_options(self):
        self.write("main.c", MAIN)
        self.write("half.S", ASSEMBLY)
        self.write("quarter.c", "int quarter(int n) { return n / 4; }\n")
        for first, second in (("main.c", "half.S"), ("half.S", "main.c")):
            for isa in ["--isa", "rv32imac_zicsr_ztl"], ["--isa=rv64imac_zicsr_ztl1p0"], []:
                self.expect(self.run_in(*isa, "-O1", "-DN=44", first, "-D", "STATUS=9", second,
                                        "quarter.c", "-Wall", "--", "-O2", "last.c"),
                            9, "22 11 3 last.c\n")
        self.expect(self.run_in("--engine", "qemu", "-DN=8", "-DSTATUS=0", "main.c", "half.S",
                                "quarter.c", "--", "x"), 0)

    def test_objects_and_libraries(self):
        self.write("main.c", MAIN)
        self.write("half.s", ASSEMBLY)
        self.write("quarter.c", "int quarter(int n) { return n / 4; }\n")
        for name in "half.s", "quarter.c":
            subprocess.run([ZTL, "cc", "-c", name], cwd=self.folder, check=True)
        subprocess.run(["riscv64-unknown-elf-ar", "rcs", "libquarter.a", "quarter.o"],
                       cwd=self.folder, check=True)
        self.expect(self.run_in("half.o", "-DN=4", "-DSTATUS=1", "main.c", "-L.", "-lquarter", "--",
                                "y"), 1, "2 1 2 y\n")
        self.expect(self.run_in("half.o", "-DN=4", "-DSTATUS=1", "main.c", "libquarter.a"), 1)

    def test_cplusplus(self):
        os.makedirs(self.path("a folder"), exist_ok=True)
        self.write("a folder/step.h", "#define STEP 6\n")
        for suffix in "cpp", "cc", "cxx", "C":
            self.write("box." + suffix, CPLUSPLUS)
            self.expect(self.run_in("-Ia folder", "-std=c++17", "box." + suffix), 0,
                        "4 6\ngone\ngone\n")
        self.expect(self.run_in("--engine", "qemu", "-Ia folder", "box.cc"), 0, "4 6\ngone\ngone\n")

    def test_what_cc_builds_run_runs(self):
        """As doc/intrinsics.md prints it."""
        self.write("prog.c", "#include <stdio.h>\n#include <ztl/intrin.h>\nint main(void)\n{\n"
                             "    __riscv_ztl_addi(1, 2, 3);\n    printf(\"%.1f\\n\", 1.5);\n}\n")
        for options in [], ["--clang"], ["-O2", "-mabi=lp64"], ["--revision=2"]:
            subprocess.run([ZTL, "cc", "--semihost", *options, "prog.c"], cwd=self.folder, check=True)
            self.expect(self.run_in("a.out"), 0, "1.5\n")
            self.expect(self.run_in("--engine", "qemu", "a.out"), 0, "1.5\n")

    def test_floating_point(self):
        """Both calling conventions, both widths; without F the first such instruction is named."""
        self.write("float.c", "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
                              "static int order(const void *a, const void *b)\n{\n"
                              "    double x = *(double *)a, y = *(double *)b;\n"
                              "    return (x > y) - (x < y);\n}\n"
                              "int main(void)\n{\n    double v[] = {2.5, -0.125, 1e3, 0.1};\n"
                              "    qsort(v, 4, sizeof v[0], order);\n"
                              "    printf(\"%f %g %.3e %a\\n\", sqrt(v[2]), v[0], v[3], fma(v[1], 3, 1));\n}\n")
        said = "1.581139 -0.125 1.000e+03 0x1.4cccccccccccdp+0\n"
        for march in "rv64gc_ztl", "rv32gc", "rv64imac_zicsr", "rv64gc_zba_zbb_zbs_ztl":
            subprocess.run([ZTL, "cc", "--semihost", "-march=" + march, "float.c", "-lm"],
                           cwd=self.folder, check=True)
            self.expect(self.run_in("a.out"), 0, said)
            self.expect(self.run_in("--engine", "qemu", "a.out"), 0, said)
        self.expect(self.run_in("--isa", "rv64imac_zicsr", "a.out"), 120, "",
                    "floating point needs F, which is not in the hart's ISA, rv64imac_zicsr")

    def test_defaults_of_the_bare_compiler(self):
        """riscv64-unknown-elf-gcc without -march and -mabi: rv64gc, doubles in f registers."""
        self.write("defaults.c", DEFAULTS)
        gcc_hosted("", self.path("defaults"), self.path("defaults.c"))
        with open(self.path("defaults"), "rb") as elf:
            flags = int.from_bytes(elf.read()[48:52], "little")
        self.assertEqual(flags & 6, 4, "e_flags name the lp64d ABI")
        for engine in [], ["--engine", "qemu"]:
            self.expect(self.run_in(*engine, "--dir", self.folder, "defaults", "--", "last"), 7,
                        "-0.041667 0.1 1.000e+03 2 last 0x1.8p+1\n")
            self.assertEqual(self.read("defaults.txt"), "2.500000\n")
            os.remove(self.path("defaults.txt"))

    def test_linker_script_of_the_bare_compiler(self):
        """picolibc's own: flash at 0x10000000, RAM at 0x20000000."""
        self.write("defaults.c", DEFAULTS)
        gcc("", self.path("defaults"), "--specs=picolibc.specs", "--oslib=semihost",
            "--crt0=semihost", self.path("defaults.c"))
        said = "-0.041667 0.1 1.000e+03 2 last 0x1.8p+1\n"
        for engine in [], ["--engine", "qemu"]:
            self.expect(self.run_in(*engine, "--dir", self.folder, "defaults", "--", "last"), 7, said)
            self.assertEqual(self.read("defaults.txt"), "2.500000\n")
            os.remove(self.path("defaults.txt"))
        self.expect(self.run_in("--mem", "0x10000000:128K", "defaults"), 1, "", "is outside RAM")

    def test_refusals_name_the_engine_that_runs_it(self):
        self.write("prog.c", "int main(void) { return 5; }\n")
        subprocess.run([ZTL, "cc", "--linux", "prog.c"], cwd=self.folder, check=True)
        self.expect(self.run_in("a.out"), 1, "", "link it with -static -no-pie; --engine qemu runs it")
        self.expect(self.run_in("--engine", "qemu", "a.out"), 5, "")
        self.write("no.elf", "\x7fELF" + "x" * 200)
        result = self.run_in("no.elf")
        self.expect(result, 1, "")
        self.assertNotIn("qemu", result.err)

    def test_mistakes(self):
        self.write("prog.c", "int main(void) { return WHAT; }\n")
        self.write("prog.elf", "none")
        for arguments, message in (
                (["-march=rv64i", "prog.c"], "'-march=rv64i': the instruction set is that of --isa"),
                (["-mabi=lp64", "prog.c"], "'-mabi=lp64': the instruction set is that of --isa"),
                (["-c", "prog.c"], "unknown option '-c'"), (["-o", "x", "prog.c"], "option '-o'"),
                (["-stats", "prog.c"], "unknown option '-stats'"), (["prog.c", "-I"], "-I needs a value"),
                (["-O2", "prog.elf"], "prog.elf is no source, and so nothing is built from '-O2'"),
                (["prog.elf", "-O2"], "prog.elf is no source, and so nothing is built from '-O2'"),
                (["prog.c", "first"], "'first' is one file too many"),
                (["prog.elf", "prog.c"], "'prog.c' is one file too many"),
                (["-O2"], "no program")):
            self.expect(self.run_in(*arguments), 2, "", message)
        before = set(os.listdir(self.folder))
        self.expect(self.run_in("prog.c"), 1, "", "prog.c: not built")
        self.expect(self.run_in("-DWHAT=0", "prog.c", "none.c"), 1, "", "none.c: No such file")
        self.expect(self.run_in("-DWHAT=0", "-fnonsense", "prog.c"), 1, "", "-fnonsense")
        self.expect(self.run_in("-DWHAT=0", "prog.c", "-lnone"), 1, "", "-lnone")
        self.assertEqual(set(os.listdir(self.folder)), before)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
