#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ONNX's own vectors: every directory whose graph is data movement passes bit by bit, and none is
skipped silently. Which they are is found out by ONNX's library, not by our reader.

usage: vectors.py ZTL"""

import pathlib
import sys
import xml.etree.ElementTree

import onnx
from models import Folder

DATA = pathlib.Path("/usr/share/libonnx-testdata/data")
MOVEMENT = set("""Transpose Concat Reshape Flatten Squeeze Unsqueeze Identity Slice Split Pad Compress
    Gather GatherElements GatherND Scatter ScatterElements ScatterND DepthToSpace SpaceToDepth Tile
    Expand ReverseSequence Resize Upsample Where OneHot Trilu EyeLike ConstantOfShape
    CenterCropPad""".split())
REDUCES = ("none", "")


def is_movement(model):
    """Whether every node is data movement and every value a tensor of numbers."""
    for node in model.graph.node:
        words = {a.name: a.s.decode() for a in node.attribute if a.type == 3}
        if node.op_type not in MOVEMENT or words.get("reduction", "") not in REDUCES:
            return False
        if node.op_type in ("Resize", "Upsample") and words.get("mode", "nearest") != "nearest":
            return False
    values = [*model.graph.input, *model.graph.output]
    return all(v.type.HasField("tensor_type") and v.type.tensor_type.elem_type != 8
               for v in values)


folder = Folder(sys.argv[1])
done = folder.onnx("test", str(DATA), "--junit", folder.name("junit.xml"))
if done.returncode:
    sys.exit("".join(line + "\n" for line in done.stdout.splitlines() if line[:4] != "SKIP"
                     and line[:4] != "PASS") + done.stderr)
cases = list(xml.etree.ElementTree.parse(folder.name("junit.xml")).getroot())
skipped = {case.get("name"): case[0].get("message") for case in cases if len(case)}
assert len(cases) == len(list(DATA.glob("**/model.onnx"))) >= 1000
ours = [path.parent for path in DATA.glob("**/model.onnx") if is_movement(onnx.load(str(path)))]
wrong = [f"{path}: skipped: {skipped[str(path)]}" for path in ours if str(path) in skipped]
wrong += [f"{name}: skipped without a reason" for name, why in skipped.items() if not why]
if wrong:
    sys.exit("\n".join(wrong))
nodes = sum(path.parent.name == "node" for path in ours)
assert nodes >= 131, nodes
print(f"{len(cases) - len(skipped)} of {len(cases)} directories pass; {len(ours)} are data movement "
      f"only, {nodes} of them under node")

# A vector that is changed in one element fails, and the element is named.
broken = pathlib.Path(folder.name("broken"))
(broken / "test_data_set_0").mkdir(parents=True)
source = DATA / "node/test_transpose_all_permutations_0"
(broken / "model.onnx").write_bytes((source / "model.onnx").read_bytes())
for name in ("input_0.pb", "output_0.pb"):
    tensor = onnx.TensorProto()
    tensor.ParseFromString((source / "test_data_set_0" / name).read_bytes())
    if name == "output_0.pb":
        raw = bytearray(tensor.raw_data)
        raw[4 * (tensor.dims[1] * tensor.dims[2] + 2)] ^= 1
        tensor.raw_data = bytes(raw)
    (broken / "test_data_set_0" / name).write_bytes(tensor.SerializeToString())
done = folder.onnx("test", str(broken))
assert done.returncode == 1 and done.stdout.startswith("FAIL"), done.stdout
assert "transposed[1,0,2] is 0x" in done.stdout and "0 passed, 1 failed" in done.stdout, done.stdout
done = folder.onnx("test", folder.name("nowhere"))
assert done.returncode == 1 and "nowhere" in done.stderr
