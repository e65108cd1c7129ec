# SPDX-License-Identifier: Apache-2.0
"""Every option that a --help names: its value is the next word or stands behind '=', which is the
same; a missing one, one where none belongs and a misspelt option are refused alike everywhere."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ZTL, QEMU = sys.argv[1:3]
STOP = "--no-such-option-at-all"  # ends a command before it works, once what stands before is taken
MARCH = "rv64imac_zicsr_ztl"
# Values by the word that the help has for them, or by the option.
VALUES = {"ISA": MARCH, "BASE:SIZE": "0x80000000:1M", "1|2": "2", "C|F": "F", "ENGINE": "sim",
          "FILE": "file", "DIR": ".", "PLACE": "_start", "N": "2", "SECONDS": "9", "TEXT": "im2col",
          "PORT|unix:PATH": "unix:socket", "F": "csv", "WHAT": "full", "VIEW": "tl1:4", 
          "NAME": "plain", "NAME[=VALUE]": "X=1", "TYPE": "int8", "PERCENT": "5",
          "--table": "csr", "--format": "md",
          "MACHINE": "four", "NAME=VALUE": "A=1", "--clock": "host", "--mode": "edge", "--effort": "quick", "--for": "cycles", "N]": "2", "NAME=N": "batch=2",
          "--layout": "NHWC"}
BEFORE = {"--dump-at": ["--dump", "tl1:4"]}
STRICT = [["run"], ["cosim"], ["isa"], ["onnx", "report"], ["onnx", "run"], ["onnx", "test"],
          ["timing"], ["timing", "sweep"], ["bench", "insn"], ["bench", "sim"], ["bench", "ops"],
          ["bench", "compare"], ["op", "add"], ["op", "slice"], ["op", "fill"],
          ["op", "pad"], ["op", "split"], ["op", "im2col"], ["op", "compress"]]
WORDS = {"as": ["p.s"], "cc": ["-c", "p.s"], "dis": ["0x0231355b"]}  # these pass options on


def run(*words):
    return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False, timeout=120)


def options_of(help_text):
    """{option: the word for its value, None for none}, from lines and from the usage."""
    found = {}
    row = r"^  (--?[a-zA-Z][\w-]*)(?:(?: |=|\[=)([A-Z1C][^\s\]]*\]?))?(?:,|  |$)"
    for name, value in re.findall(row, help_text, flags=re.M):
        found[name] = value or None
    usage = help_text.split("\n\n", 1)[0]
    pair = re.findall(r"^  --\w+, (--\w+)()  ", help_text, flags=re.M)
    for name, value in re.findall(r"(--[a-z][\w-]*|-o)(?: ([A-Zo][^\s\]]*))?", usage) + pair:
        found.setdefault(name, value or None)
    return found


class Options(unittest.TestCase):
    def command(self, *command):
        words = [QEMU] if command == ("ztl-qemu",) else [ZTL, *command]
        done = run(*words, "--help")
        self.assertEqual(done.returncode, 0, done)
        options = options_of(done.stdout)
        return words, options

    def refused(self, done, command, message):
        self.assertEqual(done.returncode, 2, done)
        self.assertIn(message, done.stderr)
        self.assertTrue(done.stderr.startswith(" ".join(command) + ": "), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def strict(self, command, name):
        words, options = self.command(*command)
        self.assertGreaterEqual(len(options), 1, command)
        for option, kind in options.items():
            with self.subTest(command=command, option=option):
                self.one_strict(words, name, option, kind)
        self.refused(run(*words, STOP), name,
                     f"unknown option '{STOP}'; '{' '.join(name)} --help' lists them")
        longest = max(options, key=len)
        self.refused(run(*words, longest[:-1] + "~"), name, f"did you mean '{longest}'?")

    def one_strict(self, words, name, option, kind):
        unknown = f"unknown option '{STOP}'"
        words = words + BEFORE.get(option, [])
        optional = option in ("--stats", "--list") and kind  # its value is only the one behind '='
        if kind is None or optional:
            self.refused(run(*words, option, STOP), name, unknown)
        if kind is None:
            self.refused(run(*words, option + "=1"), name, f"{option} takes no value")
            return
        value = VALUES.get(option) or VALUES.get(kind) or "1"
        joined = option + value if len(option) == 2 else f"{option}={value}"
        self.refused(run(*words, joined, STOP), name, unknown)
        if not optional:
            self.refused(run(*words, option, value, STOP), name, unknown)
            self.refused(run(*words, option), name, f"{option} needs a value")

    def test_strict(self):
        for command in STRICT:
            self.strict(command, ["ztl", *command])
        self.strict(["ztl-qemu"], ["ztl-qemu"])

    def test_passing_on(self):
        """as, cc and dis know some options; both forms do the same."""
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "p.s")
            source.write_text("tl.addi tl1, tl2, 3\n", encoding="utf-8")
            for command, rest in WORDS.items():
                words, options = self.command(command)
                self.assertGreater(len(options), 3)
                for option, kind in options.items():
                    with self.subTest(command=command, option=option):
                        self.one_passed(folder, words, option, kind, rest)

    def one_passed(self, folder, words, option, kind, rest):
        def outcome(*given):
            done = subprocess.run([*words, *given, *rest], stdin=subprocess.DEVNULL, cwd=folder,
                                  capture_output=True, check=False, timeout=120)
            made = {p.name: p.read_bytes() for p in pathlib.Path(folder).iterdir()}
            for path in pathlib.Path(folder).iterdir():
                if path.name != "p.s":
                    path.unlink()
            return done.returncode, done.stdout, done.stderr, made

        name = ["ztl", pathlib.Path(words[1]).name]
        if words[1] == "cc" and option == "-march":  # the compiler's own, which has one form
            return
        if kind is None:
            self.refused(run(*words, option + "=1"), name, f"{option} takes no value")
            return
        value = VALUES[kind]
        joined = option + value if len(option) == 2 else f"{option}={value}"
        apart = outcome(option, value)
        self.assertEqual(apart[0], 0, apart)
        self.assertEqual(apart, outcome(joined))
        self.refused(run(*words, option), name, f"{option} needs a value")

    def test_ranges(self):
        for words, message in [
                (["isa", "--revision", "3"], "--revision: '3' is not 1 or 2"),
                (["isa", "--format=xml"], "'xml' is not text, md, json, intrin, vim, vscode, pygments, riscv-opcodes, gdb-xml,"),
                (["bench", "sim", "--repeat=0"], "--repeat: '0' is not a number from 1 to "),
                (["bench", "insn", "--tries", 20 * "9"], "is not a number from 1 to "),
                (["bench", "insn", "--tries=+3"], "'+3' is not a number from 1 to "),
                (["bench", "compare", "--tolerance=-1", "a", "b"], "'-1' is no percentage"),
                (["op", "pad", "--mode=1"], "ztl op pad: --mode: '1' is none of constant, edge"),
                (["op", "flip", "a.npy", "--axes=0", "--axes", "0"], "--axes: given twice"),
                (["cosim", "word"], "'word': commands are read from standard input"),
                (["bench", "all", "--json=1"], "--json takes no value"),
                (["bench", "all", "--jsn"], "did you mean '--json'?"),
                (["bench", "ops", "word"], "'word' is no option")]:
            name = ["ztl", *words[:2 if words[0] in ("bench", "op") else 1]]
            self.refused(run(ZTL, *words), name, message)


unittest.main(argv=sys.argv[:1])
