#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""ztl run: files that are no programs, and wrong command lines.

usage: files.py ZTL SOURCE_FOLDER
"""
import sys
import unittest

from common import Case, gcc, source, ztl


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
                (["--trace", self.path("no/trace"), program], "--trace ")):
            self.expect(ztl(*arguments), 1, "", "ztl run: ")
            self.assertIn(message, ztl(*arguments).err)
        self.expect(ztl("--trace", "/dev/full", program), 1, err="the trace is not complete")

    def test_outputs_that_cannot_be_written(self):
        """Said before the program runs: it writes nothing."""
        program = self.write("hello.c", "#include <stdio.h>\nint main(void) { puts(\"ran\"); }\n")
        self.expect(ztl(program), 0, "ran\n")
        for engine in ("sim", "qemu"):
            stats = "--stats=" + self.path("no/stats")
            self.expect(ztl("--engine", engine, stats, program), 1, "", stats + ": No such file")
            self.expect(ztl("--engine", engine, "--stats=" + self.folder, program), 1, "",
                        "Is a directory")
        self.expect(ztl("--signature", self.path("no/signature"), program), 1, "",
                    "no/signature: No such file")
        self.expect(ztl("--stats=" + self.path("x" * 300), program), 1, "", "File name too long")
        self.expect(ztl("--stats=/dev/full", program), 1, "ran\n", "No space left")

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
                (["--trace-format", "xml", program], "'xml' is not spike, csv, json, spike-log or rvvi"),
                (["--trace-tl", "some", program], "'some' is not hash or full"),
                (["--dump", "tl3:4x0:int8", program],
                 "--dump: tl3:4x0:int8: shape '4x0': dimension 1 is '0'"),
                (["--dump-at", "_start", program], "--dump-at: '_start' needs a --dump before it"),
                (["--dump", "tl1", "--dump-at", "a", "--dump-at", "b", program],
                 "--dump-at: 'b' needs a --dump before it"),
                (["--json", program], "--json needs --stats"),
                (["--signature-granularity", "3", program], "'3' is not 1, 2, 4, 8 or 16"),
                (["--gdb", "here", program], "--gdb: 'here' is neither a port"),
                (["--gdb", "65536", program], "--gdb: '65536' is neither a port"),
                (["--gdb", "unix:", program], "--gdb: 'unix:' is neither a port"),
                (["--gdb", "unix:/" + "x" * 120, program], "too long for a socket"),
                (["--dump", "tl1"] * 17 + [program], "at most 16")):
            self.expect(ztl(*arguments), 2, "", "ztl run: ")
            self.assertIn(message, ztl(*arguments).err)
        result = ztl("--help")
        self.expect(result, 0, err="")
        self.assertIn("example", result.out)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
