#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""doc/timing.md: its table of parameters is that of ztl timing, its example takes the cycles that it
says (within what another compiler may change), and its pictures show the example's instructions.

usage: timing.py SOURCE-DIR ZTL"""

import json
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

top, ztl = pathlib.Path(sys.argv[1]), sys.argv[2]
page = (top / "doc/timing.md").read_text()
problems = []

four = json.loads(subprocess.run([ztl, "timing", "--json", "four"], capture_output=True).stdout)
documented = {}
for names, values in re.findall(r"^\| (`[a-z][a-z01m.`, ]+`) \| ([^|]+) \|", page, re.M):
    documented.update(zip(re.findall("`(.*?)`", names), values.split(", ")))
if documented != {name: str(value) for name, value in four.items()}:
    problems.append(f"parameters: {documented} in the page, {four} in the machine")

done = subprocess.run([ztl, "run", "--timing", "four", "--json", str(top / "examples/overlap.c")],
                      capture_output=True, text=True, timeout=120)
regions = {r["name"]: r for r in json.loads(done.stderr)["regions"]}
rows = re.findall(r"^  (\w+) +1 +(\d+) +(\d+) +(\d+) +([\d.]+)$", page, re.M)
if [row[0] for row in rows] != ["plain", "overlapped"]:
    problems.append("no table of the two regions")
for name, _, ztl_count, cycles, per_bound in rows:
    timing = regions[name]["timing"]
    if regions[name]["ztl_instructions"] != int(ztl_count):
        problems.append(f"{name}: {regions[name]['ztl_instructions']} Ztl instructions")
    if abs(timing["cycles"] / int(cycles) - 1) > 0.02:
        problems.append(f"{name}: {timing['cycles']} cycles, the page says {cycles}")
    if abs(timing["cycles_per_bound"] / float(per_bound) - 1) > 0.02:
        problems.append(f"{name}: {timing['cycles_per_bound']} of the bound")
if regions["plain"]["timing"]["cycles"] < 2 * regions["overlapped"]["timing"]["cycles"]:
    problems.append("overlapping is worth less than a factor of two")

for name in regions:
    picture = xml.parse(top / f"doc/timing-{name}.svg").getroot()
    titles = [t.text.split()[0] for t in picture.iter("{http://www.w3.org/2000/svg}title")]
    if not {"tl.load", "tl.xpose.01", "tl.store"} <= set(titles):
        problems.append(f"timing-{name}.svg shows {sorted(set(titles))}")

for problem in problems:
    print(f"timing.md: {problem}", file=sys.stderr)
sys.exit(bool(problems))
