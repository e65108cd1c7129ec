# SPDX-License-Identifier: Apache-2.0
"""Linux programs in a machine: qemu-riscv64 says what they print and how they end."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import ztl

SOURCE = r"""
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <signal.h>
#include <string.h>

static void handle(int signal) { printf("signal %d\n", signal); }

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        printf("[%s]", argv[i]);
    printf(" %s\n", getenv("COLOUR") ? getenv("COLOUR") : "none");
    const char *what = argc > 1 ? argv[1] : "";
    char line[80];
    if (!strcmp(what, "read"))
        while (fgets(line, sizeof line, stdin))
            fprintf(stderr, "<%s>", strtok(line, "\n"));
    if (!strcmp(what, "file")) {
        FILE *file = fopen("note.txt", "w");
        fprintf(file, "written\n");
        fclose(file);
    }
    if (!strcmp(what, "catch")) {
        signal(SIGUSR1, handle);
        raise(SIGUSR1);
    }
    fflush(stdout);
    if (!strcmp(what, "wait")) {
        pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
        pthread_mutex_lock(&mutex);
        pthread_mutex_lock(&mutex);
    }
    if (!strcmp(what, "abort"))
        abort();
    if (!strcmp(what, "fault"))
        *(volatile int *)8 = 1;
    return 7;
}
"""


@unittest.skipUnless(shutil.which("riscv64-linux-gnu-gcc") and shutil.which("qemu-riscv64"),
                     "there is no RISC-V Linux compiler, or no QEMU")
class Process(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name) / "program"
        (source := cls.path.with_suffix(".c")).write_text(SOURCE)
        subprocess.run(["riscv64-linux-gnu-gcc", "-static", "-O1", source, "-o", cls.path], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check(self, arguments, data=b"", colour=None):
        environment = {"COLOUR": colour} if colour else {}
        right = subprocess.run(
            ["qemu-riscv64", str(self.path), *arguments], input=data, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env={**{k: os.environ[k] for k in ("PATH",)}, **environment},
            cwd=self.folder.name)
        machine = ztl.Machine(self.path, arguments=arguments, input=data, environment=environment,
                              directory=self.folder.name)
        self.assertEqual(machine.run(), "exit", arguments)
        self.assertEqual(machine.output, right.stdout, arguments)
        code = right.returncode if right.returncode >= 0 else 128 - right.returncode
        self.assertEqual(machine.exit_code, code, arguments)
        self.assertEqual(machine.run(), "exit")
        return machine, right

    def test_as_under_qemu(self):
        for arguments, colour in (([], None), (["two words", ""], "blue"), (["catch"], None)):
            self.check(arguments, colour=colour)
        machine, right = self.check(["read"], b"one\ntwo\n")
        self.assertEqual(machine.errors, right.stderr)
        self.check(["file"])
        self.assertEqual((pathlib.Path(self.folder.name) / "note.txt").read_text(), "written\n")
        self.check(["abort"])

    def test_fault(self):
        machine = ztl.Machine(self.path, arguments=["fault"])
        with self.assertRaises(ztl.Trap) as caught:
            machine.run()
        self.assertEqual((caught.exception.cause, caught.exception.tval), (7, 8))
        self.assertEqual(machine.output, b"[fault] none\n")

    def test_waits_for_ever(self):
        machine = ztl.Machine(self.path, arguments=["wait"])
        self.assertEqual((machine.run(), machine.exit_code, machine.output), ("wfi", None, b"[wait] none\n"))

    def test_step_by_step(self):
        machine = ztl.Machine(self.path, stats=True, timing="four")
        machine.break_at("main")
        self.assertEqual((machine.run(), machine.where()), ("breakpoint", "main"))
        self.assertEqual(machine.x["a0"], 1)
        self.assertTrue(machine.step().text)
        machine.unbreak("main")
        calls = sum(event.word == 0x73 for event in machine.events())
        self.assertGreater(calls, 2)
        self.assertEqual((machine.exit_code, machine.output), (7, b" none\n"))
        self.assertGreater(machine.timing.cycles, machine.retired // 2)

    def test_memory_and_seed(self):
        machine = ztl.Machine(self.path, memory=64 << 20, seed=5)
        self.assertEqual(sum(ram.size for ram in machine.memory._pieces()), 64 << 20)
        self.assertEqual(machine.run(), "exit")

    def test_refused(self):
        for words, call in (("base is for", lambda: ztl.Machine(self.path, base=1 << 31)),
                            ("no .*saved state", lambda: ztl.Machine(self.path).save("x")),
                            ("no reset", lambda: ztl.Machine(self.path).reset()),
                            ("environment", lambda: ztl.Machine(self.path, environment={"A=": "1"})),
                            ("environment", lambda: ztl.Machine(self.path, environment=["A=1"])),
                            ("list of texts", lambda: ztl.Machine(self.path, arguments="text")),
                            ("seed", lambda: ztl.Machine(self.path, seed=-1)),
                            ("for Linux", lambda: ztl.Machine("    nop\n    nop\n", seed=3))):
            self.assertRaisesRegex(ztl.Error, words, call)


unittest.main()
