# SPDX-License-Identifier: Apache-2.0
"""Random programs: steps, each an instruction with what is set before it. Most are legal; shapes, types,
masks and addresses are drawn so that they fit together, and now and then are not. The same seed gives the
same steps for ever: what is drawn, and in which order, must not change."""
import oracle
from oracle import LOAD_MASK, MASK1, MASK2, PERM, STORE_MASK, STRIDES, TSHAPE, TTYPE, WIDTHS
from words import (CONCAT, MERGE, Numbers, addi, addi1, bits_of, concat1, load1, load_store, move, pair, shape3, shape4,
                   store1, xpose1)

A1, A2 = 11, 12
# How often each kind of instruction comes: load, store, concat, merge, addi, xpose, permute, any word.
PROFILES = {"all": (20, 15, 15, 10, 12, 12, 12, 4), "memory": (40, 40, 4, 4, 4, 4, 4, 0),
            "moves": (6, 4, 25, 20, 5, 20, 20, 0), "floats": (6, 4, 2, 2, 80, 3, 3, 0),
            "traps": (15, 15, 15, 10, 5, 10, 10, 20)}  # fmt: skip
KINDS = ("load", "store", "concat", "merge", "addi", "xpose", "permute", "word")
SPOILT = {"traps": 50}  # of a hundred; else 12


class Steps:
    def __init__(self, seed, revision, subsets, profile):
        self.numbers, self.revision = Numbers(seed), revision
        self.spoilt = SPOILT.get(profile, 12)
        self.kinds = [kind for kind, weight in zip(KINDS, PROFILES[profile]) for _ in range(weight)
                      if kind == "word" or oracle.SUBSET_OF[kind] in subsets
                      and (revision == 2 or kind not in ("merge", "permute"))]

    def spoil(self, value, bits):
        """Now and then with a bit that is wrong."""
        if self.numbers.chance(self.spoilt):
            value ^= 1 << self.numbers.below(bits)
        return value

    def register(self):
        return self.numbers.below(32) if self.numbers.chance(30) else 1 + self.numbers.below(7)

    def type(self):
        n = self.numbers
        return self.spoil(n.pick(sorted(oracle.TYPES)), 12) if n.chance(60) else 0

    def draw(self):
        kind = self.numbers.pick(self.kinds)
        step = {"word": 0, "csr": [], "x": {}, "show": [], "memory": False}
        getattr(self, "draw_" + kind)(step)
        step["branch"] = self.numbers.chance(25)
        return step

    def powers(self, count, total, most):
        """So many dimensions, powers of two, of a product."""
        dims, left = [1] * count, total
        while left > 1:
            k = self.numbers.below(count)
            if dims[k] * 2 <= most[k]:
                dims[k] *= 2
                left //= 2
        return dims

    # ---- Loads and stores ------------------------------------------------------------------------

    def place(self, width, ttype):
        """(place, offset): mostly in the scratch memory."""
        n = self.numbers
        step = max(bits_of(ttype) // 8, 1) if ttype in oracle.TYPES else 1
        if n.chance(4):
            return ["fault", n.below(1024) * 4]
        if n.chance(6):
            return ["end", -n.below(64) * step]
        return ["scratch", n.below(512) // step * step + (n.below(4) if n.chance(4) else 0)]

    def draw_load(self, step, store=0):
        n = self.numbers
        tl = self.register()
        step["show"] = [] if store else [tl]
        step["memory"] = bool(store)
        mask = n.next() & 0xFFFFFFFF if n.chance(70) else n.pick((0, 1, 0xFFFFFFFF, 0x80000000))
        mask_csr = STORE_MASK if store else LOAD_MASK
        if self.revision == 1:
            step["csr"].append([mask_csr, mask])
            dims = self.powers(4, 1024, (32, 128, 128, 128))
            step["x"] = {A1: self.place(0, 0), A2: self.spoil(shape4(*dims), 32)}
            step["x"][A1] = [step["x"][A1][0], step["x"][A1][1] if step["x"][A1][0] != "scratch" else n.below(1024)]
            step["word"] = store1(tl, A1, A2) if store else load1(tl, A2, A1)
            return
        kind = "store" if store else "load"
        ttype, masked = self.type(), n.below(2)
        d0 = 1 + n.below(32)
        width = max(1024 // d0 // 4 * 4, 4) if n.chance(30) else 4 * (1 + n.below(4))
        if d0 * width > 512:
            width = 512 // d0 // 4 * 4 or 4
        step["csr"] += [[TTYPE, ttype], [TSHAPE, self.spoil(shape3(d0, 1 + n.below(3), 4), 24)]]
        step["csr"].append([WIDTHS[kind], self.spoil(width, 32) if n.chance(60) else 0])
        if masked:
            step["csr"].append([mask_csr, mask])
        for _ in range(n.below(4)):
            step["csr"].append([STRIDES[kind] + n.below(32), n.below(40) % (1 << 32)])
        step["x"] = {A1: self.place(width, ttype)}
        offset = n.below(4) if n.chance(90) else n.below(256)
        step["word"] = load_store(tl, offset, A1, masked, store, n.below(4), 2 * (store and n.below(2)))

    def draw_store(self, step):
        self.draw_load(step, 1)

    # ---- Moves -----------------------------------------------------------------------------------

    def block(self, step, d):
        n = self.numbers
        ttype = self.type() if self.revision == 2 else 0
        bits = bits_of(ttype) if ttype in oracle.TYPES else 8
        if self.revision == 2:
            step["csr"].append([TTYPE, ttype])
        if self.revision == 1 or n.chance(50):
            dims = self.powers(3, 8192 // bits, [32 if k == d else 128 for k in range(3)])
        else:
            left, dims = 8192 // bits, []
            for _ in range(3):
                dims.append(1 + n.below(min(left, 32)))
                left = max(left // dims[-1], 1)
        step["csr"].append([TSHAPE, self.spoil(shape3(*dims), 24)])
        return dims[d]

    def draw_concat(self, step):
        n = self.numbers
        d, regs = n.below(3), [self.register() for _ in range(3)]
        length = self.block(step, d)
        first = n.next() & (1 << length) - 1
        room = length - bin(first).count("1")
        second = 0
        for _ in range(room if n.chance(85) else room + 1):
            second |= 1 << n.below(length)
        above = (n.next() & 0xFFFFFFFF) >> length << length
        step["csr"] += [[MASK1, first | above], [MASK2, second]]
        step["show"] = regs[:1]
        step["word"] = move(CONCAT + d, *regs, n.below(4)) if self.revision == 2 else concat1(d, *regs)

    def draw_merge(self, step):
        n = self.numbers
        d, regs = n.below(3), [self.register() for _ in range(3)]
        self.block(step, d)
        step["csr"].append([MASK1, n.next() & 0xFFFFFFFF])
        step["show"] = regs[:1]
        step["word"] = move(n.pick((MERGE, 8)) + d, *regs, n.below(4))

    def draw_addi(self, step):
        n = self.numbers
        regs = [self.register() for _ in range(2)]
        if self.revision == 2:
            step["csr"].append([TTYPE, self.type()])
        step["show"] = regs[:1]
        step["word"] = (addi(*regs, n.below(256), n.below(4)) if self.revision == 2 else addi1(*regs, n.below(4096)))

    # ---- Pairs -----------------------------------------------------------------------------------

    def four(self, bits):
        dims = [2 * d if k == 0 else d for k, d in
                enumerate(self.powers(4, 16384 // bits // 2, (64, 128, 128, 128)))]
        return self.spoil(shape4(*dims), 32)

    def draw_xpose(self, step):
        n = self.numbers
        ttype = self.type() if self.revision == 2 else 0
        if self.revision == 2:
            step["csr"].append([TTYPE, ttype])
        regs = [self.register() for _ in range(2)]
        step["x"] = {A1: self.four(bits_of(ttype) if ttype in oracle.TYPES else 8)}
        step["show"] = regs
        code = n.below(16)
        step["word"] = pair(code, *regs, A1, n.below(4)) if self.revision == 2 else xpose1(code, *regs, A1)

    def draw_permute(self, step):
        n = self.numbers
        order = [0, 1, 2, 3]
        for k in (3, 2, 1):
            j = n.below(k + 1)
            order[k], order[j] = order[j], order[k]
        code, bits = n.pick(((0x11, 8), (0x12, 32), (0x13, 16), (0x14, 64)))
        regs = [self.register() for _ in range(2)]
        step["csr"].append([PERM, self.spoil(sum(p << 2 * k for k, p in enumerate(order)), 8)])
        step["x"] = {A1: self.four(bits)}
        step["show"] = regs
        step["word"] = pair(code, *regs, A1, n.below(4))

    def draw_word(self, step):
        """Any word whose integer registers are known: a0 to a7, or zero."""
        n = self.numbers
        word = n.next() & 0xFFFFFF80 | 0x5B
        found = oracle.decode(self.revision, word)
        if found and found[0] in ("load", "store", "xpose", "permute"):
            word = 0x7FFFF05B | n.below(8) << 7  # whatever it is, no address is at risk
        step["word"] = word
        found = oracle.decode(self.revision, word)
        step["show"] = [word >> 7 & 31] if found else []
