#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""ztl bench ops --host: what it reports with libraries, without, and for nothing to do.

usage: host.py ZTL
"""
import json
import subprocess
import sys

import numpy


def bench(*options):
    command = [sys.argv[1], "bench", "ops", "--host", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def results(*options):
    done = bench("--json", "--only", "transpose 127x129", *options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


report = results("--python", sys.executable)
assert report["numpy"] == numpy.__version__, report
assert [r["name"] for r in report["results"]] == [
    "transpose 127x129 " + kind for kind in ("int8", "fp16", "fp32")]
for size, r in zip((1, 2, 4), report["results"]):
    assert r["bytes"] == 2 * 127 * 129 * size, r
    assert abs(r["gb_per_s"] * r["ztl_ns"] / r["bytes"] - 1) < 0.01, r
    assert r["best"] == "numpy", r
    assert abs(r["speed"] - r["numpy_ns"] / r["ztl_ns"]) < 0.001 + 0.01 * r["speed"], r
    assert abs(r["speed"] - 1 / r["ratio"]) < 0.001 + 0.01 * r["speed"], r

report = results("--python", "/nonexistent")
assert report["numpy"] is None, report
assert all("ztl_ns" in r and "speed" not in r for r in report["results"]), report

done = bench("--only", "transpose 127x129", "--python", "/nonexistent")
assert done.returncode == 0 and "numpy is not installed" in done.stdout, done
done = bench("--only", "no such case", "--python", "/nonexistent")
assert done.returncode == 1 and "no such case" in done.stderr, done

# Every library that is asked for is there, or named as missing; the best of them counts.
LIBRARIES = "numpy", "pytorch", "onednn", "opencv"
report = results("--python", sys.executable, "--against", ",".join(LIBRARIES))
assert all(name in report for name in LIBRARIES) and report["numpy"], report
for r in report["results"]:
    times = {name: r[name + "_ns"] for name in LIBRARIES if report[name]}
    assert r["best"] == min(times, key=times.get), r
    assert abs(r["speed"] - times[r["best"]] / r["ztl_ns"]) < 0.001 + 0.01 * r["speed"], r
for kind in ("int8", "fp16", "fp32"):
    assert report["summary"][kind]["cases"] == 1, report
report = results("--python", "/nonexistent", "--against=opencv")
assert report["opencv"] is None and "numpy" not in report, report
report = results("--python", sys.executable, "--threads", "2")
assert report["threads"] == 2, report

for wrong in ("--against=scipy",), ("--threads=0",), ("--group=random",):
    assert bench(*wrong).returncode == 2, wrong
done = subprocess.run([sys.argv[1], "bench", "ops", "--against=numpy"], capture_output=True)
assert done.returncode == 2 and b"--host" in done.stderr, done
assert bench("--no-such-option").returncode == 2
