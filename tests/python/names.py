# SPDX-License-Identifier: Apache-2.0
"""Functions by the names of NumPy, PyTorch and einops: what they give is what NumPy gives, and PyTorch
where it is installed, or they are refused with the name of what does it."""

import inspect
import os
import re
import resource
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import numpy
from numpy.lib.stride_tricks import sliding_window_view

import names_calls as calls
import ztl
from ztl import ops

try:
    import torch
except ImportError:
    torch = None

VALUES = {
    "np_": numpy, "x": numpy.arange(24).reshape(2, 3, 4), "y4": numpy.arange(48.0).reshape(2, 4, 2, 3),
    "m": numpy.array([[1, 2, 3], [4, 5, 6]]), "v": numpy.array([1, 2, 3]),
    "m2": numpy.array([[10, 30, 20], [60, 40, 50]]), "t2": numpy.array([[1, 2], [3, 4]]),
    "image": numpy.arange(40.0).reshape(1, 2, 4, 5), "windows": sliding_window_view}
OURS = VALUES | {"np": ops, "torch": ops, "F": ops, "T": lambda a: a, "rearrange": ops.rearrange,
                 "repeat": ops.repeat}


def lines(text):
    return [line for line in text.strip().splitlines() if line]


def pairs(text):
    return [line.split(" | ") for line in lines(text)]


def as_arrays(value):
    return [numpy.asarray(one) for one in value] if isinstance(value, (list, tuple)) else [
        numpy.asarray(value)]


class Names(unittest.TestCase):
    def check(self, text, right, dtype=True):
        got = eval(text, OURS)
        self.assertIs(type(got), list if isinstance(right, (list, tuple)) else numpy.ndarray, text)
        got, right = as_arrays(got), as_arrays(right)
        self.assertEqual(len(got), len(right), text)
        for one, other in zip(got, right):
            self.assertEqual(one.shape, other.shape, text)
            numpy.testing.assert_array_equal(one, other, text)
            if dtype:
                self.assertEqual(one.dtype, other.dtype, text)

    def test_numpy(self):
        theirs = VALUES | {"np": numpy}
        for text in lines(calls.NUMPY):
            with self.subTest(text):
                self.check(text, eval(text, theirs))

    def test_others(self):
        for text, right in pairs(calls.NUMPY_PAIRS) + pairs(calls.TORCH) + pairs(calls.EINOPS):
            with self.subTest(text):
                self.check(text, eval(right, VALUES))

    @unittest.skipUnless(torch, "there is no PyTorch")
    def test_torch(self):
        theirs = VALUES | {"torch": torch, "F": torch.nn.functional,
                           "T": lambda a: torch.from_numpy(numpy.ascontiguousarray(a))}
        for text, _ in pairs(calls.TORCH):
            with self.subTest(text):
                self.check(text, eval(text, theirs))

    def test_refused(self):
        for text, words in calls.REFUSED:
            with self.subTest(text), self.assertRaisesRegex((ztl.Error, AttributeError), words):
                eval(text, OURS)

    def test_count(self):
        each = [len(lines(text)) for text in (calls.NUMPY, calls.NUMPY_PAIRS, calls.TORCH, calls.EINOPS)]
        self.assertGreater(sum(each) + len(calls.REFUSED), 330)

    def test_arrays_that_are_written(self):
        for theirs, ours in ((numpy.put_along_axis, ops.put_along_axis), (numpy.put, ops.put),
                             (numpy.putmask, ops.putmask)):
            for arguments in {"put_along_axis": (([[2], [0]], 9, 1), ([[1, 2], [0, 1]], [[7, 8]], 1),
                                                 ([5, 0], [3, 4], None)),
                              "put": (([0, -1], [-44, -55]), ([22], -5, "clip"), ([7], [1, 2], "wrap")),
                              "putmask": ((VALUES["m"] > 2, 3), (VALUES["m"] > 3, [-33, -44]))}[
                                  theirs.__name__]:
                right, got = VALUES["m"].copy(), VALUES["m"].copy()
                arguments = [numpy.array(one) if isinstance(one, list) else one for one in arguments]
                theirs(right, *arguments)
                self.assertIsNone(ours(got, *arguments))
                numpy.testing.assert_array_equal(got, right, f"{theirs.__name__} {arguments}")

    def test_out(self):
        m, x = VALUES["m"], VALUES["x"]
        for text, shape in (("moveaxis(x, 0, -1)", (3, 4, 2)), ("stack([m, m], 2)", (2, 3, 2)),
                            ("rot90(m)", (3, 2)), ("resize(m, (2, 2))", (2, 2)), ("unstack(m)", None),
                            ("choose([0, 1, 0], m)", (3,)), ("take(m, numpy.array([4]))", (1,))):
            names = {"m": m, "x": x, "numpy": numpy, **ops.__dict__}
            right = eval(text, names)
            out = [numpy.zeros(3, int) for _ in range(2)] if shape is None else numpy.zeros(shape, int)
            self.assertIs(eval(text[:-1] + ", out=out)", names | {"out": out}), out)
            numpy.testing.assert_array_equal(out, right, text)

    def test_calls_are_kept(self):
        x, at = VALUES["x"], numpy.array([1, 0])
        for call, function in ((lambda: ops.moveaxis(x, 0, -1), ops.moveaxis),
                               (lambda: ops.rearrange(x, "a (b c) d -> b (a d) c", c=3), ops.rearrange),
                               (lambda: ops.take(x, at, axis=0), ops.take),
                               (lambda: ops.repeat(x, 2, axis=1), ops.repeat),
                               (lambda: ops.flip(x, axis=1), ops.flip),
                               (lambda: ops.concatenate((x, x), axis=1), ops.concatenate)):
            first, before = call(), len(function._calls)
            function._request = None  # not needed again
            numpy.testing.assert_array_equal(call(), first)
            del function._request
            self.assertEqual(len(function._calls), before)

    def test_plans(self):
        x = VALUES["x"]
        plan = ops.plan("moveaxis", x, 0, -1)
        self.assertEqual(plan.operator, "transpose")
        numpy.testing.assert_array_equal(plan(x), numpy.moveaxis(x, 0, -1))
        self.assertGreater(ops.plan("rearrange", x, "a b c -> (c a) b").cycles(), 0)
        self.assertRaisesRegex(ztl.BadValue, "several operators", ops.plan, "select", [x > 1], [x])
        self.assertRaisesRegex(ztl.BadName, "did you mean moveaxis", ops.plan, "moveaxes", x)
        self.assertRaisesRegex(ztl.BadName, "argsort", ops.plan, "sort", x)

    @unittest.skipIf(os.environ.get("ZTL_PRELOAD"), "a sanitizer takes time of its own")
    def test_import_is_quick(self):
        """In time of the processor, the least of some: the machine may be busy."""
        def used():
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([sys.executable, "-c", "import ztl"], check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

        with tempfile.TemporaryDirectory() as folder:
            environment = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": folder}
            with unittest.mock.patch.dict(os.environ, environment):
                used()
                self.assertLess(min(used() for _ in range(5)), 0.15)

    def test_documented(self):
        from ztl._operator import functions
        for name, function in functions.items():
            self.assertIs(getattr(ops, name), function)
            self.assertRegex(function.__doc__, r"^\w+\(.*\)\n\n\S")
            self.assertIn("out", inspect.signature(function).parameters)
            self.assertFalse(re.search(r"\.\.\.", inspect.getdoc(function).splitlines()[0]))


unittest.main()
