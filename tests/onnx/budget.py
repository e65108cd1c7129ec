#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Small models whose constants grow without end: each is refused with the budget that it goes beyond,
in little memory and little time, whatever operator makes the constants larger.

usage: budget.py ZTL"""

import sys

import numpy as np
from models import Folder, helper, model, numpy_helper

folder = Folder(sys.argv[1])
MEMORY = None if "clang" in sys.argv[1] else 400 * 1024  # KiB; sanitizers reserve terabytes
x = np.zeros((4, 4), np.float32)
np.save(folder.name("x.npy"), x)


def i64(*numbers):
    return np.array(numbers, np.int64)


def node(kind, inputs, output, **attributes):
    return helper.make_node(kind, inputs.split(" "), [output], **attributes)


def refuse(what, made, *words, texts, limit=MEMORY):
    done = folder.onnx(*words, folder.write("model.onnx", made), limit=limit)
    if done.returncode != 1 or done.stdout or not all(text in done.stderr for text in texts):
        sys.exit(f"{what}: status {done.returncode}: {done.stderr or done.stdout}; expected {texts}")


run = ("run", "--input", f"x={folder.name('x.npy')}")

# What makes a constant larger, forty times: nodes from `value` to `made`, and other constants.
GROWS = {
    "Concat": (lambda value, made: [node("Concat", f"{value} {value}", made, axis=0)], {}),
    "Tile": (lambda value, made: [node("Tile", f"{value} r", made)], {"r": i64(2, 2)}),
    "Pad": (lambda value, made: [node("Pad", f"{value} p", made)], {"p": i64(0, 200_000, 0, 0)}),
    "Pad, edge": (lambda value, made: [node("Pad", f"{value} p", made, mode="edge")],
                  {"p": i64(200_000, 0, 0, 0)}),
    "Resize": (lambda value, made: [node("Resize", f"{value}  s", made, mode="nearest")],
               {"s": np.array([2, 2], np.float32)}),
    "Expand": (lambda value, made: [node("Unsqueeze", f"{value} a", made + "u"),
                                    node("Expand", f"{made}u e", made + "e"),
                                    node("Reshape", f"{made}e s", made)],
               {"a": i64(0), "e": i64(4, 1, 1), "s": i64(4, -1)}),
}
for kind, (grow, constants) in GROWS.items():
    nodes = [n for i in range(40) for n in grow("c" if i == 0 else f"v{i - 1}", f"v{i}")]
    chain = model([*nodes, node("Gather", "v39 zero", "y"), node("Identity", "x", "z")], {"x": x},
                  ["y", "z"], {"c": x, "zero": i64(0), **constants}, 18)
    assert len(chain.SerializeToString()) < 5000, kind
    refuse(f"a chain of {kind}", chain, *run, "--mem", "16M",
           texts=(f"({kind.split(',')[0]})", "the budget of 16777216 for", "at a time"))

# One node that makes much of little.
row = node("ConstantOfShape", "s", "row")
AT_ONCE = {
    "ConstantOfShape": ([node("ConstantOfShape", "s", "big")], {"s": i64(1 << 16, 1 << 15)}),
    "Expand": ([node("Expand", "x s", "big")], {"s": i64(1 << 16, 1 << 10, 4, 4)}),
    "OneHot": ([node("OneHot", "i d v", "big")],
               {"i": np.zeros(3000, np.int64), "d": i64(1 << 20), "v": np.zeros(2, np.float32)}),
    "Range": ([node("Range", "a b d", "r"), node("Tile", "r t", "big")],
              {"a": np.array(0), "b": np.array(4096), "d": np.array(1), "t": i64(1 << 20)}),
    "EyeLike": ([node("ConstantOfShape", "s", "row",
                      value=numpy_helper.from_array(np.zeros(1, np.uint8))), node("EyeLike", "row", "big", dtype=11)], {"s": i64(1 << 14, 1 << 13)}),
    "CenterCropPad": ([node("CenterCropPad", "x s", "big")], {"s": i64(1 << 15, 1 << 14)}),
    "Gather": ([row, node("Gather", "row i", "big")], {"s": i64(1, 1 << 16), "i": i64(*[0] * 9000)}),
    "GatherND": ([row, node("GatherND", "row i", "big")],
                 {"s": i64(1, 1 << 16), "i": np.zeros((9000, 1), np.int64)}),
    "Where": ([row, node("Where", "c row row", "big")],
              {"s": i64(1, 1 << 16), "c": np.zeros((9000, 1), bool)}),
    "Slice": ([row, node("Tile", "row t", "big"), node("Slice", "big z o", "part")],
              {"s": i64(1, 1 << 16), "t": i64(9000, 1), "z": i64(0), "o": i64(1)}),
}
for kind, (nodes, constants) in AT_ONCE.items():
    made = model(nodes, {"x": x}, ["big"], constants, 18)
    refuse(kind, made, *run, texts=("node big", "the budget of 1073741824", "at a time"))

# What is held at a time counts, not what was made before.
nodes = [node("Concat", "x x", "a0", axis=0)]
nodes += [node("Transpose", f"a{i}", f"a{i + 1}") for i in range(100)]
long = model(nodes, {"x": x}, ["a100"])
done = folder.onnx(*run, "--mem", "256", folder.write("long.onnx", long))
assert done.returncode == 0, done.stderr
refuse("a budget for one of two", long, *run, "--mem", "255", texts=("node a1 (Transpose)", "255"))

# A report computes constants of up to 64 KiB, all of them within 64 MiB.
nodes = [node("ConstantOfShape", "s", f"c{i}") for i in range(1025)]
nodes.append(node("Concat", "x c1024", "y", axis=0))
many = model(nodes, {"x": x}, ["y"], {"s": i64(1 << 12, 4)})
refuse("many constants", many, "report", texts=("node c1024 (ConstantOfShape)", "budget of 67108864",
                                                "constants"))
del many.graph.node[0]
done = folder.onnx("report", folder.write("fits.onnx", many), limit=MEMORY)
assert done.returncode == 0, done.stderr
for size in ("0", "x", "12Q", "-1"):
    done = folder.onnx(*run, "--mem", size, folder.name("long.onnx"))
    assert done.returncode == 2 and "--mem" in done.stderr, done.stderr
print("constants stay within their budget")
