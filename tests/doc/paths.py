#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every path of the tree that a page names in backticks, or a comment names by its extension,
exists, from the top or beside the file.

A path counts as one of the tree's when it starts with a top folder, or, on a page that lies in a
folder, with a folder beside the page. Left out: names with a placeholder (NAME), files that the
text tells the reader to create ("the new file `x`"), and names of tests ("the test `x`").

usage: paths.py SOURCE-DIR"""

import pathlib
import re
import subprocess
import sys

top = pathlib.Path(sys.argv[1])
listed = subprocess.run([top / "tools/list-files"], cwd=top, capture_output=True, check=True)
files = [name for name in listed.stdout.decode().split("\0") if name]
FOLDERS = {name.split("/")[0] for name in files if "/" in name and name[0] != "."}
SOURCES = {".c", ".h", ".def", ".S", ".py", ".sh", ".txt", ".cmake"}
QUOTED = r"`[^`]+`"
IGNORED = re.compile(rf"(?:[Nn]ew files?|\btests?) {QUOTED}(?:(?:,|,? and) {QUOTED})*")


def candidates(name, text):
    """The paths that a file names."""
    if name.endswith(".md"):
        text = re.sub(r"^(```+).*?^\1$", "", text, flags=re.M | re.S)
        created = set(re.findall(r"[Nn]ew file `([^`]+)`", " ".join(text.split())))
        text = IGNORED.sub("", " ".join(text.split()))
        found = re.findall(r"`([\w.*+-]+(?:/[\w.*+-]+)*/?)`", text)
        return [path for path in found if "/" in path and path not in created]
    found = re.findall(r"(?<![\w/.$}<-])([\w+-]+(?:/[\w+-]+)+\.(?:c|h|def|md|py|sh))\b", text)
    return [path for path in found if not name.startswith("tests/")]


def exists(folder, path):
    return any(folder.glob(path)) if "*" in path else (folder / path).exists()


def check(name):
    """Yields what is wrong, then the number of paths looked at."""
    page = top / name
    places = [top] if page.suffix != ".md" else [top, page.parent]
    looked = 0
    for path in candidates(name, page.read_text(errors="replace")):
        first = path.split("/")[0]
        if first == "." or re.search(r"\b[A-Z]{2,}\b(?!\.md)", path) or not any(
                first in FOLDERS if place == top else (place / first).is_dir()
                for place in places):
            continue
        looked += 1
        if not any(exists(place, path) for place in (top, page.parent)):
            yield f"{name}: no {path}"
    yield looked


def main():
    problems, looked = set(), 0
    for name in files:
        if pathlib.PurePath(name).suffix in SOURCES | {".md"} and (top / name).is_file():
            *wrong, count = check(name)
            problems.update(wrong)
            looked += count
    print(looked, "paths")
    if looked < 300:
        problems.add(f"only {looked} paths found")
    for problem in sorted(problems):
        print(problem, file=sys.stderr)
    return bool(problems)


sys.exit(main())
