#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the programs that the playground offers: the first one, which it starts with, and every
example in assembly.

usage: examples.py SOURCE-DIR OUTPUT"""

import json
import pathlib
import sys

source, output = map(pathlib.Path, sys.argv[1:])
EXECUTED = 10  # of the first program: up to and with its tl.xpose


def example(name, path, count=0):
    text = path.read_text().partition("Apache-2.0\n")[2]  # the license is the tree's
    ztl1 = "ztl1p0" in text
    return {"name": name, "text": text, "count": count,
            "isa": "rv64gc_zba_zbb_zbs_ztl" + ("1p0" if ztl1 else "")}


DEVICES = {"unit", "merge_unit"}  # of harts with a device that this one has not
programs = sorted((path for path in (source / "examples").rglob("*.s") if path.parent.name not in DEVICES),
                  key=lambda path: (len(path.parts), path))
rows = [example("transpose a matrix", source / "site/page/start.s", EXECUTED)]
rows += [example(str(path.relative_to(source / "examples"))[:-2], path) for path in programs]
output.write_text(json.dumps(rows))
