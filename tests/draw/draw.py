#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every cell that ztl draw paints says where its value came from. A second implementation of the
contract, conformance/kit/oracle.py, says where it did: its registers and memory carry the number
of each half byte, four bits in a run.

usage: draw.py ZTL [TEST…]"""
import functools
import html
import itertools
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unicodedata
import unittest
import xml.etree.ElementTree as xml

import terminal
from oracle import TYPES, Hart, element_sum

ZTL = sys.argv.pop(1)
PLANES, REG, MEMORY_BASE, MEMORY_SIZE = 5, 1024, 0x800, 0x1800
MEMORY = 32 * REG  # the number of the first byte of memory
TYPE_CODES = {"byte": 0, "int4": 1, "int16": 4, "fp32": 0x400, "e4m3": 0x40, "int8": 2}
CSR = {"tmask_concat_1": 0x810, "tmask_concat_2": 0x811, "tl_load_mask": 0x812,
       "tl_store_mask": 0x813, "tl_transpose_perm": 0x801, "tl_load_width": 0x815,
       "tl_store_width": 0x816, "tl_load_stride": 0x840, "tl_store_stride": 0x860}
CELL = re.compile(r'<g><title>(.*?)</title><rect [^>]*fill="(#\w+)"/>'
                  r'(?:<text class="(?:c|c u)"[^>]*>(.*?)</text>\n)?</g>')


def run(*arguments):
    return subprocess.run([ZTL, *arguments], capture_output=True, text=True, timeout=60)


def draw(*arguments):
    """(title, colour, label) of every cell, after a look at the file as a whole."""
    done = run("draw", "--format", "svg", *arguments)
    if done.returncode:
        raise AssertionError(f"{arguments}: {done.stderr}")
    xml.fromstring(done.stdout)
    cells = [tuple(map(html.unescape, cell)) for cell in CELL.findall(done.stdout)]
    if done.stdout.count("<g>") != len(cells):
        raise AssertionError("a cell of another form")
    return cells


@functools.cache
def word_of(text, revision):
    asked = f"asm {text}\nquit\n"
    isa = f"rv64imac_zicsr_ztl{revision}p0"
    done = subprocess.run([ZTL, "cosim", "--isa", isa], input=asked, capture_output=True, text=True)
    return int(done.stdout.split()[1], 16)


def numbers_of(first, count):
    """A number for each half byte of `count` bytes."""
    return [1 + 2 * first + k for k in range(2 * count)]


def plane(numbers, p):
    digits = [number >> 4 * p & 15 for number in numbers]
    return bytes(low | high << 4 for low, high in zip(digits[::2], digits[1::2]))


class Contract:
    """What the instruction moves, by the second implementation: numbers of half bytes."""

    def __init__(self, text, revision=2, shape=None, kind="byte", base=0x1000, **csrs):
        tl = [[0] * 2 * REG for _ in range(32)]
        memory = [0] * 2 * MEMORY_SIZE
        word = word_of(text, revision)
        for p in range(PLANES):
            hart = Hart(revision, 64, "xcamp", [(MEMORY_BASE, MEMORY_SIZE)], None, None)
            self.set(hart, text, shape, kind, base, csrs)
            for n in range(1, 32):
                hart.tl[n] = plane(numbers_of(n * REG, REG), p)
            hart.memory[MEMORY_BASE][:] = plane(numbers_of(MEMORY, MEMORY_SIZE), p)
            answer = hart.execute(word)
            if answer != "ok":
                raise AssertionError(f"{text}: {answer}")
            for places, after in [*zip(tl, hart.tl), (memory, hart.memory[MEMORY_BASE])]:
                for k in range(len(places)):
                    places[k] |= (after[k // 2] >> k % 2 * 4 & 15) << 4 * p
        self.tl, self.memory = tl, memory

    @staticmethod
    def set(hart, text, shape, kind, base, csrs):
        if TYPE_CODES[kind]:
            hart.write_csr(0x804, TYPE_CODES[kind])
        dims = list(shape) + [1] * (4 - len(shape))
        if "xpose" in text or "permute" in text:
            hart.x[10] = int.from_bytes(bytes(dims), "little")
        elif hart.revision == 1 and ("load" in text or "store" in text):
            hart.x[10], hart.x[11] = base, int.from_bytes(bytes(dims), "little")
        else:
            hart.write_csr(0x800, dims[0] << 16 | dims[1] << 8 | dims[2])
            hart.x[10] = base
        for name, value in csrs.items():
            for i, one in enumerate(value if isinstance(value, tuple) else (value,)):
                hart.write_csr(CSR[name] + i, one & 0xFFFFFFFF)

    def origin(self, register, element, bits):
        """(register, element) that an element of a register came from, or None for zero."""
        nibbles = bits // 4
        numbers = self.tl[register][element * nibbles:(element + 1) * nibbles]
        if not any(numbers):
            return None
        assert numbers == list(range(numbers[0], numbers[0] + nibbles)), numbers
        return (numbers[0] - 1) // (2 * REG), (numbers[0] - 1) % (2 * REG) // nibbles


def options(text, revision=2, shape=None, kind="byte", base=0x1000, **csrs):
    words = [text, f"--revision={revision}", "--shape", ",".join(map(str, shape))]
    if kind != "byte":
        words += ["--type", kind]
    if base != 0x1000:
        words += ["--set", f"a0={base:#x}"]
    for name, value in csrs.items():
        values = value if isinstance(value, tuple) else (value,)
        words += ["--set", f"{name}={','.join(map(str, values))}"]
    return words


ELEMENT = re.compile(r"tl(\d+) element (\d+)(?:, was tl(\d+) element (\d+)|, (0|keeps its value))?$")


class Moves(unittest.TestCase):
    """XPOSE, PERMUTE, CONCAT and MERGE."""

    def check(self, text, bits=8, **scene):
        cells, contract = draw(*options(text, **scene)), Contract(text, **scene)
        colours, results = {}, 0
        result_registers = {int(n) for n in re.findall(r"tl(\d+)", text)[:1]}
        pair = "xpose" in text or "permute" in text
        if pair:
            result_registers = {int(n) for n in re.findall(r"tl(\d+)", text)}
        half = len(cells) // 2 if pair else len(cells) * 2 // 3
        for title, colour, label in cells[:half]:
            register, element = map(int, ELEMENT.match(title).groups()[:2])
            colours.setdefault((register, element), (label, colour))
        for title, colour, label in cells[half:]:
            register, element, was, from_element, other = ELEMENT.match(title).groups()
            register, element = int(register), int(element)
            self.assertIn(register, result_registers)
            origin = contract.origin(register, element, bits)
            where = f"{text} {scene}: {title}"
            if other:
                self.assertEqual(origin, None if other == "0" else (register, element), where)
            else:
                said = (int(was), int(from_element)) if was else (register, element)
                self.assertEqual(origin, said, where)
                if said in colours:
                    self.assertEqual((label, colour), colours[said], where)
            results += 1
        self.assertGreater(results, 3)
        return cells, half

    def test_every_transpose(self):
        for pair in "01", "02", "03", "12", "13", "23", "00", "11", "33":
            text = f"tl.xpose.{pair} tl1, tl2, a0"
            self.check(text, revision=1, shape=(4, 8, 8, 8))
            self.check(text, shape=(2, 4, 16, 16))
        for pair, shape in (("01", (32, 64, 1, 1)), ("02", (4, 1, 64, 8)), ("23", (2, 1, 32, 32)),
                            ("12", (16, 8, 16, 1)), ("01", (16, 8, 16, 1)), ("23", (16, 8, 16, 1))):
            self.check(f"tl.xpose.{pair} tl1, tl2, a0", shape=shape)

    def test_transposes_of_types(self):
        for kind, bits in ("int4", 4), ("int16", 16), ("fp32", 32):
            last = 16384 // bits // 256
            for pair in "03", "12":
                self.check(f"tl.xpose.{pair} tl5, tl9, a0", bits, shape=(4, 8, 8, last), kind=kind)

    def test_permutations(self):
        for size, bits in ("b", 8), ("h", 16), ("w", 32), ("d", 64):
            for perm in (0x78, 0x1B, 0xE4) if size == "b" else (0x9C,):
                self.check(f"tl.permute.{size} tl3, tl4, a0", bits,
                           shape=(4, 8, 8, 16384 // bits // 256), tl_transpose_perm=perm)

    def test_one_register_and_zero(self):
        self.check("tl.xpose.01 tl7, tl7, a0", shape=(32, 64))
        self.check("tl.xpose.01 tl0, tl2, a0", shape=(32, 64))

    def test_what_is_drawn_of_the_result_is_drawn_of_the_tensor(self):
        for shape in (4, 8, 8, 8), (2, 128, 4, 2):
            cells, half = self.check("tl.xpose.13 tl1, tl2, a0", shape=shape)
            before, after = ([label for _, _, label in part] for part in (cells[:half], cells[half:]))
            self.assertEqual(sorted(before), sorted(after))
            self.assertNotEqual(before, after)

    def test_concat_and_merge(self):
        for d in range(3):
            for mask1, mask2 in (0x6, 0x1), (0x0, 0xC), (0x9, 0x0), (0xFFFFFFF5, 0xFFFFFFF4):
                for name in ("concat", "merge") if mask1 < 16 else ("merge",):
                    kinds = (("byte", 8), ("int4", 4), ("fp32", 32)) if mask1 == 6 else (("byte", 8),)
                    for kind, bits in kinds:
                        scene = dict(shape=(4, 4, 4), kind=kind, tmask_concat_1=mask1)
                        if name == "concat":
                            scene["tmask_concat_2"] = mask2
                        self.check(f"tl.{name}.{d} tl3, tl1, tl2", bits, **scene)
            self.check(f"tl.concat.{d} tl3, tl1, tl2", revision=1, shape=(8, 8, 16),
                       tmask_concat_1=0x6, tmask_concat_2=0x11)

    def test_registers_may_coincide(self):
        for text in "tl.merge.1 tl1, tl1, tl2", "tl.merge.1 tl2, tl1, tl1", "tl.merge.1 tl0, tl1, tl2":
            self.check(text, shape=(2, 4, 4), tmask_concat_1=0x5)


class Slices(unittest.TestCase):
    def load(self, text, **scene):
        cells, contract = draw(*options(text, **scene)), Contract(text, **scene)
        seen = set()
        for title, _, _ in cells:
            found = re.match(r"tl(\d+) bytes (\d+) to (\d+)(?:, (?:were at (0x\w+)|(0)|(keep).*))?$",
                             title)
            if not found:
                self.assertRegex(title, "^0x[0-9a-f]+ to 0x[0-9a-f]+$")
                continue
            register, first, last = map(int, found.groups()[:3])
            address, zero, kept = found.groups()[3:]
            seen.update(range(first, last + 1))
            for byte in range(first, last + 1):
                number = contract.tl[register][2 * byte]
                if address:
                    offset = int(address, 16) + byte - first - MEMORY_BASE
                    self.assertEqual(number, 1 + 2 * (MEMORY + offset), f"{text} {scene}: {title}")
                else:
                    own = 0 if zero else 1 + 2 * (register * REG + byte)
                    self.assertTrue(zero or kept)
                    self.assertEqual(number, own, f"{text} {scene}: {title}")
        self.assertEqual(seen, set(range(REG)), "every byte of the register is drawn")

    def store(self, text, **scene):
        cells, contract = draw(*options(text, **scene)), Contract(text, **scene)
        changed = set()
        for title, _, _ in cells:
            found = re.match(r"(0x\w+) to (0x\w+)(?:, was tl(\d+) bytes (\d+) to (\d+))?$", title)
            if not found:
                self.assertRegex(title, r"^tl\d+ bytes \d+ to \d+(, not stored)?$")
                continue
            address, last = (int(n, 16) - MEMORY_BASE for n in found.groups()[:2])
            for k in range(last - address + 1):
                number = contract.memory[2 * (address + k)]
                if found[3]:
                    self.assertEqual(number, 1 + 2 * (int(found[3]) * REG + int(found[4]) + k),
                                     f"{text} {scene}: {title}")
                    changed.add(address + k)
                else:
                    self.assertEqual(number, 1 + 2 * (MEMORY + address + k))
        due = {k for k in range(MEMORY_SIZE) if contract.memory[2 * k] != 1 + 2 * (MEMORY + k)}
        self.assertEqual(changed, due, "every byte stored is drawn")

    def test_loads_and_stores(self):
        for name, check in ("load", self.load), ("store", self.store):
            stride = f"tl_{name}_stride"
            for scene in (dict(shape=(4, 1, 8)), dict(shape=(5, 4), **{stride: (0, 5, 2, 40, -3)}),
                          dict(shape=(32, 4, 8)), dict(shape=(4, 2, 2), **{stride: (1, 1, 0, 0)}),
                          dict(shape=(3, 2), kind="fp32", **{stride: (7, -7, 0)}),
                          dict(shape=(3, 9), **{f"tl_{name}_width": 16})):
                check(f"tl.{name} tl1, -1(a0)", **scene)
                for mask in 0x5, 0xFFFFFFFE, 0x0:
                    check(f"tl.m{name} tl6, 2(a0)", **scene, **{f"tl_{name}_mask": mask})

    def test_revision_1(self):
        for shape in (4, 8, 8, 4), (32, 2, 4, 4), (1, 4, 16, 16):
            self.load("tl.mload tl2, a1, a0", revision=1, shape=shape, tl_load_mask=0xB)
            self.store("tl.mstore tl2, a0, a1", revision=1, shape=shape, tl_store_mask=0xB)


class Sums(unittest.TestCase):
    def test_values(self):
        for text, revision, kinds in (("tl.addi tl2, tl1, 100", 2, ("byte", "int8", "int16", "int4")),
                                      ("tl.addi tl2, tl1, -3", 2, ("byte", "int8")),
                                      ("tl.addi tl2, tl1, -2000", 1, ("byte",)),
                                      ("tl.addi tl2, tl1, 77", 1, ("byte",))):
            for kind in kinds:
                cells = draw(*options(text, revision, (4, 1, 8), kind))
                self.assertEqual(len(cells), 64)
                bits, imm = TYPES[TYPE_CODES[kind]][0], int(text.split()[-1])
                for before, after in zip(cells[:32], cells[32:]):
                    value = int(before[2]) & (1 << bits) - 1
                    due = element_sum(value, imm, TYPE_CODES[kind])
                    self.assertEqual(int(after[2]) & (1 << bits) - 1, due, (text, kind, before))
                    if ", of " in after[0]:
                        self.assertEqual(after[0].split(" of ")[1], before[0])
                        self.assertEqual(after[1], before[1])

    def test_floats(self):
        cells = draw("tl.addi tl2, tl1, 2", "--type", "e4m3", "--shape", "32,8")
        values = {before[2]: after[2] for before, after in zip(cells[:256], cells[256:])}
        self.assertEqual(len(cells), 512)
        for before, after in ("0", "2"), ("1.5", "3.5"), ("448", "448"), ("NaN", "NaN"), ("-2", "0"):
            self.assertEqual(values[before], after)


class Encoding(unittest.TestCase):
    def test_bits(self):
        for revision, text in (2, "tl.xpose.12 tl5, tl9, a3, comp"), (2, "tl.load tl31, -7(s0)"), (
                1, "tl.mstore tl2, a0, a1"):
            done = run("draw", "--encoding", text, "--format=svg", f"--revision={revision}").stdout
            labels = [label for _, _, label in CELL.findall(done)]
            bits = "".join(label for label in labels[-32:])
            self.assertEqual(int(bits, 2), word_of(text, revision))
            self.assertIn(f"0x{int(bits, 2):08x}", done)
            words = run("draw", "--encoding", text, f"--revision={revision}").stdout
            self.assertIn(f"0x{int(bits, 2):08x}", words)

    def test_every_mnemonic(self):
        for revision in 1, 2:
            table = run("isa", f"--revision={revision}").stdout
            names = re.findall(r"\btl\.[a-z]+(?:\.\w+)?", table)
            self.assertGreater(len(names), 10)
            for name in set(names):
                for form in [], ["--encoding"]:
                    for look in "text", "svg":
                        done = run("draw", name, f"--revision={revision}", "--format", look, *form)
                        self.assertEqual((done.returncode, done.stderr), (0, ""), name)
                        self.assertTrue(done.stdout.strip())
                        if look == "text":
                            self.assertLessEqual(max(map(len, done.stdout.splitlines())), 80, name)

    def test_registers(self):
        cells = draw("--registers")
        labels = [label for _, _, label in cells]
        for title, _, label in cells[-64:]:
            i, j, k, byte = map(int, re.findall(r"\d+", title))
            self.assertEqual(int(label), (i * 4 + j) * 8 + k)
            self.assertEqual(int(label), byte)
        self.assertEqual([n for n in range(1, 32) if f"tl{n}" not in labels], [])
        text = run("draw", "--registers").stdout
        for size, count in (4, 2048), (8, 1024), (16, 512), (32, 256), (64, 128):
            self.assertIn(f"{size} bits: a register holds {count},", text)


# How a Chinese picture says what the English one does, read back.
BACK = ((r"tl(\d+) 的元素 (\d+)", r"tl\1 element \2"), (r"，由 (.*) 得出", r", of \1"),
        (r"tl(\d+) 的字节 (\d+) 到 (\d+)", r"tl\1 bytes \2 to \3"), ("，原在 ", ", were at "),
        ("，原为 ", ", was "), ("，为 0", ", 0"), ("，不存储", ", not stored"), (" 到 ", " to "),
        (r"，字节 (\d+)", r", byte \1"), ("的低半字节", ", low half"), ("的高半字节", ", high half"))
WORDS = re.compile(r"tl\w*|t(?:shape|type|mask)\w*|[as]\d+|0x\w+|Ztl|XPOSE|PERMUTE|sN|D\d|N|custom-2"
                   r"|engine|offset|r(?:shape|base|s)|imm|byte|int\d+|fp\d+|bf16|e\dm\d|b\d|[ab](?=:|\d)")


def english(title):
    for pattern, text in BACK:
        title = re.sub(pattern, text, title)
    return title


class Chinese(unittest.TestCase):
    """The same pictures, with the words in another language."""

    def each(self):
        for revision in 1, 2:
            table = run("isa", f"--revision={revision}").stdout
            names = re.findall(r"\b(tl\.[a-z]+)((?:\.\w+)?)", table)
            for name in (stem + suffix for stem, suffix in dict(names).items()):
                yield [name, f"--revision={revision}"]
                yield [name, f"--revision={revision}", "--encoding"]
        for more in ("tl.load --type fp32 --set tl_load_stride=0,5,-9", "--registers --type int4",
                     "--registers --shape 2,4,4,4", "tl.mstore --set tl_store_mask=0",
                     "'tl.xpose.01 tl5, tl5, a0'", "'tl.xpose.01 tl5, tl0, a0'", "tl.addi --type fp16",
                     "tl.xpose.12 --shape 8,8,8,4"):
            yield shlex.split(more)

    def test_cells(self):
        for words in self.each():
            ours, theirs = draw(*words), draw(*words, "--language=zh")
            for (title, colour, label), (named, painted, said) in zip(ours, theirs, strict=True):
                keeps = r"，保持原值", ", keep their value" if "bytes" in title else ", keeps its value"
                self.assertEqual(english(named.replace(*keeps)), title, words)
                self.assertEqual(painted, colour)
                self.assertEqual({"其余": "rest", "固定": "fixed"}.get(said, said), label)

    def test_no_english_word_is_left(self):
        for words in self.each():
            done = run("draw", "--format=svg", "--language=zh", *words).stdout
            texts = re.findall(r'<text class="(?:[tfrn]|c|c u)"[^>]*>(.*?)</text>', done)
            left = [text for text in texts if re.search(r"[A-Za-z]{2}", WORDS.sub("", text))]
            self.assertEqual(left, [], words)

    def test_80_columns(self):
        def columns(line):
            return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)
        for words in [*self.each(), ["tl.mload", "--shape=32,32"]]:
            lines = run("draw", "--language=zh", *words).stdout.splitlines()
            self.assertEqual([line for line in lines if columns(line) > 80], [], words)
            self.assertEqual([line for line in lines if re.match(r" *[，。；：]", line)], [], words)

    def test_widths_count_columns_of_text(self):
        rows = run("draw", "--registers", "--language=zh").stdout.splitlines()
        sizes = [row for row in rows if re.match(r"  \d+ 位 ", row)]
        self.assertEqual({row.index("0", 6) for row in sizes[:1]}, {8 - 1})  # 位 is two columns
        self.assertRegex(sizes[0], r"^  4 位  0  1  2  3 ")


class Command(unittest.TestCase):
    def test_a_mask_of_nothing_has_the_width_of_all(self):
        for name, extra, width in (("load", [], 8), ("store", [], 8),
                                   ("store", ["--type=fp32", "--shape=3,5"], 20),
                                   ("load", ["--type=int16", "--set", "tl_load_width=3"], 3)):
            done = run("draw", f"tl.m{name} tl1, 1(a0)", "--set", f"tl_{name}_mask=0", *extra)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn(f"in slices of {width} bytes", done.stdout)
            self.assertIn("no slice is accessed", done.stdout)
            self.assertNotRegex(done.stdout, r"(?m) $")

    def test_a_mnemonic_alone_shows_something_of_4_bits(self):
        for kind in "int4", "fp4":
            cells = draw("tl.addi", "--type", kind)
            self.assertGreater(len({label for _, _, label in cells[len(cells) // 2:]}), 4, kind)
        self.assertIn("tl.addi tl3, tl1, 100\n", run("draw", "tl.addi").stdout)
        self.assertIn("tl.addi tl2, tl1, 100\n",
                      run("draw", "tl.addi tl2, tl1, 100", "--type=int4").stdout)

    def test_a_picture_can_be_followed(self):
        for words in (["tl.concat.1", "--revision=1"], ["tl.merge.0", "--shape=32,4,8"],
                      ["tl.concat.2", "--shape=8,4,32"], ["tl.xpose.03", "--shape=32,2,2,16"]):
            self.assertLessEqual(len(draw(*words)), 3 * 128, words)

    def test_no_line_ends_within_an_assignment(self):
        for words in ["tl.mload"], ["tl.mstore"], ["tl.load", "--shape=32,32"]:
            lines = run("draw", *words).stdout.splitlines()
            self.assertEqual([line for line in lines if re.search(r"=$|^  =", line)], [])

    def test_registers_of_a_shape(self):
        for shape, kind, bits in ((3, 5, 2), "int4", 4), ((3, 5, 7), "int16", 16), ((2, 4, 4, 4),
                                                                                   "byte", 8):
            cells = draw("--registers", "--shape", ",".join(map(str, shape)), "--type", kind)
            block = [cell for cell in cells if cell[0].startswith("[")]
            places = list(itertools.product(*map(range, shape)))
            self.assertEqual(len(block), len(places))
            for number, (place, (title, _, label)) in enumerate(zip(places, block)):
                half = f", {('low', 'high')[number % 2]} half" if bits == 4 else ""
                self.assertEqual(title, f"{list(place)}, byte {number * bits // 8}{half}")
                self.assertEqual(label, str(number))
        text = run("draw", "--registers", "--shape=32,32", "--type=byte").stdout
        self.assertIn("[32, 32, 1], drawn [", text)
        self.assertIn("bytes 0 to 1023 of a register", text)
        self.assertLessEqual(max(map(len, text.splitlines())), 80)

    def test_text_fits_80_columns(self):
        for words in (["tl.load", "--shape", "32,32", "--set",
                       "tl_load_stride=2147483647,-2147483648,5,9999"],
                      ["tl.addi", "--type", "fp32", "--shape", "200,200"],
                      ["tl.addi", "--type", "int32"], ["tl.merge.2", "--shape", "1,1,32"],
                      ["tl.mload", "--shape", "32,32", "--set", "tl_load_mask=0"],
                      ["tl.concat.1", "--shape", "32,4,8"], ["tl.xpose.03", "--shape", "2,16,4,16"]):
            done = run("draw", *words)
            self.assertEqual((done.returncode, done.stderr), (0, ""), words)
            self.assertEqual([line for line in done.stdout.splitlines() if len(line) > 80], [])

    def test_a_slice_over_the_end_of_the_address_space(self):
        cells = draw("tl.load tl1, 0(a0)", "--shape", "2,4", "--set", "a0=0xfffffffffffffffe")
        titles = [title for title, _, _ in cells]
        self.assertIn("tl1 bytes 0 to 3, were at 0xfffffffffffffffe", titles)
        self.assertIn("tl1 bytes 4 to 7, were at 0x2", titles)

    def test_what_a_load_leaves_is_said(self):
        kept = "the rest of the register keeps its value"
        for words, is_said in ((["tl.load", "--shape", "4,8"], True), (["tl.mload"], True),
                               (["tl.load", "--shape", "32,32"], False), (["tl.store"], False)):
            self.assertEqual(kept in run("draw", *words).stdout, is_said, words)

    def test_a_block_says_what_a_dash_is_where_there_is_one(self):
        for name, has_dash in (("tl.merge.2", False), ("tl.concat.0", True)):
            text = run("draw", name, "--shape", "2,4,4", "--set", "tmask_concat_1=0x1",
                       "--set", "tmask_concat_2=0").stdout
            self.assertEqual(bool(re.search(r"^ +.*\s-(\s|$)", text.split("after:")[1], re.M)), has_dash)
            self.assertEqual("- keeps its value" in text, has_dash, name)

    def test_text_is_a_transposed_matrix(self):
        text = run("draw", "tl.xpose.01", "--shape", "32,64").stdout
        rows = [line.split()[1:] for line in text.splitlines() if re.match(r"  tl\d", line)]
        self.assertEqual(rows[0], [f"0{k}" for k in range(8)])
        self.assertEqual(rows[8:], [list(column) for column in zip(*rows[:8])])

    def test_three_dimensions_are_matrices(self):
        text = run("draw", "tl.xpose.12", "--shape", "16,8,16").stdout
        rows = [line.split()[1:] for line in text.splitlines() if re.match(r"  tl\d", line)]
        self.assertEqual(rows[0], [f"00{k}" for k in range(8)])  # a row of the first matrix
        self.assertEqual(rows[16:24], [list(column) for column in zip(*rows[:8])])
        self.assertIn("D0 and D1 are down, D2 across", text)
        self.assertIn("D0 is down, D1 across", run("draw", "tl.xpose.23", "--shape", "4,8,8,8").stdout)

    def test_colour_only_on_a_terminal(self):
        self.assertNotIn("\033", run("draw", "tl.merge.0").stdout)

    def on_terminal(self, **extra):
        environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
        return terminal.run([ZTL, "draw", "tl.merge.0"], env={**environment, **extra})

    def test_terminal(self):
        self.assertIn("\033[30;48;5;", self.on_terminal())
        self.assertNotIn("\033", self.on_terminal(NO_COLOR="1"))

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "x.svg")
            self.assertEqual(run("draw", "tl.load", "-o", str(path)).returncode, 0)
            self.assertEqual(path.read_text(), run("draw", "tl.load", "--format=svg").stdout)
            bad = run("draw", "tl.xpose.01", "--shape", "3,3", "-o", folder + "/bad.svg")
            self.assertEqual(bad.returncode, 1)
            self.assertEqual([p.name for p in pathlib.Path(folder).iterdir()], ["x.svg"])
            self.assertEqual(run("draw", "tl.load", "-o", folder + "/no/x.svg").returncode, 1)

    def test_errors(self):
        for words, status, message in (
                ([], 2, "an INSTRUCTION is needed"),
                (["tl.load", "tl.store"], 2, "one INSTRUCTION only"),
                (["tl.foo"], 2, "unknown mnemonic 'tl.foo'"),
                (["tl.load tl32, 0(a0)"], 2, "operand 1 (tlrd)"),
                (["tl.merge.0", "--revision", "1"], 2, "tl.merge.0"),
                (["tl.load", "--shape", "4,x"], 2, "'4,x' is no shape"),
                (["tl.load", "--shape", "4,256"], 2, "'4,256' is no shape"),
                (["tl.load", "--shape", "1,2,3,4"], 2, "tl.load has 3"),
                (["tl.load", "--type", "int3"], 2, "no type 'int3'"),
                (["tl.addi", "--type", "int8", "--revision=1"], 2, "no type but byte"),
                (["tl.load", "--set", "tl_store_stride31=1,2"], 2, "more values than registers"),
                (["tl.load", "--set", "tshape"], 2, "'tshape' is not NAME=VALUE"),
                (["tl.load", "--set", "foo=1"], 2, "'foo' is neither a CSR"),
                (["tl.load", "--set", "x32=1"], 2, "'x32' is neither a CSR"),
                (["tl.load", "--set", "x400=1"], 2, "'x400' is neither a CSR"),
                (["tl.load", "--set", "a0=q"], 2, "a0: 'q' is no number"),
                (["tl.load", "--set", "ttype=0x1ffffffff"], 2, "32 bits"),
                (["--registers", "tl.load"], 2, "takes no INSTRUCTION"),
                (["--registers", "--set", "a0=1"], 2, "--set goes with"),
                (["--registers", "--shape", "33,32"], 2, "takes 1056 bytes, a register has 1024"),
                (["--registers", "--shape", "65,32", "--type=int4"], 2, "1040 bytes"),
                (["--registers", "--shape", "2,0"], 2, "D1 = 0"),
                (["--registers", "--shape", "4,8,8,16"], 2, "4096 bytes, a pair of registers has 2048"),
                (["--registers", "--shape", "1,2,3,4,5"], 2, "too many dimensions"),
                (["--registers", "--type", "int8", "--revision=1"], 2, "no type but byte"),
                (["--language", "fr", "tl.load"], 2, "'fr' is not en or zh"),
                (["tl.addi", "--shape", "0,4"], 1, "a size of the shape is 0"),
                (["--encoding", "tl.load", "--shape", "1"], 2, "--shape, --type and --set"),
                (["tl.xpose.01", "--shape", "4,8,8,4"], 1, "SHAPE: D0·D1·D2·D3 = 1024 bytes"),
                (["tl.permute.b", "--set", "tl_transpose_perm=0xe0"], 1, "0xe0 does not name"),
                (["tl.load", "--shape", "33,1"], 1, "SHAPE"),
                (["tl.addi", "--set", "ttype=3"], 1, "TYPE")):
            done = run("draw", *words)
            self.assertEqual((done.returncode, done.stdout), (status, ""), words)
            self.assertIn(message, done.stderr)
            self.assertTrue(done.stderr.startswith("ztl draw: "), done.stderr)


if __name__ == "__main__":
    unittest.main()
