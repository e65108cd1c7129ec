#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes ztl/_table.py: what the package must know before a library is loaded, from the lists that
the C sources are made of. An operator that is added there is in the package without a change.

usage: generate.py SOURCE-DIR > _table.py"""

import ast
import pathlib
import re
import sys


def read_rows(path, macro):
    """The rows of a list: texts of the arguments of each use of a macro at the start of a line."""
    for line in path.read_text().splitlines():
        if line.startswith(macro + "("):
            inside = line[len(macro) + 1:line.rindex(")")]
            yield [cell.strip() for cell in re.findall(r'(?:"[^"]*"|[^",])+', inside)]


def read_version(source):
    text = (source / "include/ztl/version.h").read_text()
    return tuple(int(re.search(rf"ZTL_VERSION_{part} (\d+)", text).group(1))
                 for part in ("MAJOR", "MINOR", "PATCH"))


def read_operators(source):
    """(name, command, inputs, summary), in the order of enum ztl_ops_kind."""
    return [(cells[0], cells[1], ast.literal_eval(cells[2]), int(cells[3]), ast.literal_eval(cells[4]))
            for cells in read_rows(source / "ops/operators.def", "ZTL_OPERATOR")]


def read_attributes(source):
    """(name, kind, field, meaning, operators that take it, those that need it)"""
    for cells in read_rows(source / "ops/attributes.def", "ZTL_ATTRIBUTE"):
        takes, needs = (re.findall(rf"{word}\((\w+)\)", cells[5]) for word in ("TAKES", "NEEDS"))
        yield ast.literal_eval(cells[0]), cells[1], cells[2], ast.literal_eval(cells[4]), takes, needs
    for cells in read_rows(source / "ops/attributes.def", "ZTL_FIELD"):
        if cells[0] == "TYPE":  # the command has it as an option of all operators
            yield "type", "TYPE", cells[1], "the type of elements, where the dtype does not say", \
                re.findall(r"NEEDS\((\w+)\)", cells[2]), []


def read_words(source):
    """The words of each attribute that is one of several, in the order of their enum."""
    text = (source / "include/ztl/ops.h").read_text()
    for name in ("mode", "layout", "coordinate", "nearest", "aspect"):
        body = re.search(rf"enum ztl_ops_{name} \{{(.*?)\}}", text, flags=re.S).group(1)
        yield name.upper(), [word.lower() for word in re.findall(r"ZTL_OPS_(\w+)", body)]


def read_headers(source):
    """The public headers in one text, without comments and continued lines."""
    text = "".join(path.read_text() for path in sorted((source / "include/ztl").glob("*.h")))
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.S).replace("\\\n", " ")


def read_names(headers, macro):
    """The second argument of each row of a list that a header defines as a macro."""
    body = re.search(rf"#define {macro}\(\w+\)(.*)", headers).group(1)
    return re.findall(r'\w+\(\w+, "(.*?)"', body)


def read_constants(headers):
    """Names of numbers: of #define, and of enums that say the number of each name."""
    found = dict(re.findall(r"#define (ZTL_\w+) (\d+)$", headers, flags=re.M))
    for body in re.findall(r"enum \{(.*?)\}", headers, flags=re.S):
        found.update(re.findall(r"(ZTL_\w+) = ([^,]+?)\s*(?:,|$)", body))
    return found


def read_members(body):
    """(name, type, lengths of an array) of each member of a structure; a function is a pointer."""
    for declaration in filter(None, (" ".join(d.split()) for d in body.split(";"))):
        function = re.match(r".*?\(\*(\w+)\)\(", declaration)
        if function:
            yield function.group(1), "void *", []
            continue
        type_name, rest = re.match(
            r"((?:const )?(?:enum \w+|struct \w+|\w+)) ?(.*)", declaration).groups()
        for one in rest.split(","):
            stars, name, lengths = re.match(r"\s*(\**)(\w+)(.*)", one).groups()
            yield (name, type_name.replace("const ", "") + (" *" if stars else ""),
                   re.findall(r"\[(.*?)\]", lengths))


def read_structures(headers):
    """The structures whose members are plain declarations: {name: members}."""
    for body, name in re.findall(r"typedef struct \w+ \{([^{}#]*?)\} (\w+);", headers):
        yield name, list(read_members(body))


def generate(source):
    """The text of the module."""
    source = pathlib.Path(source)
    operators, attributes = read_operators(source), list(read_attributes(source))
    headers = read_headers(source)
    lines = ["# SPDX-License-Identifier: Apache-2.0",
             '"""Made by generate.py from the lists of operators and the headers."""', "",
             f"VERSION = {read_version(source)}", "",
             f"CLASSES = {read_names(headers, 'ZTL_CLASSES')!r}",
             f"CAUSES = {read_names(headers, 'ZTL_TIMING_CAUSES')!r}",
             f"CONSTANTS = {read_constants(headers)!r}", "", "# name, type, lengths of an array",
             "STRUCTURES = {"] + [f"    {name!r}: {members!r},"
                                  for name, members in read_structures(headers)] + ["}", "",
             f"WORDS = {dict(read_words(source))!r}", "",
             "# name, command, inputs (0: one or more, -1: none), summary, attributes: name, kind,",
             "# field, meaning; those that must be given come first, and there are so many of them",
             "OPERATORS = ["]
    for ident, name, command, inputs, summary in operators:
        needed = [row[:4] for row in attributes if ident in row[5]]
        taken = [row[:4] for row in attributes if ident in row[4]]
        lines.append(f"    ({name!r}, {command!r}, {inputs}, {summary!r}, {len(needed)}, [")
        lines += [f"        {row!r}," for row in needed + taken]
        lines.append("    ]),")
    return "\n".join(lines + ["]", ""])


if __name__ == "__main__":
    sys.stdout.write(generate(sys.argv[1]))
