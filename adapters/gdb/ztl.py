# SPDX-License-Identifier: Apache-2.0
"""Ztl in gdb: `source ztl.py`, then x/i and disassemble show Ztl mnemonics, and `tlgrid $tl3 4x8`
shows a tensor register by a shape.

The texts come from the target itself (`monitor ztl WORD`, `monitor grid VIEW`), so it is the hart
being debugged that says what is a Ztl instruction or a Ztl CSR, how it is called, and how elements
of a type are read; of other instructions, and without a target that answers, gdb's own text stays.
"""
import gdb
import gdb.disassembler

ANSWER = "ztl "  # what the target's text of a Ztl instruction starts with


def ask(question):
    """The answer of the target to a monitor command."""
    return gdb.execute("monitor " + question, to_string=True)


class ZtlDisassembler(gdb.disassembler.Disassembler):
    def __init__(self):
        super().__init__("ztl")
        self.texts = {}

    def text_of(self, word):
        """The target's text of a word, asked for once; None when the word is not of Ztl."""
        if word not in self.texts:
            answer = ask("ztl 0x%08x" % word).strip()
            ours = answer.startswith(ANSWER)
            self.texts[word] = answer[len(ANSWER):] if ours else None
        return self.texts[word]

    def __call__(self, info):
        try:
            word = int.from_bytes(bytes(info.read_memory(4, 0)), "little")
            text = self.text_of(word)
        except (gdb.error, gdb.MemoryError):
            return None
        return gdb.disassembler.DisassemblerResult(4, string=text) if text else None


class TensorGrid(gdb.Command):
    """Show a tensor register, or a pair that holds one tensor, as grids.

tlgrid REGISTER[+REGISTER] [SHAPE [TYPE]]

REGISTER is $tl0 to $tl31 (or without the $), SHAPE sizes such as 4x16x16. Types are byte, int4, int8,
int16, int32, fp4, e4m3, e5m2, e3m4, fp16, bf16 and fp32. Without a shape it is rows of 32 elements,
without a type bytes in hexadecimal. The indices of rows and columns stand beside them, those of
outer dimensions above each grid. `set width` tells how long lines may be.

Examples:
  tlgrid $tl3 4x8
  tlgrid $tl1+$tl2 2x16x16 int32"""

    def __init__(self):
        super().__init__("tlgrid", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        words = argument.replace("$", "").replace(" + ", "+").split()
        if not 1 <= len(words) <= 3:
            raise gdb.GdbError("usage: tlgrid REGISTER[+REGISTER] [SHAPE [TYPE]]")
        answer = ask("grid %s %d" % (":".join(words), gdb.parameter("width") or 0))
        if not answer.startswith(words[0] + " ["):
            raise gdb.GdbError(answer.strip() or "the target shows no grids")
        gdb.write(answer)

    def complete(self, text, word):
        return ["$tl%d" % n for n in range(32) if ("$tl%d" % n).startswith(word)]


gdb.disassembler.register_disassembler(ZtlDisassembler(), None)
TensorGrid()
