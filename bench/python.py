#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures ztl.ops: the transposes of cases/cases.def against numpy.ascontiguousarray, and for every
operator what a call costs beyond the C function.

usage: ZTL_LIBRARY_PATH=build/gcc PYTHONPATH=build/gcc/python /usr/bin/python3 bench/python.py [BYTES...]

BYTES are sizes of elements of the transposes; 1, 2 and 4 when there are none. Both sides write to an
array that is new, of numpy.empty, or for `out=` to one that is there. The C function is
ztl_mover_run with its lists of buffers prepared; since it is called through ctypes here, what such
a call takes is subtracted: that of a mover which has nothing to move."""

import ctypes
import math
import pathlib
import re
import sys
import time

import numpy
from ztl import _calls, ops

CASES = re.findall(r'ZTL_CASE\("(.*?)", *"transpose", *"(.*?)", *"--perm (.*?)"\)',
                   (pathlib.Path(__file__).parent / "cases/cases.def").read_text())
A = numpy.arange(768, dtype="i2").reshape(1, 16, 6, 8)
AT, ROWS = numpy.zeros((1, 16, 6, 2), "i8"), numpy.array([[0, 5], [0, 3]])
# name, what follows the array
OPERATORS = [
    ("transpose", (0, 2, 3, 1)), ("reshape", (8, -1)), ("flatten",), ("squeeze", (0,)),
    ("unsqueeze", (1,)), ("split", 1, None, 2), ("slice", (1,), (5,), (2,)),
    ("pad", (0, 0, 1, 1, 0, 0, 1, 1), None, None, 3), ("gather", [3, 1, 2], 1),
    ("gather", numpy.array([3, 1, 2]), 1), ("compress", [1, 0, 1, 0], 1),
    ("compress", numpy.arange(16) % 2 == 0, 1), ("tile", (1, 1, 2, 2)), ("expand", (4, 16, 6, 8)),
    ("roll", (3,), (1,)), ("flip", (1, 3)), ("depth_to_space", 2), ("space_to_depth", 2),
    ("resize", None, (1, 1, 2, 2)), ("im2col", (3, 3)), ("focus", 2, 1), ("add", 3), ("fill", 7),
    ("identity",), ("upsample", (1, 1, 2, 2)), ("reverse_sequence", (1,) * 16), ("trilu",),
    ("center_crop_pad", (1, 16, 4, 4)), ("gather_elements", AT, 3), ("gather_nd", ROWS),
    ("scatter_elements", AT, A[..., :2], 3), ("scatter_nd", ROWS, A[0, :2]),
    ("tensor_scatter", A[:, :, :2], numpy.array([3])), ("concat",), ("where",), ("eye_like",),
    ("one_hot",), ("constant_of_shape",), ("col2im",)]


def arguments_of(name, array, rest):
    """Those of a call; where the array is not just the first one."""
    special = {"concat": lambda: ([array, array, array], 1), "where": lambda: (array > 9, array, array),
               "eye_like": lambda: (array[0, 0],), "one_hot": lambda: ([3, 1, 2], 8),
               "constant_of_shape": lambda: ((3, 4), 7),
               "col2im": lambda: (ops.im2col(array, (2, 2), strides=(2, 2)), (2, 2), (1, 16, 6, 8),
                                  (0, 0, 0, 0), "apart", 0, (2, 2))}
    return special.get(name, lambda: (array, *rest))()


def measure(functions):
    """Microseconds of each, the least of rounds in which they take turns."""
    best, end = [math.inf] * len(functions), time.perf_counter() + 1
    for function in functions:
        function()
    for rounds in range(40):
        for i, function in enumerate(functions):
            start, count = time.perf_counter(), 0
            while (passed := time.perf_counter() - start) < 5e-4:
                function()
                count += 1
            best[i] = min(best[i], passed / count * 1e6)
        if time.perf_counter() > end and rounds > 3:
            break
    return best


def prepare(call, arrays, results):
    """The C function on these, with nothing left to do."""
    sources = (ctypes.c_void_p * max(len(arrays), 1))(
        *(array.ctypes.data - low for array, low in zip(arrays, call._lows)))
    targets = (ctypes.c_void_p * len(results))(*(result.ctypes.data for result in results))
    pointer, move = call.pointer, _calls._move
    return lambda keep=(call, arrays, results): move(pointer, sources, targets, 1, None)


def prepare_new(call, array):
    """The C function, writing to an array that is new each time."""
    source, pointer, move, head = id(array) + _calls.HEAD, call.pointer, _calls._move, _calls.HEAD
    shape, dtype, new = call.shapes[0], array.dtype, numpy.empty

    def run():
        result = new(shape, dtype)  # in a variable, so that it stays
        move(pointer, source, id(result) + head, 1, None)

    return run


def watch(function):
    """What a call runs: the Call, its arrays, and the outputs."""
    seen, run = [], _calls.Call.run

    def spy(call, arrays, outs=None):
        seen[:] = [(call, arrays)]
        return run(call, arrays, outs)

    _calls.Call.run = spy
    try:
        function()
    finally:
        _calls.Call.run = run
    call, arrays = seen[0]
    return call, arrays, [numpy.empty(*form) for form in zip(call.shapes, call.dtypes)]


def measure_empty():
    """A call of the C function through ctypes."""
    array = numpy.empty((0, 3))
    return measure([prepare(*watch(lambda: ops.transpose(array)))])[0]


def measure_transposes(sizes, through):
    """Prints them; how many times as fast as NumPy they are."""
    speedups = []
    print(f"{'transpose, microseconds':30}{'bytes':>6}{'ztl.ops':>11}{'NumPy':>11}{'C':>11}")
    for size in sizes:
        for name, shape, perm in CASES:
            array = numpy.zeros(tuple(map(int, shape.split("x"))), f"u{size}")
            array.reshape(-1)[:] = numpy.arange(array.size) * 7
            perm = tuple(map(int, perm.split(",")))
            call, arrays, _ = watch(lambda: ops.transpose(array, perm))
            ours, theirs, c = measure([lambda: ops.transpose(array, perm),
                                       lambda: numpy.ascontiguousarray(array.transpose(perm)),
                                       prepare_new(call, arrays[0])])
            speedups.append(theirs / ours)
            print(f"{name:30}{size:6}{ours:11.2f}{theirs:11.2f}{c - through:11.2f}", flush=True)
    return speedups


def measure_costs(through):
    """Prints what a call of each operator costs beyond the C function; these costs."""
    costs = []
    wide = numpy.zeros((1, 16, 12, 16), "i2")
    forms = [("dense", A), ("backwards", A[:, ::-1]), ("with gaps", wide[..., ::2, ::2])]
    print(f"\n{'microseconds beyond C':30}" + "".join(f"{title:>12}" for title, _ in forms) +
          f"{'out=':>12}")
    for name, *rest in OPERATORS:
        operator, line = getattr(ops, name), []
        for title, array in forms + [("out=", A)]:
            arguments = arguments_of(name, array, rest)
            run = lambda: operator(*arguments)  # noqa: E731
            if title == "out=":
                out = operator(*arguments)
                run = lambda: operator(*arguments, out=out)  # noqa: E731
            ours, c = measure([run, prepare(*watch(run))])
            line.append(ours - (c - through))
        costs += line
        late = " (array)" if rest and isinstance(rest[0], numpy.ndarray) else ""
        print(f"{name + late:30}" + "".join(f"{cost:12.2f}" for cost in line), flush=True)
    return costs


def measure_large():
    """What a call costs where the result is large: with a mover that has nothing to move, so that
    the times of the others do not hide it. Its memory is then new, but never touched."""
    array = numpy.zeros((4096, 4096), "u4")
    nothing = watch(lambda: ops.transpose(numpy.empty((0, 3))))[0]
    call = watch(lambda: ops.transpose(array, (1, 0)))[0]
    kept, call.pointer = call.pointer, nothing.pointer
    new, memory = measure([lambda: ops.transpose(array, (1, 0)),
                           lambda: numpy.empty((4096, 4096), "u4")])
    call.pointer = kept
    return new, memory


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def main():
    through = measure_empty()
    speedups = measure_transposes(map(int, sys.argv[1:] or "124"), through)
    costs = measure_costs(through)
    new, memory = measure_large()
    print(f"\n{mean(speedups):.2f} times as fast as NumPy, the geometric mean of the transposes\n"
          f"a call costs {sorted(costs)[len(costs) // 2]:.1f} us more than C in the median, at most "
          f"{max(costs):.1f} us; for a result of 64 MiB {new - memory:.1f} us, and the memory "
          f"{memory:.1f} us")


main()
