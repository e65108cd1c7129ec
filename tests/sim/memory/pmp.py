#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""PMP refuses and allows on the simulator what it does on QEMU: 6,000 accesses under 150 sets of
random entries, and under locked ones.

usage: pmp.py ZTL FOLDER GUEST_SOURCE"""
import collections
import os
import subprocess
import sys

ZTL, FOLDER, SOURCE = sys.argv[1:]
PROGRAM = os.path.join(FOLDER, "pmp_guest")
subprocess.run(["riscv64-unknown-elf-gcc", "-march=rv64imac_zicsr", "-mabi=lp64", "-mcmodel=medany",
                "-O1", "-ffreestanding", "-nostdlib", "-Wall", "-Werror",
                "-Wl,-n,-Ttext=0x80000000,--no-warn-rwx-segments", SOURCE, "-o", PROGRAM], check=True)


def lines(*command):
    """Standard output and error: QEMU's console is either, by its version."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          stdin=subprocess.DEVNULL, check=True, timeout=120)
    return done.stdout.splitlines()


ours = lines(ZTL, "run", PROGRAM)
qemus = lines("qemu-system-riscv64", "-M", "virt", "-m", "128M", "-bios", "none", "-display", "none",
              "-serial", "none", "-monitor", "none", "-semihosting-config",
              "enable=on,target=native", "-kernel", PROGRAM)
for number, (our, its) in enumerate(zip(ours, qemus), 1):
    if our != its:
        sys.exit(f"pmp: line {number}: '{our}', on QEMU '{its}'")
kinds = collections.Counter(line.split()[2] for line in ours if len(line.split()) > 2)
if len(ours) != len(qemus) or min(kinds[cause] for cause in ("1", "5", "7", "8", "63")) < 50:
    sys.exit(f"pmp: {len(ours)} lines, {len(qemus)} on QEMU; {kinds}")
