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
import time

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

FORKS = """
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    if (!fork()) {
        setsid();
        printf("%d\\n", (int)getpid());
        fflush(stdout);
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


def children(process):
    with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as file:
        return [int(child) for child in file.read().split()]


def is_gone(process):
    """Whether it is no more, or has ended and waits to be noticed."""
    try:
        with open(f"/proc/{process}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return True


def wait_until_gone(process):
    for _ in range(1000):
        if is_gone(process):
            return
        time.sleep(0.1)
    sys.exit(f"process {process} goes on")


def kill_outright():
    """QEMU does not outlive ztl on bare metal, however that ends."""
    with subprocess.Popen([ZTL, "run", "--engine", "qemu", "bare.c"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, text=True) as ztl:
        ready, (qemu,) = ztl.stdout.readline(), children(ztl.pid)
        ztl.kill()
    assert ready == "ready\n"
    wait_until_gone(qemu)


def time_out_forks():
    """A timeout ends the processes that a Linux program has started, those of other sessions too."""
    ztl = subprocess.run([ZTL, "run", "--engine", "qemu", "--timeout", "2", "forks"], timeout=100,
                         stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert ztl.returncode == 124 and ztl.stderr == "ztl run: stopped by --timeout\n", ztl
    wait_until_gone(int(ztl.stdout))


ENDED = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated", signal.SIGHUP: "hung up"}

with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    os.mkdir("tmp")
    for name, text in (("linux.c", LINUX), ("forks.c", FORKS), ("bare.c", BARE)):
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
    for name in ("linux", "forks"):
        subprocess.run([ZTL, "cc", "--linux", name + ".c", "-o", name], check=True)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        assert interrupt(number, "linux") == (-number, "")
        assert interrupt(number, "bare.c") == (128 + number, f"ztl run: {ENDED[number]}\n")
    assert interrupt(signal.SIGINT, "linux", "--", "answer") == (signal.SIGINT + 40, "")
    assert interrupt(signal.SIGTERM, "linux", "--", "answer") == (-signal.SIGTERM, "")
    kill_outright()
    time_out_forks()
    os.chdir("/")
