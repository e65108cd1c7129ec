# SPDX-License-Identifier: Apache-2.0
"""The type hints, where mypy is installed: of the package, and as a user's program sees them."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PACKAGE = pathlib.Path(os.environ["ZTL_BUILD"]) / "python"
RIGHT = """
import ztl
hart = ztl.Hart(revision=2, xlen=32)
number: float = hart.f[10]
bits: int = hart.f.bits['fa0'] + hart.x[3] + hart.csr['tshape']
hart.execute('tl.addi tl2, tl1, 3')
result = ztl.ops.transpose([[1]], (1, 0), out=None)
plan = ztl.ops.plan('transpose', [[1]], aim='cycles')
cycles: int = plan.cycles('four') + plan.total
machine = ztl.Machine('first.s', timing='four')
reason: str = machine.run(limit=3)
picture: ztl.Timeline = machine.timeline
"""
WRONG = ("hart.x['a0'] = 'text'", "word: str = hart.f.bits[1]", "ztl.Hart(xlen='64')",
         "ztl.ops.plan(3)", "ztl.Machine('a.s', timing=4)", "hart.nothing")


@unittest.skipUnless(shutil.which("mypy"), "there is no mypy")
class Types(unittest.TestCase):
    def check(self, *arguments):
        # NumPy is any type here: its own hints would take most of the time.
        done = subprocess.run(["mypy", "--no-site-packages", "--ignore-missing-imports", "--cache-dir",
                               "/dev/null", *map(str, arguments)], cwd=PACKAGE, stdout=subprocess.PIPE,
                              env=os.environ | {"MYPYPATH": str(PACKAGE)})
        return done.returncode, done.stdout.decode()

    def test_package(self):
        code, said = self.check("ztl")
        self.assertEqual(code, 0, said)

    def test_program(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "program.py"
            path.write_text(RIGHT + "\n".join(WRONG))
            code, said = self.check("--strict", "--follow-imports=silent", path)
        self.assertEqual(code, 1, said)
        lines = [line for line in said.splitlines() if ": error:" in line]
        self.assertEqual(len(lines), len(WRONG), said)
        for number, line in enumerate(lines, RIGHT.count("\n") + 1):
            self.assertIn(f":{number}: ", line)


unittest.main()
