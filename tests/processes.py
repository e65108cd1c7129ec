# SPDX-License-Identifier: Apache-2.0
"""What another process is doing: for tests that must not send it a signal too early, however busy
the machine is."""
import os
import re
import time


def fields(pid):
    """Those of /proc/PID/stat from the state on."""
    with open(f"/proc/{pid}/stat") as text:
        return text.read().rpartition(")")[2].split()


def cpu_time(pid):
    """The seconds that it has computed."""
    user, system = fields(pid)[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def catches(pid, number):
    """It has a handler for the signal."""
    with open(f"/proc/{pid}/status") as text:
        return int(re.search(r"SigCgt:\s*(\w+)", text.read())[1], 16) >> (number - 1) & 1


def wait_until_busy(pid, or_asleep=False):
    """Until it has computed for another tenth of a second, or waits for something."""
    begin = cpu_time(pid)
    while cpu_time(pid) < begin + 0.1 and not (or_asleep and fields(pid)[0] == "S"):
        assert fields(pid)[0] != "Z", "it has ended"
        time.sleep(0.02)
