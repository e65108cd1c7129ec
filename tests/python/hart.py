# SPDX-License-Identifier: Apache-2.0
"""A hart from Python: registers, CSRs, memory, traps, and what must not crash."""

import copy
import gc
import pathlib
import pickle
import tempfile
import threading
import unittest

import numpy

import ztl

XPOSE = "tl.xpose.01 tl1, tl2, a0"


class Registers(unittest.TestCase):
    def test_transpose_of_a_pair(self):
        hart, data = ztl.Hart(), numpy.arange(2048, dtype="u2").astype("u1").reshape(32, 64)
        hart.tl[1][:], hart.tl[2][:] = data.reshape(2, 1024)
        hart.x[10] = 0x01014020
        hart.execute(XPOSE)
        pair = numpy.concatenate([hart.tl[1], hart.tl[2]])
        numpy.testing.assert_array_equal(pair.reshape(64, 32), data.T)

    def test_a_view_stays_the_register(self):
        hart = ztl.Hart()
        one, two = hart.tl[1], hart.tl[2].view("i2")
        for step in range(20):  # registers change places inside
            one[:] = step
            hart.execute("tl.addi tl2, tl1, 1")
            self.assertEqual(set(two.tolist()), {(step + 1) * 0x101})
            hart.execute("tl.addi tl1, tl2, 1")
            self.assertEqual(set(one.tolist()), {step + 2})
        self.assertEqual(two.shape, (512,))

    def test_assembly(self):
        """Any instruction, several for one text, whole programs with labels; mistakes at their lines."""
        hart = ztl.Hart()
        hart.execute("li a0, 0x123456789abcdef0")
        hart.execute("addi a1, a0, 'A' - 0x41 + 3 * 5")
        hart.execute("csrw tshape, 7")
        self.assertEqual((hart.x[10], hart.x[11], hart.csr["tshape"]), (0x123456789abcdef0, 0x123456789abcdeff, 7))
        labels = hart.load("""
            .macro both a, b
            tl.load \\a, 0(a0)
            tl.load \\b, 0(a0)
            .endm
            first: la a0, data
            li t0, 1 << 16 | 1 << 8 | 4
            _start: csrw tshape, t0
            both tl1, tl2
            .data
            data: .byte 1, 2, 3, 4
            """, 0x80001000)
        self.assertEqual(hart.pc, labels["_start"])
        self.assertEqual(labels["_start"] - labels["first"], 16)
        self.assertEqual(hart.memory[labels["data"]:labels["data"] + 4], bytes([1, 2, 3, 4]))
        for bad, said in (("nop\nli q1, 5", "line 2: 'q1'"), ("j away", "away"), ("", "nothing to assemble")):
            with self.assertRaisesRegex(ztl.BadValue, said):
                hart.execute(bad)
        with self.assertRaisesRegex(ztl.BadValue, "fit"):
            hart.load("nop", 0x1000)

    def test_tl0_is_zero(self):
        hart = ztl.Hart()
        hart.tl[0] = b"\1" * 1024
        self.assertFalse(hart.tl[0].any())
        with self.assertRaises(ValueError):
            hart.tl[0][0] = 1

    def test_set_a_whole_register(self):
        hart = ztl.Hart()
        hart.tl[5] = numpy.arange(256, dtype="<u4").reshape(16, 16)
        self.assertEqual(hart.tl[5].view("<u4").tolist(), list(range(256)))
        for bad in (b"1", numpy.zeros(1025, "u1"), numpy.array([None] * 128), "text", None):
            with self.assertRaises((ztl.Error, ValueError)):
                hart.tl[5] = bad
        self.assertEqual(hart.tl[5].view("<u4").tolist(), list(range(256)))

    def test_integers(self):
        hart = ztl.Hart(xlen=32)
        hart.x["a0"] = -1
        self.assertEqual((hart.x[10], hart.x["x10"]), (0xffffffff, 0xffffffff))
        hart.x[0] = 7
        self.assertEqual(hart.x["zero"], 0)
        for bad in (32, -1):
            self.assertRaises(IndexError, lambda: hart.x[bad])
            self.assertRaises(IndexError, lambda: hart.tl[bad])
        for bad in ("q7", None, 1.5):
            self.assertRaises(ztl.Error, lambda: hart.x[bad])

    def test_floats(self):
        hart = ztl.Hart()
        hart.f["fa0"], hart.f[11] = 1.5, -0.0
        self.assertEqual((hart.f[10], hart.f["f10"], hart.f.double[10]), (1.5,) * 3)
        # IEEE 754 says what the bits are.
        self.assertEqual((hart.f.bits[10], hart.f.bits["fa1"]), (0x3ff8 << 48, 1 << 63))
        hart.csr["mstatus"] |= 1 << 13  # FS is initial: as after reset, instructions would trap
        hart.execute(0x02b57653)  # fadd.d fa2, fa0, fa1
        self.assertEqual(hart.f["fa2"], 1.5)
        hart.f.bits["ft11"] = -1
        self.assertTrue(numpy.isnan(hart.f[31]))
        hart.f.single["fs0"], hart.f.single["fs1"] = 0.1, 3
        self.assertEqual(hart.f.single[8], float(numpy.float32(0.1)))
        self.assertEqual(hart.f.bits[9], 0xffffffff40400000)
        self.assertTrue(numpy.isnan(hart.f[9]) and numpy.isnan(hart.f.single[10]))  # not boxed
        hart.execute(0x189474d3)  # fdiv.s fs1, fs0, fs1
        self.assertEqual(hart.f.single[9], float(numpy.float32(0.1) / numpy.float32(3)))
        self.assertEqual(hart.csr["fflags"], 1)  # inexact
        hart.csr["fcsr"] = 0x65
        self.assertEqual((hart.csr["fcsr"], hart.csr["frm"], hart.csr["fflags"]), (0x65, 3, 5))
        hart.f.half["fa5"] = 1
        self.assertEqual((hart.f.bits[15], hart.f.half[15]), (0xffffffffffff3c00, 1.0))

    def test_registers_show_themselves(self):
        hart = ztl.Hart()
        self.assertEqual((repr(hart.x), repr(hart.f)), ("<x: all 0>", "<f: all 0>"))
        hart.x[10], hart.f[10], hart.f[1] = 255, 1.5, -0.0
        self.assertEqual(repr(hart.x), "<x: a0=0xff>")
        self.assertEqual(repr(hart.f), "<f: ft1=-0.0 fa0=1.5>")
        self.assertEqual(repr(hart.f.bits), f"<f.bits: ft1={1 << 63:#x} fa0=0x3ff8000000000000>")
        self.assertEqual(len(list(hart.f)), 32)
        self.assertEqual(repr(hart.tl), "<tl: all 0>")
        hart.tl[3][1023], hart.csr["tshape"] = 1, 7
        hart.execute("tl.addi tl5, tl3, 0")
        self.assertEqual(repr(hart.tl), "<tl: tl3, tl5 not 0>")
        self.assertEqual(repr(hart.csr), "<csr of Ztl: tshape=0x7 tl_transpose_perm=0xe4>")
        self.assertEqual(repr(hart.memory), "<memory: 0x8000000 bytes at 0x80000000>")

    def test_floats_are_refused(self):
        hart = ztl.Hart()
        for bad in (32, -1):
            self.assertRaises(IndexError, lambda: hart.f[bad])
        for bad in ("a0", "f32", None, 1.5):
            self.assertRaises(ztl.Error, lambda: hart.f[bad])
        for value in ("1", None, 1e39, 2j):
            with self.assertRaises((ztl.Error, TypeError)):
                hart.f.single[3] = value
        self.assertEqual(hart.f.bits[3], 0)
        narrow, none = ztl.Hart(isa="rv32imf_zicsr_ztl", xlen=32), ztl.Hart(isa="rv64imac_zicsr_ztl")
        narrow.f[1] = 0.5
        self.assertEqual((narrow.f[1], narrow.f.bits[1]), (0.5, 0x3f000000))
        self.assertRaisesRegex(ztl.Error, "32 bits", lambda: narrow.f.double[1])
        self.assertRaisesRegex(ztl.Error, "no floating-point", lambda: none.f[1])
        with self.assertRaisesRegex(ztl.Error, "no floating-point"):
            none.f[1] = 1

    def test_csrs(self):
        hart = ztl.Hart()
        hart.csr["tshape"] = 0x040108
        self.assertEqual(hart.csr[0x800], 0x040108)
        self.assertEqual(hart.csr["mhartid"], 0)
        for bad in ("nothing", 0x7ff):
            self.assertRaises(KeyError, lambda: hart.csr[bad])
            self.assertRaises(KeyError, hart.csr.__setitem__, bad, 1)
            self.assertNotIn(bad, hart.csr)
        self.assertIn("tshape", hart.csr)
        self.assertRaises(TypeError, list, hart.csr)
        self.assertRaisesRegex(ztl.Error, "'mhartid' is read-only", hart.csr.__setitem__, "mhartid", 1)

    def test_only_whole_numbers_that_fit(self):
        """What a register cannot hold is refused, not cut to size."""
        hart = ztl.Hart()

        def put(place, index):
            return lambda value: place.__setitem__(index, value)

        for write in (put(hart.x, "a0"), put(hart.csr, "tshape"), put(hart.f.bits, 3),
                      lambda value: setattr(hart, "pc", value)):
            for bad, kind in ((1.5, TypeError), ("5", TypeError), (None, TypeError),
                              (numpy.float64(2), TypeError), (1 << 64, ValueError),
                              (-(1 << 63) - 1, ValueError)):
                with self.assertRaises(kind) as caught:
                    write(bad)
                self.assertIsInstance(caught.exception, ztl.Error)
            write(numpy.int8(6))
        self.assertEqual((hart.x[10], hart.csr[0x800], hart.f.bits[3], hart.pc), (6,) * 4)
        hart.x[10] = -1 << 63
        self.assertEqual(hart.x[10], 1 << 63)
        for bad, kind in ((1.5, TypeError), (None, TypeError), (-1, KeyError), (1 << 32 | 0x800, KeyError),
                          ("tshape\0", KeyError)):
            self.assertRaises(kind, lambda: hart.csr[bad])
        for bad, kind in ((1.5, TypeError), ("q7", KeyError), (32, IndexError)):
            self.assertRaises(kind, lambda: hart.x[bad])
        with self.assertRaisesRegex(KeyError, "^the hart has no CSR 'nothing'$"):
            hart.csr["nothing"]

    def test_what_is_computed_is_no_register(self):
        hart = ztl.Hart()
        one = hart.tl[1]
        one += 2
        self.assertEqual((type(one), int(hart.tl[1][7])), (type(hart.tl[1]), 2))
        self.assertIs(type(one.view("<i2")[::2].reshape(16, -1)), type(one))
        for result in (one + 1, one == 2, numpy.add(one, one)):
            self.assertIs(type(result), numpy.ndarray)
        self.assertEqual(repr(one.sum()), "2048")
        self.assertEqual(repr(one.max()), "2")

    def test_whole_numbers_of_numpy(self):
        hart, base = ztl.Hart(), numpy.uint64(0x80000000)
        hart.execute(numpy.uint32(0x00750513))  # addi a0, a0, 7
        self.assertEqual(hart.x[numpy.int8(10)], 7)
        hart.memory[base] = 5
        self.assertEqual((hart.memory[base:base + numpy.uint64(2)], hart.memory[base]), (b"\5\0", 5))
        self.assertEqual(hart.memory.view(base, numpy.int32(2)).tolist(), [5, 0])
        self.assertEqual(ztl.disassemble(numpy.int64(0x0220b55b)), XPOSE)

    def test_base_instruction(self):
        hart = ztl.Hart()
        hart.execute(0x00750513)  # addi a0, a0, 7
        self.assertEqual(hart.x["a0"], 7)


class Memory(unittest.TestCase):
    def test_load(self):
        hart = ztl.Hart()
        hart.memory[0x80001000:0x80001400] = bytes(range(256)) * 4
        hart.x["a0"], hart.csr["tshape"] = 0x80001000, 0x202001
        hart.execute(0x0001855b)  # tl.load tl3, 0(a0), as examples/dpi/bench.sv has it
        self.assertEqual(hart.tl[3].tobytes(), bytes(range(256)) * 4)

    def test_views_outlive_the_hart(self):
        hart = ztl.Hart(memory=1 << 20)
        view = hart.memory.view(0x80000000, (256, 256), "u4")
        view[3, 4] = 0x01020304
        self.assertEqual(hart.memory[0x80000000 + 4 * (3 * 256 + 4)], 4)
        hart.close()
        del hart
        gc.collect()
        view += 1
        self.assertEqual(view[3, 4], 0x01020305)

    def test_no_memory_there(self):
        hart = ztl.Hart(memory=4096)
        for bad in (lambda: hart.memory.read(0, 1), lambda: hart.memory.read(0x80000fff, 2),
                    lambda: hart.memory.view(0x80000000, 4097), lambda: hart.memory[-1],
                    lambda: hart.memory.view(0x80000000, (-1, 4)), lambda: hart.memory["x"],
                    lambda: hart.memory.view(0x80000000, 1, object), lambda: hart.memory[0:],
                    lambda: hart.memory.write(0x80000fff, b"12")):
            self.assertRaises(ztl.Error, bad)
        for bad in (lambda: hart.memory.read(0, 1), lambda: hart.memory.read(0x80000000, 1 << 40),
                    lambda: hart.memory.view(0, 1)):
            self.assertRaises(IndexError, bad)
        self.assertRaises(TypeError, iter, hart.memory)
        with self.assertRaises(ValueError):
            hart.memory[0x80000000:0x80000002] = b"123"
        hart.memory[0x80000000:0x80000004] = b"1234"
        for bad in (4, numpy.int32(4), "1234", None):  # bytes(4) would be four zeros
            with self.assertRaises(TypeError):
                hart.memory[0x80000000:0x80000004] = bad
            self.assertRaises(TypeError, hart.memory.write, 0x80000000, bad)
        for bad, kind in ((256, ValueError), ("1", TypeError), (1.0, TypeError)):
            with self.assertRaises(kind):
                hart.memory[0x80000000] = bad
        for bad, kind in ((2.5, TypeError), ("ab", TypeError), ((2, 1.0), TypeError), (-1, ValueError)):
            self.assertRaises(kind, hart.memory.view, 0x80000000, bad)
        self.assertEqual(hart.memory[0x80000000:0x80000004], b"1234")
        self.assertEqual(hart.memory[0x80000fff], 0)


class Traps(unittest.TestCase):
    def test_trap(self):
        hart = ztl.Hart()
        hart.x[10] = 0x04080804
        with self.assertRaises(ztl.Trap) as caught:
            hart.execute(0x0220b55b)
        trap = caught.exception
        self.assertEqual((trap.cause, trap.tval, trap.reason), (2, 0x0220b55b, "SHAPE"))
        self.assertEqual(str(trap), "SHAPE: D0·D1·D2·D3 = 1024 bytes, must be 2048")
        self.assertEqual(trap.sentence, str(trap))
        self.assertEqual(hart.csr["tl_xpose_status"] & 0xff, 3)
        self.assertEqual(str(pickle.loads(pickle.dumps(trap))), str(trap))

    def test_base_trap(self):
        with self.assertRaisesRegex(ztl.Trap, "access fault") as caught:
            ztl.Hart().execute(0x00003503)  # ld a0, 0(zero)
        self.assertEqual((caught.exception.cause, caught.exception.reason), (5, "NONE"))

    def test_no_instruction(self):
        hart = ztl.Hart()
        for bad in ("tl.nothing", 1 << 32, -1, None, 1.5, b"tl"):
            self.assertRaises(ztl.Error, hart.execute, bad)
        self.assertRaisesRegex(ztl.Error, "stopped the hart: wfi", hart.execute, 0x10500073)


class Life(unittest.TestCase):
    def test_closed(self):
        with ztl.Hart() as hart:
            register = hart.tl[1]
        for use in (lambda: hart.execute(XPOSE), lambda: hart.x[1], lambda: hart.tl[2], lambda: hart.pc,
                    lambda: hart.csr["tshape"], lambda: hart.memory[0x80000000], hart.reset,
                    lambda: hart.isa, lambda: hart.save("x"), lambda: hart.memory.view(0x80000000, 1)):
            self.assertRaises(ztl.Error, use)
        register[:] = 1
        hart.close()
        self.assertEqual(repr(hart), "<Hart closed>")

    def test_not_copied(self):
        for way in (copy.copy, copy.deepcopy, pickle.dumps):
            self.assertRaisesRegex(ztl.Error, "Hart cannot be copied", way, ztl.Hart())

    def test_refused(self):
        for options in ({"revision": 3}, {"xlen": 16}, {"isa": "rv64nothing"}, {"memory": 0},
                        {"memory": -1}, {"base": -1}):
            self.assertRaises(ValueError if "isa" not in options else ztl.Error, ztl.Hart, **options)
        for options in ({"isa": 5}, {"memory": "1M"}, {"base": 1.5}):
            self.assertRaises(TypeError, ztl.Hart, **options)
        self.assertRaises(ValueError, ztl.Hart, isa="rv64gc_ztl\0")
        with tempfile.TemporaryDirectory() as folder:
            before = set(pathlib.Path().iterdir())
            for path in (5, None, ["x"]):
                self.assertRaises(TypeError, ztl.Hart(memory=4096).save, path)
                self.assertRaises(TypeError, ztl.Hart(memory=4096).restore, path)
            self.assertEqual(set(pathlib.Path().iterdir()), before)
            ztl.Hart(memory=4096).save(pathlib.Path(folder) / "state")

    def test_revisions(self):
        for revision in 1, 2:
            for xlen in 32, 64:
                hart = ztl.Hart(revision, xlen)
                self.assertEqual((hart.revision, hart.xlen), (revision, xlen))

    def test_save_and_restore(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "state"
            hart = ztl.Hart()
            hart.tl[7][:], hart.x[5], hart.memory[0x80000000] = 42, 99, 17
            hart.save(path)
            hart.tl[7][:], hart.x[5], hart.memory[0x80000000] = 0, 0, 0
            hart.restore(path)
            self.assertEqual((hart.tl[7][9], hart.x[5], hart.memory[0x80000000]), (42, 99, 17))
            self.assertRaises(ztl.Error, hart.restore, path.parent / "none")
            self.assertRaises(ztl.Error, ztl.Hart(xlen=32).restore, path)
            self.assertRaises(ztl.Error, hart.save, "a\0b")

    def test_harts_of_many_threads(self):
        def work(value):
            hart = ztl.Hart(memory=1 << 16)
            for _ in range(100):
                hart.tl[1][:] = value
                hart.execute("tl.addi tl2, tl1, 1")
                results[value] = results.get(value, True) and int(hart.tl[2][0]) == value + 1

        results = {}
        threads = [threading.Thread(target=work, args=(value,)) for value in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, {value: True for value in range(4)})

    def test_shows_itself(self):
        hart = ztl.Hart()
        hart.tl[1][:] = 201
        self.assertEqual(hart.tl[1].view("u1")._repr_html_().count(">201<"), 1024)
        hart.tl[1].view("<f4")[:4] = 0.1, 1e30, numpy.nan, 2
        shown = hart.tl[1].view("<f4").reshape(16, 4, 4)[:1, :2]._repr_html_()
        for text in ("1×2×4 float32", ">0,1:<", ">0.1<", ">1e+30<", ">nan<", ">2<"):
            self.assertIn(text, shown)
        self.assertEqual(shown.count("<tr>"), 2)
        self.assertEqual(shown.count("nowrap"), shown.count("<td"))  # 1e-07 stays in one line
        self.assertIn(">16:<", hart.tl[1].view("<i4")._repr_html_() + hart.tl[2].view("i2")._repr_html_())
        self.assertIn("0 uint8", hart.tl[2][:0]._repr_html_())


unittest.main()
