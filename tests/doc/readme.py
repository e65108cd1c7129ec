#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The example in the README is examples/first.c, and prints what the README says; the map names
every folder; every file it sends the reader to exists."""
import pathlib
import re
import subprocess
import sys
import unittest

SOURCE, FIRST, ZTL = (pathlib.Path(argument) for argument in sys.argv[1:4])
del sys.argv[1:4]
readme = (SOURCE / "README.md").read_text()


class Readme(unittest.TestCase):
    def test_example(self):
        code = re.search(r"^```c\n(.*?)^```$", readme, re.M | re.S)[1]
        source = (SOURCE / "examples/first.c").read_text()
        self.assertEqual(code, source.split("\n", 1)[1])
        output = re.search(r"^prints\n\n```\n(.*?)^```$", readme, re.M | re.S)[1]
        self.assertEqual(subprocess.run([FIRST], capture_output=True, text=True).stdout, output)

    def test_assembly_example(self):
        code = re.search(r"^```asm\n(.*?)^```$", readme, re.M | re.S)[1]
        source = SOURCE / "examples/first.s"
        self.assertEqual(code, source.read_text().split("\n", 1)[1])
        options, output = re.search(r"^`ztl (run .*?) examples/first.s`.*?```\n(.*?)^```$", readme,
                                    re.M | re.S).groups()
        done = subprocess.run([ZTL, *options.split(), source], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, output))

    def test_every_command_is_named(self):
        commands = (SOURCE / "cli/commands.def").read_text()
        for name in re.findall(r"^ZTL_COMMAND\((\w+),", commands, re.M):
            self.assertIn(f"`ztl {name}`", readme)

    def test_map(self):
        rows = re.findall(r"^\| (`\w+/.*?) \|", readme, re.M)
        named = {name.split("/")[0] for row in rows for name in re.findall(r"`(.*?)`", row)}
        files = subprocess.run([SOURCE / "tools/list-files"], capture_output=True, text=True,
                               check=True).stdout.split("\0")
        folders = {name.split("/")[0] for name in files if "/" in name and name[0] != "."}
        self.assertEqual(named, folders)

    def test_links(self):
        for name in re.findall(r"`([\w./]+\.(?:md|h|c))`", readme):
            if "prog" not in name:
                self.assertTrue((SOURCE / name).exists(), name)


if __name__ == "__main__":
    unittest.main()
