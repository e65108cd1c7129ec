# SPDX-License-Identifier: Apache-2.0
"""A random case of every operator, with what numpy makes of it: attributes, inputs, results."""
import itertools

import numpy as np

from tensors import (DTYPES, MODES, Tensor, element, elements, extent, noise, rng, shape, shape4,
                     signed)


def op_transpose():
    a = Tensor(shape(), element())
    perm = list(range(a.array.ndim))
    rng.shuffle(perm)
    return {"perm": perm}, [a], [a.array.transpose(perm)]


def refactor(total):
    result = []
    while total > 1 and len(result) < 6:
        divisors = [d for d in range(2, min(total, 64) + 1) if total % d == 0]
        if not divisors:
            break
        d = rng.choice(divisors)
        result.append(d)
        total //= d
    result.append(total)
    rng.shuffle(result)
    return result


def op_reshape():
    a = Tensor(shape(), element())
    if a.array.size == 0:
        return {"shape": list(a.array.shape)}, [a], [a.array]
    new = refactor(a.array.size)
    asked = list(new)
    if rng.random() < 0.3:
        asked[rng.randrange(len(asked))] = -1
    return {"shape": asked}, [a], [a.array.reshape(new)]


def op_flatten():
    a = Tensor(shape(), element())
    axis = rng.randrange(a.array.ndim + 1)
    rows = int(np.prod(a.array.shape[:axis]))
    columns = int(np.prod(a.array.shape[axis:]))
    return {"has_axis": 1, "axis": axis}, [a], [a.array.reshape(rows, columns)]


def op_squeeze():
    a = Tensor(shape(), element())
    axes = [d for d, n in enumerate(a.array.shape) if n == 1 and rng.random() < 0.7]
    if not axes:
        return {}, [a], [a.array.squeeze()]
    return {"axes": [signed(d, a.array.ndim) for d in axes]}, [a], [a.array.squeeze(tuple(axes))]


def op_unsqueeze():
    a = Tensor(shape(rng.randrange(0, 5)), element())
    if a.array.ndim > 6:
        return op_unsqueeze()
    axes = rng.sample(range(a.array.ndim + 2), 2)
    return {"axes": axes}, [a], [np.expand_dims(a.array, tuple(axes))]


def op_concat():
    first = shape(rng.randrange(1, 5), 6000)
    bits = element()
    axis = rng.randrange(len(first))
    inputs = []
    for _ in range(rng.randrange(1, 5)):
        one = list(first)
        one[axis] = extent() if rng.random() < 0.5 else first[axis]
        inputs.append(Tensor(one, bits))
    return ({"axis": signed(axis, len(first))}, inputs,
            [np.concatenate([t.array for t in inputs], axis)])


def equal_split(a, axis, n):
    """ONNX's num_outputs: all parts but the last have the same size."""
    count = rng.randrange(1, 7)
    each = -(-n // count)
    if each * (count - 1) > n:
        return equal_split(a, axis, n)
    cuts = [each * k for k in range(1, count)]
    return {"axis": axis, "num_outputs": count}, [a], np.split(a.array, cuts, axis)


def op_split():
    a = Tensor(shape(rng.randrange(1, 5)), element())
    axis = rng.randrange(a.array.ndim)
    n = a.array.shape[axis]
    if rng.random() < 0.3:
        return equal_split(a, axis, n)
    cuts = sorted(rng.randrange(n + 1) for _ in range(rng.randrange(0, 4)))
    parts = np.diff([0] + cuts + [n])
    return {"axis": axis, "split": list(parts)}, [a], np.split(a.array, cuts, axis)


def op_slice():
    a = Tensor(shape(rng.randrange(1, 5)), element())
    axes = rng.sample(range(a.array.ndim), rng.randrange(1, a.array.ndim + 1))
    starts, ends, steps, index = [], [], [], [slice(None)] * a.array.ndim
    for d in axes:
        n = a.array.shape[d]
        step = rng.choice([1, 1, 1, 2, 3, -1, -1, -2, 5])
        start, end = rng.randrange(-n - 2, n + 3), rng.randrange(-n - 2, n + 3)
        if rng.random() < 0.5:
            start, end = (0, 10 ** 9) if step > 0 else (10 ** 9, -10 ** 9)
        starts.append(start)
        ends.append(end)
        steps.append(step)
        index[d] = slice(start, end, step)
    return ({"axes": axes, "starts": starts, "ends": ends, "steps": steps}, [a],
            [a.array[tuple(index)]])


def padded(a, pads, mode):
    """What a mode that repeats itself makes of an axis wider than it, by what NumPy says of the mode;
    its own wrap and reflect did that right only from 1.25 and 2.0 on."""
    for d, (n, (before, after)) in enumerate(zip(a.shape, pads)):
        at = np.arange(-before, n + after)
        period = {"wrap": n, "symmetric": 2 * n, "reflect": max(2 * n - 2, 1)}[mode]
        at %= max(period, 1)
        back = (2 * n - 1 if mode == "symmetric" else 2 * n - 2) - at
        a = a.take(np.where(at < n, at, back), d)
    return a


def op_pad():
    mode = rng.choice(["constant", "constant", "edge", "reflect", "wrap", "symmetric"])
    a = Tensor(shape(rng.randrange(1, 5), 6000), element())
    pads, room = [], 200000 // max(a.array.size, 1)
    for n in a.array.shape:
        most = 4 if n or mode == "constant" else 0
        if most and room > 40 and rng.random() < 0.2:
            most, room = rng.choice([9, 3 * n + 1]), 0
        pads.append((rng.randrange(most + 1), rng.randrange(most + 1)))
    value = rng.choice([0, 0, rng.getrandbits(a.bits)])
    extra = {"constant_values": elements(a.bits, value)} if mode == "constant" else {}
    crop = mode == "constant" and rng.random() < 0.15 and all(n > 3 for n in a.array.shape)
    result = (np.pad(a.array, pads, mode, **extra) if mode in ("constant", "edge") else
              padded(a.array, pads, mode))
    begins, ends = [p[0] for p in pads], [p[1] for p in pads]
    if crop:
        d = rng.randrange(a.array.ndim)
        result = np.take(result, range(begins[d] + 1, result.shape[d]), d)
        begins[d] = -1
    return {"pads": begins + ends, "mode": MODES[mode], "value": value}, [a], [result]


def grouped(names):
    """The words of a side of a pattern, some of them in brackets, and which are in which."""
    words, groups = [], []
    while names:
        count = rng.choice([1, 1, 1, 2, 3]) if len(groups) < 7 else len(names)
        group, names = names[:count], names[count:]
        words.append(group[0] if len(group) == 1 else f"({' '.join(group)})")
        groups.append(group)
    if len(groups) < 8 and rng.random() < 0.1:
        words.append(rng.choice(["1", "()"]))
        groups.append([])
    return " ".join(words), groups


def op_rearrange(new=()):
    extents = shape(rng.randrange(0, 6), 3000 if new else 6000)
    names = [f"a{i}" if i % 2 else chr(98 + i) for i in range(len(extents))]
    length = dict(zip(names, extents))
    left, groups = grouped(names)
    a = Tensor([int(np.prod([length[n] for n in group], dtype=int)) for group in groups], element())
    order = names + list(new)
    rng.shuffle(order)
    right, parts = grouped(order)
    b = a.array.reshape(extents).transpose([names.index(n) for n in order if n in names])
    length.update(new)
    b = np.broadcast_to(np.expand_dims(b, [i for i, n in enumerate(order) if n in new]),
                        [length[n] for n in order])
    b = b.reshape([int(np.prod([length[n] for n in part], dtype=int)) for part in parts])
    known = list(new) + [n for group in groups for n in group[1:] or group if rng.random() < 0.3 or
                         len(group) > 1]
    if 0 in extents:
        known = list(length)
    lengths = ",".join(f"{n}={length[n]}" for n in known)
    return {"pattern": f"{left} -> {right}", "lengths": lengths}, [a], [b]


def op_repeat():
    return op_rearrange({f"new{i}": rng.randrange(0, 5) for i in range(rng.randrange(1, 3))})


def op_gather():
    a = Tensor(shape(rng.randrange(1, 5)), element())
    axis = rng.randrange(a.array.ndim)
    n = a.array.shape[axis]
    indices = [rng.randrange(-n, n) for _ in range(rng.randrange(0, 20))] if n else []
    if n > 8 and rng.random() < 0.3:
        indices = list(range(1, n, 2)) + list(range(n - 1, 0, -3))
    indices = np.array(indices, dtype=np.int64)
    attributes = {"axis": axis, "indices": indices}
    rank = rng.randrange(0, 4)
    if n and rng.random() < 0.5 and a.array.ndim - 1 + rank <= 8:
        indices = noise.randint(-n, n, [rng.randrange(0, 6) for _ in range(rank)])
        attributes.update(indices=indices.ravel(), has_indices_shape=1, indices_shape=indices.shape)
    return attributes, [a], [np.take(a.array, indices, axis)]


def op_compress():
    a = Tensor(shape(rng.randrange(1, 5), 3000), element())
    if rng.random() < 0.4:
        condition = [rng.random() < 0.7 for _ in range(rng.randrange(a.array.size + 1))]
        return {"condition": condition}, [a], [np.compress(condition, a.array)]
    axis = rng.randrange(a.array.ndim)
    condition = [rng.random() < 0.5 for _ in range(rng.randrange(a.array.shape[axis] + 1))]
    return ({"has_axis": 1, "axis": axis, "condition": condition}, [a],
            [np.compress(condition, a.array, axis)])


def op_tile():
    a = Tensor(shape(rng.randrange(0, 5), 2000), element())
    repeats = [rng.choice([1, 1, 2, 3, 0, 4]) for _ in a.array.shape]
    return {"repeats": repeats}, [a], [np.tile(a.array, repeats)]


def op_expand():
    full = shape(rng.randrange(0, 5), 8000)
    own = [1 if rng.random() < 0.4 else n for n in full]
    own = own[rng.randrange(len(own) + 1):] if rng.random() < 0.5 else own
    a = Tensor(own, element())
    asked = [1 if n == m and rng.random() < 0.3 else m
             for n, m in zip([0] * (len(full) - len(own)) + own, full)]
    return {"shape": asked}, [a], [np.broadcast_to(a.array, np.broadcast_shapes(own, asked))]


def op_roll():
    a = Tensor(shape(rng.randrange(1, 5)), element())
    if rng.random() < 0.3:
        by = rng.choice([rng.randrange(-70, 70), rng.randrange(-9000, 9000)])
        return {"shift": [by]}, [a], [np.roll(a.array, by)]
    axes = rng.sample(range(a.array.ndim), rng.randrange(1, a.array.ndim + 1))[:3]
    shift = [rng.randrange(-70, 70) for _ in axes]
    return {"axes": axes, "shift": shift}, [a], [np.roll(a.array, shift, axes)]


def op_flip():
    a = Tensor(shape(rng.randrange(1, 5)), element())
    axes = rng.sample(range(a.array.ndim), rng.randrange(1, a.array.ndim + 1))
    return {"axes": axes}, [a], [np.flip(a.array, axes)]


def blocks(to_space):
    n, c, h, w = shape4()
    r = rng.choice([1, 2, 2, 3, 4])
    mode = rng.choice(["DCR", "CRD"])
    n, c, h, w = min(n, 3), min(c, 8), min(h, 40), min(w, 70)
    if to_space:
        a = Tensor([n, c * r * r, h, w], element())
        if mode == "DCR":
            b = a.array.reshape(n, r, r, c, h, w).transpose(0, 3, 4, 1, 5, 2)
        else:
            b = a.array.reshape(n, c, r, r, h, w).transpose(0, 1, 4, 2, 5, 3)
        result = b.reshape(n, c, h * r, w * r)
    else:
        a = Tensor([n, c, h * r, w * r], element())
        b = a.array.reshape(n, c, h, r, w, r)
        b = b.transpose((0, 3, 5, 1, 2, 4) if mode == "DCR" else (0, 1, 3, 5, 2, 4))
        result = b.reshape(n, c * r * r, h, w)
    return {"blocksize": r, "mode": MODES[mode]}, [a], [result]


def op_depth_to_space():
    return blocks(True)


def op_space_to_depth():
    return blocks(False)


# A format by itself: the extents that its last axes are padded to multiples of, how these are then
# divided, and the order of what they become. A number in brackets is bytes.
FORMATS = {
    "NC1HWC0": ((1, [32], 1, 1), ((), ([32],), (), ()), (0, 1, 3, 4, 2)),
    "nChw8c": ((1, 8, 1, 1), ((), (8,), (), ()), (0, 1, 3, 4, 2)),
    "nChw16c": ((1, 16, 1, 1), ((), (16,), (), ()), (0, 1, 3, 4, 2)),
    "OIHW16i16o": ((16, 16, 1, 1), ((16,), (16,), (), ()), (0, 2, 4, 5, 3, 1)),
    "tiles32x32": ((32, 32), ((2, 16), (2, 16)), (0, 3, 1, 4, 2, 5)),
    "VNNI2": ((2, 1), ((2,), ()), (0, 2, 1)),
    "VNNI4": ((4, 1), ((4,), ()), (0, 2, 1)),
    "MNM8N8": ((8, 8), ((8,), (8,)), (0, 2, 1, 3)),
    "B18x4": ((4, [18]), ((4,), ([18],)), (0, 2, 1, 3)),
    "B18x8": ((8, [18]), ((8,), ([18],)), (0, 2, 1, 3)),
    "B34x4": ((4, [34]), ((4,), ([34],)), (0, 2, 1, 3)),
    "B34x8": ((8, [34]), ((8,), ([34],)), (0, 2, 1, 3)),
    "B144x4": ((4, [144]), ((4,), ([144],)), (0, 2, 1, 3)),
    "B144x8": ((8, [144]), ((8,), ([144],)), (0, 2, 1, 3)),
}


def packed(array, bits, word, value):
    """An array in a format, and plain with the padding; None where elements are no part of its
    blocks."""
    def count(n):
        return n if isinstance(n, int) else n[0] * 8 // bits
    multiples, inside, order = FORMATS[word]
    if any(not isinstance(n, int) and n[0] * 8 % bits for n in multiples):
        return None, None
    leading = array.ndim - len(multiples)
    sizes = [count(n) for n in multiples]
    pads = [(0, 0)] * leading + [(0, -n % size) for n, size in zip(array.shape[leading:], sizes)]
    array = np.pad(array, pads, constant_values=elements(bits, value))
    divided = list(array.shape[:leading])
    for n, size, parts in zip(array.shape[leading:], sizes, inside):
        divided += [n // size, *map(count, parts)]
    return array.reshape(divided).transpose(
        [*range(leading), *(leading + d for d in order)]), array


def formatted():
    """A tensor, its format's number, what it is padded by, what it becomes, and it with padding."""
    while True:
        word = rng.choice(list(FORMATS))
        axes = len(FORMATS[word][0])
        rank = axes + rng.randrange(3)
        a = Tensor([rng.choice([0, 1, 2]) if d < rank - axes and rng.random() < 0.3 else
                    rng.choice([1, 2, 3, 4, 5, 8, 15, 16, 17, 20, 31, 32, 33, 50]) if d >= rank - 2 or
                    d == rank - axes + 1 else rng.randrange(1, 4) for d in range(rank)], element())
        value = rng.choice([0, 0, rng.getrandbits(a.bits)])
        result, padded = packed(a.array, a.bits, word, value)
        if result is not None and result.size < 20000 and result.ndim <= 8:
            return a, list(FORMATS).index(word) + 1, value, result, padded


def op_pack():
    a, number, value, result, _ = formatted()
    return {"format": number, "value": value}, [a], [result]


def op_unpack():
    a, number, _, result, padded = formatted()
    given = Tensor(result.shape, a.bits)
    given.array[...] = result
    if rng.random() < 0.3:
        return {"format": number}, [given], [padded]
    return {"format": number, "shape": list(a.array.shape)}, [given], [a.array.copy()]


def op_where():
    full = shape(rng.randrange(0, 5), 6000)
    bits = element()
    tensors = []
    for k in range(3):
        own = [1 if rng.random() < 0.2 else n for n in full]
        own = own[rng.randrange(len(own) + 1):] if rng.random() < 0.2 else own
        tensors.append(Tensor(own, 8 if k == 0 else bits))
    tensors[0].array[...] = noise.choice([0, 0, 0, 1, 2, 127, 128, 255], tensors[0].array.shape)
    result = np.where(tensors[0].array != 0, tensors[1].array, tensors[2].array)
    return {}, tensors, [result]


def patches():
    """Attributes, the image's shape in its layout and as N, C and the axes, columns along each."""
    layout = rng.randrange(2)
    axes = rng.choice([2, 2, 2, 1, 3, 3, 4])
    n, c = rng.randrange(1, 3), rng.choice([1, 2, 3, 4, 6, 8, 16])
    c = min(c, 4) if axes > 2 else c
    most = {1: 60, 2: 24, 3: 9, 4: 5}[axes]
    size = [rng.randrange(1, most) for _ in range(axes)]
    if axes <= 2:
        size[-1] = rng.choice([1, 5, 8, 16, 17, 32, 40])
    groups = rng.choice([g for g in (1, 1, 1, 2, 3) if c % g == 0])
    k = [rng.randrange(1, 4) for _ in size]
    s = [rng.randrange(1, 4) for _ in size]
    d = [rng.randrange(1, 3) for _ in size]
    p = [rng.randrange(0, 3) for _ in size * 2]
    room = [m + p[i] + p[i + axes] - (k[i] - 1) * d[i] - 1 for i, m in enumerate(size)]
    if min(room) < 0:
        return patches()
    out = [r // s[i] + 1 for i, r in enumerate(room)]
    image = [n, c] + size if layout == 0 else [n] + size + [c]
    attributes = {"layout": layout, "groups": groups, "kernel": k, "strides": s, "dilations": d,
                  "pads": p}
    return attributes, image, (n, c, *size), out


def columns_of(a, attributes, size, out):
    """[n, c, taps..., places...] of an array with the channels second."""
    n, c, *image = size
    axes = len(image)
    k, s, d, p = (attributes[x] for x in ("kernel", "strides", "dilations", "pads"))
    padded = np.zeros((n, c, *[m + p[i] + p[i + axes] for i, m in enumerate(image)]), a.dtype)
    padded[(slice(None),) * 2 + tuple(slice(p[i], p[i] + m) for i, m in enumerate(image))] = a
    result = np.zeros((n, c, *k, *out), a.dtype)
    for tap in itertools.product(*map(range, k)):
        part = tuple(slice(t * d[i], t * d[i] + (out[i] - 1) * s[i] + 1, s[i])
                     for i, t in enumerate(tap))
        result[(slice(None),) * 2 + tap] = padded[(slice(None),) * 2 + part]
    return result


def column_shape(columns, attributes):
    axes = len(attributes["kernel"])
    n, c = columns.shape[:2]
    taps, places = columns.shape[2:2 + axes], columns.shape[2 + axes:]
    g = attributes["groups"]
    columns = columns.reshape(n, g, c // g, int(np.prod(taps)), int(np.prod(places)))
    if attributes["layout"] == 0:
        result = columns.reshape(n, g, -1, int(np.prod(places)))
    else:
        result = columns.transpose(0, 1, 4, 3, 2).reshape(n, g, int(np.prod(places)), -1)
    return result if g > 1 else result[:, 0]


def channels_second(a, layout):
    return a if layout == 0 else np.moveaxis(a, -1, 1)


def op_im2col():
    attributes, image, size, out = patches()
    a = Tensor(image, element())
    columns = columns_of(channels_second(a.array, attributes["layout"]), attributes, size, out)
    return attributes, [a], [column_shape(columns, attributes)]


def op_col2im():
    attributes, image, size, out = patches()
    k, s, d, p = (attributes[x] for x in ("kernel", "strides", "dilations", "pads"))
    bits = element()
    full = elements(bits, noise.randint(0, 16, (*size[:2], *k, *out)))
    columns = column_shape(full, attributes)
    a = Tensor(columns.shape, bits)
    a.array[...] = columns
    value = rng.choice([0, rng.getrandbits(bits)])
    result = np.empty(size, DTYPES[bits])
    result[...] = elements(bits, value)
    taps_of = [[[(tap, (at + p[i] - tap * d[i]) // s[i]) for tap in range(k[i])
                 if (at + p[i] - tap * d[i]) % s[i] == 0
                 and 0 <= (at + p[i] - tap * d[i]) // s[i] < out[i]]
                for at in range(n)] for i, n in enumerate(size[2:])]
    most_taps = max(len(taps) for axis in taps_of for taps in axis) if min(size[2:]) else 0
    for pixel in itertools.product(*map(range, size[2:])):
        place = []
        for i, at in enumerate(pixel):
            for tap in range(k[i]):
                q = at + p[i] - tap * d[i]
                if q >= 0 and q % s[i] == 0 and q // s[i] < out[i]:
                    place.append((tap, q // s[i]))
                    break
        if len(place) == len(pixel):
            taps, places = zip(*place)
            result[(slice(None),) * 2 + pixel] = full[(slice(None),) * 2 + taps + places]
    if attributes["layout"] == 1:
        result = np.moveaxis(result, 1, -1)
    mode = rng.choice([0, MODES["apart"]]) if most_taps < 2 else MODES["first"]
    return dict(attributes, shape=image, value=value, mode=mode), [a], [result]


def op_focus():
    n, c, h, w = shape4()
    r = rng.choice([1, 2, 2, 3])
    last = rng.random() < 0.5
    c, h, w = min(c, 20), min(h, 20) * r, min(w, 40) * r
    a = Tensor([n, h, w, c] if last else [n, c, h, w], element())
    parts = [a.array[:, i::r, j::r] if last else a.array[:, :, i::r, j::r]
             for j in range(r) for i in range(r)]
    axis = 3 if last else 1
    return {"axis": axis, "blocksize": r}, [a], [np.concatenate(parts, axis)]


def op_fill():
    a = Tensor(shape(), element())
    value = rng.getrandbits(a.bits)
    return {"value": value}, [a], [np.broadcast_to(elements(a.bits, value), a.array.shape)]
