#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A network in the form of ONNX's light models, whose weights are nodes and whose shapes are not
recorded, and the same with QuantizeLinear and DequantizeLinear behind each node, counts in full.

usage: light.py ZTL"""

import collections
import json
import sys

import numpy as np
from models import Folder, helper, model, numpy_helper

folder = Folder(sys.argv[1])
node = helper.make_node
nodes, constants = [], {}


def constant(name, array):
    constants[name] = array
    return name


def filled(name, *shape, value=0.5):
    """A weight: small ones are folded, large ones are rows of the report."""
    nodes.append(node("ConstantOfShape", [constant(f"{name}_shape", np.array(shape))], [name],
                      value=numpy_helper.from_array(np.array([value], np.float32))))
    return name


def add(kind, inputs, output, **attributes):
    nodes.append(node(kind, inputs, [output], **attributes))
    return output


def conv(given, output, wide, to, kernel=3, group=1, stride=1):
    return add("Conv", [given, filled(f"{output}_w", to, wide // group, kernel, kernel),
                        filled(f"{output}_b", to)], output, group=group, strides=[stride] * 2,
               pads=[kernel // 2] * 4, kernel_shape=[kernel] * 2)


def normalise(given, output, wide):
    return add("BatchNormalization", [given] + [filled(f"{output}_{k}", wide) for k in "sbmv"], output)


def build():
    last = add("Relu", [normalise(conv("x", "c0", 3, 64, 7, stride=2), "n0", 64)], "r0")
    last = add("LRN", [add("MaxPool", [last], "p0", kernel_shape=[3, 3], strides=[2, 2])], "l0", size=5)
    three = [conv(last, "i1", 64, 32, 1), add("Relu", [conv(last, "i3", 64, 64)], "i3r"),
             add("AveragePool", [last], "ip", kernel_shape=[3, 3], strides=[1, 1], pads=[1] * 4)]
    last = add("Concat", three, "inception", axis=1)
    last = conv(last, "g1", 160, 160, 1, group=4)
    last = add("Reshape", [last, constant("apart", np.array([1, 4, 40, 13, 13]))], "apart5")
    last = add("Transpose", [last], "shuffled", perm=[0, 2, 1, 3, 4])
    last = add("Reshape", [last, constant("together", np.array([1, 160, 13, 13]))], "together4")
    last = add("Sum", [last, conv(last, "g2", 160, 160, 3, group=160)], "sum")
    last = add("Concat", [add("Relu", [last], "r1"), add("Sigmoid", [last], "s1")], "both", axis=1)
    last = add("Dropout", [add("GlobalAveragePool", [last], "pool")], "dropped")
    last = add("Reshape", [last, constant("flat", np.array([1, 320]))], "flat2")
    last = add("Gemm", [last, filled("fc_w", 1000, 320), filled("fc_b", 1000)], "fc", transB=1)
    return add("Softmax", [last], "y")


def quantized():
    """Behind each node with floating point."""
    constant("scale", np.array(0.1, np.float32))
    constant("zero", np.array(3, np.uint8))
    made, now = [], {}
    for n in nodes:
        one = type(n).FromString(n.SerializeToString())
        for i, name in enumerate(one.input):
            one.input[i] = now.get(name, name)
        made.append(one)
        given, out = one.output[0], one.output[0]
        if one.op_type != "ConstantOfShape" and given != "y":
            made.append(node("QuantizeLinear", [given, "scale", "zero"], [f"{out}_q"]))
            made.append(node("DequantizeLinear", [f"{out}_q", "scale", "zero"], [f"{out}_d"]))
            now[given] = f"{out}_d"
    return made


def check(name, made):
    done = folder.onnx("report", "--json", folder.write(name, model(
        made, {"x": np.zeros((1, 3, 56, 56), np.float32)}, ["y"], constants, 13)))
    assert done.returncode == 0, (name, done)
    report = json.loads(done.stdout)
    tally = report["tally"]
    assert tally["not_counted"] == tally["failed"] == tally["foreign"] == 0, (name, tally)
    kinds = collections.Counter()
    for row in report["nodes"]:
        kinds[row["operator"], row["state"]] += row["nodes"]
    assert kinds["Concat", "measured"] == 2 and kinds["Transpose", "measured"] == 1, kinds
    assert sum(count for (kind, _), count in kinds.items() if kind == "Reshape") == 3, kinds
    # Weights of more than 64 KiB are not folded: those of i3 and fc.
    assert kinds["ConstantOfShape", "measured"] == 2, kinds
    bytes_of = {row["name"]: row["bytes"] for row in report["nodes"]}
    assert bytes_of["shuffled"] == 2 * 4 * 160 * 13 * 13, bytes_of
    return tally


build()
plain, both = check("light.onnx", nodes), check("qdq.onnx", quantized())
assert both["others"] > 2 * plain["others"] > 0, (plain, both)
assert {k: v for k, v in both.items() if k != "others"} == \
    {k: v for k, v in plain.items() if k != "others"}, (plain, both)
print("light models count in full, with and without quantization")
