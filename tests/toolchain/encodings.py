# SPDX-License-Identifier: Apache-2.0
"""Every mnemonic with representative operands and every engine, in both revisions: the text that
`ztl dis` prints is the canonical one, and GNU as and clang turn it into the same word again."""
import itertools
import re
import unittest

from ztltool import (ABI, ENGINES, PERMUTE, SANITIZED, XPOSE, ZTL, ToolTest, addi1, addi2,
                     load_store2, run, word1, word2)

TL = [0, 1, 13, 31]
GPR = [0, 1, 10, 31]
IMM8 = [-128, -1, 0, 1, 127]
IMM12 = [-2048, -129, -1, 0, 1, 128, 2047]


def suffix(engine):
    return f", {ENGINES[engine]}" if engine else ""


def ztl2():
    moves = [("tl.load", 0, 0), ("tl.mload", 0, 1), ("tl.store", 1, 0), ("tl.mstore", 1, 1)]
    for (name, st, tm), tl, imm, rs, e in itertools.product(moves, TL, IMM8, GPR, range(4)):
        yield f"{name} tl{tl}, {imm}({ABI[rs]}){suffix(e)}", load_store2(st, tm, tl, imm, rs, e)
    blocks = [("tl.concat", 0b000), ("tl.merge", 0b001)]
    for (name, op), d, rd, r1, r2, e in itertools.product(blocks, range(3), TL, TL, TL, range(4)):
        yield (f"{name}.{d} tl{rd}, tl{r1}, tl{r2}{suffix(e)}",
               word2(e, op << 2 | d, r2, r1, 1, rd))
    for rd, rs, imm, e in itertools.product(TL, TL, IMM8, range(4)):
        yield f"tl.addi tl{rd}, tl{rs}, {imm}{suffix(e)}", addi2(rd, rs, imm, e)
    pairs = [("tl.xpose." + k, v) for k, v in XPOSE.items()]
    pairs += [("tl.permute." + k, v) for k, v in PERMUTE.items()]
    for (name, funct5), r1, r2, rs, e in itertools.product(pairs, TL, TL, GPR, range(4)):
        yield (f"{name} tl{r1}, tl{r2}, {ABI[rs]}{suffix(e)}", word2(e, funct5, r2, r1, 3, rs))


def ztl1():
    for (k, v), r1, r2, rs in itertools.product(XPOSE.items(), TL, TL, GPR):
        yield f"tl.xpose.{k} tl{r1}, tl{r2}, {ABI[rs]}", word1(0b0110000 | v, rs, r2, 0, r1)
    for d, rd, r1, r2 in itertools.product(range(3), TL, TL, TL):
        yield f"tl.concat.{d} tl{rd}, tl{r1}, tl{r2}", word1(0b1000000 | d, r2, r1, 1, rd)
    for rd, rs, imm in itertools.product(TL, TL, IMM12):
        yield f"tl.addi tl{rd}, tl{rs}, {imm}", addi1(rd, rs, imm)
    for td, shape, base in itertools.product(TL, GPR, GPR):
        yield f"tl.mload tl{td}, {ABI[shape]}, {ABI[base]}", word1(0b1010000, base, shape, 3, td)
        yield f"tl.mstore tl{td}, {ABI[base]}, {ABI[shape]}", word1(0b1010001, base, td, 4, shape)


# What the sources print and assemblers do not emit: word, and the canonical text of section 3.
ALIASES = [
    (word2(0, 0b01001, 3, 2, 1, 1), "tl.merge.1 tl1, tl2, tl3"),
    (1 << 29 | 5 << 20 | 2 << 15 | 2 << 12 | 10 << 7 | 0x5b, "tl.store tl2, 5(a0)"),
    (3 << 28 | 5 << 20 | 2 << 15 | 2 << 12 | 10 << 7 | 0x5b, "tl.mstore tl2, 5(a0)"),
    (word2(0, 0b00100, 3, 2, 3, 10), "tl.xpose.01 tl2, tl3, a0"),
    (word2(0, 0b01101, 3, 2, 3, 10), "tl.xpose.13 tl2, tl3, a0"),
    (word2(0, 0b01110, 3, 2, 3, 10), "tl.xpose.23 tl2, tl3, a0"),
]
NOTHING = [word2(0, 0b00011, 3, 2, 1, 1), word2(0, 0b01000, 0, 2, 2, 1), word2(0, 0, 0, 0, 4, 0),
           word2(0, 0b10000, 0, 0, 3, 0), 0xffffffff]


class Encodings(ToolTest):
    def check(self, revision, cases):
        if SANITIZED:
            cases = cases[::7]
        texts = [text for text, _ in cases]
        words = [word for _, word in cases]
        printed = self.ztl("dis", "--revision", str(revision), "-",
                           input=" ".join(f"0x{w:08x}" for w in words))
        self.assertEqual(printed.splitlines(), texts)
        source = "\n".join(texts) + "\n"
        for clang in False, True:
            self.assertEqual(self.words(source, "--revision", str(revision), clang=clang), words)

    def test_ztl2(self):
        self.check(2, list(ztl2()))

    def test_ztl1(self):
        self.check(1, list(ztl1()))

    def by_macro(self, text):
        """The same instruction with every operand, and the end of the mnemonic, as an argument."""
        name, operands = text.split(" ", 1)
        stem, dot, tail = name.partition(".")[2].partition(".")
        pieces = re.findall(r"[^,() ]+", operands)
        shape = re.sub(r"[^,() ]+", "%s", operands) % tuple(f"\\a{i}" for i in range(len(pieces)))
        names = ", ".join(["n"] + [f"a{i}" for i in range(len(pieces))])
        macro = f"m_{stem}_{len(pieces)}"
        body = f".macro {macro} {names}\n tl.{stem}{dot}{chr(92) + 'n' if dot else ''} {shape}\n.endm"
        return macro, body, f"{macro} {', '.join([tail or '0'] + pieces)}"

    def check_by_macro(self, revision, cases):
        bodies, lines, words = {}, [], []
        for text, word in cases[::29 if SANITIZED else 11]:
            macro, body, line = self.by_macro(text)
            bodies[macro] = body
            lines.append(line)
            words.append(word)
        source = "\n".join(list(bodies.values()) + lines) + "\n"
        for clang in False, True:
            self.assertEqual(self.words(source, "--revision", str(revision), clang=clang), words)

    def test_ztl2_by_macro_arguments(self):
        self.check_by_macro(2, list(ztl2()))

    def test_ztl1_by_macro_arguments(self):
        self.check_by_macro(1, list(ztl1()))

    def test_as_one_macro_argument(self):
        """The instruction as a whole is an argument: only the assembler ever sees it."""
        for revision, cases in (1, list(ztl1())), (2, list(ztl2())):
            cases = cases[::97 if SANITIZED else 23]
            source = ".macro run insn:vararg\n \\insn\n.endm\n"
            source += "".join(f"run {text}\n" for text, _ in cases)
            for clang in False, True:
                self.assertEqual(self.words(source, "--revision", str(revision), clang=clang),
                                 [word for _, word in cases])

    def test_aliases_print_the_canonical_text(self):
        for word, text in ALIASES:
            self.assertEqual(self.ztl("dis", f"0x{word:08x}"), text + "\n")

    def test_other_words(self):
        for word in NOTHING:
            self.assertEqual(self.ztl("dis", f"0x{word:08x}"), f".word 0x{word:08x}\n")

    def test_words_are_checked(self):
        for bad in "0x", "0x123456789", "0x12g", "+0x12":
            done = run(ZTL, "dis", "-", input=bad)
            self.assertEqual(done.returncode, 1, bad)
            self.assertIn(f"'{bad}' is not a word of 32 bits", done.stderr)


if __name__ == "__main__":
    unittest.main()
