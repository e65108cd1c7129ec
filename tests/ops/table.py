# SPDX-License-Identifier: Apache-2.0
"""The cases of the benchmark's table, with what numpy makes of them."""
import re

import numpy as np

from operators import column_shape, columns_of
from tensors import MODES, Tensor, rng, write_case


def table_result(kind, options, arrays):
    """What numpy makes of a case of the table; options as given there."""
    a = arrays[0]

    def numbers(name):
        return [int(v) for v in options[name].split(",")]

    if kind == "transpose":
        return {"perm": numbers("perm")}, a.transpose(numbers("perm"))
    if kind in ("depth-to-space", "space-to-depth"):
        r = int(options["blocksize"])
        n, c, h, w = a.shape
        if kind == "depth-to-space":
            b = a.reshape(n, c // r // r, r, r, h, w).transpose(0, 1, 4, 2, 5, 3)
            b = b.reshape(n, c // r // r, h * r, w * r)
        else:
            b = a.reshape(n, c, h // r, r, w // r, r).transpose(0, 1, 3, 5, 2, 4)
            b = b.reshape(n, c * r * r, h // r, w // r)
        return {"blocksize": r, "mode": MODES["CRD"]}, b
    if kind == "roll":
        return ({"shift": numbers("shift"), "axes": numbers("axes")},
                np.roll(a, numbers("shift"), numbers("axes")))
    if kind == "focus":
        axis = int(options["axis"])
        parts = [a[:, i::2, j::2] if axis == 3 else a[:, :, i::2, j::2]
                 for j in range(2) for i in range(2)]
        return {"blocksize": 2, "axis": axis}, np.concatenate(parts, axis)
    if kind == "concat":
        axis = int(options["axis"])
        return {"axis": axis}, np.concatenate(arrays, axis)
    if kind == "expand":
        return {"shape": numbers("shape")}, np.broadcast_to(a, numbers("shape"))
    if kind == "pad":
        pads = numbers("pads")
        mode = options.get("mode", "constant")
        width = list(zip(pads[:a.ndim], pads[a.ndim:]))
        return {"pads": pads, "mode": MODES[mode]}, np.pad(a, width, mode)
    if kind == "resize":
        b = a
        for d, scale in enumerate(numbers("scales")):
            b = np.repeat(b, scale, d)
        return {"scales": numbers("scales")}, b
    if kind == "gather" and "indices" in options:
        axis, indices = int(options["axis"]), numbers("indices")
        return {"axis": axis, "indices": indices}, a.take(indices, axis)
    if kind == "flip":
        return {"axes": numbers("axes")}, np.flip(a, numbers("axes"))
    if kind == "slice":
        attributes = {name: numbers(name) for name in options}
        steps = attributes.get("steps", [1])
        part = [slice(None)] * a.ndim
        for k, axis in enumerate(attributes["axes"]):
            part[axis] = slice(attributes["starts"][k], attributes["ends"][k], steps[k])
        return attributes, a[tuple(part)]
    if kind == "split":
        axis, parts = int(options["axis"]), numbers("split")
        return {"axis": axis, "split": parts}, np.split(a, np.cumsum(parts)[:-1], axis)
    if kind == "gather":
        indices = [rng.randrange(a.shape[0]) for _ in range(int(options["random"]))]
        return {"axis": 0, "indices": indices}, a[indices]
    if kind == "compress":
        condition = [rng.randrange(2) for _ in range(int(options["half"]))]
        return ({"has_axis": 1, "axis": 1, "condition": condition},
                np.compress(condition, a, 1))
    if kind == "im2col":
        layout = int(options.get("layout") == "NHWC")
        attributes = {"layout": layout, "groups": 1, "kernel": numbers("kernel"),
                      "pads": numbers("pads"),
                      "strides": numbers("strides") if "strides" in options else [1, 1],
                      "dilations": numbers("dilations") if "dilations" in options else [1, 1]}
        nchw = a.transpose(0, 3, 1, 2) if layout else a
        k, s, d, p = (attributes[x] for x in ("kernel", "strides", "dilations", "pads"))
        out = [(nchw.shape[i + 2] + p[i] + p[i + 2] - (k[i] - 1) * d[i] - 1) // s[i] + 1
               for i in range(2)]
        return attributes, column_shape(columns_of(nchw, attributes, nchw.shape, out), attributes)
    assert kind == "reshape"
    return {"shape": [-1]}, a.reshape(-1)


def rows_of(path):
    return re.findall(r'^ZTL_CASE\("(.*?)", *"(.*?)", *"(.*?)", *"(.*?)"\)',
                      open(path, encoding="utf-8").read(), re.M)


def write_table(pipe, path, limit, sizes=(8, 16, 32)):
    """The table, and the everyday shapes beside it."""
    rows = rows_of(path)
    everyday = rows_of(path.replace("cases.def", "everyday.def"))
    assert len(rows) == 56 and len(everyday) == 35
    for _, kind, shapes, text in rows + everyday:
        for bits in sizes:
            words = text.split()
            options = {words[i][2:]: words[i + 1] for i in range(0, len(words), 2)}
            extents = [[int(n) for n in one.split("x")] for one in shapes.split()]
            if extents == [[0]]:
                extents = [[(16 << 20) // (bits // 8)]]
            if np.prod(extents[0]) * bits // 8 > limit:
                continue
            inputs = [Tensor(e, bits, True) for e in extents]
            attributes, result = table_result(kind, options, [t.array for t in inputs])
            results = result if isinstance(result, list) else [result]
            outputs = [Tensor(one.shape, bits, True) for one in results]
            write_case(pipe, kind, attributes, inputs, outputs, results)
