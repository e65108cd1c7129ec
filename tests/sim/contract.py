#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Random commands to `ztl cosim`, every answer foretold by a second implementation of the contract,
written from its text alone: contract.py ZTL [COMMANDS [SEED]]"""
import random
import subprocess
import sys
from fractions import Fraction

ZTL, COMMANDS, SEED = sys.argv[1], int((sys.argv[2:] or [20000])[0]), int((sys.argv[3:] or [1])[0])
ENCODING, TYPE, SHAPE, WIDTH, MASK_UNINITIALISED, MASK_COUNT = range(1, 7)
STATUS, TSHAPE, PERM, TTYPE = 0x803, 0x800, 0x801, 0x804
MASK1, MASK2, LOAD_MASK, STORE_MASK, MASK_LS = 0x810, 0x811, 0x812, 0x813, 0x814
WIDTHS, STRIDES = {"load": 0x815, "store": 0x816}, {"load": 0x840, "store": 0x860}
REG = 1024
GPR = ("zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 "
       "t3 t4 t5 t6").split()
SUBSET_OF = dict(load="m", store="m", concat="c", merge="c", addi="a", xpose="x", permute="p")
ENGINES = ("", ", comp", ", store", ", reshape")
# ttype: (bits, kind or (exponent bits, fraction bits, largest finite, infinity or None, nan or None))
TYPES = {
    0x000: (8, "unsigned"),
    0x001: (4, "signed"), 0x002: (8, "signed"), 0x004: (16, "signed"), 0x008: (32, "signed"),
    0x010: (4, (2, 1, 0x7, None, None)),
    0x040: (8, (4, 3, 0x7E, None, 0x7F)),
    0x080: (8, (5, 2, 0x7B, 0x7C, 0x7E)),
    0x0C0: (8, (3, 4, 0x6F, 0x70, 0x78)),
    0x100: (16, (5, 10, 0x7BFF, 0x7C00, 0x7E00)),
    0x200: (16, (8, 7, 0x7F7F, 0x7F80, 0x7FC0)),
    0x400: (32, (8, 23, 0x7F7FFFFF, 0x7F800000, 0x7FC00000)),
}  # fmt: skip


class Trap(Exception):
    """cause, tval (None: the word), reason"""


def illegal(reason):
    raise Trap(2, None, reason)


def signed(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def bytes_of(value, count=4):
    return [value >> 8 * k & 0xFF for k in range(count)]


def unpack(block, bits):
    """The elements of bytes, in memory order."""
    if bits == 4:
        return [nibble for byte in block for nibble in (byte & 15, byte >> 4)]
    step = bits // 8
    return [int.from_bytes(block[n : n + step], "little") for n in range(0, len(block), step)]


def pack(elements, bits):
    if bits == 4:
        return bytes(a | b << 4 for a, b in zip(elements[::2], elements[1::2]))
    return b"".join(e.to_bytes(bits // 8, "little") for e in elements)


def float_sum(value, imm, bits, form):
    exponent_bits, fraction_bits, largest, infinity, nan = form
    magnitude, sign = value & (1 << bits - 1) - 1, value >> bits - 1
    if nan is not None and (magnitude > infinity if infinity else magnitude == nan):
        return nan
    if magnitude == infinity:
        return value
    least = 2 - (1 << exponent_bits - 1)  # exponent of the smallest normal number
    field, fraction = magnitude >> fraction_bits, magnitude % (1 << fraction_bits)
    scale = least + max(field, 1) - 1 - fraction_bits
    exact = Fraction(2) ** scale * (fraction + (1 << fraction_bits if field else 0))
    exact = (-exact if sign else exact) + imm
    power = least
    while abs(exact) >= Fraction(2) ** (power + 1):
        power += 1
    kept = round(abs(exact) / Fraction(2) ** (power - fraction_bits))  # ties to even
    found = min(kept + (power - least << fraction_bits), largest)
    return found | (exact < 0) << bits - 1 if found else 0


SUMS = {}


def element_sum(value, imm, ttype):
    key = (value, imm, ttype)
    if key not in SUMS:
        bits, kind = TYPES[ttype]
        if kind == "unsigned":
            SUMS[key] = min(max(value + imm, 0), 255)
        elif kind == "signed":
            top = 1 << bits - 1
            SUMS[key] = min(max(signed(value, bits) + imm, -top), top - 1) & 2 * top - 1
        else:
            SUMS[key] = float_sum(value, imm, bits, kind)
    return SUMS[key]


def pair_of(code):
    """The two dimensions that XPOSE's four bits name."""
    return (1, 3) if code == 0b1010 else tuple(sorted((code >> 2, code & 3)))


def decode(revision, word):
    """(name, suffix, fields, text) or None"""
    f3, a, b, c = word >> 12 & 7, word >> 7 & 31, word >> 15 & 31, word >> 20 & 31
    if revision == 1:
        f7, imm = word >> 25, signed(word >> 20, 12)
        if f3 == 0 and f7 >> 4 == 0b011:
            pair = pair_of(f7 & 15)
            return "xpose", pair, (a, b, c), "tl.xpose.%d%d tl%d, tl%d, %s" % (*pair, a, b, GPR[c])
        if f3 == 1 and f7 >> 2 == 0b10000 and f7 & 3 < 3:
            return "concat", f7 & 3, (a, b, c), f"tl.concat.{f7 & 3} tl{a}, tl{b}, tl{c}"
        if f3 == 2:
            return "addi", None, (a, b, imm), f"tl.addi tl{a}, tl{b}, {imm}"
        if f3 == 3 and f7 == 0b1010000:
            return "load", True, (a, b, c), f"tl.mload tl{a}, {GPR[b]}, {GPR[c]}"
        if f3 == 4 and f7 == 0b1010001:
            return "store", True, (b, a, c), f"tl.mstore tl{b}, {GPR[c]}, {GPR[a]}"
        return None
    f5, imm, engine = word >> 25 & 31, signed(word >> 20, 8), ENGINES[word >> 30]
    if f3 == 0 or f3 == 2 and f5 >> 4:
        name, masked = ("load", "store")[f5 >> 4], f5 >> 3 & 1
        text = f"tl.{'m' * masked}{name} tl{b}, {imm}({GPR[a]}){engine}"
        return name, bool(masked), (b, imm, a), text
    if f3 == 1 and f5 & 3 < 3 and f5 >> 2 < 3:
        name = "merge" if f5 >> 2 else "concat"
        return name, f5 & 3, (a, b, c), f"tl.{name}.{f5 & 3} tl{a}, tl{b}, tl{c}{engine}"
    if f3 == 2 and f5 >> 3 == 0:
        return "addi", None, (a, b, imm), f"tl.addi tl{a}, tl{b}, {imm}{engine}"
    if f3 == 3 and f5 < 16:
        pair = pair_of(f5)
        text = "tl.xpose.%d%d tl%d, tl%d, %s%s" % (*pair, b, c, GPR[a], engine)
        return "xpose", pair, (b, c, a), text
    if f3 == 3 and f5 in (17, 18, 19, 20):
        size = " bwhd"[f5 - 16]
        return "permute", size, (b, c, a), f"tl.permute.{size} tl{b}, tl{c}, {GPR[a]}{engine}"
    return None


class Hart:
    def __init__(self, revision, xlen, subsets, ram, l1m, l0m):
        self.revision, self.xlen, self.subsets = revision, xlen, subsets
        self.memory = {base: bytearray(size) for base, size in ram}
        self.windows = {"load": l1m, "store": l0m}
        self.reset()

    def reset(self):
        self.tl = [bytes(REG)] * 32
        self.x = [0] * 32
        self.csr = {TSHAPE: 0, PERM: 0xE4, 0x802: 0, STATUS: 0}
        self.csr.update({mask: 0 for mask in (MASK1, MASK2, LOAD_MASK, STORE_MASK)})
        if self.revision == 2:
            self.csr.update({TTYPE: 0, MASK_LS: 0, WIDTHS["load"]: 0, WIDTHS["store"]: 0})
            self.csr.update({base + i: i for base in STRIDES.values() for i in range(32)})
        self.initialised = set()

    def read_csr(self, address):
        if address not in self.csr:
            raise Trap(2, 0, 0)
        return self.csr[LOAD_MASK if address == MASK_LS else address]

    def write_csr(self, address, value):
        self.read_csr(address)
        bits = {TSHAPE: 0xFFFFFF, PERM: 0xFF, 0x802: 0, STATUS: 0x7FF, TTYPE: 0xFFF}
        for target in (LOAD_MASK, STORE_MASK) if address == MASK_LS else (address,):
            self.csr[target] = value & bits.get(address, 0xFFFFFFFF)
            self.initialised.add(target)

    def csr_instruction(self, word):
        f3, rd, source, address = word >> 12 & 7, word >> 7 & 31, word >> 15 & 31, word >> 20
        try:
            old = self.read_csr(address)
        except Trap:
            raise Trap(2, None, 0) from None
        operand = source if f3 & 4 else self.x[source]
        if f3 & 3 == 1 or source:
            self.write_csr(address, {1: operand, 2: old | operand, 3: old & ~operand}[f3 & 3])
        if rd:
            self.x[rd] = old

    def write_tl(self, index, block):
        if index:
            self.tl[index] = bytes(block)

    def type_bits(self):
        ttype = self.csr.get(TTYPE, 0)
        return TYPES[ttype][0] if ttype in TYPES else illegal(TYPE)

    def byte_at(self, kind, address):
        """The piece of RAM and the offset of a byte, or None where an access of this kind faults."""
        window = self.windows[kind]
        if window and not window[0] <= address < window[0] + window[1]:
            return None
        for base, piece in self.memory.items():
            if base <= address < base + len(piece):
                return piece, address - base
        return None

    def slices(self, name, masked, fields):
        """(width, address of each accessed slice, number of slices), after every check."""
        bits = self.type_bits()
        if self.revision == 1:
            dims = bytes_of(self.x[fields[1]])
            if 0 in dims or dims[0] * dims[1] * dims[2] * dims[3] != REG or dims[0] > 32:
                illegal(SHAPE)
            count, width, base = dims[0], REG // dims[0], self.x[fields[2]]
            starts = [base + i * width for i in range(count)]
        else:
            d2, d1, count = bytes_of(self.csr[TSHAPE], 3)
            if not 1 <= count <= 32:
                illegal(SHAPE)
            width = self.csr[WIDTHS[name]]
            if not width:
                if not d1 or not d2:
                    illegal(SHAPE)
                if d1 * d2 * bits % 8:
                    illegal(WIDTH)
                width = d1 * d2 * bits // 8
            if count * width > REG:
                illegal(WIDTH)
            strides = [signed(self.csr[STRIDES[name] + i], 32) for i in range(count)]
            starts = [self.x[fields[2]] + (stride + fields[1]) * width for stride in strides]
        mask_csr = LOAD_MASK if name == "load" else STORE_MASK
        if masked and mask_csr not in self.initialised:
            illegal(MASK_UNINITIALISED)
        mask = self.csr[mask_csr] if masked else 0xFFFFFFFF
        taken = {i: start % (1 << self.xlen) for i, start in enumerate(starts) if mask >> i & 1}
        for start in taken.values():
            if start % max(bits // 8, 1):
                raise Trap(4 if name == "load" else 6, start, 0)
        for start in taken.values():
            for k in range(width):
                address = (start + k) % (1 << self.xlen)
                if not self.byte_at(name, address):
                    raise Trap(5 if name == "load" else 7, address, 0)
        return width, taken, count

    def load_or_store(self, name, masked, fields):
        width, taken, count = self.slices(name, masked, fields)
        block = bytearray(self.tl[fields[0]])
        if name == "load":
            block[: count * width] = bytes(count * width)
        for i, start in taken.items():
            for k in range(width):
                piece, offset = self.byte_at(name, (start + k) % (1 << self.xlen))
                if name == "load":
                    block[i * width + k] = piece[offset]
                else:
                    piece[offset] = block[i * width + k]
        if name == "load":
            self.write_tl(fields[0], block)

    def addi(self, fields):
        bits = self.type_bits()
        ttype = self.csr.get(TTYPE, 0)
        sums = [element_sum(e, fields[2], ttype) for e in unpack(self.tl[fields[1]], bits)]
        self.write_tl(fields[0], pack(sums, bits))

    def concat_or_merge(self, name, d, fields):
        bits = self.type_bits()
        dims = bytes_of(self.csr[TSHAPE], 3)[::-1]
        product = dims[0] * dims[1] * dims[2] * bits
        if not product or product > 8 * REG or dims[d] > 32:
            illegal(SHAPE)
        if self.revision == 1 and product != 8 * REG:
            illegal(SHAPE)
        if not self.initialised >= ({MASK1, MASK2} if name == "concat" else {MASK1}):
            illegal(MASK_UNINITIALISED)
        kept = [[i for i in range(dims[d]) if self.csr[m] >> i & 1] for m in (MASK1, MASK2)]
        if name == "merge":
            moves = [(i, 0 if i in kept[0] else 1, i) for i in range(dims[d])]
        elif len(kept[0]) + len(kept[1]) > dims[d]:
            illegal(MASK_COUNT)
        else:
            sources = [(0, i) for i in kept[0]] + [(1, i) for i in kept[1]]
            moves = [(n, which, i) for n, (which, i) in enumerate(sources)]
        result, *inputs = (unpack(self.tl[field], bits) for field in fields)
        for to, which, position in moves:
            for n in range(dims[0] * dims[1] * dims[2]):
                index = [n // dims[2] // dims[1], n // dims[2] % dims[1], n % dims[2]]
                if index[d] == to:
                    index[d] = position
                    m = (index[0] * dims[1] + index[1]) * dims[2] + index[2]
                    result[n] = inputs[which][m]
        self.write_tl(fields[0], pack(result, bits))

    def permute(self, bits, perm, fields):
        dims = bytes_of(self.x[fields[2]])
        product = dims[0] * dims[1] * dims[2] * dims[3] * bits
        if dims[0] % 2 or product != 16384 or sorted(perm) != [0, 1, 2, 3]:
            illegal(SHAPE)
        source = unpack(self.tl[fields[0]] + self.tl[fields[1]], bits)
        out = [dims[p] for p in perm]
        result = []
        for n in range(len(source)):
            index = [0] * 4
            for k in (3, 2, 1, 0):
                n, index[perm[k]] = divmod(n, out[k])
            i, j, k, m = index
            result.append(source[((i * dims[1] + j) * dims[2] + k) * dims[3] + m])
        block = pack(result, bits)
        self.write_tl(fields[0], block[:REG])
        self.write_tl(fields[1], block[REG:])

    def tensor_instruction(self, word):
        found = decode(self.revision, word)
        if not found or SUBSET_OF[found[0]] not in self.subsets:
            illegal(ENCODING)
        name, suffix, fields, _ = found
        if name in ("load", "store"):
            self.load_or_store(name, suffix, fields)
        elif name == "addi":
            self.addi(fields)
        elif name in ("concat", "merge"):
            self.concat_or_merge(name, suffix, fields)
        elif name == "xpose":
            bits, perm = self.type_bits(), [0, 1, 2, 3]
            perm[suffix[0]], perm[suffix[1]] = suffix[1], suffix[0]
            self.permute(bits, perm, fields)
        else:
            bits = {"b": 8, "h": 16, "w": 32, "d": 64}[suffix]
            self.permute(bits, [self.csr[PERM] >> 2 * k & 3 for k in range(4)], fields)

    def execute(self, word):
        """The answer to `insn`."""
        try:
            if word & 0x7F == 0x5B:
                self.tensor_instruction(word)
            else:
                self.csr_instruction(word)
            return "ok"
        except Trap as trap:
            cause, tval, reason = trap.args
            if reason:
                self.csr[STATUS] = reason | (word >> 12 & 7) << 8
            return f"trap {cause} {word if tval is None else tval:#x} {reason}"


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
            total = rng.choice((REG, REG, 512, 96)) * 8 // self.bits()
            return int.from_bytes(bytes(self.shape(total, 3, 64)), "big") | rng.getrandbits(1) << 31
        if address == TTYPE:
            return rng.choice(list(TYPES) * 9 + [0x003, 0x020, 0x300, 0x800, rng.getrandbits(32)])
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
        address = rng.choice([TSHAPE, TTYPE] * 4 + list(range(0x800, 0x818)) + [PERM] + strides)
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
        if TYPES.get(ttype, (0, 0))[0] >= 16 and self.rng.random() < 0.7:  # numbers near an immediate
            bits = TYPES[ttype][0]
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
        driver = Driver(Hart(revision, xlen, subsets, ram, l1m, l0m), random.Random(SEED * 100 + seed))
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
