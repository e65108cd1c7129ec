#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Random base-ISA programs on the hart and on QEMU's user mode, with equal results.

    random_programs.py XLEN COUNT WORK_DIR LINUX_GUEST

All programs go into one static executable, assembled by GNU as. It runs them one after the other
and writes all registers and the scratch buffer after each; the two outputs must be the same.
"""
import random
import subprocess
import sys

ISA = "rv%dimac_zicsr_zifencei_zba_zbb_zbc_zbkb_zbkx_zbs"
BUFFER = 512      # bytes of scratch memory; s0 points to its middle, sp to its start
BASE = 0x10000
SETS = 64         # of initial register values
FIXED = (0, 2, 8, 30)  # never written by a program: zero, sp, s0, t5 (loop counter)

R = "add sub sll slt sltu xor srl sra or and mul mulh mulhsu mulhu div divu rem remu".split()
R += "sh1add sh2add sh3add andn orn xnor min minu max maxu rol ror bset bclr binv bext".split()
R += "clmul clmulh clmulr pack packh xperm4 xperm8".split()
R64 = "addw subw sllw srlw sraw mulw divw divuw remw remuw add.uw sh1add.uw sh2add.uw sh3add.uw rolw rorw packw".split()
I = "addi slti sltiu xori ori andi".split()
SHIFT = "slli srli srai rori bseti bclri binvi bexti".split()
SHIFTW = "slliw srliw sraiw roriw".split()
UNARY = "clz ctz cpop sext.b sext.h zext.h orc.b rev8 brev8 neg not seqz".split()
UNARY32 = ["zip", "unzip"]
UNARY64 = "clzw cpopw sext.w zext.w".split()
LOADS = {"lb": 1, "lbu": 1, "lh": 2, "lhu": 2, "lw": 4}
LOADS64 = {"lwu": 4, "ld": 8}
STORES = {"sb": 1, "sh": 2, "sw": 4}
BRANCH = "beq bne blt bge bltu bgeu".split()
AMO = "amoswap amoadd amoxor amoand amoor amomin amomax amominu amomaxu".split()


class Generator:
    def __init__(self, xlen, seed):
        self.xlen = xlen
        self.random = random.Random(seed)
        self.labels = 0

    def pick(self, choices):
        return self.random.choice(choices)

    def source(self):
        if self.random.random() < 0.5:
            return "x%d" % self.random.randrange(8, 16)
        return "x%d" % self.random.randrange(32)

    def target(self):
        while True:
            n = self.random.randrange(8, 16) if self.random.random() < 0.5 else self.random.randrange(32)
            if n == 0 or n not in FIXED:
                return "x%d" % n

    def label(self):
        self.labels += 1
        return ".L%d" % self.labels

    def memory(self, size):
        """An operand within the buffer, seldom misaligned."""
        base, low, high = self.pick([("s0", -BUFFER // 2, BUFFER // 2), ("sp", 0, BUFFER)])
        offset = self.random.randrange(low, high - size + 1)
        if self.random.random() < 0.9:
            offset -= offset % size
        return "%d(%s)" % (offset, base)

    def amo(self):
        size = self.pick("wd") if self.xlen == 64 else "w"
        order = self.pick(["", ".aq", ".rl", ".aqrl"])
        base = self.pick(["s0", "sp"])
        if self.random.random() < 0.3:
            rd = self.target()
            return ["lr.%s%s %s, (%s)" % (size, order, rd, base), self.arithmetic(),
                    "sc.%s%s %s, %s, (%s)" % (size, order, self.target(), self.source(), base)]
        return ["%s.%s%s %s, %s, (%s)" % (self.pick(AMO), size, order, self.target(), self.source(), base)]

    def arithmetic(self):
        wide = self.xlen == 64
        kind = self.random.randrange(10)
        if kind < 4:
            return "%s %s, %s, %s" % (self.pick(R + R64 if wide else R), self.target(), self.source(), self.source())
        if kind < 6:
            imm = self.pick([self.random.randrange(-2048, 2048), self.random.randrange(-32, 32)])
            return "%s %s, %s, %d" % (self.pick(I + ["addiw"] if wide else I), self.target(), self.source(), imm)
        if kind < 7:
            if wide and self.random.random() < 0.4:
                return "%s %s, %s, %d" % (self.pick(SHIFTW), self.target(), self.source(), self.random.randrange(32))
            names = SHIFT + ["slli.uw"] if wide else SHIFT
            return "%s %s, %s, %d" % (self.pick(names), self.target(), self.source(), self.random.randrange(self.xlen))
        if kind < 8:
            return "%s %s, %s" % (self.pick(UNARY + (UNARY64 if wide else UNARY32)), self.target(), self.source())
        if kind < 9:
            rd = self.target()
            return self.pick(["lui %s, %d" % (rd, self.random.randrange(1 << 20)),
                              "auipc %s, %d" % (rd, self.random.randrange(1 << 20)),
                              "li %s, %d" % (rd, self.random.randrange(-32, 32)),
                              "mv %s, %s" % (rd, self.source()),
                              "add %s, %s, %s" % (rd, rd, self.source()),
                              "addi sp, sp, 0", "fence", "fence.i", "nop"])
        rd = self.target()
        if wide and self.random.random() < 0.3:
            # QEMU 7.2 counts on into the high word where the low one is zero: give it no other.
            return "sext.w %s, %s\nctzw %s, %s" % (rd, self.source(), self.target(), rd)
        return "slli %s, %s, 32\nsrli %s, %s, 32" % (rd, self.source(), rd, rd) if wide else "nop"

    def access(self):
        loads = dict(LOADS, **LOADS64) if self.xlen == 64 else LOADS
        stores = dict(STORES, sd=8) if self.xlen == 64 else STORES
        if self.random.random() < 0.5:
            name = self.pick(sorted(loads))
            return "%s %s, %s" % (name, self.target(), self.memory(loads[name]))
        name = self.pick(sorted(stores))
        return "%s %s, %s" % (name, self.source(), self.memory(stores[name]))

    def jump(self, depth):
        """Over a few instructions, by a branch, a jump, a call or an indirect one."""
        label = self.label()
        kind = self.random.randrange(6)
        over = self.sequence(self.random.randrange(1, 5), depth + 1)
        if kind < 3:
            head = ["%s %s, %s, %s" % (self.pick(BRANCH), self.source(), self.source(), label)]
        elif kind == 3:
            head = ["%s %s, %s" % (self.pick(["beqz", "bnez", "bltz"]), self.source(), label)]
        elif kind == 4:
            head = ["jal %s, %s" % (self.target(), label)]
        else:
            register = "x%d" % self.random.randrange(9, 16)
            head = ["la %s, %s" % (register, label), "jalr %s, 0(%s)" % (self.target(), register)]
        return head + over + ["%s:" % label]

    def loop(self):
        label = self.label()
        body = self.sequence(self.random.randrange(1, 8), 1)
        return ["li t5, %d" % self.random.randrange(1, 20), "%s:" % label] + body + \
            ["addi t5, t5, -1", "bnez t5, %s" % label]

    def sequence(self, count, depth=0):
        lines = []
        for _ in range(count):
            kind = self.random.random()
            if kind < 0.62:
                lines.append(self.arithmetic())
            elif kind < 0.84:
                lines.append(self.access())
            elif kind < 0.88:
                lines += self.amo()
            elif kind < 0.97 or depth:
                lines += self.jump(depth) if depth < 3 else [self.arithmetic()]
            else:
                lines += self.loop()
        return lines

    def value(self):
        top = 1 << self.xlen
        return self.pick([0, 1, top - 1, top // 2, top // 2 - 1, 0x80000000, 0x7fffffff,
                          self.random.randrange(top), self.random.randrange(top),
                          self.random.randrange(256), top - self.random.randrange(1, 256)])


def assembly(xlen, count):
    make = Generator(xlen, 20_000 + xlen)
    word, load, store = (".dword", "ld", "sd") if xlen == 64 else (".word", "lw", "sw")
    size = xlen // 8
    loaded = [n for n in range(1, 32) if n not in (2, 8, 31)]
    out = [".text", ".globl _start", "_start:",
           "la t0, index", "sw zero, 0(t0)",
           "next:", "la t0, index", "lw t1, 0(t0)", "li t2, %d" % count, "bge t1, t2, finish",
           "addi t2, t1, 1", "sw t2, 0(t0)",
           "la t3, programs", "slli t4, t1, %d" % (3 if xlen == 64 else 2), "add t3, t3, t4",
           "%s t6, 0(t3)" % load, "andi t1, t1, %d" % (SETS - 1), "slli t1, t1, %d" % (8 if xlen == 64 else 7),
           "la s0, values", "add s0, s0, t1"]
    out += ["%s x%d, %d(s0)" % (load, n, n * size) for n in loaded]
    out += ["la s0, buffer + %d" % (BUFFER // 2), "la sp, buffer", "jr t6", "finish_program:"]
    out += ["%s x%d, %d(s0)" % (store, n, BUFFER // 2 + n * size) for n in range(32)]
    out += ["li a0, 1", "la a1, buffer", "li a2, %d" % (BUFFER + 32 * size), "li a7, 64", "ecall",
            "j next", "finish:", "li a0, 0", "li a7, 93", "ecall"]
    for n in range(count):
        out += ["program_%d:" % n] + make.sequence(make.random.randrange(10, 50)) + ["tail finish_program"]
    out += [".section .data", ".balign 4096", "programs:"]
    out += ["%s program_%d" % (word, n) for n in range(count)]
    out += ["values:"] + ["%s %d" % (word, make.value()) for _ in range(32 * SETS)]
    out += ["index: .dword 0", ".balign 64", "buffer: .space %d" % (BUFFER + 32 * size)]
    return "\n".join(out) + "\n"


def differences(xlen, ours, theirs, source):
    size = BUFFER + 4 * xlen
    for n in range(len(theirs) // size):
        a, b = ours[n * size:(n + 1) * size], theirs[n * size:(n + 1) * size]
        if a == b:
            continue
        print("program %d of rv%d differs:" % (n, xlen))
        start = source.index("program_%d:" % n)
        print(source[start:source.index("tail", start)])
        for k in range(32):
            at = BUFFER + k * xlen // 8
            x, y = a[at:at + xlen // 8][::-1].hex(), b[at:at + xlen // 8][::-1].hex()
            if x != y:
                print("x%d: hart 0x%s, qemu 0x%s" % (k, x, y))
        print("buffer %s" % ("differs" if a[:BUFFER] != b[:BUFFER] else "is the same"))
        return True
    return len(ours) != len(theirs)


def run(command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, timeout=300).stdout


def main():
    xlen, count, work, guest = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
    stem = "%s/random%d" % (work, xlen)
    source = assembly(xlen, count)
    with open(stem + ".s", "w") as file:
        file.write(source)
    tool = "riscv64-unknown-elf-"
    run([tool + "as", "-march=" + ISA % xlen, "-mabi=" + ("lp64" if xlen == 64 else "ilp32"),
         stem + ".s", "-o", stem + ".o"])
    run([tool + "ld", "-m", "elf%dlriscv" % xlen, "-no-relax", "-Ttext=0x%x" % BASE, stem + ".o", "-o", stem])
    run([tool + "objcopy", "-O", "binary", stem, stem + ".bin"])
    theirs = run(["qemu-riscv%d" % xlen, "-cpu", "rv%d,%s" % (xlen, ",".join(e + "=true" for e in ISA.split("_")[3:])), stem])
    if len(theirs) != count * (BUFFER + 4 * xlen):
        sys.exit("qemu wrote %d bytes" % len(theirs))
    isa = ISA % xlen
    for mode in ([], ["observe"]):
        ours = run([guest, isa, stem + ".bin", hex(BASE)] + mode)
        if differences(xlen, ours, theirs, source):
            sys.exit("the hart and QEMU disagree%s" % (" (observed)" if mode else ""))
    print("%d programs of rv%d: equal" % (count, xlen))


main()
