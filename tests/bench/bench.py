#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ztl bench: the form of its results, the comparison of two files, errors.

usage: bench.py ZTL SANITIZED
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

ztl, sanitized = sys.argv[1], sys.argv[2] == "1"
scratch = tempfile.TemporaryDirectory()
wrong = 0


def bench(*arguments):
    return subprocess.run([ztl, "bench", *arguments], capture_output=True, text=True)


def expect(what, holds):
    global wrong
    if not holds:
        print("wrong:", what)
        wrong += 1


def file_of(name, content):
    path = os.path.join(scratch.name, name)
    with open(path, "w") as file:
        file.write(content if isinstance(content, str) else json.dumps(content))
    return path


def suite(**ratios):
    return {"suite": "x", "results": [{"name": n, "ratio": r} for n, r in ratios.items()]}


def check_compare():
    old = file_of("old.json", suite(same=2.0, slow=2.0, fast=2.0, gone=1.0))
    new = file_of("new.json", suite(same=2.1, slow=2.6, fast=1.5, fresh=1.0))
    done = bench("compare", old, new)
    lines = done.stdout.splitlines()
    expect("something slower: status 1", done.returncode == 1)
    expect("the slower one, and no other", [l for l in lines if l.startswith("slower")] ==
           ["slower: slow: 2.60, was 2.00 (+30 %)"])
    expect("rows of one file only", sorted(l for l in lines if l.startswith("without")) ==
           ["without counterpart: fresh", "without counterpart: gone"])
    expect("the count", lines[-1] == "3 compared: 1 slower, 1 faster, 2 without counterpart")
    expect("a file with itself", bench("compare", old, old).returncode == 0)
    expect("a tolerance", bench("compare", "--tolerance", "40", old, new).returncode == 0)
    wide = suite(slow=2.6)
    wide["results"][0]["spread"] = 0.5
    expect("within its own spread", bench("compare", old, file_of("wide.json", wide)).returncode == 0)
    both = bench("compare", file_of("a.json", {"x": suite(slow=1), "y": suite(slow=1)}),
                 file_of("b.json", {"x": suite(slow=1), "y": suite(slow=9)}))
    expect("several suites", both.returncode == 1 and "2 compared: 1 slower" in both.stdout)


def check_bad_files():
    good = file_of("good.json", suite(a=1))
    for name, content, message in (
            ("broken.json", '{"suite":\n "x", oops', "broken.json:2:"),
            ("list.json", [1], "not an object of results"),
            ("empty.json", {}, "not an object of results"),
            ("other.json", {"results": 5}, "not an object of results"),
            ("else.json", suite(b=1), "no result in common"),
            ("text.json", {"results": [{"name": "a", "ratio": "1"}]}, "no result in common")):
        done = bench("compare", good, file_of(name, content))
        expect(f"{name}: {done.stderr}", done.returncode == 1 and message in done.stderr)
    missing = bench("compare", good, os.path.join(scratch.name, "none.json"))
    expect("a file that is not there", missing.returncode == 1 and "none.json" in missing.stderr)


def check_usage():
    for arguments in ((), ("nothing",), ("compare", "one"), ("compare", "--tolerance", "x", "a", "b"),
                      ("insn", "--tries", "0"), ("insn", "--tries", "many"), ("insn", "--some"),
                      ("insn", "--bodies", "mmx"), ("insn", "--slowest", "3"),
                      ("insn", "--all", "--slowest", "x"), ("sim", "--repeat", "0"), ("sim", "--some"),
                      ("all", "--some")):
        done = bench(*arguments)
        expect(f"usage {arguments}: {done.returncode}", done.returncode == 2 and done.stderr)
        expect(f"nothing on standard output for {arguments}", not done.stdout)
    for name in ((), ("insn",), ("sim",), ("compare",)):
        done = bench(*name, "--help")
        expect(f"help of {name}", done.returncode == 0 and "example:" in done.stdout)


def check_rows(rows, names):
    found = [row["name"] for row in rows]
    expect(f"names that differ: {found}", len(set(found)) == len(found))
    expect("ratios", all(row["ratio"] > 0 for row in rows))
    for name in names:
        expect(f"a row '{name}'", name in found)


def check_insn():
    done = bench("insn", "--all", "--bodies", "portable", "--tries", "1", "--json")
    report = json.loads(done.stdout)
    expect("insn", done.returncode == 0 and report["suite"] == "insn" and report["cpu"])
    expect("copies", 0 < report["memcpy_1024_ns"] and 0 < report["memcpy_2048_ns"])
    check_rows(report["results"], ["portable: XPOSE, 1-, 2-, 4-byte, median",
                                   "portable: CONCAT, random blocks, worst",
                                   "portable: MERGE, random blocks, plan made anew, median"])
    limits = {row["name"]: row.get("limit") for row in report["results"]}
    expect("a limit", limits["portable: XPOSE, 1-, 2-, 4-byte, worst"] == 30)
    text = bench("insn", "--all", "--bodies", "portable", "--tries", "1", "--slowest=3").stdout
    expect("as text", "PERMUTE " in text and " of 14.0" in text)
    merges = [line for line in text.splitlines() if " tl.merge." in line]
    worst, *listed = [float(line[57:].split()[0]) for line in merges]
    expect(f"the slowest of a group, the worst first: {listed} {worst}", len(listed) == 3 and
           listed == sorted(listed, reverse=True) and listed[0] == worst)


def check_sim():
    done = bench("sim", "--repeat", "1", "--rounds", "1", "--json")
    expect(f"sim: {done.stderr}", done.returncode == 0)
    report = json.loads(done.stdout)
    check_rows(report["results"], ["records", "sort", "hash", "matrix", "geometric mean",
                                   "traced to a file, the slowest guest",
                                   "load, xpose, store: one, to a copy of 2 KiB",
                                   "load, xpose, store, to QEMU trapping them"])
    guests = {row["name"]: row for row in report["results"]}
    expect("instructions", guests["sort"]["instructions"] > 100000)
    again = bench("compare", file_of("sim.json", report), file_of("sim.json", report))
    expect("compared with itself", again.returncode == 0)
    done = bench("sim", "--guests", "/nonexistent")
    expect("no guests", done.returncode == 1 and "cannot build the guest" in done.stderr)


def check_interrupted_sim():
    """A signal while another program works for ztl ends both, and no file stays in TMPDIR."""
    folder, started = os.path.join(scratch.name, "tmp"), os.path.join(scratch.name, "started")
    os.mkdir(folder)
    for number, program in ((signal.SIGINT, "riscv64-linux-gnu-gcc"), (signal.SIGTERM, "qemu-riscv64")):
        slow = file_of(program, f"#!/bin/sh\necho > '{started}'\nexec sleep 300\n")
        os.chmod(slow, 0o755)
        environment = {**os.environ, "TMPDIR": folder, "PATH": scratch.name + ":" + os.environ["PATH"]}
        with subprocess.Popen([ztl, "bench", "sim", "--rounds", "1"], env=environment,
                              stderr=subprocess.PIPE) as process:
            while process.poll() is None and not os.path.exists(started):
                time.sleep(0.01)
            expect("files in TMPDIR", os.listdir(folder))
            process.send_signal(number)
            messages = process.stderr.read()
        expect(f"{program}: ended by the signal", process.returncode == -number and not messages)
        expect(f"{program}: no files left", not os.listdir(folder))
        os.unlink(started)
        os.unlink(slow)


check_compare()
check_bad_files()
check_usage()
check_insn()
check_interrupted_sim()
if not sanitized:
    check_sim()
sys.exit(1 if wrong else 0)
