# SPDX-License-Identifier: Apache-2.0
"""Ztl mnemonics in gdb: `source ztl.py`, then x/i and disassemble show them.

The texts come from the target itself (`monitor ztl WORD`), so it is the hart being debugged that
says what is a Ztl instruction or a Ztl CSR, and how it is called; of other instructions, and without
a target that answers, gdb's own text stays.
"""
import gdb
import gdb.disassembler

ANSWER = "ztl "  # what the target's text of a Ztl instruction starts with


class ZtlDisassembler(gdb.disassembler.Disassembler):
    def __init__(self):
        super().__init__("ztl")
        self.texts = {}

    def text_of(self, word):
        """The target's text of a word, asked for once; None when the word is not of Ztl."""
        if word not in self.texts:
            answer = gdb.execute("monitor ztl 0x%08x" % word, to_string=True).strip()
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


gdb.disassembler.register_disassembler(ZtlDisassembler(), None)
