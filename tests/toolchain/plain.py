# SPDX-License-Identifier: Apache-2.0
"""Assembly without Ztl is GNU as's own: ztl as gives the same object, byte for byte, the same
messages and the same status, whatever the text looks like. And where Ztl stands beside it, the rest
of the object is the same too."""
import os
import random
import re
import unittest

from ztltool import PREFIX, SANITIZED, ZTL, ToolTest, run

# One piece of syntax each; all are taken by GNU as.
CORPUS = [
    "nop # comment\n# whole line; nop\n\tnop;nop ; nop\n",
    "#\n##\n # 7\n# 7 \"other.s\"\nnop\n",
    "/* one */ nop /* two\n three # ; \" ' // */ ; /**/ nop /***/\nnop\n",
    "/* // */ nop /* # */ # /* not open\nnop\n",
    "a: b: 1: nop; 2: j 1b; j 2f\n2: nop\n\"a name\": nop\nc : nop\n$d.e_f: nop\n",
    ".ascii \"http://a # b ; c /* d */ \\\" \\\\ \\n \\101 \\x41\"\n.asciz \"\"\n.string \"a\", \"b\"\n",
    ".ascii \"first\n// second # ; \" \nnop\n.balign 4\n",
    ".ascii \"first\\\nsecond //\"\n.balign 4\nnop\n",
    ".byte '/', '\"', '#', ';', '\\\\', '\\n', ' ', ':\n.byte '/ , '\"\n.balign 4\n",
    ".byte 'a'+1, ('b')\nli a0, '#'; li a1, ';\nli a2, '/'/1\n",
    ".macro m a:vararg\n.ascii \"\\a\"\n.endm\nm http://foo\nm a // b, c\nm //\n.balign 4\n",
    ".macro M.Two x, y=http://y // z\n.ascii \"\\x \\y\"\n.endm\nm.two //a//\nM.TWO 1 // 2\n.balign 4\n",
    ".irp u, http://a, b//c\n.ascii \"\\u\"\n.endr\n.irpc c, a//b\n.ascii \"\\c\"\n.endr\n.balign 4\n",
    ".macro outer n\n.macro inner\\n x:vararg\n.ascii \"\\x//\\n\"\n.endm\n.endm\nouter 5\n"
    "inner5 q//r\n.balign 4\n",
    ".macro call name x:vararg\n\\name \\x\n.endm\n.macro put t:vararg\n.ascii \"\\t\"\n.endm\n"
    "call put a//b\n.balign 4\n",
    ".ifc http://a,http://a\nnop\n.endif\n.ifnc a//b,a//c\nnop\n.endif\n.ifb\nnop\n.endif\n"
    ".ifnb //\nnop\n.endif\n.ifeqs \"//\",\"//\"\nnop\n.endif\n",
    ".altmacro\n.macro m x, y\nLOCAL here\nhere: addi a0, a0, x\n.ifnc y,b\nlabel&x: nop\n.endif\n"
    ".endm\nm 3, <b//c>\nm %1+4, <a!>b>\n.noaltmacro\n",
    ".rept 2\n.rept 3\nnop\n.endr\nli a0, 1\n.endr\n.rep 2\nnop\n.endr\n",
    ".macro a\n.macro b\nnop\n.endm\nb\n.purgem b\n.endm\na\na\n",
    ".macro fact n\n.if \\n\naddi a0, a0, \\n\nfact \"(\\n-1)\"\n.endif\n.endm\nfact 3\n",
    ".macro count\n.word \\@\n.endm\ncount\ncount\n",
    ".if 0\nwhat ever // ; 'unbalanced\n.else\nnop\n.endif\n",
    ".if 1 ; nop ; .else ; bogus ; .endif\n",
    "nop\r\nli a0, 5\r\n# c\r\n.ascii \"x\\\r\n\"\r\n.balign 4\r\n/* a\r\n */ nop\r\n",
    "nop\n.end\nthis is not read\n",
    "x = 3\ny=x+1\n.set z, y*2\n.equ w, z\n.equiv v, w\naddi a0, a0, w; .word x, y, v\n",
    ".equ tshape, 0x7c0\ncsrw tshape, a0\ncsrr a0, tshape\n.macro p c\ncsrwi \\c, 3\n.endm\np tshape\n",
    "ttype = 0x7c1\ncsrs ttype, a0\n.set TSHAPE, 0x7c2\ncsrc TSHAPE, a0\ncsrr a1, 0x7c0+1\n",
    ".macro def n v\n.equ \\n, \\v\n.endm\ndef tshape, 0x7c0\ncsrw tshape, a0\n",
    "tshape: la a0, tshape\ntl: nop\nla a1, tl\n.word tl.x\ntl.x = 4\n",
    ".include \"plain.inc\"\n.macro i\n.include \"plain.inc\"\n.endm\ni\n.incbin \"bytes.dat\"\n.balign 4\n",
    ".incbin \"bytes.dat\", 2, 2\n.balign 4\n.file \"c.c\"\n.ident \"a//b\"\n.section .note, \"a\"\n",
    ".macro tl.zero r\nli \\r, 0\n.endm\ntl.zero a0\nTL.ZERO a1\nTl.Zero a2\n",
    ".macro TL.LOAD r, a\nlw \\r, \\a\n.endm\ntl.load a0, 4(a1)\n.macro Tl.Merge.0 d s i\n"
    "addi \\d, \\s, \\i\n.endm\ntl.merge.0 a0, a1, 5\nTL.MERGE.0 a0, a1, 6\n",
    ".option push; .option norvc; nop; .option pop; c.nop\n",
    ".file 1 \"x.c\"\n.loc 1 5\nnop\n.loc 1 6\nnop\n",
    "lla a0, far; call far; tail far\nfar: auipc a0, %pcrel_hi(far)\n1: ld a0, %pcrel_lo(1b)(a0)\n",
    "# a comment with 'quotes\" and /* and // in it\nnop\n",
    "nop\n\n\n   \n\t\n;;;\n",
    ".print \"hello // there\"\n.warning \"w\"\nnop\n",
    "nop\nlast: nop",
]
# What GNU as refuses, with its messages.
MISTAKES = ["bogus\n", "nop\n\n.macro m\nbogus \\()\n.endm\nm\n", ".include \"none.inc\"\n", "add a0\n",
            ".include \"wrong.inc\"\nbogus\n", ".ascii \"open\nnop\n", "/* open\nnop\n", ".endm\n", ".macro m\n",
            "li a0, nowhere-1b\n", "a: nop\na: nop\n", ".if 1\n", "csrw nosuch, a0\n", "\x01\n"]
ZTL_LINE, INSN_LINE = "tl.addi tl1, tl2, 3\n", ".insn r 0x5b, 2, 0, x1, x2, x3\n"


class Plain(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("plain.inc", "nop # //\nli a7, '/'\n")
        self.write("wrong.inc", "nop\nbogus\n")
        self.write("bytes.dat", "a//b\n#c\n")

    def write(self, name, text):
        with open(name, "w", newline="") as file:
            file.write(text)
        return name

    def object(self, *command):
        """Status, messages and bytes."""
        if os.path.exists("out.o"):
            os.unlink("out.o")
        done = run(*command, "-o", "out.o")
        data = b""
        if os.path.exists("out.o"):
            with open("out.o", "rb") as file:
                data = file.read()
        return done.returncode, self.said(done.stderr + done.stdout), data

    def said(self, text):
        """GNU as names the file that it reads, here ours, for what is open at its end."""
        return re.sub(r"/\S*/ztl-\w+\.s(?=: (\w+: end of file|Assembler messages))", "in.s", text)

    def both(self, text, *options):
        self.write("in.s", text)
        march = "-march=rv64imac_zicsr"
        theirs = self.object(PREFIX + "as", march, *options, "in.s")
        ours = self.object(ZTL, "as", march, *options, "in.s")
        return theirs, ours

    def test_corpus(self):
        for text in CORPUS:
            for options in [], ["-g"]:
                theirs, ours = self.both(text, *options)
                self.assertEqual(theirs[0], 0, theirs[1] + text)
                self.assertEqual(ours, theirs, text)

    def test_corpus_by_standard_input(self):
        for text in CORPUS:
            self.write("in.s", text)
            objects = []
            for tool in [PREFIX + "as"], [ZTL, "as"]:
                with open("in.s") as file:
                    self.ok(*tool, "-march=rv64imac_zicsr", "-", "-o", "out.o", stdin=file)
                with open("out.o", "rb") as file:
                    objects.append(file.read())
            self.assertEqual(objects[1], objects[0], text)

    def test_corpus_beside_ztl(self):
        """The rewriter reads the text, changes one line in it, and the object is as with .insn."""
        for text in CORPUS:
            after = "\n.balign 4\n"
            theirs, _ = self.both(INSN_LINE + text + after + INSN_LINE)
            _, ours = self.both(ZTL_LINE + text + after + ZTL_LINE)
            self.assertEqual(theirs[0], 0, theirs[1] + text)
            self.assertEqual(ours[1:], theirs[1:], text)

    def test_mistakes(self):
        for text in MISTAKES:
            theirs, ours = self.both(text)
            self.assertEqual(theirs, ours, text)

    def test_mistakes_beside_ztl(self):
        """The places of messages stay."""
        for text in MISTAKES:
            theirs, _ = self.both(INSN_LINE + text)
            _, ours = self.both(ZTL_LINE + text)
            self.assertEqual(ours[0], theirs[0], text)
            self.assertEqual(ours[1], theirs[1], text)

    def test_several_files(self):
        self.write("a.s", ".macro m x:vararg\n.ascii \"\\x\"\n.endm\n")
        self.write("b.s", "m a//b\n.balign 4\nnop")
        theirs = self.object(PREFIX + "as", "a.s", "b.s")
        self.assertEqual(self.object(ZTL, "as", "a.s", "b.s"), theirs)

    def test_random(self):
        """Pieces of syntax in any order: what GNU as takes gives the same object."""
        pieces = ["nop", "m ", ".macro m a:vararg\n", "\n.endm\n", ".ascii ", "\"", "'", "//", "/*", "*/", "#",
                  ";", "\n", "\n", " ", "a", ":", ",", "\\", "\\a", ".irp x,", "\n.endr\n", "\\x", "\"a\"", "5",
                  ".byte ", "'a'", ".if 1\n", "\n.endif\n", "x=3", "li a0,", ".altmacro\n", "<", ">", "!"]
        pick, taken = random.Random(1), 0
        for _ in range(60 if SANITIZED else 250):
            text = "".join(pick.choice(pieces) for _ in range(pick.randint(3, 14))) + "\n"
            theirs, ours = self.both(text)
            if theirs[0] == 0:
                taken += 1
                self.assertEqual(ours, theirs, text)
                theirs, _ = self.both(".text 1\n" + INSN_LINE + ".text 0\n" + text)
                _, ours = self.both(".text 1\n" + ZTL_LINE + ".text 0\n" + text)
                self.assertEqual(ours, theirs, text)
        self.assertGreater(taken, 0)


if __name__ == "__main__":
    unittest.main()
