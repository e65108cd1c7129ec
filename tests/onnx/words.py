#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plain C by words does what plain C does on wider elements: a tensor of bytes whose runs can be
read as words takes as many instructions and cycles as the tensor of those words. Where elements do
not lie side by side, or words would not be aligned, it takes as many as element by element.

usage: words.py ZTL"""

import json
import sys

import numpy as np
from models import Folder, helper, model

folder = Folder(sys.argv[1])
WIDER = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def i64(*numbers):
    return np.array(numbers, np.int64)


def nodes(wide):
    """(operator, inputs behind x, attributes, shape of x), in elements of so many bytes"""
    a, b, c = 4, 6, 32 // wide
    yield "Transpose", {}, {"perm": [1, 0, 2]}, (a, b, c)
    yield "Concat", {"x": None}, {"axis": 1}, (a, b, c)
    yield "Slice", {"s": i64(8 // wide), "e": i64(24 // wide), "t": i64(2)}, {}, (a, b, c)
    yield "Tile", {"r": i64(1, 3, 1)}, {}, (a, b, c)
    yield "Pad", {"p": i64(0, 1, 8 // wide, 1, 0, 16 // wide)}, {}, (a, b, c)
    yield "Gather", {"i": i64(5, 0, 3, 3)}, {"axis": 1}, (a, b, c)
    yield "GatherND", {"i": i64([0, 1], [3, 5])}, {}, (a, b, c)
    yield "ScatterND", {"i": i64([1], [2]), "u": np.ones((2, b, c), WIDER[wide])}, {}, (a, b, c)
    yield "Expand", {"s": i64(a, b, c)}, {}, (a, 1, c)


def counts(wide, kind, more, attributes, shape):
    node = helper.make_node(kind, ["x", *more], ["y"], **attributes)
    made = model([node], {"x": np.zeros(shape, WIDER[wide])}, ["y"],
                 {name: array for name, array in more.items() if array is not None}, 13)
    done = folder.onnx("report", "--json", "--timing", "one", folder.write("m.onnx", made))
    assert done.returncode == 0, done.stderr
    (found,) = json.loads(done.stdout)["nodes"]
    assert found["state"] == "measured", found
    return found


for of_bytes, of_words in zip(nodes(1), nodes(8)):
    narrow, words = counts(1, *of_bytes), counts(8, *of_words)
    for unit in ("retired", "cycles"):
        mine, judge = narrow[f"words_{unit}"], words[f"scalar_{unit}"]
        assert mine == judge < narrow[f"scalar_{unit}"], (of_bytes, unit, mine, judge)
        assert words[f"words_{unit}"] == judge, (of_words, words)

# Runs of 2 or 4 bytes and odd starts: as wide as all of them allow.
for last, wide in ((2, 2), (4, 4), (6, 2), (12, 4), (7, 1), (9, 1)):
    perm = {"perm": [1, 0, 2]}
    narrow = counts(1, "Transpose", {}, perm, (5, 6, last))
    words = counts(wide, "Transpose", {}, perm, (5, 6, last // wide))
    assert narrow["words_retired"] == words["scalar_retired"], (last, wide, narrow, words)
swapped = counts(1, "Transpose", {}, {"perm": [0, 2, 1]}, (2, 32, 64))
assert swapped["words_retired"] == swapped["scalar_retired"], swapped
print("words are what wider elements are")
