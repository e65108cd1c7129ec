# SPDX-License-Identifier: Apache-2.0
"""Elements that NumPy has no dtype of, and arrays of other packages."""

import ctypes
import fractions
import itertools
import pickle
import unittest

import numpy

import ztl
from ztl import ops

try:
    import torch
except ImportError:
    torch = None
try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None

# exponent bits, fraction bits, whether the largest exponent is of infinity and NaN, the largest
FORMATS = {"bf16": (8, 7, True, None), "fp16": (5, 10, True, 65504), "e5m2": (5, 2, True, 57344),
           "e3m4": (3, 4, True, 15.5), "e4m3": (4, 3, False, 448), "fp4": (2, 1, False, 6)}


def exact(name, code):
    """The number of a pattern of bits by the definition of floating point; None for what is none."""
    exponents, fractions_, ieee, largest = FORMATS[name]
    bias = (1 << exponents - 1) - 1
    exponent, part = code >> fractions_ & (1 << exponents) - 1, code & (1 << fractions_) - 1
    if ieee and exponent == (1 << exponents) - 1 or name == "e4m3" and code & 0x7f == 0x7f:
        return None
    size = (fractions.Fraction(part, 1 << fractions_) + (exponent > 0)) * (
        fractions.Fraction(2) ** (max(exponent, 1) - bias))
    assert largest is None or size <= largest
    return -size if code >> exponents + fractions_ else size


class Types(unittest.TestCase):
    def test_every_pattern(self):
        for name, (exponents, part, ieee, _) in FORMATS.items():
            t, bits = ztl.dtype(name), 1 + exponents + part
            codes = numpy.arange(1 << bits)
            raw = codes.astype("u1")[0::2] | codes.astype("u1")[1::2] << 4 if bits == 4 else codes.astype(
                f"u{bits // 8}")
            values = t.decode(raw)
            rounded = t.encode(values[numpy.isfinite(values)])
            back = numpy.stack([rounded & 15, rounded >> 4], -1).reshape(-1) if bits == 4 else (
                rounded.view(f"u{bits // 8}"))
            numpy.testing.assert_array_equal(back, codes[numpy.isfinite(values)])
            for code, value in list(zip(codes.tolist(), values.tolist()))[::1 if bits < 16 else 61]:
                right = exact(name, code)
                if right is None:
                    self.assertFalse(numpy.isfinite(value))
                    infinite = ieee and not code & (1 << part) - 1
                    self.assertEqual(numpy.isinf(value), infinite, (name, code))
                else:
                    self.assertEqual(fractions.Fraction(value), right, (name, code))

    def test_rounding(self):
        for name in ("bf16", "fp16", "e5m2", "e3m4", "e4m3", "fp4"):
            t = ztl.dtype(name)
            finite = [exact(name, code) for code in range((1 << t.bits - 1) - 1)]
            finite = [(code, float(value)) for code, value in enumerate(finite) if value is not None]
            pairs = list(zip(finite, finite[1:]))
            for (code, low), (_, high) in pairs[:40] + pairs[-40:] + pairs[::97]:
                middle = (low + high) / 2
                for value, right in ((middle, code + code % 2), (numpy.nextafter(middle, low), code),
                                     (numpy.nextafter(middle, high), code + 1)):
                    self.assertEqual(t.code(value), right, (name, value))
                    self.assertEqual(t.code(-value), right | 1 << t.bits - 1, (name, value))
            self.assertRaisesRegex(ztl.BadValue, f"is no element of {name}", t.code,
                                   4 * finite[-1][1])

    def test_bfloat16_is_the_upper_half_of_float32(self):
        values = numpy.random.default_rng(5).standard_normal(2000).astype("f4") * 10.0**numpy.arange(
            -20, 20).repeat(50)
        bits = values.astype("f4").view("u4").astype("u8")
        right = (bits + 0x7fff + (bits >> 16 & 1)) >> 16
        numpy.testing.assert_array_equal(ztl.dtype("bf16").encode(values.astype("f4")), right)

    def test_special_values(self):
        for name in ("bf16", "e5m2", "e3m4"):
            t = ztl.dtype(name)
            for value in (numpy.inf, -numpy.inf, numpy.nan, -0.0):
                numpy.testing.assert_array_equal(t.decode(t.encode([value])), [value])
        self.assertEqual(ztl.dtype("e4m3").code(numpy.nan) & 0x7f, 0x7f)
        for name in ("e4m3", "fp4"):
            self.assertRaises(ztl.BadValue, ztl.dtype(name).code, numpy.inf)

    def test_integers(self):
        t = ztl.dtype("int4")
        numpy.testing.assert_array_equal(t.decode(t.encode([[-8, 7, 3]]), 3), [[-8, 7, 3]])
        for name, values in (("int4", (8, -9, 1.5)), ("int8", (128, 1.5)), ("byte", (-1, 256)),
                             ("int16", (1 << 15,))):
            for value in values:
                self.assertRaises(ztl.BadValue, ztl.dtype(name).code, value)
        self.assertEqual(ztl.dtype("int16").encode([-2]).dtype, numpy.int16)

    def test_names(self):
        for name, also in (("bf16", "bfloat16"), ("e4m3", "float8_e4m3fn"), ("FP4", "float4_e2m1fn")):
            self.assertEqual(ztl.dtype(name), ztl.dtype(also))
            self.assertEqual(hash(ztl.dtype(name)), hash(pickle.loads(pickle.dumps(ztl.dtype(also)))))
        self.assertRaises(ztl.BadName, ztl.dtype, "bf17")
        self.assertRaises(ztl.BadType, ztl.dtype, 3.5)
        self.assertRaises(ztl.BadType, ztl.dtype("bf16").decode, numpy.zeros(3, "u1"))
        self.assertRaises(ztl.BadType, ztl.dtype("bf16").encode, ["x"])
        self.assertRaises(ztl.BadValue, ztl.dtype("int4").encode, 3)

    def test_operators(self):
        for name, value, bits in (("bf16", 1.5, 0x3fc0), ("e4m3", -0.5, 0xb0), ("e5m2", 2, 0x40),
                                  ("e3m4", 1.5, 0x38), ("fp16", 1.5, 0x3e00), ("int8", -3, 0xfd)):
            t = ztl.dtype(name)
            raw = t.encode(numpy.arange(6).reshape(2, 3))
            unsigned = raw.view(f"u{raw.itemsize}")
            for kind in (t, name, name.upper()):
                for _ in range(2):
                    got = ops.pad(unsigned, (0, 0, 0, 1), value=value, type=kind)
                    self.assertEqual(got[:, 3].tolist(), [bits, bits])
            self.assertGreater(ops.plan("pad", unsigned, 1, value=value, type=t).cycles(), 0)
            self.assertEqual(ops.fill(unsigned, value, type=t)[0, 0], bits)
            self.assertRaisesRegex(ztl.BadValue, f"value: .* no element of {name}", ops.fill, unsigned,
                                   1e39, type=t)
            made = ops.constant_of_shape((2, 2), value, dtype=t)
            self.assertEqual(made.view(f"u{made.itemsize}").tolist(), [[bits] * 2] * 2)
        bf16 = ztl.dtype("bf16")
        got = ops.add(bf16.encode([1, 2.5]), 3, type=bf16)
        self.assertEqual(bf16.decode(got).tolist(), [4, 5.5])


class Stand:
    """An array that is known by DLPack alone, as one of another package; a stand-in for PyTorch's."""

    def __init__(self, array, code=None, device=1):
        self.array, self.code, self.device = array, code, device

    def __dlpack__(self):
        capsule = self.array.__dlpack__()
        if self.code is not None or self.device != 1:
            get = ctypes.pythonapi.PyCapsule_GetPointer
            get.restype, get.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
            address = get(capsule, b"dltensor")
            ctypes.c_int32.from_address(address + 8).value = self.device
            if self.code is not None:
                ctypes.c_uint8.from_address(address + 20).value = self.code
        return capsule


class Interface:
    """An array that is known by NumPy's array interface alone."""

    def __init__(self, array):
        self.array, self.__array_interface__ = array, array.__array_interface__


class Exchange(unittest.TestCase):
    def test_in(self):
        a = numpy.arange(24, dtype="i2").reshape(2, 3, 4)
        for view in (a, a[:, ::2], a.transpose(2, 0, 1), a[..., 1:]):
            for kind in (Stand, Interface):
                for _ in range(2):
                    numpy.testing.assert_array_equal(ops.transpose(kind(view)), view.T)
                    numpy.testing.assert_array_equal(ops.flip(a=kind(view), axis=1), numpy.flip(view, 1))
                    numpy.testing.assert_array_equal(ops.moveaxis(kind(view), 0, 2),
                                                     numpy.moveaxis(view, 0, 2))
                    numpy.testing.assert_array_equal(ops.concat([kind(view), view], 0),
                                                     numpy.concatenate([view, view]))
        at = numpy.array([1, 0])
        numpy.testing.assert_array_equal(ops.gather(Stand(a), Stand(at), 2), a[..., at])

    def test_nothing_is_copied(self):
        a = numpy.arange(6)
        for kind in (Stand, Interface):
            out = kind(a)
            self.assertIs(ops.flip(numpy.arange(6, 12), out=out), out)
            self.assertEqual(a.tolist(), [11, 10, 9, 8, 7, 6])
            self.assertIs(ops.rot90(numpy.arange(6).reshape(1, 6), 2, out=kind(a.reshape(1, 6))).array.base, a)
        raw = bytearray(4)
        ops.flip(numpy.array([1, 2, 3, 4], "u1"), out=raw)
        self.assertEqual(raw, b"\4\3\2\1")

    def test_memory_is_given_back(self):
        import gc
        import weakref

        class Kept(numpy.ndarray):
            pass

        a = numpy.arange(6).view(Kept)
        seen = weakref.ref(a)
        for _ in range(3):
            ops.flip(Stand(a))
        del a
        gc.collect()
        self.assertIsNone(seen())

    def test_types(self):
        raw = ztl.dtype("bf16").encode([[1, 2], [3, 4]])
        got = ops.pad(Stand(raw, 4), (0, 0, 0, 1), value=1.5)  # bfloat16, of which NumPy has no dtype
        self.assertEqual(ztl.dtype("bf16").decode(got).tolist(), [[1, 2, 1.5], [3, 4, 1.5]])
        self.assertRaisesRegex(ztl.BadType, "no dtype", ops.flip, Stand(raw, 99))
        self.assertRaisesRegex(ztl.BadType, "device 2:0; copy it", ops.flip, Stand(raw, None, 2))
        self.assertRaisesRegex(ztl.BadType, "must be an array", ops.flip, raw, out="text")

    def test_memory_and_registers(self):
        hart, data = ztl.Hart(), numpy.arange(1024) % 251
        for kind in (Stand, Interface):
            hart.memory.write(0x80000000, kind(data.astype("u1")))
            self.assertEqual(hart.memory[0x80000000:0x80000004], b"\0\1\2\3")
        hart.tl[1] = Stand(data.astype("u1"))
        self.assertEqual(int(hart.tl[1][7]), 7)

    @unittest.skipUnless(torch, "there is no PyTorch")
    def test_torch(self):
        a = torch.arange(24, dtype=torch.float32).reshape(2, 3, 4)
        numpy.testing.assert_array_equal(ops.transpose(a.permute(1, 2, 0)), a.numpy().transpose(1, 2, 0).T)
        out = torch.zeros(4, 3, 2)
        self.assertIs(ops.transpose(a, out=out), out)
        self.assertTrue(torch.equal(out, a.permute(2, 1, 0)))
        self.assertTrue(torch.equal(torch.from_dlpack(ops.pixel_shuffle(a[None, :, :2, :2].reshape(
            1, 4, 1, 2), 2)), torch.pixel_shuffle(a[None, :, :2, :2].reshape(1, 4, 1, 2), 2)))
        half = a.to(torch.bfloat16)
        got = torch.from_dlpack(ops.pad(half, ((0, 0), (0, 0), (1, 0)), value=1.5).view("i2"))
        right = torch.nn.functional.pad(half.float(), (1, 0), value=1.5).to(torch.bfloat16)
        self.assertTrue(torch.equal(got.view(torch.bfloat16), right))
        self.assertRaisesRegex(ztl.BadType, "Tensor: .*grad", ops.flip, a.clone().requires_grad_())

    @unittest.skipUnless(ml_dtypes, "there is no ml_dtypes")
    def test_ml_dtypes(self):
        for name in ("bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e3m4"):
            t = numpy.dtype(getattr(ml_dtypes, name))
            a = numpy.arange(6).reshape(2, 3).astype(t)
            self.assertEqual(ops.transpose(a).dtype, t)
            got = ops.pad(a, 1, value=1.5)
            numpy.testing.assert_array_equal(got.astype("f4"), numpy.pad(
                a.astype("f4"), 1, constant_values=1.5))
            numpy.testing.assert_array_equal(ops.add(a, 2).astype("f4"), a.astype("f4") + 2)
            raw = ztl.dtype(name).encode(a.astype("f4"))
            numpy.testing.assert_array_equal(raw.view(t).astype("f4"), a.astype("f4"))

    def test_dtypes_that_are_added(self):
        """A stand-in for those of ml_dtypes: what is asked of one is its name and size."""
        class dtype:
            name, itemsize, hasobject, isnative = "bfloat16", 2, False, True

        elements = ztl._attributes.Elements("add", dtype, None)
        operator = ops.operators["add"]
        op, _ = ztl._attributes.make(operator, {"addend": 1}, elements)
        self.assertEqual(op.type, [t.name for t in ztl.isa.types].index("bf16"))
        for asked, name in (("float8_e5m2", "e5m2"), ("float4_e2m1fn", "fp4")):
            self.assertEqual(ztl._attributes.type_of(asked), name)


unittest.main()
