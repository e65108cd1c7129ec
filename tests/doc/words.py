#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of the manual in Chinese. Apart from the manual's own test: a new instruction is complete
in English first."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE, MANUAL, ZTL = (pathlib.Path(argument) for argument in sys.argv[1:4])
del sys.argv[1:4]
manual = MANUAL.read_text()


class Chinese(unittest.TestCase):
    """The tables say the same in Chinese, and the words for that are all there and all needed."""
    words = (SOURCE / "doc/zh/words.txt").read_text(encoding="utf-8")

    def test_tables(self):
        chinese = (MANUAL.parent / "zh/isa.md").read_text(encoding="utf-8")
        ours, theirs = ([line.split(" | ") for line in text.splitlines() if line.startswith("| ")]
                        for text in (manual.split("## 7.")[0], chinese.split("## 7.")[0]))
        self.assertEqual([len(row) for row in ours], [len(row) for row in theirs])
        prose = [k for k, row in enumerate(ours) if re.search(r"[a-z]{3} [a-z]{2}", row[-1])]
        self.assertGreater(len(prose), 80)
        for k in prose:
            self.assertRegex(theirs[k][-1], "[\u4e00-\u9fff]", ours[k])
            if re.match(r"\| (0x\w+(\+i)?|\d)$", ours[k][0]):
                self.assertEqual(theirs[k][:-1], ours[k][:-1], "not prose, but changed")
        self.assertFalse("] a tensor register" in chinese, "an entry has English")

    def expand(self, words):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "words.txt")
            path.write_text(words, encoding="utf-8")
            run = subprocess.run([SOURCE / "tools/expand-manual", ZTL, SOURCE / "doc/zh/isa.md",
                                  folder + "/out.md", path], capture_output=True, text=True)
            written = pathlib.Path(folder, "out.md").exists()
            self.assertEqual(run.returncode == 0, written)
            return run.stderr

    def test_words(self):
        self.assertEqual(self.expand(self.words), "")
        for line in "a tensor register", "reads memory", "element type", "also decoded:", "reset":
            less = re.sub(rf"^{line} ⇒ .*\n", "", self.words, flags=re.M)
            self.assertIn(f"there is nothing for '{line}'", self.expand(less))
        self.assertIn("nothing needs 'nonsense'", self.expand(self.words + "nonsense ⇒ 无\n"))
        self.assertIn("is not 'English", self.expand(self.words + "nonsense\n"))


if __name__ == "__main__":
    unittest.main()
