# SPDX-License-Identifier: Apache-2.0
"""Random cases of add, by exact arithmetic and, where it has the type, by numpy."""
import functools
from fractions import Fraction

import numpy as np

from tensors import DTYPES, Tensor, rng, shape

# In the order of isa/type.def: (bits, None for integers or (exponent bits, fraction bits, bias,
# how the highest exponent is used)).
TYPES = [("byte", 8, None), ("int4", 4, None), ("int8", 8, None), ("int16", 16, None),
         ("int32", 32, None), ("fp4", 4, (2, 1, 1, "finite")),
         ("e4m3", 8, (4, 3, 7, "one NaN")), ("fp8_e5m2", 8, (5, 2, 15, "IEEE")),
         ("e3m4", 8, (3, 4, 3, "IEEE")), ("fp16", 16, (5, 10, 15, "IEEE")),
         ("bf16", 16, (8, 7, 127, "IEEE")), ("fp32", 32, (8, 23, 127, "IEEE"))]


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
