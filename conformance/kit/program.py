# SPDX-License-Identifier: Apache-2.0
"""A program of the suite: bins, each with one instruction under test. What it must do is computed by
kit/oracle.py while the program is written, so the program has every expected value in it."""
import oracle
from oracle import GPR, MASK1, MASK2, LOAD_MASK, STORE_MASK, REG, STATUS, STRIDES, TSHAPE, TTYPE, WIDTHS
from words import Numbers

STATUS_BEFORE = 0x5A5
MEMORY_AREA = Numbers(7).block(1280)
SCRATCH = 2048
ROOM = 46 * 1024  # of 63 KiB; the rest is the runtime's
# Where the contract's hart has what a target has somewhere else.
PLACES = {"scratch": 0x80020000, "end": 0x80060000, "fault": 0x00001000, "l0m": 0x80001000,
          "l1m": 0x80002000, "l0m_end": 0x80030000, "l1m_end": 0x80031000, "wrap": 0, "top": 0}  # fmt: skip
# What is filled and compared there: how far from the place it begins, and its size.
AREAS = {"end": (-256, 256), "l0m": (-64, 128), "l1m": (-64, 128), "l0m_end": (-64, 128),
         "l1m_end": (-64, 128), "wrap": (-256, 1280)}  # fmt: skip
LABELS = {"scratch": "ztl_scratch"}


class At:
    """An address: a place and how far from it."""

    def __init__(self, place, offset=0):
        self.place, self.offset = place, offset


class Plain:
    """A hart without Ztl: all that the programs try on it is illegal."""

    def __init__(self):
        self.tl, self.x, self.csr, self.memory = [bytes(REG)] * 32, [0] * 32, {}, {}

    def execute(self, word):
        return f"trap 2 {word:#x} 0"


def make_hart(revision, xlen, subsets, features):
    """The contract's hart with RAM at the places of a program."""
    if not revision:
        return Plain()
    ram = {PLACES["scratch"]: SCRATCH}
    l1m = l0m = None
    if "windows" in features:
        low, high = PLACES["l0m"] - 4096, PLACES["l1m_end"] + 4096
        after = PLACES["scratch"] + SCRATCH
        ram.update({low: PLACES["scratch"] - low, after: high - after})
        l1m = PLACES["l1m"], PLACES["l1m_end"] - PLACES["l1m"]
        l0m = PLACES["l0m"], PLACES["l0m_end"] - PLACES["l0m"]
    else:
        ram.update({PLACES["end"] - 256: 256})
    if "wraps" in features:
        ram.update({0: 4096, (1 << xlen) - 4096: 4096})
    return oracle.Hart(revision, xlen, subsets, ram.items(), l1m, l0m)


def words_of(block):
    return [int.from_bytes(block[n : n + 4], "little") for n in range(0, len(block), 4)]


class Program:
    def __init__(self, name, revision, xlen=None, subsets="xcamp", features=(), bare=False):
        """xlen None: the same text serves both. features: what the target must have besides, of
        windows, wraps, top, without-X. bare: no CSR is touched between bins."""
        self.name, self.revision, self.xlen, self.features = name, revision, xlen, set(features)
        self.subsets = "".join(s for s in subsets if revision == 2 or s != "p")
        self.bare = bare or not revision
        self.hart = make_hart(revision, xlen or 64, self.subsets, self.features)
        self.text, self.bins, self.blocks, self.rules, self.patches = [], [], {}, {}, []
        self.size, self.needs, self.turn = 1024, set(), 0
        self.signature = []
        self.zero = self.block(bytes(REG))

    # ---- Pieces of assembly ----------------------------------------------------------------------

    def emit(self, *lines):
        for line in lines:
            self.text.append("    " + line)
            self.size += 12 if line.startswith("li ") else 8 if line.startswith("lla") else 4

    def block(self, content):
        content = bytes(content)
        if content not in self.blocks:
            self.blocks[content] = f"block_{len(self.blocks)}"
            self.size += len(content)
        return self.blocks[content]

    def patch(self, base, expected):
        """The label of what differs, 0 for nothing."""
        old, new = words_of(base), words_of(expected)
        differ = [n for n in range(len(new)) if old[n] != new[n]]
        if not differ:
            return None
        first, end = differ[0], differ[-1] + 1
        self.patches.append((first, end, new[first:end]))
        self.size += 4 + 4 * (end - first)
        return f"patch_{len(self.patches) - 1}"

    def set_register(self, n, value):
        """An integer register, in the program and in the contract's hart."""
        wide = self.xlen or 64
        if not isinstance(value, At):
            self.hart.x[n] = value % (1 << wide)
            if n:
                self.emit(f"li {GPR[n]}, {value:#x}" if value >= 0 else f"li {GPR[n]}, {value}")
            return
        base = PLACES[value.place]
        self.hart.x[n] = (base + value.offset) % (1 << wide)
        offset = value.offset % (1 << wide)
        offset -= (offset >> wide - 1) << wide
        label = LABELS.get(value.place)
        if value.place in ("wrap", "top"):
            self.emit(f"li {GPR[n]}, {offset}")
        elif label and -2048 <= offset < 4096:
            self.emit(f"lla {GPR[n]}, {label} + {offset}" if offset else f"lla {GPR[n]}, {label}")
        else:
            spare = GPR[31 if n != 31 else 30]
            self.emit(f"lla {GPR[n]}, {label}" if label else f"loadx {GPR[n]}, ztl_{value.place}_place",
                      f"li {spare}, {offset}", f"add {GPR[n]}, {GPR[n]}, {spare}")

    def put(self, n, content):
        self.emit(f"lla a1, {self.block(content)}", f"jal ztl_put_{n}")
        self.needs.add("m")
        self.hart.write_tl(n, content)
        if self.revision == 1:
            self.hart.write_csr(LOAD_MASK, 15)

    def set_csr(self, address, value):
        if value < 32:
            self.emit(f"csrwi {address:#x}, {value}")
        else:
            self.emit(f"li t0, {value:#x}", f"csrw {address:#x}, t0")
        self.hart.write_csr(address, value)

    def plain(self):
        """What ztl_plain sets."""
        self.hart.csr[TSHAPE] = 0x010101
        if self.revision == 2:
            self.hart.csr[TTYPE] = 0
            for kind in "load", "store":
                self.hart.csr[WIDTHS[kind]], self.hart.csr[STRIDES[kind]] = 1024, 0

    # ---- Checks ----------------------------------------------------------------------------------

    def note(self, words):
        for word in words:
            self.total = (3 * self.total + word) & 0xFFFFFFFF

    def check_register(self, n, base):
        """tlN has what the contract says; base is what it had, most of which it still has."""
        expected = self.hart.tl[n]
        if expected in self.blocks:
            base = expected
        label = self.patch(base, expected)
        self.emit(f"lla a0, {label}" if label else "li a0, 0", f"lla a1, {self.block(base)}",
                  f"jal ztl_check_{n}")
        if self.revision == 1:
            self.hart.write_csr(STORE_MASK, 15)
        self.needs.add("m")
        self.note(words_of(expected))

    def check_memory(self, before):
        expected = bytes(self.hart.memory[PLACES["scratch"]])
        label = self.patch(before, expected)
        self.emit(f"lla a0, {label}" if label else "li a0, 0", f"lla a1, {self.block(before)}",
                  "jal ztl_check_memory")
        self.note(words_of(expected))

    def area(self, place):
        """The addresses of the area at a place."""
        start, size = AREAS[place]
        return [(PLACES[place] + start + k) % (1 << (self.xlen or 64)) for k in range(size)]

    def byte(self, address):
        """The piece of RAM of an address, and the offset there."""
        return next((piece, address - base) for base, piece in self.hart.memory.items()
                    if base <= address < base + len(piece))

    def fill_area(self, place):
        content = MEMORY_AREA[: AREAS[place][1]]
        for address, value in zip(self.area(place), content):
            piece, offset = self.byte(address)
            piece[offset] = value
        self.set_register(10, At(place, AREAS[place][0]))
        self.emit(f"lla a1, {self.block(content)}", f"li a2, {len(content) // 4}", "jal ztl_copy")
        return content

    def check_area(self, place, before):
        expected = bytes(piece[offset] for piece, offset in map(self.byte, self.area(place)))
        label = self.patch(before, expected)
        self.set_register(12, At(place, AREAS[place][0]))
        self.emit(f"lla a0, {label}" if label else "li a0, 0", f"lla a1, {self.block(before)}",
                  f"li a3, {len(before) // 4}", "jal ztl_check_area")
        self.note(words_of(expected))

    def check_value(self, expected, instruction):
        self.emit(instruction, f"li a0, {expected:#x}", "jal ztl_check_value")
        self.note([expected & 0xFFFFFFFF])

    def expect(self, word, answer, place):
        """The trap, or that there was none."""
        kind, *rest = answer.split()
        cause, tval, _ = (int(n, 0) for n in rest) if kind == "trap" else (0, 0, 0)
        shown = cause in (0, 2)
        if shown:
            self.emit(f"li a1, {tval:#x}")
        else:
            away = (tval - PLACES[place]) % (1 << (self.xlen or 64))
            away -= (away >> 63 if self.xlen != 32 else away >> 31) << (self.xlen or 64)
            self.set_register(11, At(place, away))
        status = self.hart.csr[STATUS] if self.revision else 0
        self.emit(f"li a0, {cause}", f"li a2, {status:#x}", f"li a3, {int(shown)}", "jal ztl_expect")
        return [cause, tval if shown else 0, status]

    # ---- A bin -----------------------------------------------------------------------------------

    def bin(self, rule, name, word, *, text="", put=None, csr=(), x=None, show=(), memory=None,
            values=(), place="scratch", before=(), unseen=()):
        """rule: its id; name: COVERPOINT/BIN. put: {tl: block}; csr: pairs; x: {gpr: value or At};
        show: tensor registers to compare; memory: what the scratch memory holds before, compared
        behind; values: CSRs and registers to compare; before: raw instructions; unseen: those
        behind x that the contract does not know."""
        number = len(self.bins)
        self.bins.append((rule, name, f"{word:#010x}", text))
        label = self.rules.setdefault(rule, f"rule_{len(self.rules)}")
        begin = "ztl_begin_bare" if self.bare else "ztl_begin"
        self.total = 0
        self.text.append(f'\n    bin {number}, {label}, "{rule}/{name}", {begin}')
        self.size += 80 + len(rule) + len(name)
        if not self.bare:
            self.hart.csr[STATUS], self.hart.csr[oracle.PERM] = STATUS_BEFORE, 0xE4
            for base in STRIDES.values() if self.revision == 2 else ():
                self.hart.csr.update({base + i: i for i in range(32)})
            self.plain()
        old = {n: self.hart.tl[n] for n in show}
        for n, content in (put or {}).items():
            self.put(n, content)
            old[n] = self.hart.tl[n]
        if memory is not None:
            self.emit(f"lla a1, {self.block(memory)}", "jal ztl_fill")
            piece = self.hart.memory[PLACES["scratch"]]
            piece[:] = memory
        area = self.fill_area(place) if place in AREAS else None
        for address, value in csr:
            self.set_csr(address, value)
        for raw in before:
            self.step(raw)
        for n, value in (x or {}).items():
            self.set_register(n, value)
        for raw in unseen:
            self.emit(f".4byte {raw:#010x}")
        self.text.append(f"insn_{number}:")
        self.emit(f".4byte {word:#010x}" + (f"          # {text}" if text else ""))
        answer = self.hart.execute(word)
        noted = self.expect(word, answer, place)
        for n in (v for v in values if v < 32):
            assert 21 <= n <= 25, "the runtime keeps only s5 to s9"
            self.check_value(self.hart.x[n], f"mv a1, {GPR[n]}")
        for address in (v for v in values if v >= 32):
            self.check_value(self.hart.read_csr(address), f"csrr a1, {address:#x}")
        if area:
            self.check_area(place, area)
        self.finish(show, old, memory)
        self.signature.append([*noted, self.total])
        return answer

    def finish(self, show, old, memory):
        """Compares memory, and registers: those named, and another one in turn."""
        if memory is not None:
            self.check_memory(memory)
        if not show:
            return
        self.emit("jal ztl_plain")
        self.plain()
        self.turn = self.turn % 31 + 1
        for n in dict.fromkeys([*show, self.turn]):
            self.check_register(n, old.get(n, self.hart.tl[n]))

    def step(self, raw):
        """An instruction besides the one under test, which must not trap."""
        self.emit(f".4byte {raw:#010x}")
        assert self.hart.execute(raw) == "ok", f"{raw:#x} traps"

    # ---- The text --------------------------------------------------------------------------------

    def full(self):
        return self.size > ROOM

    def lines(self):
        features = " ".join(sorted(self.features)) or "none"
        yield "/* SPDX-License-Identifier: Apache-2.0"
        yield f" * {self.name}: {len(self.bins)} bins, made by conformance/kit; needs {features}."
        yield " */"
        yield '#include "program.h"'
        yield "    .text\n    .globl ztl_program\nztl_program:"
        yield from self.text
        yield "    j ztl_end\n\n    .section .rodata"
        for rule, label in self.rules.items():
            yield f'{label}: .asciz "{rule}"'
        yield "    .data\n    .balign 8"
        for content, label in self.blocks.items():
            yield f"{label}:"
            yield from data_of(words_of(content))
        for n, (first, end, words) in enumerate(self.patches):
            yield f"patch_{n}: .half {first}, {end}"
            yield from data_of(words)
        yield f"    signature {len(self.bins)}"

    def signature_lines(self):
        """The file that a run must leave, in the form of riscv-arch-test."""
        flat = [0x6F5CA309] + [word & 0xFFFFFFFF for entry in self.signature for word in entry]
        flat.append(0x6F5CA309)
        flat += [0] * (-len(flat) % 4)
        return [f"{word:08x}" for word in flat]


def data_of(words):
    """Lines of .word; a run of equal words is .fill."""
    n = 0
    while n < len(words):
        same = n
        while same < len(words) and words[same] == words[n]:
            same += 1
        if same - n >= 8:
            yield f"    .fill {same - n}, 4, {words[n]:#x}"
            n = same
            continue
        line = words[n : n + 8]
        yield "    .word " + ", ".join(f"{word:#x}" for word in line)
        n += len(line)
