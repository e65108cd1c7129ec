# SPDX-License-Identifier: Apache-2.0
"""Operators on NumPy arrays: NumPy says what is right."""

import gc
import itertools
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
            if dtype == "S4" and name in ("fill", "eye_like", "trilu", "pad"):
                continue
            with numpy.errstate(invalid="ignore"):
                right = expect(first).astype(dtype)  # some of NumPy swap the bytes
            for view in views(first):
                got = getattr(ops, name)(view, *arguments[1:], **attributes)
                self.assertEqual(got.dtype, view.dtype, name)
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
    def test_refused(self):
        a = fill((3, 4), "i4")
        for call in (
                lambda: ops.transpose(a, (0, 0)), lambda: ops.transpose(a, (0, 1, 2)),
                lambda: ops.transpose(), lambda: ops.transpose(a, (0, 1), 3),
                lambda: ops.transpose(a, (0, 1), perm=(1, 0)), lambda: ops.transpose(a, axes=(0, 1)),
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
                lambda: ops.plan("nothing", a), lambda: ops.plan(3, a),
                lambda: ops.plan("transpose", a, scratch_limit=-1)):
            with self.assertRaises((ztl.Error, MemoryError)) as caught:
                call()
            self.assertTrue(str(caught.exception))


class Plans(unittest.TestCase):
    def test_counts(self):
        plan = ops.plan(ops.transpose, numpy.empty((1, 64, 56, 56), "i1"), (0, 2, 3, 1))
        # 196 KiB each way; ops/README.md works this one out
        self.assertEqual(plan.counts, {"load": 196, "store": 196, "permute": 98})
        self.assertEqual((plan.total, plan.lower_bound), (490, 392))
        self.assertEqual((plan.shapes, plan.dtype), ([(1, 56, 56, 64)], numpy.int8))
        self.assertIn("permute", plan._repr_html_())
        self.assertIn("490", repr(plan))
        self.assertGreater(len(plan.description.splitlines()), 1)

    def test_run(self):
        a = fill((4, 5, 6), "i2")
        plan = ops.plan("transpose", a, (2, 0, 1), no_scratch=True)
        numpy.testing.assert_array_equal(plan(a), a.transpose(2, 0, 1))
        for bad in (a.astype("i4"), a.copy("F"), a[:2], [[1]], None):
            self.assertRaises(ztl.Error, plan, bad)
        self.assertRaises(ztl.Error, plan)

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
        self.assertRaisesRegex(ztl.Error, "dense", ops.plan("transpose", a[::2]).cycles)

    def test_many_plans_are_forgotten(self):
        for n in range(1, 600):
            ops.flip(numpy.zeros(n, "u1"), (0,))
        self.assertLessEqual(len(ops.flip._plans), 512)
        gc.collect()

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


unittest.main()
