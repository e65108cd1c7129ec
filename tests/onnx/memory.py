#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whichever allocation fails, one alone or it and all behind it: ztl onnx ends by itself, either
with what it says when memory is there, or with status 1, a message, and no file half-written.

usage: memory.py ZTL SHORT_MEMORY"""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np
from models import Folder, helper, model

folder = Folder(sys.argv[1])
x = np.arange(96, dtype=np.float32).reshape(2, 4, 12)
i64 = np.array([1], np.int64)
nodes = [helper.make_node("Transpose", ["x"], ["t"], perm=[0, 2, 1]),
         helper.make_node("Slice", ["t", "one", "three", "one"], ["s"]),
         helper.make_node("Concat", ["s", "s"], ["c"], axis=2),
         helper.make_node("Gather", ["c", "one"], ["g"], axis=0),
         helper.make_node("ConstantOfShape", ["three"], ["k"]),
         helper.make_node("Shape", ["x"], ["n"]),
         helper.make_node("Reshape", ["x", "n"], ["r"])]
made = model(nodes, {"x": x}, ["g", "k", "r", "c"], {"one": i64, "three": 3 * i64})
os.mkdir(folder.name("a"))
os.mkdir(folder.name("a/test_data_set_0"))
path = folder.write("a/model.onnx", made)
np.save(folder.name("x.npy"), x)
folder.write("x.pb", helper.make_tensor("x", 1, x.shape, x.ravel()))
folder.write("a/test_data_set_0/input_0.pb", helper.make_tensor("x", 1, x.shape, x.ravel()))
c = x.transpose(0, 2, 1)[:, 1:3]
c = np.concatenate([c, c], 2)
for i, y in enumerate((c[[1]], np.zeros(3, np.float32), x, c)):
    folder.write(f"a/test_data_set_0/output_{i}.pb", helper.make_tensor("y", 1, y.shape, y.ravel()))


def run(number, words, fail_at=0, all_behind=False):
    """Status, output, message and the files it wrote, with one allocation refused."""
    out = pathlib.Path(folder.name(f"out{number}"))
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    environment = os.environ | {"LD_PRELOAD": sys.argv[2], "ZTL_COUNT": str(out / "count")}
    if fail_at:
        environment["ZTL_FAIL_AT"] = str(fail_at)
    if all_behind:
        environment["ZTL_FAIL_ON"] = "1"
    done = subprocess.run([folder.ztl, "onnx", *words, path if words[0] != "test" else folder.path],
                          capture_output=True, cwd=out, env=environment, timeout=120)
    count = int((out / "count").read_text()) if (out / "count").exists() else 0
    files = {str(f.relative_to(out)): re.sub(rb' time="[0-9.]*"', b"", f.read_bytes())
             for f in out.rglob("*") if f.is_file() and f.name != "count"}
    return done.returncode, done.stdout, done.stderr, files, count


def what_is_wrong(number, words, good, fail_at, all_behind):
    status, stdout, stderr, files, _ = run(number, words, fail_at, all_behind)
    what = f"{words}: allocation {fail_at}{' and all behind it' if all_behind else ''}: "
    if status == 0 and (stdout, files) != (good[1], good[3]):
        return f"{what}status 0, but not what it says otherwise: {stdout.decode()}"
    is_short = status == 2 and stderr == b"ztl onnx report: --timing: no memory\n"
    if status and not is_short and (status != 1 or (not stderr and b"FAIL" not in stdout)):
        return f"{what}status {status}: {stderr.decode()}"
    if status == 1 and words[1] == "--json" and stdout:
        report = json.loads(stdout)
        tally = {key: n for key, n in report["tally"].items() if isinstance(n, int)}
        if tally["failed"] < 1 or sum(tally.values()) != report["nodes_in_graph"]:
            return f"{what}a report of {tally}"
    if status == 1 and any(name not in good[3] for name in files):
        return f"{what}half-written: {sorted(files)}"
    return None


COMMANDS = (("report", "--timing", "four", "--fuse", "--html", "r.html"),
            ("report", "--json", "--type", "int8"),
            ("run", "--input", "x=" + folder.name("x.npy"), "--output-dir", "o", "--stats"),
            ("run", "--input", folder.name("x.pb"), "--engine", "sim"),
            ("test", "--junit", "j.xml"))
tried = 0
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for words in COMMANDS:
        good = run(0, words)
        assert good[0] == 0, good
        cases = [(words, good, n, behind)
                 for n in range(1, good[4] + 1) for behind in (False, True)]
        tried += len(cases)
        numbered = [(i % 64 + 1, *case) for i, case in enumerate(cases)]
        wrong = [text for text in pool.map(lambda case: what_is_wrong(*case), numbered) if text]
        if wrong:
            sys.exit(f"{len(wrong)} of {len(cases)} wrong:\n" + "\n".join(wrong[:12]))
print(f"{tried} times memory was short, and every time it was said")
