# SPDX-License-Identifier: Apache-2.0
"""Tiles by index bits: which PERMUTEs bring runs of the input to runs of the output.

A bit of a tile's index is a pair of steps in bytes, in the input and in the output. Positions 0 to 9
of a place in the registers are the byte of a register, from 10 on the register.
"""
import functools
import itertools

import numpy as np

from program import IN, OUT, load, permute, store


@functools.lru_cache(None)
def permutes():
    """Each PERMUTE once: its size, extents and order, and for every position of 11 where it comes
    from."""
    found = {}
    for element, size in enumerate("bhwd"):
        bits = 11 - element
        for cuts in itertools.combinations_with_replacement(range(bits + 1), 3):
            edges = [0, *cuts, bits]
            widths = [b - a for a, b in zip(edges, edges[1:])]  # from the outermost dimension on
            if not widths[0] or max(widths) > 7:
                continue
            at, groups = 11, []
            for width in widths:
                groups.append(list(range(at - width, at)))
                at -= width
            for order in itertools.permutations(range(4)):
                source = list(range(element))
                for k in reversed(order):
                    source += groups[k]
                found.setdefault(tuple(source), (size, [1 << w for w in widths], order))
    table = list(found.items())
    return np.array([source for source, _ in table]), [how for _, how in table]


def place_free(free, places, last, final, width_in, width_out):
    """Bits without a place yet to the places that are left, or None: steps that are no multiple of the
    slices' must choose registers; the output's highest steps do so too if they can."""
    by_step = sorted(free, key=lambda bit: bit[1])
    result, left = {}, sorted(places, key=lambda p: (final[p] >= last, p))
    must_load = [b for b in free if b[0] % width_in]
    must_store = [b for b in free if b[1] % width_out]
    for bit in must_load + [b for b in must_store if b not in must_load]:
        fit = [p for p in left if (bit not in must_load or p >= last) and
               (bit not in must_store or final[p] >= last)]
        if not fit:
            return None
        result[fit[0]] = bit
        left.remove(fit[0])
        by_step.remove(bit)
    result.update(zip(left, by_step))
    return result


def arrange(bits_in, bits_out, others, sources):
    """The bit of each place when loaded, for PERMUTEs whose joint sources are given; or None."""
    a, b = len(bits_in), len(bits_out)
    placed = dict(enumerate(bits_in))
    for position, bit in enumerate(bits_out):
        at = sources[position]
        if (bit in bits_in or at < a) and placed.get(at) != bit:
            return None
        placed[at] = bit
    final = {source: position for position, source in enumerate(sources)}
    free = [bit for bit in others if bit not in placed.values()]
    places = [p for p in range(len(sources)) if p not in placed]
    more = place_free(free, places, 10, final, 1 << a, 1 << b)
    if more is None:
        return None
    placed.update(more)
    for position, bit in placed.items():
        if (a <= position < 10 and bit[0] % (1 << a)) or \
           (b <= final[position] < 10 and bit[1] % (1 << b)):
            return None
    return placed


def interleaves(stored, b, registers):
    """Whether the ranges that two registers are stored to overlap."""
    inside = sum(bit[1] for bit in stored[b:10]) + (1 << b)
    return any(abs(bit[1]) < inside for bit in stored[10:10 + registers])


@functools.lru_cache(None)
def rounds_of(bits_in, bits_out, others, m):
    """The rounds for 2^m registers, each a register bit and a PERMUTE, with the bits as they are
    loaded and stored; None where there are none. Rounds go over the register bits from the lowest."""
    table, hows = permutes()
    best = None

    def widen(source, register):
        """Of a pair of registers to all of them."""
        return [10 + register if s == 10 else s for s in source[:10]] + [
            (10 + register if source[10] == 10 else source[10]) if r == register else 10 + r
            for r in range(m)]

    def finish(chosen, sources):
        nonlocal best
        loaded = arrange(bits_in, bits_out, others, sources)
        if loaded is None:
            return False
        stored = [loaded[s] for s in sources]
        bad = interleaves(stored, len(bits_out), m)
        if best is None or bad < best[0]:
            best = (bad, chosen, [loaded[p] for p in range(10 + m)], stored)
        return not best[0]

    if m not in (1, 2):
        return None
    if m == 1:
        for source, how in zip(table, hows):
            if finish([(0, how)], widen(list(source), 0)):
                break
        return best and best[1:]
    # The last round first: what it needs decides which first rounds can be right at all.
    index = {bit: k for k, bit in enumerate(bits_in)}
    for last, how in zip(table, hows):
        source = np.array(widen(list(last), 1))
        ok = np.ones(len(table), bool)
        for position, bit in enumerate(bits_out):
            q = source[position]
            at = np.full(len(table), 11) if q == 11 else table[:, min(q, 10)]
            ok &= at == index[bit] if bit in index else at >= len(bits_in)
        for k in np.nonzero(ok)[0]:
            first = widen(list(table[k]), 0)
            if finish([(0, hows[k]), (1, how)], [first[s] for s in source]):
                return best[1:]
    return best and best[1:]


def steps(bits):
    """The sums of all subsets, the first bit counting fastest."""
    sums = [0]
    for bit in bits:
        sums += [s + bit for s in sums]
    return sums


def tile_of(chosen, a, b, origin):
    """The instructions of a tile at an origin in input and output."""
    rounds, loaded, stored = chosen
    m, insns = len(loaded) - 10, []
    slices = steps([bit[0] for bit in loaded[a:10]])
    for register, step in enumerate(steps([bit[0] for bit in loaded[10:]])):
        insns.append(load(register, IN + origin[0] + step, 1 << a, slices))
    for bit, (size, dims, order) in rounds:
        for register in range(1 << m):
            if not register >> bit & 1:
                insns.append(permute(register, register | 1 << bit, size, dims, order))
    slices = steps([bit[1] for bit in stored[b:10]])
    order = sorted(enumerate(steps([bit[1] for bit in stored[10:]])), key=lambda pair: pair[1])
    for register, step in order:
        insns.append(store(register, OUT + origin[1] + step, 1 << b, slices))
    return insns


def split(extent, size):
    """Where tiles of a size begin; the last one overlaps."""
    return [min(at, extent - size) for at in range(0, extent, size)]


class Turn:
    """Dimensions (extent, step in, step out) of which a tile takes 2^bits positions each."""

    def __init__(self, element, dims):
        self.element, self.dims = element, dims

    def bits_of(self, tile):
        found = [(1 << k, 1 << k) for k in range(self.element.bit_length() - 1)]
        for (_, i, o), n in zip(self.dims, tile):
            found += [(i << k, o << k) for k in range(n)]
        return found

    def tiles(self, tile, a, b):
        """The tiles with 2^tile[d] positions of dimension d each, with slices of 2^a and 2^b bytes, in
        the order of the output; None where no rounds are found."""
        bits = self.bits_of(tile)
        runs = [[], []]
        for side, count in ((0, a), (1, b)):
            for k in range(count):
                runs[side] += [bit for bit in bits if bit[side] == 1 << k]
        if len(runs[0]) < a or len(runs[1]) < b:
            return None
        chosen = rounds_of(tuple(runs[0]), tuple(runs[1]), tuple(bits), len(bits) - 10)
        if chosen is None:
            return None
        dims = sorted(zip(self.dims, tile), key=lambda pair: -pair[0][2])
        grids = [split(n, 1 << t) for (n, _, _), t in dims]
        return [tile_of(chosen, a, b, [sum(k * dim[side] for k, (dim, _) in zip(at, dims))
                                       for side in (1, 2)])
                for at in itertools.product(*grids)]
