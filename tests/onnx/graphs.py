#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Graphs that ONNX's library writes give what NumPy makes of them: every operator in its forms over
the opsets, chains of several, shape arithmetic, on the host and on the simulated hart.

usage: graphs.py ZTL"""

import os
import shutil
import sys

import numpy as np
from models import Folder, helper, model, numpy_helper

folder = Folder(sys.argv[1])
random = np.random.default_rng(16)
count = 0


def check(what, made, inputs, expected, *words):
    global count
    shutil.rmtree(folder.name("out"), ignore_errors=True)
    outputs = folder.run(made, inputs, *words)
    for name, array in expected.items():
        got = outputs[name]
        if got.dtype != array.dtype or got.shape != array.shape or got.tobytes() != array.tobytes():
            sys.exit(f"{what}: {name} is {got.dtype}{got.shape}, wrong; expected {array.dtype}"
                     f"{array.shape}")
    count += 1


def one(what, kind, x, expected, constants=None, opset=16, **attributes):
    """A node on x and constants."""
    constants = {k: np.asarray(v) for k, v in (constants or {}).items()}
    node = helper.make_node(kind, ["x", *constants], ["y"], **attributes)
    made = model([node], {"x": x}, ["y"], constants, opset)
    check(f"{what} (opset {opset})", made, {"x": x}, {"y": np.ascontiguousarray(expected)})


def i64(*numbers):
    return np.array(numbers, np.int64)


def array(*shape, dtype=np.float32):
    return (random.integers(0, 100, shape) if dtype != np.bool_
            else random.integers(0, 2, shape)).astype(dtype)


# Every type of elements that NumPy has, through one operator.
for dtype in (np.float32, np.float64, np.float16, np.int8, np.uint8, np.int16, np.uint16, np.int32,
              np.uint32, np.int64, np.uint64, np.bool_, np.complex64, np.complex128):
    x = array(3, 5, 7, dtype=dtype)
    one(f"Transpose {dtype}", "Transpose", x, x.transpose(2, 0, 1), perm=[2, 0, 1])

x = array(2, 3, 4)
one("Transpose", "Transpose", x, x.transpose())
one("Reshape as attribute", "Reshape", x, x.reshape(6, 4), opset=1, shape=[6, -1])
for opset in (6, 13, 17):
    one("Reshape", "Reshape", x, x.reshape(2, 12), {"s": i64(0, -1)}, opset)
    one("Flatten", "Flatten", x, x.reshape(6, 4), opset=opset, axis=2)
    one("Identity", "Identity", x, x, opset=opset)
    one("Tile", "Tile", x, np.tile(x, (1, 2, 3)), {"r": i64(1, 2, 3)}, opset)
    one("Concat", "Concat", x, np.concatenate([x, x[:, :1]], 1), {"c": x[:, :1]}, opset, axis=1)
one("Reshape allowzero", "Reshape", array(0, 3), array(3, 0), {"s": i64(3, 0)}, 14, allowzero=1)
one("Squeeze old", "Squeeze", x[:, :1], x[:, 0], opset=11, axes=[1])
one("Squeeze", "Squeeze", x[:, :1], x[:, 0], {"a": i64(1)}, 13)
one("Squeeze all", "Squeeze", x[:1, :1], x[0, 0], opset=13)
one("Unsqueeze old", "Unsqueeze", x, x[:, None], opset=11, axes=[1])
one("Unsqueeze", "Unsqueeze", x, x[:, None, ..., None], {"a": i64(1, -1)}, 13)
one("Slice old", "Slice", x, x[:, 1:, :2], opset=9, axes=[1, 2], starts=[1, 0], ends=[9, -2])
one("Slice", "Slice", x, x[::-1, :, 1::2],
    {"s": i64(-1, 1), "e": i64(-99, 2**62), "a": i64(0, 2), "t": i64(-1, 2)}, 13)
one("Pad old", "Pad", x, np.pad(x, ((0, 0), (1, 0), (2, 3)), constant_values=1.5), opset=2,
    pads=[0, 1, 2, 0, 0, 3], value=1.5)
one("Pad", "Pad", x, np.pad(x, ((0, 0), (1, 0), (2, 3)), constant_values=2.5),
    {"p": i64(0, 1, 2, 0, 0, 3), "v": np.float32(2.5)}, 13)
for mode in ("edge", "reflect", "wrap"):
    one(f"Pad {mode}", "Pad", x, np.pad(x, ((0, 0), (1, 2), (3, 0)), mode),
        {"p": i64(0, 1, 3, 0, 2, 0)}, 19 if mode == "wrap" else 13, mode=mode)
one("Pad axes", "Pad", x, np.pad(x, ((0, 0), (0, 0), (1, 2))),
    {"p": i64(1, 2), "v": np.float32(0), "a": i64(-1)}, 18)
one("Gather", "Gather", x, x[:, [2, 0, -1, 2]], {"i": i64(2, 0, -1, 2)}, axis=1)
one("Gather 2-D", "Gather", x, np.take(x, [[0, 1], [1, 1]], 0), {"i": np.array([[0, 1], [1, 1]])})
one("Gather scalar", "Gather", x, x[:, 2], {"i": np.array(2, np.int64)}, axis=1)
one("Compress", "Compress", x, x[:, [True, False, True]], {"c": np.array([1, 0, 1], bool)}, axis=1)
one("Compress flat", "Compress", x, np.compress([0, 1, 1, 0, 1], x),
    {"c": np.array([0, 1, 1, 0, 1], bool)})
y = array(3, 1)
one("Expand", "Expand", y, np.broadcast_to(y, (2, 3, 4)), {"s": i64(2, 1, 4)})
z = array(2, 8, 3, 5)
one("DepthToSpace", "DepthToSpace", z,
    z.reshape(2, 2, 2, 2, 3, 5).transpose(0, 3, 4, 1, 5, 2).reshape(2, 2, 6, 10), blocksize=2)
one("DepthToSpace CRD", "DepthToSpace", z,
    z.reshape(2, 2, 2, 2, 3, 5).transpose(0, 1, 4, 2, 5, 3).reshape(2, 2, 6, 10), blocksize=2,
    mode="CRD")
w = array(1, 2, 4, 6)
one("SpaceToDepth", "SpaceToDepth", w,
    w.reshape(1, 2, 2, 2, 3, 2).transpose(0, 3, 5, 1, 2, 4).reshape(1, 8, 2, 3), blocksize=2)
one("Resize 10", "Resize", w, w.repeat(2, 2).repeat(3, 3),
    {"s": np.array([1, 1, 2, 3], np.float32)}, 10)
one("Upsample", "Upsample", w, w.repeat(2, 2), {"s": np.array([1, 1, 2, 1], np.float32)}, 9)
one("Upsample old", "Upsample", w, w.repeat(2, 3), opset=7, scales=[1.0, 1.0, 1.0, 2.0])
one("Trilu", "Trilu", x, np.tril(x, -1), {"k": np.array(-1, np.int64)}, upper=0)
one("EyeLike", "EyeLike", x[0], np.eye(3, 4, 1, np.int32), opset=9, k=1, dtype=6)
one("ReverseSequence", "ReverseSequence", x,
    np.stack([x[::-1, 0], np.concatenate([x[:1, 1], x[1:, 1]]), x[::-1, 2]], 1),
    {"n": i64(2, 1, 2)}, 10, batch_axis=1, time_axis=0)

# Outputs: several, and an optional one that is not there.
node = helper.make_node("Split", ["x"], ["a", "", "b"], axis=2)
s = array(2, 3, 6)
check("Split without the middle", model([node], {"x": s}, ["a", "b"], opset=11), {"x": s},
      {"a": s[..., :2].copy(), "b": s[..., 4:].copy()})
for opset, inputs, attributes in ((11, ["x"], {"split": [1, 5]}), (13, ["x", "n"], {})):
    node = helper.make_node("Split", inputs, ["a", "b"], axis=-1, **attributes)
    check("Split", model([node], {"x": s}, ["a", "b"], {"n": i64(1, 5)} if opset == 13 else {},
                         opset), {"x": s}, {"a": s[..., :1].copy(), "b": s[..., 1:].copy()})

# What exporters leave behind: the shape of a reshape is computed from the input's.
nodes = [helper.make_node("Shape", ["x"], ["s"]),
         helper.make_node("Gather", ["s", "zero"], ["n"], axis=0),
         helper.make_node("Unsqueeze", ["n", "axis"], ["n1"]),
         helper.make_node("Constant", [], ["two"], value_ints=[2]),
         helper.make_node("Gather", ["s", "one"], ["c"], axis=0),
         helper.make_node("Unsqueeze", ["c", "axis"], ["c1"]),
         helper.make_node("Div", ["c1", "two"], ["half"]),
         helper.make_node("Concat", ["n1", "two", "half", "rest"], ["shape"], axis=0),
         helper.make_node("Cast", ["shape"], ["shape64"], to=7),
         helper.make_node("Reshape", ["x", "shape64"], ["r"]),
         helper.make_node("Transpose", ["r"], ["t"], perm=[0, 2, 1, 3]),
         helper.make_node("Flatten", ["t"], ["y"], axis=1)]
v = array(2, 6, 5)
check("channel shuffle by its shape",
      model(nodes, {"x": v}, ["y"], {"zero": np.array(0, np.int64), "one": np.array(1, np.int64),
                                     "axis": i64(0), "rest": i64(-1)}),
      {"x": v}, {"y": v.reshape(2, 2, 3, 5).transpose(0, 2, 1, 3).reshape(2, -1).copy()})

# Random chains, on both engines: nodes in any order in the file.
KINDS = ("Transpose", "Reshape", "Slice", "Concat", "Pad", "Tile", "Gather")
for seed in range(40):
    random = np.random.default_rng(seed)
    start = array(*random.integers(1, 7, random.integers(1, 5)),
                  dtype=random.choice([np.int8, np.float16, np.float32, np.int64]))
    value, nodes, constants, name = start, [], {}, "x"
    for step in range(random.integers(1, 6)):
        kind, to, more, attributes = random.choice(KINDS), f"v{step}", [], {}
        rank, axis = value.ndim, int(random.integers(value.ndim))
        if kind == "Transpose":
            perm = random.permutation(rank)
            value, attributes = value.transpose(perm), {"perm": [int(p) for p in perm]}
        elif kind == "Reshape":
            value = value.reshape(value.shape[:axis] + (-1,)) if value.size else value
            more = [i64(*value.shape)]
            attributes = {"allowzero": 1}
        elif kind == "Slice":
            begin, end = sorted(int(n) for n in random.integers(0, value.shape[axis] + 1, 2))
            value = value.take(range(begin, end), axis)
            more = [i64(begin), i64(end), i64(axis)]
        elif kind == "Concat":
            more = [value.copy()]
            value, attributes = np.concatenate([value, value], axis), {"axis": axis}
        elif kind == "Pad":
            pads = random.integers(0, 3, (2, rank))
            value, more = np.pad(value, pads.T), [i64(*pads.ravel())]
        elif kind == "Tile":
            times = random.integers(1, 3, rank)
            value, more = np.tile(value, times), [i64(*times)]
        elif value.shape[axis]:
            indices = random.integers(-value.shape[axis], value.shape[axis], 4)
            value, more, attributes = value.take(indices, axis), [i64(*indices)], {"axis": axis}
        else:
            kind = "Identity"
        names = [f"{to}c{k}" for k in range(len(more))]
        constants.update(zip(names, more))
        nodes.append(helper.make_node(kind, [name, *names], [to], **attributes))
        name = to
    shuffled = [nodes[i] for i in random.permutation(len(nodes))]
    check(f"chain {seed}", model(shuffled, {"x": start}, [name], constants), {"x": start},
          {name: np.ascontiguousarray(value)}, "--engine", "sim" if seed % 4 == 0 else "host")

# Conv's patches, when asked for: rows of channel and tap, columns of position.
image = array(1, 2, 5, 6)
conv = helper.make_node("Conv", ["x", "w"], ["y"], kernel_shape=[3, 2], strides=[2, 1],
                        pads=[1, 0, 1, 1])
padded = np.pad(image, ((0, 0), (0, 0), (1, 1), (0, 1)))
patches = np.array([[padded[0, c, 2 * i + u, j + v] for i in range(3) for j in range(6)]
                    for c in range(2) for u in range(3) for v in range(2)], np.float32)[None]
check("im2col", model([conv], {"x": image}, ["y"], {"w": array(4, 2, 3, 2)}), {"x": image},
      {"y": patches}, "--im2col")

# A tensor of ONNX as input; the only input needs no name.
folder.write("x.pb", numpy_helper.from_array(x, "x"))
path = folder.write("m.onnx", model([helper.make_node("Transpose", ["x"], ["a/b:0"])], {"x": x},
                                    ["a/b:0"]))
done = folder.onnx("run", path, "--input", folder.name("x.pb"), f"--output-dir={folder.name('p')}",
                   "--stats")
assert done.returncode == 0, done.stderr
assert np.array_equal(np.load(folder.name("p/a_b_0.npy")), x.transpose())
assert "Ztl instructions" in done.stdout and "a/b:0: float32 [4,3,2]" in done.stdout, done.stdout

# External data, below the model's directory.
os.mkdir(folder.name("data"))
with open(folder.name("data/w.bin"), "wb") as file:
    file.write(b"pad!" + x.tobytes())
made = model([helper.make_node("Concat", ["x", "w"], ["y"], axis=0)], {"x": x}, ["y"], {"w": x})
tensor = made.graph.initializer[0]
tensor.ClearField("raw_data")
tensor.data_location = 1
for key, text in (("location", "data/w.bin"), ("offset", "4"), ("length", str(x.nbytes))):
    entry = tensor.external_data.add()
    entry.key, entry.value = key, text
check("external data", made, {"x": x}, {"y": np.concatenate([x, x])})
print(f"{count} graphs")
