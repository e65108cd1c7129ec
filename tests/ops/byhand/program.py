# SPDX-License-Identifier: Apache-2.0
"""Kernels as programs: the order of their instructions, CSRs and addresses, and how they run.

A kernel is a list of tiles. A tile is a list of instructions on registers 0, 1, 2 ... of its own;
several sets of registers are used in turn. The order is that of a hart that always issues what can
start first, by the rules of doc/timing.md. CSRs are written when an instruction needs another value,
and addresses are made from pointers that are near.
"""
import collections

import numpy as np

import ztl

BASE = 0x10000000
TEXT, IN, OUT, SCRATCH = BASE, BASE + (2 << 20), BASE + (4 << 20), BASE + (8 << 20)
MEMORY = 10 << 20
ENGINES = ("load", "comp", "store", "reshape")
POINTERS = [f"a{i}" for i in range(8)] + [f"s{i}" for i in range(2, 12)]
SHAPES = ["t3", "t4", "t5", "t6", "s0", "s1"]
VALUES = ["t0", "t1", "t2"]


class Insn:
    """An instruction on the registers of a tile. engine None: a move, on either of two."""

    def __init__(self, text, reads, writes, engine, busy, csrs, shape=None, at=None, width=0,
                 span=None):
        self.text, self.reads, self.writes, self.engine, self.busy = text, reads, writes, engine, busy
        self.csrs, self.shape, self.at, self.width, self.span = csrs, shape, at, width, span

    def on(self, first):
        """The same with registers from `first` on; register None is tl0."""
        def place(registers):
            return [0 if r is None else first + r for r in registers]
        return Insn(self.text, place(self.reads), place(self.writes), self.engine, self.busy, self.csrs,
                    self.shape, self.at, self.width, self.span)


def access(is_store, register, at, width, offsets, mask=None):
    """Slices of `width` bytes at `at` and so many bytes behind it."""
    side = "store" if is_store else "load"
    chosen = [i for i in range(len(offsets)) if mask is None or mask >> i & 1]
    assert all(offset % width == 0 for offset in offsets) and len(offsets) * width <= 1024
    csrs = {"slices": len(offsets), f"tl_{side}_width": width}
    csrs |= {f"tl_{side}_stride{i}": offsets[i] // width for i in chosen}
    if mask is not None:
        csrs[f"tl_{side}_mask"] = mask
    used = [at + offsets[i] for i in chosen]
    busy = max(-(-len(chosen) * width // 64), len(chosen), 1)
    word = f"tl.{'m' if mask is not None else ''}{side} {{0}}, {{imm}}({{rs}}), {side}"
    return Insn(word, [register] if is_store else [], [] if is_store else [register],
                2 if is_store else 0, busy, csrs, at=at, width=width,
                span=(min(used), max(used) + width - 1) if used else None)


def load(register, at, width, offsets=(0,), mask=None):
    return access(False, register, at, width, offsets, mask)


def store(register, at, width, offsets=(0,), mask=None):
    return access(True, register, at, width, offsets, mask)


def permute(first, second, size, dims, order):
    csr = sum(d << 2 * k for k, d in enumerate(order))
    shape = sum(n << 8 * k for k, n in enumerate(dims))
    return Insn(f"tl.permute.{size} {{0}}, {{1}}, {{rs}}, {{engine}}", [first, second],
                [first, second], None, 32, {"tl_transpose_perm": csr}, shape=shape)


def merge(target, first, second, dim, shape, mask):
    """`first` where the mask has a 1, `second` elsewhere."""
    return Insn(f"tl.merge.{dim} {{0}}, {{1}}, {{2}}, {{engine}}", [first, second], [target], None, 16,
                {"tshape": shape[0] << 16 | shape[1] << 8 | shape[2], "tmask_concat_1": mask})


class Clock:
    """A hart, engines and ports of the machine four, or of kinds."""

    def __init__(self, kinds):
        self.kinds, self.t = kinds, 0
        self.free, self.port = [0] * 4, [0] * 2
        self.starts = [collections.deque() for _ in range(4)]
        self.written, self.read = [0] * 32, [0] * 32
        self.memory = []

    def start(self, insn, scalars):
        """When it starts after so many scalar instructions, on which engine, and the hart's time."""
        engines = [insn.engine] if insn.engine is not None else [3] if self.kinds else [1, 3]
        return min(self._on(insn, engine, self.t + scalars) for engine in engines)

    def _on(self, insn, engine, t):
        while sum(s > t for s in self.starts[engine]) >= 4:
            t = min(s for s in self.starts[engine] if s > t)
        start = max([t + 1, self.free[engine]] + [self.written[r] for r in insn.reads] +
                    [max(self.written[r], self.read[r]) for r in insn.writes if r])
        if insn.span:
            start = max(start, self.port[engine // 2])
            for low, high, done, is_store in self.memory:
                if (is_store or engine == 2) and low <= insn.span[1] and insn.span[0] <= high:
                    start = max(start, done)
        return start, self.free[engine], engine, t

    def issue(self, insn, chosen):
        start, _, engine, t = chosen
        end = start + insn.busy
        latency = 4 if insn.engine is None else 8
        self.free[engine] = end
        self.starts[engine].append(start)
        if len(self.starts[engine]) > 8:
            self.starts[engine].popleft()
        for r in insn.reads:
            self.read[r] = max(self.read[r], end)
        for r in insn.writes:
            self.written[r] = end + latency if r else 0
        if insn.span:
            self.port[engine // 2] = end
            self.memory = [m for m in self.memory if m[2] > t]
            self.memory.append((*insn.span, end + (8 if engine == 2 else 0), engine == 2))
        self.t = t + 1


class Writer:
    """The lines of a program, and what its registers hold."""

    def __init__(self):
        self.lines = []
        self.csrs = {f"tl_{side}_stride{i}": i for side in ("load", "store") for i in range(32)}
        self.csrs |= {"tshape": 0, "tl_transpose_perm": 0xe4}
        self.pointers = collections.OrderedDict()
        self.shapes = {}
        self.values = collections.OrderedDict((name, None) for name in VALUES)

    def _missing(self, insn):
        """The CSRs that must change. The slices of an access are any shape's first extent."""
        wanted = dict(insn.csrs)
        slices = wanted.pop("slices", None)
        if slices and self.csrs["tshape"] >> 16 != slices:
            wanted["tshape"] = slices << 16
        return [(name, value) for name, value in wanted.items() if self.csrs.get(name) != value]

    def cost(self, insn):
        """About how many scalar instructions it needs before it."""
        cost = sum(1 if 0 <= value < 32 else 2 for _, value in self._missing(insn))
        if insn.shape is not None:
            return cost + (2 if insn.shape not in self.shapes else 0)
        return cost + (1 if insn.at is not None and self._near(insn) is None else 0)

    def _near(self, insn):
        for name, value in self.pointers.items():
            slices, rest = divmod(insn.at - value, insn.width)
            if rest == 0 and -128 <= slices <= 127:
                return name, slices
        return None

    def _line(self, text):
        self.lines.append("    " + text)

    def _number(self, name, value):
        """Into a register: one instruction where it is short or has only high bits."""
        high, low = (value + 0x800) >> 12, (value + 0x800 & 0xfff) - 0x800
        if high == 0 or low == 0:
            self._line(f"li {name}, {value}")
        else:
            self._line(f"lui {name}, {high & 0xfffff:#x}")
            self._line(f"addiw {name}, {name}, {low}")

    def _csr(self, name, value):
        self.csrs[name] = value
        if 0 <= value < 32:
            self._line(f"csrwi {name}, {value}")
            return
        for register, held in self.values.items():
            if held == value:
                break
        else:
            register, held = next(iter(self.values.items()))
            near = [r for r, v in self.values.items() if v is not None and abs(value - v) < 2048]
            if near and not -2048 <= value < 2048 and value & 0xfff:
                self._line(f"addi {register}, {near[-1]}, {value - self.values[near[-1]]}")
            else:
                self._number(register, value)
            self.values[register] = value
        self.values.move_to_end(register)
        self._line(f"csrw {name}, {register}")

    def _pointer(self, insn):
        near = self._near(insn)
        if near:
            self.pointers.move_to_end(near[0])
            return near
        name = min(self.pointers, key=lambda p: abs(insn.at - self.pointers[p]), default=None)
        if name is not None and -2048 <= insn.at - self.pointers[name] < 2048:
            self._line(f"addi {name}, {name}, {insn.at - self.pointers[name]}")
        else:
            if len(self.pointers) < len(POINTERS):
                name = POINTERS[len(self.pointers)]
            else:
                name = next(iter(self.pointers))
            self._number(name, insn.at)
        self.pointers[name] = insn.at
        self.pointers.move_to_end(name)
        return name, 0

    def write(self, insn, engine):
        for name, value in self._missing(insn):
            self._csr(name, value)
        rs, imm = "", 0
        if insn.shape is not None:
            if insn.shape not in self.shapes:
                self.shapes[insn.shape] = SHAPES[len(self.shapes)]
                self._number(self.shapes[insn.shape], insn.shape - (insn.shape >> 31 << 32))
            rs = self.shapes[insn.shape]
        elif insn.at is not None:
            rs, imm = self._pointer(insn)
        seen = insn.writes + insn.reads if "merge" in insn.text else insn.writes or insn.reads
        self._line(insn.text.format(*(f"tl{r}" for r in seen), rs=rs, imm=imm, engine=ENGINES[engine]))


def in_order(tiles, registers, kinds, sets=None):
    """The program of a kernel whose tiles take so many registers each."""
    sets = min(sets or 99, 31 // registers)
    clock, writer = Clock(kinds), Writer()
    waiting = collections.deque(tiles)
    active = []  # [number, place in its tile, the tile]
    number = 0
    owner = {}
    while waiting or active:
        while waiting and number % sets not in owner:
            first = 1 + number % sets * registers
            active.append([number, 0, [insn.on(first) for insn in waiting.popleft()]])
            owner[number % sets] = number
            number += 1
        best = None
        for entry in active:
            insn = entry[2][entry[1]]
            scalars = writer.cost(insn)
            chosen = clock.start(insn, scalars)
            key = (chosen[0], scalars, entry[0])
            if best is None or key < best[0]:
                best = (key, entry, insn)
        _, entry, insn = best
        before = len(writer.lines)
        engine = clock.start(insn, writer.cost(insn))[2]
        writer.write(insn, engine)
        clock.issue(insn, clock.start(insn, len(writer.lines) - before - 1))
        entry[1] += 1
        if entry[1] == len(entry[2]):
            active.remove(entry)
            del owner[entry[0] % sets]
    return "\n".join([".globl _start", "_start:", *writer.lines, "done:", "    nop", ""])


def run(program, inputs, size, machine):
    """Runs it on a machine of ztl timing: the bytes of the output, the cycles."""
    hart = ztl.Machine(program, timing=machine, memory=MEMORY, base=BASE)
    hart.memory.write(IN, np.concatenate([np.ascontiguousarray(a).reshape(-1).view("u1")
                                          for a in inputs]))
    hart.memory.write(OUT, np.full(size + 64, 0xa5, "u1"))
    hart.break_at("done")
    assert hart.run() == "breakpoint"
    out = np.frombuffer(hart.memory.read(OUT, size + 64), "u1")
    assert (out[size:] == 0xa5).all(), "stored past the end"
    return out[:size], hart.timing.cycles
