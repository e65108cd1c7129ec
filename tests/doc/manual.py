#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The manual is complete and true: its markers expand, every instruction, CSR and type has its
place, all contradictions are listed, and every example prints what the manual says."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE, MANUAL, ZTL, SESSION = (pathlib.Path(argument) for argument in sys.argv[1:5])
del sys.argv[1:5]
source = (SOURCE / "doc/isa.md").read_text()
manual = MANUAL.read_text()
isa = json.loads(subprocess.run([ZTL, "isa", "--json"], capture_output=True, check=True).stdout)


class Manual(unittest.TestCase):
    def test_no_marker_is_left(self):
        self.assertGreater(len(re.findall(r"^<!-- ztl isa .* -->$", source, re.M)), 10)
        self.assertFalse(re.findall(r"^<!-- ztl.*", manual, re.M))

    def test_what_is_for_readers_of_the_source_is_not_in_the_manual(self):
        for name in "isa.md", "zh/isa.md":
            text, expanded = ((folder / name).read_text() for folder in (SOURCE / "doc", MANUAL.parent))
            before, after = text.split("<!-- ztl source -->\n")
            paragraph, rest = after.split("\n\n", 1)
            self.assertNotIn(paragraph.split("\n")[0], expanded, name)
            self.assertIn(before + rest.split("\n\n")[0], expanded, name)

    def test_every_instruction_has_an_entry(self):
        entries = re.split(r"^### ", manual.split("## 3. Instructions")[1], flags=re.M)
        for row in isa["instructions"]:
            entry = [text for text in entries if text.startswith(f"tl.{row['operation']}\n")]
            self.assertEqual(len(entry), 1, row["mnemonic"])
            self.assertRegex(entry[0], rf"(?m)^{re.escape(row['mnemonic'])} ", row["mnemonic"])
            self.assertIn(f"0x{row['match']:08x}", entry[0])
            for part in f"**Ztl {row['revision']}**", "+---", "*Traps.*", "```console":
                self.assertIn(part, entry[0], row["mnemonic"])

    def test_every_csr_type_reason_is_there(self):
        for csr in isa["csrs"]:
            self.assertIn(f"| 0x{csr['address']:03x}", manual)
            for spelling in csr["spellings"]:
                self.assertIn(spelling, manual)
        for kind in isa["types"]:
            self.assertIn(f"| 0x{kind['ttype']:03x} | {kind['name']} |", manual)
        for reason in isa["reasons"]:
            self.assertIn(f"| {reason['code']} | {reason['name']} |", manual)

    def test_facts_are_not_typed_in(self):
        text = re.sub(r"```console.*?```", "", source.split("## 7.")[0], flags=re.S)
        for row in isa["instructions"]:
            self.assertNotIn(f"0x{row['match']:08x}", text)
        for csr in isa["csrs"]:
            self.assertNotIn(f"0x{csr['address']:03x}", text)

    def test_all_contradictions_are_listed(self):
        rows = re.findall(r"^\| (\d+) \| ", source.split("## 7.")[1].split("## 8.")[0], re.M)
        self.assertEqual([int(row) for row in rows], list(range(1, 34)))

    def test_examples_are_true(self):
        examples = re.findall(r"^```console\n(.*?)^```$", source, re.M | re.S)
        self.assertGreater(len(examples), 10)
        for example in examples:
            run = subprocess.run([SESSION], input=example, capture_output=True, text=True)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual(run.stdout, example)

    def test_a_marker_that_fails_writes_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            bad = pathlib.Path(folder, "bad.md")
            bad.write_text("<!-- ztl isa --nonsense -->\n")
            run = subprocess.run([SOURCE / "tools/expand-manual", ZTL, bad, folder + "/out.md"],
                                 capture_output=True)
            self.assertNotEqual(run.returncode, 0)
            self.assertEqual([path.name for path in pathlib.Path(folder).iterdir()], ["bad.md"])


if __name__ == "__main__":
    unittest.main()
