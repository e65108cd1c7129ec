#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What newer versions of ONNX brought, and what cannot be counted, does not spoil the rest of a
model: TensorScatter and BitCast, elements of every type by their size, tensors of more than 8
dimensions, nodes in the bodies of If and Loop.

usage: newer.py ZTL"""

import json
import sys

import numpy as np
from models import Folder, TensorProto, helper, model

folder = Folder(sys.argv[1])
node = helper.make_node
random = np.random.default_rng(24)
x = random.integers(0, 100, (2, 3, 8, 5)).astype(np.float32)


def report(made, *words):
    done = folder.onnx("report", "--json", *words, folder.write("m.onnx", made))
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    return {n["name"]: n for n in said["nodes"]}, said["tally"], said


# TensorScatter: the loop of ONNX's definition, in NumPy.
def scattered(cache, update, positions, axis, circular):
    out = cache.copy()
    for prefix in np.ndindex(cache.shape[:axis]):
        for i in range(update.shape[axis]):
            at = (positions[prefix[0]] if positions is not None else 0) + i
            out[(*prefix, at % cache.shape[axis] if circular else at)] = update[(*prefix, i)]
    return out


count = 0
for axis in (1, 2, 3):
    for mode in ("linear", "circular", None):
        for positions in (None, [1, 0], [0, x.shape[axis] - 2] if mode != "circular" else [9, 4]):
            update = np.take(x, [0, 1], axis) + 200
            more = {} if positions is None else {"p": np.array(positions, np.int64)}
            attributes = {"mode": mode} if mode else {}
            if axis != 2:
                attributes["axis"] = axis - 4
            made = model([node("TensorScatter", ["x", "u", *more], ["y"], name="n", **attributes)],
                         {"x": x, "u": update, **more}, ["y"], opset=24)
            got = folder.run(made, {"x": x, "u": update, **more},
                             "--engine", "sim" if axis == 2 else "host")["y"]
            expected = scattered(x, update, positions, axis, mode == "circular")
            assert np.array_equal(got, expected), (axis, mode, positions)
            row = report(made, "--type", "int8")[0]["n"]
            assert row["state"] == "measured" and row["ztl"] > 0, row
            count += 1

# BitCast is a view, in every type that is asked for, and chains behind it are fused or not.
chain = model([node("Slice", ["x", "one", "nine", "one"], ["s"]),
               node("BitCast", ["s"], ["b"], name="cast", to=TensorProto.INT32),
               node("Transpose", ["b"], ["y"], name="turn")], {"x": x}, ["y"],
              {"one": np.array([1]), "nine": np.array([9])}, 26)
assert np.array_equal(folder.run(chain, {"x": x})["y"], x[:, 1:].view(np.int32).transpose())
for words in ((), ("--type", "int8"), ("--type", "fp32")):
    rows, tally, said = report(chain, "--fuse", *words)
    assert rows["cast"]["state"] == "view" and rows["turn"]["type"] == "int32", rows
    assert all(c["state"] == "measured" for c in said["fused"]["chains"]), said["fused"]
    assert said["fused"]["total"]["ztl"] <= said["total"]["ztl"]
wrong = model([node("BitCast", ["x"], ["y"], name="n", to=TensorProto.INT8)], {"x": x}, ["y"])
done = folder.onnx("report", folder.write("m.onnx", wrong))
assert done.returncode == 1 and "node n (BitCast)" in done.stderr, done

# Types 24 to 26 pass by their size; what is only reshaped may have 2 bits.
for type_, name, moves in ((24, "float8e8m0", True), (25, "uint2", False), (26, "int2", False)):
    made = model([node("Reshape", ["x", "s"], ["r"], name="view"),
                  node("Transpose", ["r"], ["y"], name="turn"),
                  node("Concat", ["w", "w"], ["z"], name="join", axis=0),
                  node("Identity", ["w"], ["v"], name="same")], {"x": x}, ["y", "z", "v"],
                 {"s": np.array([6, 40]), "w": np.zeros(9, np.uint8)})
    made.graph.input[0].type.tensor_type.elem_type = type_
    weight = made.graph.initializer[1]
    weight.data_type, weight.raw_data = type_, bytes(9 if moves else 3)
    rows, tally, _ = report(made)
    assert rows["view"]["state"] == "view" and rows["view"]["type"] == name, rows
    assert rows["turn"]["state"] == ("measured" if moves else "not counted"), rows
    assert moves or [r["why"] for r in tally["reasons"]] == [
        "elements of 2 bits, at least 4 are possible"], tally
    assert report(made, "--fuse")[0] == rows
    weight.raw_data += b"\0"
    done = folder.onnx("report", folder.write("m.onnx", made))
    assert done.returncode == 1 and "raw_data" in done.stderr, done

# A tensor of more than 8 dimensions costs its nodes, not the model.
deep = np.zeros((1, 2) * 4 + (3,), np.float32)
made = model([node("Transpose", ["x"], ["a"], name="good"),
              node("Reshape", ["x", "s"], ["b"], name="up"),
              node("Transpose", ["b"], ["c"], name="deep"), node("Relu", ["c"], ["d"]),
              node("Transpose", ["d"], ["e"], name="behind"),
              node("Identity", ["w"], ["f"], name="constant"),
              node("Transpose", ["k"], ["g"], name="input"),
              node("Unsqueeze", ["x", "t"], ["h"], name="more")], {"x": x, "k": deep},
             ["a", "e", "f", "g", "h"], {"s": np.array([*(1,) * 7, 6, 40]), "w": deep,
                                         "t": np.arange(6)})
rows, tally, _ = report(made)
assert {n for n, r in rows.items() if r["state"] == "measured"} == {"good"}, rows
reasons = {r["why"]: r["nodes"] for r in tally["reasons"]}
assert sum(reasons.values()) == tally["not_counted"] == 6, tally
assert all("rank 9" in why or "rank 10" in why for why in reasons), reasons
np.save(folder.name("x.npy"), x)
np.save(folder.name("k.npy"), np.zeros(1, np.float32))
done = folder.onnx("run", "--input", "x=" + folder.name("x.npy"),
                   "--input", "k=" + folder.name("k.npy"), folder.write("m.onnx", made))
assert done.returncode == 1 and "rank" in done.stderr, done

# Bodies are named, those in bodies too; what they take is not fused away.
inner = helper.make_graph([node("Transpose", ["s"], ["ti"]), node("Relu", ["ti"], ["ri"])], "inner",
                          [], [helper.make_empty_tensor_value_info("ri")])
then = helper.make_graph([node("If", ["c"], ["t"], then_branch=inner, else_branch=inner)], "then",
                         [], [helper.make_empty_tensor_value_info("t")])
other = helper.make_graph([node("Concat", ["s", "s"], ["e"], axis=0)], "other", [],
                          [helper.make_empty_tensor_value_info("e")])
made = model([node("Slice", ["x", "one", "nine", "one"], ["s"], name="taken"),
              node("If", ["c"], ["y"], name="n\033[2J", then_branch=then, else_branch=other),
              node("Transpose", ["s"], ["z"])],
             {"x": x, "c": np.array(True)}, ["y", "z"],
             {"one": np.array([1]), "nine": np.array([9])})
rows, tally, said = report(made, "--fuse", "--type", "int8")
assert tally["bodies"] == [{"nodes": 6, "movement": 3, "operator": "If",
                            "name": "n\\x1b[2J"}], tally
assert said["fused"]["gone"] == 0, said["fused"]
done = folder.onnx("report", folder.name("m.onnx"))
assert ("In the bodies of If n\\x1b[2J, which were not counted: 6 nodes, 3 of them"
        in done.stdout), done.stdout
assert said["tally"]["others"] == 1 and sum(
    n for key, n in tally.items() if isinstance(n, int)) == said["nodes_in_graph"]
del made.graph.node[1]
made.graph.output.remove(made.graph.output[0])
assert report(made, "--fuse", "--type", "int8")[2]["fused"]["gone"] == 1
print(f"{count} updates of a cache, and what is newer")
