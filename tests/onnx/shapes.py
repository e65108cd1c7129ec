#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shapes and types that are inferred are those that ONNX's vectors have, that ONNX's own inference
finds for random nodes, and that networks beside the source tree recorded before they were stripped.

usage: shapes.py ZTL"""

import concurrent.futures
import json
import os
import pathlib
import random
import sys

import onnx
from models import Folder, helper, numpy_helper

DATA = pathlib.Path("/usr/share/libonnx-testdata/data")
folder = Folder(sys.argv[1])

# Operators whose outputs have extents that only their elements tell, or that are no tensors of
# numbers, or that run a body; and those that real networks do not consist of.
UNKNOWN = set("""NonMaxSuppression NonZero Unique Compress StringNormalizer RegexFullMatch
    StringConcat StringSplit LabelEncoder TfIdfVectorizer ImageDecoder If Loop Scan SequenceMap SequenceAt
    SequenceConstruct SequenceEmpty SequenceErase SequenceInsert SequenceLength SplitToSequence
    ConcatFromSequence OptionalGetElement OptionalHasElement Optional ReverseSequence""".split())
RARE = set("""Adagrad Adam Momentum Gradient AffineGrid ArrayFeatureExtractor Binarizer BlackmanWindow
    HammingWindow HannWindow Col2Im DFT STFT MelWeightMatrix MaxUnpool
    NegativeLogLikelihoodLoss SoftmaxCrossEntropyLoss Multinomial Range TreeEnsemble""".split())


def form(type_):
    """("float32", (1, 2)); None where something is not known."""
    tensor = type_.tensor_type
    if not type_.HasField("tensor_type") or not tensor.HasField("shape"):
        return None
    extents = tuple(d.dim_value if d.HasField("dim_value") else None for d in tensor.shape.dim)
    if tensor.elem_type == onnx.TensorProto.STRING or None in extents:
        return None
    return names.get(tensor.elem_type, "?"), extents


names = {t: n for t, n in zip(
    (1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23),
    """float32 uint8 int8 uint16 int16 int32 int64 bool float16 float64 uint32 uint64 complex64
    complex128 bfloat16 float8e4m3fn float8e4m3fnuz float8e5m2 float8e5m2fnuz uint4 int4 float4e2m1""".split())}


def inferred(number, model, values):
    """What the report says of these values: each goes through an Identity, which is a row."""
    model = onnx.ModelProto.FromString(model.SerializeToString())
    del model.graph.value_info[:]
    for i, value in enumerate(values):
        name = f"seen {i}"
        model.graph.node.append(helper.make_node("Identity", [value], [name], name=name))
    del model.graph.output[:]
    model.graph.output.extend(helper.make_empty_tensor_value_info(f"seen {i}")
                              for i in range(len(values)))
    path = folder.write(f"{number}.onnx", model)
    done = folder.onnx("report", "--json", path)
    os.unlink(path)
    if done.returncode:
        return done.stderr
    found = {}
    for row in json.loads(done.stdout)["nodes"]:
        if row["name"].startswith("seen ") and row["shapes"]:
            shape = row["shapes"].split(" => ")[1]
            extents = () if shape == "scalar" else tuple(int(n) for n in shape.split(","))
            found[values[int(row["name"][5:])]] = (row["type"], extents)
    return found


def compare(what, found, expected):
    """What is wrong, or None. Constants have no row."""
    if isinstance(found, str):
        return f"{what}: {found}"
    for value, known in expected.items():
        if known != found.get(value):
            return f"{what}: {value} is {found.get(value)}, expected {known}"
    return None


def take_parameters(model, path):
    """Inputs of integers in one dimension become constants: parameters are, in networks."""
    kept = []
    for i, given in enumerate(model.graph.input):
        file = path / f"test_data_set_0/input_{i}.pb"
        known = form(given.type)
        named = given.name in ("scales", "roi", "depth")
        if known and len(known[1]) < 2 and (known[0] == "int64" or named):
            tensor = onnx.TensorProto.FromString(file.read_bytes())
            tensor.name = given.name
            model.graph.initializer.append(tensor)
        else:
            kept.append(given)
    del model.graph.input[:]
    model.graph.input.extend(kept)
    return kept


def check_vector(case):
    """(operators, what is wrong or None); operators are empty where nothing can be expected."""
    number, path = case
    model = onnx.load(str(path / "model.onnx"))
    kinds = {node.op_type for node in model.graph.node}
    expected = {o.name: form(o.type) for o in model.graph.output}
    recorded = {name: known for name, known in expected.items() if known and known[0] != "?"}
    if not recorded or kinds & (UNKNOWN | RARE) or any(n.domain not in ("", "ai.onnx")
                                                      for n in model.graph.node):
        return set(), None
    kept = take_parameters(model, path)
    found = inferred(number, model, list(recorded))
    if not kept and isinstance(found, dict):  # all is computed: nothing is left to infer
        return set(), None
    if isinstance(found, dict):
        recorded = {name: known for name, known in recorded.items()
                    if name in found or not is_constant(model, name)}
    return kinds, compare(path.name, found, recorded)


def is_constant(model, name):
    """Whether a value is made from constants alone."""
    node = next((n for n in model.graph.node if name in n.output), None)
    if node is not None and node.op_type in ("Shape", "Size"):
        return True
    outside = {i.name for i in model.graph.input}
    known = {"", *(t.name for t in model.graph.initializer)}
    return node is not None and all(i in known or (i not in outside and is_constant(model, i))
                                    for i in node.input)


paths = sorted(p.parent for p in DATA.glob("**/model.onnx"))
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    results = list(pool.map(check_vector, enumerate(paths)))
wrong = [text for _, text in results if text]
if wrong:
    sys.exit(f"{len(wrong)} wrong:\n" + "\n".join(wrong[:60]))
seen = set().union(*(kinds for kinds, _ in results))
assert len(seen) >= 130, sorted(seen)
print(f"{sum(bool(kinds) for kinds, _ in results)} vectors, {len(seen)} operators")


# Random nodes, with ONNX's own inference as the judge.
def axes_of(rank, count):
    return sorted(random.sample(range(rank), count))


def window(rank):
    pads = [random.randrange(3) for _ in range(2 * rank)]
    made = {"kernel_shape": [random.randrange(1, 4) for _ in range(rank)]}
    if random.random() < .7:
        made["strides"] = [random.randrange(1, 4) for _ in range(rank)]
    if random.random() < .4:
        made["auto_pad"] = random.choice(["SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET"])
    if made.get("auto_pad", "NOTSET") == "NOTSET" and random.random() < .7:
        made["pads"] = pads
    return made


def broadcasts(shape):
    """A shape that goes with this one."""
    cut = random.randrange(len(shape) + 1)
    return [random.choice([1, n]) for n in shape[cut:]]


KINDS = """Conv ConvTranspose MaxPool AveragePool MatMul Gemm Einsum ReduceMean ReduceSum ArgMax TopK
    Add Where LSTM GRU Softmax Gather Resize Expand GlobalAveragePool""".split()


def random_node():
    """(operator, shapes of its inputs, attributes, constants behind them)"""
    kind = random.choice(KINDS)
    rank = random.randrange(1, 5)
    shape = [random.randrange(1, 9) for _ in range(rank)]
    image = [random.randrange(1, 3), 2 * random.randrange(1, 4)]
    image += [random.randrange(7, 16) for _ in range(random.randrange(1, 4))]
    if kind in ("Conv", "ConvTranspose"):
        w = window(len(image) - 2)
        if kind == "Conv" and random.random() < .5:
            w["dilations"] = [random.randrange(1, 3) for _ in image[2:]]
        if kind == "ConvTranspose" and w.get("auto_pad", "")[:4] == "SAME":
            w.pop("strides", None)  # that release shortens kernels smaller than their stride
        group = random.choice([1, 2])
        weight = [4, image[1] // group] if kind == "Conv" else [image[1], 3]
        return kind, [image, weight + w["kernel_shape"]], {**w, "group": group}, []
    if kind in ("MaxPool", "AveragePool"):
        return kind, [image], window(len(image) - 2), []
    if kind == "GlobalAveragePool":
        return kind, [image], {}, []
    if kind == "MatMul":
        k, a, b = random.randrange(1, 9), shape, broadcasts(shape)
        left, right = random.choice([[*a, 5, k], [k]]), random.choice([[*b, k, 7], [k]])
        return kind, [left, right], {}, []
    if kind == "Gemm":
        a, b = random.randrange(2), random.randrange(2)
        return kind, [[3, 5][::1 - 2 * a], [5, 7][::1 - 2 * b], [7]], {"transA": a, "transB": b}, []
    if kind == "Einsum":
        return random.choice([(kind, [[2, 3, 4], [2, 4, 5]], {"equation": "bij, bjk -> bik"}, []),
                              (kind, [[2, 3, 4], [5, 4]], {"equation": "...j,kj->...k"}, []),
                              (kind, [[4, 4]], {"equation": "ii->i"}, []),
                              (kind, [[2, 3], [3, 4]], {"equation": "ij,jk"}, []),
                              (kind, [[2, 3, 4, 5], [2, 3, 6, 5]],
                               {"equation": "bhid,bhjd->bhij"}, [])])
    if kind in ("ReduceMean", "ReduceSum"):
        axes = axes_of(rank, random.randrange(1, rank + 1))
        axes = [a - rank * random.randrange(2) for a in axes]
        keep = {"keepdims": random.randrange(2)}
        return ((kind, [shape], keep, [axes]) if kind == "ReduceSum" else
                (kind, [shape], {**keep, "axes": axes}, []))
    axis = random.randrange(-rank, rank)
    if kind in ("ArgMax", "Softmax"):
        return kind, [shape], {"axis": axis, **({"keepdims": 0} if kind == "ArgMax" else {})}, []
    if kind == "TopK":
        return kind, [shape], {"axis": axis}, [[1]]
    if kind == "Add":
        return kind, random.sample([shape, broadcasts(shape)], 2), {}, []
    if kind == "Where":
        return kind, [broadcasts(shape), shape, broadcasts(shape)], {}, []
    if kind == "Expand":
        return kind, [broadcasts(shape)], {}, [shape]
    if kind == "Gather":
        return kind, [shape, [2, 3]], {"axis": axis}, []
    if kind == "Resize":
        scales = [random.choice([.5, 2., 1.7]) for _ in image]
        return kind, [image], {"mode": "linear"}, [None, scales]
    ways, size = random.randrange(1, 3), {"LSTM": 4, "GRU": 3}[kind]
    return (kind, [[5, 2, 3], [ways, size * 6, 3], [ways, size * 6, 6]],
            {"hidden_size": 6, "direction": "bidirectional" if ways == 2 else "forward"}, [])


def random_model():
    kind, shapes, attributes, constants = random_node()
    types = {("Where", 0): onnx.TensorProto.BOOL, ("Gather", 1): onnx.TensorProto.INT64}
    inputs = [f"i{i}" for i in range(len(shapes))]
    behind = [f"c{i}" if c is not None else "" for i, c in enumerate(constants)]
    outputs = ["y", "z"] if kind in ("TopK", "LSTM", "GRU", "MaxPool") else ["y"]
    node = helper.make_node(kind, inputs + behind, outputs, **attributes)
    graph = helper.make_graph(
        [node], "g", [helper.make_tensor_value_info(name, types.get((kind, i), 1), shape)
                      for i, (name, shape) in enumerate(zip(inputs, shapes))],
        [helper.make_empty_tensor_value_info(o) for o in node.output],
        [helper.make_tensor(name, 1 if kind == "Resize" else 7, [len(c)], c)
         for name, c in zip(behind, constants) if c is not None])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 15)])
    return model, f"{kind} of {shapes} with {attributes} and {constants}"


def check_random(case):
    number, (model, what) = case
    judged = onnx.shape_inference.infer_shapes(model)
    expected = {o.name: form(o.type) for o in judged.graph.output if form(o.type)}
    if any(n < 1 for _, extents in expected.values() for n in extents):
        return None
    return compare(what, inferred(f"r{number}", model, list(expected)), expected)


random.seed(23)
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    wrong = [t for t in pool.map(check_random, enumerate(random_model() for _ in range(600))) if t]
if wrong:
    sys.exit(f"{len(wrong)} random nodes wrong:\n" + "\n".join(wrong[:20]))

# Networks: what they recorded is inferred again.
networks = pathlib.Path(__file__).resolve().parents[2].parent / "shared/models"
for network in sorted(networks.glob("*.onnx")):
    model = onnx.load(str(network))
    constants = {o for n in model.graph.node if n.op_type == "Constant" for o in n.output}
    recorded = {v.name: form(v.type) for v in [*model.graph.value_info, *model.graph.output]
                if form(v.type) and v.name not in constants}
    text = compare(network.name, inferred("n", model, list(recorded)), recorded)
    if text:
        sys.exit(text)
    print(network.name, len(recorded))
