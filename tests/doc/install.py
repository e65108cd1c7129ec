#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The commands with which a page says to install something, run as they are printed: `make demo`,
`make install` and so on, apt-get and pip, in the text or in a block, whose other lines are run too.
make is real; what it runs does not build anew: this build is the one that is installed. apt-get is
a stand-in, and may be given packages of tools/packages.txt, and make.

usage: install.py SOURCE-DIR BUILD-DIR"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE, BUILD = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
del sys.argv[1:3]
INSTALLS = re.compile(r"(?<![\w-])(make (demo|build|test|install|uninstall)|apt(-get)? install|"
                      r"pip3? install)(?![\w-])")
PAGES = [SOURCE / name for name in ("README.md", "README.zh-CN.md", "examples/README.md")] + sorted(
    [*(SOURCE / "doc").glob("*.md"), *(SOURCE / "doc/zh").glob("*.md")])
STANDS_IN = {
    "cmake": 'case $1 in --install|-D*) exec {cmake} "$@" ;; esac',
    "ctest": "echo '100% tests passed'",
    "dpkg-query": 'shift 3; for package; do echo "$package installed"; done',
    "apt-get": 'test "$1" = install && shift && printf "%s\\n" "$@" >>{scratch}/packages',
}


def commands(page):
    """The texts of a page to type: blocks and, from its text, single commands."""
    text = page.read_text(encoding="utf-8")
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S):
        if language in ("", "sh") and INSTALLS.search(block):
            # In a list of commands, what each does stands behind it.
            yield re.sub(r"^(make \w+) {2,}\w.*$", r"\1", block, flags=re.M)
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    for command in re.findall(r"`([^`]+)`", prose):
        if INSTALLS.match(" ".join(command.split())):
            yield command


class Install(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name).resolve()
        self.tree, stands_in, self.root = (self.home / name for name in ("ztl", "bin", "root"))
        (self.tree / "build").mkdir(parents=True)
        (self.tree / "build/gcc").symlink_to(BUILD)
        (self.tree / "build/clang").mkdir()
        for name in SOURCE.iterdir():
            if name.name not in ("build", ".git"):
                (self.tree / name.name).symlink_to(name)
        stands_in.mkdir()
        for name, text in STANDS_IN.items():
            program = stands_in / name
            program.write_text("#!/bin/sh\n" + text.format(cmake=shutil.which("cmake"),
                                                           scratch=self.home))
            program.chmod(0o755)
        kept = {name: value for name, value in os.environ.items() if not re.match(
            r"MAKE|MFLAGS|PREFIX|DESTDIR|BUILD|PYTHONPATH|ZTL_|PKG_CONFIG|LD_LIBRARY", name)}
        self.environment = kept | {"HOME": str(self.home), "PIP_NO_INDEX": "1",
                                   "PATH": f"{stands_in}:/usr/bin:/bin:{os.environ['PATH']}"}

    def type(self, text, **environment):
        done = subprocess.run(["bash", "-e", "-c", text], cwd=self.tree, text=True, timeout=120,
                              env=self.environment | environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, f"{text}\n{done.stdout}")
        return done.stdout

    def test_every_command(self):
        """Below another root: the default prefix is the machine's."""
        packages = (SOURCE / "tools/packages.txt").read_text()
        known = set(re.findall(r"^([a-z0-9.+-]+) ", packages, re.M))
        typed = {}
        for page in PAGES:
            for command in commands(page):
                typed.setdefault(command, page)
        print(*typed, sep="\n")
        self.type("make install", DESTDIR=str(self.root))  # for pages that only uninstall
        for command, page in typed.items():
            with self.subTest(page=page.name, command=command):
                after = "\nmake install" if "make uninstall" in command else ""
                self.type(command + after, DESTDIR=str(self.root))
        self.assertTrue((self.root / "usr/local/bin/ztl").exists())
        self.assertTrue(pathlib.Path(f"{self.root}{self.home}/ztl/bin/ztl").exists())  # api.md
        packages = (self.home / "packages").read_text().split()
        self.assertFalse(set(packages) - known - {"make"})
        self.assertGreater(len(typed), 8)

    def test_pip(self):
        (block,) = (text for text in commands(SOURCE / "doc/python.md") if "pip install" in text)
        said = self.type(block + "\n/usr/bin/python3 -c 'import ztl; print(ztl.__file__)'",
                         ZTL_LIBRARY_PATH=str(BUILD))
        folder = re.search(r"--target ~/(\S+)", block)[1]
        self.assertIn(f"\n{self.home}/{folder}/ztl/__init__.py\n", said)

    def test_a_folder_of_ones_own(self):
        page = (SOURCE / "doc/api.md").read_text()
        (install,) = set(re.findall(r"`(make install PREFIX=[^`]*)`", page))
        search, load = re.findall(r"`((?:PKG_CONFIG_PATH|LD_LIBRARY_PATH)=[^`]*)`", page)
        compile = re.search(r"^cc prog\.c .*$", page, re.M)[0]
        self.type(install)
        shutil.copy(SOURCE / "tests/install/user_ops.c", self.tree / "prog.c")
        self.assertEqual(self.type(f"export {search}\n{compile}\n{load} ./a.out"), "transpose 42\n")
        self.type(install.replace("make install", "make uninstall"))
        self.assertEqual(sorted((self.home / "ztl").rglob("*.so")), [])


if __name__ == "__main__":
    unittest.main()
