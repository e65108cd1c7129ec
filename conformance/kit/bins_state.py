# SPDX-License-Identifier: Apache-2.0
"""Reset, CSRs, uninitialised masks, encodings, absent sub-extensions, what a trap leaves alone."""
import oracle
from program import At
from words import (A, B, C, D, TYPE_NAMES, addi, addi1, concat1, csr_word, load1, load_store, move, pair, shape3,
                   shape4, store1, xpose1)

CSRRW, CSRRS, CSRRC, CSRRWI, CSRRSI, CSRRCI = 1, 2, 3, 5, 6, 7
FORMS = {CSRRW: "csrrw", CSRRS: "csrrs", CSRRC: "csrrc", CSRRWI: "csrrwi", CSRRSI: "csrrsi", CSRRCI: "csrrci"}
S5, S6 = 21, 22
A0, A1, A2 = 10, 11, 12
MASKS = {0x810: "tmask_concat_1", 0x811: "tmask_concat_2", 0x812: "tl_load_mask", 0x813: "tl_store_mask"}
MASK_LS = 0x814
SINGLE = {0x800: "tshape", 0x801: "tl_transpose_perm", 0x802: "tl_xpose_config", 0x803: "tl_xpose_status",
          0x804: "ttype", **MASKS, 0x815: "tl_load_width", 0x816: "tl_store_width"}


def names_of(revision):
    if revision == 1:
        return {a: n for a, n in SINGLE.items() if a not in (0x804, 0x815, 0x816)}
    strides = {base + i: f"tl_{kind}_stride{i}" for kind, base in (("load", 0x840), ("store", 0x860))
               for i in range(32)}
    return {**SINGLE, MASK_LS: "tmask_ls", **strides}


def using(mask, revision):
    """An instruction that needs a mask, and the CSRs that make it legal."""
    if revision == 1:
        return {0x810: (concat1(0, 3, 1, 2), [(0x800, shape3(8, 8, 16))]),
                0x811: (concat1(0, 3, 1, 2), [(0x800, shape3(8, 8, 16))]),
                0x812: (load1(3, A2, A1), []), 0x813: (store1(3, A1, A2), [])}[mask]
    block = [(0x800, shape3(8, 4, 6))]
    slices = [(0x800, shape3(4, 1, 8)), (0x815, 0), (0x816, 0)]
    return {0x810: (move(4, 3, 1, 2), block), 0x811: (move(0, 3, 1, 2), block),
            0x812: (load_store(3, 0, A1, 1, 0), slices), 0x813: (load_store(3, 0, A1, 1, 1), slices)}[mask]


def reset(suite):
    """The first instructions of a program."""
    early = suite.topic("reset", bare=True)
    for address, name in names_of(suite.revision).items():
        early.bin("ztl.csr.5", f"reset/{name}", csr_word(address, 0, CSRRS, S5), values=(S5,),
                  text=f"csrr s5, {name}")
    registers = suite.topic("reset-registers")
    for tl in range(32):
        registers.bin("ztl.reg.1", f"zero-at-reset/tl{tl}", addi_any(suite, 31 if tl == 0 else 0, tl, 0), show=(tl,))


def addi_any(suite, rd, rs, imm):
    return (addi1 if suite.revision == 1 else addi)(rd, rs, imm)


def csr_access(suite):
    topic = suite.topic("csr")
    wide = suite.topic("csr-rv64", xlen=64)
    for address, name in names_of(suite.revision).items():
        is_stride = address >= 0x840
        patterns = (0xFFFFFFFF, 0x00000000, 0xA5C3965A) if not is_stride else (0xFFFFFFFF, 0x80000000 + address)
        for value in patterns:
            # the old value comes back, and the new one stays
            topic.bin("ztl.csr.2" if name not in ("tmask_ls",) else "ztl.csr.5", f"write/{name}-{value:#010x}",
                      csr_word(address, A0, CSRRW, S5), csr=[(address, 0x1234)], x={A0: value},
                      values=(S5, address), text=f"csrrw s5, {name}, a0")
        forms = (CSRRS, CSRRC, CSRRWI, CSRRSI, CSRRCI) if not is_stride else (CSRRS, CSRRC)
        for form in forms:
            source = 0b10101 if form > 4 else A0
            topic.bin("ztl.csr.1", f"{FORMS[form]}/{name}", csr_word(address, source, form, S5),
                      csr=[(address, 0x0FF00FF0)], x={A0: 0x00FFFF0F} if form < 4 else {},
                      values=(S5, address), text=f"{FORMS[form]} s5, {name}, {'a0' if form < 4 else source}")
        wide.bin("ztl.csr.3", f"write-low/{name}", csr_word(address, A0, CSRRW, S5), csr=[(address, 0xFFFFFFFF)],
                 x={A0: 0x123456789ABCDEF0}, values=(S5, address), text=f"csrrw s5, {name}, a0")
        if not is_stride:
            topic.bin("ztl.csr.1", f"read-only-form/{name}", csr_word(address, 0, CSRRS, S5),
                      csr=[(address, 0x3C)], values=(S5, address), text=f"csrr s5, {name}")
    for bit in range(8):
        topic.bin("ztl.csr.6", f"perm-bit/{bit}", csr_word(0x801, A0, CSRRW, 0), x={A0: 1 << bit},
                  values=(0x801,), text="csrw tl_transpose_perm, a0")
    if suite.revision == 2:
        for ttype in range(0, 0x1000, 0x111):
            topic.bin("ztl.type.4", f"any-value/{ttype:#05x}", csr_word(0x804, A0, CSRRW, 0), x={A0: ttype},
                      values=(0x804,), text="csrw ttype, a0")
        both = (0x812, 0x813, MASK_LS)
        for form in FORMS:
            source = 0b01101 if form > 4 else A0
            topic.bin("ztl.csr.11" if form not in (CSRRW, CSRRWI) else "ztl.csr.5", f"view/{FORMS[form]}",
                      csr_word(MASK_LS, source, form, S5), csr=[(0x812, 0x00FF00FF), (0x813, 0x12345678)],
                      x={A0: 0x0000FFF0} if form < 4 else {}, values=(S5, *both),
                      text=f"{FORMS[form]} s5, tmask_ls, …")
        for form, source in ((CSRRS, 0), (CSRRC, 0), (CSRRSI, 0), (CSRRCI, 0)):
            topic.bin("ztl.csr.10", f"view-no-write/{FORMS[form]}", csr_word(MASK_LS, source, form, S5),
                      csr=[(0x812, 0x00FF00FF), (0x813, 0x12345678)], values=(S5, *both),
                      text=f"{FORMS[form]} s5, tmask_ls, zero")
    absent = [0x805, 0x80F, 0x817, 0x83F, 0x880, 0x8FF]
    if suite.revision == 1:
        absent += [0x804, MASK_LS, 0x815, 0x816, 0x840, 0x85F, 0x860, 0x87F]
    for address in absent:
        for form, source in ((CSRRS, 0), (CSRRW, A0)):
            topic.bin("ztl.exc.5", f"absent/{address:#x}-{FORMS[form]}", csr_word(address, source, form, S5),
                      x={A0: 5}, text=f"{FORMS[form]} s5, {address:#x}, …")


def masks(suite):
    """Each way of writing a mask in a program of its own, because nothing but reset clears the bit."""
    two = suite.revision == 2
    targets = dict(MASKS)
    ways = [(form, FORMS[form]) for form in FORMS] + ([("view", "tmask_ls"), ("view-i", "tmask_ls-i")] if two else [])
    for way, called in ways:
        topic = suite.topic(f"mask-{called}")
        for mask, name in targets.items():
            if isinstance(way, str) and mask not in (0x812, 0x813):
                continue
            if not two and mask == 0x810:
                continue  # CONCAT alone needs both; see the bins of 0x811
            word, csr = using(mask, suite.revision)
            x = {A1: At("scratch")}
            if not two:
                x[A2] = shape4(4, 8, 8, 4)
            uninitialised = {0x810: "ztl.merge.3", 0x811: "ztl.concat.9", 0x812: "ztl.mload.6",
                             0x813: "ztl.mstore.3"}[mask] if two else {
                                 0x811: "ztl.concat.9", 0x812: "ztl.mload.6", 0x813: "ztl.mstore.3"}[mask]
            if way == CSRRW:
                uninitialised = "ztl.csr.8"
            topic.bin(uninitialised, f"reset/{name}-{called}", word, csr=csr, x=x)
            topic.bin("ztl.csr.7", f"unreadable/{name}-{called}", csr_word(mask, 0, CSRRS, S5), values=(S5,),
                      text=f"csrr s5, {name}")
            for form in (CSRRS, CSRRC, CSRRSI, CSRRCI):  # no write
                topic.bin("ztl.csr.10", f"no-write/{name}-{FORMS[form]}-{called}", word, csr=csr, x=x,
                          before=[csr_word(mask, 0, form, 0)])
            if two and mask in (0x812, 0x813):
                topic.bin("ztl.csr.10", f"no-write/{name}-view-{called}", word, csr=csr, x=x,
                          before=[csr_word(MASK_LS, 0, form, 0) for form in (CSRRS, CSRRC, CSRRSI, CSRRCI)])
            if not two and mask == 0x811:
                topic.bin("ztl.csr.9", f"first-only/{name}-{called}", word, csr=csr, x=x,
                          before=[csr_word(0x810, 0, CSRRW, 0)])
            if isinstance(way, str):
                write = csr_word(MASK_LS, 0, CSRRW if way == "view" else CSRRWI, 0)
            elif way in (CSRRS, CSRRC):
                write = csr_word(mask, A0, way, 0)
            elif way in (CSRRSI, CSRRCI):
                write = csr_word(mask, 4, way, 0)
            else:
                write = csr_word(mask, 0, way, 0)  # the value that it has
            topic.bin("ztl.csr.9", f"write/{name}-{called}", word, csr=csr, x={**x, A0: 0}, before=[write])
    if two:
        topic = suite.topic("mask-concat-first")
        word, csr = using(0x811, 2)
        topic.bin("ztl.concat.9", "unset/both", word, csr=csr)
        topic.bin("ztl.concat.9", "unset/second", word, csr=csr, before=[csr_word(0x810, 0, CSRRW, 0)])
        topic.bin("ztl.merge.3", "enough/first", move(4, 3, 1, 2), csr=csr)
        topic = suite.topic("mask-concat-second")
        topic.bin("ztl.concat.9", "unset/first", word, csr=csr, before=[csr_word(0x811, 0, CSRRW, 0)])
        topic.bin("ztl.merge.3", "unset/first-second-set", move(4, 3, 1, 2), csr=csr)
        topic = suite.topic("mask-order")
        for called, shape, width, ttype in (("type", (2, 1, 8), 0, 3), ("shape", (0, 1, 8), 0, 0),
                                            ("zero", (2, 0, 8), 0, 0), ("width", (2, 1, 8), 1024, 0),
                                            ("bits", (2, 1, 3), 0, 1)):
            for store in (0, 1):
                topic.bin("ztl.exc.2", f"before-mask/{called}-{store}", load_store(3, 0, A1, 1, store),
                          csr=[(0x800, shape3(*shape)), (0x815, width), (0x816, width), (0x804, ttype)],
                          x={A1: At("scratch")})
        for store in (0, 1):
            topic.bin("ztl.exc.2", f"mask-before-misaligned/{store}", load_store(3, 0, A1, 1, store),
                      csr=[(0x800, shape3(2, 1, 8)), (0x815, 0), (0x816, 0), (0x804, 8)],
                      x={A1: At("scratch", 1)})
            topic.bin("ztl.exc.2", f"mask-before-fault/{store}", load_store(3, 0, A1, 1, store),
                      csr=[(0x800, shape3(2, 1, 8)), (0x815, 0), (0x816, 0)], x={A1: At("fault")}, place="fault")
        for called, shape in (("zero", (0, 4, 4)), ("large", (32, 33, 4)), ("long", (33, 33, 33))):
            for d, name in ((0, "concat"), (4, "merge")):
                topic.bin("ztl.exc.2", f"shape-before-mask/{name}-{called}", move(d, 3, 1, 2),
                          csr=[(0x800, shape3(*shape))])
        topic.bin("ztl.exc.2", "type-before-mask/concat", move(0, 3, 1, 2), csr=[(0x804, 3)])
        topic.bin("ztl.exc.2", "mask-before-count/concat", move(0, 3, 1, 2), csr=[(0x800, shape3(1, 1, 1))],
                  before=[csr_word(0x810, 31, CSRRWI, 0)])


def status(suite):
    topic = suite.topic("status")
    word = addi_any(suite, 2, 1, 1)
    bad = [0x0000505B, 0x0000705B, 0xFFFFFFFF & ~0x7F | 0x5B, 0x0000605B]
    for value in (0, 0x7FF, 0x2AA, 0x555):
        topic.bin("ztl.csr.13", f"keeps/{value:#05x}", word, csr=[(0x803, value)], put={1: A, 2: C}, show=(2,),
                  values=(0x803,))
    for illegal in bad:
        topic.bin("ztl.csr.12", f"funct3/{illegal:#010x}", illegal, text=".word")
    for other in (0x00000000, 0x0000000B, 0x0000002B, 0xC0001073):
        if other != 0xC0001073:
            topic.bin("ztl.exc.6", f"outside/{other:#010x}", other, text=".word")
    topic.bin("ztl.insn.3", "nothing-changes/illegal", xpose_any(suite, 1, 2, A1), put={1: A, 2: B, 3: C},
              x={A1: shape4(4, 8, 8, 4), S5: 0x55}, show=(1, 2, 3), values=(S5, 0x800, 0x801, 0x810))


def xpose_any(suite, first, second, rs):
    return (xpose1 if suite.revision == 1 else pair)(1, first, second, rs)


def encodings(suite):
    topic = suite.topic("encodings")
    seen = set()
    if suite.revision == 2:
        words = [0x5B | f3 << 12 | f5 << 25 | 2 << 7 | 1 << 15 | 3 << 20 | (f5 * 3 + f3) % 4 << 30
                 for f3 in range(8) for f5 in range(32)]
        words += [0x5B | f3 << 12 | n << 25 for f3 in range(4, 8) for n in (0, 127)]
        words += [move(3, 1, 2, 3, e) for e in range(4)] + [move(7, 1, 2, 3, e) for e in range(4)]
    else:
        legal = [*range(0x30, 0x40), 0x40, 0x41, 0x42, 0x50, 0x51]
        words = [0x5B | f3 << 12 | (f7 ^ 1 << bit) << 25 | 2 << 7 | 1 << 15 | 3 << 20
                 for f7 in legal for bit in range(7) for f3 in (0, 1, 3, 4)]
        words += [0x5B | f3 << 12 | f7 << 25 for f7 in (0x30, 0x40, 0x50, 0x51, 0, 127) for f3 in range(8)]
    for word in words:
        if oracle.decode(suite.revision, word) or word in seen:
            continue
        seen.add(word)
        topic.bin("ztl.insn.4", f"illegal/{word:#010x}", word, text=".word")


def decodes(suite):
    """Every instruction is found: it gets as far as the check that its operands are made to fail."""
    topic = suite.topic("decodes")
    bad = [(0x800, 0)] + ([(0x804, 0)] if suite.revision == 2 else [])
    for _, word in one_of_each(suite.revision):
        topic.bin("ztl.enc.1", f"decodes/{word:#010x}", word, csr=bad, x={A1: 0, A2: 0})
    other = suite.topic("other-revision")
    for letter, word in one_of_each(3 - suite.revision):
        rule = "ztl.permute.5" if letter == "p" and suite.revision == 1 else "ztl.rev.1"
        other.bin(rule, f"other-revision/{word:#010x}", word, csr=bad, x={n: 0 for n in range(5, 16)})


def reasons(suite):
    """Each reason once, by the first instruction of the list that can have it."""
    topic = suite.topic("reasons")
    two = suite.revision == 2
    x = {A1: At("scratch"), A2: shape4(4, 8, 8, 4)}
    mask_word, mask_csr = using(0x812, suite.revision)
    cases = [("5-mask-uninitialised", mask_word, mask_csr), ("1-encoding", 0x0000705B, []),
             ("3-shape", xpose_any(suite, 1, 2, 0), [])]
    if two:
        cases += [("2-type", addi(2, 1, 1), [(0x804, 3)]), ("4-width", load_store(3, 0, A1), [(0x815, 1025)])]
    for called, word, csr in cases:
        topic.bin("ztl.exc.4", f"reason/{called}", word, csr=csr, x=x)
    topic.bin("ztl.exc.4", "reason/6-mask-count", concat1(0, 3, 1, 2) if not two else move(0, 3, 1, 2),
              csr=[(0x800, shape3(8, 8, 16)), (0x810, 0xFF), (0x811, 1)])


def one_of_each(revision):
    """(letter, word) of every instruction."""
    if revision == 1:
        yield from (("x", xpose1(1, 1, 2, A1)), ("c", concat1(0, 3, 1, 2)), ("a", addi1(2, 1, 1)),
                    ("m", load1(3, A2, A1)), ("m", store1(3, A1, A2)))
        return
    for masked in (0, 1):
        yield from (("m", load_store(3, 0, A1, masked, store)) for store in (0, 1))
        yield "m", load_store(3, 0, A1, masked, 1, funct3=2)
    for d in range(3):
        yield from (("c", move(f + d, 3, 1, 2)) for f in (0, 4, 8))
    yield "a", addi(2, 1, 1)
    yield from (("x", pair(code, 1, 2, A1)) for code in range(16))
    yield from (("p", pair(code, 1, 2, A1)) for code in range(0x11, 0x15))


def absent(suite):
    letters = "xcamp" if suite.revision == 2 else "xcam"
    for letter in letters:
        topic = suite.topic(f"absent-{letter}", subsets=letters.replace(letter, ""), features=(f"without-{letter}",))
        for n, (of, word) in enumerate(one_of_each(suite.revision)):
            if of == letter:
                topic.bin("ztl.ext.3", f"absent-{letter}/{word:#010x}", word,
                          csr=[(0x804, 3)] if suite.revision == 2 and n % 2 else [],
                          x={A1: At("scratch"), A2: 0})
        for address, name in list(names_of(suite.revision).items())[:9]:
            topic.bin("ztl.ext.2", f"csrs-without-{letter}/{name}", csr_word(address, A0, CSRRW, S5),
                      csr=[(address, 0x15)], x={A0: 0x2A}, values=(S5, address), text=f"csrrw s5, {name}, a0")


def without_ztl(suite):
    """A hart without any part: its opcode and its CSRs are illegal as on any other hart."""
    topic = suite.topic("none")
    for revision in (1, 2):
        for letter, word in one_of_each(revision):
            topic.bin("ztl.ext.4", f"custom-2/{word:#010x}-{revision}", word, x={A1: At("scratch")},
                      text=f"Ztl {revision}")
    for address, name in names_of(2).items():
        for form, source in ((CSRRS, 0), (CSRRW, A0)):
            topic.bin("ztl.ext.4", f"csr/{name}-{FORMS[form]}", csr_word(address, source, form, S5),
                      text=f"{FORMS[form]} s5, {address:#x}, …")


def gates(suite):
    """mstatus gates nothing: with FS, VS and XS off, instructions and CSRs work."""
    topic = suite.topic("mstatus")
    off = csr_word(0x300, A0, CSRRC, 0)
    for called, word in (("addi", addi_any(suite, 2, 1, 3)), ("xpose", xpose_any(suite, 1, 2, A1))):
        topic.bin("ztl.reg.4", f"off/{called}", word, put={1: A, 2: B}, show=(1, 2), unseen=[off],
                  x={A0: 0x1E600, A1: shape4(4, 8, 16, 4)})
    topic.bin("ztl.reg.4", "off/csr", csr_word(0x800, A0, CSRRW, S5), x={A0: 0x1E600}, unseen=[off],
              values=(S5, 0x800), text="csrrw s5, tshape, a0")


def make(suite):
    if not suite.revision:
        without_ztl(suite)
        return
    reset(suite)
    csr_access(suite)
    masks(suite)
    status(suite)
    encodings(suite)
    decodes(suite)
    reasons(suite)
    absent(suite)
    gates(suite)
