#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The examples in README.md and doc/api.md are those of examples/, and print what the pages say;
doc/architecture.md names every folder; every file that README.md sends the reader to exists, and
README.zh-CN.md sends them to the same.

usage: readme.py SOURCE_DIR FIRST ZTL"""
import pathlib
import re
import subprocess
import sys
import unittest

SOURCE, FIRST, ZTL = (pathlib.Path(argument) for argument in sys.argv[1:4])
del sys.argv[1:4]
readme, chinese, api, architecture = ((SOURCE / name).read_text() for name in (
    "README.md", "README.zh-CN.md", "doc/api.md", "doc/architecture.md"))
commands = re.findall(r"^ZTL_COMMAND\((\w+),", (SOURCE / "cli/commands.def").read_text(), re.M)


class Readme(unittest.TestCase):
    def test_example(self):
        code = re.search(r"^```c\n(.*?)^```$", api, re.M | re.S)[1]
        source = (SOURCE / "examples/first.c").read_text()
        self.assertEqual(code, source.split("\n", 1)[1])
        output = re.search(r"^prints\n\n```\n(.*?)^```$", api, re.M | re.S)[1]
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
        for name in commands:
            self.assertIn(f"`ztl {name}`", readme)

    def test_map(self):
        rows = re.findall(r"^\| (`\w+/.*?) \|", architecture, re.M)
        named = {name.split("/")[0] for row in rows for name in re.findall(r"`(.*?)`", row)}
        files = subprocess.run([SOURCE / "tools/list-files"], capture_output=True, text=True,
                               check=True).stdout.split("\0")
        folders = {name.split("/")[0] for name in files if "/" in name and name[0] != "."}
        self.assertEqual(named, folders)

    def test_links(self):
        for name in re.findall(r"`([\w./]+\.(?:md|h|c))`", readme):
            if "prog" not in name:
                self.assertTrue((SOURCE / name).exists(), name)
        for page in readme, chinese:
            for name in re.findall(r"\]\(([^):]+)\)", page):
                self.assertTrue((SOURCE / name).exists(), name)

    def test_links_in_chinese(self):
        english, other = ([name.replace("doc/zh/", "doc/") for name in re.findall(r"\]\((.*?)\)", page)
                           if not name.startswith("README")] for page in (readme, chinese))
        self.assertGreater(len(english), 5)
        self.assertEqual(english, other)


if __name__ == "__main__":
    unittest.main()
