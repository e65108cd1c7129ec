#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The README's table of folders is true: a file includes headers of its own folder and of the
folders that the table says its folder knows, nothing else, and the table has no cycle.

A folder in the table may be a folder inside another: the longest name that fits a path counts.
Public headers belong to the folder that implements them.

usage: layers.py SOURCE-DIR"""

import pathlib
import re
import subprocess
import sys

top = pathlib.Path(sys.argv[1])

OWNER = {  # of the public headers, <ztl/NAME.h>
    "isa": "isa",
    "version": "isa",
    "ztl": "model",
    "codec": "codec",
    "hart": "sim",
    "program": "sim",
    "host": "sim",
    "observe": "sim",
    "intrin": "intrin",
    "ops": "ops",
    "region": "timing",
    "timeline": "timing",
    "timing": "timing",
}
SOURCES = {".c", ".h", ".def", ".S", ".cpp", ".sv"}


def read_table():
    """{folder: set of folders it knows, or None where it may know everything}"""
    table = {}
    section = (top / "README.md").read_text().split("## The folders", 1)[1].split("\n## ", 1)[0]
    for line in re.findall(r"^\| `.*\|$", section, flags=re.M):
        folders, _, known = (cell.strip() for cell in line.strip("|").split("|"))
        known = None if known == "everything" else set(re.findall(r"`([\w/]+?)/`", known))
        for folder in re.findall(r"`([\w/]+?)/`", folders):
            table[folder] = known
    return table


def folder_of(path, table):
    """The longest folder of the table that the path lies in."""
    parts = path.split("/")
    for size in range(len(parts), 0, -1):
        name = "/".join(parts[:size])
        if name in table:
            return name
    return None


def owner_of(include, path, table):
    """The folder of an included header, None for the system's."""
    public = re.match(r"ztl/(?:intrin/)?(\w+)\.h$", include)
    if public:
        name = "intrin" if include.startswith("ztl/intrin/") else public.group(1)
        return OWNER.get(name, f"<{include}>")
    if (top / include).exists():
        return folder_of(include, table)
    return folder_of(path, table) if (top / path).parent.joinpath(include).exists() else None


def sources(table):
    listed = subprocess.run([top / "tools/list-files"], cwd=top, capture_output=True, check=True)
    for name in listed.stdout.decode().split("\0"):
        if pathlib.PurePath(name).suffix in SOURCES and (top / name).is_file():
            yield name


def find_cycle(table):
    def visit(folder, trail):
        if folder in trail:
            return trail[trail.index(folder):] + [folder]
        for known in sorted(table.get(folder) or ()):
            cycle = visit(known, trail + [folder])
            if cycle:
                return cycle
        return None

    return next(filter(None, (visit(folder, []) for folder in sorted(table))), None)


def main():
    table = read_table()
    problems = [f"README.md: no folder {known}" for set_ in table.values() for known in set_ or ()
                if not (top / known).is_dir()]
    cycle = find_cycle(table)
    if cycle:
        problems.append("README.md: a cycle: " + " -> ".join(cycle))
    count = 0
    for path in sources(table):
        folder = folder_of(path, table)
        if folder is None:
            if path.split("/")[0] != "include":
                problems.append(f"{path}: its folder is not in the README's table")
            continue
        text = (top / path).read_text(errors="replace")
        for include in re.findall(r'^\s*#\s*include\s+["<]([^">]+)[">]', text, flags=re.M):
            owner = owner_of(include, path, table)
            count += owner is not None
            if owner in (None, folder) or table[folder] is None or owner in table[folder]:
                continue
            problems.append(f"{path}: includes {include}, but {folder}/ does not know {owner}/")
    if count < 500:
        problems.append(f"only {count} includes of our own found")
    for problem in sorted(problems):
        print(problem, file=sys.stderr)
    return bool(problems)


sys.exit(main())
