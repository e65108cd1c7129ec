#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The functions of doc/meaning.py beside the model, on random legal instructions: every instruction, in
every type that it has, floats with every value of 8 bits and with those near the ends of the wider ones.

usage: meaning.py ZTL SOURCE-DIR
"""
import json
import pathlib
import random
import subprocess
import sys

import numpy as np

ZTL, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "doc"))
import meaning  # noqa: E402

BASE, SIZE = 0x10000, 1 << 16
rng = random.Random(1)


class Model:
    def __init__(self):
        self.process = subprocess.Popen([ZTL, "cosim", "--mem", f"{BASE}:{SIZE}"], text=True, bufsize=1,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        answer = self.process.stdout.readline().rstrip("\n")
        assert not answer.startswith(("error", "trap")), f"{line[:80]}: {answer}"
        return answer

    def set(self, index, value):
        self.ask(f"tl {index} {value.tobytes().hex()}")

    def get(self, index):
        return np.frombuffer(bytes.fromhex(self.ask(f"tl {index}").split()[2]), np.uint8)

    def csr(self, **values):
        for name, value in values.items():
            self.ask(f"csr {name} {value & 0xffffffff}")

    def execute(self, text):
        self.ask("insn " + self.ask("asm " + text).split()[1])

    def poke(self, content):
        self.ask(f"poke {BASE} {content.tobytes().hex()}")

    def peek(self):
        return np.frombuffer(bytes.fromhex(self.ask(f"peek {BASE} {SIZE}").split()[2]), np.uint8)


def types():
    table = json.loads(subprocess.run([ZTL, "isa", "--json"], check=True, capture_output=True).stdout)
    return table["types"]


def registers(count):
    """tl0 is zero, and so is its model."""
    return [np.frombuffer(rng.randbytes(1024), np.uint8).copy() for _ in range(count)]


def block_shape(bits):
    """At most 1024 bytes, no dimension above 32."""
    while True:
        dims = [rng.randrange(1, 33) for _ in range(3)]
        if np.prod(dims) * bits <= 8192:
            return tuple(dims)


def pair_shape(bits):
    powers = [1, 0, 0, 0]
    for _ in range((16384 // bits).bit_length() - 2):
        powers[rng.choice([k for k in range(4) if powers[k] < 7])] += 1
    return tuple(1 << power for power in powers)


def packed(numbers, bits):
    return sum(int(number) << bits * k for k, number in enumerate(numbers))


def check(what, got, expected):
    np.testing.assert_array_equal(np.asarray(got, np.uint8), expected, str(what))


def slices(bits):
    """A shape, a width and strides that stay within memory and are aligned."""
    align = max(bits // 8, 1)
    while True:
        shape = (rng.randrange(1, 33), rng.randrange(1, 64), rng.randrange(1, 64))
        width = rng.choice([0, rng.randrange(align, 1025, align)])
        w = width or shape[1] * shape[2] * bits // 8
        whole = width or shape[1] * shape[2] * bits % 8 == 0
        if whole and shape[0] * w <= 1024:
            reach = min(60, 20000 // w)
            return shape, width, [rng.randint(-reach, reach) for _ in range(32)]


def memory(model, kind):
    bits = kind["bits"]
    shape, width, stride = slices(bits)
    old, mask, imm = registers(1)[0], rng.getrandbits(32), rng.randint(-3, 3)
    content = np.frombuffer(rng.randbytes(SIZE), np.uint8)
    for operation in ("load", "mload", "store", "mstore"):
        side = operation.lstrip("m")
        model.csr(tshape=packed(shape[::-1], 8), **{f"tl_{side}_width": width, f"tl_{side}_mask": mask},
                  **{f"tl_{side}_stride{i}": value for i, value in enumerate(stride)})
        model.set(1, old)
        model.poke(content)
        model.ask(f"x 10 {BASE + SIZE // 2}")
        model.execute(f"tl.{operation} tl1, {imm}(a0)")
        masked = {"mask": mask} if operation[0] == "m" else {}
        result = getattr(meaning, operation)(old, content, SIZE // 2, imm, shape, width, stride, bits, **masked)
        check((operation, shape, width), result, model.get(1) if side == "load" else model.peek())


def select(model, kind):
    bits, shape, d = kind["bits"], block_shape(kind["bits"]), rng.randrange(3)
    while True:
        masks = rng.getrandbits(32), rng.getrandbits(32)
        if sum(meaning.bits_of(mask, shape[d]).sum() for mask in masks) <= shape[d]:
            break
    old, first, second = registers(3)
    model.csr(tshape=packed(shape[::-1], 8), tmask_concat_1=masks[0], tmask_concat_2=masks[1])
    for operation in ("concat", "merge"):
        for index, value in enumerate((old, first, second)):
            model.set(1 + index, value)
        model.execute(f"tl.{operation}.{d} tl1, tl2, tl3")
        masks_used = masks if operation == "concat" else masks[:1]
        check((operation, shape, d), getattr(meaning, operation)(d, old, first, second, shape, *masks_used, bits),
              model.get(1))


def move(model, kind):
    bits, dims = kind["bits"], pair_shape(kind["bits"])
    first, second = registers(2)
    a, b = rng.choice([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3), (1, 1)])
    order, size = rng.sample(range(4), 4), rng.choice([8, 16, 32, 64])
    wide = pair_shape(size)
    letter = {8: "b", 16: "h", 32: "w", 64: "d"}[size]
    model.csr(tl_transpose_perm=packed(order, 2))
    for text, shape, expected in (
            (f"xpose.{a}{b}", dims, meaning.xpose(a, b, first, second, dims, bits)),
            (f"permute.{letter}", wide, meaning.permute(first, second, wide, order, size))):
        model.set(1, first)
        model.set(2, second)
        model.ask(f"x 10 {packed(shape, 8)}")
        model.execute(f"tl.{text} tl1, tl2, a0")
        check((text, shape), np.concatenate(expected), np.concatenate([model.get(1), model.get(2)]))


def values(kind):
    """All values of up to 8 bits; of wider floats, those with few or many bits set, too."""
    bits = kind["bits"]
    if bits <= 8:
        return np.arange(1024).astype(np.uint8)
    near = [rng.choice([0, 1 << bits - 1]) ^ (rng.choice([-1, 1]) * rng.choice([0, 1, 2]) +
            (rng.randrange(1 << kind["exponent_bits"]) << kind["fraction_bits"])) for _ in range(8192 // bits)]
    return np.array([n & (1 << bits) - 1 for n in near], f"<u{bits // 8}").view(np.uint8)


def add(model, kind):
    imm = rng.choice([-128, -1, 0, 1, 127, rng.randint(-128, 127)])
    for value in (values(kind), registers(1)[0]):
        model.set(2, value)
        model.execute(f"tl.addi tl1, tl2, {imm}")
        if kind["kind"] == "float":
            result = meaning.addi_float(value, imm, kind["exponent_bits"], kind["fraction_bits"], kind["special"])
        else:
            result = meaning.addi_integer(value, imm, kind["bits"], kind["kind"] == "signed")
        check((kind["name"], imm), result, model.get(1))


def main():
    model = Model()
    for _ in range(6):
        for kind in types():
            model.csr(ttype=kind["ttype"])
            for step in (memory, select, move, add):
                step(model, kind)
            for _ in range(10):
                add(model, kind)
    model.process.stdin.close()
    assert model.process.wait() == 0
    names = {row["operation"] for row in json.loads(
        subprocess.run([ZTL, "isa", "--json"], check=True, capture_output=True).stdout)["instructions"]}
    there = {name.split("_")[0] for name in dir(meaning)}
    assert names <= there, names - there


main()
