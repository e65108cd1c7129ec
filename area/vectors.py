#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Vectors for bench.sv: what the model makes of random XPOSE and PERMUTE, loads and stores.

usage: vectors.py ZTL permuter|aligner COUNT FILE
"""
import random
import subprocess
import sys

ZTL, PART, COUNT, FILE = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
BASE, SIZE = 0x10000, 1 << 13
rng = random.Random(PART)


class Model:
    def __init__(self):
        self.process = subprocess.Popen([ZTL, "cosim", "--mem", f"{BASE}:{SIZE}"], text=True, bufsize=1,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        answer = self.process.stdout.readline().split()
        if answer[0] in ("error", "trap"):
            sys.exit(f"vectors.py: {line[:80]}: {' '.join(answer)}")
        return answer[-1]

    def execute(self, text):
        self.ask("insn " + self.ask("asm " + text))


def rows(content):
    """Rows of 64 bytes, byte 0 lowest."""
    return [content[i:i + 64][::-1].hex() for i in range(0, len(content), 64)]


def order_of(dims, order, low):
    """For each bit of the output's byte index the bit of the input's that it takes; the `low` bits below
    an element stay."""
    first, at = [0] * 4, low
    for k in (3, 2, 1, 0):
        first[k], at = at, at + dims[k]
    bits = list(range(low))
    for k in (3, 2, 1, 0):
        bits += range(first[order[k]], first[order[k]] + dims[order[k]])
    return bits


def permuter(model):
    low = rng.randrange(4)
    dims = [1, 0, 0, 0]  # as powers of two
    for _ in range(10 - low):
        dims[rng.choice([k for k in range(4) if dims[k] < 7])] += 1
    order = rng.sample(range(4), 4)
    perm = sum(value << 2 * k for k, value in enumerate(order))
    pair = rng.randbytes(2048)
    model.ask(f"csr tl_transpose_perm {perm}")
    model.ask(f"tl 1 {pair[:1024].hex()}")
    model.ask(f"tl 2 {pair[1024:].hex()}")
    model.ask(f"x 10 {sum(1 << n << 8 * k for k, n in enumerate(dims))}")
    model.execute(f"tl.permute.{'bhwd'[low]} tl1, tl2, a0")
    bits = order_of(dims, order, low)
    result = bytes.fromhex(model.ask("tl 1") + model.ask("tl 2"))
    return [f"{sum(bit << 4 * k for k, bit in enumerate(bits)):x}", *rows(pair), *rows(result)]


def aligner(model):
    """Slices of one width of up to 64 bytes at any address, loaded with a mask, or stored."""
    is_store = rng.random() < 0.5
    width = rng.randrange(1, 65)
    count = rng.randrange(1, min(32, 1024 // width) + 1)
    mask = rng.getrandbits(32) if not is_store else ~0
    memory, register = rng.randbytes(SIZE), rng.randbytes(1024)
    side = "store" if is_store else "load"
    model.ask(f"poke {BASE} {memory.hex()}")
    model.ask(f"tl 1 {register.hex()}")
    model.ask(f"csr tshape {count << 16 | 1 << 8 | 1}")
    model.ask(f"csr tl_{side}_width {width}")
    model.ask(f"csr tl_{side}_mask {mask & 0xffffffff}")
    base = rng.randrange(512)
    # All of what is stored must lie in the 17 rows that the bench has.
    stride = [rng.randrange((1088 - base) // width) if is_store else rng.randrange((SIZE - 512) // width)
              for _ in range(32)]
    for i, value in enumerate(stride):
        model.ask(f"csr tl_{side}_stride{i} {value}")
    model.ask(f"x 10 {BASE + base}")
    model.execute(f"tl.m{side} tl1, 0(a0)")
    source = (register if is_store else memory) + bytes(64)
    target = memory[:1088] if is_store else register + bytes(64)
    lines = [f"{count:x}", *rows(target)]
    for i in range(count):
        inside, outside = i * width, base + stride[i] * width
        start, end = (inside, outside) if is_store else (outside, inside)
        window = bytearray(64)
        for k in range(64):
            window[(start + k) % 64] = source[start + k]
        zero = not mask >> i & 1
        lines.append(f"{zero << 24 | end // 64 << 19 | width << 12 | end % 64 << 6 | start % 64:x}")
        lines += rows(window)
    after = bytes.fromhex(model.ask(f"peek {BASE} 1088") if is_store else model.ask("tl 1"))
    return lines + rows(after if is_store else after + bytes(64))


with open(FILE, "w") as out:
    run = Model()
    part = {"permuter": permuter, "aligner": aligner}[PART]
    for _ in range(COUNT):
        out.write("\n".join(part(run)) + "\n")
