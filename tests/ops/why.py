#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""ztl bench ops --why: the parts add up to the ratios of the table.

usage: why.py ZTL
"""
import json
import subprocess
import sys


def bench(*arguments):
    return subprocess.run([sys.argv[1], "bench", "ops", *arguments], capture_output=True, text=True,
                          check=True).stdout


rows = [line.rsplit(None, 3) for line in bench("--why").splitlines()]
table = json.loads(bench("--count", "--json"))["results"]
for column, kind in enumerate(rows[0][1:], 1):
    ratios = [case["ztl"] / case["lower_bound"] for case in table if case["name"].endswith(kind)]
    parts = [float(row[column]) for row in rows[1:-1]]
    assert len(ratios) == 56 and min(parts) >= 0, (kind, parts)
    assert abs(sum(parts) - sum(ratios) / 56) < 0.01, (kind, parts)
    assert abs(float(rows[-1][column]) - sum(ratios) / 56) < 0.001, (kind, rows[-1])
print("ok")
