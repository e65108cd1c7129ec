#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Area of the parts, by Debian's yosys with the cells of qflow-tech-osu018: gates of the size of its
NAND2X1. Prints a table; with PAGE, looks whether the page has these figures.

usage: measure.py [PAGE]
"""
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CELLS = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"

# What is measured: its name in the table, the module, what is read, and what is only a black box.
PARTS = (
    ("pair permuter without its memory", "permuter", "control permuter", "bank"),
    ("pair permuter with 2 KiB of flip-flops", "permuter", "control permuter bank", ""),
    ("of it, the control", "control", "control", ""),
    ("one bank of 32 bytes, of flip-flops", "bank", "bank", ""),
    ("slice aligner, 64 bytes", "aligner", "aligner", ""),
    ("register file, 32 KiB, without its 64 macros", "registers", "registers", "macro"),
)


def synthesise(folder, top, read, boxes):
    lines = [f"read_verilog -sv {HERE}/{name}.sv" for name in read.split()]
    lines += [f"read_verilog -sv -lib {HERE}/{name}.sv" for name in boxes.split()]
    lines += [f"synth -flatten -top {top}", f"dfflibmap -liberty {CELLS}", f"abc -liberty {CELLS}", "opt_clean",
              f"tee -q -o {folder}/{top} stat -liberty {CELLS}"]
    subprocess.run(["yosys", "-q", "-p", "; ".join(lines)], check=True, stdout=subprocess.DEVNULL)
    report = pathlib.Path(folder, top).read_text()
    return float(re.search(r"Chip area for module .*: ([\d.]+)", report)[1])


def cell_area(name):
    return float(re.search(rf"cell \({name}\) {{\s*area : ([\d.]+)", pathlib.Path(CELLS).read_text())[1])


def main():
    nand = cell_area("NAND2X1")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for index, (name, top, read, boxes) in enumerate(PARTS):
            if sys.stderr.isatty():
                print(f"\r{index + 1} of {len(PARTS)}: {name} ", end="", file=sys.stderr)
            area = synthesise(folder, top, read, boxes)
            rows.append(f"| {name} | {area / nand / 1000:.1f} |")
    if sys.stderr.isatty():
        print(file=sys.stderr)
    for name, cell in (("a flip-flop, DFFPOSX1", "DFFPOSX1"), ("a multiplexer of two bits, MUX2X1", "MUX2X1")):
        rows.append(f"| {name} | {cell_area(cell) / nand / 1000:.3f} |")
    print("| part | kGE |\n|---|---|\n" + "\n".join(rows))
    if len(sys.argv) > 1:
        page = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
        figures = [row.split("|")[2] for row in rows]
        there = re.findall(r"^\| [^|]+ \|( [\d.]+ )\|$", page, re.M)
        missing = [row for row, figure in zip(rows, figures) if figure not in there]
        if missing:
            sys.exit(f"{sys.argv[1]} has other figures than\n" + "\n".join(missing))


main()
