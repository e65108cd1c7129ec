#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""ztl op --emit: random operators as C, many kernels in one program, whose outputs are compared with
NumPy's, for RV64 and RV32, on the simulator and under QEMU; what is refused.

usage: emit.py ZTL SEED COUNT
"""
import os
import random
import re
import subprocess
import sys
import tempfile
import zlib

import numpy as np

ZTL = os.path.abspath(sys.argv[1])
rng = random.Random(int(sys.argv[2]))
COUNT = int(sys.argv[3])


def run(*words, status=0):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == status, (words, done.returncode, done.stdout[-500:], done.stderr[-2000:])
    return done


def stream(size):
    """The bytes that every kernel's inputs start with."""
    state, out = 1, bytearray(size)
    for i in range(size):
        state = (state * 1664525 + 1013904223) & 0xffffffff
        out[i] = state >> 24
    return bytes(out)


BYTES = stream(1 << 18)


class Inputs:
    """Arrays whose bytes follow each other in the stream."""

    def __init__(self):
        self.used, self.arrays = 0, []

    def array(self, shape, dtype):
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        data = np.frombuffer(BYTES[self.used:self.used + size], np.uint8)
        assert len(data) == size
        self.used += size
        self.arrays.append(data)
        return data.view(dtype).reshape(shape)


def shape_of(rank, most=9000):
    while True:
        shape = [rng.choice([1, 2, 3, 4, 5, 7, 8, 14, 16, 17, 30, 32, 49, 64, 96, 100])
                 for _ in range(rank)]
        if np.prod(shape) <= most:
            return shape


def commas(values):
    return ",".join(str(int(v)) for v in values)


def transpose(i):
    shape = shape_of(rng.randrange(2, 6))
    perm = rng.sample(range(len(shape)), len(shape))
    x = i.array(shape, rng.choice(["u1", "u2", "u4", "u8"]))
    return ["--perm", commas(perm)], [x], [x.transpose(perm)]


def nibbles(i):
    """Half-bytes, two to a byte along the last dimension."""
    rows, columns = (2 * rng.choice([1, 3, 8, 16, 32, 50]) for _ in range(2))
    x = i.array((rows, columns // 2), "u1")
    apart = np.stack([x & 15, x >> 4], -1).reshape(rows, columns).T
    return (["--type", "int4", "--perm", "1,0"], [x],
            [(apart[:, 0::2] | apart[:, 1::2] << 4).astype("u1")])


def flip(i):
    x = i.array(shape_of(3), rng.choice(["u1", "u2", "u4"]))
    axes = rng.sample(range(3), rng.randrange(1, 4))
    return ["--axes", commas(axes)], [x], [np.flip(x, axes)]


def roll(i):
    x = i.array(shape_of(3), rng.choice(["u1", "u4"]))
    shift = [rng.randrange(-5, 6) for _ in range(2)]
    return ["--shift", commas(shift), "--axes", "0,2"], [x], [np.roll(x, shift, (0, 2))]


def pad(i):
    x = i.array([n + 3 for n in shape_of(3, 4000)], rng.choice(["u1", "u2", "u4"]))
    pads = [rng.randrange(4) for _ in range(6)]
    mode = rng.choice(["constant", "reflect", "edge"])
    value = 7 if mode == "constant" else None
    given = {"constant_values": value} if value else {}
    return (["--pads", commas(pads), "--mode", mode] + (["--value", "7"] if value else []), [x],
            [np.pad(x, list(zip(pads[:3], pads[3:])), mode, **given)])


def concat(i):
    shape, axis, dtype = shape_of(3, 3000), rng.randrange(3), rng.choice(["u1", "u2"])
    arrays = []
    for _ in range(rng.randrange(2, 5)):
        shape[axis] = rng.randrange(1, 9)
        arrays.append(i.array(shape, dtype))
    return ["--axis", str(axis)], arrays, [np.concatenate(arrays, axis)]


def split(i):
    parts = [rng.randrange(1, 20) for _ in range(rng.randrange(2, 4))]
    x = i.array([5, sum(parts), 12], rng.choice(["u1", "u4"]))
    return (["--axis", "1", "--split", commas(parts)], [x],
            np.split(x, np.cumsum(parts)[:-1], 1))


def part(i):
    x = i.array(shape_of(2), rng.choice(["u1", "u2", "u4"]))
    step = rng.choice([1, 2, 3, 4])
    start = rng.randrange(x.shape[1])
    return (["--starts", str(start), "--ends", str(x.shape[1]), "--axes", "1", "--steps",
             str(step)], [x], [x[:, start::step]])


def gather(i):
    x = i.array(shape_of(2), rng.choice(["u1", "u4"]))
    axis = rng.randrange(2)
    indices = [rng.randrange(x.shape[axis]) for _ in range(rng.randrange(1, 40))]
    return ["--indices", commas(indices), "--axis", str(axis)], [x], [np.take(x, indices, axis)]


def tile(i):
    x = i.array(shape_of(2, 1500), rng.choice(["u1", "u2"]))
    repeats = [rng.randrange(1, 4), rng.randrange(1, 4)]
    return ["--repeats", commas(repeats)], [x], [np.tile(x, repeats)]


def space(i):
    c, h, w, b = rng.randrange(1, 5), rng.choice([4, 7, 32]), rng.choice([5, 16, 32]), rng.choice([2, 3])
    x = i.array((1, c * b * b, h, w), rng.choice(["u1", "u2"]))
    y = x.reshape(1, c, b, b, h, w).transpose(0, 1, 4, 2, 5, 3).reshape(1, c, h * b, w * b)
    return ["--blocksize", str(b), "--mode", "CRD"], [x], [y]


def where(i):
    shape = shape_of(2)
    condition = i.array(shape, "u1")
    x, y = i.array(shape, "u2"), i.array(shape, "u2")
    return [], [condition, x, y], [np.where(condition & 1, x, y)]


def add(i):
    dtype = rng.choice(["u1", "i1", "i2", "i4"])
    x = i.array(shape_of(2), dtype)
    addend = rng.randrange(-128, 128)
    info = np.iinfo(dtype)
    return (["--addend", str(addend)], [x],
            [np.clip(x.astype("i8") + addend, info.min, info.max).astype(dtype)])


def fill(i):
    x = i.array(shape_of(3), rng.choice(["u1", "u2", "u4"]))
    return ["--value", "77"], [x], [np.full_like(x, 77)]


OPERATORS = {"transpose": transpose, "flip": flip, "roll": roll, "pad": pad, "concat": concat,
             "split": split, "slice": part, "gather": gather, "tile": tile,
             "depth-to-space": space, "where": where, "add": add, "fill": fill}


def emit(number):
    """One kernel: its call in main, and the CRCs that it must print."""
    name = ["transpose", *OPERATORS][number % (len(OPERATORS) + 1)]
    half = name == "transpose" and rng.random() < 0.3
    inputs = Inputs()
    options, arrays, outputs = (nibbles if half else OPERATORS[name])(inputs)
    files = []
    for k, array in enumerate(arrays):
        files.append(f"in{k}.npy")
        condition = name == "where" and k == 0
        np.save(files[-1], (array & 1).astype(bool) if condition else array)
    done = run(ZTL, "op", name, *files, *options, "--emit", "c", "--name", f"kernel_{number}", "-o",
               f"kernel_{number}.c")
    assert not done.stdout and not done.stderr, done
    lines, at = [], 0
    for k, array in enumerate(inputs.arrays):
        mask = 1 if name == "where" and k == 0 else 255
        lines.append(f"    copy({k}, {at}, {array.size}, {mask});")
        at += array.size
    out = "".join(f"out[{k}], " for k in range(len(outputs)))
    ins = "".join(f"in[{k}], " for k in range(len(arrays)))
    lines.append(f"    kernel_{number}({out}{ins}work);")
    expected = []
    for k, array in enumerate(outputs):
        data = np.ascontiguousarray(array).tobytes()
        assert len(data) < 1 << 17
        lines.append(f"    check({number}, {k}, {len(data)});")
        expected.append(f"{number}.{k} {zlib.crc32(data):08x}")
    with open(f"kernel_{number}.c", encoding="utf-8") as file:
        head = file.read(400)
    assert head.startswith(f"/* ztl op {name} in0.npy") and "Ztl instructions" in head, head
    return lines, expected, int(re.search(r"(\d+) bytes of scratch", head).group(1))


PROGRAM = """
#include <stdio.h>
#include <stdlib.h>

static uint8_t bytes[1 << 18];
static _Alignas(64) uint8_t in[4][1 << 17], out[4][1 << 17], work[WORK];

static void copy(int which, int from, int size, int mask)
{
    for (int i = 0; i < size; i++)
        in[which][i] = bytes[from + i] & mask;
    memset(out, 0x55, sizeof out);
}

static void check(int kernel, int which, int size)
{
    uint32_t sum = 0xffffffff;
    for (int i = 0; i < size; i++) {
        sum ^= out[which][i];
        for (int k = 0; k < 8; k++)
            sum = sum >> 1 ^ (sum & 1 ? 0xedb88320 : 0);
    }
    printf("%d.%d %08lx%s\\n", kernel, which, (unsigned long)(uint32_t)~sum,
           out[which][size] == 0x55 ? "" : " and beyond its end");
}

int main(void)
{
    uint32_t state = 1;
    for (size_t i = 0; i < sizeof bytes; i++) {
        state = state * 1664525 + 1013904223;
        bytes[i] = (uint8_t)(state >> 24);
    }
"""


def check_random():
    calls, expected, work = [], [], 1
    for number in range(COUNT):
        lines, sums, scratch = emit(number)
        calls += lines
        expected += sums
        work = max(work, scratch)
    with open("main.c", "w", encoding="utf-8") as file:
        for number in range(COUNT):
            file.write(f'#include "kernel_{number}.c"\n')
        file.write(PROGRAM.replace("WORK", str(work)) + "\n".join(calls) + "\n    return 0;\n}\n")
    for isa, more in (("rv64imac_zicsr_ztl", ["-mabi=lp64"]), ("rv32imac_zicsr_ztl", ["-mabi=ilp32"])):
        done = run(ZTL, "cc", "--semihost", "-O1", "-Wall", "-Wextra", "-Werror", f"-march={isa}",
                   *more, "main.c", "-o", "main.elf")
        assert not done.stderr, done.stderr
        shown = run(ZTL, "run", "--isa", isa, "main.elf").stdout.split("\n")[:-1]
        wrong = [(a, b) for a, b in zip(shown, expected) if a != b]
        assert not wrong and len(shown) == len(expected), (isa, wrong, len(shown), len(expected))


def check_program():
    """--main, measured as any program, and the same under QEMU; assembly does the same."""
    i = Inputs()
    x = i.array((1, 32, 16, 32), "u1")
    np.save("x.npy", x)
    op = (ZTL, "op", "transpose", "x.npy", "--perm", "0,2,3,1", "--main")
    sum_of = zlib.crc32(np.ascontiguousarray(x.transpose(0, 2, 3, 1)).tobytes())
    run(*op, "--emit", "c", "-o", "x.c")
    assert run(*op, "--emit", "c").stdout == open("x.c", encoding="utf-8").read().replace(
        " -o x.c", ""), "standard output"
    run(*op, "--emit", "asm", "-o", "x.s")
    for source in ("x.c", "x.s"):
        words = [ZTL, "run", "--timing", "four", source]
        if source == "x.s":
            run(ZTL, "cc", "--semihost", "x.s", "-o", "x.elf")
            words[-1] = "x.elf"
        done = run(*words)
        assert done.stdout == f"output 0: CRC-32 {sum_of:08x}\n", done.stdout
        row = re.search(r"ztl_kernel +1 +(\d+) +(\d+) +(\d+)", done.stderr).groups()
        retired, ztl, cycles = (int(n) for n in row)
        # 16 KiB of tiles of 32 by 32: 8 batches of 2 loads, 1 PERMUTE, 2 stores of 16 slices.
        assert ztl == 40 and retired < 300 and 256 <= cycles < 500, row
    if subprocess.run(["which", "qemu-system-riscv64"], capture_output=True).returncode == 0:
        assert run(ZTL, "run", "--engine", "qemu", "x.elf").stdout == done.stdout


def check_shapes():
    """Of inputs only the shape and the type matter: neither must be there."""
    np.save("x.npy", np.zeros((8, 96), "i1"))
    texts = [run(ZTL, "op", "transpose", *words, "--perm", "1,0", "--emit", "c").stdout
             for words in (["x.npy"], ["--shape-in", "8,96", "--type", "int8"])]
    bodies = [text.split("\n", 1)[1] for text in texts]
    assert bodies[0] == bodies[1] and "permute" in bodies[0]


def check_names():
    """A name is refused, or the kernel compiles. The compiler says of all names that the file sees
    which ones another function cannot have."""
    words = ["op", "pad", "--shape-in", "8,8", "--type", "int8", "--pads", "1,1,1,1", "--emit", "c"]
    run(ZTL, *words, "--main", "-o", "named.c")
    seen = run(ZTL, "cc", "-E", "named.c").stdout + run(ZTL, "cc", "-E", "-dM", "named.c").stdout
    names = sorted(set(re.findall(r"\b[A-Za-z]\w*", seen)) | {"if", "goto", "memcpy", "sizeof"})
    with open("named.c", encoding="utf-8") as file:
        text = file.read() + "\n"
    first = text.count("\n") + 1
    with open("probe.c", "w", encoding="utf-8") as file:
        file.write(text + "".join(f"void {n}(void *o, const void *i, void *s);\n" for n in names))
    told = subprocess.run([ZTL, "cc", "-c", "-fmax-errors=0", "probe.c", "-o", "probe.o"],
                          capture_output=True, text=True, check=False).stderr
    lines = {int(n) - first for n in re.findall(r"probe\.c:(\d+):\d+: error", told)}
    # Picolibc has functions of its own, with endings of POSIX.
    bad = [names[n] for n in sorted(lines) if n >= 0 and not re.search("^(fdev|picolibc)|_l$", names[n])]
    assert len(bad) > 500 and "if" in bad and "memcpy" in bad, (len(bad), told[-500:])
    words[words.index("--emit"):] = ["--emit", "c"]
    for name in rng.sample(bad, 60) + ["if", "int", "restrict", "main", "memcpy", "uint8_t", "printf",
                                       "mask_of", "and", "class", "input0", "NULL", "ztl_insn"]:
        message = run(ZTL, *words, "--name", name, "-o", "refused.c", status=2).stderr
        assert "--name: is not a name" in message and not os.path.exists("refused.c"), (name, message)
    for name in "k", "kernel", "iffy", "Kernel_2", "memory_copy", "ztl_kernel_2":
        run(ZTL, *words, "--name", name, "--main", "-o", "good.c")
        run(ZTL, "cc", "-Wall", "-Werror", "-c", "good.c", "-o", "good.o")


def check_refusals():
    for words, told in ((["--emit", "rust"], "--emit"), (["--emit", "c", "--name", "2x"], "--name"),
                        (["--emit", "c", "--name", "a-b"], "--name"), (["--main"], "needs --emit"),
                        (["--emit", "asm", "--name", "if"], "--name"),
                        (["--name", "x"], "needs --emit"),
                        (["--emit", "c", "--stats"], "nothing runs"),
                        (["--emit", "c", "--timing", "four"], "nothing runs"),
                        (["--emit", "c", "-o", "y.c", "-o", "z.c"], "one file")):
        message = run(ZTL, "op", "flip", "x.npy", "--axes", "0", *words, status=2).stderr
        assert told in message, (words, message)
    message = run(ZTL, "op", "flip", "x.npy", "--axes", "0", "--emit", "c", "-o", "no/y.c",
                  status=1).stderr
    assert "no/y.c" in message, message
    np.save("rows.npy", np.arange(64, dtype=np.int8).reshape(8, 8))
    np.save("index.npy", np.array([3, 1], dtype=np.int64))
    gather = [ZTL, "op", "gather", "rows.npy", "--indices", "index.npy", "--emit", "c", "-o", "g.c"]
    message = run(*gather, status=1).stderr
    assert "--constant" in message and not os.path.exists("g.c"), message
    run(*gather, "--constant")
    assert os.path.exists("g.c")


with tempfile.TemporaryDirectory(prefix="ztl emit ") as folder:
    os.chdir(folder)
    check_random()
    check_program()
    check_shapes()
    check_names()
    check_refusals()
    os.chdir("/")
