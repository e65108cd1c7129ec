#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No file of C has more than 500 lines, and no function more than 60, its signature and braces included.
Tests are not held to it: some of theirs are tables of cases.

usage: sizes.py SOURCE-DIR"""

import pathlib
import re
import subprocess
import sys

top = pathlib.Path(sys.argv[1])
FILE, FUNCTION = 500, 60
# As clang-format writes a function: the signature at the margin, a brace alone there at either end. A
# brace at the margin that does not end the function is that of a label.
FUNCTIONS = re.compile(r"^(?:[A-Za-z_][^;{}=#]*\))\n\{\n(?:.*\n)*?\}\n(?=\n[^ \n]|#|\Z)", re.M)

listed = subprocess.run([top / "tools/list-files", "-name", "*.[ch]"], check=True, stdout=subprocess.PIPE)
names = sorted(name for name in listed.stdout.decode().split("\0") if name and not name.startswith("tests/"))
problems, functions = [], 0
for name in names:
    text = (top / name).read_text()
    lines = text.count("\n")
    if lines > FILE:
        problems.append(f"{name}: {lines} lines, at most {FILE}")
    for found in FUNCTIONS.finditer(text):
        functions += 1
        lines = found[0].count("\n")
        if lines > FUNCTION:
            line = text.count("\n", 0, found.start()) + 1
            problems.append(f"{name}:{line}: a function of {lines} lines, at most {FUNCTION}")
for problem in problems:
    print("sizes: " + problem, file=sys.stderr)
if functions < 4000:
    print(f"sizes: only {functions} functions found", file=sys.stderr)
sys.exit(bool(problems) or functions < 4000)
