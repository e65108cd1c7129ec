# SPDX-License-Identifier: Apache-2.0
"""What each instruction of Ztl 2 does when it does not trap, as a function on arrays of NumPy. The
manual prints them; a test executes them beside the model.

A register is 1024 bytes, memory an array of bytes; a shape is the tuple of its dimensions.
"""
import numpy as np


def elements(block, bits):
    """The elements of a block as unsigned numbers, in the order of memory."""
    if bits == 4:
        return np.stack([block & 15, block >> 4], axis=1).ravel()
    return block.view(f"<u{bits // 8}").copy()


def block(numbers, bits):
    """The bytes of elements."""
    if bits == 4:
        return numbers[0::2] | numbers[1::2] << 4
    return numbers.astype(f"<u{bits // 8}").view(np.uint8)


def bits_of(mask, count):
    """The lowest bits of a mask, bit 0 first."""
    return np.array([mask >> i & 1 for i in range(count)], dtype=bool)


def slice_bytes(shape, width, bits):
    """The width of a slice: that of the CSR, or, where it is 0, that of D1·D2 elements."""
    return width or shape[1] * shape[2] * bits // 8


def load(tlrd, memory, rs, imm, shape, width, stride, bits):
    return mload(tlrd, memory, rs, imm, shape, width, stride, bits, mask=~0)


def mload(tlrd, memory, rs, imm, shape, width, stride, bits, mask):
    result, w = tlrd.copy(), slice_bytes(shape, width, bits)
    for i, kept in enumerate(bits_of(mask, shape[0])):
        address = rs + (stride[i] + imm) * w
        result[i * w:(i + 1) * w] = memory[address:address + w] if kept else 0
    return result


def store(tlrs, memory, rs, imm, shape, width, stride, bits):
    return mstore(tlrs, memory, rs, imm, shape, width, stride, bits, mask=~0)


def mstore(tlrs, memory, rs, imm, shape, width, stride, bits, mask):
    result, w = memory.copy(), slice_bytes(shape, width, bits)
    for i, kept in enumerate(bits_of(mask, shape[0])):
        address = rs + (stride[i] + imm) * w
        if kept:
            result[address:address + w] = tlrs[i * w:(i + 1) * w]
    return result


def concat(d, tlrd, tlrs1, tlrs2, shape, mask_1, mask_2, bits):
    count = np.prod(shape)
    first, second = (elements(register, bits)[:count].reshape(shape) for register in (tlrs1, tlrs2))
    kept = np.concatenate([first.compress(bits_of(mask_1, shape[d]), axis=d),
                           second.compress(bits_of(mask_2, shape[d]), axis=d)], axis=d)
    result = elements(tlrd, bits)
    target = np.moveaxis(result[:count].reshape(shape), d, 0)
    target[:kept.shape[d]] = np.moveaxis(kept, d, 0)
    return block(result, bits)


def merge(d, tlrd, tlrs1, tlrs2, shape, mask_1, bits):
    count = np.prod(shape)
    first, second = (elements(register, bits)[:count].reshape(shape) for register in (tlrs1, tlrs2))
    along = [-1 if k == d else 1 for k in range(3)]
    result = elements(tlrd, bits)
    result[:count] = np.where(bits_of(mask_1, shape[d]).reshape(along), first, second).ravel()
    return block(result, bits)


def addi_integer(tlrs, imm, bits, signed):
    low, high = (-1 << bits - 1, (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    numbers = elements(tlrs, bits).astype(np.int64)
    if signed:
        numbers -= (numbers > high) << np.int64(bits)
    sums = np.clip(numbers + imm, low, high)
    return block((sums & (1 << bits) - 1).astype(np.uint64), bits)


def addi_float(tlrs, imm, exponent_bits, fraction_bits, special):
    """special: "ieee", "nan" (one NaN, all ones) or "none", as ztl isa --json has it."""
    bits, bias = 1 + exponent_bits + fraction_bits, (1 << exponent_bits - 1) - 1
    codes = elements(tlrs, bits).astype(np.int64)
    sign, size = codes >> bits - 1, codes & (1 << bits - 1) - 1
    top = {"ieee": ((1 << exponent_bits) - 1) << fraction_bits, "nan": (1 << bits - 1) - 1,
           "none": 1 << bits - 1}[special]  # finite are the sizes below it
    exponent, fraction = size >> fraction_bits, size & (1 << fraction_bits) - 1
    significand = fraction | (exponent > 0) << np.int64(fraction_bits)
    last = np.maximum(exponent, 1) - bias - fraction_bits  # exponent of the last bit
    exact = np.ldexp(np.where(sign, -1.0, 1.0) * significand, last) + imm
    first = np.where(exact == 0, 1 - bias, np.frexp(exact)[1] - 1)  # exponent of the first bit
    last = np.maximum(first, 1 - bias) - fraction_bits
    rounded = np.rint(np.ldexp(np.abs(exact), -last)).astype(np.int64)  # ties to even
    sums = rounded + ((last + fraction_bits + bias - 1) << np.int64(fraction_bits))
    sums = np.minimum(sums, top - 1) | (exact < 0) << np.int64(bits - 1)
    nan = top | (special == "ieee") << fraction_bits - 1
    sums = np.where(size < top, sums, np.where((size == top) & (special == "ieee"), codes, nan))
    return block(sums.astype(np.uint64), bits)


def xpose(a, b, tlrs1, tlrs2, dims, bits):
    order = list(range(4))
    order[a], order[b] = b, a
    return permute(tlrs1, tlrs2, dims, order, bits)


def permute(tlrs1, tlrs2, dims, order, bits):
    tensor = elements(np.concatenate([tlrs1, tlrs2]), bits).reshape(dims)
    return np.split(block(tensor.transpose(order).ravel(), bits), 2)
