#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every page of doc/ is reachable from doc/README.md, every link in it leads somewhere, every page
is installed, and ztl(1) lists every command and its page.

usage: index.py SOURCE-DIR"""

import pathlib
import re
import sys

top = pathlib.Path(sys.argv[1])
problems = []


def links(page):
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
    for target in re.findall(r"\]\(([^)#]+)", text):
        if "://" not in target:
            yield (page.parent / target).resolve()


def reachable(start):
    seen, todo = set(), [start.resolve()]
    while todo:
        page = todo.pop()
        if page in seen:
            continue
        seen.add(page)
        if page.suffix != ".md":
            continue
        for target in links(page):
            if not target.exists():
                problems.append(f"{page.relative_to(top.resolve())}: no {target.name}")
            elif target.is_file():
                todo.append(target)
    return seen


index = top / "doc" / "README.md"
seen = reachable(index)
for page in sorted((top / "doc").rglob("*.md")):
    if page.resolve() not in seen:
        problems.append(f"{page.relative_to(top)}: not reachable from doc/README.md")
if index.resolve() not in reachable(top / "README.md"):
    problems.append("README.md: no link to doc/README.md")

commands = re.findall(r"^ZTL_COMMAND\((\w+)", (top / "cli/commands.def").read_text(), flags=re.M)
manual = (top / "doc/man/ztl.1").read_text()
for command in commands:
    if f".It Cm {command}\n" not in manual:
        problems.append(f"ztl.1: no command {command}")
for page in sorted((top / "doc/man").iterdir()):
    name, section = page.stem, page.suffix[1:]
    if page.name != "ztl.1" and not re.search(rf"^\.Xr {name} {section}\b", manual, flags=re.M):
        problems.append(f"ztl.1: SEE ALSO lacks {name}({section})")

if len(commands) < 8 or len(seen) < 10:
    problems.append(f"only {len(commands)} commands and {len(seen)} pages found")
for problem in problems:
    print(problem, file=sys.stderr)
sys.exit(bool(problems))
