# SPDX-License-Identifier: Apache-2.0
"""Operators by hand: the kernels of the rows of bench/cases/byhand.def."""
import itertools

import numpy as np

from bits import Turn
from program import IN, OUT, load, merge, store


class Kernel:
    """Tiles of so many registers each, and what they make of which inputs."""

    def __init__(self, tiles, registers, inputs, expected, sets=4, beyond=False):
        self.tiles, self.registers, self.inputs, self.expected = tiles, registers, inputs, expected
        self.sets = sets
        self.beyond = beyond  # reads a few bytes before or behind its input


def random_array(shape, element):
    rng = np.random.default_rng(1)
    data = rng.integers(0, 256, (*shape, element), dtype=np.uint8)
    return data.view(f"u{min(element, 8)}")[..., 0]


def turned(shape, perm, tile, runs=None, sets=4):
    """A transpose by tiles; tile and runs for one element. Several choices are mixed, tile by tile."""
    def make(element, _):
        steps = list(np.cumprod([element, *shape[:0:-1]])[::-1])
        out_steps = [0] * len(shape)
        step = element
        for d in reversed(perm):
            out_steps[d] = step
            step *= shape[d]
        turn = Turn(element, [(n, int(i), int(o)) for n, i, o in zip(shape, steps, out_steps)])
        a, b = (runs or {}).get(element, (6, 6))
        tiles = turn.tiles(tile[element], a, b)
        array = random_array(shape, element)
        registers = 1 << len(turn.bits_of(tile[element])) - 10
        return Kernel(tiles, registers, [array], array.transpose(perm), sets)
    return make


def mixed(size):
    """A matrix turned; of bytes, where all moves are on one engine, by tiles of 64 by 32 and of 32 by
    64 in turn, whose moves are half of those of 64 by 64."""
    def make(element, kinds):
        if element != 1 or not kinds:
            return turned((size, size), (1, 0), {1: (6, 6), 2: (5, 5), 4: (4, 5)})(element, kinds)
        array = random_array((size, size), 1)
        halves = []
        for from_row, tile, runs in ((0, (5, 6), (6, 5)), (size // 2, (6, 5), (5, 6))):
            turn = Turn(1, [(size // 2, size, 1), (size, 1, size)])
            tiles = turn.tiles(tile, *runs)
            for t in tiles:
                for insn in t:
                    move(insn, from_row * size, from_row)
            halves.append(tiles)
        tiles = [t for pair in itertools.zip_longest(*halves) for t in pair if t]
        return Kernel(tiles, 2, [array], array.T, sets=7)
    return make


def move(insn, bytes_in, bytes_out):
    """The same elsewhere in input and output."""
    if insn.at is not None:
        by = bytes_in if insn.engine == 0 else bytes_out
        insn.at += by
        insn.span = tuple(at + by for at in insn.span)


def patches(array):
    """im2col, 3 by 3, stride 1, pad 1."""
    c, h, w = array.shape
    padded = np.pad(array, ((0, 0), (1, 1), (1, 1)))
    return np.stack([padded[:, y:y + h, x:x + w] for y in range(3) for x in range(3)], 1)


def plane_tile(first, y, x, count, image):
    """One tap of so many planes."""
    h, w, element = image
    row, plane = w * element, h * w * element
    shape, slices = (count, h, row), [k * plane for k in range(count)]
    shift = (y - 1) * row + (x - 1) * element
    insns = [load(0, IN + first * plane + shift, plane, slices)]
    if y != 1:
        insns.append(merge(0, None, 0, 1, shape, 1 if y == 0 else 1 << h - 1))
    if x != 1:
        edge = (1 << element) - 1
        insns.append(merge(0, None, 0, 2, shape, edge if x == 0 else edge << row - element))
    to = OUT + (first * 9 + y * 3 + x) * plane
    return insns + [store(0, to, plane, [9 * s for s in slices])]


def im2col_planes(c, h, w):
    """Whole planes, as many as a register holds: loaded shifted by the tap, its border zeroed by
    MERGE, and stored."""
    def make(element, _):
        array = random_array((c, h, w), element)
        n = min(1024 // (h * w * element), c)
        firsts = list(range(0, c, n))
        half = (len(firsts) + 1) // 2  # neighbours are far apart: their stores must not overlap
        pairs = itertools.zip_longest(firsts[:half], firsts[half:])
        tiles = [plane_tile(first, y, x, min(n, c - first), (h, w, element))
                 for pair in pairs for y in range(3) for x in range(3)
                 for first in pair if first is not None]
        return Kernel(tiles, 1, [array], patches(array), sets=8, beyond=True)
    return make


def zero_column(insns, register, spare, rows, inner, column, element):
    """Zeroes a column of rows of 8 parts of `inner` bytes: the part, and back what is no part of it."""
    shape = (rows, 8, inner)
    part, at = divmod(column, inner)
    insns.append(merge(spare, None, register, 1, shape, 1 << part))
    insns.append(merge(register, spare, register, 2, shape, (1 << element) - 1 << at))


def im2col_rows(c, h, w):
    """Blocks of rows: one load for each column of the kernel, stored for all three of its rows."""
    def make(element, _):
        array = random_array((c, h, w), element)
        row, plane = w * element, h * w * element
        n = 896 // row
        tiles = []
        for channel, y0 in itertools.product(range(c), range(0, h, n)):
            rows = min(n, h - y0)
            insns = [load(x, IN + channel * plane + y0 * row + (x - 1) * element, rows * row)
                     for x in (1, 0, 2)]
            for x in (1, 0, 2):
                if x != 1:
                    zero_column(insns, x, 3, rows, row // 8, 0 if x == 0 else row - element, element)
                for y in range(3):
                    to = OUT + (channel * 9 + y * 3 + x) * plane + (y0 + 1 - y) * row
                    if y == 2 and y0 == 0:
                        insns.append(store(x, to, row, [k * row for k in range(rows)],
                                           mask=(1 << rows) - 2))
                        insns.append(store(None, to + h * row, row))
                    elif y == 0 and y0 + rows == h:
                        insns.append(store(x, to, (rows - 1) * row))
                        insns.append(store(None, to - (y0 + 1) * row, row))
                    else:
                        insns.append(store(x, to, rows * row))
            tiles.append(insns)
        return Kernel(tiles, 4, [array], patches(array), sets=7, beyond=True)
    return make


def zeros_between(c, h, w, element):
    """Of an image padded by 1, whose rows are stored with the zeros that follow them: the others."""
    pitch, edge = (w + 2) * element, OUT + element
    stores = [store(None, OUT, pitch + element)]
    stores += [store(None, edge + (channel * (h + 2) - 1) * pitch, 2 * pitch) for channel in range(1, c)]
    return stores + [store(None, edge + (c * (h + 2) - 1) * pitch, pitch - element)]


def pad_by_rows(c, h, w, sets=8):
    """A row an instruction: its register ends with zeros, which are stored too."""
    def make(element, _):
        array = random_array((c, h, w), element)
        row, pitch = w * element, (w + 2) * element
        rows = [[load(0, IN + (channel * h + y) * row, row),
                 store(0, OUT + element + (channel * (h + 2) + y + 1) * pitch, pitch)]
                for channel in range(c) for y in range(h)]
        for insns in rows[:sets]:
            insns.insert(0, load(0, IN, 1024, mask=0))
        return Kernel(rows + [[s] for s in zeros_between(c, h, w, element)], 1, [array],
                      np.pad(array, ((0, 0), (1, 1), (1, 1))), sets=sets)
    return make


def pad_by_slots(c, h, w):
    """Rows whose places in input and output are a multiple of the output's row apart share an
    instruction. Of each, what follows it in the input is zeroed by MERGE. Rows of 56 bytes."""
    def make(element, kinds):
        if element != 1 or kinds:
            return pad_by_rows(c, h, w)(element, kinds)
        array = random_array((c, h, w), 1)
        pitch = w + 2
        lines = [[(channel, s + 2 * channel) for channel in range(c) if 0 <= s + 2 * channel < h]
                 for s in range(-2 * c + 2, h)]
        groups = [part for line in lines for part in (line[:len(line) // 2], line[len(line) // 2:])
                  if part]
        tiles = []
        for group in groups:
            n, (channel, y) = len(group), group[0]
            step_in, step_out = (h + 2) * w, (h + 4) * pitch
            assert step_in % pitch == 0
            shape = (n, pitch // 2, 2)
            tiles.append([
                load(0, IN + (channel * h + y) * w, pitch, [k * step_in for k in range(n)]),
                merge(0, None, 0, 1, shape, 1 << pitch // 2 - 1),
                store(0, OUT + 1 + (channel * (h + 2) + y + 1) * pitch, pitch,
                      [k * step_out for k in range(n)])])
        return Kernel(tiles + [[s] for s in zeros_between(c, h, w, 1)], 1, [array],
                      np.pad(array, ((0, 0), (1, 1), (1, 1))), sets=8, beyond=True)
    return make


def gathered(rows, width, count):
    """Rows by indices that are known, in one load; those of the bench's generator."""
    def make(element, _):
        state, indices = 12345, []
        for _ in range(count):
            state = (state * 1664525 + 1013904223) & 0xffffffff
            indices.append((state >> 8) % rows)
        size, each = width * element, 1024 // (width * element)
        array = random_array((rows, width), element)
        tiles = []
        for first in range(0, count, each):
            part = indices[first:first + each]
            tiles.append([load(0, IN, size, [k * size for k in part]),
                          store(0, OUT + first * size, size * len(part))])
        return Kernel(tiles, 1, [array], array[indices])
    return make


def swapped(groups, channels, row):
    """Rows of two indices that change places: loaded as they lie, stored where they belong."""
    def make(element, _):
        size, each = row * element, 1024 // (row * element)
        array = random_array((groups, channels, row), element)
        to = [(c * groups + g) * size for g in range(groups) for c in range(channels)]
        tiles = [[load(0, IN + first * size, 1024), store(0, OUT + to[first], size,
                                                          [t - to[first] for t in to[first:first + each]])]
                 for first in range(0, len(to), each)]
        return Kernel(tiles, 1, [array], array.transpose(1, 0, 2))
    return make


def squares(extent):
    """Of a matrix: tiles for two registers, or four with bytes."""
    return turned((extent, extent), (1, 0), {1: (6, 6), 2: (5, 5), 4: (4, 5)}, sets=3)


# By the name of the row: how, and for which elements, in bytes.
KERNELS = {
    "NCHW>NHWC 64x56x56": (turned((64, 3136), (1, 0), {1: (6, 6), 2: (5, 5), 4: (4, 5)}), (1, 2, 4)),
    "transpose 64x64": (turned((64, 64), (1, 0), {1: (5, 6), 2: (5, 5), 4: (4, 5)}, {1: (6, 5)}),
                        (1, 2, 4)),
    "transpose 96x64": (turned((96, 64), (1, 0), {2: (5, 5)}), (2,)),
    "transpose 160x224": (turned((160, 224), (1, 0), {2: (5, 5)}), (2,)),
    "transpose 256x256": (squares(256), (1, 2, 4)),
    "transpose 512x512": (mixed(512), (1, 2, 4)),
    "transpose 512x512x2": (turned((512, 512, 2), (1, 0, 2), {4: (4, 4, 1)}, {4: (7, 7)}), (4,)),
    "swap twice 16x64x8x8": (turned((16, 64, 8, 8), (1, 0, 3, 2),
                                    {1: (0, 5, 3, 3), 2: (0, 4, 3, 3), 4: (0, 3, 3, 3)}), (1, 2, 4)),
    "1024 of 4x4": (turned((1024, 4, 4), (0, 2, 1), {1: (7, 2, 2), 2: (6, 2, 2), 4: (5, 2, 2)},
                           {1: (10, 10), 2: (10, 10), 4: (10, 10)}), (1, 2, 4)),
    "space-to-depth 2 16x64x64": (turned((16, 32, 2, 32, 2), (2, 4, 0, 1, 3),
                                         {1: (0, 4, 1, 5, 1), 2: (0, 3, 1, 5, 1), 4: (0, 2, 1, 5, 1)},
                                         {1: (7, 6), 2: (7, 6), 4: (7, 6)}), (1, 2, 4)),
    "NCHW>NHWC 8x16x16": (turned((8, 256), (1, 0), {1: (3, 8)}, {1: (8, 6)}), (1,)),
    "channel shuffle 4x8x64": (swapped(4, 8, 64), (1,)),
    "gather 32 of 500x32": (gathered(500, 32, 32), (1,)),
    "im2col k3 16x56x56": (im2col_rows(16, 56, 56), (1, 2)),
    "im2col k3 64x7x7": (im2col_planes(64, 7, 7), (1, 2, 4)),
    "im2col k3 64x14x14": (im2col_planes(64, 14, 14), (1, 2)),
    "im2col k3 32x28x28": (im2col_planes(32, 28, 28), (1,)),
    "im2col k3 768x7x7": (im2col_planes(768, 7, 7), (1,)),
    "pad 1 64x56x56": (pad_by_slots(64, 56, 56), (1, 2, 4)),
}
