#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of folders, in doc/architecture.md and in the README.md of a folder that is divided
further, are true: a file includes headers of its own folder and of those that its folder knows by the
table, no row of the first table lists one that it does not include, and the tables have no cycle.
A folder that has grown beyond what the eye takes in is to be divided.

A public header is part of the folder that implements it. A folder in another one obeys both rows. In
the README of a folder, `NAME/` is a folder of it, if it has such a one, `../NAME/` one beside it.

usage: layers.py SOURCE-DIR"""

import collections
import os
import pathlib
import re
import subprocess
import sys

top = pathlib.Path(sys.argv[1])

# Of the public headers, <ztl/NAME.h> and <ztl/NAME_….h>; those of intrin/ are intrin's.
OWNER = {"isa": "isa", "version": "isa", "error": "isa", "ztl": "model", "hart": "sim",
         "program": "sim", "source": "sim", "host": "sim", "linux": "sim", "observe": "sim",
         "intrin": "intrin", "ops": "ops", "movers": "movers",
         "region": "timing", "timeline": "timing", "timing": "timing"}
TOP = "doc/architecture.md"  # has the table of the top folders
SOURCES = {".c", ".h", ".def", ".S", ".cpp"}
MOST = 20  # sources in a folder, those of its folders not counted
FOLDER = r"`((?:\.\./)*[\w/]+?)/`"


def list_files():
    listed = subprocess.run([top / "tools/list-files"], cwd=top, capture_output=True, check=True)
    return sorted(filter(None, listed.stdout.decode().split("\0")))


def read_tables(files):
    """{folder: set of the folders it knows, or None where it may know everything}"""
    table = {}
    for readme in (f for f in files if f == TOP or pathlib.PurePath(f).name == "README.md"):
        inside = str(pathlib.PurePath(readme).parent) + "/" if readme != TOP else ""
        section = re.search(r"^\| folder \|.*\| knows \|\n(?:\|.*\n)*", (top / readme).read_text(),
                            flags=re.M)
        for line in section.group().splitlines()[2:] if section else ():
            folders, _, known = (cell.strip() for cell in line.strip("|").split("|"))
            names = [os.path.normpath(inside + name) if (top / inside / name).is_dir() else name
                     for name in re.findall(FOLDER, known)]
            for folder in re.findall(FOLDER, folders):
                table[inside + folder] = None if known == "everything" else set(names)
    return table


def rooms_of(path, table):
    """The folders of the tables that a file is in, the innermost first."""
    public = re.match(r"(?:include/)?ztl/([a-z]+)(?:[_/]\w+)?\.h$", path)
    if public:
        return [OWNER[public.group(1)]] if public.group(1) in OWNER else []
    return [str(parent) for parent in pathlib.PurePath(path).parents if str(parent) in table]


def target_of(include, path):
    """The file that is included, from the top; None for one that is not ours."""
    if re.match(r"ztl/.*\.h$", include):
        return include
    beside = str(pathlib.PurePath(path).parent / include)
    return next((name for name in (include, beside) if (top / name).is_file()), None)


def find_cycle(table):
    def visit(folder, trail):
        if folder in trail:
            return trail[trail.index(folder):] + [folder]
        return next(filter(None, (visit(known, trail + [folder])
                                  for known in sorted(table.get(folder) or ()))), None)

    return next(filter(None, (visit(folder, []) for folder in sorted(table))), None)


def judge(path, include, table, used):
    """What is wrong with an include, None for nothing; the rows that allow it go to `used`."""
    target = target_of(include, path)
    if target is None:
        return None
    source_rooms, target_rooms = rooms_of(path, table), rooms_of(target, table)
    if not target_rooms:
        return f"{path}: includes {include}, whose folder is in no table"
    if target_rooms[0] in source_rooms:
        return None
    for room in (room for room in source_rooms if room not in target_rooms):
        known = target_rooms if table[room] is None else set(target_rooms) & table[room]
        if not known:
            return f"{path}: includes {include}, but {room}/ does not know {target_rooms[0]}/"
        used.update((room, other) for other in known)
    return None


def main():
    files = list_files()
    table = read_tables(files)
    problems, used, count = [], set(), 0
    for path in (f for f in files if pathlib.PurePath(f).suffix in SOURCES):
        if not rooms_of(path, table):
            problems.append(f"{path}: its folder is in no table")
            continue
        text = (top / path).read_text(errors="replace")
        includes = re.findall(r'^\s*#\s*include\s+["<]([^">]+)[">]', text, flags=re.M)
        problems += filter(None, (judge(path, include, table, used) for include in includes))
        count += len(includes)
    for folder, known in table.items():
        if not (top / folder).is_dir():
            problems.append(f"{TOP}: there is no folder {folder}/")
        problems += [f"{TOP}: {folder}/ does not include anything of {other}/"
                     for other in known or () if "/" not in folder and (folder, other) not in used]
    folders = collections.Counter(str(pathlib.PurePath(f).parent) for f in files
                                  if pathlib.PurePath(f).suffix in SOURCES)
    problems += [f"{folder}/: {many} sources at one level; divide it"
                 for folder, many in folders.items() if many > MOST]
    cycle = find_cycle(table)
    if cycle:
        problems.append(f"{TOP}: a cycle: " + " -> ".join(cycle))
    if len(table) < 20 or count < 1000:
        problems.append(f"only {len(table)} folders in the tables, {count} includes")
    for problem in problems:
        print("layers: " + problem, file=sys.stderr)
    return bool(problems)


sys.exit(main())
