#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs on random machines: every count of the C machine equals that of model.py.

usage: random_programs.py TOOL COUNT"""

import random
import subprocess
import sys

import model

tool, count = sys.argv[1], int(sys.argv[2])
BASE, DATA = 0x80000000, 0x80010000
S, SHAPE, MASK, HANDLER, LOOP, ADDRESS = 8, 18, 19, 20, 21, 22  # what integer registers hold


def addi(rd, rs, imm):
    return (imm & 0xfff) << 20 | rs << 15 | rd << 7 | 0x13


def csrw(csr, rs):
    return csr << 20 | rs << 15 | 1 << 12 | 0x73


def branch(offset, funct3, rs1, rs2):
    imm = offset & 0x1fff
    return ((imm >> 12) << 31 | (imm >> 5 & 63) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 |
            (imm >> 1 & 15) << 8 | (imm >> 11 & 1) << 7 | 0x63)


def ztl2(r):
    e, a, b, c = r.randrange(4) << 30, *(r.choice([0, 1, 2, 3, 4, 5, 9, 31]) for _ in range(3))
    base = r.randrange(S, S + 4)
    kind = r.choice("llllssssaaxxpcm")
    if kind in "ls":
        # Offsets up to 3 slices: neighbours overlap now and then.
        return (e | (kind == "s") << 29 | r.choice([0, 0, 1]) << 28 | r.randrange(-3, 4) % 256 << 20 |
                a << 15 | base << 7 | 0x5b)
    if kind == "a":
        return e | r.randrange(256) << 20 | a << 15 | 2 << 12 | b << 7 | 0x5b
    if kind in "cm":
        return e | (4 if kind == "m" else 0) << 25 | a << 20 | b << 15 | 1 << 12 | c << 7 | 0x5b
    return e | (1 if kind == "x" else 0x11) << 25 | a << 20 | b << 15 | 3 << 12 | SHAPE << 7 | 0x5b


def ztl1(r):
    a, b, c = (r.choice([0, 1, 2, 3, 4, 5, 9, 31]) for _ in range(3))
    base = r.randrange(S, S + 4)
    kind = r.choice("lllsssaxc")
    if kind == "l":
        return 0x50 << 25 | base << 20 | ADDRESS + 1 << 15 | 3 << 12 | a << 7 | 0x5b
    if kind == "s":
        return 0x51 << 25 | base << 20 | a << 15 | 4 << 12 | ADDRESS + 1 << 7 | 0x5b
    if kind == "a":
        return r.randrange(4096) << 20 | a << 15 | 2 << 12 | b << 7 | 0x5b
    if kind == "c":
        return 0x40 << 25 | a << 20 | b << 15 | 1 << 12 | c << 7 | 0x5b
    return 0x31 << 25 | SHAPE << 20 | a << 15 | b << 7 | 0x5b


def scalar(r, xlen, revision):
    base = r.randrange(S, S + 4)
    offset = r.randrange(-64, 1100) // 8 * 8 & 0xfff
    kind = r.randrange(15)
    if kind == 0:
        return 2 << 12 | offset << 20 | base << 15 | 10 << 7 | 0x03  # lw
    if kind == 1:
        return 4 << 12 | (offset + 3 & 0xfff) << 20 | base << 15 | 10 << 7 | 0x03  # lbu
    if kind == 2:
        return (offset >> 5) << 25 | 11 << 20 | base << 15 | 2 << 12 | (offset & 31) << 7 | 0x23  # sw
    if kind == 3:
        return 11 << 20 | base << 15 | 2 << 12 | 10 << 7 | 0x2f  # amoadd.w
    if kind == 4:
        return r.choice([0x0ff0000f, 0x0330000f, 0x8330000f, 0x0000100f])  # fences, fence.i
    if kind == 5:
        return 1 << 25 | 11 << 20 | 11 << 15 | r.randrange(8) << 12 | 10 << 7 | 0x33  # mul … remu
    if kind == 6 and xlen == 64:
        return 1 << 25 | 11 << 20 | 11 << 15 | r.randrange(4, 8) << 12 | 10 << 7 | 0x3b  # … w
    if kind == 7:
        return branch(8, r.choice([0, 1]), 10, 10)  # over one, or not
    if kind == 8:
        return branch(4, 0, 10, 10)  # to the next
    if kind == 9:
        return 0x00000073  # ecall: a trap
    if kind == 10:
        return 2 << 12 | 10 << 7 | 0x03  # lw a0, 0(zero): an access fault
    if kind == 11:
        return csrw(0x340, 11)  # mscratch
    if kind == 12:  # both masks, or the shape of a block, or one bit of a mask by csrrs
        return r.choice([csrw(0x812, MASK), csrw(0x813, MASK), csrw(0x810, 0), csrw(0x811, 0),
                         0x81306073 | 1 << 15 | 0 << 7, 0x81202573])
    if kind == 13:
        return addi(MASK, MASK, r.randrange(-2048, 2048))
    return addi(10, 10, 1)


def program(r, xlen, revision):
    words = [csrw(0x305, HANDLER), csrw(0x812, MASK), csrw(0x813, MASK), csrw(0x810, 0),
             csrw(0x811, 0), csrw(0x800, ADDRESS)]
    if revision == 2:
        words += [csrw(0x815, 31), csrw(0x816, 31)]  # widths
        words += [csrw(0x840 + r.randrange(8), r.randrange(1, 4)) for _ in range(r.randrange(3))]
    start = len(words)
    for _ in range(r.randrange(5, 60)):
        words.append((ztl2(r) if revision == 2 else ztl1(r)) if r.random() < 0.5
                     else scalar(r, xlen, revision))
    words += [addi(LOOP, LOOP, -1), 0x13]
    words[-1] = branch(4 * (start - len(words) + 1), 1, LOOP, 0)
    words.append(0x10500073)  # wfi
    handler = len(words)
    # mepc + 4 and back; t6 is 31, which holds the width: use 30.
    words += [0x34102f73, addi(30, 30, 4), csrw(0x341, 30), 0x30200073]
    return words, BASE + 4 * handler


def machine(r):
    parameters = dict(model.FOUR)
    for name, value in parameters.items():
        if r.random() < 0.4:
            continue
        parameters[name] = {
            "engines.count": r.choice([1, 4]), "engines.by": r.choice(["id", "kind"]),
            "engines.queue": r.choice([1, 2, 3, 8, 100]), "ports.shared": r.choice(["no", "yes"]),
            "csr.drain": r.choice(["no", "yes"]), "engines.issue": r.choice([0, 1, 7])}.get(
                name, r.choice([0, 1, 3, 20, 300] if "latency" in name or "hart" in name
                               else [1, 3, 16, 100, 5000]))
    return parameters


def registers(r, handler, revision):
    x = [r.randrange(5) for _ in range(32)]
    for k in range(4):
        x[S + k] = DATA + r.choice([0, 0x20, 0x400, 0x1000]) * k
    x[SHAPE] = r.choice([0x01012040, 0x01012040, 0x01012040, 0x01012041])  # the last one traps
    x[MASK] = r.choice([0, 1, 5, 0xffffffff, r.getrandbits(32)])
    x[HANDLER], x[LOOP] = handler, r.randrange(1, 5)
    x[ADDRESS] = r.choice([0x200101, 0x010101, 0x080101]) if revision == 2 else 0x202001
    x[ADDRESS + 1] = r.choice([0x01012020, 0x01018008, 0x40040401 & 0xffffff | 0x40000000])
    x[31] = r.choice([32, 8, 1])
    return x


def parse(lines):
    events = []
    for line in lines:
        words = line.split()
        if words[0] == "counts":
            return events, [int(w) for w in words[1:]]
        pc, _, word, length, trapped = (int(w, 16) for w in words[1:6])
        accesses, csrs, at = [], [], 6
        while at < len(words):
            if words[at] == "access":
                accesses.append((int(words[at + 1], 16), int(words[at + 2], 16),
                                 words[at + 3] == "1"))
                at += 4
            else:
                csrs.append(int(words[at + 1], 16))
                at += 3
        events.append(model.Event(pc, word, length, trapped == 1, accesses, csrs))
    raise SystemExit("the tool ended early")


cases, lines = [], []
for seed in range(count):
    r = random.Random(seed)
    xlen, revision = r.choice([32, 64]), r.choice([1, 2, 2])
    words, handler = program(r, xlen, revision)
    parameters = machine(r)
    isa = f"rv{xlen}imac_zicsr_zifencei_" + ("ztl" if revision == 2 else "ztl1p0")
    text = "four," + ",".join(f"{k}={v}" for k, v in parameters.items())
    x = registers(r, handler, revision)
    cases.append((seed, revision, parameters, text))
    lines.append(" ".join([isa, text] + [f"{v:x}" for v in x[1:] + [len(words)] + words]))

done = subprocess.run([tool], input="\n".join(lines) + "\n", capture_output=True, text=True,
                      timeout=600)
if done.returncode:
    raise SystemExit(done.stderr)
answers = iter(done.stdout.splitlines())
wrong = seen = ztl = trapped = waited = 0
for seed, revision, parameters, text in cases:
    events, counts = parse(answers)
    expected = model.run(parameters, revision, events)
    seen += len(events)
    ztl += sum(e.word & 0x7f == 0x5b and not e.trapped for e in events)
    trapped += sum(e.trapped for e in events)
    waited += counts[2] > 0 and counts[3] > 0
    if counts != expected:
        wrong += 1
        print(f"program {seed} on {text}:\n  {counts}, must be\n  {expected}", file=sys.stderr)
# Programs that trap at once, or wait for nothing, would prove nothing.
if ztl < 10 * count or waited < count // 10 or not trapped:
    raise SystemExit(f"dull programs: {seen} instructions, {ztl} of Ztl, {trapped} traps, {waited}")
print(f"{count} programs, {seen} instructions, {ztl} of them Ztl, {trapped} traps: {wrong} differ")
sys.exit(wrong > 0)
