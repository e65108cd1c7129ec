#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Zfa on the hart against its meaning in exact fractions, written here: Debian's QEMU and GNU as do
not know it. Every class of operand, all pairs of them, every rounding mode; results and flags.

usage: zfa.py XLEN WORK-DIR LINUX-GUEST"""

import itertools
import math
import struct
import subprocess
import sys
from fractions import Fraction

XLEN, WORK, GUEST = int(sys.argv[1]), sys.argv[2], sys.argv[3]
BASE = 0x100000
INVALID, INEXACT = 16, 1
# letter: (bytes, exponent bits, fraction bits, load, fmt field)
FORMATS = {"s": (4, 8, 23, "flw", 0), "d": (8, 11, 52, "fld", 1), "h": (2, 5, 10, "flh", 2)}
FLI = [-1, None, *(Fraction(1, 1 << k) for k in (16, 15, 8, 7, 4, 3)), *(Fraction(k, 16) for k in range(4, 9)),
       *(Fraction(k, 8) for k in (5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 32)), 8, 16, 128, 256, 1 << 15, 1 << 16]


class Number:
    """A value of a format, from its bits."""

    def __init__(self, letter, bits):
        size, exponent_bits, self.fraction_bits, _, _ = FORMATS[letter]
        self.letter, self.bits = letter, bits
        top = (1 << exponent_bits) - 1
        fraction, exponent = bits & (1 << self.fraction_bits) - 1, bits >> self.fraction_bits & top
        self.negative = bool(bits >> 8 * size - 1)
        self.nan = exponent == top and fraction != 0
        self.signalling = self.nan and not fraction >> self.fraction_bits - 1
        self.infinite = exponent == top and fraction == 0
        power = max(exponent, 1) - (top >> 1) - self.fraction_bits
        whole = fraction + (1 << self.fraction_bits if exponent else 0)
        sign = -1 if self.negative else 1
        self.value = None if exponent == top else sign * whole * Fraction(2) ** power

    def order(self):
        """What compares as these do; -0 is below +0."""
        value = math.inf if self.infinite else abs(self.value)
        return (-value, 0) if self.negative else (value, 1)


def nan(letter):
    _, exponent_bits, fraction_bits, _, _ = FORMATS[letter]
    return ((1 << exponent_bits + 1) - 1) << fraction_bits - 1


def encode(letter, value, negative=False):
    """A value that the format has, as bits; one that is too large is infinite."""
    size, exponent_bits, fraction_bits, _, _ = FORMATS[letter]
    bias, sign = (1 << exponent_bits - 1) - 1, (1 << 8 * size - 1) if negative else 0
    value = abs(value)
    if value == 0:
        return sign
    power = 0
    while value >= 2:
        value, power = value / 2, power + 1
    while value < 1 and power > 1 - bias:
        value, power = value * 2, power - 1
    if power > bias:
        return sign | ((1 << exponent_bits) - 1) << fraction_bits
    fraction = value * (1 << fraction_bits)
    assert fraction.denominator == 1
    exponent = power + bias if value >= 1 else 0
    return sign | exponent << fraction_bits | int(fraction) & (1 << fraction_bits) - 1


def rounded(value, mode):
    low = math.floor(value)
    rest = value - low
    if mode == "rtz":
        return math.trunc(value)
    if mode == "rdn" or not rest:
        return low
    if mode == "rup":
        return low + 1
    if rest != Fraction(1, 2):
        return low + (rest > Fraction(1, 2))
    return low + low % 2 if mode == "rne" else low + (value > 0)


def fround(a, mode, tells):
    if a.nan:
        return nan(a.letter), INVALID if a.signalling else 0
    if a.infinite:
        return a.bits, 0
    whole = rounded(a.value, mode)
    return encode(a.letter, Fraction(whole), a.negative), INEXACT if tells and whole != a.value else 0


def extreme(a, b, largest):
    flags = INVALID if a.signalling or b.signalling else 0
    if a.nan or b.nan:
        return nan(a.letter), flags
    return (max if largest else min)((a, b), key=Number.order).bits, flags


def compare(a, b, equal_too):
    flags = INVALID if a.signalling or b.signalling else 0
    if a.nan or b.nan:
        return 0, flags
    zero = not a.infinite and not b.infinite and a.value == b.value == 0
    first, second = a.order()[0], b.order()[0]
    return int(first < second or (equal_too and (first == second or zero))), flags


def modulo(a):
    if a.nan or a.infinite:
        return 0, INVALID
    whole = math.trunc(a.value)
    flags = INVALID if not -1 << 31 <= whole < 1 << 31 else INEXACT if whole != a.value else 0
    return (whole + (1 << 31)) % (1 << 32) - (1 << 31), flags


def values(letter):
    _, exponent_bits, fraction_bits, _, _ = FORMATS[letter]
    size = FORMATS[letter][0]
    top, one, bias = (1 << exponent_bits) - 1, 1 << fraction_bits, (1 << exponent_bits - 1) - 1
    found = [0, 1, one - 1, one, one + 1, (top << fraction_bits) - 1, top << fraction_bits, top << fraction_bits | 1,
             top << fraction_bits | one >> 1, nan(letter) | 5]
    halves = [encode(letter, Fraction(k, 8)) for k in (1, 3, 4, 5, 7, 8, 11, 12, 13, 20, 28, 36, 60)]
    edges = [(bias + k) << fraction_bits for k in (fraction_bits - 1, fraction_bits, fraction_bits + 1, 30, 31, 32, 63, 64, 84)
             if k <= bias]
    found += halves + [e + d for e in edges for d in (-1, 0, 1)]
    found += [(bias + 31 << fraction_bits) + (1 << fraction_bits - 31) * k - 1 for k in (1, 2)] if letter == "d" else []
    return sorted({v | s for v in found for s in (0, 1 << 8 * size - 1)})


MODES = "rne", "rtz", "rdn", "rup", "rmm"


def cases():
    """(instruction as numbers for .insn, format, operands, result kind, meaning)"""
    for letter, (_, _, _, _, fmt) in FORMATS.items():
        for (number, tells), (rm, mode) in itertools.product(((4, False), (5, True)), enumerate(MODES)):
            yield (f"r 0x53, {rm}, {0x20 | fmt}, fa3, fa0, f{number}", letter, 1, "f",
                   lambda a, mode=mode, tells=tells: fround(a, mode, tells))
        for funct3, largest in (2, False), (3, True):
            yield (f"r 0x53, {funct3}, {0x14 | fmt}, fa3, fa0, fa1", letter, 2, "f",
                   lambda a, b, largest=largest: extreme(a, b, largest))
        for funct3, equal_too in (4, True), (5, False):
            yield (f"r 0x53, {funct3}, {0x50 | fmt}, a5, fa0, fa1", letter, 2, "x",
                   lambda a, b, equal_too=equal_too: compare(a, b, equal_too))
        for number, value in enumerate(FLI):
            bits = encode(letter, Fraction(value), value < 0) if value is not None else 1 << FORMATS[letter][2]
            yield f"r 0x53, 0, {0x78 | fmt}, fa3, f{number}, f1", letter, 0, "f", lambda bits=bits: (bits, 0)
        infinity = nan(letter) & ~(1 << FORMATS[letter][2] - 1)
        yield f"r 0x53, 0, {0x78 | fmt}, fa3, f30, f1", letter, 0, "f", lambda bits=infinity: (bits, 0)
        yield f"r 0x53, 0, {0x78 | fmt}, fa3, f31, f1", letter, 0, "f", lambda bits=nan(letter): (bits, 0)
    yield "r 0x53, 1, 0x61, a5, fa0, f8", "d", 1, "x", modulo
    if XLEN == 32:
        yield "r 0x53, 0, 0x71, a5, fa0, f1", "d", 1, "x", lambda a: (a.bits >> 32, 0)
        # A pair of integers becomes the bits of a double: here its own two halves, exchanged.
        yield "pair", "d", 1, "f", lambda a: (a.bits >> 32 | a.bits << 32 & (1 << 64) - 1, 0)


def program(every):
    """Each instruction over its table, or all pairs of it, writes eight bytes of result and the flags."""
    out = [".text", ".globl _start", "_start:", "la s11, out"]
    for text, letter, operands, kind, _ in every:
        size, _, _, load, _ = FORMATS[letter]
        out += [f"la s0, table_{letter}", f"la s2, table_{letter}_end", "1:", f"la s1, table_{letter}", "2:",
                f"{load} fa0, 0(s0)", f"{load} fa1, 0(s1)", "fsflagsi 0"]
        if text == "pair":
            out += ["lw a4, 4(s0)", "lw a5, 0(s0)", ".insn r 0x53, 0, 0x59, fa3, a4, a5"]
        else:
            out.append(".insn " + text)
        out += ["frflags a3", "fsd fa3, 0(s11)" if kind == "f" else "sw a5, 0(s11)\nsrai a5, a5, 31\nsw a5, 4(s11)",
                "sw a3, 8(s11)", "addi s11, s11, 12"]
        out += [f"addi s1, s1, {size}", "bltu s1, s2, 2b"] if operands == 2 else []
        out += [f"addi s0, s0, {size}", "bltu s0, s2, 1b"] if operands else []
    out += ["la a1, out", "sub s0, s11, a1", "3: li a0, 1", "li a2, 0x8000", "bltu a2, s0, 4f", "mv a2, s0", "4:",
            "sub s0, s0, a2", "li a7, 64", "ecall", "la a3, 0x8000", "add a1, a1, a3", "bnez s0, 3b",
            "li a0, 0", "li a7, 93", "ecall", ".data", ".balign 8"]
    for letter, (size, *_) in FORMATS.items():
        directive = {2: ".half", 4: ".word", 8: ".dword"}[size]
        out += [".balign 8", f"table_{letter}:"] + [f"{directive} {v:#x}" for v in values(letter)]
        out += [f"table_{letter}_end:"]
    return "\n".join(out + [".balign 8", "out: .zero 1 << 20"]) + "\n"


def run(command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, timeout=300).stdout


def expected(every):
    for text, letter, operands, kind, meaning in every:
        numbers = [Number(letter, bits) for bits in values(letter)]
        box = 0 if kind == "x" else (1 << 64) - (1 << 8 * FORMATS[letter][0])
        for operand in itertools.product(numbers, repeat=operands):
            result, flags = meaning(*operand)
            yield text, [f"{n.bits:#x}" for n in operand], struct.pack("<QI", result & (1 << 64) - 1 | box, flags), kind


def main():
    every = list(cases())
    stem, tool = f"{WORK}/zfa{XLEN}", "riscv64-unknown-elf-"
    with open(stem + ".s", "w") as file:
        file.write(program(every))
    run([tool + "as", f"-march=rv{XLEN}gc_zfh", "-mabi=" + ("lp64d" if XLEN == 64 else "ilp32d"), stem + ".s", "-o", stem + ".o"])
    run([tool + "ld", "-m", f"elf{XLEN}lriscv", "-no-relax", "-Ttext=%#x" % BASE, stem + ".o", "-o", stem])
    run([tool + "objcopy", "-O", "binary", stem, stem + ".bin"])
    want = list(expected(every))
    for mode in [], ["observe"]:
        ours = run([GUEST, f"rv{XLEN}gc_zfh_zfa", stem + ".bin", hex(BASE)] + mode)
        if len(ours) != 12 * len(want):
            sys.exit("the hart wrote %d bytes, not %d" % (len(ours), 12 * len(want)))
        wrong = 0
        for k, (text, operands, result, kind) in enumerate(want):
            got = ours[12 * k:12 * k + 12]
            if kind == "x":  # of 32 bits: those above follow
                got, result = got[:4] + got[8:], result[:4] + result[8:]
            if got != result:
                wrong += 1
                if wrong < 20:
                    print(text, operands, "hart", got[::-1].hex(), "must be", result[::-1].hex())
        if wrong:
            sys.exit("%d of %d differ" % (wrong, len(want)))
    print("%d cases of %d instructions and modes: equal" % (len(want), len(every)))


main()
