#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Every base instruction on edge values, against its meaning in the manual, written here in Python.

    values.py XLEN WORK_DIR HART_TOOL

GNU as makes the words. Each runs with a1 and a2 as sources and a0 as target; memory operands are
eight bytes at 0x2000.
"""
import itertools
import subprocess
import sys

XLEN = int(sys.argv[1])
TOP = 1 << XLEN
PC, DATA, OLD = 0x1000, 0x2000, 0x5a5a5a5a


def u(value, bits=XLEN):
    return value % (1 << bits)


def s(value, bits=XLEN):
    value %= 1 << bits
    return value - (1 << bits) if value >> (bits - 1) else value


def w(value):
    return u(s(value, 32))


def quotient(a, b, bits, signed):
    a, b = (s(a, bits), s(b, bits)) if signed else (u(a, bits), u(b, bits))
    if b == 0:
        return -1
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def remainder(a, b, bits, signed):
    x, y = (s(a, bits), s(b, bits)) if signed else (u(a, bits), u(b, bits))
    return x if y == 0 else x - y * quotient(a, b, bits, signed)


def rotate_right(a, n, bits):
    n %= bits
    a = u(a, bits)
    return a >> n | a << (bits - n)


def binary(a, bits=XLEN):
    return format(u(a, bits), "0%db" % bits)


def orc(a):
    return int.from_bytes(bytes(0xff if b else 0 for b in u(a).to_bytes(XLEN // 8, "little")), "little")


SHIFT = XLEN - 1
BOTH = {  # of registers a and b; those with an immediate take it as b
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "xor": lambda a, b: a ^ b,
    "or": lambda a, b: a | b, "and": lambda a, b: a & b,
    "slt": lambda a, b: s(a) < s(b), "sltu": lambda a, b: u(a) < u(b),
    "sll": lambda a, b: a << (b & SHIFT), "srl": lambda a, b: u(a) >> (b & SHIFT),
    "sra": lambda a, b: s(a) >> (b & SHIFT),
    "mul": lambda a, b: a * b, "mulh": lambda a, b: s(a) * s(b) >> XLEN,
    "mulhsu": lambda a, b: s(a) * u(b) >> XLEN, "mulhu": lambda a, b: u(a) * u(b) >> XLEN,
    "div": lambda a, b: quotient(a, b, XLEN, True), "divu": lambda a, b: quotient(a, b, XLEN, False),
    "rem": lambda a, b: remainder(a, b, XLEN, True), "remu": lambda a, b: remainder(a, b, XLEN, False),
    "sh1add": lambda a, b: 2 * a + b, "sh2add": lambda a, b: 4 * a + b, "sh3add": lambda a, b: 8 * a + b,
    "andn": lambda a, b: a & ~b, "orn": lambda a, b: a | ~b, "xnor": lambda a, b: ~(a ^ b),
    "min": lambda a, b: min(s(a), s(b)), "max": lambda a, b: max(s(a), s(b)),
    "minu": lambda a, b: min(u(a), u(b)), "maxu": lambda a, b: max(u(a), u(b)),
    "bset": lambda a, b: a | 1 << (b & SHIFT), "bclr": lambda a, b: a & ~(1 << (b & SHIFT)),
    "binv": lambda a, b: a ^ 1 << (b & SHIFT), "bext": lambda a, b: u(a) >> (b & SHIFT) & 1,
    "ror": lambda a, b: rotate_right(a, b, XLEN), "rol": lambda a, b: rotate_right(a, -b, XLEN),
}
BOTH64 = {
    "addw": lambda a, b: w(a + b), "subw": lambda a, b: w(a - b), "sllw": lambda a, b: w(a << (b & 31)),
    "srlw": lambda a, b: w(u(a, 32) >> (b & 31)), "sraw": lambda a, b: s(a, 32) >> (b & 31),
    "mulw": lambda a, b: w(a * b),
    "divw": lambda a, b: w(quotient(a, b, 32, True)), "divuw": lambda a, b: w(quotient(a, b, 32, False)),
    "remw": lambda a, b: w(remainder(a, b, 32, True)), "remuw": lambda a, b: w(remainder(a, b, 32, False)),
    "add.uw": lambda a, b: u(a, 32) + b, "sh1add.uw": lambda a, b: 2 * u(a, 32) + b,
    "sh2add.uw": lambda a, b: 4 * u(a, 32) + b, "sh3add.uw": lambda a, b: 8 * u(a, 32) + b,
    "rorw": lambda a, b: w(rotate_right(a, b, 32)), "rolw": lambda a, b: w(rotate_right(a, -b, 32)),
}
UNARY = {
    "clz": lambda a: (binary(a) + "1").index("1"), "ctz": lambda a: (binary(a)[::-1] + "1").index("1"),
    "cpop": lambda a: binary(a).count("1"), "sext.b": lambda a: s(a, 8), "sext.h": lambda a: s(a, 16),
    "zext.h": lambda a: u(a, 16), "orc.b": orc,
    "rev8": lambda a: int.from_bytes(u(a).to_bytes(XLEN // 8, "little"), "big"),
}
UNARY64 = {
    "clzw": lambda a: (binary(a, 32) + "1").index("1"), "ctzw": lambda a: (binary(a, 32)[::-1] + "1").index("1"),
    "cpopw": lambda a: binary(a, 32).count("1"),
}
IMMEDIATE = {"addi": "add", "slti": "slt", "sltiu": "sltu", "xori": "xor", "ori": "or", "andi": "and"}
SHIFTS = {"slli": "sll", "srli": "srl", "srai": "sra", "rori": "ror"}
SHIFTS_W = {"slliw": "sllw", "srliw": "srlw", "sraiw": "sraw", "roriw": "rorw"}
BRANCH = {"beq": lambda a, b: u(a) == u(b), "bne": lambda a, b: u(a) != u(b), "blt": lambda a, b: s(a) < s(b),
          "bge": lambda a, b: s(a) >= s(b), "bltu": lambda a, b: u(a) < u(b), "bgeu": lambda a, b: u(a) >= u(b)}
LOADS = {"lb": (8, True), "lbu": (8, False), "lh": (16, True), "lhu": (16, False), "lw": (32, True)}
STORES = {"sb": 8, "sh": 16, "sw": 32}
AMO = {"amoswap": lambda m, b, n: b, "amoadd": lambda m, b, n: m + b, "amoxor": lambda m, b, n: m ^ b,
       "amoand": lambda m, b, n: m & b, "amoor": lambda m, b, n: m | b,
       "amomin": lambda m, b, n: min(s(m, n), s(b, n)), "amomax": lambda m, b, n: max(s(m, n), s(b, n)),
       "amominu": lambda m, b, n: min(u(m, n), u(b, n)), "amomaxu": lambda m, b, n: max(u(m, n), u(b, n))}
if XLEN == 64:
    BOTH.update(BOTH64)
    UNARY.update(UNARY64)
    LOADS.update({"lwu": (32, False), "ld": (64, True)})
    STORES["sd"] = 64

EDGES = sorted({v % TOP for v in (0, 1, 2, 3, 5, 31, 32, 63, 64, 0x7f, 0x80, 0xff, 0x8000, 0xffff, 0x12345678,
                                  0x7fffffff, 0x80000000, 0xffffffff, 0x80000001, TOP // 2, TOP // 2 - 1, TOP - 1,
                                  TOP - 2, 0x123456789abcdef0, 0x8000000080000000, 0x00ff00000000ff00,
                                  0x8000000000000000 >> (64 - XLEN))})
MEMORY = (0x0123456789abcdef, 0xfedcba9876543210, 0x8000000080000080, 0x7fffffff7fff7f7f)
tests = []  # (text, a1, a2, memory, expected a0, expected memory, expected pc)


def expect(text, a, b, a0=OLD, memory=MEMORY[0], after=None, pc=PC):
    tests.append((text, a, b, memory, u(a0), memory if after is None else after, pc))


def put(memory, offset, bits, value):
    mask = ((1 << bits) - 1) << (8 * offset)
    return memory & ~mask | (value << (8 * offset)) & mask


def arithmetic():
    for name, meaning in BOTH.items():
        for a, b in itertools.product(EDGES, EDGES):
            expect("%s a0, a1, a2" % name, a, b, meaning(a, b))
    for name, meaning in UNARY.items():
        for a in EDGES:
            expect("%s a0, a1" % name, a, 0, meaning(a))
    for name, base in IMMEDIATE.items():
        for a, imm in itertools.product(EDGES, (-2048, -1, 0, 1, 7, 2047)):
            expect("%s a0, a1, %d" % (name, imm), a, 0, BOTH[base](a, u(imm)))
    for name, base in SHIFTS.items():
        for a, imm in itertools.product(EDGES, (0, 1, 15, 31, XLEN - 1)):
            expect("%s a0, a1, %d" % (name, imm), a, 0, BOTH[base](a, imm))
    for imm in (0, 1, 0x7ffff, 0x80000, 0xfffff):
        expect("lui a0, 0x%x" % imm, 0, 0, s(imm << 12, 32))
        expect("auipc a0, 0x%x" % imm, 0, 0, PC + s(imm << 12, 32))


def arithmetic_64():
    for a, imm in itertools.product(EDGES, (-2048, -1, 0, 1, 2047)):
        expect("addiw a0, a1, %d" % imm, a, 0, w(a + imm))
    for name, base in SHIFTS_W.items():
        for a, imm in itertools.product(EDGES, (0, 1, 15, 31)):
            expect("%s a0, a1, %d" % (name, imm), a, 0, BOTH64[base](a, imm))
    for a, imm in itertools.product(EDGES, (0, 1, 31, 32, 63)):
        expect("slli.uw a0, a1, %d" % imm, a, 0, u(a, 32) << imm)


def control():
    for name, holds in BRANCH.items():
        for a, b in itertools.product(EDGES, EDGES):
            expect("%s a1, a2, .+0x100" % name, a, b, pc=PC + 0x100 if holds(a, b) else PC)
            expect("%s a1, a2, .+4" % name, a, b, pc=PC + 4 if holds(a, b) else PC)
    for offset in (-4096, -4, 0, 2, 0xffffe, -0x100000):
        expect("jal a0, .%+d" % offset, 0, 0, PC + 4, pc=u(PC + offset))
    for a, imm in itertools.product(EDGES, (-2048, -1, 0, 1, 2047)):
        expect("jalr a0, %d(a1)" % imm, a, 0, PC + 4, pc=u(a + imm) & ~1)


def memory():
    for (name, (bits, signed)), m in itertools.product(LOADS.items(), MEMORY):
        for offset in range(0, 8 - bits // 8 + 1):
            value = m >> (8 * offset)
            value = s(value, bits) if signed else u(value, bits)
            expect("%s a0, %d(a1)" % (name, offset - 3), DATA + 3, 0, value, m)
    for (name, bits), value in itertools.product(STORES.items(), EDGES):
        for offset in range(0, 8 - bits // 8 + 1):
            expect("%s a2, %d(a1)" % (name, offset - 2), DATA + 2, value, after=put(MEMORY[0], offset, bits, value))


def atomic():
    for (name, meaning), m, b in itertools.product(AMO.items(), MEMORY, EDGES):
        for suffix, bits in (("w", 32), ("d", 64))[:XLEN // 32]:
            expect("%s.%s a0, a2, (a1)" % (name, suffix), DATA, b, s(m, bits), m, put(m, 0, bits, meaning(m, b, bits)))
    for m in MEMORY:
        expect("lr.w a0, (a1)", DATA, 0, s(m, 32), m)
        expect("sc.w a0, a2, (a1)", DATA, 7, 1, m)  # nothing is reserved after a reset


def conditional():
    """Zicond, by its numbers: GNU as has no names for it."""
    for (funct3, zero_if), a, b in itertools.product(((5, True), (7, False)), EDGES, EDGES):
        expect(".insn r 0x33, %d, 7, a0, a1, a2" % funct3, a, b, 0 if (b == 0) == zero_if else a)


# Zcb: fixed bits, and what they do. rd' is a0, rs1' a1 and rs2' a2, whose numbers are 2, 3 and 4.
SHORT_LOADS = ((0x8000, 8, False, (0, 1, 2, 3)), (0x8400, 16, False, (0, 2)), (0x8440, 16, True, (0, 2)))
SHORT_STORES = ((0x8800, 8, (0, 1, 2, 3)), (0x8c00, 16, (0, 2)))
SHORT_UNARY = {0x9c61: lambda a: u(a, 8), 0x9c65: lambda a: s(a, 8), 0x9c69: lambda a: u(a, 16),
               0x9c6d: lambda a: s(a, 16), 0x9c75: lambda a: ~a}
if XLEN == 64:
    SHORT_UNARY[0x9c71] = lambda a: u(a, 32)


def offset_field(offset):
    """uimm[0] is bit 6 and uimm[1] bit 5; halfwords have no bit 6."""
    return (offset & 1) << 6 | (offset >> 1) << 5


def short():
    for (fixed, bits, signed, offsets), m in itertools.product(SHORT_LOADS, MEMORY):
        for offset in offsets:
            value = m >> (8 * offset)
            expect(".insn 2, %#x" % (fixed | 3 << 7 | 2 << 2 | offset_field(offset)), DATA, 0,
                   s(value, bits) if signed else u(value, bits), m, pc=PC)
    for (fixed, bits, offsets), value in itertools.product(SHORT_STORES, EDGES):
        for offset in offsets:
            expect(".insn 2, %#x" % (fixed | 3 << 7 | 4 << 2 | offset_field(offset)), DATA, value,
                   after=put(MEMORY[0], offset, bits, value))
    # These write what they read, which is a0 with the value that it starts with.
    for fixed, meaning in SHORT_UNARY.items():
        expect(".insn 2, %#x" % (fixed | 2 << 7), 0, 0, meaning(OLD))
    for b in EDGES:
        expect(".insn 2, %#x" % (0x9c41 | 2 << 7 | 4 << 2), 0, b, OLD * b)


def words(work):
    texts = sorted({t[0] for t in tests})
    stem = "%s/values%d" % (work, XLEN)
    with open(stem + ".s", "w") as file:
        file.write(".option norelax\n.option norvc\n" + "".join(t + ("\n.half 0\n" if t.startswith(".insn 2") else "\n") for t in texts))
    tool = "riscv64-unknown-elf-"
    subprocess.run([tool + "as", "-march=rv%dimac_zicsr_zba_zbb_zbs" % XLEN, "-mabi=" + ("lp64" if XLEN == 64 else "ilp32"),
                    stem + ".s", "-o", stem + ".o"], check=True)
    subprocess.run([tool + "ld", "-m", "elf%dlriscv" % XLEN, "-Ttext=0x200000", "-e0", stem + ".o", "-o", stem], check=True)
    subprocess.run([tool + "objcopy", "-O", "binary", stem, stem + ".bin"], check=True)
    with open(stem + ".bin", "rb") as file:
        data = file.read()
    assert len(data) == 4 * len(texts)
    found = {t: int.from_bytes(data[4 * i:4 * i + 4], "little") for i, t in enumerate(texts)}
    return {t: word if word & 3 == 3 else word & 0xffff for t, word in found.items()}


def main():
    arithmetic()
    if XLEN == 64:
        arithmetic_64()
    control()
    memory()
    atomic()
    conditional()
    short()
    word = words(sys.argv[2])
    lines = "\n".join("%x %x %x %x" % (word[t], a, b, m) for t, a, b, m, *_ in tests)
    out = subprocess.run([sys.argv[3], "exec", "rv%dimac_zicsr_zicond_zcb_zba_zbb_zbs" % XLEN], input=lines, check=True,
                         stdout=subprocess.PIPE, text=True).stdout.splitlines()
    wrong = 0
    for (text, a, b, m, a0, after, pc), line in zip(tests, out):
        expected = "%x %x %x" % (a0, after, pc)
        if line != expected:
            wrong += 1
            if wrong < 20:
                print("rv%d %s with a1 = 0x%x, a2 = 0x%x: %s, must be %s" % (XLEN, text, a, b, line, expected))
    print("rv%d: %d cases of %d instructions, %d wrong" % (XLEN, len(tests), len({t[0].split()[0] for t in tests}), wrong))
    sys.exit(wrong != 0 or len(out) != len(tests))


main()
