# SPDX-License-Identifier: Apache-2.0
"""Operators on NumPy arrays: NumPy says what is right."""

import copy
import gc
import inspect
import itertools
import pickle
import sys
import threading
import unittest

import numpy
from numpy.lib.stride_tricks import as_strided, sliding_window_view

import ztl
from ztl import ops

random = numpy.random.default_rng(7)


def fill(shape, dtype="u1"):
    dtype = numpy.dtype(dtype)
    count = int(numpy.prod(shape)) * dtype.itemsize
    return random.integers(0, 256, count, "u1").view(dtype).reshape(shape)


def views(a):
    """The same shape in other places: transposed, backwards, with gaps, a field of a record."""
    yield a
    yield a.copy("F")
    yield numpy.ascontiguousarray(a[::-1])[::-1]
    wide = numpy.zeros(tuple(2 * n + 1 for n in a.shape), a.dtype)
    inner = wide[tuple(slice(1, 2 * n, 2) for n in a.shape)]
    inner[...] = a
    yield inner
    records = numpy.zeros(a.shape, [("before", "u1"), ("it", a.dtype), ("after", "u2")])
    records["it"] = a
    yield records["it"]
    frozen = a.copy()
    frozen.flags.writeable = False
    yield frozen


A = fill((2, 6, 4, 8))
S = numpy.s_

# operator, arguments, attributes, what NumPy makes of the first argument
CASES = [
    ("transpose", (A, (0, 2, 3, 1)), {}, lambda a: a.transpose(0, 2, 3, 1)),
    ("transpose", (A,), {}, lambda a: a.T),
    ("reshape", (A, (4, -1)), {}, lambda a: a.reshape(4, -1)),
    ("flatten", (A,), {"axis": 2}, lambda a: a.reshape(12, 32)),
    ("squeeze", (A[:1],), {"axes": [0]}, lambda a: a[0]),
    ("unsqueeze", (A, (1, -1)), {}, lambda a: numpy.expand_dims(a, (1, -1))),
    ("slice", (A, (1, 6), (6, -9), (1, 3), (2, -2)), {}, lambda a: a[:, 1:6:2, :, 6::-2]),
    ("pad", (A, (0, 1, 0, 2, 0, 0, 3, 1)), {"value": 9},
     lambda a: numpy.pad(a, ((0, 0), (1, 0), (0, 3), (2, 1)), constant_values=9)),
    ("pad", (A, (1, 2), (3,), "reflect"), {}, lambda a: numpy.pad(
        a, ((0, 0),) * 3 + ((1, 2),), "reflect")),
    ("gather", (A, [5, -1, 0]), {"axis": 1}, lambda a: a[:, [5, -1, 0]]),
    ("gather", (A, numpy.array([[1, 2], [3, 0]])), {"axis": 2}, lambda a: a[:, :, [[1, 2], [3, 0]]]),
    ("gather", (A, numpy.array(3)), {"axis": 1}, lambda a: a[:, 3]),
    ("compress", (A, numpy.array([1, 0, 1, 1, 0, 1], bool)), {"axis": 1},
     lambda a: a.compress([1, 0, 1, 1, 0, 1], axis=1)),
    ("tile", (A, (1, 2, 1, 3)), {}, lambda a: numpy.tile(a, (1, 2, 1, 3))),
    ("expand", (A[:, :1], (2, 5, 4, 8)), {}, lambda a: numpy.broadcast_to(a, (2, 5, 4, 8))),
    ("roll", (A, (3, -1), (1, 3)), {}, lambda a: numpy.roll(a, (3, -1), (1, 3))),
    ("flip", (A, (1, 3)), {}, lambda a: numpy.flip(a, (1, 3))),
    ("depth_to_space", (A[:, :4], 2), {}, lambda a: a.reshape(2, 2, 2, 1, 4, 8).transpose(
        0, 3, 4, 1, 5, 2).reshape(2, 1, 8, 16)),
    ("depth_to_space", (A[:, :4], 2, "CRD"), {}, lambda a: a.reshape(2, 1, 2, 2, 4, 8).transpose(
        0, 1, 4, 2, 5, 3).reshape(2, 1, 8, 16)),
    ("space_to_depth", (A, 2), {}, lambda a: a.reshape(2, 6, 2, 2, 4, 2).transpose(
        0, 3, 5, 1, 2, 4).reshape(2, 24, 2, 4)),
    ("pack", (A, "nChw8c"), {}, lambda a: numpy.pad(a, ((0, 0), (0, 2), (0, 0), (0, 0))).reshape(
        2, 1, 8, 4, 8).transpose(0, 1, 3, 4, 2)),
    ("resize", (A,), {"scales": (1, 1, 2, 3)}, lambda a: a.repeat(2, 2).repeat(3, 3)),
    ("upsample", (A, (1, 1, 2, 2)), {}, lambda a: a.repeat(2, 2).repeat(2, 3)),
    ("im2col", (A, (2, 3)), {}, lambda a: sliding_window_view(a, (2, 3), (2, 3)).transpose(
        0, 1, 4, 5, 2, 3).reshape(2, 36, 18)),
    ("fill", (A, 77), {}, lambda a: numpy.full_like(a, 77)),
    ("identity", (A,), {}, lambda a: a),
    ("trilu", (A,), {}, numpy.triu),
    ("trilu", (A,), {"upper": 0, "k": 1}, lambda a: numpy.tril(a, 1)),
    ("reverse_sequence", (A, (2, 1, 2, 2, 1, 2)), {}, lambda a: numpy.stack(
        [numpy.concatenate([a[:n, i][::-1], a[n:, i]]) for i, n in enumerate((2, 1, 2, 2, 1, 2))], 1)),
    ("center_crop_pad", (A, (2, 4, 4, 6)), {}, lambda a: a[:, 1:5, :, 1:7]),
    ("eye_like", (A[0, 0],), {"k": 1}, lambda a: numpy.eye(4, 8, 1, dtype=a.dtype)),
    ("focus", (A, 2), {"axis": 1}, lambda a: numpy.concatenate(
        [a[..., i::2, j::2] for j in range(2) for i in range(2)], 1)),
]


class Single(unittest.TestCase):
    def check(self, name, arguments, attributes, expect):
        for dtype in ("u1", "i2", "f4", ">f8", "c16", "S4"):
            first = fill(arguments[0].shape, dtype)
            if dtype == "S4" and name in ("fill", "eye_like", "trilu", "pad", "pack"):
                continue
            with numpy.errstate(invalid="ignore"):
                right = expect(first)
                if name != "trilu":  # stack and concatenate, of which these are made, swap the bytes
                    right = right.astype(dtype)
            for view in views(first):
                got = getattr(ops, name)(view, *arguments[1:], **attributes)
                self.assertEqual(got.dtype, right.dtype, name)
                self.assertEqual(got.shape, right.shape, name)
                self.assertTrue(got.flags.c_contiguous)
                self.assertEqual(got.tobytes(), numpy.ascontiguousarray(right).tobytes(),
                                 (name, attributes, dtype, view.strides))

    def test_cases(self):
        for case in CASES:
            with self.subTest(case[0], attributes=case[2]):
                self.check(*case)

    def test_transposes_of_all_ranks(self):
        for rank in range(9):
            a = fill(random.integers(1, 4, rank), "u2")
            perm = tuple(random.permutation(rank).tolist())
            numpy.testing.assert_array_equal(ops.transpose(a, perm), a.transpose(perm))

    def test_broadcast_input(self):
        a = numpy.broadcast_to(fill((5, 1, 3), "i4"), (5, 7, 3))
        numpy.testing.assert_array_equal(ops.transpose(a, (2, 1, 0)), a.T)
        overlapping = as_strided(fill(100), (20, 8), (3, 1))
        numpy.testing.assert_array_equal(ops.transpose(overlapping), overlapping.T)

    def test_empty(self):
        self.assertEqual(ops.transpose(numpy.empty((3, 0, 2), "f4")).shape, (2, 0, 3))

    def test_no_axes(self):
        a = fill((1, 4, 3), "i2")
        for none in ((), [], numpy.array([], int)):
            numpy.testing.assert_array_equal(ops.flip(a, none), numpy.flip(a, ()))
            self.assertEqual(ops.squeeze(a, axes=none).shape, numpy.squeeze(a, ()).shape)
            plan = ops.plan("flip", a, none)
            numpy.testing.assert_array_equal(plan(a), a)
            self.assertEqual(plan.timing()["ztl"], plan.total)
            numpy.testing.assert_array_equal(ops.roll(a, none, none), numpy.roll(a, (), ()))
            numpy.testing.assert_array_equal(ops.roll(a, 1, none), numpy.roll(a, 1, ()))
            self.assertRaisesRegex(ValueError, "shift", ops.roll, a, (1, 2), none)

    def test_larger(self):
        a = fill((1, 64, 56, 56), "i1")
        for perm in itertools.islice(itertools.permutations(range(4)), 0, 24, 5):
            numpy.testing.assert_array_equal(ops.transpose(a, perm), a.transpose(perm))

    def test_lists_are_seen_when_they_change(self):
        a, perm = fill((2, 3, 4)), [0, 1, 2]
        for perm[:] in itertools.permutations(range(3)):
            numpy.testing.assert_array_equal(ops.transpose(a, perm), a.transpose(perm))
            numpy.testing.assert_array_equal(ops.transpose(a, numpy.array(perm)), a.transpose(perm))

    def test_values_that_are_equal_but_not_the_same(self):
        a = fill((4, 4), "f4")
        for value in (0.0, -0.0, 0, 1, True, numpy.nan, -numpy.inf):
            for pads in ((0, 1, 0, 0), [0, 1, 0, 0]):
                got = ops.pad(a, pads, value=value)
                self.assertEqual(got[:, 0].tobytes(), numpy.full(4, value, "f4").tobytes(), value)

    def test_add_saturates(self):
        for dtype in ("u1", "i1", "i2", "i4"):
            a = fill((50, 7), dtype)
            info = numpy.iinfo(a.dtype)
            wide = numpy.clip(a.astype("i8") + 100, info.min, info.max).astype(dtype)
            numpy.testing.assert_array_equal(ops.add(a, 100), wide)
        a = random.integers(-100, 100, (5, 5)).astype("f2")
        numpy.testing.assert_array_equal(ops.add(a, -3), a - 3)
        bits = numpy.array([0x3f80, 0x4000], "u2")  # 1 and 2 as bfloat16
        self.assertEqual(ops.add(bits, 1, type="bf16").tolist(), [0x4000, 0x4040])
        self.assertRaisesRegex(ztl.Error, "float64", ops.add, a.astype("f8"), 1)
        self.assertRaisesRegex(ztl.Error, "size", ops.add, a, 1, type="fp32")


class Several(unittest.TestCase):
    def test_concat(self):
        a, b = fill((3, 4), "i2"), fill((3, 5), "i2")
        for parts in ([a, b], (a, b[:, ::-1]), [a, b.astype("f4")], [a, b.astype("i8"), a]):
            got, right = ops.concat(parts, 1), numpy.concatenate(parts, 1)
            numpy.testing.assert_array_equal(got, right)
            self.assertEqual(got.dtype, right.dtype)

    def test_split(self):
        a = fill((7, 4), "i4")[:, ::-1]
        for got, right in zip(ops.split(a, split=(3, 4)), numpy.split(a, [3])):
            numpy.testing.assert_array_equal(got, right)
        self.assertEqual([p.shape for p in ops.split(a, 0, None, 3)], [(3, 4), (3, 4), (1, 4)])
        self.assertEqual([p.shape for p in ops.split(a, split=(7,))], [(7, 4)])

    def test_where(self):
        x, y = fill((6, 5, 4), "i2"), fill((1, 4), "i4")
        for condition in (fill((6, 5, 4)) & 1 == 0, fill((6, 1, 1)) & 1, fill((5, 4), "f4") > 0):
            for other in (y, x[::-1], 3, 2.5):
                got, right = ops.where(condition, x, other), numpy.where(condition, x, other)
                numpy.testing.assert_array_equal(got, right)
                self.assertEqual(got.dtype, right.dtype)

    def test_conditions_of_all_kinds(self):
        x, y = fill((2, 3), "i2"), fill((2, 3), "i2")
        for condition in (1, 0, 2.5, numpy.float64(0), numpy.bool_(True), [1, 0, 2], None.__class__,
                          numpy.array([[None], [3]]), numpy.array([numpy.nan, 0, 1])):
            numpy.testing.assert_array_equal(ops.where(condition, x, y), numpy.where(condition, x, y))
        self.assertRaisesRegex(ztl.Error, "condition", ops.where, numpy.array(["a", "b", "c"]), x, y)

    def test_results_have_the_byte_order_of_numpy(self):
        a = fill((3, 4), ">i4")
        for got, right in ((ops.concat([a, a], 0), numpy.concatenate([a, a])),
                           (ops.concat([a], 0), numpy.concatenate([a])),
                           (ops.where(a > 0, a, a[::-1]), numpy.where(a > 0, a, a[::-1]))):
            self.assertEqual((got.dtype.byteorder, got.tobytes()), (right.dtype.byteorder,
                                                                    right.tobytes()))
        for order in ">", "<":
            out = numpy.empty((6, 4), order + "i4")
            numpy.testing.assert_array_equal(ops.concat([a, a], 0, out=out), numpy.concatenate([a, a]))

    def test_indices(self):
        a = fill((5, 6, 7), "i2")
        for view in views(a):
            at = random.integers(-6, 6, (5, 4, 7))
            for indices in (at, at.astype("i4"), at.tolist()):
                numpy.testing.assert_array_equal(ops.gather_elements(view, indices, axis=1),
                                                 numpy.take_along_axis(a, at, 1))
            pairs = random.integers(0, 5, (3, 2))
            numpy.testing.assert_array_equal(ops.gather_nd(view, pairs), a[pairs[:, 0], pairs[:, 1]])
            places = numpy.argsort(random.random((5, 6, 7)), 1)[:, :4]
            updates = fill((5, 4, 7), "i2")
            right = a.copy()
            numpy.put_along_axis(right, places, updates, 1)
            got = ops.scatter_elements(view, places, updates, 1)
            numpy.testing.assert_array_equal(got, right)
            right = a.copy()
            right[3, 4], right[0, 1] = updates[0, 0], updates[0, 1]
            got = ops.scatter_nd(view, [[3, 4], [0, 1]], updates[0, :2])
            numpy.testing.assert_array_equal(got, right)
            right = a.copy()
            right[:, 2:4] = updates[:, :2]
            got = ops.tensor_scatter(view, updates[:, :2], 2)
            numpy.testing.assert_array_equal(got, right)
        self.assertRaises(ztl.Error, ops.gather_elements, a, numpy.full((5, 1, 7), 6), 1)
        self.assertRaises(ztl.Error, ops.gather_elements, a, numpy.zeros((5, 1, 7)), 1)
        self.assertRaises(ztl.Error, ops.gather_elements, a)

    def test_indices_are_read_when_it_runs(self):
        table, wide = fill((50, 6), "i4"), fill((3, 40), "i2")[:, ::-1]
        before = len(ops.gather._calls)
        for _ in range(20):
            at = random.integers(-50, 50, 7)
            numpy.testing.assert_array_equal(ops.gather(table, at), table[at])
            numpy.testing.assert_array_equal(ops.gather(table, indices=at, axis=0), table[at])
        self.assertEqual(len(ops.gather._calls), before + 2)
        for kind in ("i1", "u2", "i4", "u8", ">i8"):
            at = random.integers(0, 40, (2, 3)).astype(kind)
            numpy.testing.assert_array_equal(ops.gather(wide, at, 1), wide.take(at.astype(int), 1))
        self.assertRaisesRegex(ztl.Error, "50", ops.gather, table, numpy.array([1, 50]))
        self.assertRaisesRegex(ztl.Error, "whole numbers", ops.gather, table, numpy.array([0.5]))

    def test_conditions_are_read_when_it_runs(self):
        a = fill((30, 4, 5), "i2")
        for view in views(a):
            for axis in (0, 1, -1, None):
                size = a.size if axis is None else a.shape[axis]
                for kind in (bool, "u1", "i8", "f4"):
                    chosen = random.integers(0, 2, size).astype(kind)
                    got, right = ops.compress(view, chosen, axis), a.compress(chosen, axis)
                    numpy.testing.assert_array_equal(got, right)
                    self.assertTrue(got.flags.c_contiguous)
        before = len(ops.compress._calls)
        for _ in range(20):
            chosen = random.integers(0, 2, 30) == 1
            numpy.testing.assert_array_equal(ops.compress(a, chosen, 0), a.compress(chosen, 0))
        self.assertEqual(len(ops.compress._calls), before)
        out = numpy.zeros_like(a[chosen])
        self.assertIs(ops.compress(a, chosen, 0, out=out), out)
        numpy.testing.assert_array_equal(out, a[chosen])
        self.assertRaisesRegex(ztl.Error, "shape", ops.compress, a, chosen, 0, out=numpy.zeros_like(a))

    def test_in_place(self):
        cache, at = fill((6, 4), "i4"), numpy.array([[4], [1]])
        right, new = cache.copy(), fill((2, 4), "i4")
        right[at[:, 0]] = new
        self.assertIs(ops.scatter_nd(cache, at, new, out=cache), cache)
        numpy.testing.assert_array_equal(cache, right)

    def test_inputs_by_name(self):
        a, at = fill((4, 5), "i2"), random.integers(0, 4, (2, 5))
        right = numpy.take_along_axis(a, at, 0)
        for got in (ops.gather_elements(a, indices=at), ops.gather_elements(axis=0, data=a, indices=at),
                    ops.gather_elements(a, axis=0, indices=at)):
            numpy.testing.assert_array_equal(got, right)
        numpy.testing.assert_array_equal(ops.where(y=a, condition=a > 0, x=0), numpy.where(a > 0, 0, a))
        numpy.testing.assert_array_equal(ops.transpose(a=a), a.T)
        numpy.testing.assert_array_equal(ops.concat(axis=0, arrays=(a, a)), numpy.concatenate([a, a]))
        self.assertRaisesRegex(ztl.Error, "twice", ops.transpose, a, a=a)
        self.assertRaisesRegex(ztl.Error, "needs data", ops.gather_elements, indices=at)

    def test_numbers(self):
        for a in (fill((4, 5), "i2"), fill((4, 5), "u1"), random.random((4, 5)).astype("f4")):
            for x in (0, 1, True, 1.5, -3, 70000, 2j, 0.0, -0.0):
                for _ in range(2):
                    got, right = ops.where(a > 1, x, a), numpy.where(a > 1, x, a)
                    self.assertEqual((got.dtype, got.tobytes()), (right.dtype, right.tobytes()))

    def test_without_inputs(self):
        got = ops.constant_of_shape((3, 4), 2.5, "f8")
        numpy.testing.assert_array_equal(got, numpy.full((3, 4), 2.5))
        self.assertEqual(ops.constant_of_shape((2,)).dtype, numpy.float32)
        indices = numpy.array([[1, 0], [3, 2]])
        numpy.testing.assert_array_equal(ops.one_hot(indices, 4), numpy.eye(4, dtype="i8")[indices])
        got = ops.one_hot(indices, 4, 0, (-1, 5), "i2")
        right = numpy.where(numpy.eye(4)[indices] > 0, 5, -1).transpose(2, 0, 1)
        numpy.testing.assert_array_equal(got, right)
        self.assertEqual(got.dtype, numpy.int16)


def unpack(packed, odd=False):
    """The elements of 4 bits, as the contract places them in bytes: the low half is the first."""
    both = numpy.stack([packed & 15, packed >> 4], -1).reshape(packed.shape[:-1] + (-1,))
    if odd:
        assert not both[..., -1].any()
        both = both[..., :-1]
    return both


class HalfBytes(unittest.TestCase):
    A = fill((6, 4, 5))

    def check(self, got, right):
        numpy.testing.assert_array_equal(unpack(got, right.shape[-1] % 2 == 1), right)

    def test_operators(self):
        a, e = self.A, unpack(self.A)
        for view in (a, a.copy("F")[..., :].transpose(1, 0, 2).copy().transpose(1, 0, 2), a[::-1]):
            e = unpack(view)
            self.check(ops.transpose(view, (2, 0, 1), type="int4"), e.transpose(2, 0, 1))
            self.check(ops.transpose(view, (1, 0, 2), type="fp4"), e.transpose(1, 0, 2))
            self.check(ops.slice(view, (1,), (8,), (2,), type="int4"), e[..., 1:8])
            self.check(ops.flip(view, (0, 2), type="int4"), e[::-1, :, ::-1])
            self.check(ops.pad(view, (1, 2), (2,), value=-3, type="int4"),
                       numpy.pad(e, ((0, 0), (0, 0), (1, 2)), constant_values=13))
            self.check(ops.pad(view, (1, 1), (2,), value=-1.5, type="fp4"),
                       numpy.pad(e, ((0, 0), (0, 0), (1, 1)), constant_values=11))
            self.check(ops.gather(view, [3, 0, -1], 2, type="int4"), e[..., [3, 0, -1]])
            self.check(ops.gather(view, numpy.array([3, 0]), 0, type="int4"), e[[3, 0]])
            self.check(ops.concat([view, view], 1, type="int4"), numpy.concatenate([e, e], 1))
            chosen = numpy.arange(10) % 3 == 0
            self.check(ops.compress(view, chosen, 2, type="int4"), e.compress(chosen, 2))
            self.check(ops.where(e > 7, view, view[:1], type="int4"), numpy.where(e > 7, e, e[:1]))
            signed = (e.astype("i1") ^ 8) - 8
            self.check(ops.add(view, 3, type="int4"), numpy.clip(signed + 3, -8, 7) & 15)
            for got, right in zip(ops.split(view, 2, (3, 7), type="int4"), (e[..., :3], e[..., 3:])):
                self.check(got, right)

    def test_out(self):
        out = numpy.zeros((4, 6, 8), "u1")[..., :5]
        self.assertIs(ops.transpose(self.A, (1, 0, 2), type="int4", out=out), out)
        numpy.testing.assert_array_equal(out, self.A.transpose(1, 0, 2))

    def test_plan(self):
        a = fill((64, 32))
        plan = ops.plan("transpose", a, type="int4")
        self.check(plan(a), unpack(a).T)
        self.assertEqual((plan.shapes, plan.dtype), ([(64, 32)], numpy.uint8))
        self.assertGreater(plan.cycles(), 0)

    def test_without_inputs(self):
        self.check(ops.constant_of_shape((3, 4), -2, type="int4"), numpy.full((3, 4), 14))
        self.check(ops.one_hot([0, 3], 4, type="int4"), numpy.eye(4)[[0, 3]])

    def test_refused(self):
        for call, why in (
                (lambda: ops.transpose(self.A[..., ::2], type="int4"), "last dimension"),
                (lambda: ops.transpose(numpy.uint8(3), type="int4"), "has none"),
                (lambda: ops.transpose(self.A.astype("i2"), type="int4"), "size"),
                (lambda: ops.transpose(self.A, type="int3"), "int3"),
                (lambda: ops.pad(self.A, (1, 1), (2,), value=8, type="int4"), "no element of int4"),
                (lambda: ops.pad(self.A, (1, 1), (2,), value=5, type="fp4"), "no element of fp4"),
                (lambda: ops.slice(self.A, (1,), (8,), (2,), type="int4", out=numpy.zeros(
                    (6, 4, 4), "u1")), "even")):
            self.assertRaisesRegex(ztl.Error, why, call)


class Outputs(unittest.TestCase):
    def test_out(self):
        a, whole = fill((4, 6), "i2"), numpy.zeros((12, 8), "i2")
        out = whole[::-2, ::2]
        self.assertIs(ops.transpose(a, out=out), out)
        numpy.testing.assert_array_equal(out, a.T)
        self.assertFalse(whole[0::2].any() or whole[:, 1::2].any())
        self.assertIs(ops.transpose(a + 1, out=out), out)  # the plan is kept
        numpy.testing.assert_array_equal(out, (a + 1).T)
        parts = [numpy.empty((1, 6), "i2"), numpy.empty((3, 6), "i2")]
        self.assertIs(ops.split(a, split=(1, 3), out=parts)[1], parts[1])
        numpy.testing.assert_array_equal(parts[1], a[1:])

    def test_out_is_refused(self):
        a = fill((4, 4))
        frozen = numpy.zeros((4, 4), "u1")
        frozen.flags.writeable = False
        for out in (a, numpy.zeros((4, 5), "u1"), numpy.zeros((4, 4), "i1"), frozen, [], None.__class__,
                    as_strided(numpy.zeros(8, "u1"), (4, 4), (1, 1))):
            before = a.copy()
            self.assertRaises(ztl.Error, ops.transpose, a, out=out)
            numpy.testing.assert_array_equal(a, before)


class Refusals(unittest.TestCase):
    def test_masked(self):
        masked = numpy.ma.masked_greater(fill((3, 4)), 99)
        for call in (lambda: ops.transpose(masked), lambda: ops.concat([masked, masked], 0),
                     lambda: ops.where(masked > 3, 1, 2)):
            self.assertRaisesRegex(ztl.Error, "mask", call)

    def test_what_is_wrong_is_named(self):
        a = fill((3, 4), "i4")
        for call, text in (
                (lambda: ops.transpose(a, prem=(1, 0)),
                 r"no attribute prem; did you mean perm\?; transpose\(a, perm=None"),
                (lambda: ops.pad(a, (1,) * 4, mode="linear"),
                 "pad: mode: 'linear' is none of constant, edge, reflect, wrap, symmetric$"),
                (lambda: ops.transpose(a, "10"), "transpose: perm: '10' are not whole numbers"),
                (lambda: ops.add(a.astype("f8"), 1), "add: there is no arithmetic on float64"),
                (lambda: ops.transpose(a.astype(object)), "transpose: elements of object"),
                (lambda: ops.transpose(a, out=a), r"int32 of shape \(4, 3\).*\(3, 4\)"),
                (lambda: ops.unsqueeze(a), "unsqueeze needs axes")):
            with self.assertRaisesRegex(ztl.Error, text) as caught:
                call()
            error = caught.exception  # and nothing is shown that happened before it
            self.assertTrue(error.__suppress_context__ or error.__context__ is None)
        self.assertRaisesRegex(AttributeError, "no operator 'nothing'", lambda: ops.nothing)

    def test_exceptions_are_those_of_python(self):
        a = fill((3, 4), "i4")
        frozen = numpy.empty((4, 3), "i4")
        frozen.flags.writeable = False
        for kind, call, text in (
                (TypeError, lambda: ops.transpose(), "transpose needs a;"),
                (TypeError, lambda: ops.transpose(a, (1, 0), None, 4), "transpose takes 3 arguments"),
                (TypeError, lambda: ops.transpose(a, order=(0, 1)), "transpose has no attribute order"),
                (TypeError, lambda: ops.transpose(a, (0.5, 1)), "transpose: perm: "),
                (TypeError, lambda: ops.transpose(a.astype(object)), "transpose: elements of object"),
                (TypeError, lambda: ops.concat(a, 0), "concat takes a list"),
                (TypeError, lambda: ops.gather(a, numpy.array([1.5])), "gather: indices: "),
                (TypeError, lambda: ops.transpose(a, out=3), "transpose: out: "),
                (TypeError, lambda: ops.one_hot([1], 2, dtype="zz"), "one_hot: dtype: "),
                (ValueError, lambda: ops.one_hot([1], 2, values=3), "one_hot: values: "),
                (ValueError, lambda: ops.transpose(a, (0,)), "transpose: perm has 1 value"),
                (ValueError, lambda: ops.transpose(a, (0, 5)), "transpose: axis 5 is outside"),
                (ValueError, lambda: ops.transpose(numpy.zeros((1,) * 9)), "transpose: an array has rank"),
                (ValueError, lambda: ops.transpose(a, out=frozen), "transpose: out: .* read-only"),
                (ValueError, lambda: ops.transpose(a, out=a), "transpose: out: .* of shape"),
                (ValueError, lambda: ops.transpose(a, out=a.reshape(4, 3)), "transpose: .* overlap"),
                (ValueError, lambda: ops.transpose(a, type="int7"), "transpose: type: 'int7'"),
                (ValueError, lambda: ops.pad(a, (0,) * 4, value=1.5), "pad: value: 1.5"),
                (ValueError, lambda: ops.plan("transpose", a, (0,)), "transpose: perm has 1 value"),
                (ValueError, lambda: ops.plan("transpose", a, effort="no"), "effort: 'no'"),
                (ValueError, lambda: ops.compress(a, numpy.ones(3, bool), 0, out=a[:2]),
                 "compress: out: .* of shape"),
                (IndexError, lambda: ops.transpose(a, (0, 5)), "axis 5"),  # as numpy.AxisError is both
                (IndexError, lambda: ops.gather(a, [3]), "gather: index 3 .* is outside"),
                (IndexError, lambda: ops.gather(a, numpy.array([0, -4])), "gather: index -4 .* outside"),
                (IndexError, lambda: ops.gather_nd(a, [[0, 9]]), "gather_nd: index 9 .* is outside"),
                (KeyError, lambda: ops.plan("nothing", a), "^there is no operator 'nothing'")):
            with self.assertRaisesRegex(kind, text) as caught:
                call()
            self.assertIsInstance(caught.exception, ztl.Error)

    def test_refused(self):
        a = fill((3, 4), "i4")
        for call in (
                lambda: ops.transpose(a, (0, 0)), lambda: ops.transpose(a, (0, 1, 2)),
                lambda: ops.transpose(), lambda: ops.transpose(a, (0, 1), 3),
                lambda: ops.transpose(a, (0, 1), perm=(1, 0)), lambda: ops.transpose(a, (0, 1), axes=(1, 0)),
                lambda: ops.transpose(a, "ab"), lambda: ops.transpose(a, (0.5, 1)),
                lambda: ops.transpose(a, {0: 1}), lambda: ops.transpose(a, 2**64),
                lambda: ops.transpose(numpy.array([[None]])), lambda: ops.transpose(object()),
                lambda: ops.transpose(numpy.zeros((2, 2), "S3")),
                lambda: ops.transpose(numpy.zeros((2, 2), [("a", object)])),
                lambda: ops.transpose(numpy.zeros((1,) * 9)),
                lambda: ops.reshape(a, (5, 5)), lambda: ops.reshape(a), lambda: ops.concat(a, 0),
                lambda: ops.concat([], 0), lambda: ops.concat([a, a[:2]], 1), lambda: ops.concat(3, 0),
                lambda: ops.concat([a, numpy.zeros(2, "M8[s]")], 0),
                lambda: ops.pad(a, (0, 0, 1, 1), value=1.5), lambda: ops.pad(a, (0,) * 4, value=2**40),
                lambda: ops.pad(a, (0,) * 4, mode="mirror"), lambda: ops.pad(a, (0,) * 4, value="x"),
                lambda: ops.pad(a, (-9,) * 4), lambda: ops.gather(a, [3]), lambda: ops.where(a, a),
                lambda: ops.split(a, num_outputs=0), lambda: ops.one_hot([0], 2, values=(1,)),
                lambda: ops.constant_of_shape((2,), dtype="nothing"),
                lambda: ops.constant_of_shape((2**40, 2**40)),
                lambda: ops.constant_of_shape((2,), [[1], [2, 3]]),
                lambda: ops.plan("nothing", a), lambda: ops.plan(3, a),
                lambda: ops.plan("transpose", a, scratch_limit=-1)):
            with self.assertRaises((ztl.Error, MemoryError)) as caught:
                call()
            self.assertTrue(str(caught.exception))


class Plans(unittest.TestCase):
    def test_counts(self):
        plan = ops.plan(ops.transpose, numpy.empty((1, 64, 56, 56), "i1"), (0, 2, 3, 1))
        # 196 KiB each way; ops/README.md works this one out
        self.assertEqual(plan.counts, {"load": 196, "store": 196, "permute": 196})
        self.assertEqual((plan.total, plan.lower_bound), (588, 392))
        self.assertEqual((plan.shapes, plan.dtype), ([(1, 56, 56, 64)], numpy.int8))
        self.assertIn("permute", plan._repr_html_())
        self.assertIn("588", repr(plan))
        self.assertGreater(len(plan.description.splitlines()), 1)

    def test_run_on_what_was_planned_for(self):
        """Arrays that had to be converted, numbers and lists are taken as the operator takes them."""
        a, swapped = fill((4, 6), "i4"), fill((4, 6), ">i4")
        for name, arguments in (("trilu", (swapped,)), ("concat", ([a, swapped], 0)),
                                ("where", (a > 0, a, 3)), ("where", (swapped > 0, swapped, a)),
                                ("gather_nd", (a, [[1, 2], [3, 0]])), ("transpose", (a.tolist(),))):
            plan = ops.plan(name, *arguments)
            got = plan(*(arguments[0] if name == "concat" else arguments))
            right = getattr(ops, name)(*arguments)
            self.assertEqual((got.dtype, got.tolist()), (right.dtype, right.tolist()), name)
        self.assertRaisesRegex(ValueError, "input 0: the plan", plan, [[1, 2]])

    def test_copies(self):
        plan = ops.plan("transpose", fill((2, 3)))
        self.assertIs(copy.deepcopy([plan])[0], plan)
        self.assertIs(copy.copy(plan), plan)
        self.assertRaisesRegex(ztl.Error, "cannot be pickled", pickle.dumps, plan)

    def test_run(self):
        a = fill((4, 5, 6), "i2")
        plan = ops.plan("transpose", a, (2, 0, 1), no_scratch=True)
        numpy.testing.assert_array_equal(plan(a), a.transpose(2, 0, 1))
        for bad in (a.astype("i4"), a.copy("F"), a[:2], [[1]], None):
            self.assertRaisesRegex(ztl.Error, "input 0", plan, bad)
        self.assertRaises(ztl.Error, plan)

    def test_run_on_other_indices(self):
        a, chosen = fill((40, 6), "i2"), random.integers(0, 2, 40) == 1
        plan = ops.plan("gather", a, numpy.empty((2, 3), int))
        for _ in range(3):
            at = random.integers(-40, 40, (2, 3))
            numpy.testing.assert_array_equal(plan(a, at), a[at])
        plan = ops.plan("gather", a, [7, 7, 1])
        numpy.testing.assert_array_equal(plan(a), a[[7, 7, 1]])
        plan = ops.plan("compress", a, numpy.zeros(40, bool), 0)
        numpy.testing.assert_array_equal(plan(a, chosen), a[chosen])
        plan = ops.plan("compress", a, numpy.ones(40, bool), 0)
        self.assertGreater(plan.cycles(), 0)

    def test_efforts_and_aims(self):
        a = fill((40, 30), "i2")
        for options in ({"effort": "thorough"}, {"aim": "cycles"}, {"no_scratch": True}):
            plan = ops.plan("transpose", a, **options)
            numpy.testing.assert_array_equal(plan(a), a.T)
            self.assertEqual(plan.timing()["ztl"], plan.total, options)
        self.assertRaisesRegex(ztl.Error, "effort", ops.plan, "transpose", a, effort="most")
        self.assertRaisesRegex(ztl.Error, "aim", ops.plan, "transpose", a, aim="space")

    def test_cycles(self):
        a = fill((8, 40), "i2")
        plan = ops.plan("transpose", a)
        four, one = plan.cycles(), plan.cycles("one")
        self.assertGreater(four, 10)
        self.assertGreaterEqual(one, four)
        self.assertGreater(ops.plan("gather", a, numpy.array([[1, 2]])).cycles(), 0)
        self.assertGreater(ops.plan("pad", a, (0, 1, 0, 1), value=3).cycles(), 0)
        self.assertGreater(ops.plan("gather_elements", a, numpy.zeros((8, 3), int), 1).cycles(), 0)
        self.assertIn("<svg", plan.timeline()._repr_html_())
        self.assertRaises(ztl.Error, plan.cycles, "nothing")
        self.assertRaisesRegex(ztl.Error, "input 0 has strides .* dense",
                               ops.plan("transpose", a[::2]).cycles)
        self.assertRaisesRegex(ztl.Error, "input 1 has strides",
                               ops.plan("concat", [a, a[:, ::-1]], 0).cycles)
        for arguments in (("pad", a, (0, 1, 0, 1), None, None, 3), ("fill", a, -2),
                          ("where", a > 0, a, a), ("gather", a, list(range(8)) * 9),
                          ("one_hot", [1, 2], 4, None, (3, -1), "i2"), ("add", a, 5)):
            plan = ops.plan(*arguments)
            self.assertEqual(plan.timing()["ztl"], plan.total, arguments[0])

    def test_many_plans_are_forgotten(self):
        for n in range(1, 600):
            ops.flip(numpy.zeros(n, "u1"), (0,))
        self.assertLessEqual(len(ops.flip._calls), 512)
        gc.collect()

    def test_threads_share_calls(self):
        def work(value):
            a = numpy.full((64, 65), value, "i4")
            mask, out = numpy.arange(65) % 3 == 0, numpy.empty((65, 64), "i4")
            for _ in range(60):
                good.append((ops.where(mask, a, a[::-1]) == value).all())
                good.append((ops.concat([a, a, a], 1) == value).all())
                good.append((ops.gather(a, numpy.array([3, 1])) == value).all())
                good.append((ops.compress(a, mask, 1) == value).all())
                good.append((ops.transpose(a, out=out) == value).all())

        good = []
        self.addCleanup(sys.setswitchinterval, sys.getswitchinterval())
        sys.setswitchinterval(1e-6)  # threads take turns inside a call, too
        threads = [threading.Thread(target=work, args=(value,)) for value in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((len(good), all(good)), (6 * 60 * 5, True))

    def test_threads(self):
        def work():
            for n in range(1, 60):
                a = numpy.arange(n * 33, dtype="u2").reshape(n, 33)
                for _ in range(5):
                    good.append((ops.transpose(a) == a.T).all())

        good = []
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((len(good), all(good)), (4 * 59 * 5, True))


class Table(unittest.TestCase):
    def test_documented(self):
        for name, operator in ops.operators.items():
            self.assertIs(getattr(ops, name), operator)
            self.assertTrue(operator.__doc__.startswith(name + "("))
            self.assertIs(pickle.loads(pickle.dumps(operator)), operator)
        self.assertEqual(str(inspect.signature(ops.gather)),
                         "(a, indices, axis=None, type=None, *, out=None)")


unittest.main()
