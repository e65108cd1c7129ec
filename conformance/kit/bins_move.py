# SPDX-License-Identifier: Apache-2.0
"""CONCAT and MERGE: types, shapes, masks, registers that coincide, engines, traps and their order."""
from words import (A, B, BAD_TYPES, C, CONCAT, MERGE, MERGE_ALIAS, TYPE_NAMES, bits_of, concat1, move,
                   shape3)

TTYPE, TSHAPE, MASK1, MASK2 = 0x804, 0x800, 0x810, 0x811
PUT = {3: C, 1: A, 2: B}


def full_shape(d, bits):
    """1024 bytes, with 32 positions along d."""
    left = 8192 // bits // 32
    return [32 if k == d else min(left, 16) if k == (d + 1) % 3 else left // min(left, 16)
            for k in range(3)]


def csrs(shape, mask1=None, mask2=None, ttype=0, revision=2):
    yield TSHAPE, shape3(*shape)
    if revision == 2:
        yield TTYPE, ttype
    for address, mask in ((MASK1, mask1), (MASK2, mask2)):
        if mask is not None:
            yield address, mask


# Masks of a dimension of 8: name, first, second.
MASKS = (("none", 0, 0), ("first-only", 0x2D, 0), ("second-only", 0, 0xB4), ("all-first", 0xFF, 0),
         ("all-second", 0, 0xFF), ("lowest", 1, 1), ("highest", 0x80, 0x80), ("full", 0x0F, 0xF0),
         ("crossed", 0xA5, 0x5A), ("one-less", 0xE3, 0x03), ("beyond", 0xFFFFFF03, 0x12345681))
SHAPES = ((1, 1, 1), (3, 5, 7), (2, 3, 4), (31, 3, 2), (2, 31, 5), (7, 2, 32), (32, 32, 1), (1, 32, 32),
          (32, 1, 32), (4, 1, 30), (30, 4, 1))
LONG = {0: ((1, 255, 4), (4, 2, 128)), 1: ((255, 2, 2), (4, 1, 255)), 2: ((255, 1, 4), (4, 255, 1))}
ALIASES = (("rd-rs1", 1, 1, 2), ("rd-rs2", 2, 1, 2), ("rs1-rs2", 3, 1, 1), ("all", 1, 1, 1),
           ("rd-tl0", 0, 1, 2), ("rs1-tl0", 3, 0, 2), ("rs2-tl0", 3, 1, 0), ("high", 31, 30, 29))


def some(length):
    """Two masks that keep most of a dimension, with gaps."""
    whole = (1 << length) - 1
    first = 0x5B6DB6DB & whole & ~(1 << length // 2)
    room = length - bin(first).count("1")
    second, bit = 0, length - 1
    while room > 1 and bit >= 0:
        second |= 1 << bit
        room, bit = room - 1, bit - 2
    return first, second


def moves(topic, name, word_of, dims):
    """Bins that concat and merge have alike; word_of(d, rd, rs1, rs2)."""
    rule = f"ztl.{name}"
    base = 3 if name == "concat" else 1
    for d in dims:
        for ttype, called in TYPE_NAMES.items():
            masks = some(32)
            topic.bin(f"{rule}.{base}", f"type/{called}-d{d}", word_of(d, 3, 1, 2), put=PUT,
                      csr=csrs(full_shape(d, bits_of(ttype)), *masks, ttype), show=(3, 1, 2))
        for shape in (*SHAPES, *LONG[d]):
            for ttype in (0, 1):
                masks = some(min(shape[d], 32))
                called = "x".join(map(str, shape)) + "-" + TYPE_NAMES[ttype]
                chosen = {(2, 3, 4): "ztl.rev.3", (1, 1, 1): "ztl.insn.2"}.get(shape, f"{rule}.{base}")
                topic.bin(chosen, f"shape-{name}/{called}-d{d}", word_of(d, 3, 1, 2), put=PUT,
                          csr=csrs(shape, *masks, ttype), show=(3,))
        for called, rd, rs1, rs2 in ALIASES:
            put = {3: C, 1: A, 2: B, 31: C, 30: A, 29: B} if called == "high" else PUT
            topic.bin("ztl.insn.1", f"alias-{name}/{called}-d{d}", word_of(d, rd, rs1, rs2), put=put,
                      csr=csrs((4, 8, 6) if d else (8, 4, 6), *some(8)), show=(rd, rs1, rs2))
            topic.bin("ztl.insn.1", f"alias-{name}/{called}-crossed-d{d}", word_of(d, rd, rs1, rs2), put=put,
                      csr=csrs((4, 8, 6) if d else (8, 4, 6), 0x38, 0x17), show=(rd, rs1, rs2))
        topic.bin("ztl.reg.2", f"tl0-{name}/d{d}", word_of(d, 0, 1, 2), put=PUT,
                  csr=csrs((8, 8, 8), *some(8)), show=(0,))


def traps(topic, name, word_of, rules, counts):
    """rules: ids of TYPE, zero, too large, over 32."""
    for d in range(3):
        word, good = word_of(d, 3, 1, 2), (8, 4, 6)
        masks = some(good[d])
        for k in range(3):
            zero = tuple(0 if n == k else e for n, e in enumerate(good))
            topic.bin(rules[1], f"zero/d{d}-D{k}", word, put=PUT, csr=csrs(zero, *masks), show=(3,))
        for called, shape, ttype in (("33x31", (33, 31, 1), 0), ("33x32", (32, 33, 1), 0),
                                     ("2049-int4", (3, 1, 683 % 256), 8), ("1025", (5, 205, 1), 0),
                                     ("largest", (255, 255, 255), 0), ("int32", (32, 4, 3), 8)):
            size = shape[0] * shape[1] * shape[2] * bits_of(ttype)
            rule = rules[2] if size > 8192 else rules[3] if shape[d] > 32 else f"ztl.{name}.{counts}"
            topic.bin(rule, f"size/{called}-d{d}", word, put=PUT,
                      csr=csrs(shape, 1, 1, ttype), show=(3,))
        for length in (32, 33, 64, 255):
            shape = tuple(length if n == d else 1 for n in range(3))
            topic.bin(rules[3], f"length/{length}-d{d}", word, put=PUT, csr=csrs(shape, 3, 1), show=(3,))
        for ttype in BAD_TYPES if d == 0 else BAD_TYPES[:2]:
            topic.bin(rules[0], f"type-{name}/{ttype:#05x}-d{d}", word, put=PUT,
                      csr=csrs(good, *masks, ttype), show=(3,))
        for called, shape, ttype in (("type-shape", (0, 0, 0), 3), ("type-size", (255, 255, 255), 3)):
            topic.bin("ztl.exc.2", f"{name}-order/{called}-d{d}", word, put=PUT,
                      csr=csrs(shape, 0xFF, 0xFF, ttype), show=(3,))


def concat_2(suite):
    topic = suite.topic("concat")

    def word_of(d, rd, rs1, rs2, engine=0):
        return move(CONCAT + d, rd, rs1, rs2, engine)

    moves(topic, "concat", word_of, range(3))
    for d in range(3):
        shape = [3, 5, 6]
        shape[d] = 8
        for called, first, second in MASKS:
            topic.bin("ztl.concat.4" if bin(first & 255).count("1") + bin(second & 255).count("1") < 8
                      else "ztl.concat.2", f"masks/{called}-d{d}", word_of(d, 3, 1, 2), put=PUT,
                      csr=csrs(shape, first, second), show=(3,))
        for called, first, second in (("nine", 0x1F, 0x0F), ("both-all", 0xFF, 0xFF),
                                      ("one-over", 0xFF, 0x80)):
            topic.bin("ztl.concat.10", f"count/{called}-d{d}", word_of(d, 3, 1, 2), put=PUT,
                      csr=csrs(shape, first, second), show=(3,))
        whole = [1, 1, 1]
        whole[d] = 32
        topic.bin("ztl.concat.10", f"count/32-of-32-d{d}", word_of(d, 3, 1, 2), put=PUT,
                  csr=csrs(whole, 0xFFFF0000, 0xFFFF0000), show=(3,))
        topic.bin("ztl.concat.10", f"count/33-of-32-d{d}", word_of(d, 3, 1, 2), put=PUT,
                  csr=csrs(whole, 0xFFFF0000, 0xFFFF0001), show=(3,))
        topic.bin("ztl.concat.1", f"tshape/other-registers-d{d}", word_of(d, 3, 1, 2), put=PUT,
                  csr=[*csrs(shape, 0x3, 0x80), (0x801, 0x1B), (0x815, 5), (0x816, 7), (0x840, 9)],
                  show=(3,), values=(0x800, 0x801, 0x804, 0x810, 0x811, 0x815, 0x816, 0x840))
        for engine in range(4):
            topic.bin("ztl.engine.2", f"engine-concat/{engine}-d{d}", word_of(d, 3, 1, 2, engine),
                      put=PUT, csr=csrs(shape, 0x36, 0x81), show=(3,))
        topic.bin("ztl.exc.2", f"concat-order/shape-count-d{d}", word_of(d, 3, 1, 2), put=PUT,
                  csr=csrs((33, 33, 33), 0xFFFFFFFF, 0xFFFFFFFF), show=(3,))
    traps(suite.topic("concat-traps"), "concat", word_of,
          ("ztl.concat.5", "ztl.concat.6", "ztl.concat.7", "ztl.concat.8"), 3)


def merge_2(suite):
    topic = suite.topic("merge")

    def word_of(d, rd, rs1, rs2, engine=0):
        return move(MERGE + d, rd, rs1, rs2, engine)

    moves(topic, "merge", word_of, range(3))
    for d in range(3):
        shape = [3, 5, 6]
        shape[d] = 8
        for called, first, second in MASKS:
            topic.bin("ztl.merge.2" if called == "beyond" else "ztl.merge.1", f"masks/{called}-d{d}",
                      word_of(d, 3, 1, 2), put=PUT, csr=csrs(shape, first, second), show=(3,))
        topic.bin("ztl.merge.2", f"mask2-ignored/d{d}", word_of(d, 3, 1, 2), put=PUT,
                  csr=csrs(shape, 0xC3, 0xFFFFFFFF), show=(3,))
        for engine in range(4):
            topic.bin("ztl.engine.2", f"engine-merge/{engine}-d{d}", word_of(d, 3, 1, 2, engine),
                      put=PUT, csr=csrs(shape, 0x36), show=(3,))
            topic.bin("ztl.enc.2", f"merge-alias/{engine}-d{d}", move(MERGE_ALIAS + d, 3, 1, 2, engine),
                      put=PUT, csr=csrs(shape, 0x1B), show=(3,))
    traps(suite.topic("merge-traps"), "merge", word_of, ("ztl.merge.3",) * 4, 1)


def concat_1(suite):
    topic = suite.topic("concat")
    for d in range(3):
        shapes = [full_shape(d, 8), [8, 8, 16], [16, 8, 8], [8, 16, 8], [32, 32, 1]]
        shapes += [[1, 32, 32]] if d else [[32, 1, 32]]
        for shape in shapes:
            called = "x".join(map(str, shape))
            for mask, first, second in (("some", *some(shape[d])), ("less", 0x5, 0x2 if shape[d] > 2 else 0)):
                topic.bin("ztl.concat.3", f"shape/{called}-{mask}-d{d}", concat1(d, 3, 1, 2), put=PUT,
                          csr=csrs(shape, first, second, revision=1), show=(3, 1, 2))
        shape = [8, 8, 16] if d < 2 else [16, 8, 8]
        for called, first, second in MASKS:
            topic.bin("ztl.concat.4" if bin(first & 255).count("1") + bin(second & 255).count("1") < 8
                      else "ztl.concat.2", f"masks/{called}-d{d}", concat1(d, 3, 1, 2), put=PUT,
                      csr=csrs(shape, first, second, revision=1), show=(3,))
        for called, rd, rs1, rs2 in ALIASES:
            put = {31: C, 30: A, 29: B} if called == "high" else PUT
            topic.bin("ztl.insn.1", f"alias-concat/{called}-d{d}", concat1(d, rd, rs1, rs2), put=put,
                      csr=csrs(shape, *some(8), revision=1), show=(rd, rs1, rs2))
            topic.bin("ztl.insn.1", f"alias-concat/{called}-crossed-d{d}", concat1(d, rd, rs1, rs2), put=put,
                      csr=csrs(shape, 0x38, 0x17, revision=1), show=(rd, rs1, rs2))
        for called, first, second in (("nine", 0x1F, 0x0F), ("both-all", 0xFF, 0xFF)):
            topic.bin("ztl.concat.10", f"count/{called}-d{d}", concat1(d, 3, 1, 2), put=PUT,
                      csr=csrs(shape, first, second, revision=1), show=(3,))
        for k in range(3):
            zero = tuple(0 if n == k else e for n, e in enumerate(shape))
            topic.bin("ztl.concat.6", f"zero/d{d}-D{k}", concat1(d, 3, 1, 2), put=PUT,
                      csr=csrs(zero, 1, 1, revision=1), show=(3,))
        for size in ((8, 8, 8), (8, 8, 15), (8, 8, 17), (32, 33, 1), (16, 16, 8), (1, 1, 1)):
            topic.bin("ztl.concat.7", f"exact/{'x'.join(map(str, size))}-d{d}", concat1(d, 3, 1, 2),
                      put=PUT, csr=csrs(size, 1, 1, revision=1), show=(3,))
        long = [1, 1, 1]
        long[d], long[(d + 1) % 3] = 64, 16
        topic.bin("ztl.concat.8", f"length/64-d{d}", concat1(d, 3, 1, 2), put=PUT,
                  csr=csrs(long, 1, 1, revision=1), show=(3,))


def make(suite):
    if suite.revision == 1:
        concat_1(suite)
    else:
        concat_2(suite)
        merge_2(suite)
