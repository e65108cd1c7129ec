#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels by hand beside the library's plans: a table, in cycles, which is checked.

usage: table.py ZTL [--write]

ZTL is the command in the build folder. The results of the kernels are compared with NumPy's, their
cycles with bench/cases/byhand.def, and the library's cycles divided by theirs with allowed.txt.
--write writes both files anew, for when a figure is meant to change.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

import numpy as np

BUILD = pathlib.Path(sys.argv[1]).resolve().parent
os.environ.setdefault("ZTL_LIBRARY_PATH", str(BUILD))
sys.path.append(str(BUILD / "python"))
from kernels import KERNELS
from program import in_order, run

HERE = pathlib.Path(__file__).resolve().parent
ROWS = HERE.parents[2] / "bench/cases/byhand.def"
ALLOWED = HERE / "allowed.txt"
TYPES = {1: "int8", 2: "fp16", 4: "fp32"}
MACHINES = ("four", "kinds")
HEAD = """\
# SPDX-License-Identifier: Apache-2.0
# The most that the library may take of each kernel by hand: its cycles / theirs, by the executor and
# compiled, on the machines four and kinds. It is to come down to 1.05; table.py --write lowers it.
"""


def kernel_cycles(name, element, machine):
    """The cycles of a kernel, whose result is right, the floor, and whether it reads beyond its
    input."""
    kernel = KERNELS[name][0](element, machine == "kinds")
    program = in_order(kernel.tiles, kernel.registers, machine == "kinds", kernel.sets)
    expected = np.ascontiguousarray(kernel.expected).view("u1").reshape(-1)
    out, cycles = run(program, kernel.inputs, expected.size, machine)
    assert (out == expected).all(), f"{name} {TYPES[element]} on {machine}: not what NumPy makes of it"
    return cycles, -(-expected.size // 64), kernel.beyond


def library_cycles(ztl, *options):
    """By name and machine."""
    words = [ztl, "bench", "ops", "--cycles", "--group", "byhand", "--json", *options]
    report = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    found = {}
    for row in report["results"]:
        name = row["name"].replace(" compiled on four", "").replace(" on four", "")
        found[name, "four"], found[name, "kinds"] = row["cycles"], row["cycles_kinds"]
    return found


def known():
    """The figures of byhand.def, by name, type and machine."""
    found = {}
    for name, figures in re.findall(r'^ZTL_KNOWN\("(.*?)",.*",\s*([^"]*)\)$', ROWS.read_text(), re.M):
        values = [float(value) for value in figures.split(",")]
        for k, (element, machine) in enumerate((e, m) for m in MACHINES for e in TYPES):
            found[name, element, machine] = values[k]
    return found


def write_known(cycles):
    """The figures of byhand.def anew."""
    def line(match):
        figures = []
        for machine in MACHINES:
            for element in TYPES:
                mine = cycles.get((match[2], element, machine))
                figures.append(f"{mine[0] / mine[1]:.3f}" if mine else "0")
        return f"{match[1]}{', '.join(figures)})"
    text = re.sub(r'^(ZTL_KNOWN\("(.*?)",.*",\s*)[^"]*\)$', line, ROWS.read_text(), flags=re.M)
    ROWS.write_text(text)


def allowed():
    """By name and type: four ratios."""
    lines = [line for line in ALLOWED.read_text().splitlines() if not line.startswith("#")]
    return {line[:34].strip(): [float(n) for n in line[34:].split()] for line in lines}


def main():
    ztl, write = sys.argv[1], sys.argv[2:] == ["--write"]
    cycles = {(name, element, machine): kernel_cycles(name, element, machine)
              for name, (_, elements) in KERNELS.items() for element in elements
              for machine in MACHINES}
    if write:
        write_known(cycles)
    ways = [library_cycles(ztl), library_cycles(ztl, "--compiled")]
    limits, figures, wrong, lines = {} if write else allowed(), known(), [], []
    print(f"{'':34}{'floor':>7}{'by hand':>17}{'executor / hand':>17}{'compiled / hand':>17}\n{'':34}"
          f"{'':7}" + f"{'four':>9}{'kinds':>8}" * 3)
    for name, (_, elements) in KERNELS.items():
        for element in elements:
            label = f"{name} {TYPES[element]}"
            mine = [cycles[name, element, machine] for machine in MACHINES]
            ratios = [way[label, machine] / own[0]
                      for way in ways for machine, own in zip(MACHINES, mine)]
            print(f"{label + ' *' * mine[0][2]:34}{mine[0][1]:7}{mine[0][0]:9}{mine[1][0]:8}" +
                  "".join(f"{a:9.2f}{b:8.2f}" for a, b in zip(ratios[::2], ratios[1::2])))
            lines.append(f"{label:34}" + "".join(f"{ratio + 0.005:8.2f}" for ratio in ratios))
            for own, machine in zip(mine, MACHINES):
                if abs(figures[name, element, machine] - own[0] / own[1]) > 0.0006:
                    wrong.append(f"{label} on {machine}: {own[0] / own[1]:.3f} floors, and byhand.def has "
                                 f"{figures[name, element, machine]}")
            for ratio, limit in zip(ratios, limits.get(label, [] if write else [0] * 4)):
                if ratio > limit + 0.01:
                    wrong.append(f"{label}: {ratio:.2f} times the kernel's cycles, allowed are {limit}")
    print("* reads a few bytes before and behind its input")
    if write:
        ALLOWED.write_text(HEAD + "\n".join(lines) + "\n")
    print(*wrong, sep="\n", file=sys.stderr, end="\n" if wrong else "")
    return 1 if wrong else 0


sys.exit(main())
