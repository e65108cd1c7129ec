#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The co-simulation protocol, driven as a test bench in another language would: cosim.py ZTL"""
import random
import subprocess
import sys
import unittest

ZTL = sys.argv.pop(1)
BASE = 0x80000000


class Cosim:
    def __init__(self, *options):
        options = options or ("--mem", "0x80000000:64K")
        self.process = subprocess.Popen(
            [ZTL, "cosim", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().rstrip("\n")

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait()


class Protocol(unittest.TestCase):
    def setUp(self):
        self.cosim = Cosim()
        self.addCleanup(lambda: self.assertEqual(self.cosim.close(), 0))

    def expect(self, line, answer):
        self.assertEqual(self.cosim.ask(line), answer)

    def test_close_names(self):
        for line, name in (("csr tshap", "tshape"), ("csr tl_load_strid3 1", "tl_load_stride3"),
                           ("asm tl.xpose tl1, tl2, a0", "tl.xpose.01")):
            self.assertIn(f"did you mean '{name}'?", self.cosim.ask(line))
        self.assertNotIn("mean", self.cosim.ask("csr nothing_like_it"))

    def expect_error(self, line):
        answer = self.cosim.ask(line)
        self.assertTrue(answer.startswith("error "), f"{line[:60]!r} was answered {answer[:80]!r}")

    def test_integer_registers(self):
        self.expect("x 5 0x123456789abcdef0", "ok")
        self.expect("x 5", "x 5 0x123456789abcdef0")
        self.expect("x 6 -1", "ok")
        self.expect("x 6", "x 6 0xffffffffffffffff")
        self.expect("x 0 7", "ok")
        self.expect("x 0", "x 0 0x0")
        for bad in ("x", "x 32", "x -1", "x 1 2 3", "x 1 zz", "x 1 0x10000000000000000", "x 1 0x",
                    "x 1\0"):
            self.expect_error(bad)
        self.expect("x 5 # a comment", "x 5 0x123456789abcdef0")

    def test_floating_point(self):
        self.expect("f 10 0x3ff8000000000000", "ok")
        self.expect("f 10", "f 10 0x3ff8000000000000")
        self.expect("f 0 -1", "ok")
        self.expect("f 0", "f 0 0xffffffffffffffff")
        self.expect("asm fadd.d fa0, fa0, fa0, rtz", "asm 0x02a51553")
        self.expect("insn 0x02a51553", "trap 2 0x2a51553 0")
        self.expect("csr fcsr", "trap 2 0x0 0")
        self.expect("csr mstatus 0x2000", "ok")
        self.expect("insn 0x02a51553", "ok")
        self.expect("f 10", "f 10 0x4008000000000000")
        self.expect("csr fcsr", "csr fcsr 0x0")
        self.expect("dis 0x02a51553", "dis fadd.d fa0, fa0, fa0, rtz")
        for bad in ("f", "f 32", "f 1 2 3", "f 1 1.5", "asm fadd.d fa0, fa0, fa0, up",
                    "asm fadd.d a0, fa0, fa0", "asm add fa0, a0, a0"):
            self.expect_error(bad)

    def test_tensor_registers(self):
        block = bytes(random.Random(1).randbytes(1024)).hex()
        self.expect(f"tl 3 {block}", "ok")
        self.expect("tl 3", f"tl 3 {block}")
        self.expect(f"tl 0 {block}", "ok")
        self.expect("tl 0", "tl 0 " + "00" * 1024)
        for bad in (f"tl 3 {block}00", f"tl 3 {block[:-1]}", f"tl 3 {block[:-1]}g", "tl 32"):
            self.expect_error(bad)
        self.expect("tl 3", f"tl 3 {block}")

    def test_csrs(self):
        self.expect("csr tshape", "csr tshape 0x0")
        self.expect("csr TL_TENSOR_SHAPE 0xff040810", "ok")
        self.expect("csr 0x800", "csr 0x800 0x40810")
        self.expect("csr 2048", "csr 2048 0x40810")
        self.expect("csr tl_load_stride{7}", "csr tl_load_stride{7} 0x7")
        self.expect("csr 0x8ff", "trap 2 0x0 0")
        self.expect("csr 0x8ff 1", "trap 2 0x0 0")
        self.expect("csr mhartid 1", "trap 2 0x0 0")
        for bad in ("csr", "csr nonsense", "csr 0x1000", "csr tshape x"):
            self.expect_error(bad)

    def test_memory(self):
        self.expect(f"poke {BASE} 00112233445566778899aabbccddeeff", "ok")
        self.expect(f"peek {BASE:#x} 4", f"peek {BASE:#x} 00112233")
        end = BASE + 0x10000
        self.expect(f"peek {end - 1:#x} 1", f"peek {end - 1:#x} 00")
        for bad in (
            f"peek {end:#x} 1",
            f"peek {end - 1:#x} 2",
            f"peek {BASE:#x} 0",
            f"poke {end - 1:#x} 1122",
            f"poke {BASE:#x} 1",
            f"poke {BASE:#x} 1g",
            "poke 0x10 11",
        ):
            self.expect_error(bad)
        self.expect(f"peek {end - 1:#x} 1", f"peek {end - 1:#x} 00")

    def test_instructions_of_the_base(self):
        self.expect("x 10 41", "ok")
        self.expect("insn 0x00150513", "ok")  # addi a0, a0, 1
        self.expect("x 10", "x 10 0x2a")
        self.expect("insn 0x0505", "ok")  # c.addi a0, 1
        self.expect("x 10", "x 10 0x2b")
        self.expect("insn 0xffffffff", "trap 2 0xffffffff 0")
        self.expect("insn 0x00003503", "trap 5 0x0 0")  # ld a0, 0(zero)
        self.assertRegex(self.cosim.ask("insn 0x00100073"), "^trap 3 0x[0-9a-f]+ 0$")  # ebreak
        self.expect("x 10", "x 10 0x2b")

    def test_transpose(self):
        tensor = random.Random(2).randbytes(2048)
        self.expect("tl 1 " + tensor[:1024].hex(), "ok")
        self.expect("tl 2 " + tensor[1024:].hex(), "ok")
        self.expect("x 10 0x01014020", "ok")
        self.expect("asm tl.xpose.01 tl1, tl2, a0", "asm 0x0220b55b")
        self.expect("insn 0x0220b55b", "ok")
        swapped = bytes(tensor[row * 64 + column] for column in range(64) for row in range(32))
        self.expect("tl 1", "tl 1 " + swapped[:1024].hex())
        self.expect("tl 2", "tl 2 " + swapped[1024:].hex())

    def test_traps_of_ztl(self):
        self.expect("insn 0x0220b55b", "trap 2 0x220b55b 3")  # a0 = 0: SHAPE
        self.expect("csr tl_xpose_status", "csr tl_xpose_status 0x303")
        self.expect("csr ttype 3", "ok")
        self.expect("insn 0x0220b55b", "trap 2 0x220b55b 2")  # TYPE
        self.expect("csr ttype 0", "ok")
        self.expect("csr tshape 0x200101", "ok")
        self.expect("x 10 0x10", "ok")
        self.expect("insn 0x0000855b", "trap 5 0x10 0")  # tl.load tl1, 0(a0)
        self.expect("csr tl_xpose_status", "csr tl_xpose_status 0x302")

    def test_assembly(self):
        self.expect("asm tl.load t5, (a0), reshape", "asm 0xc002855b")
        self.expect("dis 0xc002855b", "dis tl.load tl5, 0(a0), reshape")
        self.expect("dis 0x7000f05b", "dis .word 0x7000f05b")
        self.assertIn("addi", self.cosim.ask("dis 0x00150513"))
        for bad in ("asm", "asm tl.load tl32, 0(a0)", "asm nonsense", "dis", "dis 0x100000000"):
            self.expect_error(bad)

    def test_assembly_of_the_base(self):
        """Any instruction of the ISA string, CSR names of the contract included."""
        for text, word in [("add a0, a0, a1", "0x00b50533"), ("csrw tshape, a0", "0x80051073"),
                           ("csrr a0, tl_load_stride{5}", "0x84502573"), ("li a0, 7", "0x00700513"),
                           ("csrrwi zero, mstatus, 8", "0x30045073"), ("c.li a0, 0", "0x4501"),
                           ("beq a0, a1, 8", "0x00b50463"), (f"j {BASE + 4:#x}", "0x0040006f"),
                           ("j .-4", "0xffdff06f"), ("amoswap.d.aq a0, a1, (a2)", "0x0cb6352f"),
                           ("csrw tshape, 5", "0x8002d073"), ("lui a0, %hi(0x12345fff)", "0x12346537"),
                           ("addi a0, a0, %lo(0x12345fff)", "0xfff50513"),
                           ("li a0, 0x12345678", "0x12345537 0x6785051b"),
                           ("li a0, 1 << 40", "0x00100513 0x02851513"),
                           (f"call {BASE + 0x1004:#x}", "0x00001097 0x004080e7"),
                           (".insn i 0x5b, 0, x1, a0, 0x100", "0x100500db")]:
            self.expect("asm " + text, "asm " + word)
        self.expect("dis 0x00b50463", f"dis beq a0, a1, {BASE + 8:#x}")
        self.expect(f"asm beq a0, a1, {BASE + 8:#x}", "asm 0x00b50463")
        self.expect("insn 0x4515", "ok")  # c.li a0, 5
        self.expect("x 10", "x 10 0x5")
        for bad in ("asm add a0, a1", "asm addi a0, a0, 5000", "asm csrw nosuch, a0", "asm fadd.s fa0",
                    "asm csrw tshape, 32", "asm call nowhere", "asm .rept 2", "asm a:"):
            self.expect_error(bad)

    def test_reset_keeps_memory(self):
        self.expect(f"poke {BASE:#x} 77", "ok")
        for line in ("x 5 1", "csr tshape 1", "tl 4 " + "01" * 1024):
            self.expect(line, "ok")
        self.expect("reset", "ok")
        self.expect("x 5", "x 5 0x0")
        self.expect("csr tshape", "csr tshape 0x0")
        self.expect("tl 4", "tl 4 " + "00" * 1024)
        self.expect(f"peek {BASE:#x} 1", f"peek {BASE:#x} 77")

    def test_garbage(self):
        for bad in ("hello", "x" * 1_000_000, "poke " + "1" * 1_000_000, "\x01\x02", "x\x7f"):
            self.expect_error(bad)
        self.expect_error(f"poke {BASE:#x} " + "00" * 1_000_000)
        self.expect("x 1", "x 1 0x0")

    def test_silence_and_quit(self):
        self.cosim.process.stdin.write("\n   \n# nothing\n")
        self.expect("x 1", "x 1 0x0")
        self.assertEqual(self.cosim.ask("quit"), "")


class Machines(unittest.TestCase):
    def session(self, *options):
        cosim = Cosim(*options)
        self.addCleanup(cosim.close)
        return cosim

    def test_rv32(self):
        cosim = self.session("--isa", "rv32imac_zicsr_ztl", "--mem", "0x80000000:64K")
        self.assertEqual(cosim.ask("x 5 -1"), "ok")
        self.assertEqual(cosim.ask("x 5"), "x 5 0xffffffff")
        self.assertTrue(cosim.ask("x 5 0x100000000").startswith("error"))

    def test_floating_point(self):
        cosim = self.session("--isa", "rv32imf_zicsr")
        self.assertEqual(cosim.ask("f 1 0x3f800000"), "ok")
        self.assertEqual(cosim.ask("f 1"), "f 1 0x3f800000")
        self.assertIn("does not fit 32 bits", cosim.ask("f 1 0x100000000"))
        cosim = self.session("--isa", "rv64imac_zicsr")
        self.assertIn("no floating point", cosim.ask("f 1"))

    def test_revision_1(self):
        cosim = self.session("--isa", "rv64im_zicsr_ztl1p0")
        self.assertEqual(cosim.ask("csr ttype"), "trap 2 0x0 0")
        self.assertEqual(cosim.ask("asm tl.addi tl1, tl0, 200"), "asm 0x0c8020db")
        self.assertEqual(cosim.ask("insn 0x0c8020db"), "ok")
        self.assertEqual(cosim.ask("tl 1"), "tl 1 " + "c8" * 1024)

    def test_no_ztl(self):
        cosim = self.session("--isa", "rv64i_zicsr")
        self.assertEqual(cosim.ask("insn 0x0220b55b"), "trap 2 0x220b55b 0")
        self.assertEqual(cosim.ask("csr tshape"), "trap 2 0x0 0")

    def test_windows(self):
        cosim = self.session(
            "--mem", "0x80000000:64K", "--l1m", "0x80000000:1K", "--l0m", "0x80001000:1K"
        )
        load, store = "insn 0x0000855b", "insn 0x2000855b"  # tl1, 0(a0)
        for line in ("csr tshape 0x202001", f"x 10 {BASE}"):
            self.assertEqual(cosim.ask(line), "ok")
        self.assertEqual(cosim.ask(load), "ok")
        self.assertEqual(cosim.ask(store), "trap 7 0x80000000 0")
        self.assertEqual(cosim.ask(f"x 10 {BASE + 0x1001}"), "ok")
        self.assertEqual(cosim.ask(load), "trap 5 0x80001001 0")
        self.assertEqual(cosim.ask(store), "trap 7 0x80001400 0")

    def test_bad_command_lines(self):
        for options in (
            ["--mem", "12"],
            ["--mem", "0:0"],
            ["--mem"],
            ["--isa", "rv64i_ztl_ztlx1p0"],
            ["--isa", "rv65"],
            ["--nonsense"],
            ["--mem", "0x80000000:64K", "--mem", "0x80000000:64K"],
        ):
            run = subprocess.run([ZTL, "cosim", *options], capture_output=True, text=True)
            self.assertEqual(run.returncode, 2, options)
            self.assertIn("ztl cosim: ", run.stderr)
            self.assertEqual(run.stdout, "")


unittest.main(verbosity=1)
