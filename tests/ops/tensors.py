# SPDX-License-Identifier: Apache-2.0
"""Random tensors, and cases as test_ops_cases reads them."""
import pathlib
import random
import struct
import sys

import numpy as np

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(SOURCE / "python"))
sys.dont_write_bytecode = True
import generate  # noqa: E402

KINDS = [row["command"] for row in generate.read_operators(SOURCE)]
LISTS = ["perm", "axes", "starts", "ends", "steps", "pads", "indices", "indices_shape",
         "condition", "shape", "split", "repeats", "shift", "kernel", "strides", "dilations",
         "sizes", "sequence_lens"]
REALS = ["scales", "roi"]
TEXTS = ["pattern", "lengths"]
SCALARS = ["mode", "layout", "coordinate", "nearest", "aspect", "format", "has_axis",
           "has_indices_shape", "axis", "blocksize", "groups", "num_outputs", "addend", "k", "lower", "depth",
           "batch_axis", "time_axis", "bits", "type", "batch_dims"]
MODES = {"constant": 0, "edge": 1, "reflect": 2, "wrap": 3, "DCR": 4, "CRD": 5,
         "linear": 6, "circular": 7, "apart": 8, "first": 9, "symmetric": 10}
DTYPES = {4: np.uint8, 8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64,
          128: np.dtype("V16"), 256: np.dtype("V32")}

rng = random.Random()
noise = np.random.RandomState()


class Tensor:
    """An array in a buffer; 4-bit elements are one to a byte here and packed when written."""

    def __init__(self, shape, bits, dense=False):
        self.bits = bits
        self.unit = 1 if bits == 4 else bits // 8
        shape = tuple(int(n) for n in shape)
        order = list(range(len(shape)))
        if not dense and rng.random() < 0.5:
            rng.shuffle(order)
        strides = [0] * len(shape)
        step = self.unit
        for d in reversed(order):
            strides[d] = step
            step *= max(shape[d], 1)
            if not dense and rng.random() < 0.2:
                step += rng.randrange(1, 70)
        low = 0
        for d, n in enumerate(shape):
            if not dense and n > 0 and rng.random() < 0.08:
                low += (n - 1) * strides[d]
                strides[d] = -strides[d]
        self.offset = low + (0 if dense else rng.randrange(3))
        reach = self.offset - low
        for n, s in zip(shape, strides):
            reach += max(n - 1, 0) * abs(s)
        size = reach + self.unit + (0 if dense else rng.randrange(4))
        if bits == 4:
            size += size % 2
        self.buffer = noise.randint(0, 16 if bits == 4 else 256, size, dtype=np.uint8)
        self.strides = strides
        self.array = np.ndarray(shape, DTYPES[bits], self.buffer, self.offset, strides)

    def packed(self):
        if self.bits == 4:
            return (self.buffer[0::2] | self.buffer[1::2] << 4).tobytes()
        return self.buffer.tobytes()

    def header(self):
        size = len(self.buffer) // (2 if self.bits == 4 else 1)
        return struct.pack("<%dq" % (4 + 2 * self.array.ndim), self.array.ndim, self.bits,
                           self.offset, size, *self.array.shape, *self.strides)


def write_case(pipe, kind, attributes, inputs, outputs, results):
    numbers = [1, KINDS.index(kind)]
    numbers += [int(attributes.get(name, 0)) for name in SCALARS]
    for name in ("value", "on"):
        value = int(attributes.get(name, 0))
        numbers += [value >> 64 * word & 2 ** 64 - 1 for word in range(4)]
    for name in LISTS:
        values = [int(v) for v in attributes.get(name, [])]
        numbers += [len(values)] + values
    for name in REALS:
        values = attributes.get(name, [])
        numbers += [len(values)] + list(struct.unpack("<%dq" % len(values),
                                                      struct.pack("<%dd" % len(values), *values)))
    for name in TEXTS:
        text = attributes.get(name, "").encode()
        numbers += [len(text), *text]
    scratch = attributes.get("scratch", rng.choice([0, 500, 2 ** 62, 2 ** 62]))
    numbers += [rng.random() < 0.05, scratch]
    numbers.append(len(inputs))
    pipe.write(struct.pack("<%dq" % len(numbers), *[n - 2 ** 64 if n >= 2 ** 63 else n
                                                    for n in numbers]))
    for t in inputs:
        pipe.write(t.header() + t.packed())
    pipe.write(struct.pack("<q", len(outputs)))
    for t, result in zip(outputs, results):
        assert t.array.shape == result.shape, (kind, t.array.shape, result.shape)
        pipe.write(t.header() + t.packed())
        t.array[...] = result
        pipe.write(t.packed())


def extent():
    kind = rng.random()
    if kind < 0.12:
        return 1
    if kind < 0.14:
        return 0
    if kind < 0.75:
        return rng.randrange(2, 9)
    if kind < 0.95:
        return rng.choice([3, 7, 8, 14, 16, 17, 31, 32, 33, 49, 56, 64])
    return rng.randrange(60, 200)


def shape(rank=None, limit=6000):
    rank = rng.randrange(0, 6) if rank is None else rank
    if rng.random() < 0.02:
        rank = 8
    while True:
        result = [extent() for _ in range(rank)]
        if np.prod([max(n, 1) for n in result], dtype=object) <= limit:
            return result


def shape4():
    while True:
        result = shape(4)
        if len(result) == 4:
            return result


def element():
    return rng.choice([4, 4, 8, 8, 8, 8, 8, 8, 16, 16, 16, 16, 32, 32, 32, 32, 64, 64, 128, 256])


def elements(bits, values):
    """Numbers as elements of so many bits."""
    dtype = np.dtype(DTYPES[bits])
    numbers = np.asarray(values, object)
    raw = b"".join(int(v).to_bytes(dtype.itemsize, "little") for v in numbers.ravel())
    return np.frombuffer(raw, dtype).reshape(numbers.shape)


def signed(axis, rank):
    return axis - rank if rng.random() < 0.2 else axis
