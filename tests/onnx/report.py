#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reports: nodes that are alike are counted together, views cost nothing, counts are those that
ztl op prints for the same operator, fusing takes less, JSON and HTML hold the same; models of
networks beside the source tree, where there are some, report to the end.

usage: report.py ZTL"""

import json
import pathlib
import re
import subprocess
import sys

import numpy as np
from models import Folder, helper, model

folder = Folder(sys.argv[1])
x = np.zeros((1, 64, 56, 56), np.float32)
nodes = [helper.make_node("Transpose", ["x"], ["a"], name="first", perm=[0, 2, 3, 1]),
         helper.make_node("Relu", ["a"], ["b"]),
         helper.make_node("Transpose", ["b"], ["c"], name="back", perm=[0, 3, 1, 2]),
         helper.make_node("Relu", ["c"], ["d"]),
         helper.make_node("Transpose", ["d"], ["e"], name="again", perm=[0, 2, 3, 1]),
         helper.make_node("Reshape", ["e", "s"], ["f"], name="view"),
         helper.make_node("Slice", ["f", "b0", "e0", "a1"], ["g"], name="part"),
         helper.make_node("Transpose", ["g"], ["y"], name="last")]
infos = [helper.make_tensor_value_info(name, 1, shape) for name, shape in
         (("b", [1, 56, 56, 64]), ("d", [1, 64, 56, 56]))]
made = model(nodes, {"x": x}, ["y"], {"s": np.array([3136, 64]), "b0": np.array([3]),
                                      "e0": np.array([35]), "a1": np.array([1])}, infos=infos)
path = folder.write("m.onnx", made)


def report(*words):
    done = folder.onnx("report", "--json", *words, path)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def operator(*words):
    done = subprocess.run([folder.ztl, "op", *words, "--json"], capture_output=True, text=True,
                          check=True)
    return json.loads(done.stdout)


for kind, dtype in (("int8", np.int8), ("fp16", np.float16), ("fp32", np.float32)):
    r = report("--type", kind, "--timing", "four")
    node = {n["name"]: n for n in r["nodes"]}
    np.save(folder.name("x.npy"), x.astype(dtype))
    alone = operator("transpose", folder.name("x.npy"), "--perm", "0,2,3,1")
    text = json.dumps(alone)
    assert f'"lower_bound": {node["first"]["lower_bound"]}' in text, text
    assert re.search(rf': {node["first"]["ztl"]}\b', text), text
    assert node["first"]["ztl"] == sum(node["first"]["instructions"].values())
    assert {k: v for k, v in node["first"].items() if k != "name"} == \
        {k: v for k, v in node["again"].items() if k != "name"}
    assert node["view"]["state"] == "view" and node["view"]["ztl"] == 0
    assert node["first"]["shapes"] == "1,64,56,56 => 1,56,56,64" and node["first"]["cycles"] > 0
    assert r["total"]["ztl"] == sum(n["ztl"] for n in r["nodes"])
    assert r["total"]["cycles"] == sum(o["cycles"] for o in r["operators"])
    assert r["others"] == [{"operator": "Relu", "nodes": 2, "output_bytes": 2 * x.size
                            * np.dtype(dtype).itemsize}], r["others"]
    assert node["first"]["retired"] < node["first"]["words_retired"]
    assert node["first"]["words_retired"] == node["first"]["scalar_retired"]  # nothing lies together
    assert node["part"]["words_retired"] <= node["part"]["scalar_retired"]

# Fused: the slice is not moved any more, and the transposes before it are what they were.
plain, fused = report("--type=int8"), report("--type=int8", "--fuse")
assert "fused" not in plain and fused["total"] == plain["total"]
chains = {c["operator"]: c for c in fused["fused"]["chains"]}
assert "Slice+Transpose" in next(iter(chains)), chains
assert fused["fused"]["total"]["ztl"] < plain["total"]["ztl"] and fused["fused"]["gone"] >= 1
assert all(c["state"] == "measured" for c in chains.values())

# Fusing into a concat: both halves are written where they belong.
halves = [helper.make_node("Transpose", ["x"], ["a"], perm=[0, 2, 3, 1]),
          helper.make_node("Pad", ["x", "p"], ["b"]),
          helper.make_node("Transpose", ["b"], ["c"], perm=[0, 2, 3, 1]),
          helper.make_node("Slice", ["c", "z", "n", "one"], ["d"]),
          helper.make_node("Concat", ["a", "d"], ["y"], axis=0)]
path = folder.write("concat.onnx", model(
    halves, {"x": x}, ["y"], {"p": np.array([0, 0, 0, 0, 0, 0, 1, 1]), "z": np.array([0, 0]),
                              "n": np.array([56, 56]), "one": np.array([1, 2])}))
fused = report("--type=int8", "--fuse", "--timing=four")
assert all(c["state"] == "measured" for c in fused["fused"]["chains"])
assert fused["fused"]["total"]["ztl"] < fused["total"]["ztl"]
assert any("+Concat" in c["operator"] for c in fused["fused"]["chains"]), fused["fused"]

# im2col: the patches of a convolution; kernels of 1x1 need none.
conv = [helper.make_node("Conv", ["x", "w"], ["a"], kernel_shape=[3, 3], auto_pad="SAME_UPPER"),
        helper.make_node("Conv", ["a", "v"], ["y"], kernel_shape=[1, 1])]
path = folder.write("conv.onnx", model(
    conv, {"x": x, "w": np.zeros((8, 64, 3, 3), np.float32),
           "v": np.zeros((8, 8, 1, 1), np.float32)}, ["y"],
    infos=[helper.make_tensor_value_info("a", 1, [1, 8, 56, 56])]))
r = report("--type=int8", "--im2col")
assert r["nodes"][0]["shapes"].endswith("=> 1,576,3136"), r["nodes"][0]
assert [n["state"] for n in r["nodes"]] == ["measured", "view"]
assert report()["nodes"] == []

# Text within 80 columns but for long shapes; the page is whole in itself.
done = folder.onnx("report", "--html", folder.name("r.html"), "--timing", "one", path)
assert done.returncode == 0 and max(map(len, done.stdout.splitlines())) <= 80, done.stdout
page = pathlib.Path(folder.name("r.html")).read_text()
assert "/*DATA*/" not in page and not re.search(r'(src|href)\s*=\s*["\']?http', page)
data = re.search(r"const data = (\{.*?\n\});", page, flags=re.S).group(1)
assert json.loads(data)["machine"] == "one"

# On a phone, by day and night: nothing has a width of its own but in what scrolls by itself.
style = re.search(r"<style>(.*?)</style>", page, flags=re.S).group(1)
assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in page
assert not re.search(r"[^-]width[=:]\W*\d{3,}", page.replace(style, "")), "a fixed width"
assert re.findall(r"\n[^@\n]*[^-]width: (\d{3,})px", style) == []
tables = page.count("<table id=")
assert tables == page.count('<div class="wide"><table id=') == 3
night = re.search(r"@media \(prefers-color-scheme: dark\) \{(.*?)\n\}", style, flags=re.S).group(1)
day = style.replace(night, "")
colours = {"--" + name for name in re.findall(r"var\(--(\w+)\)", page)}
for scheme in day, night:
    assert colours <= set(re.findall(r"(--\w+):", scheme)), (colours, scheme)
assert not re.search(r"#[0-9a-f]{3,6}", re.sub(r":root \{.*?\}", "", style, flags=re.S)), style

# Each heading stands once, and each word of the columns is explained.
titles = re.findall(r"<h2[^>]*>([^<]+)</h2>", page)
assert len(titles) == len(set(titles)) > 4, titles
columns = re.search(r"const figures = \[(.*?)\]\);", page, flags=re.S).group(1)
columns = re.findall(r'^  (?:\.\.\.compared\(|\[)"([^"]+)"', columns, flags=re.M)
assert columns == ["Ztl", "bound", "ratio", "retired", "floor", "cycles"], columns
compared = re.search(r"const compared = .*?\];", page, flags=re.S).group(0)
assert len(set(re.findall(r"`([^`]*)`", compared))) == 4, compared
terms = re.search(r"const legend = .*?\]\);", page, flags=re.S).group(0)
assert set(columns) | {"plain C", "words", "gain"} == set(re.findall(r'^  \["([^"]+)"', terms, flags=re.M))

# The floor: what the ports of 64 bytes a cycle take for each byte once.
flat = folder.write("flat.onnx", model([helper.make_node("Transpose", ["x"], ["y"])],
                                       {"x": np.zeros((96, 64), np.int8)}, ["y"]))
row, = json.loads(folder.onnx("report", "--json", "--timing", "four", flat).stdout)["nodes"]
assert row["floor"] == 96 * 64 // 64 < row["cycles"], row
shown = folder.onnx("report", "--timing", "four", flat).stdout
assert f"bound; cycles {row['cycles'] / 96:.2f} of the floor\n" in shown, shown
done = folder.onnx("report", path, "--html", folder.name("no/where.html"))
assert done.returncode == 1 and "where.html" in done.stderr and not done.stdout
done = folder.onnx("report", path, "--type", "int4")
assert done.returncode == 2 and "int8, fp16 or fp32" in done.stderr

# A shape that is not known is said, with the node; --dim gives one.
symbolic = model([helper.make_node("Transpose", ["x"], ["y"], name="t")], {"x": x}, ["y"])
symbolic.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "batch"
path = folder.write("dim.onnx", symbolic)
r = report()
assert r["nodes"][0]["state"] == "not counted" and "x" in r["nodes"][0]["why"], r
assert report("--dim", "batch=2")["nodes"][0]["shapes"] == "2,64,56,56 => 56,56,64,2"

networks = pathlib.Path(__file__).resolve().parents[2].parent / "shared/models"
for network in sorted(networks.glob("*.onnx")):
    path = str(network)
    r = report("--type=int8", "--fuse", "--timing=four")
    states = {n["state"] for n in r["nodes"]} | {c["state"] for c in r["fused"]["chains"]}
    assert states <= {"view", "measured"}, (network.name, states)
    assert r["fused"]["total"]["ztl"] <= r["total"]["ztl"], network.name
    print(network.name, r["total"]["ztl"], r["fused"]["total"]["ztl"])
