#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ztl run --engine qemu: a signal to ztl ends QEMU and then ztl, as it would end any other program,
unless the Linux program in QEMU has an answer of its own. Ctrl-C ends a bare-metal program as on the
simulator.

usage: interrupt.py ZTL
"""
import os
import signal
import subprocess
import sys
import tempfile

ZTL = os.path.abspath(sys.argv[1])

LINUX = """
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static void answer(int number) { _exit(number + 40); }
int main(int count, char **arguments)
{
    (void)arguments;
    if (count > 1)
        signal(SIGINT, answer);
    puts("ready");
    fflush(stdout);
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


def interrupt(number, *program):
    """The status after a signal to ztl that comes when the program has begun, and the messages."""
    with subprocess.Popen([ZTL, "run", "--engine", "qemu", *program], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, "TMPDIR": "tmp"}) as ztl:
        ready = ztl.stdout.readline()
        ztl.send_signal(number)
        messages = ztl.communicate(timeout=100)[1]
    assert ready == "ready\n" and os.listdir("tmp") == []
    return ztl.returncode, messages


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    os.mkdir("tmp")
    for name, text in (("linux.c", LINUX), ("bare.c", BARE)):
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
    subprocess.run([ZTL, "cc", "--linux", "linux.c", "-o", "linux"], check=True)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        assert interrupt(number, "linux") == (-number, "")
        expected = (130, "ztl run: interrupted\n") if number == signal.SIGINT else (-number, "")
        assert interrupt(number, "bare.c") == expected
    assert interrupt(signal.SIGINT, "linux", "--", "answer") == (signal.SIGINT + 40, "")
    assert interrupt(signal.SIGTERM, "linux", "--", "answer") == (-signal.SIGTERM, "")
    os.chdir("/")
