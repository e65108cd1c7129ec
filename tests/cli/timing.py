#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ztl timing, and ztl run --timing as a user meets them: machines and their errors, regions, places,
timelines, sweeps.

usage: timing.py ZTL"""

import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

ztl = sys.argv[1]
folder = tempfile.TemporaryDirectory(prefix="ztl timing ")
os.chdir(folder.name)
failures = 0


def run(*arguments, status=0):
    global failures
    done = subprocess.run([ztl, *arguments], capture_output=True, text=True, timeout=120)
    if done.returncode != status:
        failures += 1
        print(f"{arguments}: status {done.returncode}, not {status}: {done.stderr}", file=sys.stderr)
    return done


def expect(name, got, wanted):
    global failures
    if got != wanted:
        failures += 1
        print(f"{name}: {got!r}, must be {wanted!r}", file=sys.stderr)


def expect_in(name, part, text):
    expect(f"{name}: {part!r} in {text!r}", part in text, True)


def write(name, text):
    with open(name, "w") as file:
        file.write(text)


def report(*arguments, status=0):
    text = run("run", "--json", *arguments, status=status).stderr
    return json.loads(text[text.index("{\n"):])


# Two loads, XPOSE, two stores of a tile, three times; a fence; the exit.
KERNEL = """
    .option norelax
    .globl _start
_start:
    auipc s0, 4
    auipc s1, 8
    lui t0, 0x200
    csrw tshape, t0
    addi t1, zero, 32
    csrw tl_load_width, t1
    csrw tl_store_width, t1
    lui a0, 0x1012
    addi a0, a0, 0x40
    addi s2, zero, 3
kernel:
{begin}
    tl.load tl1, 0(s0)
    tl.load tl2, 32(s0)
    tl.xpose.01 tl1, tl2, a0, reshape
    tl.store tl1, 0(s1), store
    tl.store tl2, 32(s1), store
{end}
    addi s2, s2, -1
    bnez s2, kernel
after:
    fence
    wfi
"""
write("plain.s", KERNEL.format(begin="", end=""))
write("marked.S", "#include <ztl/region.h>\n" + KERNEL.format(
    begin='ztl_region_begin "tile", t3', end="ztl_region_end"))

# ---- Machines ----
listed = run("timing", "--list").stdout
parameters = json.loads(run("timing", "--json", "four").stdout)
expect("parameters", len(parameters), 20)
for name in parameters:
    expect_in("--list", f"\n{name} ", listed)
expect("80 columns", max(map(len, listed.splitlines())) <= 80, True)
expect("four", (parameters["engines.queue"], parameters["engines.by"], parameters["hart.divide"],
                parameters["ports.shared"]), (4, "id", 16, "no"))
kinds, one, wide = (json.loads(run("timing", "--json", m).stdout) for m in ("kinds", "one", "wide"))
expect("kinds", {k: v for k, v in kinds.items() if v != parameters[k]}, {"engines.by": "kind"})
expect("one", {k for k in one if one[k] != parameters[k]}, {"engines.count"})
expect("wide", {k: v for k, v in wide.items() if v != parameters[k]},
       {"l1m.bytes": 128, "l0m.bytes": 128, "move.bytes": 128, "add.bytes": 128, "l1m.slices": 4,
        "l0m.slices": 4, "engines.queue": 16})
# What it prints is a machine file.
for machine in ("four", "kinds", "one", "wide", "wide,csr.drain=yes,hart.load=0,engines.by=kind"):
    write("printed.ini", run("timing", machine).stdout)
    expect(machine, run("timing", "--json", "printed.ini").stdout,
           run("timing", "--json", machine).stdout)
write("mine.ini", "; a comment\n# another\npreset = wide\n[engines]\nqueue = 8 ; deep\n"
      "by=kind # and a third\nhart.load = 3\n[l1m]\nbytes = 256\n")
write("indented.ini", "preset = one\n[engines]\n  queue = 8\n\tby = kind # a comment\n\n  issue=2 ; another\n")
expect("an indented file", run("timing", "--json", "indented.ini").stdout,
       run("timing", "--json", "one,engines.queue=8,engines.by=kind,engines.issue=2").stdout)
mine = json.loads(run("timing", "--json", "mine.ini,engines.issue=2").stdout)
expect("a file", {k: v for k, v in mine.items() if v != wide[k]},
       {"engines.queue": 8, "engines.by": "kind", "hart.load": 3, "l1m.bytes": 256,
        "engines.issue": 2})

# ---- Errors say what is wrong, where, and what is allowed ----
for machine, parts in {
        "fuor": ["'fuor'", "four, kinds, one, wide", "did you mean 'four'"],
        "no/such.ini": ["no/such.ini", "No such file"],
        ".": [".: Is a directory"],
        "four,engines.qeue=8": ["engines.qeue", "did you mean 'engines.queue'"],
        "four,nonsense=1": ["nonsense", "--list"],
        "four,engines.queue=0": ["engines.queue", "'0'", "1 … 65536"],
        "four,engines.queue=65537": ["1 … 65536"],
        "four,engines.queue=8x": ["'8x'"],
        "four,engines.queue=-1": ["'-1'"],
        "four,engines.queue=99999999999999999999": ["1 … 65536"],
        "four,engines.queue=": ["engines.queue", "1 … 65536"],
        "four,engines.count=2": ["engines.count", "1, 4"],
        "four,engines.by=name": ["engines.by", "id, kind"],
        "four,csr.drain=true": ["csr.drain", "no, yes"],
        "four,engines.queue": ["NAME=VALUE"],
        "": ["no preset"]}.items():
    text = run("timing", machine, status=2).stderr
    for part in parts:
        expect_in(machine, part, text)
    if machine:
        expect_in(machine, parts[0], run("run", "--timing", machine, "plain.s", status=2).stderr)
for text, parts in {
        "[engines]\nqueue = 4\nby = x\n": ["bad.ini:3", "engines.by", "id, kind"],
        "[engines]\nqeue = 4\n": ["bad.ini:2", "engines.queue"],
        "queue 4\n": ["bad.ini:1"],
        "[engines\n": ["bad.ini:1"],
        "engines.queue = 4\npreset = wide\n": ["bad.ini:2", "preset", "before"],
        "preset = wdie\n": ["bad.ini:1", "did you mean 'wide'"]}.items():
    write("bad.ini", text)
    message = run("timing", "bad.ini", status=2).stderr
    for part in parts:
        expect_in(text, part, message)
for arguments in (["--from", "kernel"], ["--to", "kernel"], ["--timeline", "x.svg"],
                  ["--window", "1..2"], ["--json"]):
    expect_in(str(arguments), "needs", run("run", *arguments, "plain.s", status=2).stderr)
for arguments in (["--timeline", "x.png"], ["--timeline", "x.svg", "--window", "5..5"],
                  ["--engine", "qemu"]):
    run("run", "--timing", "four", *arguments, "plain.s", status=2)
for arguments in (["--timing", "four"], ["--timing", "four", "--timeline", "x.svg"],
                  ["--timeline", "x.svg"], ["--window", "1..2"], ["--stats", "--from", "kernel"],
                  ["--stats", "--to", "kernel"]):
    expect_in(str(arguments), "is the simulator's",
              run("run", "--engine", "qemu", *arguments, "plain.s", status=2).stderr)
run("run", "--timing", "four", "--timeline", "no/x.svg", "plain.s", status=1)
expect_in("no symbol", "'nowhere'",
          run("run", "--timing", "four", "--from", "nowhere", "plain.s", status=1).stderr)
run("timing", status=2)
run("timing", "four", "one", status=2)

# ---- The report ----
# t = 10: loads 11 … 43, 43 … 75, there at 83; XPOSE 83 … 115, 119; stores 119 … 151, 151 … 183. The
# next loads wait for tl1 until 151 and tl2 until 183, and so on: 140 cycles a tile. The last store
# ends at 183 + 280 = 463, is done at 471: fence 472, wfi 473.
plain = report("--timing", "four", "plain.s", status=121)
expect("cycles", plain["cycles"], 473)
expect("instructions", (plain["instructions"], plain["ztl_instructions"]), (10 + 3 * 7 + 2, 15))
expect("bound", (plain["bound"], plain["bound_by"]), (192, "load port"))
expect("busy", [e["busy"] for e in plain["engines"]] + [p["busy"] for p in plain["ports"]],
       [192, 0, 192, 96, 192, 192])
hart = plain["hart"]
expect("the hart's time", sum(hart[k] for k in ("issuing", "queue", "memory", "drain")), 473)
text = run("run", "--timing", "four", "plain.s", status=121).stderr
for part in ("machine: four", "reshape engine", "waiting for a queue", "####"):
    expect_in("report", part, text)
expect("80 columns", max(map(len, text.splitlines())) <= 80, True)
long = run("run", "--timing", ",".join(["one"] + [f"{k}=7" for k, v in parameters.items()
           if isinstance(v, int) and k != "engines.count"]), "plain.s", status=121).stderr
expect("80 columns, a long machine", max(map(len, long.splitlines())) <= 80, True)
both = report("--timing", "four", "--stats", "plain.s", status=121)
expect("with --stats", (both["instructions"], both["timing"]["cycles"]), (33, 473))

# ---- Regions ----
# Each mark in the loop: lla (2) and slti before, slti behind. Inside are five instructions.
marked = report("--timing", "four", "marked.S", status=121)
region, = marked["regions"]
expect("region", (region["name"], region["visits"], region["instructions"],
                  region["ztl_instructions"]), ("tile", 3, 15, 15))
# From t = 13 to the last store's done, and the visits overlap without a gap: the last loads wait for
# the stores of the tile before. The first load starts at 14; the last store is done at 471 + 3.
expect("region, cycles", region["timing"]["cycles"], marked["cycles"] - 2 - 13)
stats = report("--stats", "marked.S", status=121)["regions"][0]
expect("region of --stats", (stats["name"], stats["instructions"], stats["ztl_instructions"],
                             stats["bytes"]["ztl_loaded"]), ("tile", 15, 15, 6144))
expect_in("region as text", "tile                         3            15        15",
          run("run", "--stats", "marked.S", status=121).stderr)

placed = report("--timing", "four", "--from", "kernel", "--to", "after", "plain.s", status=121)
region, = placed["regions"]
# From t = 10 until the last store is done.
expect("--from, --to", (region["name"], region["visits"], region["instructions"],
                        region["timing"]["cycles"]), ("kernel..after", 1, 21, 471 - 10))
expect("… changes nothing", placed["cycles"], 473)
shown = run("run", "--timing", "four", "--from", "kernel", "--to", "after", "plain.s", status=121).stderr
busy = {unit["name"]: unit["busy"] for unit in region["timing"]["engines"] + region["timing"]["ports"]}
waits = {(e["name"], cause): e["idle"][key] for e in region["timing"]["engines"]
         for cause, key in (("RAW", "raw"), ("WAR, WAW", "war_waw"), ("port", "port"), ("memory", "memory"))}
bound, (name, cause) = max(busy.values()), max(waits, key=waits.get)
found = re.search(r"bound by +busy +hart  waited most: cycles\n  kernel\.\.after +(\w+ \w+) +([\d.]+)% "
                  r"+([\d.]+)%  (\w+ engine), ([A-Z, a-z]+): (\d+)\n", shown)
expect("what bounds it", (busy[found[1]], found[2]), (bound, f"{100 * bound / 461:.1f}"))
expect("what the hart issues: 21 instructions, and two jumps back", found[3], f"{100 * 23 / 461:.1f}")
expect("what it waits for", (waits[found[4], found[5]], int(found[6])), (waits[name, cause],) * 2)
expect("nothing bounds a region without Ztl", "bound by" in run(
    "run", "--timing", "four", "--to", "kernel", "plain.s", status=121).stderr, False)
region, = report("--timing", "four", "--from", "after", "plain.s", status=121)["regions"]
expect("--from alone", region["instructions"], 2)
region, = report("--timing", "four", "--to", "kernel", "plain.s", status=121)["regions"]
expect("--to alone", (region["instructions"], region["timing"]["cycles"]), (10, 10))
region, = report("--stats", "--from", "kernel", "--to", "kernel+4", "plain.s", status=121)["regions"]
expect("several visits", (region["visits"], region["instructions"]), (3, 3))

expect_in("never there", "--from after+4096: the program did not come there", run(
    "run", "--timing", "four", "--from", "after+4096", "plain.s", status=121).stderr)

write("marked.c", """#include <stdio.h>
#include <ztl/region.h>
static void nested(int depth)
{
    ztl_region_begin("nested");
    if (depth)
        nested(depth - 1);
    ztl_region_end();
}
int main(void)
{
    volatile int sum = 0;
    ztl_region_begin("outer");
    for (int i = 0; i < 4; i++) {
        ztl_region_begin("inner");
        sum += i;
        ztl_region_end();
    }
    ztl_region_end();
    ztl_region_end(); /* one too many */
    nested(2);
    ztl_region_begin("open at the end");
    return sum == 6 ? 0 : 1;
}
""")
regions = {r["name"]: r for r in report("--timing", "four", "--stats", "marked.c")["timing"]["regions"]}
expect("C", {n: r["visits"] for n, r in regions.items()},
       {"outer": 1, "inner": 4, "nested": 3, "open at the end": 1})
expect("the outer one has more", regions["outer"]["instructions"] >
       regions["inner"]["instructions"] + 8, True)
expect("without timing", {r["name"]: (r["visits"], r["instructions"])
                          for r in report("--stats", "marked.c")["regions"]},
       {n: (r["visits"], r["instructions"]) for n, r in regions.items()})
host = subprocess.run(["cc", "-Wall", "-Werror", "-I", os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "../../include"), "marked.c", "-o", "host"])
expect("on the host", (host.returncode, subprocess.run(["./host"]).returncode), (0, 0))

# ---- Timelines ----
TRACKS = ["hart", "load engine", "comp engine", "store engine", "reshape engine", "load port",
          "store port"]
for name in ("t.json", "t.kanata", "t.svg", "t.html", "t.txt"):
    run("run", "--timing", "four", "--timeline", name, "plain.s", status=121)
with open("t.json") as file:
    events = json.load(file)["traceEvents"]
names = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
expect("tracks", [names[k] for k in sorted(names)], TRACKS)
spans = [(names[e["tid"]], e["name"], e["ts"], e["dur"]) for e in events
         if e["ph"] == "X" and e["cat"] == "ztl"]
expect("spans", len(spans), 15 + 12)
expect("the first tile", [s for s in spans if s[0].endswith("engine")][:5],
       [("load engine", "tl.load tl1, 0(s0)", 11, 32), ("load engine", "tl.load tl2, 32(s0)", 43, 32),
        ("reshape engine", "tl.xpose.01 tl1, tl2, a0, reshape", 83, 32),
        ("store engine", "tl.store tl1, 0(s1), store", 119, 32),
        ("store engine", "tl.store tl2, 32(s1), store", 151, 32)])
xpose = next(e for e in events if "xpose" in e["name"])["args"]
# Issued at t = 12, so it could have started at 13.
expect("its details", (xpose["waited"], xpose["bytes"], xpose["done"], xpose["issued"]),
       ("tl2 (RAW), 70 cycles", 2048, 119, 12))
expect_in("its line", f"plain.s:{KERNEL[:KERNEL.index('tl.xpose')].count(chr(10)) + 1}",
          xpose["place"])
hart = [(e["ts"], e["ts"] + e["dur"]) for e in events if e["ph"] == "X" and e["cat"] == "hart"]
expect("the hart without gaps", all(a[1] == b[0] for a, b in zip(hart, hart[1:])), True)
expect("… from 0 to the end", (hart[0][0], hart[-1][1]), (0, 473))


def kanata(path):
    """{instruction: {stage: its first cycle}}, and the order of the retired."""
    with open(path) as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    expect("Kanata", lines[0], ["Kanata", "0004"])
    now, stages, retired = None, {}, []
    for line in lines[1:]:
        if line[0] == "C=":
            now = int(line[1])
        elif line[0] == "C":
            now += int(line[1])
        elif line[0] == "I":
            expect("ids ascend", int(line[1]), len(stages))
            stages[int(line[1])] = {}
        elif line[0] == "S":
            stages[int(line[1])][line[3]] = now
        elif line[0] == "R":
            stages[int(line[1])]["R"] = now
            retired.append(int(line[2]))
    expect("retired", retired, list(range(len(stages))))
    return stages


stages = kanata("t.kanata")
expect("instructions of the log", len(stages), 15)
expect("the XPOSE in it", stages[2], {"Q": 12, "X": 83, "L": 115, "R": 119})
expect("a load that waits for a place", "W" in stages[10] or "W" in stages[11], True)
pictures = xml.parse("t.svg").getroot()
titles = [t.text for t in pictures.iter("{http://www.w3.org/2000/svg}title")]
expect("titles", sum(t.startswith("tl.") for t in titles), 27)
expect_in("a title", "waited for: tl2 (RAW), 70 cycles", "".join(titles))
write("late.s", "wait: li t6, 1000\n1: addi t6, t6, -1\nbnez t6, 1b\n" + KERNEL.format(begin="", end=""))
run("run", "--timing", "four", "--timeline", "late.svg", "--window", "3000..3400", "--entry", "wait", "late.s",
    status=121)
late = xml.parse("late.svg").getroot()
ends = {t.text: float(t.get("x")) + 6 * len(t.text) for t in late.iter("{http://www.w3.org/2000/svg}text")}
expect("the last mark", "3400" in ends and max(ends.values()) <= float(late.get("width")), True)
with open("t.html") as file:
    page = file.read()
expect("html", page.count('"tl.xpose.01 tl1, tl2, a0, reshape"'), 3)
expect("self-contained", re.findall(r'(?:src|href)\s*=', page), [])
chart = run("run", "--timing", "four", "--timeline", "-", "plain.s", status=121).stdout
for track in TRACKS:
    expect_in("chart", f"\n{track} ", chart)
# From 10 on: the load from 11 on, one column to the right.
expect_in("chart", "\nload engine     .Aaaa", chart)
expect("80 columns", max(map(len, chart.splitlines())) <= 80, True)
with open("t.txt") as file:
    expect("the same as a file", file.read(), chart)

run("run", "--timing", "four", "--timeline", "w.json", "--window", "100..200", "plain.s", status=121)
with open("w.json") as file:
    window = [e for e in json.load(file)["traceEvents"] if e["ph"] == "X" and e["cat"] == "ztl"]
expect("a window", sorted({e["args"]["number"] for e in window}), [2, 3, 4, 5, 6])
for name, count in (("tile", 5), ("kernel..after", 15)):
    places = ["--from", "kernel", "--to", "after"] if ".." in name else []
    run("run", "--timing", "four", "--timeline", "w.kanata", "--window", name, *places, "marked.S",
        status=121)
    expect(f"the first visit of {name}", len(kanata("w.kanata")), count)
expect_in("no such region", "'tiel'", run("run", "--timing", "four", "--timeline", "n.svg",
                                          "--window", "tiel", "plain.s", status=1).stderr)
expect("nothing half-written", [n for n in os.listdir() if n.startswith(("n.svg", "no"))], [])

# Names are strangers' texts.
evil = "evil <b>&\x1b[31m.s"
write(evil, KERNEL.format(begin="", end=""))
run("run", "--timing", "four", "--timeline", "e.json", evil, status=121)
run("run", "--timing", "four", "--timeline", "e.svg", evil, status=121)
xml.parse("e.svg")
with open("e.json") as file:
    expect("a plain name", any(re.search(r"evil _b__\?\[31m\.s:\d+$", e["args"].get("place", ""))
                               for e in json.load(file)["traceEvents"] if "args" in e), True)

# ---- Files: each its own, all of them or none, as they were when they cannot be ----
os.symlink("twice.json", "link.json")
for arguments in (["--timeline", "twice.json", "--stats=twice.json"],
                  ["--timeline", "twice.json", "--stats=link.json"],
                  ["--timeline", "twice.json", "--signature", "./twice.json"],
                  ["--timeline", "twice.json", "--trace", "twice.json"]):
    expect_in(str(arguments), "the same file as", run("run", "--timing", "four", *arguments,
                                                      "plain.s", status=1).stderr)
write("old.svg", "old")
run("run", "--timing", "four", "--timeline", "old.svg", "--signature", "none.sig", "plain.s",
    status=1)  # the program has no signature
run("run", "--timing", "four", "--timeline", "old.svg", "--window", "tiel", "--stats=none.txt",
    "plain.s", status=1)
with open("old.svg") as file:
    expect("an old file", file.read(), "old")
expect("nothing else", [n for n in os.listdir() if n.startswith(("none", "twice"))], [])
run("run", "--timing", "four", "--timeline", "all.svg", "--stats=all.txt", "plain.s", status=121)
expect("all of them", sorted(n for n in os.listdir() if n.startswith("all")), ["all.svg", "all.txt"])
for arguments, part in {
        ("--csv", "two", "--svg", "two"): "the same file as --svg two",
        ("--csv", "two", "--", "ztl", "run", "--stats=two"): "the same file as --csv two",
        ("--svg", "plain.s"): "the same file as the program plain.s"}.items():
    command = arguments if "--" in arguments else (*arguments, "--", "ztl", "run")
    expect_in(str(arguments), part, run("timing", "sweep", "four", "hart.load=1", *command, "plain.s",
                                        status=1).stderr)
expect("no sweep", os.path.exists("two"), False)
with open("plain.s") as file:
    expect("the program", file.read(), KERNEL.format(begin="", end=""))

# ---- Sweeps: each line as a run of its own gives it ----
done = run("timing", "sweep", "four", "engines.queue=1..3,8", "engines.by=id,kind", "--csv", "s.csv",
           "--svg", "s.svg", "--", "ztl", "run", "plain.s", status=121)
with open("s.csv") as file:
    rows = list(csv.DictReader(file))
expect("combinations", [(r["engines.queue"], r["engines.by"]) for r in rows],
       [(q, b) for q in "1238" for b in ("id", "kind")])
for row in rows:
    machine = f"four,engines.queue={row['engines.queue']},engines.by={row['engines.by']}"
    alone = report("--timing", machine, "plain.s", status=121)
    expect(machine, (int(row["cycles"]), int(row["bound"]), int(row["wait_queue"])),
           (alone["cycles"], alone["bound"], alone["hart"]["queue"]))
    expect_in(machine, f"{row['engines.queue']:13} {row['engines.by']:13} {row['cycles']:>13}",
              done.stdout)
expect("points", len(list(xml.parse("s.svg").getroot().iter(
    "{http://www.w3.org/2000/svg}circle"))), 8)
sweep = json.loads(run("timing", "sweep", "--json", "wide", "csr.drain=yes,no", "--", "run",
                       "plain.s", status=121).stdout)
expect("as JSON", [s["parameters"]["csr.drain"] for s in sweep], ["yes", "no"])
write("prints.c", '#include <stdio.h>\nint main(void) { puts("hello"); return 3; }\n')
done = run("timing", "sweep", "four", "hart.load=1", "--", "ztl", "run", "prints.c", status=3)
expect("what the program prints", ("hello" in done.stdout, "hello" in done.stderr), (False, True))
for arguments, part in {
        ("four", "engines.queue=1..", "--", "run", "plain.s"): "engines.queue",
        ("four", "engines.queue=5..2", "--", "run", "plain.s"): "5..2",
        ("four", "engines.queue=0..2", "--", "run", "plain.s"): "1 … 65536",
        ("four", "engines.qeue=1", "--", "run", "plain.s"): "engines.queue",
        ("four", "engines.queue=1", "engines.queue=2", "--", "run", "plain.s"): "twice",
        ("four", "l1m.bytes=1..1000", "l0m.bytes=1..1000", "--", "run", "plain.s"): "100000",
        ("four", "--", "run", "plain.s"): "NAME=VALUES",
        ("four", "hart.load=1"): "ztl run",
        ("four", "hart.load=1", "--", "ls"): "ztl run",
        ("four", "hart.load=1", "--nonsense", "--", "run", "plain.s"): "--nonsense",
        ("fuor", "hart.load=1", "--", "run", "plain.s"): "four"}.items():
    expect_in(str(arguments), part, run("timing", "sweep", *arguments, status=2).stderr)
run("timing", "sweep", "four", "hart.load=1", "--", "run", "none.c", status=1)
expect_in("not on QEMU", "simulator", run("timing", "sweep", "four", "hart.load=1", "--", "run",
                                          "--help", status=1).stderr)
run("timing", "sweep", "four", "hart.load=1", "--csv", "no/x.csv", "--", "run", "plain.s", status=1)

folder.cleanup()
print(f"{failures} failures" if failures else "machines, regions, timelines and sweeps as they should")
sys.exit(failures > 0)
