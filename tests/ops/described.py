#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Everything that people expect of an operator is there, for each row of ops/operators.def: its row
on the page, with its inputs and attributes; its help and the package's; a constructor; random cases
against NumPy. What is missing is said, with the file that it is missing in.

usage: described.py ZTL"""
import pathlib
import re
import subprocess
import sys

import adding
import indexing
import onnx_operators
import operators
from tensors import SOURCE, generate

ZTL = sys.argv[1]
PAGE = "doc/operators.md"


def read_page():
    """{operator: (inputs, needed attributes, others)} as people read it."""
    text = (SOURCE / PAGE).read_text().split("\n## The operators\n")[1]
    table = re.search(r"^\| operator \| inputs \| attributes \|\n\|---.*\n((?:\|.*\n)*)", text, flags=re.M)
    rows = {}
    for line in table[1].splitlines():
        name, inputs, attributes = (cell.strip() for cell in line.strip("|").split("|"))
        words = [word.strip() for word in attributes.split(",") if word.strip()]
        needed = {word.strip("*") for word in words if word.startswith("**")}
        rows[name.strip("`")] = inputs.split(), needed, set(words) - {f"**{n}**" for n in needed}
    return rows


def read_help(command):
    """The same by the command: options of the operator, and those that are needed."""
    text = subprocess.run([ZTL, "op", command, "--help"], check=True, capture_output=True).stdout.decode()
    text = re.sub(r"\n {10,}", " ", text.split("--type TYPE")[0])
    options = re.findall(r"^  --(\w+) (.*)$", text, re.M)
    needed = {name for name, rest in options if rest.endswith("(needed)")}
    return needed, {name for name, _ in options} - needed


def find_missing(row, page):
    """What is not there for an operator."""
    name, command = row["name"], row["command"]
    if command not in page:
        yield f"{PAGE}: no row for {command}"
    else:
        inputs, needed, others = page[command]
        if inputs != row["inputs"]:
            yield f"{PAGE}: {command} has the inputs {row['inputs']}, not {inputs}"
        if (needed, others) != read_help(command):
            yield f"{PAGE}: {command} needs and takes {read_help(command)}, not {needed, others}"
    if not re.search(rf"^static inline ztl_ops_op ztl_ops_{name}\(",
                     (SOURCE / "include/ztl/ops_new.h").read_text(), re.M):
        yield f"include/ztl/ops_new.h: no constructor ztl_ops_{name}"
    modules = (adding, indexing, onnx_operators, operators)
    if not any(hasattr(module, f"op_{name}") for module in modules):
        yield f"tests/ops/operators.py: no random cases, a function op_{name}"
    for column in ("summary", "example", "call", "result"):
        if not row[column]:
            yield f"ops/operators.def: {command} has no {column}"
    if not re.search(rf"\b{name}\(", row["call"]):
        yield f"ops/operators.def: the call of {command} is of another operator"


def main():
    rows, page = list(generate.read_operators(SOURCE)), read_page()
    problems = [problem for row in rows for problem in find_missing(row, page)]
    commands = [row["command"] for row in rows]
    problems += [f"{PAGE}: there is no operator {name}" for name in page if name not in commands]
    if not problems and list(page) != commands:
        problems = [f"{PAGE}: the rows are not in the order of ops/operators.def"]
    shown = re.findall(r"^\| `(\w+)` \| (\w+) \| (.*?) \| (.*?) \|$",
                       (SOURCE / PAGE).read_text().split("\n### Formats\n")[1], re.M)
    formats = [tuple(map(generate.text_of, cells[1:]))
               for cells in generate.read_rows(SOURCE / "ops/formats.def", "ZTL_FORMAT")]
    problems += [f"{PAGE}: the row of a format is {row}, not one of ops/formats.def"
                 for row in shown if row not in formats]
    problems += [f"{PAGE}: no row {row} of ops/formats.def" for row in formats if row not in shown]
    for problem in problems:
        print(problem, file=sys.stderr)
    return bool(problems) or len(rows) < 37


sys.exit(main())
