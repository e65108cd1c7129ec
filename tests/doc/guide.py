#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""doc/guide.md is true: its programs are the files of examples/guide, and its commands print what
it shows.

- The block of ```sh is the set-up. It is typed in a folder that looks like the source tree; `make`
  does nothing there, since this build is the one that is tested.
- A block that follows a line which ends with a file's name in backticks and a colon is that file,
  without its SPDX line. Every file of examples/guide is shown.
- A block of ```console has commands after "$ " (a line that ends with a backslash goes on) and
  what they print, standard error included. "…" stands for any text in a line; alone in a line, for
  any lines. A command must succeed unless it ends with `; echo "status $?"`. One that ends with
  "&" runs beside the next and has ended after it; it has started when it has printed a line.
- <!-- needs NAME --> before a block: it is run where the tree has NAME, or NAME is a program.

usage: guide.py SOURCE_DIR BUILD_DIR [PAGE]"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

source, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
page = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else source / "doc/guide.md"
BLOCK = re.compile(r"^([^\n]*)\n\n?```(\w*)\n(.*?)^```$", re.M | re.S)
LIMIT = 300  # seconds, for a command that hangs


def matches(expected, actual):
    pattern = ""
    for line in expected.splitlines():
        pattern += r"(?:.*\n)*?" if line == "…" else ".*".join(map(re.escape, line.split("…"))) + r"\n"
    return re.fullmatch(pattern, actual) is not None


def commands(block):
    """Pairs of a command and what it prints."""
    text = block.replace("\\\n", "\\\0")
    for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.M):
        yield command.replace("\0", "\n"), output.replace("\0", "\n")


class Terminal:
    """The reader's terminal: a folder and an environment; commands are typed one by one."""

    def __init__(self, home):
        self.background = None
        tree = home / "ztl"
        (tree / "build").mkdir(parents=True)
        (tree / "build/gcc").symlink_to(build)
        for name in source.iterdir():
            if name.name not in ("build", ".git"):
                (tree / name.name).symlink_to(name)
        stubs = home / "stubs"
        stubs.mkdir()
        (stubs / "make").write_text('#!/bin/sh\ntest "$*" = build\n')
        (stubs / "make").chmod(0o755)
        path = f"{stubs}:/usr/bin:/bin:{os.environ['PATH']}"
        self.folder, self.environment = tree, dict(os.environ, PATH=path, HOME=str(home), COLUMNS="80")

    def set_up(self, block):
        """Types it, and keeps the folder and the environment that it leaves."""
        done = self.run("set -e\n" + block + "\nprintf '\\0%s\\0' \"$PWD\"; env -0")
        printed, folder, variables = done.stdout.split("\0", 2)
        self.folder = pathlib.Path(folder)
        self.environment = dict(item.split("=", 1) for item in variables.strip("\0").split("\0"))
        return done.returncode == 0 and not printed

    def run(self, command):
        return subprocess.run(["/bin/bash", "-c", command], cwd=self.folder, env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=LIMIT)

    def type(self, command):
        """What it prints, and whether all ended well."""
        if command.endswith("&"):
            self.background = subprocess.Popen(command[:-1], shell=True, cwd=self.folder,
                                               env=self.environment, stdin=subprocess.DEVNULL,
                                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            return self.background.stdout.readline(), True
        if command.startswith("export "):
            return "", self.set_up(command)
        done = self.run(command)
        if self.background:
            rest, _ = self.background.communicate(timeout=LIMIT)
            self.background = None
            return done.stdout + rest, done.returncode == 0
        return done.stdout, done.returncode == 0

    def close(self):
        if self.background:
            self.background.kill()
            self.background.communicate()


def absent(line):
    needed = re.fullmatch(r"<!-- needs (\S+) -->", line)
    return needed and not (source / needed[1]).exists() and not shutil.which(needed[1])


def check_file(line, block, shown):
    name = re.search(r"`([\w.]+)`:$", line)
    if not name:
        return
    file = source / "examples/guide" / name[1]
    shown.add(file.name)
    if not file.exists():
        yield f"there is no examples/guide/{file.name}"
    elif file.read_text().split("\n", 1)[1] != block:
        yield f"examples/guide/{file.name} is not what the guide shows"


def check(terminal):
    """Yields what is wrong."""
    shown, count = set(), 0
    text = page.read_text()
    for line, language, block in BLOCK.findall(text):
        if language == "sh":
            if not terminal.set_up(block):
                yield "the set-up fails"
        elif language == "console" and absent(line):
            print(f"not here: {line}")
        elif language == "console":
            for command, expected in commands(block):
                actual, good = terminal.type(command)
                count += 1
                if not good:
                    yield f"fails: {command}\n{actual}"
                elif not matches(expected, actual):
                    yield f"$ {command}\n{expected}--- but it prints\n{actual}"
        else:
            yield from check_file(line, block, shown)
    if len(BLOCK.findall(text)) != text.count("\n```") // 2:
        yield "a block without a line before it"
    for file in sorted((source / "examples/guide").iterdir()):
        if file.name not in shown:
            yield f"examples/guide/{file.name} is not shown"
    print(count, "commands")
    if count < 20:
        yield f"only {count} commands"


with tempfile.TemporaryDirectory() as folder:
    terminal = Terminal(pathlib.Path(folder).resolve())
    try:
        problems = list(check(terminal))
    finally:
        terminal.close()
for problem in problems:
    print(f"guide.md: {problem}", file=sys.stderr)
sys.exit(bool(problems))
