# SPDX-License-Identifier: Apache-2.0
"""Larger cases than the random ones, for the planner's ways that small ones have no use for."""
import numpy as np

from operators import column_shape, columns_of
from tensors import DTYPES, Tensor, noise, rng, write_case


def way_backwards():
    """Runs that go backwards, alone and inside rows."""
    rows, n = rng.choice([(1, rng.randrange(1000, 40000)),
                          (rng.randrange(2, 60), rng.randrange(40, 700))])
    a = Tensor([rows, n], rng.choice([8, 16, 32]), True)
    axes = rng.choice([[1], [0, 1]])
    return "flip", {"axes": axes}, [a], np.flip(a.array, axes)


def way_blocks():
    """Transposes of rows of any length, many of them: chunks through several rows."""
    rows, n = 64 * rng.randrange(2, 13), rng.randrange(17, 130)
    batch = rng.choice([1, 1, 2, 3])
    a = Tensor([batch, rows, n] if rng.random() < 0.5 else [batch, n, rows],
               rng.choice([8, 8, 16, 32]), True)
    return "transpose", {"perm": [0, 2, 1]}, [a], a.array.transpose(0, 2, 1)


def way_across():
    """Transposes whose runs go on through several short dimensions."""
    extents = [rng.choice([2, 3, 5, 6, 7, 8, 9, 11, 12, 13, 14, 16, 19]) for _ in range(3)]
    extents.insert(rng.randrange(4), rng.randrange(8, 70))
    a = Tensor(extents, rng.choice([8, 16, 32, 32, 64]), True)
    perm = rng.sample(range(4), 4)
    return "transpose", {"perm": perm}, [a], a.array.transpose(perm)


def way_doubled():
    """Every element twice, in rows that continue each other."""
    a = Tensor([rng.randrange(1, 5), rng.randrange(20, 150), rng.randrange(1, 70)],
               rng.choice([8, 16, 32, 64]), True)
    scales = [1, rng.randrange(1, 4), 2]
    return "resize", {"scales": scales}, [a], a.array.repeat(scales[1], 1).repeat(2, 2)


def way_woven():
    """Three planes to interleaved elements and back."""
    n = rng.randrange(32, 3000)
    a = Tensor(rng.choice([[2, n, 3], [2, 3, n]]), rng.choice([8, 16, 32, 64]), True)
    return "transpose", {"perm": [0, 2, 1]}, [a], a.array.transpose(0, 2, 1)


def way_beside():
    """Narrow parts of equal width in a row, then a wider one."""
    rows, width, bits = rng.randrange(200, 3000), rng.randrange(1, 9), rng.choice([8, 16, 32])
    parts = [Tensor([rows, width], bits, True) for _ in range(rng.randrange(2, 5))]
    parts.append(Tensor([rows, rng.randrange(1, 60)], bits, True))
    return "concat", {"axis": 1}, parts, np.concatenate([t.array for t in parts], 1)


def way_taps():
    """Images that keep their size, or halve it, under a convolution."""
    c, h, w = rng.choice([1, 2, 3, 8, 40]), rng.randrange(9, 40), rng.randrange(9, 40)
    k, d = [rng.choice([1, 3, 5, 7]) for _ in range(2)], [rng.randrange(1, 3) for _ in range(2)]
    s = rng.choice([[1, 1], [1, 1], [2, 2], [1, 2], [2, 1], [3, 2]])
    p = [(k[i] - 1) * d[i] // 2 for i in range(2)] * 2
    layout = rng.randrange(2)
    attributes = {"layout": layout, "groups": rng.choice([1, 1, 1, c]), "kernel": k, "strides": s,
                  "dilations": d, "pads": p, "value": 0}
    a = Tensor([1, h, w, c] if layout else [1, c, h, w], rng.choice([8, 16, 32]), True)
    nchw = a.array.transpose(0, 3, 1, 2) if layout else a.array
    out = [(m + 2 * p[i] - (k[i] - 1) * d[i] - 1) // s[i] + 1 for i, m in ((0, h), (1, w))]
    if c * k[0] * k[1] * out[0] * out[1] > 200000:
        return way_taps()
    return ("im2col", attributes, [a],
            column_shape(columns_of(nchw, attributes, nchw.shape, out), attributes))


def way_stepped():
    """Every other element of rows, or of one long row."""
    a = Tensor(rng.choice([[rng.randrange(2, 60), rng.randrange(20, 500)],
                           [1, rng.randrange(500, 20000)]]), rng.choice([8, 16, 32]), True)
    start = rng.randrange(2)
    return ("slice", {"starts": [0, start], "ends": list(a.array.shape), "steps": [1, 2]}, [a],
            a.array[:, start::2])


def way_picked():
    """Every k-th element, or one of k channels, of rows or of one long row."""
    k = rng.randrange(2, 10)
    a = Tensor(rng.choice([[rng.randrange(2, 40), rng.randrange(20, 900)],
                           [1, rng.randrange(200, 30000)]]), rng.choice([8, 16, 32, 64]), True)
    start = rng.randrange(k)
    return ("slice", {"starts": [0, start], "ends": list(a.array.shape), "steps": [1, k]}, [a],
            a.array[:, start::k])


def way_stepped_rows():
    """Every k-th element of every j-th row."""
    k, j = rng.randrange(2, 9), rng.randrange(2, 5)
    a = Tensor([rng.randrange(1, 4), rng.randrange(60, 400), rng.randrange(20, 90)],
               rng.choice([8, 8, 16, 32]), True)
    starts = [0, rng.randrange(j), rng.randrange(k)]
    return ("slice", {"starts": starts, "ends": list(a.array.shape), "steps": [1, j, k]}, [a],
            a.array[:, starts[1]::j, starts[2]::k])


def way_channels():
    """Few channels, innermost on one side: reversed, gathered, chosen, padded or transposed."""
    n, c, bits = rng.randrange(600, 9000), rng.randrange(2, 14), rng.choice([8, 8, 16, 32])
    a = Tensor([n, c], bits, True)
    what = rng.randrange(6)
    if what == 0:
        axes = rng.choice([[1], [0, 1], [0]])
        return "flip", {"axes": axes}, [a], np.flip(a.array, axes)
    if what == 1:
        indices = [rng.randrange(c) for _ in range(rng.randrange(1, 9))]
        return "gather", {"axis": 1, "indices": indices}, [a], a.array[:, indices]
    if what == 2:
        low = rng.randrange(c)
        high = rng.randrange(low, c) + 1
        return ("slice", {"starts": [low], "ends": [high], "axes": [1]}, [a],
                a.array[:, low:high])
    if what == 3:
        pads = [0, rng.randrange(3), 0, rng.randrange(3)]
        return ("pad", {"pads": pads, "mode": 0, "value": 0}, [a],
                np.pad(a.array, [(0, 0), (pads[1], pads[3])]))
    if what == 4:
        b = Tensor([n, rng.randrange(1, 5)], bits, True)
        return "concat", {"axis": 1}, [a, b], np.concatenate([a.array, b.array], 1)
    h, w = rng.randrange(2, 6), n // 5
    a = Tensor(rng.choice([[w, h, c], [h, w, c], [c, h, w]]), bits, True)
    perm = rng.sample(range(3), 3)
    return "transpose", {"perm": perm}, [a], a.array.transpose(perm)


def way_many_channels():
    """Many channels in another order; rows before and after those with a long dimension."""
    n, c, bits = rng.randrange(1100, 3000), rng.randrange(3, 70), rng.choice([8, 8, 16, 32])
    a = Tensor([n, c], bits, True)
    if rng.random() < 0.5:
        indices = [rng.randrange(c) for _ in range(rng.randrange(17, 90))]
        return "gather", {"axis": 1, "indices": indices}, [a], a.array[:, indices]
    if rng.random() < 0.5:
        shift = [rng.randrange(1, 20), rng.randrange(1, c)]
        return ("roll", {"shift": shift, "axes": [0, 1]}, [a],
                np.roll(a.array, shift, (0, 1)))
    pads, mode = [rng.randrange(3) for _ in range(4)], rng.randrange(1, 4)
    return ("pad", {"pads": pads, "mode": mode}, [a],
            np.pad(a.array, [(pads[0], pads[2]), (pads[1], pads[3])],
                   mode=["edge", "reflect", "wrap"][mode - 1]))


def way_framed():
    """Borders of several widths around many rows."""
    shape3 = [rng.randrange(1, 30), rng.randrange(3, 40), rng.randrange(3, 40)]
    pads = [0 if d % 3 == 0 else rng.randrange(0, 4) for d in range(6)]
    a = Tensor(shape3, rng.choice([8, 16, 32, 64]), True)
    value = rng.choice([0, 0x1111111111111111, rng.getrandbits(a.bits)]) & ((1 << a.bits) - 1)
    result = np.pad(a.array, list(zip(pads[:3], pads[3:])),
                    constant_values=np.array(value, DTYPES[a.bits]))
    return "pad", {"pads": pads, "value": value}, [a], result


def way_halves():
    """Half-bytes, which are unpacked, moved as bytes and packed again."""
    rows, n = [2 * rng.randrange(16, 100) for _ in range(2)]
    a = Tensor([rows, n], 4, True)
    return "transpose", {"perm": [1, 0], "scratch": 2 ** 62}, [a], a.array.transpose(1, 0)


def way_squares():
    """Half-bytes in squares that fill a pair of registers."""
    a = Tensor([64 * rng.randrange(1, 4), 64 * rng.randrange(1, 4)], 4, True)
    return "transpose", {"perm": [1, 0]}, [a], a.array.transpose(1, 0)


def way_turned():
    """Half-bytes in squares, added to while they are in a register."""
    a = Tensor([64 * rng.randrange(1, 4), 64 * rng.randrange(1, 4)], 4, True)
    a.array, a.strides = a.array.T, a.strides[::-1]
    addend = rng.randrange(-9, 10)
    result = np.clip((a.array ^ 8).astype(int) - 8 + addend, -8, 7) & 15
    return "add", {"addend": addend, "type": 1}, [a], result.astype(np.uint8)


def way_rows():
    """Rows of which one element of the condition selects each."""
    rows, n, bits = rng.randrange(2, 60), rng.randrange(2, 200), rng.choice([4, 8, 16, 32])
    condition = Tensor([rows, 1], 8, True)
    condition.array[...] = noise.randint(0, 2, [rows, 1])
    pitch = n + rng.choice([0, n, 64])
    x, y, out = rows_apart(rows, n, pitch, bits), Tensor([rows, n], bits, True), None
    if pitch > n:
        out = rows_apart(rows, n, pitch, bits)
    return "where", {}, [condition, x, y], np.where(condition.array, x.array, y.array), out


def rows_apart(rows, n, pitch, bits):
    """Rows with other bytes between them."""
    tensor = Tensor([rows, pitch], bits, True)
    tensor.array = tensor.array[:, :n]
    return tensor


def way_sparse():
    """Every other element of a buffer that ends with the last of them, often."""
    n, bits = rng.randrange(20, 60), rng.choice([8, 16])
    pair = Tensor([2 * n - 1], bits, True)
    pair.array = pair.array[::2]
    pair.strides = [2 * pair.unit]
    repeats = rng.randrange(20, 90)
    a = np.broadcast_to(pair.array, [repeats, n])
    return "expand", {"shape": [repeats, n]}, [pair], a


def way_shifted():
    """Runs from the high half of a byte to a low one."""
    a = Tensor([rng.randrange(2, 9), 2 * rng.randrange(300, 900)], 4, True)
    return ("slice", {"axes": [1], "starts": [1], "ends": [10 ** 9], "scratch": 0}, [a],
            a.array[:, 1:])


def way_resized():
    """Factors whose positions repeat late or never, along two axes: one after the other."""
    a = Tensor([rng.randrange(1, 4), rng.randrange(9, 60), rng.randrange(9, 60)],
               rng.choice([8, 16, 32]), True)
    sizes = [a.array.shape[0]] + [rng.randrange(9, 140) for _ in range(2)]
    result = a.array
    for d in (1, 2):
        n = result.shape[d]
        scale = sizes[d] / n
        result = np.take(result, [min(int(x / scale), n - 1) for x in range(sizes[d])], d)
    return "resize", {"sizes": sizes, "coordinate": 4, "nearest": 2}, [a], result


def way_repeated():
    """Every element several times along two axes, alone or in short runs."""
    a = Tensor([rng.randrange(1, 20), rng.randrange(9, 40), rng.randrange(9, 40), rng.choice([1, 3])],
               rng.choice([8, 16, 32]), True)
    scales = [1, rng.randrange(1, 6), rng.randrange(2, 6), 1]
    return ("resize", {"scales": scales}, [a],
            a.array.repeat(scales[1], 1).repeat(scales[2], 2))


def way_triangle():
    """Matrices of many blocks, with a diagonal anywhere."""
    rows, columns = rng.randrange(30, 300), rng.randrange(30, 300)
    a = Tensor([rng.choice([1, 1, 3]), rows, columns], rng.choice([8, 16, 32]), True)
    k = rng.randrange(-rows, columns)
    lower = rng.randrange(2)
    return ("trilu", {"lower": lower, "k": k}, [a],
            np.tril(a.array, k) if lower else np.triu(a.array, k))


def placed(extents, strides, bits, offset=0):
    """Elements at any bytes."""
    size = offset + bits // 8 + sum((n - 1) * s for n, s in zip(extents, strides) if s > 0)
    tensor = Tensor([size], 8, True)
    tensor.bits, tensor.unit, tensor.strides = bits, bits // 8, list(strides)
    tensor.offset = offset
    tensor.array = np.ndarray(extents, DTYPES[bits], tensor.buffer, offset, strides)
    return tensor


def way_askew():
    """Rows at steps that are no multiples of the element, in blocks of a dimension whose are."""
    rows, row = rng.choice([(7, 70), (7, 70), (5, 66), (9, 74)])
    a = placed([rows, 7, 6, 2, 5], [7 * 480, 480, row, 20, 4], 32)
    out = placed([6, 5, 7, 2, rows], [7 * 74, -4, 74, 20, 42 * 74], 32, 16)
    return "transpose", {"perm": [2, 4, 1, 3, 0]}, [a], a.array.transpose(2, 4, 1, 3, 0), out


def way_gathered():
    """Many rows of any length by run-time indices: rows that are cut, and sorted by residues."""
    bits, rows = rng.choice([8, 8, 16, 32]), rng.randrange(1, 5)
    width = rng.choice([rng.randrange(60, 1400), rng.randrange(500, 700)]) * 8 // bits
    n = rng.randrange(100, 400)
    a = Tensor([rng.choice([1, 1, 2]), rows, width], bits, rng.random() < 0.7)
    index = noise.randint(-rows, rows, n)
    if rng.random() < 0.3:
        index[...] = index[0]
    t = Tensor([n], rng.choice([32, 64]), rng.random() < 0.7)
    t.array[...] = index.astype(np.int32 if t.bits == 32 else np.int64).view(t.array.dtype)
    result = np.take(a.array, index, 1)
    out = Tensor(result.shape, bits, rng.random() < 0.7)
    return "gather", {"has_axis": 1, "axis": 1}, [a, t], result, out


def way_scattered():
    """Rows above a register at repeated places, the last one of which stays."""
    bits, rows, n = rng.choice([8, 8, 16, 32]), rng.randrange(1, 6), rng.randrange(1, 60)
    width = rng.randrange(1000, 2200) * 8 // bits
    a, updates = (Tensor([count, width], bits, rng.random() < 0.7) for count in (rows, n))
    index = noise.randint(-rows, rows, (n, 1))
    t = Tensor([n, 1], 64, True)
    t.array[...] = index.view(t.array.dtype)
    result = a.array.copy()
    for place, update in zip(index[:, 0], updates.array):
        result[place] = update
    out = Tensor(result.shape, bits, rng.random() < 0.7)
    return "scatter-nd", {}, [a, t, updates], result, out


def way_mirrored():
    """Rows of pixels backwards, all of them or every so many."""
    pixel, step = rng.randrange(1, 5), rng.randrange(1, 5)
    a = Tensor([rng.randrange(1, 90), rng.randrange(20, 300), pixel], rng.choice([8, 8, 16, 32]), True)
    attributes = {"starts": [-1], "ends": [-1000], "axes": [1], "steps": [-step]}
    return "slice", attributes, [a], a.array[:, ::-step]


def way_skipped():
    """Every other pixel of rows of any length, or every third."""
    pixel, step = rng.randrange(2, 6), rng.randrange(2, 4)
    a = Tensor([rng.randrange(40, 200), rng.randrange(40, 200), pixel], rng.choice([8, 16]), True)
    attributes = {"starts": [0], "ends": [1000], "axes": [1], "steps": [step]}
    return "slice", attributes, [a], a.array[:, ::step]


def way_rounded():
    """A thousand rows or fewer of some columns, and back."""
    rows, columns = rng.randrange(500, 1030), rng.randrange(3, 25)
    a = Tensor(rng.choice([[rows, columns], [columns, rows]]), rng.choice([8, 8, 8, 16]), True)
    return "transpose", {"perm": [1, 0]}, [a], a.array.T


def way_rounded_together():
    """Tables of a thousand rows or fewer, side by side, or their columns in another order."""
    rows, bits = rng.randrange(500, 1030), rng.choice([8, 8, 16])
    if rng.random() < 0.5:
        parts = [Tensor([rows, rng.randrange(1, 9)], bits, True) for _ in range(rng.randrange(2, 6))]
        return "concat", {"axis": 1}, parts, np.concatenate([t.array for t in parts], 1)
    a = Tensor([rows, rng.randrange(2, 12), rng.randrange(1, 4)], bits, True)
    indices = rng.sample(range(a.array.shape[1]), rng.randrange(2, a.array.shape[1] + 1))
    return "gather", {"axis": 1, "indices": indices}, [a], a.array.take(indices, 1)


def way_periodic():
    """Short runs again and again."""
    a = Tensor([rng.randrange(1, 4), rng.randrange(1, 9)], rng.choice([8, 16, 32]), True)
    repeats = [1, rng.randrange(100, 6000)]
    return "tile", {"repeats": repeats}, [a], np.tile(a.array, repeats)


def way_patches():
    """Patches that do not overlap, and strides that do not divide the image."""
    kernel = [rng.randrange(1, 9) for _ in range(2)]
    strides = kernel if rng.random() < 0.5 else [rng.randrange(1, 5) for _ in range(2)]
    a = Tensor([1, rng.randrange(1, 5), rng.randrange(20, 90), rng.randrange(20, 90)],
               rng.choice([8, 8, 16, 32]), True)
    attributes = {"layout": 0, "groups": 1, "kernel": kernel, "strides": strides,
                  "dilations": [1, 1], "pads": rng.choice([[0] * 4, [1, 0, 2, 1]])}
    pads = attributes["pads"]
    out = [(a.array.shape[i + 2] + pads[i] + pads[i + 2] - kernel[i]) // strides[i] + 1
           for i in range(2)]
    columns = columns_of(a.array, attributes, a.array.shape, out)
    return "im2col", attributes, [a], column_shape(columns, attributes)


WAYS = [way_mirrored, way_skipped, way_rounded, way_rounded_together, way_periodic, way_patches,
        way_askew, way_shifted, way_resized, way_repeated, way_triangle, way_backwards, way_blocks, way_across, way_doubled,
        way_woven, way_beside, way_taps, way_framed, way_stepped, way_halves, way_squares, way_turned,
        way_rows, way_sparse, way_picked, way_stepped_rows, way_channels, way_many_channels,
        way_gathered, way_scattered]


def write_way(pipe, way):
    kind, attributes, inputs, result, *given = way()
    bits = inputs[-1].bits
    output = given[0] if given else None
    output = output or Tensor(result.shape, bits, bits == 4 or rng.random() < 0.8)
    write_case(pipe, kind, attributes, inputs, [output], [result])
