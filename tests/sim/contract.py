#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Random commands to `ztl cosim`, every answer foretold by the second implementation of the contract
in conformance/kit/oracle.py: contract.py ZTL [COMMANDS [SEED]]"""
import random
import subprocess
import sys

sys.dont_write_bytecode = True
from oracle import (LOAD_MASK, MASK1, MASK2, PERM, REG, STATUS, STORE_MASK, STRIDES, SUBSET_OF,
                      TSHAPE, TTYPE, TYPES, WIDTHS, Hart, Trap, decode, pack)

ZTL, COMMANDS, SEED = sys.argv[1], int((sys.argv[2:] or [20000])[0]), int((sys.argv[3:] or [1])[0])


class Driver:
    """Chooses commands, most of them near what is legal, and notes the answers due."""

    def __init__(self, hart, rng):
        self.hart, self.rng, self.script = hart, rng, []

    def ask(self, command, answer):
        self.script.append((command, answer))

    def shape(self, total, count, most=255):
        """`count` dimensions whose product is usually `total`."""
        dims = [1] * count
        while total > 1:
            k = self.rng.randrange(count)
            if dims[k] * 2 <= most:
                dims[k] *= 2
                total //= 2
        if self.rng.random() < 0.1:
            dims[self.rng.randrange(count)] = self.rng.choice((0, 1, 3, 31, 33, 255))
        return dims

    def bits(self):
        return TYPES.get(self.hart.csr.get(TTYPE, 0), (8,))[0]

    def address(self):
        base, piece = self.rng.choice(list(self.hart.memory.items()))
        near = self.rng.choice((0, len(piece) // 2, len(piece) - REG, len(piece) - 16))
        return (base + near + self.rng.choice((0, 0, 0, 8, 2, 1, -4))) % (1 << self.hart.xlen)

    def set_x(self, n, value):
        self.hart.x[n] = value if n else 0
        self.ask(f"x {n} {value:#x}", "ok")

    def shape_in_gpr(self, total):
        above = self.rng.choice((0, 0, 0, self.rng.getrandbits(self.hart.xlen - 32)))
        return int.from_bytes(bytes(self.shape(total, 4)), "little") | above << 32

    def gpr(self):
        shape = self.shape_in_gpr(self.rng.choice((REG, 16384 // self.bits())))
        value = self.rng.choice((shape, self.address(), self.rng.getrandbits(32)))
        self.set_x(self.rng.randrange(32), value)

    def csr_value(self, address):
        rng = self.rng
        if address == TSHAPE:
            dims = self.shape(rng.choice((REG, REG, 512)) * 8 // self.bits(), 3, 64)
            if rng.random() < 0.3:
                dims = [rng.randint(1, 33), rng.randint(1, 7), rng.randint(1, 7)]
            return int.from_bytes(bytes(dims), "big") | rng.getrandbits(1) << 31
        if address == TTYPE:
            bad = [0x003, 0x020, 0x300, 0x800, rng.getrandbits(32)]
            return rng.choice((list(TYPES) + [0x001, 0x010]) * 9 + bad)
        if address == PERM:
            perm = rng.sample(range(4), 4) if rng.random() < 0.9 else rng.choices(range(4), k=4)
            return sum(p << 2 * k for k, p in enumerate(perm))
        if address in WIDTHS.values():
            return rng.choice((0, 0, 0, 1, 16, 32, 60, 1024, 1025, 0xFFFFFFFF, 1 << 31))
        if address >= 0x840:
            return rng.choice((0, 1, 2, 5, -1, -2, 7, 1 << 31)) % (1 << 32)
        if rng.random() < 0.3:
            return rng.choice((0, 1, 0xFFFFFFFF, 0xCC))
        return rng.getrandbits(32) & rng.choice((rng.getrandbits(32), 0xFFFFFFFF))

    def csr(self):
        rng = self.rng
        strides = [base + rng.randrange(32) for base in STRIDES.values()]
        often = [TSHAPE, TTYPE, TTYPE] * 4 + [PERM]
        address = rng.choice(often + list(range(0x800, 0x818)) + strides)
        value = self.csr_value(address)
        if rng.random() < 0.5:
            self.set_csr(address, value)
            return
        source, rd = rng.choice((0, 5, rng.randrange(32))), rng.randrange(32)
        f3 = rng.choice((1, 1, 2, 3, 5, 6, 7))
        if not f3 & 4:
            self.set_x(source, value)
        word = address << 20 | source << 15 | f3 << 12 | rd << 7 | 0x73
        self.ask(f"insn {word:#x}", self.hart.execute(word))
        self.ask(f"x {rd}", f"x {rd} {self.hart.x[rd]:#x}")

    def set_csr(self, address, value=None):
        value = self.csr_value(address) if value is None else value
        try:
            self.hart.write_csr(address, value)
            self.ask(f"csr {address:#x} {value:#x}", "ok")
        except Trap:
            self.ask(f"csr {address:#x} {value:#x}", "trap 2 0x0 0")

    def fill(self):
        n, ttype = self.rng.randrange(32), self.hart.csr.get(TTYPE, 0)
        block = self.rng.randbytes(REG)
        if TYPES.get(ttype, (0, 0))[0] >= 16 and self.rng.random() < 0.7:
            bits = TYPES[ttype][0]  # the ends of the ranges, and numbers as large as an immediate
            ends = [0, 1, 3, 1 << bits - 1, (1 << bits) - 1, 0x3F80 << bits - 16, 0x43 << bits - 8]
            near = [self.rng.choice(ends) + self.rng.randrange(64) for _ in range(8 * REG // bits)]
            block = pack([value % (1 << bits) for value in near], bits)
        self.hart.write_tl(n, block)
        self.ask(f"tl {n} {block.hex()}", "ok")

    def poke(self):
        base, piece = self.rng.choice(list(self.hart.memory.items()))
        at = self.rng.randrange(len(piece) - 256)
        piece[at : at + 256] = self.rng.randbytes(256)
        self.ask(f"poke {base + at:#x} {piece[at:at + 256].hex()}", "ok")

    def word(self):
        """Usually an instruction that exists and that the hart has, each kind as often."""
        kinds = [kind for kind, letter in SUBSET_OF.items() if letter in self.hart.subsets]
        if self.hart.revision == 1:
            kinds = [kind for kind in kinds if kind != "merge"]
        wanted = self.rng.choice(kinds) if self.rng.random() < 0.95 else None
        while True:
            word = self.rng.getrandbits(25) << 7 | 0x5B
            found = decode(self.hart.revision, word)
            if not wanted or found and found[0] == wanted:
                return word

    def prepare(self, name, suffix, fields):
        """Makes it likely that the next instruction has what it needs."""
        if name == "xpose":
            self.set_x(fields[2], self.shape_in_gpr(16384 // self.bits()))
        elif name == "permute":
            bits = {"b": 8, "h": 16, "w": 32, "d": 64}[suffix]
            self.set_x(fields[2], self.shape_in_gpr(16384 // bits))
        elif name in ("load", "store"):
            self.set_x(fields[2], self.address())
            if self.hart.revision == 1:
                self.set_x(fields[1], self.shape_in_gpr(REG))
            elif self.rng.random() < 0.5:
                self.set_csr(WIDTHS[name], 0)
        if name in ("concat", "merge", "load", "store") and self.rng.random() < 0.7:
            self.set_csr(TSHAPE)
        if self.rng.random() < 0.1:
            self.set_csr(self.rng.choice((MASK1, MASK2, LOAD_MASK, STORE_MASK)))

    def instruction(self):
        word = self.word()
        found = decode(self.hart.revision, word)
        if found and self.rng.random() < 0.8:
            self.prepare(*found[:3])
        self.ask(f"insn {word:#x}", self.hart.execute(word))
        if found and found[0] == "store" and self.rng.random() < 0.3:
            self.look_at_memory()
        for n in {found[2][0], found[2][1] & 31} if found else ():
            self.ask(f"tl {n}", f"tl {n} {self.hart.tl[n].hex()}")
        self.ask("csr tl_xpose_status", f"csr tl_xpose_status {self.hart.csr[STATUS]:#x}")

    def text(self):
        word = self.word()
        found = decode(self.hart.revision, word)
        self.ask(f"dis {word:#x}", "dis " + (found[3] if found else f".word {word:#010x}"))

    def look_at_all(self):
        for n in range(32):
            self.ask(f"tl {n}", f"tl {n} {self.hart.tl[n].hex()}")
        for address in self.hart.csr:
            self.ask(f"csr {address:#x}", f"csr {address:#x} {self.hart.read_csr(address):#x}")
        self.look_at_memory()

    def look_at_memory(self):
        for base, piece in self.hart.memory.items():
            self.ask(f"peek {base:#x} {len(piece)}", f"peek {base:#x} {piece.hex()}")

    def run(self, count):
        kinds = [self.gpr] * 6 + [self.csr] * 8 + [self.fill] * 2 + [self.poke, self.text]
        while len(self.script) < count:
            self.rng.choice(kinds + [self.instruction] * 14)()
            if self.rng.random() < 0.002:
                self.look_at_all()
            if self.rng.random() < 0.001:
                self.hart.reset()
                self.ask("reset", "ok")
        self.look_at_all()


def compare(options, script):
    lines = "".join(command + "\n" for command, _ in script)
    done = subprocess.run([ZTL, "cosim", *options], input=lines, text=True, capture_output=True)
    answers = done.stdout.splitlines()
    for n, (command, due) in enumerate(script):
        answer = answers[n] if n < len(answers) else "nothing"
        if answer != due:
            at = next((i for i, (a, b) in enumerate(zip(answer, due)) if a != b), 0)
            sys.exit(f"seed {SEED}, {' '.join(options)}, command {n}: {command[:60]}\n"
                     f"  contract …{due[max(at - 20, 0):at + 40]}\n"
                     f"  answered …{answer[max(at - 20, 0):at + 40]} (character {at})")
    if done.returncode or len(answers) != len(script):
        sys.exit(f"{options}: status {done.returncode}, {len(answers)} answers, {done.stderr}")


def main():
    window = (0x80000400, 0x1800)
    machines = [
        (2, 64, "xcamp", None, None), (2, 32, "xcamp", None, None), (2, 64, "xcamp", window, None),
        (2, 32, "xcamp", window, (0x80000000, 0x1000)), (2, 64, "xm", None, window),
        (2, 32, "cap", None, None), (1, 64, "xcam", None, None), (1, 32, "xcam", window, None),
        (1, 64, "cm", None, window), (1, 32, "xa", None, None),
    ]  # fmt: skip
    traps = {}
    for seed, (revision, xlen, subsets, l1m, l0m) in enumerate(machines):
        ram = [(0, 4096), (0x80000000, 8192), (2**xlen - 4096, 4096)]
        names = "_ztl" + "_ztl".join(letter + f"{revision}p0" for letter in subsets)
        options = ["--isa", f"rv{xlen}imac_zicsr" + names]
        options += [f"--mem={base:#x}:{size}" for base, size in ram]
        for name, window in (("l1m", l1m), ("l0m", l0m)):
            options += [f"--{name}={window[0]:#x}:{window[1]}"] if window else []
        hart = Hart(revision, xlen, subsets, ram, l1m, l0m)
        driver = Driver(hart, random.Random(SEED * 100 + seed))
        driver.run(COMMANDS // len(machines))
        compare(options, driver.script)
        for command, answer in driver.script:
            if command.startswith("insn"):
                kind = answer.split()[0:2] + answer.split()[3:]
                traps[" ".join(kind)] = traps.get(" ".join(kind), 0) + 1
    print(dict(sorted(traps.items())))
    reached = {key for key in traps if key != "ok"}
    wanted = {f"trap 2 {reason}" for reason in range(7)} | {f"trap {c} 0" for c in (4, 5, 6, 7)}
    sys.exit(f"never reached: {wanted - reached}" if wanted - reached else 0)


main()
