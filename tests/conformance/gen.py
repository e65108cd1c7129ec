# SPDX-License-Identifier: Apache-2.0
"""`ztl gen`: its programs pass on the simulator in every ISA and profile, leave their signatures, are the
same for the same seed, and are shrunk to the instruction that fails: gen.py ZTL"""
import hashlib
import pathlib
import subprocess
import sys
import tempfile
import unittest

ZTL = sys.argv.pop(1)
LACKS = "rv64i_zicsr_ztlx_ztlc_ztla_ztlm"
# Of `ztl gen --seed 11 --steps 40 --source`: a program that is made again must be this one.
FOR_EVER = "435d0a13bd9f5cec"


def gen(*arguments):
    return subprocess.run([ZTL, "gen", *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)


def run(isa, elf, *options):
    return subprocess.run([ZTL, "run", "--isa", isa, "--mem", "0x80000000:64K", *map(str, options), elf],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


class Gen(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_they_pass_and_leave_their_signatures(self):
        for isa, profile in (("rv64i_zicsr_ztl", "all"), ("rv32i_zicsr_ztl", "traps"), ("rv64i_zicsr_ztl", "floats"),
                             ("rv32i_zicsr_ztl1p0", "all"), ("rv64i_zicsr_ztl1p0", "memory"),
                             ("rv64i_zicsr_ztlc_ztlm_ztlp", "moves")):
            done = gen("--seed", 3, "--steps", 60, "--isa", isa, "--profile", profile, "--out", self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            for elf in map(pathlib.Path, done.stdout.split()):
                ran = run(isa, elf, "--signature", self.folder / "left")
                self.assertEqual(ran.returncode, 0, f"{isa} {profile}: {ran.stdout}")
                self.assertEqual((self.folder / "left").read_text(), elf.with_suffix(".signature").read_text())

    def test_a_seed_gives_the_same_for_ever(self):
        gen("--seed", 11, "--steps", 40, "--source", "--out", self.folder)
        text = (self.folder / "gen-11-0.S").read_bytes()
        self.assertEqual(hashlib.sha256(text).hexdigest()[:16], FOR_EVER)
        gen("--seed", 12, "--steps", 40, "--source", "--out", self.folder)
        self.assertNotEqual(text, (self.folder / "gen-12-0.S").read_bytes())

    def test_shrinking(self):
        gen("--seed", 21, "--steps", 24, "--profile", "moves", "--out", self.folder)
        elf = self.folder / "gen-21-0.elf"
        command = f"{ZTL} run --isa {LACKS} --mem 0x80000000:64K {{elf}}"
        self.assertEqual(run(LACKS, elf).returncode, 1)
        done = gen("--minimize", command, elf, "--out", self.folder / "small")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"gen-21-0-min\.elf: 1 of \d+ steps, \d+ tries\n(?s:.*)"
                         r"  0x[0-9a-f]{8}  tl\.permute\.[bhwd] .*    ztl\.permute\.\d\n"
                         r"ztl: FAIL pc 0x[0-9a-f]+ rule ztl\.permute\.")
        small = self.folder / "small/gen-21-0-min.elf"
        self.assertEqual(run(LACKS, small).returncode, 1)
        self.assertEqual(run("rv64i_zicsr_ztl", small).returncode, 0)
        passes = gen("--minimize", f"{ZTL} run --isa rv64i_zicsr_ztl --mem 0x80000000:64K {{elf}}", elf)
        self.assertEqual((passes.returncode, passes.stdout), (1, ""))
        self.assertIn("nothing to shrink", passes.stderr)

    def test_what_is_refused(self):
        other = self.folder / "other"
        other.write_bytes(b"\x7fELF\x02" + bytes(100))
        for arguments, problem in ((("--isa", "rv64gc"), "is not an ISA string with Ztl"),
                                   (("--isa", "rv64i_ztlx1p0_ztlm2p0"), "is not an ISA string with Ztl"),
                                   (("--isa", "rv64i_ztlp1p0"), "revision 1 has only xcam"),
                                   (("--isa", "rv64i_ztlx"), "need it"),
                                   (("--count", "0"), "'0' is not a number from 1"), (("--profile", "none"), "invalid choice"),
                                   (("--minimize", "a {elf}"), "go together"), ((other,), "go together"),
                                   (("--minimize", "a {elf}", other), "is no program that gen wrote"),
                                   (("--minimize", "a {elf}", self.folder / "none"), "No such file"),
                                   (("--out", other / "in"), "Not a directory")):
            done = gen(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn(problem, done.stderr)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["other"])

    def test_help(self):
        self.assertTrue(all(len(line) <= 80 for line in gen("--help").stdout.splitlines()))


if __name__ == "__main__":
    unittest.main()
