# SPDX-License-Identifier: Apache-2.0
"""`ztl conform` says what failed, in each form, and refuses what it cannot use: command.py ZTL SOURCE-DIR"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ZTL, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
del sys.argv[1:3]
# A hart without sub-extension a, where one with it is expected.
LACKS = f"{ZTL} run --isa rv64i_zicsr_ztlx_ztlc_ztlm_ztlp --mem 0x80000000:64K {{elf}}"


def conform(*arguments, text=""):
    return subprocess.run([ZTL, "conform", "--jobs", "2", *map(str, arguments)], input=text, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)


class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_a_hart_that_lacks_something_fails(self):
        done = conform("--target", LACKS, "--filter", "engine-addi|mask-csrrw", "--junit", self.folder / "r.xml",
                       "--html", self.folder / "r.html")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"FAIL ztl\.engine\.2/engine-addi/0\n +ztl2/addi-\d+, pc 0x8000[0-9a-f]+, "
                         r"0x0f90a15b \(tl\.addi tl2, tl1, -7\): mcause: expected 0x0, actual 0x2\n")
        self.assertRegex(done.stdout, r"rules broken: .*ztl\.addi\.1.*")
        tree = xml.etree.ElementTree.parse(self.folder / "r.xml").getroot()
        cases = tree.findall("testcase")
        failed = [case for case in cases if case.find("failure") is not None]
        self.assertEqual(len(failed), int(tree.get("failures")))
        self.assertTrue(0 < len(failed) < len(cases))
        self.assertIn("engine-addi/0", (self.folder / "r.html").read_text())

    def test_a_program_that_does_not_end(self):
        config = self.folder / "dut.yaml"
        targets = SOURCE / "conformance/targets/simulator"
        config.write_text(f"name: slow\nxlen: 64\nrevision: 2\nsubsets: xcamp\ntimeout: 0.2\nmodel: {targets}/model.h\n"
                          f"link: {targets}/link.ld\ncommand: sh -c 'sleep 60' {{elf}}\n")
        done = conform("--config", config, "--filter", "absent|status")
        self.assertEqual(done.returncode, 1)
        self.assertIn("FAIL ztl2/status-1: no end after 0.2 seconds", done.stdout)
        done = conform("--config", config, "--target", "true {elf}", "--filter", "status")
        self.assertIn("FAIL ztl2/status-1: no end, exit status 0", done.stdout)

    def test_shards_make_the_whole(self):
        for k in (1, 2, 3):
            done = conform("--filter", "ztl2/mask-", "--shard", f"{k}/3", "--resume", self.folder / str(k))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        whole = conform("--filter", "ztl2/mask-", "--json")
        merged = conform("--merge", *(self.folder / str(k) for k in (1, 2, 3)), "--json")
        names = [sorted(entry["bin"] for entry in json.loads(done.stdout)["results"]) for done in (whole, merged)]
        self.assertEqual(*names)
        self.assertGreater(len(names[0]), 50)

    def test_resume_keeps_what_was_done(self):
        first = conform("--filter", "ztl2/mask-csr", "--resume", self.folder, "--json")
        again = conform("--filter", "ztl2/mask-csr", "--resume", self.folder, "--json", "--target", "false {elf}")
        self.assertEqual(first.stdout, again.stdout)

    def test_cover_and_list(self):
        done = conform("--cover", "--filter", r"ztl\.concat\.10$")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"ztl\.concat\.10  MASK_COUNT.*\n  count\n    nine-d0  ztl[12]/concat-\d+")
        self.assertRegex(done.stdout, r"\n\d+ rules: \d+ with programs, \d+ untestable, 0 with nothing; \d+ coverpoints")
        listed = conform("--list", "--filter", "mask-csrrw$")
        self.assertRegex(listed.stdout, r"ztl2/mask-csrrw-1  ztl\.csr\.9/write/tl_load_mask-csrrw  0x[0-9a-f]{8}  tl\.mload")

    def test_what_is_refused(self):
        config = self.folder / "dut.yaml"
        for text, problem in (("xlen: 65\nrevision: 2\ncommand: a {elf}\n", "xlen: must be one of 32, 64"),
                              ("xlen: 64\nrevision: 3\ncommand: a {elf}\n", "revision: must be one of 0, 1, 2"),
                              ("xlen: 64\nrevision: 1\nsubsets: xp\ncommand: a {elf}\n", "has no 'p'"),
                              ("xlen: 64\nrevision: 2\ncommand: a\n", "command: has no {elf}"),
                              ("xlen: 64\nrevision: 2\ncommand: a {elf}\n", "model.h: not found"),
                              ("xlen: 64\nspeed: 2\n", "'speed' is none of"),
                              ("xlen: yes\n", "xlen: 'True' has the wrong type"),
                              ("- a\n", "is not a list of 'key: value'"), ("a: [\n", "expected")):
            config.write_text(text)
            done = conform("--config", config)
            self.assertEqual((done.returncode, done.stdout), (2, ""), text)
            self.assertIn(problem, done.stderr)
        for arguments, problem in ((("--config", "nowhere"), "nowhere"), (("--filter", "("), "'('"),
                                   (("--shard", "3/2"), "'3/2' is not K/N"), (("--jobs", "0"), "'0' is not a number"),
                                   (("--filter", "nothing has this"), "no program is left"),
                                   (("--merge", self.folder / "none"), "has no results"),
                                   (("--cc", "no-such-compiler"), "no-such-compiler: not found"),
                                   (("--filter", "status", "--target", "/no/such {elf}"), "/no/such"),
                                   (("--filter", "status", "--junit", "/no/such/file"), "/no/such/file"), (("more",), "more")):
            done = conform(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn(problem, done.stderr)

    def test_help(self):
        text = conform("--help").stdout
        self.assertTrue(all(len(line) <= 80 for line in text.splitlines()), text)
        self.assertRegex(text, re.escape("usage: ztl conform"))


if __name__ == "__main__":
    unittest.main()
