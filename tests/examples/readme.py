#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The commands of examples/README.md print what it says. usage: readme.py SOURCE_DIR BUILD_DIR

The sessions of gdb and Verilator have tests of their own.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys

source, build = map(pathlib.Path, sys.argv[1:])
text = (source / "examples/README.md").read_text()
sessions = [block for block in re.findall(r"^```\n(.*?)^```", text, re.M | re.S)
            if not re.search("gdb|verilator", block)]
environment = dict(os.environ, PATH=f"{build}:{os.environ['PATH']}")
count = 0
for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", "".join(sessions), re.M):
    quoted = shlex.quote(str(build))
    command = command.replace("build/gcc/", f"{quoted}/").replace("/tmp/brighter", f"{quoted}/brighter")
    expected = expected.rstrip("\n").replace("/tmp/brighter", f"{build}/brighter")
    run = subprocess.run(command, shell=True, cwd=source, env=environment, capture_output=True, text=True)
    assert run.stdout.rstrip("\n") == expected, f"{command}\n{run.stdout}{run.stderr}"
    count += 1
assert count == 9, count
for name in re.findall(r"^\| `(.*?)`", text, re.M):
    assert (source / "examples" / name).exists(), name
