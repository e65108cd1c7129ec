# SPDX-License-Identifier: Apache-2.0
"""The table and the codec. Expected values are those of the contract."""

import unittest

import ztl


class Table(unittest.TestCase):
    def test_every_mnemonic_is_of_one_word(self):
        for row in ztl.isa.instructions:
            self.assertEqual(row.match & row.mask, row.match)
            self.assertEqual(row.match & 0x7f, 0x5b)
            self.assertEqual(ztl.isa.instruction(row.mnemonic, row.revision), row)

    def test_operands_lie_outside_the_mask(self):
        row = ztl.isa.instruction("tl.xpose.01")
        self.assertEqual([o.kind for o in row.operands][:3], ["tl", "tl", "gpr"])
        for row in ztl.isa.instructions:
            bits = sum(((1 << o.width) - 1) << o.lsb for o in row.operands)
            self.assertEqual(bits & row.mask, 0, row.mnemonic)

    def test_csrs_and_types(self):
        self.assertEqual(ztl.isa.csr("tshape").address, 0x800)
        self.assertEqual(ztl.isa.type_of("bf16").ttype, 0x200)
        self.assertEqual((ztl.isa.type_of("bf16").exponent_bits, ztl.isa.type_of("e4m3").bits), (8, 8))

    def test_what_is_not_there(self):
        for call in (lambda: ztl.isa.instruction("tl.nothing"), lambda: ztl.isa.csr("nothing"),
                     lambda: ztl.isa.type_of("int128"), lambda: ztl.isa.instruction("tl.load", 3)):
            self.assertRaises(ztl.Error, call)

    def test_spellings_of_csrs(self):
        """As in CSR instructions: either case, an index with or without braces."""
        for name, row in (("tl_tensor_shape", "tshape"), ("TSHAPE", "tshape"),
                          ("tl_load_stride31", "tl_load_stride"), ("TL_Load_Stride{31}", "tl_load_stride")):
            self.assertIs(ztl.isa.csr(name), ztl.isa.csr(row))
        for bad in ("tl_load_stride32", "tshape0", "tshape ", "", None, 5):
            self.assertRaises(KeyError, ztl.isa.csr, bad)


class Codec(unittest.TestCase):
    def test_there_and_back(self):
        self.assertEqual(ztl.assemble("tl.xpose.01 tl1, tl2, a0"), 0x0220b55b)
        self.assertEqual(ztl.disassemble(0x0220b55b), "tl.xpose.01 tl1, tl2, a0")
        self.assertEqual(ztl.assemble("tl.load tl3, 0(a0)"), 0x0001855b)
        self.assertEqual(ztl.disassemble(0x13), ".word 0x00000013")

    def test_errors_name_the_operand(self):
        with self.assertRaisesRegex(ztl.Error, "tl32"):
            ztl.assemble("tl.xpose.01 tl1, tl32, a0")
        for bad in ("addi a0, a0, 1", "", "tl.load\0tl1", None, 7):
            self.assertRaises(ztl.Error, ztl.assemble, bad)
        for bad in (-1, 1 << 32, "x", None, 1.5):
            self.assertRaises(ztl.Error, ztl.disassemble, bad)
        self.assertRaises(ztl.Error, ztl.assemble, "tl.load tl3, 0(a0)", 3)


unittest.main()
