# SPDX-License-Identifier: Apache-2.0
"""A second implementation of the contract, both revisions, written from its text alone: plain and
slow, for comparing the golden model with."""
from fractions import Fraction

ENCODING, TYPE, SHAPE, WIDTH, MASK_UNINITIALISED, MASK_COUNT = range(1, 7)
STATUS, TSHAPE, PERM, TTYPE = 0x803, 0x800, 0x801, 0x804
MASK1, MASK2, LOAD_MASK, STORE_MASK, MASK_LS = 0x810, 0x811, 0x812, 0x813, 0x814
WIDTHS, STRIDES = {"load": 0x815, "store": 0x816}, {"load": 0x840, "store": 0x860}
REG = 1024
GPR = ("zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 "
       "t3 t4 t5 t6").split()
SUBSET_OF = dict(load="m", store="m", concat="c", merge="c", addi="a", xpose="x", permute="p")
ENGINES = ("", ", comp", ", store", ", reshape")
# ttype: bits of an element, and its kind; of a float (exponent bits, fraction bits, largest finite,
# infinity, canonical NaN)
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
        """The piece of RAM and the offset of a byte, or None where an access faults."""
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
        inner = (dims[1] * dims[2], dims[2], 1)[d]
        for to, which, position in moves:
            for outer in range(0, dims[0] * dims[1] * dims[2], dims[d] * inner):
                for n in range(outer, outer + inner):
                    result[n + to * inner] = inputs[which][n + position * inner]
        self.write_tl(fields[0], pack(result, bits))

    def permute(self, bits, perm, fields):
        dims = bytes_of(self.x[fields[2]])
        product = dims[0] * dims[1] * dims[2] * dims[3] * bits
        if dims[0] % 2 or product != 16384 or sorted(perm) != [0, 1, 2, 3]:
            illegal(SHAPE)
        source = unpack(self.tl[fields[0]] + self.tl[fields[1]], bits)
        stride = [dims[1] * dims[2] * dims[3], dims[2] * dims[3], dims[3], 1]
        result = [source[i * stride[perm[0]] + j * stride[perm[1]] + k * stride[perm[2]] + m * stride[perm[3]]]
                  for i in range(dims[perm[0]]) for j in range(dims[perm[1]])
                  for k in range(dims[perm[2]]) for m in range(dims[perm[3]])]
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
