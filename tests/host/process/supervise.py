#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No process is left of what a command of ztl has started when kill -9 ends it: no tool, no QEMU, and
none that these have started, in sessions of their own or not.

usage: supervise.py ZTL
"""
import ctypes
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ZTL = os.path.abspath(sys.argv[1])
PR_SET_CHILD_SUBREAPER = 36
DEADLINE = 100  # seconds, for a machine that is busy

# Stands for a tool that takes its time, and has helpers.
TOOL = """#!/bin/sh
sleep 1000 &
setsid sleep 1000 &
echo > ready
wait
"""
ALONE = """#!/bin/sh
echo > ready
exec sleep 1000
"""

FORKS = """
#include <stdio.h>
#include <unistd.h>
int main(int count, char **words)
{
    (void)words;
    if (count > 1 || !fork()) { /* with an argument, no other process */
        setsid();
        fclose(fopen("ready", "w"));
    }
    for (;;)
        pause();
}
"""

BARE = """
#include <stdio.h>
int main(void)
{
    puts("ready");
    fflush(stdout);
    for (;;)
        continue;
}
"""


def children():
    """Ours; we have adopted what others have left."""
    with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
        return [int(child) for child in file.read().split()]


def name_of(process):
    try:
        return pathlib.Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except FileNotFoundError:
        return "?"


def wait_for(what, condition):
    end = time.monotonic() + DEADLINE
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.02)


def left():
    """The names of what goes on for ever; it is killed."""
    def none_left():
        while children():
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                return False
        return True
    names = []
    try:
        wait_for("end", none_left)
    except TimeoutError:
        while processes := children():
            names += map(name_of, processes)
            for process in processes:
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)
    return names


class Killed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        cls.temporary = tempfile.TemporaryDirectory()
        os.chdir(cls.temporary.name)
        for name, text in (("forks.c", FORKS), ("bare.c", BARE), ("empty.s", ""), ("bench", ALONE)):
            pathlib.Path(name).write_text(text)
        os.chmod("bench", 0o755)
        subprocess.run([ZTL, "cc", "--linux", "forks.c", "-o", "forks"], check=True)
        subprocess.run([ZTL, "as", "empty.s", "-o", "empty.o"], check=True)
        os.mkdir("tools")
        for name in "gcc", "as", "objdump":
            for prefix in "riscv64-unknown-elf-", "riscv64-linux-gnu-":
                path = pathlib.Path("tools", prefix + name)
                path.write_text(TOOL)
                path.chmod(0o755)

    @classmethod
    def tearDownClass(cls):
        os.chdir("/")
        cls.temporary.cleanup()

    def kill(self, *arguments, path=None):
        """Waits until the last process of the command has begun, and kills the first."""
        pathlib.Path("ready").unlink(missing_ok=True)
        with open("said", "wb") as said:
            command = subprocess.Popen([ZTL, *arguments], stdin=subprocess.DEVNULL, stdout=said,
                                       stderr=subprocess.STDOUT,
                                       env={**os.environ, "PATH": path or os.environ["PATH"], "TMPDIR": "."})
        wait_for(arguments, lambda: os.path.exists("ready") or os.path.getsize("said"))
        self.assertIsNone(command.poll(), pathlib.Path("said").read_text())
        command.kill()
        command.wait()
        self.assertEqual(left(), [], arguments)

    def test_qemu(self):
        self.kill("run", "--engine", "qemu", "forks")
        self.kill("run", "--engine", "qemu", "--timeout", "500", "forks")
        self.kill("run", "--engine", "qemu", "bare.c")

    def test_tools(self):
        path = os.path.abspath("tools") + ":" + os.environ["PATH"]
        for command in (["cc", "bare.c"], ["cc", "--linux", "forks.c"], ["run", "bare.c"], ["as", "empty.s"],
                        ["dis", "empty.o"], ["bench", "ops", "--host", "--python", "./bench"]):
            with self.subTest(command):
                self.kill(*command, path=path)

    def test_with_its_supervisor(self):
        """Who kills all that is called ztl has killed the program, too."""
        pathlib.Path("ready").unlink(missing_ok=True)
        with open("said", "wb") as said:
            command = subprocess.Popen([ZTL, "run", "--engine", "qemu", "forks", "--", "alone"], stdout=said,
                                       stderr=said)
        wait_for("ready", lambda: os.path.exists("ready"))
        with open(f"/proc/{command.pid}/task/{command.pid}/children", encoding="ascii") as file:
            supervisor = int(file.read())
        os.kill(supervisor, signal.SIGKILL)
        command.kill()
        command.wait()
        self.assertEqual(left(), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
