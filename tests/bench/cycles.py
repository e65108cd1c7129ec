#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""ztl bench ops --cycles and ztl op --timing: the figures of whole operators against hand
calculations and against each other, timelines, sweeps, what is refused.

usage: cycles.py ZTL
"""
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

ZTL = os.path.abspath(sys.argv[1])
KIND = "kinds"


def ztl(*arguments, status=0):
    done = subprocess.run([ZTL, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == status, (arguments, done.returncode, done.stdout, done.stderr)
    return done


def refused(words, *arguments):
    message = ztl(*arguments, status=2).stderr
    assert words in message, (arguments, message)


def bench(*arguments):
    return json.loads(ztl("bench", "ops", "--cycles", "--json", *arguments).stdout)


def check_row(row):
    assert row["cycles"] >= row["bound"] >= row["floor"] > 0, row
    assert sum(row["lost"].values()) == row["cycles"] - row["bound"], row
    for key, a, b in (("per_bound", "cycles", "bound"), ("per_floor", "cycles", "floor"),
                      ("per_floor_kinds", "cycles_kinds", "floor"),
                      ("one", "cycles_one", "cycles"), ("retired_per_ztl", "retired", "ztl"),
                      ("gain", "scalar_cycles", "cycles")):
        assert abs(row[key] - row[a] / row[b]) < 6e-4, (key, row)
    # Of scalar C every instruction is one cycle, a read or a jump two, and there is nothing else.
    assert row["scalar_retired"] < row["scalar_cycles"] < 2 * row["scalar_retired"], row


def check_table():
    """heads 4x49x12x32: rows of 32 elements."""
    only = "heads 4x49x12x32"
    report = bench("--only", only, "--machine", KIND, "--for", "instructions")
    counted = json.loads(ztl("bench", "ops", "--json", "--only", only).stdout)["results"]
    assert [row["name"] for row in report["results"]] == [
        f"{only} {t} on {KIND}" for t in ("int8", "fp16", "fp32")]
    for row, plain, size in zip(report["results"], counted, (1, 2, 4)):
        check_row(row)
        assert row["floor"] == 4 * 49 * 12 * 32 * size // 64, row
        assert row["retired"] - plain["retired"] in (0, 1), (row, plain)  # the stop behind it
        assert row["ztl"] == plain["ztl"] and row["bound_by"] == "load port"
        assert row["cycles_kinds"] == row["cycles"], row  # the machine is kinds
        # The same runs are slices of 32, 64 and 128 bytes: one, one and two cycles each.
        assert row["bound"] == 4 * 49 * 12 * max(1, size // 2), row
    for kind, sums in report["summary"]["table"].items():
        row = next(r for r in report["results"] if f" {kind} on" in r["name"])
        for key in ("per_bound", "per_floor", "per_floor_kinds", "one", "retired_per_ztl", "gain"):
            assert abs(sums["mean_" + key] - row[key]) < 2e-3, (key, sums, row)
            assert abs(sums["worst_" + key] - row[key]) < 2e-3, (key, sums, row)
        assert abs(sum(sums["lost"].values()) + 1 - row["per_bound"]) < 2e-3, (sums, row)


def check_compiled():
    """Compiled plans make the same outputs, which the bench checks, with fewer instructions."""
    only = ("--only", "heads 4x49x12x32", "--machine", "four")
    run, compiled = bench(*only), bench(*only, "--compiled")
    for a, b in zip(run["results"], compiled["results"]):
        assert b["name"] == a["name"].replace(" on four", " compiled on four"), b
        check_row(b)
        assert b["ztl"] == a["ztl"] and b["bound"] == a["bound"] and b["floor"] == a["floor"]
        assert b["ztl"] < b["retired"] < a["retired"], (a, b)


def check_kinds():
    """Beside the cycles on four are those on kinds, of the same plan."""
    only = ("--only", "heads 4x49x12x32")
    four, kinds = (bench(*only, "--machine", m)["results"] for m in ("four", "kinds"))
    for a, b in zip(four, kinds):
        check_row(a)
        assert a["cycles_kinds"] == b["cycles"], (a, b)


def check_moves():
    """Moves take turns on two engines where the machine lets instructions choose."""
    for manner in ((), ("--compiled",)):
        row = bench("--only", "transpose 127x129", *manner)["results"][1]
        assert row["cycles"] < 0.9 * row["cycles_kinds"], row


def check_machines():
    """Ports of half the width take twice as long; with one engine it is the bound itself."""
    only = ("--only", "kv expand")
    four, narrow, one = (bench(*only, "--machine", m)["results"] for m in
                         (KIND, KIND + ",l1m.bytes=16,l0m.bytes=16", "one"))
    for a, b, c in zip(four, narrow, one):
        assert b["floor"] == 4 * a["floor"] and b["bound"] > a["bound"]
        assert c["bound_by"] == "engine" and c["cycles"] == c["cycles_one"] and c["one"] == 1


def check_text_and_compare():
    shown = ztl("bench", "ops", "--cycles", "--only", "kv").stdout
    assert shown.startswith("machine: four\n") and "lost, in parts of the bound" in shown
    assert max(map(len, shown.splitlines())) <= 80
    report = bench("--only", "kv expand")
    with open("old.json", "w", encoding="utf-8") as file:
        json.dump(report, file)
    report["results"][0]["ratio"] *= 1.3
    with open("new.json", "w", encoding="utf-8") as file:
        json.dump(report, file)
    ztl("bench", "compare", "old.json", "old.json")
    assert "1 slower" in ztl("bench", "compare", "old.json", "new.json", status=1).stdout


def check_op():
    """A transpose of 64 by 64 bytes, in and out 4 KiB; slices are 32 bytes."""
    array = np.arange(64 * 64, dtype=np.uint32).astype(np.uint8).reshape(64, 64)
    np.save("in.npy", array)
    op = ("op", "transpose", "in.npy", "--perm", "1,0")
    shown = ztl(*op, "--timing", KIND, "-o", "out.npy", "--timeline", "x.svg", "--check").stdout
    assert (np.load("out.npy") == array.T).all()
    assert re.search(r"bound, load port +128  cycles / bound", shown), shown
    assert re.search(r"floor, each byte once +64  cycles / floor", shown), shown
    with open("x.svg", encoding="utf-8") as file:
        assert file.read().count("tl.permute") >= 2
    figures = json.loads(ztl(*op, "--timing", KIND, "--json").stdout)
    plain = json.loads(ztl(*op, "--json").stdout)
    assert figures["floor"] == 64 and figures["engine"] == "sim"
    assert figures["timing"]["ztl_instructions"] == figures["ztl"] == plain["ztl"]
    assert figures["scalar_retired"] == plain["scalar_retired"], "the scalar run is not watched"
    swept = ztl("timing", "sweep", KIND, "engines.queue=2,4", "--csv", "s.csv", "--svg", "s.svg",
                "--", "ztl", *op).stdout.splitlines()
    assert swept[-1].split()[:2] == ["4", str(figures["timing"]["cycles"])], (swept, figures)
    with open("s.csv", encoding="utf-8") as file:
        assert len(file.read().splitlines()) == 3
    assert os.path.getsize("s.svg") > 1000
    return op


def check_refusals(op):
    refused("--timing: ", *op, "--timing", "five")
    refused("--timeline needs --timing", *op, "--timeline", "x.svg")
    refused("--window needs --timeline", *op, "--timing", "four", "--window", "0..4")
    refused("must end in", *op, "--timing", "four", "--timeline", "x.png")
    for window in ("4..4", "x", "1..2x"):
        refused("not FROM..TO", *op, "--timing", "four", "--timeline", "x.svg", "--window", window)
    refused("only 'sim' has cycles", *op, "--timing", "four", "--engine", "model")
    refused("named twice", *op, "--timing", "four", "-o", "y.svg", "--timeline", "y.svg")
    refused("a sweep goes with none", "timing", "sweep", "four", "engines.queue=1", "--", "ztl",
            *op, "--stats")
    refused("named twice", "timing", "sweep", "four", "engines.queue=1", "--csv", "y", "--svg", "y",
            "--", "ztl", *op)
    refused("at the end", "timing", "sweep", "four", "engines.queue=1", "--", "ztl", "as", "x.s")
    refused("--machine: ", "bench", "ops", "--cycles", "--machine", "five")
    refused("--machine goes with", "bench", "ops", "--machine", "four")
    refused("--compiled goes with", "bench", "ops", "--compiled")
    refused("--for goes with", "bench", "ops", "--for", "cycles")
    refused("goes neither", "bench", "ops", "--cycles", "--why")
    os.environ["ZTL_CC"] = "no-such-gcc"
    left_out = ztl("bench", "ops", "--cycles", "--compiled", "--json")
    del os.environ["ZTL_CC"]
    assert "left out: no-such-gcc" in left_out.stderr, left_out.stderr
    assert json.loads(left_out.stdout)["results"] == [], left_out.stdout
    message = ztl("bench", "ops", "--cycles", "--only", "no such", status=1).stderr
    assert "no case's name contains 'no such'" in message, message
    assert not os.path.exists("y.svg") and not os.path.exists("y")


with tempfile.TemporaryDirectory(prefix="ztl cycles ") as folder:
    os.chdir(folder)
    check_table()
    check_compiled()
    check_kinds()
    check_moves()
    check_machines()
    check_text_and_compare()
    check_refusals(check_op())
    os.chdir("/")
