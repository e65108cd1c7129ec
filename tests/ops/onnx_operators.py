# SPDX-License-Identifier: Apache-2.0
"""Random cases of the operators that ONNX defines and numpy has no function for."""
import numpy as np

from tensors import Tensor, element, elements, extent, rng, shape, signed

COORDINATES = ["half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners",
               "asymmetric", "tf_crop_and_resize", "tf_half_pixel_for_nn"]
ROUNDINGS = ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"]
ASPECTS = ["stretch", "not_larger", "not_smaller"]


def op_identity():
    a = Tensor(shape(), element())
    return {}, [a], [a.array]


def original(x, n, out, scale, coordinate, roi):
    """ONNX's table of coordinate_transformation_mode; all in double."""
    resized = scale * n
    if coordinate == "half_pixel":
        return (x + 0.5) / scale - 0.5
    if coordinate == "half_pixel_symmetric":
        adjustment = out / resized
        return n / 2 * (1 - adjustment) + (x + 0.5) / scale - 0.5
    if coordinate == "pytorch_half_pixel":
        return (x + 0.5) / scale - 0.5 if resized != 1 else -0.5
    if coordinate == "align_corners":
        return x * (n - 1) / (resized - 1) if resized != 1 else 0
    if coordinate == "asymmetric":
        return x / scale
    if coordinate == "tf_half_pixel_for_nn":
        return (x + 0.5) / scale
    start, end = roi
    if resized == 1:
        return (end - start) * (n - 1) / 2 + start * (n - 1)
    return x * (end - start) * (n - 1) / (resized - 1) + start * (n - 1)


def nearest(x, n, rounding):
    whole = int(np.floor(x))
    part = x - whole
    up = {"round_prefer_floor": part > 0.5, "round_prefer_ceil": part >= 0.5, "floor": False,
          "ceil": part > 0}[rounding]
    return min(max(whole + up, 0), n - 1)


def resized(a, value, axes, scales, outs, coordinate, rounding, rois):
    """One axis after the other, those that are named; where a crop lies outside, the value."""
    outside = np.zeros(outs, bool)
    for d, (scale, out, roi) in enumerate(zip(scales, outs, rois)):
        n = a.shape[d]
        if d not in axes:
            continue
        places = [original(x, n, out, scale, coordinate, roi) for x in range(out)]
        a = np.take(a, [nearest(x, n, rounding) for x in places], d)
        if coordinate == "tf_crop_and_resize":
            away = np.array([x < 0 or x > n - 1 for x in places], bool)
            outside |= away.reshape([-1 if k == d else 1 for k in range(len(outs))])
    return np.where(outside, value, a) if outside.any() else a


def op_resize():
    a = Tensor(shape(rng.randrange(1, 5), 2000), element())
    rank = a.array.ndim
    named = rng.random() < 0.4
    axes = rng.sample(range(rank), rng.randrange(1, rank + 1)) if named else range(rank)
    extents = [a.array.shape[d] for d in axes]
    coordinate = rng.choice(COORDINATES)
    rounding = rng.choice(ROUNDINGS)
    attributes = {"coordinate": COORDINATES.index(coordinate), "nearest": ROUNDINGS.index(rounding)}
    crops = coordinate == "tf_crop_and_resize"
    roi = [rng.choice([0, 0.25, -0.25, 1, 0.5]) for _ in axes] + \
          [rng.choice([1, 0.75, 1.25, 0.5, 0]) for _ in axes] if crops else []
    if 0 in a.array.shape or rng.random() < 0.6:
        factors = [rng.choice([1, 1, 2, 3, 4, 0.5, 1.5, 2 / 3, 0.6, 1.25, 2.7]) for _ in axes]
        attributes["scales"] = factors
        outs = [int(f * n) for f, n in zip(factors, extents)]
    else:
        sizes = [max(1, rng.choice([n, 2 * n, n // 2, n + 1, rng.randrange(1, 3 * n + 2)]))
                 for n in extents]
        aspect = rng.choice(ASPECTS)
        attributes.update(sizes=sizes, aspect=ASPECTS.index(aspect))
        factors = [m / n for m, n in zip(sizes, extents)]
        outs = sizes
        if aspect != "stretch":
            one = min(factors) if aspect == "not_larger" else max(factors)
            factors = [one] * len(extents)
            outs = [int(one * n + 0.5) for n in extents]
    scales, shapes, rois = [1.0] * rank, list(a.array.shape), [(0, 1)] * rank
    for k, d in enumerate(axes):
        scales[d], shapes[d] = factors[k], outs[k]
        rois[d] = (roi[k], roi[k + len(extents)]) if crops else (0, 1)
    if np.prod(shapes, dtype=object) > 20000:
        return op_resize()
    value = rng.choice([0, rng.getrandbits(a.bits)]) if crops else 0
    if named:
        attributes["axes"] = [signed(d, rank) for d in axes]
    attributes.update(roi=roi, value=value)
    result = resized(a.array, elements(a.bits, value), axes, scales, shapes, coordinate, rounding, rois)
    return attributes, [a], [result]


def op_upsample():
    a = Tensor(shape(rng.randrange(1, 5), 2000), element())
    scales = [rng.choice([1, 1, 2, 3, 1.5, 2.5]) for _ in a.array.shape]
    result = a.array
    for d, scale in enumerate(scales):
        out = int(result.shape[d] * scale)
        result = np.take(result, [int(x / scale) for x in range(out)], d)
    return {"scales": scales}, [a], [result]


def op_reverse_sequence():
    a = Tensor(shape(rng.randrange(2, 5)), element())
    if a.array.ndim < 2:
        return op_reverse_sequence()
    time = rng.randrange(2)
    lens = [rng.randrange(a.array.shape[time] + 1) for _ in range(a.array.shape[1 - time])]
    if lens and rng.random() < 0.3:
        lens = [lens[0]] * len(lens)
    result = np.moveaxis(a.array.copy(), (1 - time, time), (0, 1))
    for row, n in zip(result, lens):
        row[:n] = row[:n][::-1].copy()
    attributes = {"sequence_lens": lens}
    if time == 1 or rng.random() < 0.5:
        attributes.update(time_axis=time, batch_axis=1 - time)
    return attributes, [a], [np.moveaxis(result, (0, 1), (1 - time, time))]


def op_trilu():
    a = Tensor(shape(rng.randrange(2, 5)), element())
    rows, columns = a.array.shape[-2:] if a.array.ndim > 1 else (0, 0)
    if rng.random() < 0.2:
        rows, columns = rng.randrange(1, 90), rng.randrange(1, 90)
        a = Tensor([rows, columns], element())
    if a.array.ndim < 2:
        return op_trilu()
    upper = rng.randrange(2)
    k = rng.choice([0, 1, -1, rng.randrange(-rows - 3, columns + 4), 10 ** 12, -10 ** 12])
    kept = np.arange(columns) - np.arange(rows)[:, None]
    kept = kept >= k if upper else kept <= k
    return {"lower": 1 - upper, "k": k}, [a], [np.where(kept, a.array, elements(a.bits, 0))]


def op_center_crop_pad():
    a = Tensor(shape(rng.randrange(1, 5), 3000), element())
    axes = list(range(a.array.ndim))
    attributes = {}
    if rng.random() < 0.5:
        axes = rng.sample(axes, rng.randrange(1, len(axes) + 1))
        attributes["axes"] = [signed(d, a.array.ndim) for d in axes]
    wanted = [rng.choice([n, n + 1, n + 4, max(n - 1, 0), max(n - 4, 0), min(extent(), n + 9)])
              for n in (a.array.shape[d] for d in axes)]
    result = a.array
    for d, m in zip(axes, wanted):
        n = result.shape[d]
        if m < n:
            start = (n - m) // 2
            result = np.take(result, range(start, start + m), d)
        elif m > n:
            start = (m - n) // 2
            padded = np.empty(result.shape[:d] + (m,) + result.shape[d + 1:], result.dtype)
            padded[...] = elements(a.bits, 0)
            padded[(slice(None),) * d + (slice(start, start + n),)] = result
            result = padded
    return dict(attributes, shape=wanted), [a], [result]


def chosen(where, bits, off, on):
    return np.where(where, elements(bits, on), elements(bits, off))


def op_eye_like():
    rows, columns = extent(), extent()
    a = Tensor([rows, columns], element())
    bits = element()
    k = rng.choice([0, 0, 1, -1, rng.randrange(-rows - 3, columns + 4), 10 ** 12, -10 ** 12])
    one = rng.choice([1, rng.getrandbits(bits)])
    diagonal = np.arange(columns) - np.arange(rows)[:, None] == k
    return {"k": k, "bits": bits, "on": one}, [a], [chosen(diagonal, bits, 0, one)]


def op_one_hot():
    indices = shape(rng.randrange(0, 4), 300)
    if len(indices) > 7:
        return op_one_hot()
    depth, bits = rng.choice([1, 2, 5, 10, 32, 33]), element()
    values = np.array([rng.randrange(-depth - 1, depth + 1) for _ in range(int(np.prod(indices)))],
                      np.int64).reshape(indices)
    off, on = rng.choice([(0, 1), (rng.getrandbits(bits), rng.getrandbits(bits))])
    axis = rng.randrange(len(indices) + 1)
    positions = np.arange(depth).reshape([-1 if d == axis else 1 for d in range(len(indices) + 1)])
    inside = (values >= -depth) & (values < depth)
    hot = np.where(inside, values % depth, -1)
    attributes = {"indices": values.ravel(), "depth": depth, "bits": bits, "value": off, "on": on}
    if len(indices) != 1 or rng.random() < 0.3:
        attributes.update(has_indices_shape=1, indices_shape=indices)
    if axis < len(indices) or rng.random() < 0.5:
        attributes.update(has_axis=1, axis=signed(axis, len(indices) + 1))
    return attributes, [], [chosen(np.expand_dims(hot, axis) == positions, bits, off, on)]


def op_constant_of_shape():
    bits = element()
    value = rng.choice([0, rng.getrandbits(bits)])
    extents = shape()
    return ({"shape": extents, "bits": bits, "value": value}, [],
            [np.broadcast_to(elements(bits, value), extents)])
