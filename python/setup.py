# SPDX-License-Identifier: Apache-2.0
"""For pip, as doc/python.md says: the package, with its table made from the lists of the tree that it
is part of."""

import pathlib
import sys
import tempfile

from setuptools import setup
from setuptools.command.build_py import build_py

here = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(here))
import generate  # noqa: E402


class build_with_table(build_py):
    def run(self):
        super().run()
        (pathlib.Path(self.build_lib) / "ztl/_table.py").write_text(generate.generate(here.parent))


# Not in the source tree: its tests look at every file there, and what is left from an older version
# would be installed with the next.
with tempfile.TemporaryDirectory() as scratch:
    setup(version=".".join(map(str, generate.read_version(here.parent))),
          cmdclass={"build_py": build_with_table},
          options={"build": {"build_base": scratch}, "egg_info": {"egg_base": scratch}})
