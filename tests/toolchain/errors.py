# SPDX-License-Identifier: Apache-2.0
"""Each mistake is reported at its file and line, with what may stand there, and leaves no output."""
import os
import re
import signal
import subprocess
import time
import unittest

from ztltool import PREFIX, SANITIZED, ZTL, ToolTest, run

NUMBER = "must be -128 to 127"

# The statement, what the message says, and the revision where it is not the default.
MISTAKES = [
    ("tl.lod tl1, (a0)", "unknown mnemonic 'tl.lod', did you mean 'tl.load'?"),
    ("tl.xpose.10 tl1, tl2, a0", "unknown mnemonic 'tl.xpose.10': its suffix must be one of .01, "),
    ("tl.concat.3 tl1, tl2, tl3", "unknown mnemonic 'tl.concat.3'"),
    ("tl.xpose tl1, tl2, a0", "unknown mnemonic 'tl.xpose', did you mean 'tl.xpose.01'?"),
    ("csrw tshap, t0", "did you mean 'tshape'?"),
    ("csrrsi zero, tl_laod_mask, 3", "did you mean 'tl_load_mask'?"),
    ("csrw tl_load_stride32, a0", "did you mean 'tl_load_stride0 to tl_load_stride31'?"),
    ("TL.LOAD tl1, (a0)", "unknown mnemonic 'TL.LOAD', did you mean 'tl.load'?"),
    ("tl.frobnicate.everything", "unknown mnemonic 'tl.frobnicate.everything'"),
    ("tl.addi tl1, tl2, 128", "operand 3 (imm): 128 is out of range, " + NUMBER),
    ("tl.addi tl1, tl2, -129", "operand 3 (imm): -129 is out of range, " + NUMBER),
    ("tl.addi tl1, tl2, 99999999999999999999", "operand 3 (imm)"),
    ("tl.load tl1, 200(a0)", "operand 2 (offset): 200 is out of range, " + NUMBER),
    ("tl.addi tl1, tl2, BIG", "operand 3 (imm): BIG is out of range, " + NUMBER),
    ("tl.addi tl1, tl2, BIG-(1<<8)", "operand 3 (imm): BIG-(1<<8) is out of range, " + NUMBER),
    ("tl.load tl1, BIG(a0)", "operand 2 (offset): BIG is out of range, " + NUMBER),
    ("tl.addi tl1, tl2, tl3", "operand 3 (imm): 'tl3' is not a number from -128 to 127"),
    ("tl.addi tl32, tl2, 3", "operand 1 (tlrd): 'tl32' is not a tensor register, tl0 to tl31"),
    ("tl.addi tl1, a0, 3", "operand 2 (tlrs): 'a0' is not a tensor register, tl0 to tl31"),
    ("tl.addi x1, tl2, 3", "operand 1 (tlrd): 'x1' is not a tensor register, tl0 to tl31"),
    ("tl.load tl1, 0(tl2)", "operand 3 (rs): 'tl2' is not an integer register"),
    ("tl.load tl1, 4", "operand 3 (rs): expected an address, as in 0(a0)"),
    ("tl.xpose.01 tl1, tl2, t7", "operand 3 (rs): 't7' is not an integer register"),
    ("tl.load t2, a1, a2", "operand 2 (offset): 'a1' is not a number from -128 to 127"),
    ("tl.addi tl1, tl2", "operand 3 (imm)"),
    ("tl.addi tl1, tl2, 3, 1", "operand 4 (engine): '1' is not an engine: load, comp, store or"),
    ("tl.addi tl1, tl2, 3, load, 5", "unexpected ', 5' after the last operand"),
    ("csrw tl_load_stride{32}, a0", "CSR 'tl_load_stride{32}': no such name, or an index outside"),
    ("tl.addi tl1, tl2, 2048", "operand 3 (imm): 2048 is out of range, must be -2048 to 2047", 1),
    ("tl.load tl1, (a0)", "unknown mnemonic 'tl.load': it is of Ztl 2, not of Ztl 1", 1),
    ("tl.merge.0 tl1, tl2, tl3", "'tl.merge.0': it is of Ztl 2, not of Ztl 1", 1),
    ("tl.addi tl1, tl2, 3, comp", "unexpected ', comp' after the last operand", 1),
    ("csrw ttype, a0", "CSR 'ttype' is of Ztl 2, not of Ztl 1", 1),
    ("tl.mload tl1, 0(a0)", "operand 2 (rshape)", 1),
]

# A macro, its use, and what the assembler must find when the argument is known at last.
LATE_MISTAKES = [
    ("tl.addi \\x, tl2, 3", "tl32", "operand 1 (tlrd): tl32 is not a tensor register"),
    ("tl.addi \\x, tl2, 3", "a0", "operand 1 (tlrd): a0 is not a tensor register"),
    ("tl.addi tl1, tl2, \\x", "128", "operand 3 (imm): 128 is out of range, " + NUMBER),
    ("tl.addi tl1, tl2, \\x", "-129", "operand 3 (imm): -129 is out of range, " + NUMBER),
    ("tl.load tl1, \\x(a0)", "BIG", "operand 2 (offset): BIG is out of range, " + NUMBER),
    ("tl.load tl1, 0(\\x)", "tl1", "operand 3 (rs): tl1 is not an integer register"),
    ("tl.xpose.01 tl1, tl2, \\x", "x32", "operand 3 (rs): x32 is not an integer register"),
    ("tl.addi tl1, tl2, 3, \\x", "turbo", "operand 4 (engine): turbo is not an engine: load, comp"),
    ("tl.concat.\\x tl1, tl2, tl3", "3", "unknown mnemonic tl.concat.3, must be one of tl.concat.0, tl.concat.1, tl.concat.2"),
    ("tl.q\\x tl1, tl2, tl3", "addi", "no Ztl 2 mnemonic starts like this"),
    ("tl.\\x tl1, tl2, 128", "addi", "operand 3 (imm): 128 is out of range, " + NUMBER),
    ("\\x tl1, tl2, 128", "tl.addi", "operand 3 (imm): 128 is out of range, " + NUMBER),
    ("\\x tl1, a0, 3", "tl.addi", "operand 2 (tlrs): a0 is not a tensor register"),
    ("\\x tl1, 4", "tl.load", "operand 2 (offset): 4 is not an address of a"),
    ("\\x tl1", "tl.bogus", "tl.bogus"),
    ("\\x tl1", "tl.load", "tl.load"),
    ("tl.load tl1, \\x", "128(a0)", "operand 2 (offset): 128(a0) is out of range, " + NUMBER),
    ("tl.load tl1, \\x", "-129(a0)", "operand 2 (offset): -129(a0) is out of range, " + NUMBER),
    ("tl.load tl1, \\x", "18446744073709551620(a0)", "is out of range, " + NUMBER),
]
# What is no address of a number and a register.
LATE_MISTAKES += [("tl.load tl1, \\x", text, f"operand 2 (offset): {text} is not an address of a")
                  for text in ("4", "a0", "4(q0)", "4()", "4(a0)x", "4(a0b)", "0x(a0)", "-(a0)",
                               "09(a0)", "1+1(a0)", "foo(a0)", "4(zeros)")]


# Names that are close to a Ztl CSR and yet good: of the base, and a symbol of the user's own, which
# clang does not take.
BASE_CSRS = "csrr t0, time\ncsrw tdata1, t0\n"
OWN_CSR = ".equ tshap, 0x340\ncsrw tshap, t0\n"


class Errors(ToolTest):
    def messages(self, source, *options, clang=False, name="in.s"):
        self.write(name, source)
        text = self.fails("as", *(["--clang"] if clang else []), *options, name, "-o", "out.o")
        self.assertFalse(os.path.exists("out.o"))
        return text

    def assert_error(self, text, place, message):
        """A line `place: … error: message`, GNU's or clang's way."""
        pattern = re.escape(place) + r":(\d+:)? [Ee]rror: .*" + re.escape(message)
        self.assertRegex(text, pattern)

    def test_mistakes(self):
        for revision in 1, 2:
            chosen = [m for m in MISTAKES if (m[2:] or (2,))[0] == revision]
            source = ".equ BIG, 1000\n" + "".join(f"\n {m[0]} # comment\n" for m in chosen)
            for clang in False, True:
                text = self.messages(source, "--revision", str(revision), clang=clang)
                for i, mistake in enumerate(chosen):
                    self.assert_error(text, f"in.s:{3 + 2 * i}", mistake[1])
                self.assertEqual(len(re.findall(r"\b[Ee]rror: ", text)), len(chosen), text)

    def test_good_csrs(self):
        self.assemble(BASE_CSRS + OWN_CSR)
        self.assemble(BASE_CSRS, clang=True)

    def test_csr_in_a_macro(self):
        for clang in False, True:
            text = self.messages(".macro m x\n csrw \\x, t0\n.endm\nm tshap\n", clang=clang)
            self.assertIn("did you mean 'tshape'?", text)

    def test_late_mistakes(self):
        for body, argument, message in LATE_MISTAKES:
            source = f".equ BIG, 1000\n.macro m x\n {body}\n.endm\n\nm {argument}\n"
            for clang in False, True:
                text = self.messages(source, clang=clang)
                self.assertIn(message, text, body)
                self.assertIn("in.s:6", text, body)
            if SANITIZED:
                break

    def test_no_immediate_is_cut(self):
        """Every value around the range, by macro argument and by symbol: good, or an error."""
        for revision, low, high in (1, -2048, 2047), (2, -128, 127):
            values = [v for v in range(-5000, 5000) if min(abs(v - low), abs(v - high)) < 40]
            values += [1 << n for n in range(13, 64, 7)] + [-(1 << n) for n in range(13, 63, 7)]
            source = ".macro m i\n tl.addi tl1, tl2, \\i\n.endm\n"
            source += "".join(f"m {v}\n.set V, {v}\ntl.addi tl1, tl2, V\n" for v in values)
            for clang in False, True:
                text = self.messages(source, "--revision", str(revision), clang=clang)
                found = [int(n) for n in re.findall(r"operand 3 \(imm\): (-?\d+) is out", text)]
                wrong = [v for v in values if not low <= v <= high]
                self.assertEqual(sorted(set(found)), sorted(wrong))
                self.assertEqual(len(re.findall(r"[Ee]rror: operand 3 \(imm\): V is", text)),
                                 len(wrong))

    def test_unknown_symbols_are_not_zero(self):
        for clang in False, True:
            text = self.messages("\ntl.addi tl1, tl2, nowhere\n", clang=clang)
            self.assertRegex(text, "in.s:2:.*[Ee]rror")

    def test_errors_of_the_assembler_keep_their_lines(self):
        source = ("tl.addi tl1, /* \n */ tl2, 3\n.macro m r\n tl.addi \\r, \\r, 1\n.endm\nm tl1\n"
                  "add a0, a1\n")
        for clang in False, True:
            self.assertRegex(self.messages(source, clang=clang), r"in\.s:7:.*[Ee]rror")

    def test_errors_in_included_files(self):
        self.write("part.inc", "nop\ntl.addi tl1, tl2, 500\naddi a0\n")
        source = "tl.addi tl1, tl2, 3\n.include \"part.inc\"\nadd a0, a1\ntl.bogus\n"
        for clang in False, True:
            text = self.messages(source, clang=clang)
            for place in "part.inc:2", "part.inc:3", "in.s:3", "in.s:4":
                self.assertRegex(text, re.escape(place) + ":.*[Ee]rror")

    def test_errors_behind_an_include_in_a_macro(self):
        self.write("part.inc", "nop\ntl.addi tl1, tl2, 5\n")
        source = ".macro m\n.include \"part.inc\"\n.endm\nm\ntl.bogus\n"
        for clang in False, True:
            self.assert_error(self.messages(source, clang=clang), "in.s:5", "unknown mnemonic")

    def test_errors_in_preprocessed_files(self):
        self.write("ops.h", "\n\n#define BAD tl.addi tl1, tl2, 500\n")
        source = "#include \"ops.h\"\n\n\n BAD\n"
        for clang in False, True:
            text = self.messages(source, clang=clang, name="in.S")
            self.assert_error(text, "in.S:4", "operand 3 (imm): 500 is out of range")

    def test_isa_strings(self):
        self.write("in.s", "nop\n")
        for isa, message in [
                ("rv64i_ztl3p0", "'ztl3p0' is no Ztl extension"),
                ("rv64i_ztlq", "'ztlq' is no Ztl extension"),
                ("rv64i_ztlp1p0", "'ztlp1p0': Ztl 1 has no such sub-extension"),
                ("rv64i_ztlx1p0_ztlm", "'ztlm': Ztl 1 and Ztl 2 cannot be mixed"),
                ("rv64i_" + "zba_" * 100, "longer than")]:
            self.assertIn(message, self.fails("as", f"-march={isa}", "in.s", "-o", "out.o"))
            self.assertIn(message, self.fails("cc", f"-march={isa}", "-c", "in.s", "-o", "out.o"))
        self.assertIn("-march=rv64i_ztl1p0 is of Ztl 1, but --revision asks for 2",
                      self.fails("as", "-march=rv64i_ztl1p0", "--revision=2", "in.s"))

    def test_usage(self):
        for command in ("as", "cc", "dis"):
            for value in "3", "", "x":
                done = run(ZTL, command, "--revision", value, "in.s")
                self.assertEqual(done.returncode, 2, command)
                self.assertIn("is not 1 or 2" if value else "needs a value", done.stderr)
            done = run(ZTL, command, "--help")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertRegex(done.stdout, f"Examples?:\n  ztl {command} ")
        self.assertEqual(run(ZTL, "dis").returncode, 2)

    def test_missing_files(self):
        self.assertIn("ztl as: none.s: No such file", self.fails("as", "none.s"))
        self.assertIn("ztl as: none.S: No such file", self.fails("as", "none.S"))
        self.assertIn("ztl dis: none.o: No such file", self.fails("dis", "none.o"))

    def test_missing_tools_name_their_package(self):
        self.write("in.s", "nop\n")
        self.write("in.c", "int x;\n")
        self.ok(PREFIX + "as", "in.s", "-o", "in.o")
        empty = dict(os.environ, PATH=self.dir)
        for arguments, package in [(["as", "in.s"], "binutils-riscv64-unknown-elf"),
                                   (["as", "--clang", "in.s"], "clang"),
                                   (["cc", "-c", "in.c"], "gcc-riscv64-unknown-elf"),
                                   (["cc", "--linux", "-c", "in.c"], "gcc-riscv64-linux-gnu"),
                                   (["cc", "--clang", "-c", "in.c"], "clang"),
                                   (["dis", "in.o"], "binutils-riscv64-unknown-elf")]:
            text = self.fails(*arguments, env=empty)
            self.assertIn(f"Debian package {package} (apt install {package})", text)

    def test_missing_c_library_names_its_package(self):
        """In a namespace where the library's place is empty, where the system allows one."""
        self.write("in.c", "int main(void) { return 0; }\n")
        hide = "mount -t tmpfs none /usr/lib/picolibc"
        if run("unshare", "-rm", "sh", "-c", hide).returncode:
            self.skipTest("no namespaces here")
        done = run("unshare", "-rm", "sh", "-c", hide + ' && exec "$@"', "-", ZTL, "cc", "--semihost",
                   "in.c", "-o", "in.elf")
        self.assertEqual(done.returncode, 1)
        self.assertIn("it is in the Debian package picolibc-riscv64-unknown-elf", done.stderr)
        self.assertFalse(os.path.exists("in.elf"))

    def test_interrupted(self):
        """A signal ends the assembler behind and then us; no file of ours stays in TMPDIR."""
        self.write("in.s", "tl.addi tl1, tl2, 3\n")
        self.write("slow", "#!/bin/sh\necho > started\nexec sleep 300\n")
        os.chmod("slow", 0o755)
        os.mkdir("tmp")
        env = dict(os.environ, TMPDIR=self.dir + "/tmp", ZTL_AS=self.dir + "/slow")
        for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
            child = subprocess.Popen([ZTL, "as", "in.s", "-o", "in.o"], env=env)
            while not os.path.exists("started"):
                time.sleep(0.01)
            self.assertEqual(len(os.listdir("tmp")), 2)  # the text and the object
            child.send_signal(number)
            self.assertEqual(child.wait(timeout=300), -number)
            self.assertEqual(os.listdir("tmp"), [])
            os.unlink("started")

    def test_objects_of_another_architecture(self):
        self.write("in.c", "int x;\n")
        self.ok("cc", "-c", "in.c", "-o", "host.o")
        text = self.fails("dis", "host.o")
        self.assertRegex(text, r"ztl dis: host\.o: an object of .*, not of RISC-V")
        self.assertIn("ztl dis: in.c: neither an ELF file nor an archive", self.fails("dis", "in.c"))
        self.write("empty.o", "")
        self.assertIn("neither an ELF", self.fails("dis", "empty.o"))
        big = b"\x7fELF\x02\x02\x01" + bytes(9) + b"\x00\x01\x00\x15\x00\x00\x00\x01" + bytes(40)
        for size, message in (64, "an object of PowerPC64, not of RISC-V"), (19, "neither an ELF"):
            with open("big.o", "wb") as file:
                file.write(big[:size])
            self.assertIn("ztl dis: big.o: " + message, self.fails("dis", "big.o"))
        os.mkdir("folder")
        self.assertIn("ztl dis: folder: Is a directory", self.fails("dis", "folder"))

    def test_inline_assembly(self):
        self.write("part.h", "static inline void h(void) {\n\n"
                             "  __asm__ volatile(\"tl.addi tl1, tl2, 1000\");\n}\n")
        self.write("in.c", "#include \"part.h\"\nvoid f(void) {\n  h();\n"
                           "  __asm__ volatile(\"nop\\n\\t\"\n    \"tl.bogus\");\n}\n")
        for clang in [], ["--clang"]:
            for options in [], ["-g", "-O2"]:
                text = self.fails("cc", *clang, *options, "-c", "in.c", "-o", "out.o")
                self.assert_error(text, "part.h:3", "operand 3 (imm): 1000 is out of range")
                self.assert_error(text, "in.c:5", "unknown mnemonic 'tl.bogus'")
                self.assertFalse(os.path.exists("out.o"))


if __name__ == "__main__":
    unittest.main()
