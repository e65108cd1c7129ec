#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Models that break a rule are refused with the name of what is wrong, in little memory; whatever
bytes are changed, the command ends by itself.

usage: malformed.py ZTL"""

import json
import os
import random
import sys

import numpy as np
from models import Folder, TensorProto, helper, model

folder = Folder(sys.argv[1])
MEMORY = None if "clang" in sys.argv[1] else 600 * 1024  # KiB; sanitizers reserve terabytes
x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def node(kind="Transpose", inputs=("x",), outputs=("y",), name="n1", **attributes):
    return helper.make_node(kind, list(inputs), list(outputs), name=name, **attributes)


def refuse(what, made, *texts, words=("report",)):
    path = folder.write("bad.onnx", made)
    done = folder.onnx(*words, path)
    if done.returncode != 1 or not all(text in done.stderr for text in texts):
        sys.exit(f"{what}: status {done.returncode}: {done.stderr or done.stdout}; expected {texts}")


def made(nodes=None, constants=None, **more):
    return model(nodes or [node()], {"x": x}, ["y"], constants, **more)


def changed(change, *arguments, **more):
    m = made(*arguments, **more)
    change(m.graph)
    return m


def i64(*numbers):
    return np.array(numbers, np.int64)


def set_dim(graph, value):
    graph.input[0].type.tensor_type.shape.dim[0].dim_value = value


def claim(graph):
    graph.initializer[0].dims[:] = [1 << 40]


def overflow(graph):
    graph.initializer[0].dims[:] = [1 << 62, 1 << 62, 16]


def cut(graph):
    graph.initializer[0].raw_data = graph.initializer[0].raw_data[:-1]


def negative(graph):
    graph.initializer[0].dims[0] = -2


def outside(location):
    def change(graph):
        tensor = graph.initializer[0]
        tensor.ClearField("raw_data")
        tensor.data_location = TensorProto.EXTERNAL
        entry = tensor.external_data.add()
        entry.key, entry.value = "location", location
    return change


pad = [node("Concat", ("x", "w"), axis=0)]
w = {"w": x}
refuse("no model", b"\x08", "bad.onnx", "not an ONNX model")
refuse("text", b"hello, this is no model at all", "not an ONNX model")
refuse("an empty file", b"", "no graph")
refuse("a negative extent", changed(lambda g: set_dim(g, -3)), "value x", "-3")
refuse("a negative extent of data", changed(negative, pad, w), "tensor w", "-2")
refuse("a huge claim", changed(claim, pad, w), "tensor w", "the file has not")
refuse("an overflow", changed(overflow, pad, w), "tensor w", "too large")
refuse("data of the wrong length", changed(cut, pad, w), "tensor w", "needs 96 bytes")
refuse("a cycle", made([node("Concat", ("x", "z"), ("y",), axis=0), node(inputs=("y",),
                        outputs=("z",), name="n2")]), "cycle", "node n")
refuse("a missing input", made([node(inputs=("q",))]), "node n1", "input q")
refuse("an output that nothing makes", model([node(outputs=("z",))], {"x": x}, ["y"]), "output y")
refuse("two sources", made([node(), node(name="n2")]), "node n2", "y", "second source")
refuse("an input made by a node", made([node(outputs=("x",))]), "node n1")
refuse("a wrong axis", made([node("Concat", ("x", "x"), axis=3)]), "node n1 (Concat)", "axis")
refuse("a wrong perm", made([node(perm=[0, 0, 1])]), "node n1 (Transpose)", "twice")
refuse("a wrong shape", made([node("Reshape", ("x", "s"))], {"s": i64(5, 5)}), "node n1 (Reshape)")
refuse("shapes that do not join",
       made([node("Concat", ("x", "w"), axis=0)], {"w": x[:, :2].copy()}), "node n1 (Concat)")
refuse("an index out of range", made([node("Gather", ("x", "i"))], {"i": i64(0, 2)}),
       "node n1 (Gather)", "2")
refuse("a float as a parameter", made([node("Reshape", ("x", "s"))],
                                      {"s": np.array([24], np.float32)}), "node n1", "integers")
refuse("division by 0", made([node("Shape", ("x",), ("s",)), node("Div", ("s", "z"), ("d",), "n2"),
                              node("Reshape", ("x", "d"), ("y",), "n3")], {"z": i64(0)}),
       "node n2 (Div)")
refuse("a huge expand", made([node("Expand", ("x", "s"))], {"s": i64(1 << 40, 1 << 40, 1, 1, 1)}),
       "node n1 (Expand)")
refuse("a bad resize", made([node("Resize", ("x", "", "s"), mode="nearest",
                                  coordinate_transformation_mode="sideways")],
                            {"s": np.ones(3, np.float32)}), "node n1 (Resize)", "coordinate")
image, kernel = np.zeros((1, 2, 6, 6), np.float32), np.zeros((2, 2, 3, 3), np.float32)
np.save(folder.name("image.npy"), image)
for what, attributes, *texts in (
        ("strides of one axis", {"strides": [2]}, "strides has 1 numbers", "2 axes"),
        ("pads of one side", {"pads": [1, 1]}, "pads has 2 numbers"),
        ("an unknown auto_pad", {"auto_pad": "SAME"}, "auto_pad"),
        ("no stride", {"auto_pad": "SAME_LOWER", "strides": [0, 1]}, "below 1"),
        ("huge dilations", {"auto_pad": "SAME_UPPER", "dilations": [1 << 62, 1]}, "too large"),
        ("a huge kernel", {"auto_pad": "SAME_UPPER", "kernel_shape": [1 - 2**63, 3]}, "node n1")):
    refuse(what, model([node("Conv", ("x", "k"), **attributes)], {"x": image}, ["y"],
                       {"k": kernel}), "node n1 (Conv)", *texts,
           words=("run", "--im2col", "--input", "x=" + folder.name("image.npy")))
twice = made(pad, w)
twice.graph.initializer.append(twice.graph.initializer[0])
refuse("two initializers of a name", twice, "tensor w")
for location in ("/etc/hostname", "../w.bin", "link", "", "data/../../w.bin", "."):
    refuse(f"external data at '{location}'", changed(outside(location), pad, w), "tensor w")
os.symlink("/etc/hostname", folder.name("link"))
refuse("external data by a link", changed(outside("link"), pad, w), "tensor w", "not below")
deep = helper.make_graph([node()], "g", [], [])
for _ in range(400):
    deep = helper.make_graph([node("If", ("x",), then_branch=deep)], "g", [], [])
refuse("subgraphs of subgraphs", helper.make_model(deep), "not an ONNX model")
np.save(folder.name("x.npy"), x)
refuse("sequences", model([node("SequenceConstruct", ("x",), ("s",)),
                           node("SequenceAt", ("s", "i"), ("y",), "n2")], {"x": x}, ["y"],
                          {"i": np.array(0)}),
       "SequenceConstruct", words=("run", "--input", "x=" + folder.name("x.npy")))
refuse("an unknown dimension", made(), "no dimension is called q", words=("report", "--dim", "q=3"))
done = folder.onnx("report", folder.write("m.onnx", made()), "--dim", "q")
assert done.returncode == 2 and "--dim" in done.stderr

# Names are the file's; a terminal shall not obey them, and JSON stays JSON.
evil = model([node("Transpose", name="a\033[2J"), node("R\033[2Ju", ("y",), ("\033[3J",), "b")], {"x": x},
             ["\033[3J"])
evil.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "batch"
path = folder.write("evil.onnx", evil)
for words in (("report",), ("report", "--json"), ("run", "--input", "x=" + folder.name("x.npy"))):
    done = folder.onnx(*words, path)
    assert "\033" not in done.stdout + done.stderr and "\\x1b[" in done.stdout + done.stderr, done
json.loads(folder.onnx("report", "--json", path).stdout)

# A claim in a graph's input costs no memory, and is said.
big = changed(lambda g: set_dim(g, 1 << 33))
done = folder.onnx("report", folder.write("big.onnx", big), limit=MEMORY)
assert done.returncode in (0, 1) and "1 GiB" in done.stdout + done.stderr, done.stderr + done.stdout

# Any byte changed: refused or reported, no crash.
random.seed(3)
good = made([node("Concat", ("x", "w"), ("c",), axis=0), node("Transpose", ("c",), ("t",), "n2"),
             node("Slice", ("t", "b", "e"), ("y",), "n3")], {**w, "b": i64(0), "e": i64(2)})
good = good.SerializeToString()
for seed in range(300):
    bytes_ = bytearray(good)
    for _ in range(random.randrange(1, 4)):
        bytes_[random.randrange(len(bytes_))] = random.randrange(256)
    if random.random() < 0.2:
        bytes_ = bytes_[:random.randrange(len(bytes_))]
    done = folder.onnx("report", folder.write("fuzz.onnx", bytes(bytes_)), limit=MEMORY)
    if done.returncode not in (0, 1):
        sys.exit(f"seed {seed}: status {done.returncode}: {done.stderr}")
print("malformed models are refused")
