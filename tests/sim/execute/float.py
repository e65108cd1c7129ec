#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every floating-point instruction in every rounding mode over every class of operand, on the hart
and on Debian's QEMU: results and flags are the same.

A program runs an instruction over a table of values, or over all pairs of them, and hashes what it
gives; it writes one hash for each instruction and mode. Where two differ, a second program writes
all that the instruction gives, and the first difference is named.

usage: float.py XLEN WORK-DIR LINUX-GUEST"""

import random
import struct
import subprocess
import sys

XLEN, WORK, GUEST = int(sys.argv[1]), sys.argv[2], sys.argv[3]
BASE = 0x100000
MODES = "rne", "rtz", "rdn", "rup", "rmm"
# letter: bytes, exponent bits, fraction bits, load
FORMATS = {"s": (4, 8, 23, "flw"), "d": (8, 11, 52, "fld"), "h": (2, 5, 10, "flh")}
WORD = "ld" if XLEN == 64 else "lw"
rng = random.Random(20261116)


def float_values(letter, randoms):
    """Bits of all classes, and what is next to each boundary."""
    _, exponent_bits, fraction_bits, _ = FORMATS[letter]
    top, one = (1 << exponent_bits) - 1, 1 << fraction_bits
    bias = top >> 1
    quiet = one >> 1
    values = [0, 1, 2, 3, quiet, one - 1, one - 2,                  # zero and subnormal numbers
              one, one + 1, 2 * one - 1, 2 * one,                   # the least normal numbers
              (top << fraction_bits) - 1, (top << fraction_bits) - one, (top - 1) << fraction_bits,
              top << fraction_bits,                                 # infinity
              top << fraction_bits | 1, top << fraction_bits | (quiet - 1),   # signalling NaNs
              top << fraction_bits | quiet, top << fraction_bits | quiet | 5]  # quiet ones
    values += [bias << fraction_bits, (bias << fraction_bits) + 1, (bias << fraction_bits) - 1,
               (bias + 1) << fraction_bits, (bias - 1) << fraction_bits,
               (bias << fraction_bits) | quiet, (bias + 1 << fraction_bits) | quiet >> 1]
    for bits in 31, 32, 63, 64:                                     # where integers end
        if bits <= bias:
            place = (bias + bits) << fraction_bits
            values += [place, place - 1, place + 1]
    values += [bias + fraction_bits << fraction_bits, bias + fraction_bits + 1 << fraction_bits]
    sign = 1 << (exponent_bits + fraction_bits)
    values = [v | s for v in values for s in (0, sign)]
    for k in range(randoms):
        exponent = rng.choice([rng.randrange(top), bias + rng.randrange(-3, 4),
                               rng.choice([1, 2, top - 1, top - 2, fraction_bits + 1])])
        fraction = rng.choice([rng.randrange(one), one - 1 >> rng.randrange(fraction_bits),
                               1 << rng.randrange(fraction_bits)])
        values.append(rng.randrange(2) * sign | (exponent % top) << fraction_bits | fraction)
    return values


def integer_values():
    values = [0, 1, 2, 3, 5, 1 << 24, (1 << 24) + 1, (1 << 25) + 3, (1 << 31) - 1, 1 << 31,
              (1 << 31) + 1, (1 << 32) - 1, 1 << 32, (1 << 53) - 1, 1 << 53, (1 << 53) + 1,
              (1 << 54) + 3, (1 << 63) - 1, 1 << 63, (1 << 63) + 1025, (1 << 64) - 1, 2047, 2048,
              2049, 65504, 65519, 65520, 65535]
    values += [-v for v in values] + [rng.getrandbits(64) >> rng.randrange(64) for _ in range(200)]
    return [v % (1 << XLEN) for v in values]


def instructions():
    """(text with {d} {a} {b} {c} and {m} for the mode, kinds of operands, kind of result)"""
    for p, (_, _, _, load) in FORMATS.items():
        for name in "fadd", "fsub", "fmul", "fdiv":
            yield f"{name}.{p} fa3, fa0, fa1, {{m}}", p + p, "f"
        for name in "fmadd", "fmsub", "fnmsub", "fnmadd":
            yield f"{name}.{p} fa3, fa0, fa1, fa2, {{m}}", p + p + p, "f"
        for name in "fmin", "fmax", "fsgnj", "fsgnjn", "fsgnjx":
            yield f"{name}.{p} fa3, fa0, fa1", p + p, "f"
        for name in "feq", "flt", "fle":
            yield f"{name}.{p} a5, fa0, fa1", p + p, "x"
        yield f"fsqrt.{p} fa3, fa0, {{m}}", p, "f"
        yield f"fclass.{p} a5, fa0", p, "x"
        if p != "d" or XLEN == 64:
            short = {"s": "w", "d": "d", "h": "h"}[p]
            yield f"fmv.x.{short} a5, fa0", p, "x"
            yield f"fmv.{short}.x fa3, a4", "x", "f"
        for integer in ("w", "wu", "l", "lu")[:XLEN // 16]:
            yield f"fcvt.{integer}.{p} a5, fa0, {{m}}", p, "x"
            exact = p == "d" and integer[0] == "w"
            yield f"fcvt.{p}.{integer} fa3, a4" + ("" if exact else ", {m}"), "x", "f"
        # What is loaded and stored goes through a register.
        yield f"{load.replace('l', 's', 1)} fa0, 8(a2)\n    {WORD} a5, 8(a2)", p, "x"
    yield "fcvt.d.s fa3, fa0", "s", "f"
    yield "fcvt.s.h fa3, fa0", "h", "f"
    yield "fcvt.d.h fa3, fa0", "h", "f"
    yield "fcvt.s.d fa3, fa0, {m}", "d", "f"
    yield "fcvt.h.s fa3, fa0, {m}", "s", "f"
    yield "fcvt.h.d fa3, fa0, {m}", "d", "f"


def blocks():
    """(instruction, kinds, kind of result, table, frm): one hash each"""
    for text, kinds, result in instructions():
        if "{m}" not in text:
            yield text, kinds, result, "", 0
        else:
            for mode in MODES:
                yield text.format(m=mode), kinds, result, "", 0
            for frm in range(len(MODES)):
                yield text.format(m="dyn"), kinds, result, "few_", frm
        if kinds[0] in "sh":  # registers that hold something wider
            yield text.format(m="rne"), kinds, result, "wide_", 0


def table_of(kind, table):
    return "wide" if table == "wide_" else table + kind


def operand_size(kind, table):
    return XLEN // 8 if kind == "x" else 8 if table == "wide_" else FORMATS[kind][0]


def operand_load(register, pointer, kind, table):
    if kind == "x":
        return f"    {WORD} a4, 0({pointer})\n"
    load = "fld" if table == "wide_" else FORMATS[kind][3]
    return f"    {load} {register}, 0({pointer})\n"


def third_operand(kind, table):
    """One from further on in the table, and every other time what the product cancels out."""
    size = operand_size(kind, table)
    return f"""    xori s4, s4, 1
    beqz s4, 3f
    addi s2, s2, {size}
    bltu s2, s1, 4f
    la s2, {table_of(kind, table)}
4:
{operand_load("fa2", "s2", kind, table)}    j 5f
3:
    fmul.{kind} fa2, fa0, fa1, rne
    fneg.{kind} fa2, fa2
5:
"""


def block(text, kinds, result, table, frm, raw):
    name, size = table_of(kinds[0], table), operand_size(kinds[0], table)
    pair = len(kinds) > 1
    inner = "    mv a1, s3\n2:\n" + operand_load("fa1", "a1", kinds[0], table) if pair else "2:\n"
    out = f"""
    la s3, {name}
    la s1, {name}_end
    mv s2, s3
    mv a0, s3
    li s0, 0
    li s4, 0
    fsrmi {frm}
1:
{operand_load("fa0", "a0", kinds[0], table)}{inner}"""
    if len(kinds) == 3:
        out += third_operand(kinds[0], table)
    out += "    fsflagsi 0\n    " + text + "\n    frflags a3\n"
    if result == "f":
        out += f"    fsd fa3, 0(a2)\n    {WORD} a5, 0(a2)\n"
        out += "    mix a5\n    lw a5, 4(a2)\n" if XLEN == 32 else ""
    out += "    mix a5\n    mix a3\n"
    if raw:
        out += "    call show\n"
    if pair:
        out += f"    addi a1, a1, {size}\n    bltu a1, s1, 2b\n"
    return out + f"    addi a0, a0, {size}\n    bltu a0, s1, 1b\n    call put\n"


PRELUDE = f"""
    .macro mix register
    xor s0, s0, \\register
    mul s0, s0, s5
    srli t0, s0, {XLEN // 2 - 3}
    xor s0, s0, t0
    .endm
    .text
    .globl _start
_start:
    la sp, stack
    la a2, scratch
    li s5, {0x9e3779b97f4a7c15 if XLEN == 64 else 0x9e3779b1}
"""
# show writes the hash so far, put the whole one.
CODA = f"""
    li a0, 0
    li a7, 93
    ecall
show:
    addi sp, sp, -32
    {WORD.replace("l", "s")} a0, 0(sp)
    {WORD.replace("l", "s")} a1, 8(sp)
    {WORD.replace("l", "s")} a2, 16(sp)
    {WORD.replace("l", "s")} a3, 24(a2)
    {WORD.replace("l", "s")} a5, 16(a2)
    {WORD.replace("l", "s")} s0, 32(a2)
    li a0, 1
    mv a1, a2
    li a2, 40
    li a7, 64
    ecall
    {WORD} a0, 0(sp)
    {WORD} a1, 8(sp)
    {WORD} a2, 16(sp)
    addi sp, sp, 32
    ret
put:
    {WORD.replace("l", "s")} s0, 40(a2)
    addi sp, sp, -16
    {WORD.replace("l", "s")} a2, 0(sp)
    li a0, 1
    addi a1, a2, 40
    li a2, {XLEN // 8}
    li a7, 64
    ecall
    {WORD} a2, 0(sp)
    addi sp, sp, 16
    ret
    .data
    .balign 16
scratch:
    .zero 64
    .zero 64
stack:
"""


def tables():
    out = ""
    every = {"x": (integer_values(), XLEN // 8)}
    for letter, (size, _, _, _) in FORMATS.items():
        every[letter] = float_values(letter, 50), size
    for letter in FORMATS:
        values, size = every[letter]
        every["few_" + letter] = values[::7], size
    every["few_x"] = every["x"][0][::5], XLEN // 8
    single, half = (struct.unpack("<%dQ" % len(v), struct.pack("<%dQ" % len(v), *v))
                    for v in (every["s"][0], every["h"][0]))
    boxes = 0xffffffff00000000, 0xffff0000ffff0000, 0x7fffffff00000000, 0xfffffffe00000000, 0
    every["wide"] = [v | box for v in (single[3], single[20], half[9], half[30], 0xffff3c00)
                     for box in boxes] + [0xffffffffffff3c00, 0xffffffffffff7c01], 8
    for name, (values, size) in every.items():
        directive = {2: ".half", 4: ".word", 8: ".dword"}[size]
        out += f"    .balign 8\n{name}:\n"
        out += "".join(f"    {directive} {value:#x}\n" for value in values) + f"{name}_end:\n"
    return out, {name: len(values) for name, (values, _) in every.items()}


def run(command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, timeout=300).stdout


def build(stem, source):
    with open(stem + ".s", "w") as file:
        file.write(source)
    tool, abi = "riscv64-unknown-elf-", "lp64d" if XLEN == 64 else "ilp32d"
    run([tool + "as", f"-march=rv{XLEN}gc_zfh", "-mabi=" + abi, stem + ".s", "-o", stem + ".o"])
    run([tool + "ld", "-m", f"elf{XLEN}lriscv", "-no-relax", "-Ttext=%#x" % BASE, stem + ".o", "-o", stem])
    run([tool + "objcopy", "-O", "binary", stem, stem + ".bin"])


def both(stem, observe=False):
    theirs = run([f"qemu-riscv{XLEN}", "-cpu", f"rv{XLEN},Zfh=true", stem])
    ours = run([GUEST, f"rv{XLEN}gc_zfh", stem + ".bin", hex(BASE)] + ["observe"] * observe)
    return ours, theirs


def name_difference(one, data):
    """Runs a block alone, and says where it goes apart."""
    stem = f"{WORK}/float{XLEN}-one"
    build(stem, PRELUDE + block(*one, True) + CODA + data)
    ours, theirs = both(stem)
    for at in range(0, min(len(ours), len(theirs)), 40):
        a, b = ours[at:at + 40], theirs[at:at + 40]
        if a != b:
            shown = [tuple(struct.unpack("<5Q", x.ljust(40, b"\0"))[k] for k in (0, 2, 3))
                     for x in (a, b)]
            print("step %d: hart f=%#x x=%#x flags=%#x, qemu f=%#x x=%#x flags=%#x" %
                  (at // 40, *shown[0], *shown[1]))
            return


def main():
    data, sizes = tables()
    every = list(blocks())
    values = sum(sizes[table_of(kinds[0], table)] ** min(2, len(kinds))
                 for _, kinds, _, table, _ in every)
    stem = f"{WORK}/float{XLEN}"
    build(stem, PRELUDE + "".join(block(*one, False) for one in every) + CODA + data)
    ours, theirs = both(stem)
    size = XLEN // 8
    if len(theirs) != size * len(every) or len(ours) != len(theirs):
        sys.exit("qemu wrote %d bytes, the hart %d" % (len(theirs), len(ours)))
    wrong = [one for k, one in enumerate(every)
             if ours[k * size:k * size + size] != theirs[k * size:k * size + size]]
    for one in wrong[:10]:
        print("%s (table %s, frm %d):" % (one[0], table_of(one[1][0], one[3]), one[4]))
        name_difference(one, data)
    if wrong:
        sys.exit("%d of %d instructions and modes differ from QEMU's" % (len(wrong), len(every)))
    print("%d instructions and modes, %d values: equal" % (len(every), values))


main()
