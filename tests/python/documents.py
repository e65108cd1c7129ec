# SPDX-License-Identifier: Apache-2.0
"""The examples in the package's docstrings do what they say."""

import doctest
import importlib
import os
import pathlib
import pkgutil
import sys

import ztl

attempted = failed = 0
for module in [ztl] + [importlib.import_module("ztl." + info.name)
                       for info in pkgutil.iter_modules(ztl.__path__)]:
    result = doctest.testmod(module)
    failed, attempted = failed + result.failed, attempted + result.attempted
page = pathlib.Path(os.environ["ZTL_SOURCE"]) / "doc/python.md"
if page.exists():
    os.chdir(page.parent.parent)
    result = doctest.testfile(str(page), module_relative=False)
    failed, attempted = failed + result.failed, attempted + result.attempted
sys.exit(bool(failed) or attempted < 120)
