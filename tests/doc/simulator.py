#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The grids in doc/simulator.md are what ztl run and gdb print. usage: simulator.py SOURCE_DIR ZTL"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE, ZTL = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
del sys.argv[1:3]
text = (SOURCE / "doc/simulator.md").read_text()


class Simulator(unittest.TestCase):
    def test_dump(self):
        options, output = re.search(r"^`ztl (run --dump .*?) examples/first.s`.*?```\n(.*?)^```$", text,
                                    re.M | re.S).groups()
        done = subprocess.run([ZTL, *options.split(), SOURCE / "examples/first.s"],
                              capture_output=True, text=True, timeout=300)
        self.assertEqual((done.returncode, done.stdout), (0, output))

    def test_gdb(self):
        command, output = re.search(r"^\(gdb\) (tlgrid .*?)\n(.*?)^```$", text, re.M | re.S).groups()
        with tempfile.TemporaryDirectory() as folder:
            server = subprocess.Popen([ZTL, "run", "--gdb", "unix:socket", "--timeout", "300",
                                       SOURCE / "examples/first.s"], cwd=folder,
                                      stderr=subprocess.PIPE, text=True)
            self.assertIn("waiting for gdb", server.stderr.readline())
            # Nine instructions come before `done`; gdb has no symbols of a source that is run.
            gdb = subprocess.run(["gdb-multiarch", "-nx", "-batch",
                                  "-ex", f"source {SOURCE}/adapters/gdb/ztl.py",
                                  "-ex", "target remote socket", "-ex", "stepi 9", "-ex", command,
                                  "-ex", "kill"], cwd=folder, capture_output=True, text=True,
                                 stdin=subprocess.DEVNULL, timeout=300)
            server.wait(timeout=300)
            server.stderr.close()
        self.assertIn(output, gdb.stdout, gdb.stderr)


if __name__ == "__main__":
    unittest.main()
