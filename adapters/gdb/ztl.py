# SPDX-License-Identifier: Apache-2.0
"""Ztl mnemonics in gdb: `source ztl.py`, then x/i and disassemble show them.

The texts come from the target itself (`monitor dis WORD`), so revision and CSR names are those of
the hart being debugged; without a target that answers, gdb's own text stays.
"""
import gdb
import gdb.disassembler

CUSTOM_2 = 0x5B
SYSTEM = 0x73
ZTL_CSRS = range(0x800, 0x880)


def is_ours(word):
    """A Ztl instruction, or a CSR instruction on a Ztl CSR."""
    opcode = word & 0x7F
    is_csr = opcode == SYSTEM and (word >> 12 & 3) != 0
    return opcode == CUSTOM_2 or (is_csr and word >> 20 in ZTL_CSRS)


class ZtlDisassembler(gdb.disassembler.Disassembler):
    def __init__(self):
        super().__init__("ztl")
        self.texts = {}

    def text_of(self, word):
        """The target's text of a word, asked for once; None when it has no answer."""
        if word not in self.texts:
            answer = gdb.execute("monitor dis 0x%08x" % word, to_string=True).strip()
            self.texts[word] = answer
        return self.texts[word]

    def __call__(self, info):
        try:
            word = int.from_bytes(bytes(info.read_memory(4, 0)), "little")
            if not is_ours(word):
                return None
            return gdb.disassembler.DisassemblerResult(4, string=self.text_of(word))
        except (gdb.error, gdb.MemoryError):
            return None


gdb.disassembler.register_disassembler(ZtlDisassembler(), None)
