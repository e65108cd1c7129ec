# SPDX-License-Identifier: Apache-2.0
"""ADDI: every type with the numbers where rounding, saturation and the special values are decided."""
import oracle
from words import A, B, BAD_TYPES, C, TYPE_NAMES, Numbers, addi, addi1, bits_of

TTYPE, TSHAPE = 0x804, 0x800
IMMEDIATES = (0, 1, -1, 2, -2, 3, 7, -8, 15, 64, -100, 127, -128)


def elements_of(ttype):
    """A block of the type: all elements of 4 and 8 bits; of wider ones those near what decides."""
    bits, kind = oracle.TYPES[ttype]
    count = 8192 // bits
    if bits <= 8:
        return oracle.pack([n % (1 << bits) for n in range(count)], bits)
    top = 1 << bits - 1
    numbers = Numbers(ttype)
    if kind == "signed":
        chosen = [v % (2 * top) for edge in (0, top, -top, 128, -128) for v in range(edge - 20, edge + 21)]
    else:
        exponent, fraction, largest, infinity, nan = kind
        chosen = [0, 1, 2, (1 << fraction) - 1, 1 << fraction, largest, largest - 1, infinity, nan,
                  infinity + 1, nan | 1, infinity | (1 << fraction) - 1, 3 << fraction - 1]
        bias = (1 << exponent - 1) - 1
        for power in range(-3 - fraction, fraction + 12):  # round the immediates: ties, cancellation
            if 0 < bias + power < (1 << exponent) - 1:
                at = bias + power << fraction
                chosen += [at, at + 1, at + (1 << fraction) - 1, at + (1 << fraction - 1)]
        for whole in (1, 2, 3, 7, 8, 15, 64, 100, 127, 128):  # the immediates themselves, and neighbours
            power = whole.bit_length() - 1
            at = (bias + power << fraction) + (((whole << fraction) >> power) - (1 << fraction))
            chosen += [at - 1, at, at + 1]
        chosen = [v % top for v in chosen]
        chosen += [v | top for v in chosen]
    rest = [numbers.below(1 << bits) for _ in range(count)]
    return oracle.pack((chosen + rest)[:count], bits)


def typed(topic, ttype, called):
    bits, kind = oracle.TYPES[ttype]
    rule = {"unsigned": "ztl.addi.2", "signed": "ztl.addi.2"}.get(kind if isinstance(kind, str) else "",
                                                               "ztl.addi.3")
    block = elements_of(ttype)
    for imm in IMMEDIATES:
        chosen = {1: "ztl.reg.7" if bits == 4 else "ztl.reg.6" if bits > 8 else rule, 2: "ztl.type.1",
                  3: rule if isinstance(kind, str) else "ztl.type.3",
                  7: "ztl.addi.9" if ttype == 0x400 else rule}.get(imm, rule)
        topic.bin(chosen, f"immediate/{called}-{imm}", addi(2, 1, imm), put={1: block, 2: C},
                  csr=[(TTYPE, ttype)], show=(2, 1))
    if isinstance(kind, str):
        return
    exponent, fraction, largest, infinity, nan = kind
    sign = 1 << bits - 1
    cases = [("ztl.addi.4", "overflow", [largest, largest - 1, largest | sign, largest - 1 | sign], (127, -128)),
             ("ztl.addi.7", "subnormal", [1, 2, 1 | sign, (1 << fraction) - 1, (1 << fraction) - 1 | sign], (0,)),
             ("ztl.addi.8", "zero", [0, sign], (0,))]
    if infinity is not None:
        cases.append(("ztl.addi.5", "infinity", [infinity, infinity | sign], (0, 127, -128)))
    if nan is not None:
        many = [nan, nan | sign] + ([infinity + 1, infinity + 1 | sign, sign - 1, 2 * sign - 1]
                                    if infinity else [])
        cases.append(("ztl.addi.6", "nan", many, (0, 1, -128)))
    bias = (1 << exponent - 1) - 1
    for whole in (1, 2, 4):  # x - x
        at = bias + whole.bit_length() - 1 << fraction
        if at <= largest:
            cases.append(("ztl.addi.8", f"cancel-{whole}", [at, 0], (-whole,)))
    for rule, name, values, immediates in cases:
        content = oracle.pack((values * (8192 // bits))[: 8192 // bits], bits)
        for imm in immediates:
            topic.bin(rule, f"{name}/{called}-{imm}", addi(2, 1, imm), put={1: content, 2: C},
                      csr=[(TTYPE, ttype)], show=(2,))


def addi_2(suite):
    topic = suite.topic("addi")
    for ttype, called in TYPE_NAMES.items():
        typed(topic, ttype, called)
    for shape in (0, 0x010101, 0xFFFFFF, 0x000001):
        topic.bin("ztl.addi.1", f"tshape/{shape:#08x}", addi(2, 1, 5), put={1: A, 2: C},
                  csr=[(TSHAPE, shape)], show=(2,))
    for ttype in BAD_TYPES:
        topic.bin("ztl.addi.10", f"bad-type/{ttype:#05x}", addi(2, 1, 5), put={1: A, 2: C},
                  csr=[(TTYPE, ttype)], show=(2, 1))
    for engine in range(4):
        topic.bin("ztl.engine.2", f"engine-addi/{engine}", addi(2, 1, -7, engine), put={1: A, 2: C},
                  show=(2,))
    for bit in range(8):
        topic.bin("ztl.addi.1", f"immediate-bit/{bit}", addi(2, 1, 1 << bit), put={1: A, 2: C}, show=(2,))
    registers(topic, addi)


def registers(topic, word_of):
    for rd, rs in ((1, 1), (0, 1), (1, 0), (0, 0), (31, 30), (30, 31)):
        topic.bin("ztl.insn.1", f"alias-addi/tl{rd}-tl{rs}", word_of(rd, rs, 9), put={1: A, 30: B, 31: C},
                  show=(rd, rs))
    topic.bin("ztl.reg.2", "tl0-addi/target", word_of(0, 1, 9), put={1: A}, show=(0, 1))


def addi_1(suite):
    topic = suite.topic("addi")
    block = bytes(n % 256 for n in range(1024))
    for imm in (*IMMEDIATES, 128, -129, 255, -255, 256, -256, 1024, 2047, -2048):
        topic.bin("ztl.type.2" if imm in (1, 2) else "ztl.addi.11", f"immediate/{imm}", addi1(2, 1, imm), put={1: block, 2: C}, show=(2, 1))
    for bit in range(12):
        topic.bin("ztl.addi.11", f"immediate-bit/{bit}", addi1(2, 1, 1 << bit), put={1: A, 2: C}, show=(2,))
    topic.bin("ztl.addi.1", "tshape/0x000000", addi1(2, 1, 5), put={1: A, 2: C}, csr=[(TSHAPE, 0)], show=(2,))
    topic.bin("ztl.addi.1", "tshape/0xffffff", addi1(2, 1, 5), put={1: A, 2: C}, csr=[(TSHAPE, 0xFFFFFF)],
              show=(2,))
    registers(topic, addi1)


def make(suite):
    (addi_1 if suite.revision == 1 else addi_2)(suite)
