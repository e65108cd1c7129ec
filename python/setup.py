# SPDX-License-Identifier: Apache-2.0
"""pip install ./python --no-build-isolation: the package, with its table made from the lists of the
tree that it is part of."""

import pathlib
import sys

from setuptools import setup
from setuptools.command.build_py import build_py

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here))
import generate  # noqa: E402


class build_with_table(build_py):
    def run(self):
        super().run()
        (pathlib.Path(self.build_lib) / "ztl/_table.py").write_text(generate.generate(here.parent))


setup(version=".".join(map(str, generate.read_version(here.parent))),
      cmdclass={"build_py": build_with_table})
