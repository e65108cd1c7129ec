#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A node without an input that it must have is refused, by the names of both, whether the input has
an empty name or is not there. Which inputs those are is what ONNX's own library says, for all of its
operators in all of their versions. Without an optional input, or an output, nothing crashes.

usage: inputs.py ZTL"""

import concurrent.futures
import os
import sys

import onnx
from models import Folder, helper

folder = Folder(sys.argv[1])
SINGLE, OPTIONAL, VARIADIC = 0, 1, 2
BODIES = ("Loop", "Scan", "SequenceMap")  # what these take is for their bodies to say

# Operators that are newer than the library: (opset, their required inputs).
NEWER = {"CenterCropPad": (18, "input_data shape"), "Pad": (18, "data pads"), "Resize": (18, "X"),
         "Split": (18, "input"), "ReduceMax": (18, "data"), "TensorScatter": (24, "past_cache update"),
         "BitCast": (26, "input"), "RotaryEmbedding": (23, "X cos_cache sin_cache")}


def operators():
    """(operator, opset, inputs with their options, outputs)"""
    for schema in onnx.defs.get_all_schemas_with_history():
        if schema.domain == "" and not schema.deprecated:
            yield (schema.name, schema.since_version,
                   [(p.name, int(p.option)) for p in schema.inputs], len(schema.outputs))
    for kind, (opset, names) in NEWER.items():
        yield kind, opset, [(name, SINGLE) for name in names.split()], 1


def cases():
    """(name of the case, operator, opset, its inputs, its outputs, the missing one or None)"""
    for kind, opset, formal, outputs in operators():
        made = [f"y{i}" for i in range(outputs)]
        names = [f"i{i}" for i in range(len(formal))]
        for i, (name, option) in enumerate(formal):
            needed = option == SINGLE or (option == VARIADIC and kind not in BODIES)
            missing = name if needed else None
            yield kind, opset, [*names[:i], "", *names[i + 1:]], made, missing
            if i + 1 == len(formal) or needed:
                yield kind, opset, names[:i], made, missing
            if option == VARIADIC:
                yield kind, opset, [*names, "", "i0"], made, missing
        for i in range(outputs):
            yield kind, opset, names, [*made[:i], "", *made[i + 1:]], None
        yield kind, opset, names, [], None


def run(number, case):
    """What is wrong, or None."""
    kind, opset, inputs, outputs, missing = case
    path = folder.write(f"{number}.onnx", model(kind, opset, inputs, outputs))
    done = folder.onnx("report", path)
    os.unlink(path)
    what = f"{kind} of opset {opset} on {inputs}, {outputs}: status {done.returncode}: {done.stderr}"
    if done.returncode not in (0, 1) or (done.returncode == 1 and not done.stderr):
        return what
    said = "its input" in done.stderr
    if missing is None:
        return what if said else None
    right = f"node n ({kind}): its input {missing} is missing" in done.stderr
    return None if right and done.returncode == 1 and not done.stdout else what


def model(kind, opset, inputs, outputs):
    """A node on tensors that no shape is wrong for."""
    given = sorted({name for name in inputs if name})
    graph = helper.make_graph(
        [helper.make_node(kind, inputs, outputs, name="n", axis=0, to=1, perm=[0])], "g",
        [helper.make_tensor_value_info(name, onnx.TensorProto.INT64, [2]) for name in given],
        [helper.make_empty_tensor_value_info(name) for name in outputs if name])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])


with concurrent.futures.ThreadPoolExecutor(2) as pool:
    wrong = [text for text in pool.map(run, *zip(*enumerate(cases()))) if text]
if wrong:
    sys.exit(f"{len(wrong)} wrong:\n" + "\n".join(wrong[:20]))
print(f"{len(list(cases()))} nodes without an input or an output, "
      f"{sum(case[4] is not None for case in cases())} of them refused")
