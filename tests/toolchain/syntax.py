# SPDX-License-Identifier: Apache-2.0
"""What GNU assembly can look like: each source must give the words that the contract's encoding
gives, with GNU as and with clang."""
import os
import unittest

from ztltool import ABI, ENGINES, PREFIX, XPOSE, ToolTest, addi1, addi2, load_store2, word2


def csrrw(csr, rs1, rd=0):
    return csr << 20 | rs1 << 15 | 1 << 12 | rd << 7 | 0x73


def csrrs(rd, csr, rs1=0):
    return csr << 20 | rs1 << 15 | 2 << 12 | rd << 7 | 0x73


NOP = 0x00000013
MARCH = "-march=rv64ima_zicsr"  # without C every instruction is a word


class Syntax(ToolTest):
    def check(self, source, words, *options, **keywords):
        for clang in False, True:
            got = self.words(source, MARCH, *options, clang=clang, **keywords)
            self.assertEqual([hex(w) for w in got], [hex(w) for w in words], f"clang={clang}")

    def test_registers(self):
        self.check("tl.addi tl5, tlr5, 1\ntl.addi t5, t31, 1\ntl.xpose.01 t2, t3, t2\n"
                   "tl.load tl1, 0(fp)\ntl.load tl1, 0(x8)\ntl.load tl1,(s0)\n",
                   [addi2(5, 5, 1), addi2(5, 31, 1), word2(0, 1, 3, 2, 3, 7)]
                   + [load_store2(0, 0, 1, 0, 8)] * 3)

    def test_immediates_in_any_base(self):
        self.check("tl.addi tl1, tl2, 0x7f\ntl.addi tl1, tl2, -0x80\ntl.addi tl1, tl2, 0b101\n"
                   "tl.addi tl1, tl2, 010\ntl.addi tl1, tl2, 'A'\ntl.addi tl1, tl2, +3\n",
                   [addi2(1, 2, i) for i in (127, -128, 5, 8, 65, 3)])

    def test_engines(self):
        self.check("tl.load tl1, (a0), comp\ntl.addi tl1, tl2, 3, store\n"
                   "tl.xpose.01 tl2, tl3, a0, reshape\ntl.xpose.01 tl2, tl3, a0, load\n",
                   [load_store2(0, 0, 1, 0, 10, 1), addi2(1, 2, 3, 2), word2(3, 1, 3, 2, 3, 10),
                    word2(0, 1, 3, 2, 3, 10)])

    def test_expressions(self):
        self.check(".equ FOO, 5\n.set BAR, FOO*2\nBAZ = -3\n"
                   "tl.addi tl1, tl2, FOO+1\ntl.addi tl1, tl2, 1<<3\ntl.addi tl1, tl2, -FOO\n"
                   "tl.addi tl1, tl2, (BAR-FOO)*2, comp\ntl.load tl3, (FOO+1)*2(a0)\n"
                   "tl.store tl3, BAZ(a0), store\ntl.addi tl1, tl2, ~0\n"
                   "tl.addi tl4, tl5, (FOO > 3) & 1 | 2\n",
                   [addi2(1, 2, 6), addi2(1, 2, 8), addi2(1, 2, -5), addi2(1, 2, 10, 1),
                    load_store2(0, 0, 3, 12, 10), load_store2(1, 0, 3, -3, 10, 2),
                    addi2(1, 2, -1), addi2(4, 5, 3)])

    def test_expressions_of_ztl1(self):
        self.check(".equ FOO, 2000\ntl.addi tl1, tl2, FOO\ntl.addi tl31, tl30, -FOO-48\n",
                   [addi1(1, 2, 2000), addi1(31, 30, -2048)], "--revision", "1")

    def test_the_isa_string_chooses_the_revision(self):
        for clang in False, True:
            self.assertEqual(self.words("tl.addi tl1, tl2, 2000\n", "-march=rv64ima_ztl1p0",
                                        clang=clang), [addi1(1, 2, 2000)])
            self.assertEqual(self.words("tl.addi tl1, tl2, 20\n", "-march=rv32ima_zicsr_ztla2p0",
                                        "-mabi=ilp32", clang=clang), [addi2(1, 2, 20)])

    def test_labels_and_statements_on_a_line(self):
        self.check("_start: tl.addi tl1, tl2, 1; 1: 2: tl.addi tl3, tl4, 2;nop ;\n"
                   "a$b.c:tl.addi tl5,tl6,3\n\"quoted name\": tl.addi tl7, tl8, 4\n",
                   [addi2(1, 2, 1), addi2(3, 4, 2), NOP, addi2(5, 6, 3), addi2(7, 8, 4)])

    def test_comments(self):
        self.check("# tl.nonsense\n"
                   "   // tl.nonsense ; tl.nonsense\n"
                   "tl.addi tl1, tl2, 1 # tl.nonsense; tl.nonsense\n"
                   "tl.addi tl1, tl2, 2 // it's a comment\n"
                   "/* tl.nonsense */ tl.addi /* ; */ tl1, /* # \n tl.nonsense\n */ tl2, 3 /* */\n"
                   "tl.addi tl1, tl2, 4/* a\nb */; tl.addi tl1, tl2, 5\n"
                   "/* open\n tl.nonsense\n*/\n",
                   [addi2(1, 2, i) for i in range(1, 6)])

    def test_strings_are_left_alone(self):
        source = ".ascii \"tl.addi tl1, tl2, 3; \\\" # // /* \"\n.byte ';', '#', '\"'\n.balign 4\n"
        text = b"tl.addi tl1, tl2, 3; \" # // /* " + b";#\""
        for clang in False, True:
            got = self.assemble(".data\n" + source + ".text\ntl.addi tl1, tl2, 1\n", MARCH,
                                clang=clang)
            self.assertEqual(got, addi2(1, 2, 1).to_bytes(4, "little"))
            self.assertTrue(self.bytes_of("out.o", ".data").startswith(text))

    def test_macro_arguments(self):
        self.check(".macro add1 d, s, i=1, e=load\n tl.addi \\d, \\s, \\i, \\e\n.endm\n"
                   ".macro ld r o b\n tl.load \\r, \\o(\\b)\n.endm\n"
                   ".macro sw a b x\n tl.xpose.\\a\\b tl2, tl3, \\x\n.endm\n"
                   ".macro cat dim=0 k:vararg\n tl.concat.\\dim tl\\()\\k, tl1, tl2\n.endm\n"
                   ".equ FOO, 40\n"
                   "add1 tl3, tlr4\nadd1 t3, tl4, FOO*3\nadd1 d=tl31, s=tl0, i=-128, e=reshape\n"
                   "ld tl5, -3, t6\nld t6, FOO, x2\nsw 1 3 a0\nsw 0 0 a1\ncat 2 9\n",
                   [addi2(3, 4, 1), addi2(3, 4, 120), addi2(31, 0, -128, 3),
                    load_store2(0, 0, 5, -3, 31), load_store2(0, 0, 6, 40, 2),
                    word2(0, XPOSE["13"], 3, 2, 3, 10), word2(0, XPOSE["00"], 3, 2, 3, 11),
                    word2(0, 0b00010, 2, 1, 1, 9)])

    def test_macro_arguments_of_every_register_field(self):
        lines, words = [".macro m d a b\n tl.merge.1 \\d, \\a, \\b, store\n.endm"], []
        for i in range(32):
            lines.append(f"m tl{i}, tl{31 - i}, tl{i ^ 5}")
            words.append(word2(2, 0b00101, i ^ 5, 31 - i, 1, i))
        self.check("\n".join(lines) + "\n", words)

    def test_an_address_in_one_macro_argument(self):
        lines = [".macro m t, address, e=load\n tl.load \\t, \\address\n"
                 " tl.mstore tl9, \\address, \\e\n.endm"]
        words = []
        def use(t, text, engine, imm, rs):
            lines.append(f"m tl{t}, {text}, {ENGINES[engine]}")
            words.extend([load_store2(0, 0, t, imm, rs), load_store2(1, 1, 9, imm, rs, engine)])
        for i in range(32):
            use(i, f"{8 * i - 128}({ABI[i]})", i % 4, 8 * i - 128, i)
            use(31 - i, f"({'x%d' % i})", 0, 0, i)
        for text, value in [("0x7f", 127), ("-0x80", -128), ("0b101", 5), ("017", 15), ("+9", 9)]:
            use(1, f"{text}(fp)", 0, value, 8)
        self.check("\n".join(lines) + "\n", words)

    def test_macro_arguments_of_ztl1(self):
        self.check(".macro st t b s\n tl.mstore \\t, \\b, \\s\n.endm\n"
                   ".macro ad i\n tl.addi tl1, tl2, \\i\n.endm\n"
                   "st tl3, a0, a1\nad -2048\nad 2047\n",
                   [0b1010001 << 25 | 10 << 20 | 3 << 15 | 4 << 12 | 11 << 7 | 0x5b,
                    addi1(1, 2, -2048), addi1(1, 2, 2047)], "--revision", "1")

    def test_nested_macros_and_loops(self):
        self.check(".macro inner r\n tl.addi tl\\r, tl\\r, \\r\n.endm\n"
                   ".macro outer n\n .irp k,1,2\n inner \\k\n inner \\n\n .endr\n.endm\n"
                   "outer 9\n.rept 2\ntl.addi tl1, tl1, 1\n.endr\n"
                   ".irp r, tl4, tlr5\ntl.addi \\r, \\r, 1\n.endr\n"
                   ".irpc c,67\ntl.addi tl\\c, tl0, \\c\n.endr\n"
                   ".set i, 0\n.rept 3\ntl.load tl1, i(a0)\n.set i, i+1\n.endr\n",
                   [addi2(1, 1, 1), addi2(9, 9, 9), addi2(2, 2, 2), addi2(9, 9, 9), addi2(1, 1, 1), addi2(1, 1, 1),
                    addi2(4, 4, 1), addi2(5, 5, 1), addi2(6, 0, 6), addi2(7, 0, 7)]
                   + [load_store2(0, 0, 1, i, 10) for i in range(3)])

    def test_a_mnemonic_as_macro_argument(self):
        self.check(".macro m op d s\n \\op \\d, \\s, 5\n.endm\n"
                   ".macro n op a:vararg\n \\op \\a\n.endm\n"
                   "m tl.addi tl1 tl2\nm addi, a0, a1\nn tl.merge.1 tl1, tl2, tl3, store\n"
                   "n tl.load tl3, -4(a0)\nn tl.xpose.01, tl2, tl3, a0\n"
                   ".irp op, tl.concat.0, tl.concat.2\n \\op tl9, tl1, tl2\n.endr\n"
                   ".macro o op=tl.addi\n \\op tl4, tl5, FOO+1\n.endm\n.equ FOO, 6\no\n"
                   ".macro p tail\n tl.\\tail\n.endm\np \"addi tl6, tl7, 8\"\n"
                   ".macro q stem d\n \\stem\\().addi \\d, tl2, 1\n.endm\nq tl, tl1\n",
                   [addi2(1, 2, 5), 0x00558513, word2(2, 0b00101, 3, 2, 1, 1),
                    load_store2(0, 0, 3, -4, 10), word2(0, 1, 3, 2, 3, 10),
                    word2(0, 0b00000, 2, 1, 1, 9), word2(0, 0b00010, 2, 1, 1, 9), addi2(4, 5, 7),
                    addi2(6, 7, 8), addi2(1, 2, 1)])

    def test_an_instruction_as_macro_argument(self):
        self.check(".macro run insn:vararg\n \\insn\n.endm\n"
                   ".macro twice insn:vararg\n run \\insn\n run \\insn\n.endm\n"
                   "run tl.addi tl1, tl2, 3\nrun tl.addi tl1, tl2, 3, comp\ntwice tl.load tl1, (sp)\n"
                   "run nop\n",
                   [addi2(1, 2, 3), addi2(1, 2, 3, 1)] + [load_store2(0, 0, 1, 0, 2)] * 2 + [NOP])

    def test_a_csr_instruction_as_macro_argument(self):
        self.check(".macro run insn:vararg\n \\insn\n.endm\n.macro m op a b\n \\op \\a, \\b\n.endm\n"
                   "run csrw tshape, a0\nrun csrr a1, tl_load_stride{5}\nm csrw ttype a0\n"
                   "m csrr, a1, TL_TENSOR_SHAPE\nrun csrw mscratch, a0\n",
                   [csrrw(0x800, 10), csrrs(11, 0x845), csrrw(0x804, 10), csrrs(11, 0x800),
                    csrrw(0x340, 10)])

    def test_a_mnemonic_of_the_users_own_as_macro_argument(self):
        self.check(".macro TL.ADDI d, s, i\n addi \\d, \\s, \\i\n.endm\n"
                   ".macro run insn:vararg\n \\insn\n.endm\n"
                   "run TL.ADDI a0, a1, 5\nrun tl.merge.1 tl1, tl2, tl3\n",
                   [0x00558513, word2(0, 0b00101, 3, 2, 1, 1)])

    def test_alternate_macros(self):
        """The parameters of .altmacro need no backslash, whatever they are called."""
        source = (".altmacro\n.macro add1 d, s, i=1\n tl.addi d, s, i\n tl.addi tl&i, s, 3\n.endm\n"
                  ".macro bump r, x1\nLOCAL here\nhere: tl.addi r, r, 1\n tl.addi tl1, tl2, 3\n"
                  " tl.load r, x1\n.endm\n"
                  ".macro put c, v\n csrw c, v\n csrw tshape, v\n.endm\n"
                  ".macro cat n\n tl.concat.&n tl1, tl2, tl3\n tl.addi \\n, tl2, 3\n.endm\n"
                  "add1 tl3, tl4\nadd1 tl5, tl6, %2+3\nbump tl7, 4(a0)\nput ttype, a0\n"
                  "put mscratch, a1\n.irp k, tl1, tl2\n tl.addi k, k, 9\n.endr\n"
                  ".noaltmacro\n.macro old d\n tl.addi \\d, \\d, 2\n.endm\nold tl9\n")
        words = [addi2(3, 4, 1), addi2(1, 4, 3), addi2(5, 6, 5), addi2(5, 6, 3), addi2(7, 7, 1),
                 addi2(1, 2, 3), load_store2(0, 0, 7, 4, 10), csrrw(0x804, 10), csrrw(0x800, 10),
                 csrrw(0x340, 11), csrrw(0x800, 11), addi2(1, 1, 9), addi2(2, 2, 9), addi2(9, 9, 2)]
        self.assertEqual([hex(w) for w in self.words(source, MARCH)], [hex(w) for w in words])

    def test_slashes(self):
        """A comment, but for GNU as's arguments of macros: there it has always been text."""
        self.check("nop // it's; tl.nonsense\nlabel: // \"\ntl.addi tl1, tl2, 3 // c\n"
                   "csrw tshape, a0// c\n.equ X, 4 // c\ntl.addi tl1, tl2, X // c\n.word 5 // c\n",
                   [NOP, addi2(1, 2, 3), csrrw(0x800, 10), addi2(1, 2, 4), 5])
        self.assemble(".macro m a:vararg\n.ascii \"\\a\"\n.endm\n.data\nm http://foo\n.ascii \"a\n//b\"\n"
                      ".text\ntl.addi tl1, tl2, 3\n", MARCH)
        self.assertEqual(self.bytes_of("out.o", ".data"), b"http://fooa\n//b")

    def test_symbols_of_the_user_with_a_csr_s_name(self):
        def check(source, words, *options):  # clang takes no symbol for a CSR
            self.assertEqual(self.words(source, MARCH, *options), words)
        for define in (".equ tshape, 0x7c0\n", "tshape = 0x7c0\n", ".set tshape, 0x7c0\n",
                       ".macro d n v\n.equ \\n, \\v\n.endm\nd tshape, 0x7c0\n"):
            check(define + "csrw tshape, a0\ncsrw ttype, a0\ncsrr a0, tl_load_stride{5}\n"
                  "tl.addi tl1, tl2, 3\n",
                  [csrrw(0x7c0, 10), csrrw(0x804, 10), csrrs(10, 0x845), addi2(1, 2, 3)])
        check(".equ tshape, 0x7c0\n.macro put c\n csrw \\c, a0\n.endm\nput tshape\nput ttype\n",
              [csrrw(0x7c0, 10), csrrw(0x804, 10)])
        check("csrw tshape, a0\ncsrw ttype, a0\n", [csrrw(0x7c0, 10), csrrw(0x804, 10)],
              "--defsym", "tshape=0x7c0")

    def test_conditions(self):
        self.check(".equ ON, 1\n.if ON\ntl.addi tl1, tl2, 1\n.else\ntl.nonsense 1, 2\n.endif\n"
                   ".if 0\ntl.nonsense\ntl.addi tl99, tl2, 4000\n.endif\n"
                   ".macro unused\ntl.nonsense\n.endm\n"
                   ".macro pick x\n.ifc \\x,a\ntl.addi tl1, tl2, 2\n.else\ntl.addi tl1, tl2, 3\n"
                   ".endif\n.endm\npick a\npick b\n",
                   [addi2(1, 2, 1), addi2(1, 2, 2), addi2(1, 2, 3)])

    def test_macros_of_the_user_keep_their_names(self):
        self.check(".macro tl.zero r\ntl.addi \\r, tl0, 0\n.endm\ntl.zero tl7\n"
                   "tl.count = 4\ntl.addi tl1, tl2, tl.count\n",
                   [addi2(7, 0, 0), addi2(1, 2, 4)])

    def test_csr_names(self):
        self.check("csrw tshape, a0\ncsrw TL_TENSOR_SHAPE, a0\ncsrr a1, ttype\n"
                   "csrrw a2, tl_conact_mask1_csr, a3\ncsrs tl_load_stride{5}, a0\n"
                   "csrr a0, tl_store_stride31\ncsrr a0, TL_LOAD_STRIDE_CSR\n"
                   "csrr a0, tmask_load_stride{2}\ncsrwi tmask_ls, 3\ncsrr a0, mstatus\n"
                   "csrr a0, 0x7c0\ncsrr a0 , /* c */ tl_load_width # tshape\n",
                   [csrrw(0x800, 10), csrrw(0x800, 10), csrrs(11, 0x804), csrrw(0x810, 13, 12),
                    csrrs(0, 0x845, 10), csrrs(10, 0x87f), csrrs(10, 0x840), csrrs(10, 0x842),
                    0x814 << 20 | 3 << 15 | 5 << 12 | 0x73, csrrs(10, 0x300), csrrs(10, 0x7c0),
                    csrrs(10, 0x815)])

    def test_csr_names_in_macros(self):
        self.check(".macro put c v\n csrw \\c, \\v\n.endm\n"
                   "put tshape, a0\nput TTYPE, a1\nput tl_load_stride{7}, a0\n"
                   "put tl_store_stride_csr8, a0\nput mscratch, a0\nput 0x7c0, a0\n"
                   "put (0x7c0+1), a0\n"
                   ".irp i,0,31\n csrr a0, tl_load_stride\\i\n csrr a0, tl_store_stride{\\i}\n"
                   " csrr a0, 0x840+\\i\n.endr\n",
                   [csrrw(0x800, 10), csrrw(0x804, 11), csrrw(0x847, 10), csrrw(0x868, 10),
                    csrrw(0x340, 10), csrrw(0x7c0, 10), csrrw(0x7c1, 10),
                    csrrs(10, 0x840), csrrs(10, 0x860), csrrs(10, 0x840),
                    csrrs(10, 0x85f), csrrs(10, 0x87f), csrrs(10, 0x85f)])

    def test_csr_names_outside_csr_instructions_are_symbols(self):
        self.check("tshape: la a0, tshape\n.equ ttype, 3\nli a1, ttype\n",
                   self.reference("x: la a0, x\nli a1, 3\n"))

    def reference(self, source):
        self.write("ref.s", source)
        self.ok(PREFIX + "as", MARCH, "ref.s", "-o", "ref.o")
        data = self.bytes_of("ref.o")
        return [int.from_bytes(data[i:i + 4], "little") for i in range(0, len(data), 4)]

    def test_include(self):
        os.mkdir("inc")
        self.write("inc/body.inc", "tl.addi tl2, tl2, 2\n.include \"deeper.inc\"\n")
        self.write("inc/deeper.inc", ".macro deep r\ntl.addi \\r, \\r, 3\n.endm\n")
        self.write("inc/plain.inc", "nop\n")
        self.check("tl.addi tl1, tl1, 1\n.include \"body.inc\"\ndeep tl3\n"
                   ".include \"plain.inc\"\n.macro wrap\n.include \"body2.inc\"\n.endm\n"
                   ".if 0\n.include \"missing.inc\"\n.endif\n",
                   [addi2(1, 1, 1), addi2(2, 2, 2), addi2(3, 3, 3), NOP], "-Iinc")

    def test_include_in_a_macro_body(self):
        self.write("body.inc", "tl.addi tl2, tl2, 2\n")
        self.check(".macro wrap\n.include \"body.inc\"\n.endm\nwrap\nwrap\n",
                   [addi2(2, 2, 2)] * 2)

    def test_include_with_a_guard_in_a_circle(self):
        self.write("a.inc", ".ifndef GUARD\n.set GUARD, 1\ntl.addi tl2, tl2, 2\n"
                            ".include \"a.inc\"\n.endif\n")
        self.check(".include \"a.inc\"\n.include \"a.inc\"\n", [addi2(2, 2, 2)])

    def test_preprocessor(self):
        self.write("ops.h", "#define BUMP(r) tl.addi r, r, STEP\n")
        self.check("#include \"ops.h\"\n#define STEP 4\n#ifdef WANTED\n  BUMP(tl3) // bump\n#endif\n"
                   "#ifdef OTHER\n tl.nonsense\n#endif\n BUMP(tl4); BUMP(tl5)\n",
                   [addi2(3, 3, 4), addi2(4, 4, 4), addi2(5, 5, 4)], "-DWANTED=1", name="in.S")

    def test_several_inputs_and_standard_input(self):
        self.write("a.s", ".macro bump r\ntl.addi \\r, \\r, 1\n.endm")
        self.write("b.s", "bump tl2\n")
        self.ztl("as", MARCH, "a.s", "b.s", "-o", "out.o")
        self.assertEqual(self.bytes_of("out.o"), addi2(2, 2, 1).to_bytes(4, "little"))
        self.ztl("as", MARCH, "-o", "out.o", "-", input="tl.addi tl1, tl2, 3\n")
        self.assertEqual(self.bytes_of("out.o"), addi2(1, 2, 3).to_bytes(4, "little"))

    def test_options_reach_the_assembler(self):
        for clang in False, True:
            self.assertEqual(self.words("tl.addi tl1, tl2, N\n", MARCH, "--defsym", "N=7",
                                        clang=clang), [addi2(1, 2, 7)])
        self.assertIn("GNU assembler", self.ztl("as", "--version"))

    def test_everything_else_stays_byte_for_byte(self):
        source = ("\t.text\n# c ; d\n\nfoo:\tli a0,'#'; .string \"a;b # c\"\r\n"
                  "  .macro x y\n \\y\n .endm # 'quoted'\n\t.loc 1 2 3\n  csrw mscratch, a0\n\n")
        self.write("in.s", source)
        printed = self.ztl("as", "--print", "in.s")
        self.assertEqual(printed, "# 1 \"in.s\"\n" + source.replace("\r\n", "\n"))

    def test_lines_stay(self):
        source = "\n".join(["nop"] * 9 + ["tl.addi tl1, /* \n\n */ tl2, 3", "nop"]) + "\n"
        self.write("in.s", source)
        printed = self.ztl("as", "--print", "in.s").splitlines()
        self.assertEqual(len(printed) - 1, source.count("\n"))
        self.assertEqual(printed[13], "nop")

    def test_line_numbers_in_debug_information(self):
        self.write("in.s", ".macro m r\n tl.addi \\r, \\r, 1\n.endm\n\n tl.addi tl1, tl2, 3\n m tl1\n")
        self.ztl("as", MARCH, "-g", "in.s", "-o", "out.o")
        lines = self.ok(PREFIX + "objdump", "--dwarf=decodedline", "out.o")
        found = [line.split()[:3] for line in lines.splitlines() if line.startswith("in.s  ")]
        self.assertEqual([f[1] for f in found[:2]], ["5", "6"])


if __name__ == "__main__":
    unittest.main()
