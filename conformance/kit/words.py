# SPDX-License-Identifier: Apache-2.0
"""Instruction words by their fields, names of types, blocks of test data."""
import oracle

TYPE_NAMES = {0x000: "byte", 0x001: "int4", 0x002: "int8", 0x004: "int16", 0x008: "int32",
              0x010: "fp4", 0x040: "e4m3", 0x080: "e5m2", 0x0C0: "e3m4", 0x100: "fp16",
              0x200: "bf16", 0x400: "fp32"}  # fmt: skip
BAD_TYPES = (0x003, 0x005, 0x009, 0x020, 0x030, 0x041, 0x011, 0x300, 0x140, 0x440, 0x800, 0xC00, 0x501)
OPCODE = 0x5B
CONCAT, MERGE, MERGE_ALIAS = 0, 4, 8  # funct5 for dimension 0


def bits_of(ttype):
    return oracle.TYPES[ttype][0]


def load_store(tl, imm, rs, masked=0, store=0, engine=0, funct3=0):
    return (OPCODE | rs << 7 | funct3 << 12 | tl << 15 | (imm & 0xFF) << 20 | masked << 28
            | store << 29 | engine << 30)


def move(funct5, rd, rs1, rs2, engine=0):
    return OPCODE | rd << 7 | 1 << 12 | rs1 << 15 | rs2 << 20 | funct5 << 25 | engine << 30


def addi(rd, rs, imm, engine=0):
    return OPCODE | rd << 7 | 2 << 12 | rs << 15 | (imm & 0xFF) << 20 | engine << 30


def pair(funct5, first, second, rs, engine=0):
    return OPCODE | rs << 7 | 3 << 12 | first << 15 | second << 20 | funct5 << 25 | engine << 30


def concat1(d, rd, rs1, rs2):
    return OPCODE | rd << 7 | 1 << 12 | rs1 << 15 | rs2 << 20 | (0x40 + d) << 25


def addi1(rd, rs, imm):
    return OPCODE | rd << 7 | 2 << 12 | rs << 15 | (imm & 0xFFF) << 20


def xpose1(pair_code, first, second, rs):
    return OPCODE | first << 7 | second << 15 | rs << 20 | (0x30 + pair_code) << 25


def load1(tl, rshape, rbase):
    return OPCODE | tl << 7 | 3 << 12 | rshape << 15 | rbase << 20 | 0x50 << 25


def store1(tl, rbase, rshape):
    return OPCODE | rshape << 7 | 4 << 12 | tl << 15 | rbase << 20 | 0x51 << 25


def csr_word(address, source, funct3, rd):
    return address << 20 | source << 15 | funct3 << 12 | rd << 7 | 0x73


def shape3(d0, d1, d2):
    return d0 << 16 | d1 << 8 | d2


def shape4(d0, d1, d2, d3):
    return d0 | d1 << 8 | d2 << 16 | d3 << 24


class Numbers:
    """Random numbers that are the same everywhere and for ever: splitmix64."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        mask = (1 << 64) - 1
        self.state = self.state + 0x9E3779B97F4A7C15 & mask
        z = self.state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & mask
        z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
        return z ^ z >> 31

    def below(self, count):
        return self.next() % count

    def pick(self, items):
        return items[self.below(len(items))]

    def chance(self, percent):
        return self.below(100) < percent

    def block(self, size=oracle.REG):
        return b"".join(self.next().to_bytes(8, "little") for _ in range(size // 8))


A, B, C, D = (Numbers(seed).block() for seed in (1, 2, 3, 4))
MEMORY = A + B  # what the scratch memory holds before a store, unless a bin says otherwise
