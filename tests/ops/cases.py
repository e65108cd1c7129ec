#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Random cases for every operator, with what numpy makes of them.

usage: cases.py COUNT SEED DRIVER [OPERATOR]     pipes COUNT cases into DRIVER
       cases.py table DEF DRIVER [BYTES]         the benchmark's table, outputs up to BYTES
       cases.py ways COUNT DRIVER                COUNT larger cases, for ways that small ones miss
       cases.py engines DEF DRIVER [COUNT]       COUNT cases and the small ones of the table, on
                                                 every engine
"""
import functools
import itertools
import random
import re
import struct
import subprocess
import sys
from fractions import Fraction

import numpy as np

KINDS = ["transpose", "reshape", "flatten", "squeeze", "unsqueeze", "concat", "split", "slice",
         "pad", "gather", "compress", "tile", "expand", "roll", "flip", "depth-to-space",
         "space-to-depth", "resize", "where", "im2col", "col2im", "focus", "add", "fill"]
LISTS = ["perm", "axes", "starts", "ends", "steps", "pads", "indices", "condition", "shape",
         "split", "repeats", "shift", "scales", "kernel", "strides", "dilations"]
SCALARS = ["mode", "layout", "has_axis", "axis", "blocksize", "groups", "value", "addend", "type"]
MODES = {"constant": 0, "edge": 1, "reflect": 2, "wrap": 3, "DCR": 4, "CRD": 5}
DTYPES = {4: np.uint8, 8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}
# In the order of isa/type.def: (bits, None for integers or (exponent bits, fraction bits, bias,
# how the highest exponent is used)).
TYPES = [("byte", 8, None), ("int4", 4, None), ("int8", 8, None), ("int16", 16, None),
         ("int32", 32, None), ("fp4", 4, (2, 1, 1, "finite")),
         ("e4m3", 8, (4, 3, 7, "one NaN")), ("fp8_e5m2", 8, (5, 2, 15, "IEEE")),
         ("e3m4", 8, (3, 4, 3, "IEEE")), ("fp16", 16, (5, 10, 15, "IEEE")),
         ("bf16", 16, (8, 7, 127, "IEEE")), ("fp32", 32, (8, 23, 127, "IEEE"))]

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
    for name in LISTS:
        values = [int(v) for v in attributes.get(name, [])]
        numbers += [len(values)] + values
    numbers += [rng.random() < 0.05, rng.choice([0, 500, 2 ** 62, 2 ** 62])]
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
    return rng.choice([4, 8, 8, 8, 16, 16, 32, 32, 64])


def signed(axis, rank):
    return axis - rank if rng.random() < 0.2 else axis


def op_transpose():
    a = Tensor(shape(), element())
    perm = list(range(a.array.ndim))
    rng.shuffle(perm)
    return {"perm": perm}, [a], [a.array.transpose(perm)]


def refactor(total):
    result = []
    while total > 1 and len(result) < 6:
        divisors = [d for d in range(2, min(total, 64) + 1) if total % d == 0]
        if not divisors:
            break
        d = rng.choice(divisors)
        result.append(d)
        total //= d
    result.append(total)
    rng.shuffle(result)
    return result


def op_reshape():
    a = Tensor(shape(), element())
    if a.array.size == 0:
        return {"shape": [0] if a.array.ndim == 0 else []} if False else \
            ({"shape": list(a.array.shape)}, [a], [a.array])
    new = refactor(a.array.size)
    asked = list(new)
    if rng.random() < 0.3:
        asked[rng.randrange(len(asked))] = -1
    return {"shape": asked}, [a], [a.array.reshape(new)]


def op_flatten():
    a = Tensor(shape(), element())
    axis = rng.randrange(a.array.ndim + 1)
    rows = int(np.prod(a.array.shape[:axis]))
    columns = int(np.prod(a.array.shape[axis:]))
    return {"has_axis": 1, "axis": axis}, [a], [a.array.reshape(rows, columns)]


def op_squeeze():
    a = Tensor(shape(), element())
    axes = [d for d, n in enumerate(a.array.shape) if n == 1 and rng.random() < 0.7]
    if not axes:
        return {}, [a], [a.array.squeeze()]
    return {"axes": [signed(d, a.array.ndim) for d in axes]}, [a], [a.array.squeeze(tuple(axes))]


def op_unsqueeze():
    a = Tensor(shape(rng.randrange(0, 5)), element())
    if a.array.ndim > 6:
        return op_unsqueeze()
    axes = rng.sample(range(a.array.ndim + 2), 2)
    return {"axes": axes}, [a], [np.expand_dims(a.array, tuple(axes))]


def op_concat():
    first = shape(rng.randrange(1, 5), 6000)
    bits = element()
    axis = rng.randrange(len(first))
    inputs = []
    for _ in range(rng.randrange(1, 5)):
        one = list(first)
        one[axis] = extent() if rng.random() < 0.5 else first[axis]
        inputs.append(Tensor(one, bits))
    return ({"axis": signed(axis, len(first))}, inputs,
            [np.concatenate([t.array for t in inputs], axis)])


def op_split():
    a = Tensor(shape(rng.randrange(1, 5)), element())
    axis = rng.randrange(a.array.ndim)
    n = a.array.shape[axis]
    cuts = sorted(rng.randrange(n + 1) for _ in range(rng.randrange(0, 4)))
    parts = np.diff([0] + cuts + [n])
    return {"axis": axis, "split": list(parts)}, [a], np.split(a.array, cuts, axis)


def op_slice():
    a = Tensor(shape(rng.randrange(1, 5)), element())
    axes = rng.sample(range(a.array.ndim), rng.randrange(1, a.array.ndim + 1))
    starts, ends, steps, index = [], [], [], [slice(None)] * a.array.ndim
    for d in axes:
        n = a.array.shape[d]
        step = rng.choice([1, 1, 1, 2, 3, -1, -1, -2, 5])
        start, end = rng.randrange(-n - 2, n + 3), rng.randrange(-n - 2, n + 3)
        if rng.random() < 0.5:
            start, end = (0, 10 ** 9) if step > 0 else (10 ** 9, -10 ** 9)
        starts.append(start)
        ends.append(end)
        steps.append(step)
        index[d] = slice(start, end, step)
    return ({"axes": axes, "starts": starts, "ends": ends, "steps": steps}, [a],
            [a.array[tuple(index)]])


def op_pad():
    mode = rng.choice(["constant", "constant", "edge", "reflect", "wrap"])
    a = Tensor(shape(rng.randrange(1, 5), 6000), element())
    pads = []
    for n in a.array.shape:
        most = {"constant": 4, "edge": 4 if n else 0, "reflect": min(4, max(n - 1, 0)),
                "wrap": min(n, 4)}[mode]
        pads.append((rng.randrange(most + 1), rng.randrange(most + 1)))
    value = rng.choice([0, 0, rng.getrandbits(a.bits)])
    extra = {"constant_values": DTYPES[a.bits](value)} if mode == "constant" else {}
    crop = mode == "constant" and rng.random() < 0.15 and all(n > 3 for n in a.array.shape)
    result = np.pad(a.array, pads, mode, **extra)
    begins, ends = [p[0] for p in pads], [p[1] for p in pads]
    if crop:
        d = rng.randrange(a.array.ndim)
        result = np.take(result, range(begins[d] + 1, result.shape[d]), d)
        begins[d] = -1
    return {"pads": begins + ends, "mode": MODES[mode], "value": value}, [a], [result]


def op_gather():
    a = Tensor(shape(rng.randrange(1, 5)), element())
    axis = rng.randrange(a.array.ndim)
    n = a.array.shape[axis]
    indices = [rng.randrange(-n, n) for _ in range(rng.randrange(0, 20))] if n else []
    if n > 8 and rng.random() < 0.3:
        indices = list(range(1, n, 2)) + list(range(n - 1, 0, -3))
    return ({"axis": axis, "indices": indices}, [a],
            [np.take(a.array, np.array(indices, dtype=np.int64), axis)])


def op_compress():
    a = Tensor(shape(rng.randrange(1, 5), 3000), element())
    if rng.random() < 0.4:
        condition = [rng.random() < 0.7 for _ in range(rng.randrange(a.array.size + 1))]
        return {"condition": condition}, [a], [np.compress(condition, a.array)]
    axis = rng.randrange(a.array.ndim)
    condition = [rng.random() < 0.5 for _ in range(rng.randrange(a.array.shape[axis] + 1))]
    return ({"has_axis": 1, "axis": axis, "condition": condition}, [a],
            [np.compress(condition, a.array, axis)])


def op_tile():
    a = Tensor(shape(rng.randrange(0, 5), 2000), element())
    repeats = [rng.choice([1, 1, 2, 3, 0, 4]) for _ in a.array.shape]
    return {"repeats": repeats}, [a], [np.tile(a.array, repeats)]


def op_expand():
    full = shape(rng.randrange(0, 5), 8000)
    own = [1 if rng.random() < 0.4 else n for n in full]
    own = own[rng.randrange(len(own) + 1):] if rng.random() < 0.5 else own
    a = Tensor(own, element())
    asked = [1 if n == m and rng.random() < 0.3 else m
             for n, m in zip([0] * (len(full) - len(own)) + own, full)]
    return {"shape": asked}, [a], [np.broadcast_to(a.array, np.broadcast_shapes(own, asked))]


def op_roll():
    a = Tensor(shape(rng.randrange(1, 5)), element())
    axes = rng.sample(range(a.array.ndim), rng.randrange(1, a.array.ndim + 1))[:3]
    shift = [rng.randrange(-70, 70) for _ in axes]
    return {"axes": axes, "shift": shift}, [a], [np.roll(a.array, shift, axes)]


def op_flip():
    a = Tensor(shape(rng.randrange(1, 5)), element())
    axes = rng.sample(range(a.array.ndim), rng.randrange(1, a.array.ndim + 1))
    return {"axes": axes}, [a], [np.flip(a.array, axes)]


def blocks(to_space):
    n, c, h, w = shape4()
    r = rng.choice([1, 2, 2, 3, 4])
    mode = rng.choice(["DCR", "CRD"])
    n, c, h, w = min(n, 3), min(c, 8), min(h, 40), min(w, 70)
    if to_space:
        a = Tensor([n, c * r * r, h, w], element())
        if mode == "DCR":
            b = a.array.reshape(n, r, r, c, h, w).transpose(0, 3, 4, 1, 5, 2)
        else:
            b = a.array.reshape(n, c, r, r, h, w).transpose(0, 1, 4, 2, 5, 3)
        result = b.reshape(n, c, h * r, w * r)
    else:
        a = Tensor([n, c, h * r, w * r], element())
        b = a.array.reshape(n, c, h, r, w, r)
        b = b.transpose((0, 3, 5, 1, 2, 4) if mode == "DCR" else (0, 1, 3, 5, 2, 4))
        result = b.reshape(n, c * r * r, h, w)
    return {"blocksize": r, "mode": MODES[mode]}, [a], [result]


def op_depth_to_space():
    return blocks(True)


def op_space_to_depth():
    return blocks(False)


def op_resize():
    a = Tensor(shape(rng.randrange(1, 5), 3000), element())
    scales = [rng.choice([1, 1, 2, 3, 4]) for _ in a.array.shape]
    result = a.array
    for d, s in enumerate(scales):
        result = np.repeat(result, s, d)
    return {"scales": scales}, [a], [result]


def op_where():
    full = shape(rng.randrange(0, 5), 6000)
    bits = element()
    tensors = []
    for k in range(3):
        own = [1 if rng.random() < 0.2 else n for n in full]
        own = own[rng.randrange(len(own) + 1):] if rng.random() < 0.2 else own
        tensors.append(Tensor(own, 8 if k == 0 else bits))
    tensors[0].array[...] = noise.randint(0, 2, tensors[0].array.shape)
    result = np.where(tensors[0].array != 0, tensors[1].array, tensors[2].array)
    return {}, tensors, [result]


def patches():
    layout = rng.randrange(2)
    n, c = rng.randrange(1, 3), rng.choice([1, 2, 3, 4, 6, 8, 16])
    h, w = rng.randrange(1, 24), rng.choice([1, 5, 8, 16, 17, 32, 40])
    groups = rng.choice([g for g in (1, 1, 1, 2, 3) if c % g == 0])
    k = [rng.randrange(1, 4), rng.randrange(1, 4)]
    s = [rng.randrange(1, 4), rng.randrange(1, 4)]
    d = [rng.randrange(1, 3), rng.randrange(1, 3)]
    p = [rng.randrange(0, 3) for _ in range(4)]
    out = [(m + p[i] + p[i + 2] - (k[i] - 1) * d[i] - 1) // s[i] + 1 for i, m in ((0, h), (1, w))]
    if min(h + p[0] + p[2] - (k[0] - 1) * d[0], w + p[1] + p[3] - (k[1] - 1) * d[1]) < 1:
        return patches()
    image = [n, c, h, w] if layout == 0 else [n, h, w, c]
    attributes = {"layout": layout, "groups": groups, "kernel": k, "strides": s, "dilations": d,
                  "pads": p}
    return attributes, image, (n, c, h, w), out


def columns_of(a, attributes, size, out):
    """[n, c, ky, kx, oy, ox] of an NCHW array."""
    n, c, h, w = size
    k, s, d, p = (attributes[x] for x in ("kernel", "strides", "dilations", "pads"))
    padded = np.zeros((n, c, h + p[0] + p[2], w + p[1] + p[3]), a.dtype)
    padded[:, :, p[0]:p[0] + h, p[1]:p[1] + w] = a
    result = np.zeros((n, c, k[0], k[1], out[0], out[1]), a.dtype)
    for y, x in itertools.product(range(k[0]), range(k[1])):
        result[:, :, y, x] = padded[:, :, y * d[0]:y * d[0] + (out[0] - 1) * s[0] + 1:s[0],
                                    x * d[1]:x * d[1] + (out[1] - 1) * s[1] + 1:s[1]]
    return result


def column_shape(columns, attributes):
    n, c, ky, kx, oy, ox = columns.shape
    g = attributes["groups"]
    columns = columns.reshape(n, g, c // g, ky, kx, oy, ox)
    if attributes["layout"] == 0:
        result = columns.reshape(n, g, c // g * ky * kx, oy * ox)
    else:
        result = columns.transpose(0, 1, 5, 6, 3, 4, 2).reshape(n, g, oy * ox, ky * kx * (c // g))
    return result if g > 1 else result[:, 0]


def op_im2col():
    attributes, image, size, out = patches()
    a = Tensor(image, element())
    nchw = a.array if attributes["layout"] == 0 else a.array.transpose(0, 3, 1, 2)
    return attributes, [a], [column_shape(columns_of(nchw, attributes, size, out), attributes)]


def op_col2im():
    attributes, image, size, out = patches()
    n, c, h, w = size
    k, s, d, p = (attributes[x] for x in ("kernel", "strides", "dilations", "pads"))
    bits = element()
    full = noise.randint(0, 16, (n, c, k[0], k[1], out[0], out[1])).astype(DTYPES[bits])
    columns = column_shape(full, attributes)
    a = Tensor(columns.shape, bits)
    a.array[...] = columns
    result = np.zeros(size, DTYPES[bits])
    for y, x in itertools.product(range(h), range(w)):
        place = []
        for i, at in ((0, y), (1, x)):
            for tap in range(k[i]):
                q = at + p[i] - tap * d[i]
                if q >= 0 and q % s[i] == 0 and q // s[i] < out[i]:
                    place.append((tap, q // s[i]))
                    break
        if len(place) == 2:
            result[:, :, y, x] = full[:, :, place[0][0], place[1][0], place[0][1], place[1][1]]
    if attributes["layout"] == 1:
        result = result.transpose(0, 2, 3, 1)
    return dict(attributes, shape=image), [a], [result]


def op_focus():
    n, c, h, w = shape4()
    r = rng.choice([1, 2, 2, 3])
    last = rng.random() < 0.5
    c, h, w = min(c, 20), min(h, 20) * r, min(w, 40) * r
    a = Tensor([n, h, w, c] if last else [n, c, h, w], element())
    parts = [a.array[:, i::r, j::r] if last else a.array[:, :, i::r, j::r]
             for j in range(r) for i in range(r)]
    axis = 3 if last else 1
    return {"axis": axis, "blocksize": r}, [a], [np.concatenate(parts, axis)]


def split_float(bits, form):
    """(kind, value): the exact value as a fraction."""
    exponent_bits, fraction_bits, bias, top = form
    fraction = bits & ((1 << fraction_bits) - 1)
    exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1)
    sign = -1 if bits >> (exponent_bits + fraction_bits) else 1
    if exponent == (1 << exponent_bits) - 1:
        if top == "IEEE":
            return ("NaN" if fraction else "infinity"), sign
        if top == "one NaN" and fraction == (1 << fraction_bits) - 1:
            return "NaN", sign
    if exponent == 0:
        return "finite", sign * Fraction(fraction) * Fraction(2) ** (1 - bias - fraction_bits)
    return "finite", (sign * Fraction((1 << fraction_bits) + fraction)
                      * Fraction(2) ** (exponent - bias - fraction_bits))


def round_float(value, form):
    """The exact value rounded once, ties to even; the largest finite number where it overflows."""
    exponent_bits, fraction_bits, bias, top = form
    largest = (1 << (exponent_bits + fraction_bits)) - 1
    largest -= {"finite": 0, "one NaN": 1, "IEEE": 1 << fraction_bits}[top]
    if value == 0:
        return 0
    sign = 1 << (exponent_bits + fraction_bits) if value < 0 else 0
    value = abs(value)
    scale = max(value.numerator.bit_length() - value.denominator.bit_length(), 1 - bias) - 1
    while Fraction(2) ** (scale + 1) <= value:
        scale += 1
    scale = max(scale, 1 - bias)
    units = round(value / Fraction(2) ** (scale - fraction_bits))
    if units == 0:
        return 0
    return sign | min(((scale + bias - 1) << fraction_bits) + units, largest)


@functools.lru_cache(maxsize=None)
def add_float(bits, form, addend):
    exponent_bits, fraction_bits, _, top = form
    kind, value = split_float(bits, form)
    if kind == "infinity":
        return bits
    if kind == "NaN":
        ones = ((1 << exponent_bits) - 1) << fraction_bits
        quiet = (1 << fraction_bits) - 1 if top == "one NaN" else 1 << (fraction_bits - 1)
        return ones | quiet
    return round_float(value + addend, form)


def interesting(bits):
    """Numbers that the contract names: zeros, ends of the range, infinities, NaN, subnormals."""
    low = rng.choice([0, 0, 1, 2, (1 << (bits - 2)) - 1, rng.getrandbits(bits)])
    top = (1 << (bits - 1)) - 1
    return (rng.choice([low, top - low]) | rng.choice([0, 1 << (bits - 1)])) & ((1 << bits) - 1)


def op_add():
    index = rng.randrange(len(TYPES))
    name, bits, form = TYPES[index]
    a = Tensor(shape(None, 6000 if form is None else 400), bits)
    for place in np.ndindex(a.array.shape):
        if rng.random() < 0.2:
            a.array[place] = interesting(bits)
    addend = rng.randrange(-128, 128)
    if form:
        values = [add_float(int(v), form, addend) for v in a.array.ravel()]
        if name in ("fp16", "fp32"):
            check_with_numpy(a.array, values, addend)
        result = np.array(values, DTYPES[bits]).reshape(a.array.shape)
        return {"addend": addend, "type": index}, [a], [result]
    low, high = (0, 255) if name == "byte" else (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    values = a.array.astype(np.int64)
    values = np.where(values > high, values - (1 << bits), values)
    result = (np.clip(values + addend, low, high) & ((1 << bits) - 1)).astype(DTYPES[bits])
    return {"addend": addend, "type": index}, [a], [result]


def check_with_numpy(array, values, addend):
    """numpy's own sum, except where the contract saturates and for NaN and -0."""
    dtype = np.float16 if array.dtype == np.uint16 else np.float32
    numbers = np.ascontiguousarray(array).view(dtype).ravel()
    with np.errstate(all="ignore"):
        sums = numbers + dtype(addend)
    expected = np.where(np.isinf(sums) & np.isfinite(numbers),
                        np.copysign(np.finfo(dtype).max, sums), sums)
    ours = np.array(values, array.dtype).view(dtype)
    assert np.array_equal(ours, expected, equal_nan=True), (addend, ours, expected)


def op_fill():
    a = Tensor(shape(), element())
    value = rng.getrandbits(a.bits)
    return {"value": value}, [a], [np.full(a.array.shape, value, DTYPES[a.bits])]


def write_random(pipe, kind):
    attributes, inputs, results = globals()["op_" + kind.replace("-", "_")]()
    dense = rng.random() < 0.5
    outputs = [Tensor(r.shape, inputs[-1].bits, dense) for r in results]
    write_case(pipe, kind, attributes, inputs, outputs, results)


def way_backwards():
    """Runs that go backwards, alone and inside rows."""
    rows, n = rng.choice([(1, rng.randrange(1000, 40000)),
                          (rng.randrange(2, 60), rng.randrange(40, 700))])
    a = Tensor([rows, n], rng.choice([8, 16, 32]), True)
    axes = rng.choice([[1], [0, 1]])
    return "flip", {"axes": axes}, [a], np.flip(a.array, axes)


def way_blocks():
    """Transposes of rows of any length, many of them: chunks through several rows."""
    rows, n = 64 * rng.randrange(2, 13), rng.randrange(17, 130)
    batch = rng.choice([1, 1, 2, 3])
    a = Tensor([batch, rows, n] if rng.random() < 0.5 else [batch, n, rows],
               rng.choice([8, 8, 16, 32]), True)
    return "transpose", {"perm": [0, 2, 1]}, [a], a.array.transpose(0, 2, 1)


def way_doubled():
    """Every element twice, in rows that continue each other."""
    a = Tensor([rng.randrange(1, 5), rng.randrange(20, 150), rng.randrange(1, 70)],
               rng.choice([8, 16, 32, 64]), True)
    scales = [1, rng.randrange(1, 4), 2]
    return "resize", {"scales": scales}, [a], a.array.repeat(scales[1], 1).repeat(2, 2)


def way_woven():
    """Three planes to interleaved elements and back."""
    n = rng.randrange(32, 3000)
    a = Tensor(rng.choice([[2, n, 3], [2, 3, n]]), rng.choice([8, 16, 32, 64]), True)
    return "transpose", {"perm": [0, 2, 1]}, [a], a.array.transpose(0, 2, 1)


def way_beside():
    """Narrow parts of equal width in a row, then a wider one."""
    rows, width, bits = rng.randrange(200, 3000), rng.randrange(1, 9), rng.choice([8, 16, 32])
    parts = [Tensor([rows, width], bits, True) for _ in range(rng.randrange(2, 5))]
    parts.append(Tensor([rows, rng.randrange(1, 60)], bits, True))
    return "concat", {"axis": 1}, parts, np.concatenate([t.array for t in parts], 1)


def way_taps():
    """Images that keep their size, or halve it, under a convolution."""
    c, h, w = rng.choice([1, 2, 3, 8, 40]), rng.randrange(9, 40), rng.randrange(9, 40)
    k, d = [rng.choice([1, 3, 5, 7]) for _ in range(2)], [rng.randrange(1, 3) for _ in range(2)]
    s = rng.choice([[1, 1], [1, 1], [2, 2], [1, 2], [2, 1], [3, 2]])
    p = [(k[i] - 1) * d[i] // 2 for i in range(2)] * 2
    layout = rng.randrange(2)
    attributes = {"layout": layout, "groups": rng.choice([1, 1, 1, c]), "kernel": k, "strides": s,
                  "dilations": d, "pads": p, "value": 0}
    a = Tensor([1, h, w, c] if layout else [1, c, h, w], rng.choice([8, 16, 32]), True)
    nchw = a.array.transpose(0, 3, 1, 2) if layout else a.array
    out = [(m + 2 * p[i] - (k[i] - 1) * d[i] - 1) // s[i] + 1 for i, m in ((0, h), (1, w))]
    if c * k[0] * k[1] * out[0] * out[1] > 200000:
        return way_taps()
    return ("im2col", attributes, [a],
            column_shape(columns_of(nchw, attributes, nchw.shape, out), attributes))


def way_stepped():
    """Every other element of rows, or of one long row."""
    a = Tensor(rng.choice([[rng.randrange(2, 60), rng.randrange(20, 500)],
                           [1, rng.randrange(500, 20000)]]), rng.choice([8, 16, 32]), True)
    start = rng.randrange(2)
    return ("slice", {"starts": [0, start], "ends": list(a.array.shape), "steps": [1, 2]}, [a],
            a.array[:, start::2])


def way_framed():
    """Borders of several widths around many rows."""
    shape3 = [rng.randrange(1, 30), rng.randrange(3, 40), rng.randrange(3, 40)]
    pads = [0 if d % 3 == 0 else rng.randrange(0, 4) for d in range(6)]
    a = Tensor(shape3, rng.choice([8, 16, 32, 64]), True)
    value = rng.choice([0, 0x1111111111111111, rng.getrandbits(a.bits)]) & ((1 << a.bits) - 1)
    result = np.pad(a.array, list(zip(pads[:3], pads[3:])),
                    constant_values=np.array(value, DTYPES[a.bits]))
    return "pad", {"pads": pads, "value": value}, [a], result


WAYS = [way_backwards, way_blocks, way_doubled, way_woven, way_beside, way_taps, way_framed,
        way_stepped]


def write_way(pipe, way):
    kind, attributes, inputs, result = way()
    output = Tensor(result.shape, inputs[0].bits, rng.random() < 0.8)
    write_case(pipe, kind, attributes, inputs, [output], [result])


def table_result(kind, options, arrays):
    """What numpy makes of a case of the table; options as given there."""
    a = arrays[0]

    def numbers(name):
        return [int(v) for v in options[name].split(",")]

    if kind == "transpose":
        return {"perm": numbers("perm")}, a.transpose(numbers("perm"))
    if kind in ("depth-to-space", "space-to-depth"):
        r = int(options["blocksize"])
        n, c, h, w = a.shape
        if kind == "depth-to-space":
            b = a.reshape(n, c // r // r, r, r, h, w).transpose(0, 1, 4, 2, 5, 3)
            b = b.reshape(n, c // r // r, h * r, w * r)
        else:
            b = a.reshape(n, c, h // r, r, w // r, r).transpose(0, 1, 3, 5, 2, 4)
            b = b.reshape(n, c * r * r, h // r, w // r)
        return {"blocksize": r, "mode": MODES["CRD"]}, b
    if kind == "roll":
        return ({"shift": numbers("shift"), "axes": numbers("axes")},
                np.roll(a, numbers("shift"), numbers("axes")))
    if kind == "focus":
        axis = int(options["axis"])
        parts = [a[:, i::2, j::2] if axis == 3 else a[:, :, i::2, j::2]
                 for j in range(2) for i in range(2)]
        return {"blocksize": 2, "axis": axis}, np.concatenate(parts, axis)
    if kind == "concat":
        axis = int(options["axis"])
        return {"axis": axis}, np.concatenate(arrays, axis)
    if kind == "expand":
        return {"shape": numbers("shape")}, np.broadcast_to(a, numbers("shape"))
    if kind == "pad":
        pads = numbers("pads")
        mode = options.get("mode", "constant")
        width = list(zip(pads[:a.ndim], pads[a.ndim:]))
        return {"pads": pads, "mode": MODES[mode]}, np.pad(a, width, mode)
    if kind == "resize":
        b = a
        for d, scale in enumerate(numbers("scales")):
            b = np.repeat(b, scale, d)
        return {"scales": numbers("scales")}, b
    if kind == "gather":
        indices = [rng.randrange(a.shape[0]) for _ in range(int(options["random"]))]
        return {"axis": 0, "indices": indices}, a[indices]
    if kind == "compress":
        condition = [rng.randrange(2) for _ in range(int(options["half"]))]
        return ({"has_axis": 1, "axis": 1, "condition": condition},
                np.compress(condition, a, 1))
    if kind == "im2col":
        layout = int(options.get("layout") == "NHWC")
        attributes = {"layout": layout, "groups": 1, "kernel": numbers("kernel"),
                      "pads": numbers("pads"),
                      "strides": numbers("strides") if "strides" in options else [1, 1],
                      "dilations": numbers("dilations") if "dilations" in options else [1, 1]}
        nchw = a.transpose(0, 3, 1, 2) if layout else a
        k, s, d, p = (attributes[x] for x in ("kernel", "strides", "dilations", "pads"))
        out = [(nchw.shape[i + 2] + p[i] + p[i + 2] - (k[i] - 1) * d[i] - 1) // s[i] + 1
               for i in range(2)]
        return attributes, column_shape(columns_of(nchw, attributes, nchw.shape, out), attributes)
    assert kind == "reshape"
    return {"shape": [-1]}, a.reshape(-1)


def write_table(pipe, path, limit, sizes=(8, 16, 32)):
    rows = re.findall(r'^ZTL_CASE\("(.*?)", *"(.*?)", *"(.*?)", *"(.*?)"\)',
                      open(path, encoding="utf-8").read(), re.M)
    assert len(rows) == 56
    for _, kind, shapes, text in rows:
        for bits in sizes:
            words = text.split()
            options = {words[i][2:]: words[i + 1] for i in range(0, len(words), 2)}
            extents = [[int(n) for n in one.split("x")] for one in shapes.split()]
            if extents == [[0]]:
                extents = [[(16 << 20) // (bits // 8)]]
            if np.prod(extents[0]) * bits // 8 > limit:
                continue
            inputs = [Tensor(e, bits, True) for e in extents]
            attributes, result = table_result(kind, options, [t.array for t in inputs])
            output = Tensor(result.shape, bits, True)
            write_case(pipe, kind, attributes, inputs, [output], [result])


def main():
    driver = sys.argv[3]
    engines = ["-e"] if sys.argv[1] == "engines" else []
    process = subprocess.Popen([driver, *engines], stdin=subprocess.PIPE)
    rng.seed(sys.argv[2])
    noise.seed(sum(sys.argv[2].encode()))
    try:
        if sys.argv[1] == "table":
            limit = int(sys.argv[4]) if len(sys.argv) > 4 else 1 << 40
            write_table(process.stdin, sys.argv[2], limit)
        elif sys.argv[1] == "ways":
            for i in range(int(sys.argv[2])):
                write_way(process.stdin, WAYS[i % len(WAYS)])
        elif engines:
            for i in range(int(sys.argv[4])):
                write_random(process.stdin, KINDS[i % len(KINDS)])
            for way in WAYS:
                write_way(process.stdin, way)
            write_table(process.stdin, sys.argv[2], 160000, (8, 32))
        else:
            kinds = sys.argv[4:] or KINDS
            for i in range(int(sys.argv[1])):
                write_random(process.stdin, kinds[i % len(kinds)])
        process.stdin.close()
    except BrokenPipeError:
        pass
    sys.exit(process.wait())


main()
