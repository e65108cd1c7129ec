# SPDX-License-Identifier: Apache-2.0
"""Loads and stores of both revisions: geometry of slices, masks, addresses, registers, engines,
traps and their order."""
from program import SCRATCH, At
from words import (A, B, BAD_TYPES, C, D, MEMORY, TYPE_NAMES, Numbers, bits_of, load1, load_store, shape3,
                   shape4, store1)

TTYPE, TSHAPE = 0x804, 0x800
MASK = {0: 0x812, 1: 0x813}
WIDTH = {0: 0x815, 1: 0x816}
STRIDE = {0: 0x840, 1: 0x860}
A1, A2 = 11, 12
NAMES = {(0, 0): "load", (1, 0): "mload", (0, 1): "store", (1, 1): "mstore"}  # masked, store
FILL = Numbers(9).block(SCRATCH)


class Access:
    """A load or store of Ztl 2 and what is needed around it; on RS it finds the scratch memory."""

    def __init__(self, topic, masked, store):
        self.topic, self.masked, self.store = topic, masked, store
        self.name = NAMES[masked, store]

    def bin(self, rule, name, *, shape=(1, 1, 1), width=None, strides=None, imm=0, offset=0, at=None,
            ttype=0, mask=0x5A5A5A5A, tl=3, rs=A1, engine=0, funct3=0, extra=(), show=None, x=None,
            values=()):
        csr = [(TSHAPE, shape3(*shape)), (TTYPE, ttype), (WIDTH[self.store], width or 0)]
        csr += [(STRIDE[self.store] + i, s % (1 << 32)) for i, s in (strides or {}).items()]
        if self.masked and mask is not None:
            csr.append((MASK[self.store], mask))
        word = load_store(tl, imm, rs, self.masked, self.store, engine, funct3)
        place = at or At("scratch", offset)
        registers = {rs: place} if x is None else x
        return self.topic.bin(rule, f"{name}-{self.name}" if "/" in name else f"{name}/{self.name}", word,
                              put={tl: C} if tl else {}, csr=[*csr, *extra], x=registers,
                              memory=FILL, show=show if show is not None else (tl,), place=place.place,
                              values=values)


def rule_of(access, load, store=None):
    return f"ztl.store.{store or load}" if access.store else f"ztl.load.{load}"


def geometry(a):
    masks = {"masked": 0xA5A5A5A5, "few": 1, "none": 0, "all": 0xFFFFFFFF} if a.masked else {"all": None}
    base = "ztl.mstore.1" if a.masked and a.store else "ztl.mload.1" if a.masked else (
        "ztl.store.1" if a.store else "ztl.load.1")
    for ttype, called in TYPE_NAMES.items():
        for shape in ((32, 4, 8 * 8 // bits_of(ttype)), (5, 3, 2), (1, 2, 128 * 8 // bits_of(ttype) // 2)):
            rule = {32: "ztl.load.3", 5: "ztl.load.6"}.get(shape[0], base) if base == "ztl.load.1" else base
            a.bin(rule, f"type/{called}-{'x'.join(map(str, shape))}", shape=shape, ttype=ttype)
    for shape, width in (((1, 0, 0), 1024), ((32, 0, 0), 32), ((31, 1, 1), 33), ((2, 255, 255), 512),
                         ((3, 1, 1), 341), ((32, 9, 9), 1), ((7, 0, 3), 3), ((1, 1, 0), 1)):
        rule = "ztl.reg.5" if width == 1024 else rule_of(a, 5 if shape[1:] == (1, 1) else 15, 1)
        a.bin(rule, f"width/{shape[0]}x{width}", shape=shape, width=width, mask=0xFFFFFFFF)
    for called, mask in masks.items():
        for count in (1, 2, 31, 32):
            a.bin("ztl.load.2" if base == "ztl.load.1" else base, f"mask/{called}-{count}", shape=(count, 3, 4),
                  mask=mask)
    if a.masked:
        rule = "ztl.mload.3" if not a.store else "ztl.mstore.1"
        for mask in (0xFFFFFFF0, 0xFFFFFFF5, 0x80000003):
            a.bin(rule, f"beyond/{mask:#010x}", shape=(4, 2, 8), mask=mask)
        if not a.store:
            a.bin("ztl.mload.2", "zeros/all-off", shape=(8, 4, 4), mask=0)
            a.bin("ztl.mload.2", "zeros/some-off", shape=(8, 16, 4), mask=0x0F)
        for bit in range(32):
            a.bin("ztl.rev.2", f"mask-bit-{a.name}/{bit}", shape=(32, 1, 4), mask=1 << bit)
    places = {i: s for i, s in enumerate((5, -3, 0, 7, 2, 2, -1, 4))}
    a.bin(rule_of(a, 4, 1), "stride/scattered", shape=(8, 1, 16), strides=places, offset=256, mask=0xDB)
    a.bin(rule_of(a, 4, 1), "stride/reversed", shape=(32, 1, 16), strides={i: 31 - i for i in range(32)},
          mask=0xFFFFFFFF)
    a.bin(rule_of(a, 4, 1), "stride/same", shape=(8, 1, 16), strides={i: 3 for i in range(8)}, mask=0xFF)
    a.bin(rule_of(a, 4, 1), "stride/negative", shape=(4, 2, 8), strides={i: -i for i in range(4)}, offset=512,
          mask=0xF)
    for bit in range(8):
        a.bin(rule_of(a, 4, 1), f"offset-bit/{bit}", shape=(2, 1, 4), imm=1 << bit, offset=1024, mask=3)
    for imm in (127, -128, -1):
        a.bin(rule_of(a, 4, 1), f"offset/{imm}", shape=(3, 1, 4), imm=imm, offset=1024, mask=7,
              strides={0: 1, 1: -1, 2: 4})
    for i in range(32):
        a.bin(rule_of(a, 4, 1), f"stride-register/{i}", shape=(32, 1, 4), width=4, strides={i: 64 + i},
              mask=0xFFFFFFFF if not a.masked else 1 << i)
    a.bin(rule_of(a, 7, 1), "reset-strides/contiguous", shape=(32, 4, 8), mask=0xFFFFFFFF)


def overlap(a):
    for called, strides, width in (("same", {0: 0, 1: 0, 2: 0}, 16), ("upwards", {0: 0, 1: 0, 2: 1}, 24),
                                   ("last-wins", {i: 5 for i in range(8)}, 8)):
        a.bin("ztl.store.2", f"overlap/{called}", shape=(len(strides), 1, 1), width=width, strides=strides,
              mask=0xFF, offset=64)


def fields(a):
    base = rule_of(a, 4, 1)
    for rs in [r for r in range(1, 32) if r not in (2, 3, 4)]:
        a.bin(base, f"rs/x{rs}", shape=(2, 1, 4), rs=rs, offset=rs * 4, mask=3)
    for tl in range(32):
        a.bin("ztl.reg.1" if tl else "ztl.reg.2", f"register-{a.name}/tl{tl}", shape=(2, 1, 4), tl=tl, mask=3,
              show=(tl, (tl + 1) % 32, tl ^ 16))
    for engine in range(4):
        a.bin("ztl.engine.2", f"engine-{a.name}/{engine}", shape=(4, 1, 8), engine=engine, mask=0xB)
        if a.store:
            a.bin("ztl.enc.2", f"{a.name}-alias/{engine}", shape=(4, 1, 8), engine=engine, funct3=2, mask=0xB)
    for ttype, called in ((0x001, "int4"), (0x400, "fp32"), (0x008, "int32")):
        a.bin("ztl.type.6", f"width-and-type-{a.name}/{called}", shape=(2, 1, 1), width=8, ttype=ttype, mask=3)
    if a.masked:
        other = MASK[1 - a.store]
        a.bin("ztl.csr.5", f"own-mask/{a.name}", shape=(4, 1, 8), mask=0x6, extra=[(other, 0x9)])
    a.bin("ztl.csr.5", f"own-width/{a.name}", shape=(4, 1, 8), width=16, mask=0xF,
          extra=[(WIDTH[1 - a.store], 3)] + [(STRIDE[1 - a.store] + i, 9) for i in range(4)])
    if not a.masked:
        a.bin("ztl.store.3" if a.store else "ztl.load.1", f"no-mask/{a.name}", shape=(4, 1, 8),
              extra=[(MASK[a.store], 0)])


def traps(a):
    word = a.name
    rule = lambda n, s=4: (f"ztl.mstore.3" if a.masked else f"ztl.store.{s}") if a.store else (
        f"ztl.mload.6" if a.masked and n == 0 else f"ztl.load.{n}")
    for ttype in BAD_TYPES[:5]:
        a.bin(rule(9), f"bad-type-{word}/{ttype:#05x}", shape=(2, 1, 4), ttype=ttype)
        a.bin("ztl.type.6", f"bad-type-with-width-{word}/{ttype:#05x}", shape=(2, 1, 4), ttype=ttype, width=8)
    for count in (0, 33, 64, 255):
        a.bin(rule(10), f"d0-{word}/{count}", shape=(count, 1, 1))
        a.bin(rule(10), f"d0-with-width-{word}/{count}", shape=(count, 1, 1), width=1)
    for called, shape in (("D1", (2, 0, 4)), ("D2", (2, 4, 0)), ("both", (2, 0, 0))):
        a.bin(rule(10), f"zero-{word}/{called}", shape=shape)
    for shape, ttype in (((2, 1, 1), 1), ((2, 3, 5), 1), ((1, 255, 1), 0x10), ((2, 1, 3), 0x10)):
        a.bin(rule(11), f"bits-{word}/{'x'.join(map(str, shape))}-{TYPE_NAMES[ttype]}", shape=shape, ttype=ttype)
    for shape, width in (((1, 1, 1), 1025), ((2, 1, 1), 513), ((32, 1, 1), 33), ((3, 1, 1), 342),
                         ((1, 1, 1), 0xFFFFFFFF), ((32, 1, 1), 0x08000000), ((2, 1, 1), 0x80000001),
                         ((16, 1, 1), 0x10000001)):
        a.bin(rule(12), f"total-{word}/{shape[0]}x{width:#x}", shape=shape, width=width)
    for shape, ttype in (((1, 32, 33), 0), ((32, 3, 11), 0), ((2, 4, 255), 8), ((32, 255, 255), 8),
                         ((1, 255, 255), 0x400)):
        a.bin(rule(12), f"derived-{word}/{'x'.join(map(str, shape))}-{TYPE_NAMES[ttype]}", shape=shape, ttype=ttype)
    for ttype, called in TYPE_NAMES.items():
        for off in (1, 2, 3):
            a.bin(rule(13), f"alignment-{word}/{called}-{off}", shape=(2, 1, 8), ttype=ttype, offset=64 + off,
                  mask=3)
    a.bin(rule(13), f"alignment-later-{word}/width-2", shape=(4, 1, 1), width=2, ttype=0x008, mask=0xF)
    a.bin(rule(13), f"alignment-later-{word}/slice-3", shape=(4, 1, 1), width=6, ttype=0x100,
          strides={3: 5}, offset=0, mask=0xF)
    for called, at, strides in (("first", At("fault", 64), {0: 0, 1: 1}), ("second", At("end", -8), {}),
                                ("inside", At("end", -4), {}), ("last-byte", At("end", -15), {}),
                                ("whole-page", At("fault", 4000), {})):
        a.bin("ztl.exc.1" if called in ("inside", "last-byte") else rule(14), f"fault-{word}/{called}",
              shape=(2, 1, 8), at=at, strides=strides, mask=3)
    a.bin(rule(14), f"fault-{word}/none", shape=(2, 1, 8), at=At("end", -16), mask=3)
    a.bin("ztl.exc.2", f"{word}-order/misaligned-before-fault", shape=(2, 1, 1), width=2, ttype=0x008,
          at=At("fault", 0), mask=3)
    a.bin("ztl.exc.2", f"{word}-order/first-fault", shape=(3, 1, 8), at=At("end", -8), strides={1: 7, 2: 1},
          mask=7)
    a.bin("ztl.exc.2", f"{word}-order/first-misaligned", shape=(3, 1, 1), width=1, ttype=0x100,
          strides={0: 2, 1: 5, 2: 3}, mask=7)
    a.bin("ztl.exc.2", f"{word}-order/type-shape", shape=(0, 0, 0), ttype=3)
    a.bin("ztl.exc.2", f"{word}-order/shape-width", shape=(33, 1, 1), width=0xFFFF)
    a.bin("ztl.exc.2", f"{word}-order/zero-width", shape=(33, 0, 1))
    a.bin("ztl.exc.2", f"{word}-order/width-misaligned", shape=(2, 1, 1), width=1024, ttype=8, offset=1)
    if a.masked:
        a.bin("ztl.exc.3", f"skipped-{word}/fault", shape=(4, 1, 8), at=At("end", -16), mask=3)
        a.bin("ztl.exc.3", f"skipped-{word}/all", shape=(4, 1, 8), at=At("fault", 0), mask=0)
        a.bin("ztl.exc.3", f"skipped-{word}/misaligned", shape=(3, 1, 1), width=4, ttype=0x008,
              strides={1: 7}, mask=5)
        a.bin("ztl.exc.3", f"skipped-{word}/beyond", shape=(2, 1, 8), at=At("end", -16), mask=0xFFFFFFFF)
        a.bin("ztl.exc.3", f"skipped-{word}/misaligned-off", shape=(2, 1, 1), width=2, ttype=0x008, mask=1)


def tl0(a):
    if a.store:
        a.bin("ztl.reg.2", f"store-tl0/{a.name}", shape=(4, 1, 16), tl=0, mask=0xF, show=(0,))
        return
    a.bin("ztl.reg.3", f"tl0-access/{a.name}-fault", shape=(2, 1, 8), tl=0, at=At("fault", 0), mask=3, show=(0,))
    a.bin("ztl.reg.3", f"tl0-access/{a.name}-misaligned", shape=(2, 1, 8), tl=0, ttype=8, offset=1, mask=3,
          show=(0,))
    a.bin("ztl.reg.3", f"tl0-access/{a.name}-shape", shape=(0, 1, 8), tl=0, mask=3, show=(0,))


def wrapping(suite, xlen):
    """Addresses modulo 2^XLEN: strides far beyond the address space, and RAM at both of its ends."""
    topic = suite.topic(f"addresses-rv{xlen}", xlen=xlen)
    ends = suite.topic(f"wrap-rv{xlen}", xlen=xlen, features=("wraps",))
    top = suite.topic(f"top-rv{xlen}", xlen=xlen, features=("top",))
    for (masked, store) in NAMES:
        a = Access(top, masked, store)
        for called, start in (("over", -8), ("last-byte", -1), ("whole", -16)):
            a.bin("ztl.exc.1", f"top-rv{xlen}/{called}", shape=(1, 1, 1), width=16, at=At("top", start), mask=1)
        a = Access(topic, masked, store)
        for stride in (0x7FFFFFFF, -0x80000000, -0x7FFFFFFF, 0x40000001):
            for width in (8, 16):
                a.bin(rule_of(a, 8, 1), f"modulo-rv{xlen}/{stride}x{width}", shape=(2, 1, 1), width=width,
                      strides={0: stride, 1: stride + 1 if stride < 0x7FFFFFFF else 0x7FFFFFFF}, mask=3,
                      offset=64 - stride * width)
        a.bin(rule_of(a, 8, 1), f"modulo-rv{xlen}/sum-33-bits", shape=(1, 1, 1), width=4, imm=127,
              strides={0: 0x7FFFFFFF}, offset=-(0x7FFFFFFF + 127) * 4, mask=1)
        a.bin(rule_of(a, 8, 1), f"modulo-rv{xlen}/sum-below", shape=(1, 1, 1), width=4, imm=-128,
              strides={0: -0x80000000}, offset=(0x80000000 + 128) * 4, mask=1)
        a = Access(ends, masked, store)
        for called, start in (("over", -8), ("last", -16), ("first", 0), ("one-byte", -1)):
            a.bin(rule_of(a, 8, 1), f"end-rv{xlen}/{called}", shape=(1, 1, 1), width=16, at=At("wrap", start),
                  mask=1)
        a.bin(rule_of(a, 4, 1), f"rs-rv{xlen}/x0", shape=(1, 1, 1), width=16, strides={0: 4}, rs=0, x={},
              at=At("wrap"), mask=1)
        a.bin(rule_of(a, 8, 1), f"end-rv{xlen}/two-slices", shape=(2, 1, 1), width=16, at=At("wrap", -24),
              mask=3)


def windows(suite):
    topic = suite.topic("windows", features=("windows",))
    for (masked, store) in NAMES:
        a = Access(topic, masked, store)
        own, other = ("l0m", "l1m") if store else ("l1m", "l0m")
        rule = "ztl.mem.2" if store else "ztl.mem.1"
        a.bin("ztl.mem.5", f"window/other-within-{a.name}", shape=(1, 1, 1), width=16, mask=1,
              at=At("l1m" if store else "l0m_end", -8))
        for called, at in (("last", At(f"{own}_end", -16)), ("crosses", At(f"{own}_end", -8)),
                           ("behind", At(f"{own}_end", 0)), ("one-byte", At(f"{own}_end", -15)),
                           ("first", At(own, 0)), ("before", At(own, -16)), ("enters", At(own, -8)),
                           ("other-end", At(f"{other}_end", -8)), ("other-start", At(other, 0))):
            chosen = "ztl.mem.5" if "other" in called else "ztl.mem.6" if called in ("behind", "before") else rule
            a.bin(chosen, f"window/{called}-{a.name}", shape=(2, 1, 1),
                  width=8, at=at, mask=3)


# ---- Ztl 1 ----------------------------------------------------------------------------------------

def shapes_1():
    for d0 in (1, 2, 4, 8, 16, 32):
        rest = 1024 // d0
        yield d0, 1 if rest <= 255 else 8, 1, rest if rest <= 255 else rest // 8
        yield d0, rest // 32, 8, 4
    yield 2, 128, 1, 4
    yield 16, 1, 64, 1


def revision_1(suite):
    topic = suite.topic("slices")
    for store in (0, 1):
        name = "mstore" if store else "mload"

        def bin_of(rule, called, shape, mask, *, at=None, tl=3, rshape=A2, rbase=A1, show=None, x=None):
            place = at or At("scratch", 0)
            word = store1(tl, rbase, rshape) if store else load1(tl, rshape, rbase)
            value = shape if isinstance(shape, int) else shape4(*shape)
            topic.bin(rule, f"{called}-{name}" if "/" in called else f"{called}/{name}", word,
                      put={tl: C} if tl else {}, csr=[(MASK[store], mask)],
                      x=x if x is not None else {rbase: place, rshape: value}, memory=FILL,
                      show=show or (tl,), place=place.place)

        where, shape_rule, trap = (("ztl.mstore.2", "ztl.mstore.2", "ztl.mstore.3") if store else
                                   ("ztl.mload.5", "ztl.mload.4", "ztl.mload.7"))
        for shape in dict.fromkeys(shapes_1()):
            for called, mask in (("all", 0xFFFFFFFF), ("some", 0xA5A5A5A5), ("none", 0), ("high", 0xFFFF0000)):
                bin_of(where, f"shape/{'x'.join(map(str, shape))}-{called}", shape, mask)
        bin_of("ztl.mstore.1" if store else "ztl.mload.1", "mask/one", (32, 1, 8, 4), 0x10000)
        if not store:
            bin_of("ztl.mload.2", "zeros/one", (4, 8, 8, 4), 0xB)
            bin_of("ztl.mload.3", "beyond/0xfffffff4", (4, 8, 8, 4), 0xFFFFFFF4)
        for off in (1, 2, 3, 5):
            bin_of("ztl.mload.8" if not store else "ztl.mstore.2", f"alignment/{off}", (4, 8, 8, 4), 0xF,
                   at=At("scratch", off))
        for k in range(4):
            shape = [4, 8, 8, 4]
            shape[k] = 0
            bin_of(trap, f"zero/D{k}", shape, 0xF)
        for shape in ((4, 8, 8, 3), (4, 8, 8, 5), (4, 8, 8, 8), (1, 1, 1, 1), (255, 255, 255, 255), (3, 8, 8, 5),
                      (33, 31, 1, 1), (64, 4, 4, 1), (128, 8, 1, 1), (128, 1, 2, 4)):
            bin_of(trap, f"bad-shape/{'x'.join(map(str, shape))}", shape, 0xF)
        for tl in range(32):
            bin_of("ztl.reg.1" if tl else "ztl.reg.2", f"register/tl{tl}", (4, 8, 8, 4), 0xF, tl=tl,
                   show=(tl, (tl + 1) % 32, tl ^ 16))
        for n in [r for r in range(1, 32) if r not in (2, 3, 4, 11)]:
            bin_of(where, f"rbase/x{n}", (4, 8, 8, 4), 0xF, rbase=n, rshape=11, at=At("scratch", n * 4))
            bin_of(shape_rule, f"rshape/x{n}", (8, 8, 4, 4), 0xFF, rshape=n)
        bin_of(trap, "rshape/x0", 0, 0xF, rshape=0, x={A1: At("scratch")})
        for called, at, mask in (("first", At("fault", 0), 0xF), ("second", At("end", -256), 0xF),
                                 ("inside", At("end", -100), 0xF), ("skipped", At("end", -256), 1),
                                 ("none", At("fault", 0), 0)):
            bin_of("ztl.exc.3" if called in ("skipped", "none") else "ztl.exc.1", f"fault-1/{called}", (4, 8, 8, 4),
                   mask, at=at)
        if not store:
            bin_of("ztl.reg.3", "tl0-access/fault", (4, 8, 8, 4), 0xF, tl=0, at=At("fault", 0))
    for xlen in (32, 64):
        top = suite.topic(f"top-rv{xlen}", xlen=xlen, features=("top",))
        for store in (0, 1):
            word = store1(3, A1, A2) if store else load1(3, A2, A1)
            for start in (-8, -256):
                top.bin("ztl.exc.1", f"top-rv{xlen}/{store}-{-start}", word, put={3: C}, csr=[(MASK[store], 0xF)],
                        x={A1: At("top", start), A2: shape4(4, 8, 8, 4)}, show=(3,), place="top")
        ends = suite.topic(f"wrap-rv{xlen}", xlen=xlen, features=("wraps",))
        for store in (0, 1):
            word = store1(3, A1, A2) if store else load1(3, A2, A1)
            for called, start in (("over", -100), ("slice", -256), ("first", 0)):
                ends.bin("ztl.mstore.2" if store else "ztl.mload.5", f"end-rv{xlen}/{called}-{store}", word,
                         put={3: C}, csr=[(MASK[store], 0xF)],
                         x={A1: At("wrap", start), A2: shape4(4, 8, 8, 4)}, show=(3,), place="wrap")
    wide = suite.topic("slices-rv64", xlen=64)
    wide.bin("ztl.mload.4", "high-half/ignored", load1(3, A2, A1), put={3: C}, csr=[(MASK[0], 0xF)],
             x={A1: At("scratch"), A2: shape4(4, 8, 8, 4) | 0xABCD << 32}, memory=FILL, show=(3,))


def make(suite):
    if suite.revision == 1:
        revision_1(suite)
        return
    for (masked, store), name in NAMES.items():
        access = Access(suite.topic(name), masked, store)
        geometry(access)
        fields(access)
        tl0(access)
        if store:
            overlap(access)
        traps(Access(suite.topic(f"{name}-traps"), masked, store))
    for xlen in (32, 64):
        wrapping(suite, xlen)
    windows(suite)
