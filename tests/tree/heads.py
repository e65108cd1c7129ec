#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every file of C or assembly says in its first comment, after the licence, what it is for. The programs
of the guide and of the pages do not: the page around them says it, and prints them to the byte.

usage: heads.py SOURCE-DIR"""

import pathlib
import re
import subprocess
import sys

top = pathlib.Path(sys.argv[1])
HEAD = re.compile(r"(?:/\*|//|#) SPDX-License-Identifier: Apache-2\.0\n"
                  r"(?: \*\n)?(?: \*|//|#) \S.{9,}\n")
QUOTED = ("examples/guide/", "examples/first.c")

listed = subprocess.run([top / "tools/list-files", "-name", "*.[chS]", "-o", "-name", "*.def", "-o", "-name",
                         "*.cpp"], check=True, stdout=subprocess.PIPE).stdout.decode()
files = sorted(name for name in listed.split("\0") if name and not name.startswith(QUOTED))
wrong = [name for name in files if not HEAD.match((top / name).read_text())]
for name in wrong:
    print(f"heads: {name}: its first comment does not say what it is for", file=sys.stderr)
if len(files) < 700:
    print(f"heads: only {len(files)} files", file=sys.stderr)
sys.exit(bool(wrong) or len(files) < 700)
