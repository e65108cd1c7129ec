# SPDX-License-Identifier: Apache-2.0
"""What a terminal can show: no escape sequence where TERM is dumb or a name holds one, ASCII in a
locale without UTF-8, a line of progress that fits, no reading of a terminal that nobody asked for.

usage: on_terminal.py ZTL
"""
import os
import subprocess
import sys
import tempfile
import unittest

import terminal

ZTL = os.path.abspath(sys.argv[1])
PROGRAM = ".globl _start\n_start: li t0, 0x200108\n csrw tshape, t0\n li a0, 0x08080808\n" \
          " tl.xpose.01 tl1, tl2, a0\n"
BAD = "a\033[31mb"  # a name that would colour what follows it


def environment(**more):
    kept = {k: v for k, v in os.environ.items()
            if k not in ("LC_ALL", "LC_CTYPE", "LANG", "NO_COLOR", "COLUMNS", "TERM")}
    return {**kept, **more}


def piped(*words, **more):
    return subprocess.run([ZTL, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False, timeout=120, encoding="utf-8", env=environment(**more))


class Terminal(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        with open("trap.s", "w") as file:
            file.write(PROGRAM)

    def shown(self, *words, columns=80, **more):
        return terminal.run([ZTL, *words], columns, env=environment(**more))

    def test_colours(self):
        for words in (["run", "--dump", "tl1:4x8", "trap.s"], ["draw", "tl.xpose.01"],
                      ["draw", "--registers"]):
            self.assertIn("\033[", self.shown(*words, TERM="xterm"), words)
            for plain in ({"TERM": "dumb"}, {}, {"TERM": "xterm", "NO_COLOR": "1"}):
                self.assertNotIn("\033", self.shown(*words, **plain), (words, plain))

    def test_progress(self):
        def shown(what, columns, kind):
            shell = f"{what} '{ZTL}' bench ops --cycles --json > /dev/null"
            return terminal.run(["bash", "-c", shell], columns, env=environment(TERM=kind))
        for columns in 80, 40:
            text = shown("timeout 4", columns, "xterm")
            lines = text.split("\033[K")  # each is written over the one before
            self.assertRegex(text, r"ztl bench ops: \d+ of [1-9]\d* cases, ")
            self.assertLess(max(map(len, lines)), columns)
        self.assertEqual(shown("timeout 3", 80, "dumb"), "")

    def test_locales(self):
        texts = {"trap": ["run", "trap.s"], "rules": ["isa", "--table", "rule"],
                 "CSRs": ["isa", "--table", "csr"], "parameters": ["timing", "--list"],
                 "range": ["timing", "four,engines.queue=0"],
                 "wrong": ["draw", "tl.xpose.01", "--shape", "4,8,8,4"]}
        for name, words in texts.items():
            for locale in {"LC_ALL": "C"}, {"LANG": "POSIX"}, {}, {"LANG": "en_US.UTF-8", "LC_ALL": "C"}:
                done = piped(*words, **locale)
                text = done.stdout + done.stderr
                self.assertTrue(text.isascii() and text, (name, locale, text))
            done = piped(*words, LANG="de_DE.utf8")
            self.assertFalse((done.stdout + done.stderr).isascii(), name)
        self.assertIn("D0*D1*D2*D3 = 4096 bytes", piped("run", "trap.s", LC_ALL="C").stderr)
        for words in (["--help"], ["draw", "--help"], ["op", "--help"], ["bench", "--help"],
                      ["run", "--timing", "four", "trap.s"], ["draw", "tl.load"],
                      ["op", "transpose", "--shape-in", "99,999", "--type", "int8", "--list"]):
            done = piped(*words, LC_ALL="C")
            self.assertTrue((done.stdout + done.stderr).isascii(), words)
        # Forms for programs have one text everywhere.
        self.assertEqual(piped("isa", "--json", LC_ALL="C").stdout,
                         piped("isa", "--json", LC_ALL="C.UTF-8").stdout)

    def test_names(self):
        with open(BAD + ".s", "w") as file:
            file.write(" bad\t# \033[32m\n tl.lod tl1, (a0)\n")
        commands = [[], ["op"], ["op", "pad"], ["onnx"], ["onnx", "report"], ["onnx", "run"],
                    ["onnx", "test"], ["bench"], ["bench", "compare", "x"], ["isa"],
                    ["isa", "--table"], ["isa", "--format"], ["timing"], ["timing", "sweep", "run"],
                    ["as"], ["dis"], ["run"], ["run", "--timing"], ["draw"], ["cosim"],
                    ["op", "flip", "--shape-in"], ["op", "flip", "--type"], ["help"]]
        for words in commands:
            for name in BAD, BAD + ".s", "--" + BAD:
                done = piped(*words, name)
                self.assertNotEqual(done.returncode, 0, (words, done))
                self.assertNotIn("\033", done.stderr + done.stdout, words)
        for words in (["as", BAD + ".s"], ["as", "--clang", BAD + ".s"], ["run", BAD + ".s"],
                      ["as", "trap.s", "-o", BAD + "/x"]):
            done = piped(*words, "-o", "x.o") if words[0] == "as" and "-o" not in words \
                else piped(*words)
            self.assertIn(r"a\x1b[31mb", done.stderr, words)
            self.assertNotIn("\033", done.stderr, words)
        self.assertNotIn("\033", piped("isa", ZTL_BODIES=BAD).stderr)

    def test_no_reading(self):
        """A command without a file says so: nobody is to type a program."""
        for words in ["as"], ["as", "-o", "x.o"], ["dis"], ["run"], ["cc"]:
            master, slave = os.openpty()
            done = subprocess.run([ZTL, *words], stdin=slave, capture_output=True, text=True,
                                  check=False, timeout=20)
            os.close(master)
            os.close(slave)
            self.assertNotEqual(done.returncode, 0, words)
            self.assertTrue(done.stderr, words)
        self.assertFalse(os.path.exists("x.o"))
        # Of a pipe it does read, as GNU as does.
        done = subprocess.run([ZTL, "as", "--print"], input="tl.load tl1, (a0)\n", text=True,
                              capture_output=True, check=False)
        self.assertIn(".insn", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
