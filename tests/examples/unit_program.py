#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A random program of RV32 for examples/unit, as assembly: mostly legal, sometimes not.

    unit_program.py SEED COUNT > program.s

Registers start with the bytes of memory after the program; a trap goes on behind its instruction.
"""
import random
import sys

BITS = {0: 8, 1: 4, 2: 8, 4: 16, 8: 32, 0x10: 4, 0x40: 8, 0x80: 8, 0xc0: 8, 0x100: 16, 0x200: 16,
        0x400: 32}
WAYS = (".01", ".02", ".03", ".12", ".13", ".23", ".00", ".11", ".33")
OPERATIONS = ("add", "sub", "xor", "or", "and", "sll", "srl", "sra", "slt", "sltu")


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.bits = 8

    def say(self, text):
        print("  " + text)

    def chance(self, part):
        return self.random.random() < part

    def tl(self):
        return f"tl{self.random.choice((0, 1, 2, 3, 4, 5, 6, 7, 31))}"

    def number(self):
        return self.random.choice((self.random.getrandbits(32), self.random.randrange(256), 0,
                                   0xffffffff, 1 << self.random.randrange(32)))

    def csr(self, name, value):
        way = self.random.choice(("w", "w", "w", "s", "c"))
        self.say(f"li t1, {value & 0xffffffff:#x}")
        self.say(f"csrr{way} t2, {name}, t1" if way == "w" or self.chance(0.3) else f"csrrw t2, {name}, t1")

    def type(self):
        value = self.random.choice(list(BITS)) if self.chance(0.95) else self.random.getrandbits(12)
        self.bits = BITS.get(value, 8)
        self.say(f"li t1, {value:#x}")
        self.say("csrw ttype, t1")

    def block(self):
        """A shape of at most 1024 bytes, mostly."""
        limit = 8192 // self.bits
        d0 = self.random.randrange(1, 33)
        d1 = self.random.randrange(1, max(2, min(256, limit // d0 + 1)))
        d2 = self.random.randrange(1, max(2, min(256, limit // d0 // d1 + 1)))
        dims = [d0, d1, d2]
        if self.chance(0.3):
            self.random.shuffle(dims)
        if self.chance(0.1):
            dims[self.random.randrange(3)] = self.random.randrange(256)
        return dims

    def pair(self, bits):
        """The dimensions of a pair, mostly: powers of two."""
        left, dims = (16384 // bits).bit_length() - 1, [1, 0, 0, 0]
        left -= 1
        while left:
            k = self.random.randrange(4)
            if dims[k] < 7:
                dims[k] += 1
                left -= 1
        value = sum((1 << n) << 8 * k for k, n in enumerate(dims))
        return value if self.chance(0.9) else value ^ 1 << self.random.randrange(32)

    def mask(self):
        value = self.random.getrandbits(32) & self.random.choice((-1, self.random.getrandbits(32)))
        return value

    def memory(self):
        d0, d1, d2 = self.block()
        self.csr("tshape", d0 << 16 | d1 << 8 | d2)
        side = self.random.choice(("load", "store"))
        self.csr(f"tl_{side}_width", self.random.choice((0, 0, 1024 // max(d0, 1), self.random.randrange(64), self.random.getrandbits(32))))
        for _ in range(self.random.randrange(4)):
            self.csr(f"tl_{side}_stride{self.random.randrange(32)}", self.random.randrange(-8, 40))
        self.csr(self.random.choice((f"tl_{side}_mask", "tmask_ls")), self.mask())
        self.say("la a0, data")
        place = self.random.choice((0, 4, 1024, 4096)) + (self.random.randrange(8) if self.chance(0.2) else 0)
        if self.chance(0.05):
            place = self.random.choice((0x3fc00, 0x40000, -0x10000))
        self.say(f"li t1, {place}")
        self.say("add a0, a0, t1")
        mask = self.random.choice(("", "m"))
        self.say(f"tl.{mask}{side} {self.tl()}, {self.random.randrange(-4, 8)}(a0)")

    def select(self):
        d0, d1, d2 = self.block()
        self.csr("tshape", d0 << 16 | d1 << 8 | d2)
        for name in ("tmask_concat_1", "tmask_concat_2"):
            if self.chance(0.7):
                self.csr(name, self.mask() & self.mask())
        name = self.random.choice(("concat", "merge"))
        self.say(f"tl.{name}.{self.random.randrange(3)} {self.tl()}, {self.tl()}, {self.tl()}")

    def move(self):
        engine = self.random.choice(("", "", ", comp", ", reshape"))
        if self.chance(0.5):
            self.say(f"li a1, {self.pair(self.bits):#x}")
            self.say(f"tl.xpose{self.random.choice(WAYS)} {self.tl()}, {self.tl()}, a1{engine}")
            return
        size = self.random.choice("bhwd")
        order = [0, 1, 2, 3]
        self.random.shuffle(order)
        value = sum(n << 2 * k for k, n in enumerate(order))
        self.csr("tl_transpose_perm", value if self.chance(0.9) else self.random.getrandbits(8))
        self.say(f"li a1, {self.pair({'b': 8, 'h': 16, 'w': 32, 'd': 64}[size]):#x}")
        self.say(f"tl.permute.{size} {self.tl()}, {self.tl()}, a1{engine}")

    def add(self):
        self.say(f"tl.addi {self.tl()}, {self.tl()}, {self.random.randrange(-128, 128)}")

    def any_word(self):
        self.say(f".word {self.random.getrandbits(32) & ~0x7f | 0x5b:#010x}")

    def base(self):
        x = [f"x{self.random.randrange(12, 28)}" for _ in range(3)]
        self.say(f"li {x[1]}, {self.number():#x}")
        self.say(f"{self.random.choice(OPERATIONS)} {x[0]}, {x[1]}, {x[2]}")
        self.say("la t1, data")
        offset = self.random.randrange(64)
        self.say(f"{self.random.choice(('lb', 'lh', 'lw', 'lbu', 'lhu'))} {x[2]}, {offset}(t1)")
        self.say(f"{self.random.choice(('sb', 'sh', 'sw'))} {x[0]}, {offset}(t1)")
        self.say(f"b{self.random.choice(('eq', 'ne', 'lt', 'ge', 'ltu', 'geu'))} {x[0]}, {x[1]}, 1f")
        self.say(f"addi {x[0]}, {x[0]}, 1")
        print("1:")

    def odd(self):
        self.say(self.random.choice(("ecall", "ebreak", ".word 0", "csrr t2, 0x7ff", "csrw 0xf14, t2",
                                     "csrr t2, tmask_ls", "csrr t2, tl_xpose_status", "fence",
                                     "csrw tl_xpose_config, t1", "csrwi tl_xpose_status, 31",
                                     "csrr t2, mstatus", "csrrwi t2, mscratch, 5")))

    def write(self, count):
        print(".globl _start\n_start:\n  la t0, handler\n  csrw mtvec, t0\n  la a0, data")
        print("  li t1, 0x202001\n  csrw tshape, t1")
        for n in range(32):
            self.say(f"tl.load tl{n}, {n % 8}(a0)")
        steps = (self.memory, self.memory, self.select, self.select, self.move, self.add, self.base)
        for _ in range(count):
            self.type()
            self.random.choice(steps)()
            if self.chance(0.1):
                self.random.choice((self.any_word, self.odd))()
        print("  li t0, 0x10000004\n  sw zero, (t0)\n1: j 1b\n  .balign 4\nhandler:")
        print("  csrr t0, mepc\n  addi t0, t0, 4\n  csrw mepc, t0\n  mret\n  .balign 4\n  .space 16384\ndata:")
        for _ in range(4096):
            self.say(f".word {self.random.getrandbits(32):#x}")


Program(int(sys.argv[1])).write(int(sys.argv[2]))
