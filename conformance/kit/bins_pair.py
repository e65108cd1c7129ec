# SPDX-License-Identifier: Apache-2.0
"""XPOSE and PERMUTE: every encoding, type, shape, permutation; registers that coincide; traps."""
from itertools import permutations

import oracle
from words import A, B, BAD_TYPES, C, TYPE_NAMES, bits_of, pair, shape4, xpose1

TTYPE, PERM = 0x804, 0x801
PUT = {1: A, 2: B}
A1 = 11  # the GPR with the shape, where it does not matter


def shapes_of(elements):
    """Shapes of so many elements: even, flat, long in each dimension."""
    power = elements.bit_length() - 1
    chosen = []
    for want in ((2, 2, 2), (3, 2, 3), (1, 1, 1), (4, 1, 2), (1, 4, 3), (3, 3, 1), (1, 2, 4), (7, 1, 1),
                 (1, 7, 1), (1, 1, 7), (2, 0, 0), (1, 0, 5), (5, 0, 1)):
        rest = power - sum(want)
        if 0 <= rest <= 7 and all(p <= 7 for p in want):
            chosen.append(tuple(1 << p for p in (*want, rest)))
    return chosen


def xpose(suite):
    topic = suite.topic("xpose")
    two = suite.revision == 2

    def word_of(code, first=1, second=2, rs=A1, engine=0):
        return pair(code, first, second, rs, engine) if two else xpose1(code, first, second, rs)

    csr = lambda ttype=0: [(TTYPE, ttype)] if two else []
    for code in range(16):
        dims = oracle.pair_of(code)
        rule = "ztl.xpose.7" if dims[0] == dims[1] else "ztl.xpose.6"
        topic.bin(rule, f"code/{code:04b}", word_of(code), put=PUT, csr=csr(),
                  x={A1: shape4(4, 8, 2, 32)}, show=(1, 2))
    for code in (1, 2, 3, 9, 10, 11):
        for ttype, called in TYPE_NAMES.items() if two else ((0, "byte"),):
            shapes = shapes_of(16384 // bits_of(ttype))
            for n, shape in enumerate(shapes if ttype in (0, 1) else shapes[:2]):
                name = "x".join(map(str, shape))
                topic.bin("ztl.xpose.5" if called == "byte" else "ztl.xpose.3", f"shape/{called}-{name}-{code:04b}", word_of(code), put=PUT,
                          csr=csr(ttype), x={A1: shape4(*shape)}, show=(1, 2))
    for called, first, second in (("same", 1, 1), ("tl0-first", 0, 2), ("tl0-second", 1, 0),
                                  ("tl0-both", 0, 0), ("swapped", 2, 1), ("high", 31, 30)):
        for code in (1, 10, 0):
            rule = "ztl.xpose.4" if called == "same" else "ztl.insn.1"
            topic.bin(rule, f"alias-xpose/{called}-{code:04b}", word_of(code, first, second),
                      put={1: A, 2: B, 31: C, 30: A}, csr=csr(), x={A1: shape4(16, 4, 8, 4)},
                      show=(first, second))
    topic.bin("ztl.xpose.1", "halves/first-and-second", word_of(1), put={1: A, 2: C}, csr=csr(),
              x={A1: shape4(2, 128, 8, 1)}, show=(1, 2))
    for engine in range(4) if two else ():
        for code in (9, 6):
            topic.bin("ztl.engine.2", f"engine-xpose/{engine}-{code:04b}", word_of(code, engine=engine),
                      put=PUT, csr=csr(), x={A1: shape4(4, 8, 16, 4)}, show=(1, 2))
    for rs in [r for r in range(1, 32) if r not in (2, 3, 4)]:
        topic.bin("ztl.xpose.2", f"rs/x{rs}", word_of(1, rs=rs), put=PUT, csr=csr(),
                  x={rs: shape4(2, 64, 16, 1)}, show=(1,))
    topic.bin("ztl.xpose.2", "rs/x0", word_of(1, rs=0), put=PUT, csr=csr(), show=(1, 2))
    shape_traps(topic, "xpose", ("ztl.xpose.9", "ztl.xpose.10", "ztl.xpose.11"), word_of, csr)
    if two:
        for ttype in BAD_TYPES:
            topic.bin("ztl.xpose.8", f"bad-type/{ttype:#05x}", word_of(1), put=PUT, csr=csr(ttype),
                      x={A1: shape4(4, 8, 16, 4)}, show=(1, 2))
        topic.bin("ztl.exc.2", "xpose-order/type-shape", word_of(1), put=PUT, csr=csr(3), x={A1: 0},
                  show=(1, 2))
        topic.bin("ztl.type.5", "use/xpose-shape-by-type", word_of(1), put=PUT, csr=csr(4),
                  x={A1: shape4(4, 8, 8, 4)}, show=(1, 2))
    wide = suite.topic("xpose-rv64", xlen=64)
    wide.bin("ztl.xpose.2", "high-half/ignored", word_of(1), put=PUT, csr=csr(),
             x={A1: shape4(4, 8, 16, 4) | 0xDEADBEEF << 32}, show=(1, 2))


def shape_traps(topic, name, rules, word_of, csr, put=PUT):
    """rules: ids of zero, odd, product."""
    word = word_of(0b0001)
    for k in range(4):
        shape = [4, 8, 16, 4]
        shape[k] = 0
        topic.bin(rules[0], f"zero-{name}/D{k}", word, put=put, csr=csr(), x={A1: shape4(*shape)}, show=(1, 2))
    for d0 in (1, 3, 255):
        topic.bin(rules[1], f"odd-{name}/{d0}", word, put=put, csr=csr(), x={A1: shape4(d0, 128, 16, 1)},
                  show=(1, 2))
    for shape in ((2, 1, 1, 1), (4, 8, 8, 4), (4, 16, 16, 4), (4, 8, 15, 4), (6, 8, 16, 4), (2, 2, 2, 255),
                  (254, 255, 255, 255), (128, 128, 128, 128), (64, 64, 64, 64)):
        topic.bin(rules[2], f"product-{name}/{'x'.join(map(str, shape))}", word, put=put, csr=csr(),
                  x={A1: shape4(*shape)}, show=(1, 2))


def permute(suite):
    topic = suite.topic("permute")
    sizes = {"b": (0x11, 8), "w": (0x12, 32), "h": (0x13, 16), "d": (0x14, 64)}
    for letter, (funct5, bits) in sizes.items():
        for order in permutations(range(4)):
            perm = sum(p << 2 * k for k, p in enumerate(order))
            shape = {8: (4, 8, 2, 32), 16: (2, 4, 8, 16), 32: (4, 2, 8, 8), 64: (2, 4, 2, 16)}[bits]
            topic.bin("ztl.permute.1", f"order/{letter}-{''.join(map(str, order))}",
                      pair(funct5, 1, 2, A1), put=PUT, csr=[(PERM, perm)], x={A1: shape4(*shape)},
                      show=(1, 2))
        for shape in shapes_of(16384 // bits)[:6]:
            topic.bin("ztl.permute.1", f"shape/{letter}-{'x'.join(map(str, shape))}",
                      pair(funct5, 1, 2, A1), put=PUT, csr=[(PERM, 0x63)], x={A1: shape4(*shape)},
                      show=(1, 2))
        for ttype in (0x001, 0x008, 0x003, 0x800):
            topic.bin("ztl.permute.2", f"ttype/{letter}-{ttype:#05x}", pair(funct5, 1, 2, A1), put=PUT,
                      csr=[(PERM, 0x1B), (TTYPE, ttype)], x={A1: shape4(2, 8, 16384 // bits // 64, 4)},
                      show=(1, 2))
        for engine in range(1, 4):
            topic.bin("ztl.engine.2", f"engine-permute/{letter}-{engine}", pair(funct5, 1, 2, A1, engine),
                      put=PUT, csr=[(PERM, 0x4B)], x={A1: shape4(2, 8, 16384 // bits // 64, 4)}, show=(1, 2))
        for rule, shape in (("ztl.permute.3", (3, 8, 16384 // bits // 16, 2)), ("ztl.permute.3", (2, 2, 2, 2)),
                            ("ztl.permute.3", (0, 8, 8, 8)), ("ztl.permute.3", (4, 8, 16384 // bits // 16, 4))):
            topic.bin(rule, f"shape/{letter}-{'x'.join(map(str, shape))}", pair(funct5, 1, 2, A1), put=PUT,
                      csr=[(PERM, 0xE1)], x={A1: shape4(*shape)}, show=(1, 2))
    for perm in (0x00, 0xE0, 0xE5, 0xFF, 0x24, 0xA4, 0x64, 0xE0 | 2, 0xAA):
        topic.bin("ztl.permute.4", f"perm/{perm:#04x}", pair(0x11, 1, 2, A1), put=PUT, csr=[(PERM, perm)],
                  x={A1: shape4(4, 8, 16, 4)}, show=(1, 2))
    for called, first, second in (("same", 1, 1), ("tl0-first", 0, 2), ("tl0-second", 1, 0), ("swapped", 2, 1),
                                  ("high", 31, 30)):
        topic.bin("ztl.insn.1", f"alias-permute/{called}", pair(0x11, first, second, A1),
                  put={1: A, 2: B, 31: C, 30: A}, csr=[(PERM, 0x93)], x={A1: shape4(16, 4, 8, 4)},
                  show=(first, second))
    shape_traps(topic, "permute", ("ztl.permute.3",) * 3, lambda code: pair(0x11, 1, 2, A1),
                lambda: [(PERM, 0x1B)])


def make(suite):
    xpose(suite)
    if suite.revision == 2:
        permute(suite)
