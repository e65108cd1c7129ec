#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A report says what became of every node: what was compared, what is a view, what was not counted,
and why, in text, JSON and HTML; the numbers add up to that of the nodes.

usage: tally.py ZTL"""

import json
import pathlib
import re
import sys

import numpy as np
from models import Folder, helper, model

folder = Folder(sys.argv[1])
x = np.zeros((4, 6), np.float32)
node = helper.make_node
nodes = [node("Transpose", ["x"], ["a"]), node("Transpose", ["x"], ["b"]),
         node("Reshape", ["a", "s"], ["c"]),
         node("Transpose", ["u"], ["d"], name="first"), node("Concat", ["d", "u"], ["e"], axis=0),
         node("ScatterND", ["x", "i", "x"], ["f"], name="sum", reduction="add"),
         node("Transpose", ["big"], ["g"], name="huge"),
         node("Slice", ["x", "p", "q"], ["h"], name="where"),
         node("Fused", ["x"], ["l"], domain="com.example"), node("Relu", ["l"], ["m"]),
         node("Transpose", ["m"], ["o"], name="behind"),
         node("Shape", ["x"], ["k"]), node("Relu", ["x"], ["r"]), node("Relu", ["r"], ["t"])]
made = model(nodes, {"x": x, "u": x, "big": x, "p": np.zeros(1, np.int64)},
             ["b", "c", "e", "f", "g", "h", "k", "t", "o"],
             {"s": np.array([3, 8]), "q": np.array([2]), "i": np.arange(4).reshape(4, 1)}, 18)
made.graph.input[1].type.tensor_type.shape.dim[0].dim_param = "n"
made.graph.input[2].type.tensor_type.shape.dim[0].dim_value = 1 << 28
path = folder.write("m.onnx", made)
TALLY = {"compared": 2, "views": 1, "failed": 0, "not_counted": 6, "constants": 1, "others": 3,
         "foreign": 1}
WHY = [(2, "the shape of input u is not known", "first"),
       (1, "with a reduction: that is arithmetic", "sum"),
       (1, "more than 1 GiB: not simulated", "huge"),
       (1, "the elements of input p are not known", "where"),
       (1, "no shape is inferred behind com.example.Fused", "behind")]


def check(tally):
    reasons = [(r["nodes"], r["why"], r["first"]) for r in tally.pop("reasons")]
    assert tally.pop("bodies") == []
    assert tally == TALLY and sorted(reasons) == sorted(WHY), (tally, reasons)
    assert sum(tally.values()) == len(nodes) and sum(r[0] for r in reasons) == tally["not_counted"]


done = folder.onnx("report", "--json", "--html", folder.name("r.html"), path)
assert done.returncode == 0, done.stderr
check(json.loads(done.stdout)["tally"])
page = pathlib.Path(folder.name("r.html")).read_text()
check(json.loads(re.search(r"const data = (\{.*?\n\});", page, flags=re.S).group(1))["tally"])
done = folder.onnx("report", path)
for text in (page, done.stdout):
    assert "very output" not in text, text
end = done.stdout[done.stdout.index(f"Of {len(nodes)} nodes"):].splitlines()
counts = [int(line.split()[0]) for line in end[1:] if line[:9].strip()]
assert counts == [2, 1, 6, 1, 3, 1] and "FAILED" not in done.stdout, end
assert "com.example.Fused 1" in done.stdout and "Relu 3" in done.stdout, done.stdout
for count, why, first in WHY:
    assert f"          {count}: {why}, first {first}" in end, end
print("what became of every node is said")
