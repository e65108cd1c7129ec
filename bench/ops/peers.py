#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Other libraries' times for the cases of ztl bench ops --host: a child that answers questions.

usage: peers.py PEER THREADS

The first line it writes is the library's version; nothing if it is not installed. Then, line by line,
    prepare BYTES OPERATOR SHAPE[;SHAPE...] [--option value]...
is answered by yes, or by no where the library has no function for it; and
    time REPEATS
by the nanoseconds of one rearrangement. Every function that can do a case is tried, its result
compared with NumPy's, and the fastest of them is timed. All write to memory that was touched before.
"""
import ctypes
import itertools
import os
import sys
import time

peer, threads = sys.argv[1], int(sys.argv[2])
os.environ["OMP_NUM_THREADS"] = str(threads)
import numpy as np

INTEGER = {1: np.uint8, 2: np.uint16, 4: np.uint32}
clock = time.thread_time_ns if threads == 1 else time.perf_counter_ns


def numbers(text):
    return [int(n) for n in text.split(",")]


class Case:
    """Inputs, outputs, and the operator as copies from views of inputs to views of outputs."""

    def __init__(self, words):
        self.bytes, self.operator = int(words[0]), words[1]
        self.option = dict(zip(words[3::2], words[4::2]))
        self.inputs = [self.filled([int(n) for n in shape.split("x")])
                       for shape in words[2].split(";")]
        self.x = self.inputs[0]
        self.outputs, self.copies = [], []
        getattr(self, self.operator)()

    def filled(self, shape):
        # Small positive numbers in every type that a library may take these bytes for.
        return (np.arange(np.prod(shape)) % 113 + 1).astype(INTEGER[self.bytes]).reshape(shape)

    def list(self, name):
        return numbers(self.option["--" + name])

    def empty(self, shape):
        self.outputs.append(np.zeros(shape, INTEGER[self.bytes]))
        return self.outputs[-1]

    def whole(self, view):
        self.copies.append((self.empty(view.shape), view))

    def transpose(self):
        self.whole(self.x.transpose(self.list("perm")))

    def flip(self):
        self.whole(np.flip(self.x, self.list("axes")))

    def slice(self):
        where = [slice(None)] * self.x.ndim
        steps = self.list("steps") if "--steps" in self.option else itertools.repeat(1)
        for axis, start, end, step in zip(self.list("axes"), self.list("starts"),
                                          self.list("ends"), steps):
            where[axis] = slice(start, end, step)
        self.whole(self.x[tuple(where)])

    def gather(self):
        axis, indices = int(self.option["--axis"]), self.list("indices")
        shape = list(self.x.shape)
        shape[axis] = len(indices)
        out = self.empty(shape)
        for k, i in enumerate(indices):
            self.copies.append((part(out, axis, k, k + 1),
                                part(self.x, axis, i, i + 1)))

    def pad(self):
        pads, rank = self.list("pads"), self.x.ndim
        out = self.empty([n + pads[d] + pads[rank + d] for d, n in enumerate(self.x.shape)])
        sides = [(-1, 0, 1)] * rank
        for side in itertools.product(*sides):
            to, of = [], []
            for d, s in enumerate(side):
                low, n = pads[d], self.x.shape[d]
                to.append((slice(0, low), slice(low, low + n), slice(low + n, None))[s + 1])
                of.append((slice(0, 1), slice(0, n), slice(n - 1, n))[s + 1])
            target = out[tuple(to)]
            if not target.size:
                continue
            edge = self.option.get("--mode") == "edge" or not any(side)
            source = self.x[tuple(of)] if edge else np.zeros(1, out.dtype)
            self.copies.append((target, np.broadcast_to(source, target.shape)))

    def concat(self):
        axis, at = int(self.option["--axis"]), 0
        shape = list(self.x.shape)
        shape[axis] = sum(x.shape[axis] for x in self.inputs)
        out = self.empty(shape)
        for x in self.inputs:
            self.copies.append((part(out, axis, at, at + x.shape[axis]), x))
            at += x.shape[axis]

    def split(self):
        axis, at = int(self.option["--axis"]), 0
        for n in self.list("split"):
            self.whole(part(self.x, axis, at, at + n))
            at += n

    def resize(self):
        scales, shape = self.list("scales"), self.x.shape
        out = self.empty([n * s for n, s in zip(shape, scales)])
        fine = [n for pair in zip(shape, scales) for n in pair]
        coarse = [n for extent in shape for n in (extent, 1)]
        self.copies.append((out.reshape(fine), np.broadcast_to(self.x.reshape(coarse), fine)))

    def expand(self):
        self.whole(np.broadcast_to(self.x, self.list("shape")))


def part(array, axis, start, end):
    where = [slice(None)] * array.ndim
    where[axis] = slice(start, end)
    return array[tuple(where)]


class Numpy:
    version = np.__version__

    def ways(self, case):
        yield lambda: [np.copyto(to, of) for to, of in case.copies]
        if len(case.copies) == 1:
            (to, of), = case.copies
            yield lambda: np.copyto(to, of)
        if case.operator == "gather":
            indices, axis = np.array(case.list("indices")), int(case.option["--axis"])
            yield lambda: np.take(case.x, indices, axis, case.outputs[0], "clip")
        if case.operator == "concat":
            yield lambda: np.concatenate(case.inputs, int(case.option["--axis"]), case.outputs[0])


class Torch:
    def __init__(self):
        import torch
        torch.set_num_threads(threads)
        self.torch, self.version = torch, torch.__version__

    def tensor(self, view):
        signed = {1: np.uint8, 2: np.float16, 4: np.float32}[view.itemsize]
        return self.torch.from_numpy(view.view(signed) if view.flags.writeable else
                                     np.lib.stride_tricks.as_strided(view.view(signed)))

    def ways(self, case):
        torch, tensor = self.torch, self.tensor
        inputs, outputs = [tensor(x) for x in case.inputs], [tensor(y) for y in case.outputs]
        if case.operator == "flip":
            axes = case.list("axes")
            yield lambda: self.back(case, torch.flip(inputs[0], axes))
            return
        if case.operator == "gather":
            indices, axis = torch.tensor(case.list("indices")), int(case.option["--axis"])
            yield lambda: torch.index_select(inputs[0], axis, indices, out=outputs[0])
        if case.operator == "concat":
            yield lambda: torch.cat(inputs, int(case.option["--axis"]), out=outputs[0])
        if case.operator == "pad" and "--mode" not in case.option:
            pads, rank = case.list("pads"), case.x.ndim
            both = [n for d in reversed(range(rank)) for n in (pads[d], pads[rank + d])]
            yield lambda: self.back(case, torch.nn.functional.pad(inputs[0], both))
        import warnings
        warnings.simplefilter("ignore")
        copies = [(tensor(to), tensor(of)) for to, of in case.copies]
        if len(copies) == 1:
            (to, of), = copies
            yield lambda: to.copy_(of)
        else:
            yield lambda: [to.copy_(of) for to, of in copies]

    def back(self, case, result):
        """A result in memory of the library's own; for comparing only."""
        if case.compares:
            case.outputs[0][...] = result.numpy().view(case.x.dtype)


class Onednn:
    """Reorders between descriptions with strides, by the C interface."""

    def __init__(self):
        self.lib = ctypes.CDLL("libdnnl.so.2")
        version = ctypes.POINTER(ctypes.c_int)
        self.lib.dnnl_version.restype = version
        found = self.lib.dnnl_version()
        self.version = "%d.%d.%d" % (found[0], found[1], found[2])
        self.engine, self.stream = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("dnnl_engine_create", ctypes.byref(self.engine), 1, ctypes.c_size_t(0))
        self.call("dnnl_stream_create", ctypes.byref(self.stream), self.engine, 1)

    def call(self, name, *arguments):
        if getattr(self.lib, name)(*arguments):
            raise ValueError(name)

    def memory(self, view):
        longs = ctypes.c_int64 * 12
        kind = {1: 6, 2: 2, 4: 3}[view.itemsize]  # u8, bf16, f32
        md = ctypes.create_string_buffer(4096)
        strides = [s // view.itemsize for s in view.strides]
        if any(s <= 0 for s, n in zip(strides, view.shape) if n > 1):
            raise ValueError("strides")
        self.call("dnnl_memory_desc_init_by_strides", md, view.ndim, longs(*view.shape), kind,
                  longs(*strides))
        memory = ctypes.c_void_p()
        self.call("dnnl_memory_create", ctypes.byref(memory), md, self.engine,
                  ctypes.c_void_p(view.__array_interface__["data"][0]))
        return md, memory

    def reorder(self, to, of):
        class Argument(ctypes.Structure):
            _fields_ = [("arg", ctypes.c_int), ("memory", ctypes.c_void_p)]
        (from_md, source), (to_md, target) = self.memory(of), self.memory(to)
        description, primitive = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("dnnl_reorder_primitive_desc_create", ctypes.byref(description), from_md,
                  self.engine, to_md, self.engine, None)
        self.call("dnnl_primitive_create", ctypes.byref(primitive), description)
        arguments = (Argument * 2)((1, source), (17, target))
        execute, stream = self.lib.dnnl_primitive_execute, self.stream
        return lambda: execute(primitive, stream, 2, arguments)

    def ways(self, case):
        runs = [self.reorder(to, of) for to, of in case.copies]
        if len(runs) == 1:
            yield runs[0]
        else:
            yield lambda: [run() for run in runs]

    def overhead(self, case):
        """What calling from Python takes, which is not the library's."""
        nothing = ctypes.CDLL(None).labs
        arguments = (ctypes.c_int64 * 4)()
        primitive = ctypes.c_void_p()
        for _ in range(1000):
            nothing(primitive, self.stream, 2, arguments)
        start = clock()
        for _ in range(1000):
            nothing(primitive, self.stream, 2, arguments)
        return (clock() - start) / 1000 * len(case.copies)


class Opencv:
    def __init__(self):
        import cv2
        cv2.setNumThreads(threads)
        self.cv2, self.version = cv2, cv2.__version__

    def ways(self, case):
        cv2, x, outs = self.cv2, case.x, case.outputs
        kind = {1: np.uint8, 2: np.uint16, 4: np.float32}[case.bytes]
        inputs = [i.view(kind) for i in case.inputs]
        x, outs = inputs[0], [o.view(kind) for o in outs]
        yield from getattr(self, case.operator, lambda *_: ())(case, x, inputs, outs)

    def transpose(self, case, x, inputs, outs):
        cv2, perm, out = self.cv2, case.list("perm"), outs[0]
        x, perm = merged(x, perm)
        if perm == [1, 0]:
            flat = out.reshape(x.shape[::-1])
            yield lambda: cv2.transpose(x, flat)
            if x.shape[0] <= 4:
                planes = list(x)
                target = out.reshape(1, -1, x.shape[0])
                yield lambda: cv2.merge([p.reshape(1, -1) for p in planes], target)
            if x.shape[1] <= 4:
                image, planes = x.reshape(1, *x.shape), [p.reshape(1, -1) for p in flat]
                yield lambda: cv2.split(image, planes)
        yield lambda: cv2.transposeND(x, perm, out.reshape([x.shape[p] for p in perm]))

    def flip(self, case, x, inputs, outs):
        if case.list("axes") == [2] and x.shape[2] > 4:
            flat, out = x.reshape(-1, x.shape[2]), outs[0].reshape(-1, x.shape[2])
            yield lambda: self.cv2.flip(flat, 1, out)
        elif x.shape[2] == 3:
            yield lambda: self.cv2.cvtColor(x, self.cv2.COLOR_RGB2BGR, outs[0])

    def gather(self, case, x, inputs, outs):
        pairs = [n for k, i in enumerate(case.list("indices")) for n in (i, k)]
        yield lambda: self.cv2.mixChannels([x], outs, pairs)
        yield lambda: self.cv2.cvtColor(x, self.cv2.COLOR_RGBA2BGRA, outs[0])

    def slice(self, case, x, inputs, outs):
        if case.list("axes") == [2] and "--steps" not in case.option:
            start, end = case.list("starts")[0], case.list("ends")[0]
            if end - start == 1:
                yield lambda: self.cv2.extractChannel(x, start, outs[0].reshape(x.shape[:2]))
            else:
                yield lambda: self.cv2.cvtColor(x, self.cv2.COLOR_RGBA2RGB, outs[0])

    def concat(self, case, x, inputs, outs):
        if case.option["--axis"] == "2":
            yield lambda: self.cv2.mixChannels(inputs, outs, [0, 0, 1, 1, 2, 2, 3, 3])

    def split(self, case, x, inputs, outs):
        image = x if x.ndim == 3 else x.reshape(1, *x.shape)
        planes = [o.reshape(image.shape[:2]) for o in outs]
        yield lambda: self.cv2.split(image, planes)

    def resize(self, case, x, inputs, outs):
        scales = case.list("scales")
        flat = x.reshape(-1, x.shape[-1])
        size = (x.shape[-1] * scales[-1], flat.shape[0] * scales[-2])
        out = outs[0].reshape(size[::-1])
        yield lambda: self.cv2.resize(flat, size, out, 0, 0, self.cv2.INTER_NEAREST)


def merged(x, perm):
    """A transpose without dimensions of 1, and with those joined that stay together."""
    shape = list(x.shape)
    perm = [p for p in perm if shape[p] > 1]
    groups = []
    for p in perm:
        if groups and all(shape[k] == 1 for k in range(groups[-1][-1] + 1, p)) and \
                p > groups[-1][-1]:
            groups[-1].append(p)
        else:
            groups.append([p])
    order = sorted(groups)
    extents = [int(np.prod([shape[p] for p in group])) for group in order]
    return x.reshape(extents), [order.index(group) for group in groups]


def is_right(case, way):
    for out in case.outputs:
        out[...] = 0
    case.compares = True
    way()
    case.compares = False
    return all(np.array_equal(a, b) for a, b in zip(case.outputs, case.expected))


def measure(way, repeats):
    start = clock()
    for _ in repeats:
        way()
    return (clock() - start) / len(repeats)


def prepare(library, words):
    """The case and the fastest function for it, or None."""
    case = Case(words)
    for to, of in case.copies:
        np.copyto(to, of)
    case.expected = [out.copy() for out in case.outputs]
    best, ways = None, library.ways(case)
    while True:
        try:
            way = next(ways, None)
            if way is None:
                break
            if is_right(case, way):
                taken = min(measure(way, range(1)) for _ in range(3))
                best = min(best or (taken, 0, way), (taken, 1, way), key=lambda b: b[0])
        except Exception:  # the library has no function for these
            continue
    case.overhead = library.overhead(case) if best and hasattr(library, "overhead") else 0
    return case, best and best[2]


def main():
    try:
        library = {"numpy": Numpy, "pytorch": Torch, "onednn": Onednn, "opencv": Opencv}[peer]()
    except (ImportError, OSError):
        return
    print(library.version, flush=True)
    case = way = same = None
    before = []  # cases as this one: it is to have memory of its own
    for line in sys.stdin:
        words = line.split()
        if words[0] == "prepare":
            if words == same:
                before.append(case)
            else:
                before.clear()
            same = words
            case, way = prepare(library, words[1:])
            print("yes" if way else "no", flush=True)
        else:
            taken = measure(way, range(int(words[1])))
            print(max(taken - case.overhead, 1), flush=True)


main()
