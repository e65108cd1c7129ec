# SPDX-License-Identifier: Apache-2.0
"""Attributes that are lists: pad takes NumPy's forms as NumPy does, no nested list is misread."""

import inspect
import random
import unittest

import numpy

import ztl
from ztl import _examples, ops

random.seed(23)
MODES = ("constant", "edge", "reflect", "wrap")


def as_given(value):
    """The same value as lists, tuples or an array."""
    array = numpy.asarray(value)
    kind = random.choice(("list", "tuple", "i1", "u2", "i4", "i8"))
    if kind == "list":
        return array.tolist()
    return value if kind == "tuple" else array.astype(kind)


def pad_width(rank, limit):
    """One of the forms that NumPy's pad takes, as tuples."""
    number = lambda: random.randint(0, limit)
    pair = lambda: (number(), number())
    return random.choice((
        number, lambda: (number(),), lambda: ((number(),),), pair, lambda: (pair(),),
        lambda: tuple(pair() for _ in range(rank)), lambda: tuple((number(),) for _ in range(rank)),
        lambda: (pair(),) * rank))()


class Pad(unittest.TestCase):
    def check(self, shape, pads, mode, expected, axes=None):
        dtype = random.choice(("u1", "i4"))
        a = numpy.arange(numpy.prod(shape, dtype=int), dtype=dtype).reshape(shape)
        what = f"{shape} {pads!r} {axes} {mode}"
        try:
            right = numpy.pad(a, expected, mode)
        except (TypeError, ValueError):  # NumPy does not take every form for rank 0
            self.assertEqual(len(shape), 0, what)
            return
        got = ops.pad(a, as_given(pads), as_given(axes) if axes else axes, mode)
        numpy.testing.assert_array_equal(got, right, what, strict=True)

    def test_as_numpy(self):
        for _ in range(1500):
            shape = tuple(random.randint(3, 5) for _ in range(random.randint(0, 4)))
            pads = pad_width(len(shape), 2)
            self.check(shape, pads, random.choice(MODES), pads)

    def test_flat(self):
        for _ in range(300):
            shape = tuple(random.randint(3, 5) for _ in range(random.randint(1, 4)))
            pairs = [(random.randint(0, 2), random.randint(0, 2)) for _ in shape]
            self.check(shape, sum(zip(*pairs), ()), random.choice(MODES), pairs)

    def test_axes(self):
        for _ in range(300):
            shape = tuple(random.randint(3, 5) for _ in range(random.randint(1, 4)))
            axes = tuple(random.sample(range(len(shape)), random.randint(1, len(shape))))
            pads, all_pairs = pad_width(len(axes), 2), numpy.zeros((len(shape), 2), int)
            all_pairs[list(axes)] = pads
            self.check(shape, pads, random.choice(MODES), all_pairs, axes)

    def test_refused(self):
        a = numpy.zeros((3, 4, 5), "i4")
        for pads in ((1, 2, 3), (1,) * 4, (1,) * 7, ((1, 2),) * 2, ((1, 2),) * 4, ((1, 2, 3),) * 3,
                     ((1, 2, 3), (1, 2, 3)), (((1, 2),) * 3,), ((1,) * 6,), ((), (), ()), (), [[]],
                     ((1, 2), (1,), (0, 0))):
            with self.assertRaisesRegex(ztl.BadValue, "^pad: pads: ", msg=pads):
                ops.pad(a, pads)
        with self.assertRaisesRegex(ztl.BadValue, "3 axes.*6 numbers, those before each"):
            ops.pad(a, (1, 2, 3))
        for pads in ("12", 1.5, ((0.5, 1),), {0: (1, 2)}, None.__class__):
            self.assertRaisesRegex(ztl.BadType, "^pad: pads: ", ops.pad, a, pads)
        self.assertIn("numpy.pad's pad_width", ops.pad.__doc__)

    def test_plans(self):
        a = numpy.arange(60, dtype="i4").reshape(3, 4, 5)
        for pads in (1, (1, 2), ((0, 0), (1, 1), (2, 0))):
            plan = ops.plan("pad", a, pads)
            numpy.testing.assert_array_equal(plan(a), numpy.pad(a, pads))
            self.assertGreater(plan.cycles(), 0)


def example(operator):
    """The arguments of the example in its help, by their names."""
    names = {name: eval(text, {"numpy": numpy}) for name, text in _examples.ARRAYS.items()}
    sign = inspect.signature(operator)
    call = operator._example[0].rsplit("[", 1)[0] if "PARTS" in operator.traits else (
        operator._example[0])
    return eval(call, {"numpy": numpy, operator.name: sign.bind, **names}).arguments


class Nested(unittest.TestCase):
    def test_lists(self):
        tried = 0
        for operator in ops.operators.values():
            given = example(operator)
            for name, row in operator.attributes.items():
                if row[1] not in ("LIST", "BITS", "REALS") or name == "indices" or (
                        (operator.name, name) == ("pad", "pads")):
                    continue
                value, start = given.get(name, (0, 1)), f"^({operator.name}: )?"
                refused = f"{start}({name}: .*list|the {name} has rank 2)"
                for nested in ((value,), [[one] for one in value], numpy.array([value])):
                    with self.assertRaisesRegex(ztl.Error, refused):
                        operator(**given | {name: nested})
                    tried += 1
                with self.assertRaisesRegex(ztl.Error, f"{start}{name}: .*different lengths"):
                    operator(**given | {name: ((0, 1), (2,))})
        self.assertGreater(tried, 100)

    def test_empty_lists(self):
        a = numpy.zeros((1, 3), "i4")
        for axes in ([[]], numpy.zeros((0, 2), int), ((), ())):
            self.assertRaisesRegex(ztl.BadValue, "^flip: axes: ", ops.flip, a, axes)
            self.assertRaisesRegex(ztl.BadValue, "^squeeze: axes: ", ops.squeeze, a, axes)
        self.assertRaisesRegex(ztl.BadValue, "^roll: shift: ", ops.roll, a, [[1]], ())

    def test_elements_and_numbers(self):
        a = numpy.zeros((2, 4), "u1")
        for call in (lambda: ops.fill(a, [[3]]), lambda: ops.pad(a, 1, value=[1, 2, 3]),
                     lambda: ops.one_hot([1], 3, values=[[0, 1], [2, 3]]),
                     lambda: ops.add(a, [1]), lambda: ops.gather(a, [0], axis=[1]),
                     lambda: ops.trilu(a, k=[1]), lambda: ops.split(a, num_outputs=(2,)),
                     lambda: ops.resize(a, scales="22")):
            self.assertRaises(ztl.Error, call)

    def test_indices_keep_their_shape(self):
        a = numpy.arange(12).reshape(3, 4)
        numpy.testing.assert_array_equal(ops.gather(a, [[2, 0], [1, 1]]), a[[[2, 0], [1, 1]]])

    def test_one_number(self):  # is a list of one, as in NumPy
        a = numpy.arange(12).reshape(3, 4)
        numpy.testing.assert_array_equal(ops.flip(a, 1), numpy.flip(a, 1))
        numpy.testing.assert_array_equal(ops.roll(a, 2, 1), numpy.roll(a, 2, 1))
        self.assertGreater(ops.plan("roll", a, 2, 1).cycles(), 0)

    def test_long_values_are_shortened(self):
        with self.assertRaises(ztl.BadValue) as caught:
            ops.transpose(numpy.zeros((2, 2)), [[n] for n in range(1000)])
        self.assertLess(len(str(caught.exception)), 200)


unittest.main()
