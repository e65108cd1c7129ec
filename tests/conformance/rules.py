# SPDX-License-Identifier: Apache-2.0
"""Manual, list of rules and programs agree; and whoever changes one of them alone is told where the
others are.

usage: rules.py SOURCE-DIR PROGRAMS"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE, PROGRAMS = (pathlib.Path(argument) for argument in sys.argv[1:3])
del sys.argv[1:3]


def check(top, programs, *options):
    return subprocess.run([sys.executable, "-B", top / "conformance/kit/rules.py", *options, top, programs],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


class Rules(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = pathlib.Path(folder.name)
        for name in ("doc/isa.md", "doc/zh/isa.md", "conformance/rules.yaml"):
            (self.top / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCE / name, self.top / name)
        shutil.copytree(SOURCE / "conformance/kit", self.top / "conformance/kit")
        self.listing = self.top / "programs.json"
        shutil.copy(PROGRAMS / "programs.json", self.listing)

    def change(self, name, old, new):
        path = self.top / name
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1))

    def refused(self, *words):
        done = check(self.top, self.listing)
        self.assertEqual(done.returncode, 1, done.stdout)
        for word in words:
            self.assertIn(word, done.stdout)

    def test_they_agree(self):
        done = check(SOURCE, PROGRAMS / "programs.json")
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_a_changed_sentence_names_its_bins(self):
        self.change("doc/isa.md", "keep\ntheir value in tlrd. `ztl.concat.4`", "become\n0 in tlrd. `ztl.concat.4`")
        self.refused("ztl.concat.4 reads", "become 0 in tlrd", "conformance/kit/bins_move.py:", "--fix")
        fixed = check(self.top, self.listing, "--fix")
        self.assertEqual((fixed.returncode, fixed.stdout), (0, ""))
        self.assertEqual(check(self.top, self.listing).returncode, 0)

    def test_what_contributing_shows(self):
        self.change("doc/isa.md", "keep\ntheir value in tlrd. `ztl.concat.4`", "become\n0 in tlrd. `ztl.concat.4`")
        first = check(self.top, self.listing).stdout
        self.change("doc/isa.md", "`ztl.concat.4`", "`ztl.concat.4` It rings. `ztl.concat.11`")
        self.change("doc/zh/isa.md", "`ztl.concat.4`", "`ztl.concat.4` 它会响铃。`ztl.concat.11`")
        second = check(self.top, self.listing, "--fix").stdout
        section = (SOURCE / "CONTRIBUTING.md").read_text().split("## How to change a rule")[1].split("\n## ")[0]
        shown = [" ".join(block.split()) for block in re.findall(r"^```\n(.*?)^```$", section, re.M | re.S)]
        said = [re.sub(r"(\.py):\d+", r"\1:LINE", " ".join(text.split())) for text in (first, second)]
        self.assertEqual(shown, said)

    def test_a_new_rule_needs_a_program(self):
        self.change("doc/isa.md", "`ztl.concat.4`", "`ztl.concat.4` It rings a bell. `ztl.concat.11`")
        self.change("doc/zh/isa.md", "`ztl.concat.4`", "`ztl.concat.4` 它会响铃。`ztl.concat.11`")
        self.refused("ztl.concat.11 is not in conformance/rules.yaml", "conformance/kit/bins_*.py")
        done = check(self.top, self.listing, "--fix")
        self.assertIn("nothing tests ztl.concat.11: add a bin", done.stdout)

    def test_an_id_that_is_lost_or_moved(self):
        self.change("doc/zh/isa.md", "`ztl.merge.2`", "")
        self.refused("doc/zh/isa.md: its ids are not those")
        self.change("doc/isa.md", "`ztl.merge.2`", "")
        self.refused("ztl.merge.2 is not in doc/isa.md")

    def test_a_rule_without_bins(self):
        programs = json.loads(self.listing.read_text())
        for program in programs:
            program["bins"] = [entry for entry in program["bins"] if entry["rule"] != "ztl.addi.8"]
        self.listing.write_text(json.dumps(programs))
        self.refused("nothing tests ztl.addi.8")

    def test_a_bin_without_rule(self):
        programs = json.loads(self.listing.read_text())
        programs[0]["bins"][0]["rule"] = "ztl.none.1"
        self.listing.write_text(json.dumps(programs))
        self.refused("lacks ztl.none.1")


if __name__ == "__main__":
    unittest.main()
