#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures ztl.ops on the transposes of ops_cases.def: against numpy.ascontiguousarray, and what a call
costs beyond ztl_ops_mover_run on buffers that are there already.

usage: ZTL_LIBRARY_PATH=build/gcc PYTHONPATH=build/gcc/python /usr/bin/python3 bench/python.py [BYTES...]

BYTES are sizes of elements; 1, 2 and 4 when there are none."""

import ctypes
import math
import pathlib
import re
import sys
import time

import numpy
import ztl
from ztl import _library

CASES = re.findall(r'ZTL_CASE\("(.*?)", *"transpose", *"(.*?)", *"--perm (.*?)"\)',
                   pathlib.Path(__file__).with_name("ops_cases.def").read_text())


def measure(functions):
    """Microseconds of each, the least of rounds in which they take turns."""
    best = [math.inf] * len(functions)
    for function in functions:
        function()
    for _ in range(15):
        for i, function in enumerate(functions):
            start, count = time.perf_counter(), 0
            while (passed := time.perf_counter() - start) < 1e-3 or count < 3:
                function()
                count += 1
            best[i] = min(best[i], passed / count * 1e6)
    return best


def measure_case(shape, perm, size):
    array = numpy.zeros(shape, f"u{size}")
    array.reshape(-1)[:] = numpy.arange(array.size) * 7
    target = ztl.ops.transpose(array, perm)
    mover = ztl.ops._Call(ztl.ops.transpose, [array], {"perm": perm}, None)
    run = _library.ops.ztl_ops_mover_run
    source, target_at = (ctypes.byref(ctypes.c_void_p(a.ctypes.data)) for a in (array, target))
    return measure([lambda: ztl.ops.transpose(array, perm),
                    lambda: numpy.ascontiguousarray(array.transpose(perm)),
                    lambda: run(mover.pointer, source, target_at, 1, None)])


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def main():
    speedups, costs = [], []
    print(f"{'transpose':30}{'bytes':>6}{'ztl.ops':>11}{'NumPy':>11}{'mover_run':>11}   microseconds")
    for size in map(int, sys.argv[1:] or "124"):
        for name, shape, perm in CASES:
            ours, theirs, raw = measure_case(tuple(map(int, shape.split("x"))),
                                             tuple(map(int, perm.split(","))), size)
            speedups.append(theirs / ours)
            costs.append(ours - raw)
            print(f"{name:30}{size:6}{ours:11.2f}{theirs:11.2f}{raw:11.2f}")
    # What is measured as mover_run is a call through ctypes too.
    small = measure([_library.core.ztl_version_number])[0]
    print(f"geometric mean: {mean(speedups):.2f} times as fast as NumPy; a call costs "
          f"{sorted(costs)[len(costs) // 2] + small:.1f} us more, the median")


main()
