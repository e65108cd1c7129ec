#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pictures of the manual are what the model draws now, each language with words of its own; each
instruction has its encoding, its picture, its formula, its traps and an example; and no picture lies about that is
not shown.

usage: pictures.py SOURCE-DIR ZTL"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE, ZTL = (pathlib.Path(argument) for argument in sys.argv[1:3])
del sys.argv[1:3]
PAGES = ("doc/isa.md", "en"), ("doc/zh/isa.md", "zh")


def entries(page):
    """{operation: its section}"""
    parts = re.split(r"^### tl\.(\w+)\n", (SOURCE / page).read_text(), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


class Pictures(unittest.TestCase):
    def test_they_are_what_the_model_draws(self):
        for page, language in PAGES:
            with tempfile.TemporaryDirectory() as folder:
                subprocess.run([SOURCE / "tools/draw-pictures", ZTL, SOURCE / page, folder,
                                language], check=True)
                drawn = {path.name: path.read_text() for path in pathlib.Path(folder).iterdir()}
            kept = {path.name: path.read_text() for path in (SOURCE / page).with_name("pictures").iterdir()}
            self.assertEqual(sorted(drawn), sorted(kept), page)
            for name, text in drawn.items():
                self.assertTrue(text == kept[name], f"{page}: {name} is out of date: run 'make doc'")
                chinese = bool(re.search("[\u4e00-\u9fff]", text))
                self.assertEqual(chinese, language == "zh", f"{page}: {name}")

    def test_every_instruction_is_shown(self):
        listed = subprocess.run([ZTL, "isa", "--table", "op"], capture_output=True, text=True)
        operations = re.findall(r"^([a-z]+) ", listed.stdout, re.M)[1:]
        self.assertGreater(len(operations), 8)
        for page, _ in PAGES:
            found = entries(page)
            for operation in operations:
                entry = found[operation]
                for name in f"{operation}-encoding.svg", f"{operation}.svg":
                    self.assertIn(f"](pictures/{name})", entry, page)
                draws = re.findall(r"^<!-- ztl draw (.*) -->$", entry, re.M)
                self.assertRegex(draws[0], rf"^--encoding 'tl\.{operation}\b")
                self.assertRegex(draws[1], rf"^'tl\.{operation}\b")
                self.assertRegex(entry, r"(?m)^```\n(.* = .*\n)+```$", operation)
                self.assertIn("```console", entry)

    def test_a_picture_that_cannot_be_drawn_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "page.md")
            for text in ("<!-- ztl draw tl.nonsense -->\n![x](pictures/x.svg)\n",
                         "<!-- ztl draw tl.load -->\n\n![x](pictures/x.svg)\n"):
                page.write_text(text)
                done = subprocess.run([SOURCE / "tools/draw-pictures", ZTL, page, folder + "/out"],
                                      capture_output=True, text=True)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn("page.md", done.stderr)
                self.assertEqual(list(pathlib.Path(folder, "out").iterdir()), [])


if __name__ == "__main__":
    unittest.main()
