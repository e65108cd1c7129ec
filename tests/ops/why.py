#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""ztl bench ops --why: the parts add up to the ratios of the table, and so do the means.

usage: why.py ZTL
"""
import json
import subprocess
import sys


def bench(*arguments):
    return subprocess.run([sys.argv[1], "bench", "ops", *arguments], capture_output=True, text=True,
                          check=True).stdout


rows = [line.rsplit(None, 3) for line in bench("--why").splitlines()]
names = [row[0].strip() for row in rows]
first = names.index("arithmetic mean of the ratios")
assert names[first + 1:] == ["geometric mean", "worst case"], names
everything = json.loads(bench("--count", "--json"))
for column, kind in enumerate(rows[0][1:], 1):
    ratios = [case["ztl"] / case["lower_bound"] for case in everything["results"]
              if case["group"] == "table" and case["name"].endswith(kind)]
    parts = [float(row[column]) for row in rows[1:first]]
    mean, geometric, worst = (float(row[column]) for row in rows[first:])
    assert len(ratios) == 56 and min(parts) >= 0, (kind, parts)
    assert abs(sum(parts) - sum(ratios) / 56) < 0.01, (kind, parts)
    assert abs(mean - sum(ratios) / 56) < 0.001, (kind, mean)
    assert abs(geometric - everything["summary"]["table"][kind]["mean_ratio"]) < 0.0011, (kind, geometric)
    assert abs(worst - max(ratios)) < 0.001, (kind, worst)
same = json.loads(bench("--json", "--why"))["rows"]
assert len({row["what"] for row in same}) == len(same) == len(rows) - 1, same
for row, printed in zip(same, rows[1:]):
    assert row["what"].endswith(printed[0].strip()), (row, printed)
    assert [f"{row[kind]:.3f}" for kind in rows[0][1:]] == printed[1:], (row, printed)

# What is not measured has no figures.
assert not {"retired", "scalar_retired", "gain"} & set(everything["results"][0])
assert [(group, kinds["int8"]["cases"]) for group, kinds in everything["summary"].items()] == [
    ("table", 56), ("everyday", 35), ("formats", 29), ("random", 100), ("indices", 14)], everything["summary"].keys()
assert set(everything["summary"]["table"]["int8"]) == {
    "mean_ratio", "ratio_95", "ratio_99", "worst_ratio", "plan_ms_median", "plan_ms_95", "cases"}
measured = json.loads(bench("--json", "--only", "kv concat"))
assert all(case["gain"] > 1 for case in measured["results"]), measured
assert all(kind["mean_gain"] > 1 and kind["cases"] == 1 for kind in measured["summary"]["table"].values())
for words, status, *arguments in (("name contains 'no such'", 1, "--only", "no such"),
                                  ("everyday, formats, random, indices, byhand", 2, "--group", "other"),
                                  ("--json alone", 2, "--why", "--only", "pad")):
    wrong = subprocess.run([sys.argv[1], "bench", "ops", *arguments], capture_output=True,
                           text=True, check=False)
    assert wrong.returncode == status and words in wrong.stderr and not wrong.stdout, wrong
print("ok")
