#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The worked example of ops/README.md: its commands print what the page shows; a line … stands for any
lines.

usage: example.py SOURCE-DIR ZTL"""
import pathlib
import re
import shlex
import subprocess
import sys

page = (pathlib.Path(sys.argv[1]) / "ops/README.md").read_text()
blocks = re.findall(r"^```console\n\$ (.*)\n((?:.*\n)*?)```\n", page, re.M)
assert len(blocks) == 2, blocks
failed = False
for command, shown in blocks:
    program, *arguments = shlex.split(command)
    assert program == "ztl", command
    printed = subprocess.run([sys.argv[2], *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout
    pattern = "(?:.*\n)+".join(map(re.escape, shown.split("…\n")))
    if not re.fullmatch(pattern, printed):
        failed = True
        print(f"ops/README.md: {command}\nprints now:\n{printed}", file=sys.stderr)
sys.exit(failed)
