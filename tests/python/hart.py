# SPDX-License-Identifier: Apache-2.0
"""A hart from Python: registers, CSRs, memory, traps, and what must not crash."""

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

    def test_csrs(self):
        hart = ztl.Hart()
        hart.csr["tshape"] = 0x040108
        self.assertEqual(hart.csr[0x800], 0x040108)
        self.assertEqual(hart.csr["mhartid"], 0)
        for bad in ("nothing", 0x7ff):
            self.assertRaises(KeyError, lambda: hart.csr[bad])
        with self.assertRaises(KeyError):
            hart.csr["mhartid"] = 1

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
        with self.assertRaises(ztl.Error):
            hart.memory[0x80000000:0x80000002] = b"123"
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

    def test_refused(self):
        for options in ({"revision": 3}, {"xlen": 16}, {"isa": "rv64nothing"}, {"memory": 0},
                        {"memory": -1}, {"base": -1}):
            self.assertRaises(ztl.Error, ztl.Hart, **options)

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


unittest.main()
