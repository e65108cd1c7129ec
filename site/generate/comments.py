#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A header for Doxygen: plain comments before declarations are descriptions of them, those behind
members are theirs.

usage: comments.py HEADER"""

import pathlib
import re
import sys

text = pathlib.Path(sys.argv[1]).read_text()
text = re.sub(r"/\* SPDX[^\n]*\n \*\n?", "/** @file\n", text, count=1)
text = re.sub(r"^/\* (?!----|clang-format)", "/** ", text, flags=re.M)
text = re.sub(r"(?<=[,;{}\w]) +/\* (?=[^*\n]*\*/)", " /**< ", text)
# what is indented by four spaces is code
print(text)
