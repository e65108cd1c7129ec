#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the page of the manual's rules: what tests each. page.py RULES.yaml PROGRAMS.json PAGE"""
import json
import pathlib
import sys

sys.dont_write_bytecode = True
from report import coverage_of

HEAD = """<!-- SPDX-License-Identifier: Apache-2.0 -->
# The rules of Ztl, and what tests them

The rules of the [manual](isa.md) with their coverpoints. After each coverpoint are its bins, as many as
there are, and the programs that have them; `ztl conform --cover` names each bin, and
`ztl conform --filter 'ztl.concat.4/'` runs the programs of a rule. How to run them is in
[conform.md](conform.md).
"""


def page(rules):
    yield HEAD
    for rule, points in rules:
        yield f'### <a id="{rule["id"]}"></a>{rule["id"]}\n'
        yield rule["text"] + "\n"
        if "untestable" in rule:
            yield f"Untestable: {rule['untestable']}.\n"
        for point, bins in points.items():
            programs = dict.fromkeys(program for where in bins.values() for program in where)
            count = len(bins)
            yield f"- `{point}`, {count} bin{'s' * (count != 1)}: {', '.join(f'`{name}`' for name in programs)}"
        yield ""


def main():
    rules, listing, target = map(pathlib.Path, sys.argv[1:])
    found, _ = coverage_of(rules, json.loads(listing.read_text()))
    new = target.with_name(target.name + ".new")
    new.write_text("\n".join(page(found)))
    new.replace(target)


main()
