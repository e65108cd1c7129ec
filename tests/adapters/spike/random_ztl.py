# SPDX-License-Identifier: Apache-2.0
"""Random Ztl programs whose signature shows every register, CSR, trap and byte of memory."""

import random

TTYPES = [0, 0, 0, 1, 2, 4, 8, 1 << 4, 1 << 6, 2 << 6, 3 << 6, 1 << 8, 2 << 8, 1 << 10, 3, 0x300]
BITS = {0: 8, 1: 4, 2: 8, 4: 16, 8: 32, 1 << 4: 4, 1 << 6: 8, 2 << 6: 8, 3 << 6: 8, 1 << 8: 16,
        2 << 8: 16, 1 << 10: 32}
BASES, SHAPES = (10, 11, 12, 13, 14, 15), (18, 19, 20, 21, 22, 23)  # a0–a5, s2–s7
CSRS = [0x800, 0x801, 0x802, 0x803, 0x804, *range(0x810, 0x817), *range(0x840, 0x880)]


def shape_of_pair(random, bits):
    """D0 even, and D0·D1·D2·D3 elements fill two registers."""
    left = (16384 // bits).bit_length() - 1
    if random.random() < 0.1:
        return random.getrandbits(32)
    power = [1, 0, 0, 0]
    for _ in range(left - 1):
        power[random.choice([k for k in range(4) if power[k] < 7])] += 1
    return sum((1 << p) << (8 * k) for k, p in enumerate(power))


def tensor_word(random):
    top = random.getrandbits(2) << 30
    first, second, third = (random.getrandbits(5) for _ in range(3))
    base, shape = random.choice(BASES), random.choice(SHAPES)
    kind = random.choice(("memory", "memory", "memory", "concat", "addi", "xpose", "permute", "any"))
    if kind == "memory":
        imm = random.choice((0, 0, 1, 3, 32, 0xff, random.getrandbits(8)))
        return top | random.getrandbits(2) << 28 | imm << 20 | first << 15 | base << 7 | 0x5b
    if kind == "concat":
        function = random.choice((0, 1, 2, 4, 5, 6, 8, 9, 10))
        return top | function << 25 | second << 20 | first << 15 | 1 << 12 | third << 7 | 0x5b
    if kind == "addi":
        return top | random.getrandbits(8) << 20 | first << 15 | 2 << 12 | third << 7 | 0x5b
    if kind == "xpose":
        return top | random.getrandbits(4) << 25 | second << 20 | first << 15 | 3 << 12 | shape << 7 | 0x5b
    if kind == "permute":
        function = random.choice((17, 18, 19, 20))
        return top | function << 25 | second << 20 | first << 15 | 3 << 12 | shape << 7 | 0x5b
    return random.getrandbits(20) << 12 | base << 7 | 0x5b


def set_csr(random, calm):
    """A CSR and a value; calm: no strides, so that slices do not overlap."""
    kind = random.choice(("shape", "shape", "type", "mask", "mask", "width", "stride", "stride", "perm"))
    if kind == "stride" and calm:
        kind = "shape"
    if kind == "shape":
        d0 = random.choice((1, 2, 4, 8, 16, 32, random.randrange(1, 33)))
        d1 = random.choice((1, 2, 4, random.randrange(1, 17)))
        d2 = max(1, min(255, 1024 // (d0 * d1) // random.choice((1, 1, 2, 4))))
        return 0x800, d0 << 16 | d1 << 8 | d2 if random.random() < 0.9 else random.getrandbits(32)
    if kind == "type":
        return 0x804, random.choice(TTYPES)
    if kind == "mask":
        return random.choice((0x810, 0x811, 0x812, 0x813, 0x814)), random.getrandbits(32)
    if kind == "width":
        return random.choice((0x815, 0x816)), random.choice((0, 0, 8, 16, 32, random.getrandbits(10)))
    if kind == "stride":
        value = random.randrange(-8, 64) if random.random() < 0.97 else random.getrandbits(32)
        return random.choice((0x840, 0x860)) + random.getrandbits(5), value & 0xffffffff
    order = random.sample(range(4), 4) if random.random() < 0.8 else [3, 3, 1, 0]
    return 0x801, sum(d << (2 * k) for k, d in enumerate(order))


def address(random, wild):
    if random.random() < wild:
        return f"li {{}}, {random.choice((random.getrandbits(31), 0x1000, 0x2000000, 0x87fffff0))}"
    return f"la {{}}, block + {random.randrange(0, 1 << 15) & random.choice((~3, ~31, ~1023, -1))}"


def program(seed, length=400, xlen=64, wild=0.05, calm=False):
    """Text of one program."""
    r = random.Random(seed)
    size, store = xlen // 8, "sd" if xlen == 64 else "sw"
    body = []
    for register in BASES:
        body.append("    " + address(r, 0).format(f"x{register}"))
    for register in SHAPES:
        body.append(f"    li x{register}, {shape_of_pair(r, 8)}")
    for _ in range(length):
        choice = r.random()
        if choice < 0.5:
            body.append(f"    .word {tensor_word(r):#010x}")
        elif choice < 0.85:
            number, value = set_csr(r, calm)
            body.append(f"    li t0, {value}\n    csrr{r.choice('wwwsc')} t1, {number:#x}, t0\n    xor s8, s8, t1")
        elif choice < 0.93:
            body.append("    " + address(r, wild).format(f"x{r.choice(BASES)}"))
        else:
            body.append(f"    li x{r.choice(SHAPES)}, {shape_of_pair(r, r.choice((4, 8, 16, 32, 64)))}")
    read = "".join(f"    csrr t0, {n:#x}\n    {store} t0, 0(s10)\n    addi s10, s10, {size}\n" for n in CSRS)
    even = "".join(f"    csrwi {n:#x}, 0\n" for n in (0x804, 0x816))
    even += "".join(f"    li t0, {i}\n    csrw {0x860 + i:#x}, t0\n" for i in range(32))
    even += "    li t0, 0x200120\n    csrw 0x800, t0\n"
    save = "".join(f"    .word {1 << 29 | n << 15 | 26 << 7 | 0x5b:#010x}\n    addi s10, s10, 1024\n"
                   for n in range(32))
    newline = "\n"
    return f"""    .globl _start
_start:
    la t0, handler
    csrw mtvec, t0
    la s11, traps
    la s9, traps_end
    li s8, 0
{newline.join(body)}
    la s10, csrs
{read}
    {store} s8, 0(s10)
{even}
    la s10, registers
{save}
    li t0, 1
    la t1, tohost
    sw t0, 0(t1)
end: j end
    .balign 4
handler:
    bgeu s11, s9, 1f
    csrr t5, mcause
    {store} t5, 0(s11)
    csrr t5, mtval
    {store} t5, {size}(s11)
    csrr t5, 0x803
    {store} t5, {2 * size}(s11)
    csrr t5, mepc
    {store} t5, {3 * size}(s11)
    addi s11, s11, {4 * size}
1:  csrr t5, mepc
    addi t5, t5, 4
    csrw mepc, t5
    mret
    .balign 64
    .globl tohost, fromhost, begin_signature, end_signature
tohost: .dword 0
fromhost: .dword 0
    .data                       # far away: what stores around the block hit is no code
    .balign 4096
begin_signature:
block:
    .set value, {r.getrandbits(30)}
    .rept 10240
    .word value
    .set value, (value * 1103515245 + 12345) & 0x7fffffff
    .endr
csrs: .zero {size * (len(CSRS) + 1)}
    .balign 1024
registers: .zero 32 * 1024
traps: .zero {4 * size * 128}
traps_end:
    .balign 16
end_signature:
"""
