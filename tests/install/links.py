#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every relative link of every installed page leads to a file that is installed, and to a heading that
it has; every page is reachable from the index; the guide's folder is where the guide says; man pages
refer to pages that there are, and paths of an installation in backticks exist.

usage: links.py BUILD-DIR"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop(1))
scratch = tempfile.TemporaryDirectory()
PREFIX = pathlib.Path(scratch.name).resolve() / "prefix"
LINK = re.compile(r"\]\(([^()\s]+)\)|(?:src|href)=\"([^\"]+)\"")


def read(page):
    """Without its blocks of code."""
    return re.sub(r"^(```+).*?^\1$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)


def links(page):
    """(target, file, heading) of each relative one"""
    for groups in LINK.findall(re.sub(r"`[^`]*`", "", read(page))):
        target = groups[0] or groups[1]
        if not re.match(r"\w+:", target):
            path, _, heading = target.partition("#")
            yield target, (page.parent / path).resolve() if path else page, heading


def headings(page):
    """As GitHub makes anchors of them; and those that a page names."""
    yield from re.findall(r'<a id="([^"]+)"', read(page))
    for title in re.findall(r"^#+ (.*)", read(page), re.M):
        yield re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        subprocess.run(["cmake", "--install", BUILD, "--prefix", PREFIX], check=True,
                       stdout=subprocess.DEVNULL)
        cls.doc = PREFIX / "share/doc/ztl"
        cls.pages = sorted((PREFIX / "share").rglob("*.md"))

    def test_links(self):
        dead, count = [], 0
        for page in self.pages:
            for target, path, heading in links(page):
                count += 1
                if not path.exists() or not path.is_relative_to(PREFIX):
                    dead.append(f"{page.relative_to(PREFIX)}: {target}")
                elif heading and heading not in headings(path):
                    dead.append(f"{page.relative_to(PREFIX)}: {target}: no such heading")
        self.assertFalse(dead)
        self.assertGreater(count, 150)

    def test_every_page_is_reachable(self):
        seen, todo = set(), [self.doc / "index.md"]
        while todo:
            page = todo.pop()
            if page not in seen:
                seen.add(page)
                todo += [path for _, path, _ in links(page) if path.suffix == ".md"]
        self.assertFalse(set(self.pages) - seen - {self.doc / "CHANGELOG.md"})
        self.assertGreater(len(seen), 24)

    def test_programs_of_the_guide(self):
        for page in self.doc / "guide.md", self.doc / "zh/guide.md":
            source = re.search(r"`cp -r /usr/local/(\S+) ~/ztl-guide`", page.read_text())[1]
            self.assertTrue((PREFIX / source / "first.s").is_file(), page)

    def test_paths(self):
        dead, count = [], 0
        for page in self.pages:
            for path in re.findall(r"`((?:share|libexec|lib/ztl)/[\w./-]+)`", read(page)):
                count += 1
                if not (PREFIX / path).exists():
                    dead.append(f"{page.relative_to(PREFIX)}: {path}")
        self.assertFalse(dead)
        self.assertGreater(count, 3)

    def test_man_pages(self):
        folder, count = PREFIX / "share/man", 0
        for page in sorted(folder.rglob("ztl*")):
            for name, section in re.findall(r"^\.Xr (ztl\S*) (\d)", page.read_text(), re.M):
                count += 1
                self.assertTrue((folder / f"man{section}/{name}.{section}").exists(),
                                f"{page.name}: {name}({section})")
        self.assertGreater(count, 20)


unittest.main()
