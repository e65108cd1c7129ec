#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each Chinese page says what the English one of its name does, as far as a program can tell: the
same sections (number and level of headings; headings without prose are equal), in each section the
same tables, row by row and column by column, the same code blocks, lists, pictures and commands, as many
paragraphs, with the same numbers and names in backticks; and each page links to the other.

usage: zh.py SOURCE-DIR"""

import pathlib
import re
import sys
import tempfile

HAN = re.compile(r"[\u4e00-\u9fff]")
MARKER = re.compile(r"^<!-- ztl .* -->$")
IMAGE = re.compile(r"!\[[^]]*\]\((?:[\w.-]+/)*([\w-]+\.\w+)\)")


def sections(text):
    """[(level, title, parts)]: parts in order, each (kind, what must be the same)."""
    found = [(0, "", [])]
    lines = iter(text.splitlines())
    before = ""
    for line in lines:
        parts = found[-1][2]
        fence = re.match(r"(`{3,})(\w*)$", line)
        if fence:
            code = []
            while (line := next(lines, fence[1])) != fence[1]:
                code.append(line)
            parts.append(("code", fence[2], tuple(code)))
        elif heading := re.match(r"(#+) (.*)", line):
            found.append((len(heading[1]), heading[2], []))
        elif line.startswith("|"):
            cells = re.split(r"(?<!\\)\|", line)[1:-1]
            parts.append(("row", len(cells), tuple(quoted(cell) for cell in cells)))
        elif MARKER.match(line):
            parts.append(("command", line))
        elif IMAGE.search(line):
            parts.append(("picture", *IMAGE.findall(line)))
        elif line.startswith("    ") and (not before or before.startswith("    ")):
            parts.append(("code", line))
        elif item := re.match(r"(-|\d+\.) ", line):
            parts.append(("item", item[1]))
        before = line
    return found


def prose(text):
    """Of each section: its paragraphs, with what must be the same in them: names in backticks, and
    numbers of two digits or more outside of those."""
    for section in re.split(r"^#+ .*$", re.sub(r"^(```+).*?^\1$", "", text, flags=re.M | re.S), flags=re.M):
        section = re.sub(r"^(?:[|]|<!--|!\[|    ).*$", "", section, flags=re.M)
        paragraphs = [part for part in re.split(r"\n\s*\n|\n(?=- |\d+\. )", section) if part.strip()]
        flat = " ".join(section.split())
        names = {name.replace("doc/zh/", "doc/") for name in re.findall(r"`([^`]+)`", flat)}
        plain = re.sub(r"`[^`]+`|\]\([^)]*\)", "", flat)
        yield len(paragraphs), names, set(re.findall(r"(?<![\w.])\d[\d.,]*\d(?!\w)", plain))


def compare_prose(title, english, chinese):
    (count, names, numbers), (other_count, other_names, other_numbers) = english, chinese
    if count != other_count:
        yield f"section '{title}': {count} paragraphs, not {other_count}"
    if missing := names - other_names:
        yield f"section '{title}': no {sorted(missing)}"
    if numbers != other_numbers:
        yield f"section '{title}': numbers {sorted(numbers ^ other_numbers)} on one side only"


def quoted(cell):
    """What is not prose in a cell: text in backticks, and cells that are no words at all."""
    marks = sorted(re.findall(r"`[^`]+`", cell))
    if not HAN.search(cell) and not re.search(r"[A-Za-z]{2}", cell):
        marks.append(cell.strip())
    return tuple(marks)


def same_cells(english, chinese):
    return all(set(e) <= set(c) or not any("`" in mark for mark in e) and not c
               for e, c in zip(english, chinese))


def compare(name, english, chinese):
    """Yields what differs."""
    ours, theirs = sections(english), sections(chinese)
    if [s[0] for s in ours] != [s[0] for s in theirs]:
        for (level, title, _), (other, called, _) in zip(ours, theirs):
            if level != other:
                break
        yield f"{name}: {len(ours)} sections, {len(theirs)} in Chinese; see '{title}' and '{called}'"
        return
    for (_, title, parts), (_, called, others) in zip(ours, theirs):
        if re.match(r"(tl\.|`)", title) and title != called:
            yield f"{name}: '{title}' is '{called}'"
        for part, other in zip(parts, others):
            rows = part[0] == other[0] == "row" and part[1] == other[1]
            if not (same_cells(part[2], other[2]) if rows else part == other):
                yield f"{name}: section '{title}': {part} is {other}"
                break
        else:
            if len(parts) != len(others):
                yield f"{name}: section '{title}': {len(parts)} tables, blocks and so on, not {len(others)}"
    for (_, title, _), *texts in zip(ours, prose(english), prose(chinese)):
        yield from (f"{name}: {problem}" for problem in compare_prose(title, *texts))


def pages(top):
    """(name, English page, Chinese page, links that they must have)"""
    for page in sorted((top / "doc/zh").glob("*.md")):
        yield page.name, top / "doc" / page.name, page, (f"(zh/{page.name})", f"(../{page.name})")
    if (top / "README.zh-CN.md").exists():
        yield ("README", top / "README.md", top / "README.zh-CN.md",
               ("(README.zh-CN.md)", "(README.md)"))


def check(top):
    for name, english, chinese, (forth, back) in pages(top):
        if not english.exists():
            yield f"{name}: there is no English page"
            continue
        ours, theirs = english.read_text(encoding="utf-8"), chinese.read_text(encoding="utf-8")
        yield from compare(name, ours, theirs)
        if forth not in ours or back not in theirs:
            yield f"{name}: the pages do not link to each other"
        words = re.sub(r"^(```+).*?^\1$", "", theirs, flags=re.M | re.S)
        if len(HAN.findall(words)) < len(words) / 8:
            yield f"{name}: this is not Chinese"


PAGE = """# One
[zh](zh/p.md) [en](../p.md)
一二三四五六七八九十一二三四五六七八九十

`name` 12

## Two

| a | b |
|---|---|
| `x` | 1 |
| `y` | 2 |

```c
code
```

<!-- ztl isa -->
"""


def broken():
    """Each difference that matters is found; yields those that are not."""
    changes = {"same": ("", ""), "heading": ("## Two", "### Two"), "section": ("## Two\n", ""),
               "row": ("| `y` | 2 |\n", ""), "cell": ("`y` | 2", "`z` | 2"),
               "number": ("`y` | 2", "`y` | 3"), "column": ("| `y` | 2 |", "| `y` | 2 | |"),
               "code": ("code\n", "Code\n"), "language": ("```c", "```s"),
               "command": ("ztl isa", "ztl isa 1"), "link": ("(../p.md)", "(p.md)"),
               "prose": ("一二三四五六七八九十", "prose "), "paragraph": ("`name` 12\n", ""),
               "name": ("`name`", "`game`"), "digits": ("` 12", "` 21")}
    with tempfile.TemporaryDirectory() as folder:
        top = pathlib.Path(folder)
        (top / "doc/zh").mkdir(parents=True)
        (top / "doc/p.md").write_text(PAGE, encoding="utf-8")
        for what, (old, new) in changes.items():
            (top / "doc/zh/p.md").write_text(PAGE.replace(old, new), encoding="utf-8")
            if bool(list(check(top))) != (what != "same"):
                yield f"the test itself: {what}: {list(check(top))}"


def main():
    top = pathlib.Path(sys.argv[1])
    problems = [*broken(), *check(top)]
    if not list(pages(top)):
        problems.append("there are no Chinese pages")
    for problem in problems:
        print("zh: " + problem, file=sys.stderr)
    return bool(problems)


sys.exit(main())
