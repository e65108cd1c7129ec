#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the manual, rules.yaml and the programs together: each rule of the manual is in the list with
its text, each has programs or a reason why none can test it, each bin tests a rule, and the Chinese
manual has the same ids in the same order. --fix writes the texts of the manual into the list; then
look at the programs of what has changed.

usage: rules.py [--fix] FOLDER-OF-THE-SOURCES PROGRAMS.json"""
import json
import pathlib
import re
import sys
import textwrap

import yaml

ID = re.compile(r"`(ztl\.[a-z]+\.\d+)`")
MANUAL, CHINESE, LIST = "doc/isa.md", "doc/zh/isa.md", "conformance/rules.yaml"


def rules_of(manual):
    """[(id, text)] of a manual: a rule is what stands before its id, up to the one before it."""
    prose = re.sub(r"^```.*?^```$", "", manual, flags=re.M | re.S)
    for paragraph in re.split(r"\n\s*\n", prose):
        flat, last = " ".join(paragraph.split()), 0
        for found in ID.finditer(flat):
            yield found[1], re.sub(r"^\*Traps\.\* ", "", flat[last : found.start()].strip())
            last = found.end()


def load(path):
    return yaml.load(path.read_text(), getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def makers_of(kit, rule):
    """Where its bins are made: file:line."""
    for path in sorted(kit.glob("bins_*.py")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if re.search(rf"{re.escape(rule)}\b(?!\.)", line):
                yield f"conformance/kit/{path.name}:{number}"


def write(path, found, listed):
    """The list with the texts of the manual; what else it says of a rule stays."""
    head = [line for line in path.read_text().splitlines() if line.startswith("#")]
    by_id = {rule["id"]: rule for rule in listed}
    lines = [*head, ""]
    for rule, text in found:
        more = by_id.get(rule, {"instructions": []})
        lines.append(f"- id: {rule}")
        quoted = json.dumps(text, ensure_ascii=False)
        lines += textwrap.wrap(f"text: {quoted}", 100, initial_indent="  ", subsequent_indent="    ",
                               break_long_words=False, break_on_hyphens=False)
        lines += textwrap.wrap(f"instructions: [{', '.join(more['instructions'])}]", 100, initial_indent="  ",
                               subsequent_indent="    ")
        if "untestable" in more:
            lines += textwrap.wrap(f"untestable: {more['untestable']}", 100, initial_indent="  ",
                                   subsequent_indent="    ")
    new = path.with_name(path.name + ".new")
    new.write_text("\n".join(lines) + "\n")
    new.replace(path)


def texts(found, listed, kit):
    """What is wrong between the manual and the list."""
    in_list = {rule["id"]: rule["text"] for rule in listed}
    for rule, text in found:
        where = ", ".join(makers_of(kit, rule))
        if rule not in in_list:
            yield (f"{MANUAL}: {rule} is not in {LIST}: run conformance/kit/rules.py --fix; its program is a bin in "
                   "a function of conformance/kit/bins_*.py")
        elif in_list[rule] != text:
            yield (f"{MANUAL}: {rule} reads '{text}', in {LIST} it is '{in_list[rule]}': look at its bins, "
                   f"{where or 'it has none'}; then run conformance/kit/rules.py --fix")
    for rule in sorted(set(in_list) - {rule for rule, _ in found}):
        yield f"{LIST}: {rule} is not in {MANUAL}"


def bins(listed, programs):
    """What is wrong between the list and the programs."""
    tested = {entry["rule"] for program in programs for entry in program["bins"]}
    for rule in listed:
        if rule["id"] not in tested and "untestable" not in rule:
            yield (f"{LIST}: nothing tests {rule['id']}: add a bin to a function of conformance/kit/bins_*.py, or "
                   "'untestable:' with the reason")
        if rule["id"] in tested and "untestable" in rule:
            yield f"{LIST}: {rule['id']} is called untestable, and has programs"
    for rule in sorted(tested - {rule["id"] for rule in listed}):
        yield f"{LIST}: lacks {rule}, which bins test"
    names = [f"{program['name']}: {entry['rule']}/{entry['name']}" for program in programs
             for entry in program["bins"]]
    for name in sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else ():
        yield f"{name}: two bins have this name"


def main():
    fix = "--fix" in sys.argv[1:]
    top, listing = [pathlib.Path(a) for a in sys.argv[1:] if a != "--fix"]
    kit, path = top / "conformance/kit", top / LIST
    found = list(rules_of((top / MANUAL).read_text()))
    listed = load(path)
    if fix:
        write(path, found, listed)
        listed = load(path)
    problems = [*texts(found, listed, kit), *bins(listed, json.loads(listing.read_text()))]
    ids = [rule for rule, _ in found]
    problems += [f"{MANUAL}: {rule} is there twice" for rule in sorted(set(ids)) if ids.count(rule) > 1]
    if ids != [rule for rule, _ in rules_of((top / CHINESE).read_text())]:
        problems.append(f"{CHINESE}: its ids are not those of {MANUAL}, in their order")
    if ids != [rule["id"] for rule in listed]:
        problems.append(f"{LIST}: its ids are not in the order of {MANUAL}")
    for problem in problems:
        print(f"rules: {problem}", file=sys.stderr)
    return bool(problems) or len(found) < 100


sys.exit(main())
