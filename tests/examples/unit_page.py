#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The commands of a page print what it says, in the folder where this is called: all lines, or the
first of them where more follow. usage: unit_page.py PAGE
"""
import pathlib
import re
import subprocess
import sys

text = pathlib.Path(sys.argv[1]).read_text()
count = 0
for block in re.findall(r"^```\n(\$ .*?)^```", text, re.M | re.S):
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M):
        run = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
        if expected and not run.stdout.startswith(expected):
            sys.exit(f"{command}\n{run.stdout}{run.stderr}")
        if run.returncode and "--bug" not in command:
            sys.exit(f"{command}: status {run.returncode}\n{run.stdout}{run.stderr}")
        count += 1
assert count >= 6, count
