#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""doc/cookbook.md is true: its commands and its Python print what it shows, and the plans of its C are
those of its Python and of its commands. Cycles change when plans get better:

    make cookbook          writes what is printed now into both pages

- The block of ```sh makes the files. Blocks of ```console have commands after "$ " (a line that ends
  with a backslash goes on) and what they print.
- All blocks of ```c are one program.
- Blocks of ```python are typed one after the other. `plan` is that of the section: its cycles are those
  of the command, and it has as many Ztl instructions as that of the C.

usage: cookbook.py SOURCE_DIR BUILD_DIR [--write]      CC is the compiler"""

import contextlib
import difflib
import doctest
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile

source, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
PAGES = source / "doc/cookbook.md", source / "doc/zh/cookbook.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
COMMAND = re.compile(r"^(\$ (?:.*\\\n)*.*\n)((?:(?!\$ ).*\n)*)", re.M)
LIBRARIES = ("ops/libztlops.a", "libztl.a")


def make_model(path):
    """A network with two transposes, of which the second costs more."""
    from onnx import TensorProto, helper, save

    def tensor(name, shape):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
    nodes = [helper.make_node("Transpose", ["a"], ["x"], "back", perm=[0, 3, 1, 2]),
             helper.make_node("Transpose", ["b"], ["y"], "matrix", perm=[1, 0])]
    save(helper.make_model(helper.make_graph(
        nodes, "network", [tensor("a", [1, 28, 28, 32]), tensor("b", [128, 512])],
        [tensor("x", [1, 32, 28, 28]), tensor("y", [512, 128])]),
        opset_imports=[helper.make_opsetid("", 17)], ir_version=8), str(path))


class Reader:
    """Types what a page says, and keeps what is printed."""

    def __init__(self, folder):
        self.folder, self.names, self.typed, self.problems = folder, {}, 0, []
        path = f"{build}:/usr/bin:/bin:{os.environ['PATH']}"
        self.environment = dict(os.environ, PATH=path, HOME=str(folder), COLUMNS="80")
        self.environment.pop("LD_PRELOAD", None)

    def shell(self, command):
        done = subprocess.run(["/bin/bash", "-ec", command], cwd=self.folder, env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=300)
        self.typed += 1
        if done.returncode:
            self.problems.append(f"fails: {command}\n{done.stdout}")
        return done.stdout

    def console(self, block):
        """The block with what its commands print now."""
        return COMMAND.sub(lambda m: m[1] + self.shell(m[1][2:]), block)

    def python(self, block):
        """The block with what its lines print now."""
        result = []
        for example in doctest.DocTestParser().get_examples(block):
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(example.source, "cookbook", "single"), self.names)
            self.typed += 1
            lines = example.source.splitlines()
            result += [f">>> {lines[0]}", *(f"... {line}" for line in lines[1:])]
            result += printed.getvalue().splitlines()
        return "\n".join(result) + "\n\n"

    def program(self, blocks):
        """{name: Ztl instructions} that the C prints."""
        (self.folder / "cookbook.c").write_text("\n".join(blocks))
        flags = ["-std=c17", "-Wall", "-Wextra", "-Werror", f"-I{source}/include", f"-I{source}"]
        libraries = [str(build / name) for name in LIBRARIES]
        self.shell(" ".join([os.environ.get("CC", "cc"), *flags, *os.environ.get("FLAGS", "").split(),
                             "cookbook.c", *libraries, "-lelf", "-lz", "-lm", "-lpthread", "-o", "cookbook"]))
        return dict(re.findall(r"^(\w+): (\d+)$", self.shell("./cookbook"), re.M))


def cycles_of(block):
    found = re.findall(r"^  cycles +(\d+)$|^(\d+)$", block, re.M)
    return [int(one or other) for one, other in found]


def type_page(reader, text):
    """The blocks in order, with what they print now."""
    blocks, parts = [], [m[2] for m in BLOCK.finditer(text) if m[1] == "c"]
    counts, last = reader.program(parts), None
    for language, block in BLOCK.findall(text):
        name = re.match(r"static int (\w+)\(void\)", block)
        if language == "sh":
            reader.shell(block)
        elif language == "console":
            block = reader.console(block)
            last = cycles_of(block)
        elif language == "python":
            reader.names.pop("plan", None)
            block = reader.python(block)
            plan = reader.names.get("plan")
            if plan is not None and cycles_of(block)[-1:] != last[-1:]:
                reader.problems.append(f"the command takes {last} cycles, Python {cycles_of(block)}")
            if plan is not None and counts.get(recipe) != str(plan.total):
                reader.problems.append(f"{recipe}: {counts.get(recipe)} instructions in C, {plan.total} in "
                                       "Python")
        if name:
            recipe = name[1]
        blocks.append((language, block))
    return blocks


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder).resolve()
        make_model(folder / "model.onnx")
        os.chdir(folder)
        reader, texts = Reader(folder), [page.read_text() for page in PAGES]
        blocks = type_page(reader, texts[0])
        os.chdir("/")
    if len(blocks) < 60:
        reader.problems.append(f"only {len(blocks)} blocks")
    for page, text in zip(PAGES, texts):
        new = iter(blocks)
        fresh = BLOCK.sub(lambda m: "```%s\n%s```" % next(new), text)
        if fresh != text and "--write" in sys.argv and not reader.problems:
            page.write_text(fresh)
            print(f"{page}: written")
        elif fresh != text:
            wrong = difflib.unified_diff(text.splitlines(), fresh.splitlines(), page.name, "printed", "", "", 0,
                                         "")
            reader.problems.append("\n".join([*wrong, "'make cookbook' writes what is printed"]))
    for problem in reader.problems:
        print("cookbook: " + problem, file=sys.stderr)
    print(reader.typed, "commands and lines")
    return bool(reader.problems) or reader.typed < 90


sys.exit(main())
