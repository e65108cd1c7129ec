#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Decoder and disassembler against GNU objdump: all 16-bit words, and many 32-bit ones.

    disassemble.py XLEN COUNT WORK_DIR HART_TOOL
"""
import random
import re
import subprocess
import sys

ISA = "rv%dgc_zicbom_zicboz_zfh_zba_zbb_zbc_zbkb_zbkx_zbs"
EXACT = r"fcvt\.(d\.[shw]|d\.wu|s\.h) .*, (rtz|rdn|rup|rmm|dyn)$"
JUMPS = {"jal", "beq", "bne", "blt", "bge", "bltu", "bgeu", "c.j", "c.jal", "c.beqz", "c.bnez"}


def normal(text, xlen, pc):
    """Spaces and symbols away, numbers as decimals, targets relative to pc."""
    text = re.sub(r"\s*<.*>|\s*#.*", "", text.strip())
    mnemonic, _, operands = text.partition("\t") if "\t" in text else text.partition(" ")
    parts = [p.strip() for p in operands.split(",")] if operands else []
    if mnemonic in JUMPS:
        parts[-1] = str((int(parts[-1], 16) - pc) % (1 << xlen))
    if mnemonic in ("c.slli64", "c.srli64", "c.srai64"):  # objdump's names for a shift by 0
        mnemonic, parts = mnemonic[:-2], parts + ["0"]
    if text == "c.nop":
        mnemonic, parts = "c.addi", ["zero", "0"]
    parts = [str(int(p, 0)) if re.fullmatch(r"-?(0x[0-9a-f]+|\d+)", p) else p for p in parts]
    return mnemonic + " " + ",".join(parts)


def number_csr(ours, theirs):
    """objdump names CSRs that the hart lacks: there the number stands."""
    number = re.match(r"csr\w+ \w+, (0x[0-9a-f]+),", ours)
    return re.sub(r",\w+,", ",%s," % number[1], theirs) if number else theirs


def words(xlen, count):
    """Words of the opcodes that the hart knows, most of them close to real instructions."""
    pick = random.Random(xlen)
    opcodes = [0x03, 0x0f, 0x13, 0x17, 0x1b, 0x23, 0x2f, 0x33, 0x37, 0x3b, 0x63, 0x67, 0x6f, 0x73,
               0x07, 0x27, 0x43, 0x47, 0x4b, 0x4f, 0x53, 0x53, 0x53]
    tops = [0x00, 0x20, 0x01, 0x04, 0x05, 0x10, 0x30, 0x34, 0x14, 0x08, 0x18, 0x60, 0x6a, 0x0c,
            0x24, 0x2c, 0x50, 0x51, 0x52, 0x61, 0x62, 0x68, 0x69, 0x70, 0x71, 0x72, 0x78, 0x79, 0x7a, 0x21, 0x22, 0x02]
    for _ in range(count):
        word = pick.getrandbits(32) & ~0x7f | pick.choice(opcodes)
        if pick.random() < 0.7:
            word = word & 0x01ffffff | pick.choice(tops) << 25
        if pick.random() < 0.3:
            word = word & ~(0x1f << 20) | pick.choice([0, 1, 2, 4, 5, 7, 24]) << 20
        if word & 0x7f == 0x0f:  # fields that objdump wants zero and a hart ignores
            word &= 0x0ff0107f
            word = 0x0000100f if word & 0x1000 else word
            if pick.random() < 0.2:  # cbo, with what is next to it
                word = pick.randrange(6) << 20 | pick.randrange(32) << 15 | 0x0000200f
        yield word
    yield from (0x00000073, 0x00100073, 0x30200073, 0x10500073, 0x0000100f, 0x0ff0000f, 0x8330000f)


def objdump(xlen, stem, everything):
    """The words as instructions of an object file, whose attributes tell objdump the ISA."""
    with open(stem + ".s", "w") as file:
        file.write("".join(".insn %d, 0x%x\n" % (size, word) for word, size in everything))
    subprocess.run(["riscv64-unknown-elf-as", "-march=" + ISA % xlen, "-mabi=" + ("lp64d" if xlen == 64 else "ilp32d"),
                    stem + ".s", "-o", stem + ".o"], check=True)
    out = subprocess.run(["riscv64-unknown-elf-objdump", "-d", "-z", "-M", "no-aliases", stem + ".o"], check=True,
                         stdout=subprocess.PIPE, text=True).stdout
    lines = {}
    for line in out.splitlines():
        found = re.match(r"\s*([0-9a-f]+):\s+([0-9a-f]+)\s+(.*)", line)
        if found:
            lines[int(found[1], 16)] = found[3]
    return lines


def is_lenient(xlen, expected):
    """objdump shows a few reserved words as if they were instructions."""
    shift = re.match(r"(?:c\.)?(?:sll|srl|sra|ror|bset|bclr|bext|binv)i\s+\w+,(?:\w+,)?0x([0-9a-f]+)", expected)
    if re.match(r"f.*,unknown$", expected):  # a rounding mode
        return True
    return re.match(r"c\.addi16sp\s+sp,0$|c\.unimp|unimp$", expected) or \
        (shift and xlen == 32 and int(shift[1], 16) >= 32)


def main():
    xlen, count, work, tool = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
    short = [w for w in range(1 << 16) if w & 3 != 3]
    long = list(words(xlen, count))
    everything = [(w, 2) for w in short] + [(w, 4) for w in long]
    theirs = objdump(xlen, "%s/words%d" % (work, xlen), everything)
    ours = subprocess.run([tool, "dis", ISA % xlen], input="\n".join("%x" % w for w, _ in everything), check=True,
                          stdout=subprocess.PIPE, text=True).stdout.splitlines()
    wrong, known, pc = 0, 0, 0
    assert len(ours) == len(everything)
    for (word, size), text in zip(everything, ours):
        expected = theirs[pc]
        if text.startswith("."):
            good = expected.startswith(".") or is_lenient(xlen, expected)
        else:
            known += 1
            # A rounding mode where none is needed: objdump has no text for it.
            good = expected.startswith(".") and re.match(EXACT, text) or normal(text, xlen, 0) == normal(number_csr(text, expected), xlen, pc)
        if not good:
            wrong += 1
            if wrong <= 40:
                print("%08x: hart '%s', objdump '%s'" % (word, text, expected))
        pc += size
    print("rv%d: %d words, %d of them instructions, %d differ" % (xlen, len(everything), known, wrong))
    sys.exit(wrong != 0 or known < len(everything) // 4)


if __name__ == "__main__":
    main()
