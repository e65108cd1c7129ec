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
    text = path.read_text()
    rows = re.findall(rf'^{macro}\(((?:"(?:[^"\\]|\\.)*"|\([^()]*\)|[^()"])*)\)', text, flags=re.M)
    if len(rows) != len(re.findall(rf"^{macro}\(", text, flags=re.M)):
        raise SystemExit(f"{path}: a row of {macro} cannot be read")
    for row in rows:
        yield [cell.strip() for cell in re.findall(r'(?:"(?:[^"\\]|\\.)*"|\([^()]*\)|[^,"(])+', row)]


def text_of(cell):
    """Texts of C that follow one another, as one."""
    return ast.literal_eval(f"({cell})")


def read_version(source):
    text = (source / "include/ztl/version.h").read_text()
    return tuple(int(re.search(rf"ZTL_VERSION_{part} (\d+)", text).group(1))
                 for part in ("MAJOR", "MINOR", "PATCH"))


def read_operators(source):
    """The columns of each row, in the order of enum ztl_ops_kind: as they are, but texts are texts,
    inputs are lists of names, traits are sets."""
    names = ("id", "name", "command", "inputs", "traits", "attributes", "summary", "example", "call",
             "result")
    for cells in read_rows(source / "ops/operators.def", "ZTL_OPERATOR"):
        row = {name: text_of(cell) if cell.startswith('"') else cell
               for name, cell in zip(names, cells, strict=True)}
        row["inputs"] = row["inputs"].split()
        row["traits"] = set(re.findall(r"OPS_(\w+(?:\(\d\))?)", row["traits"]))
        yield row


def read_attributes(source):
    """{ID: (name, kind, field, meaning)} of those that Python has, in the order of the list."""
    path, found = source / "ops/attributes.def", {}
    for cells in read_rows(path, "ZTL_ATTRIBUTE"):
        found[cells[0]] = text_of(cells[1]), cells[2], cells[3], text_of(cells[5])
    for ident, kind, field in read_rows(path, "ZTL_FIELD"):
        if kind == "TYPE":  # the command has it as an option of all operators
            found[ident] = "type", kind, field, "the type of elements, where the dtype does not say"
    return found


def read_words(source):
    """{kind: {word: its number}} of attributes that are one of several words, in lower case."""
    headers, numbers, words = read_headers(source), {}, {}
    for body in re.findall(r"enum ztl_ops_\w+ \{([^#{}]*?)\}", headers):
        numbers.update((name, n) for n, name in enumerate(re.findall(r"ZTL_OPS_(\w+)", body)))
    for kind, ident, word in read_rows(source / "ops/words.def", "ZTL_WORD"):
        words.setdefault(kind, {})[text_of(word).lower()] = numbers[ident]
    words["FORMAT"] = {text_of(cells[1]).lower(): number for number, cells
                       in enumerate(read_rows(source / "ops/formats.def", "ZTL_FORMAT"), 1)}
    return words


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
        declaration = declaration.replace("*const *", "**")
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
    operators, attributes = read_operators(source), read_attributes(source)
    headers = read_headers(source)
    lines = ["# SPDX-License-Identifier: Apache-2.0",
             '"""Made by generate.py from the lists of operators and the headers."""', "",
             f"VERSION = {read_version(source)}", "",
             f"CLASSES = {read_names(headers, 'ZTL_CLASSES')!r}",
             f"CAUSES = {read_names(headers, 'ZTL_TIMING_CAUSES')!r}",
             f"CONSTANTS = {read_constants(headers)!r}", "", "# name, type, lengths of an array",
             "STRUCTURES = {"] + [f"    {name!r}: {members!r},"
                                  for name, members in read_structures(headers)] + ["}", "",
             f"WORDS = {read_words(source)!r}", "",
             "# name, command, names of inputs, traits, which input holds indices (0: none), summary,",
             "# how many attributes must be given, attributes, those first: name, kind, field, meaning;",
             "# a call and its result",
             "OPERATORS = ["]
    for row in operators:
        has = [(how, attributes[ident])
               for how, ident in re.findall(r"(NEEDS|TAKES|EITHER)\((\w+)\)", row["attributes"])
               if ident in attributes]
        needed, taken = ([one for how, one in has if (how == "NEEDS" and one[1] != "TYPE") == must]
                         for must in (True, False))
        indices = next((int(trait[8]) for trait in row["traits"] if trait.startswith("INDICES(")), 0)
        traits = sorted(trait for trait in row["traits"] if "(" not in trait)
        lines.append(f"    ({row['name']!r}, {row['command']!r}, {row['inputs']!r}, {traits!r}, "
                     f"{indices}, {row['summary']!r}, {len(needed)}, [")
        lines += [f"        {one!r}," for one in needed + taken]
        lines.append(f"    ], {row['call']!r}, {row['result']!r}),")
    return "\n".join(lines + ["]", ""])


if __name__ == "__main__":
    sys.stdout.write(generate(sys.argv[1]))
