# SPDX-License-Identifier: Apache-2.0
"""Short of memory: a command succeeds or says that it failed, whatever the limit; no signal ends
it."""
import os
import resource
import subprocess
import sys
import tempfile

import numpy as np

ZTL, ZTL_QEMU = sys.argv[1:3]
STEP = 128 << 10
OP = [ZTL, "op", "transpose", "m.npy"]
COMMANDS = [
    [*OP, "--check"],
    [*OP, "-o", "y.npy"],
    [*OP, "--stats"],
    [*OP, "--json", "--plan"],
    [*OP, "--engine", "sim", "-o", "y.npy"],
    [ZTL, "op", "add", "m.npy", "--addend", "3", "--check"],
    [ZTL, "op", "where", "c.npy", "m.npy", "m.npy", "--check"],
    [ZTL, "op", "gather", "m.npy", "--indices", "i.npy", "--check"],
    [ZTL, "op", "split", "m.npy", "--axis", "0", *(8 * ["-o", "/dev/null"])],
    [ZTL, "run", "--mem", "0x80000000:64K", "program"],
    [ZTL, "run", "--mem", "0x80000000:1M", "--stats", "--trace", "t.gz", "--registers", "program"],
    [ZTL, "run", "--dump", "tl1:32x32", "--trace", "-", "--trace-disasm", "program"],
    [ZTL, "cosim", "--mem", "0x80000000:1M"],
    [ZTL, "isa"],
    [ZTL, "isa", "--json"],
    [ZTL, "dis", "0x0231355b"],
    [ZTL, "--help"],
    [ZTL, "bench", "--help"],
]
# These start other programs, which may have no memory either: few limits.
WITH_PROGRAMS = [
    [ZTL, "as", "-march=rv64imac_zicsr_ztl", "p.s", "-o", "p.o"],
    [ZTL, "as", "--print", "p.s"],
    [ZTL, "dis", "program"],
    [ZTL, "dis", "--asm", "program"],
    [ZTL, "run", "p.s"],
    [ZTL, "cc", "-march=rv64imac_zicsr_ztl", "-c", "p.s", "-o", "p.o"],
    [*OP, "--engine", "qemu", "-o", "y.npy"],
    [ZTL, "bench", "insn", "--help"],
]
PROGRAM = """
    .globl _start
_start:
    tl.addi tl1, tl1, 3
    li t0, 1
    la t1, tohost
    sd t0, 0(t1)
1:  j 1b
    .data
    .balign 8
    .globl tohost
tohost: .dword 0
"""


def limited(command, limit):
    """How it ends: the status, and what it said of the failure."""
    run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE, check=False, timeout=120,
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    assert run.returncode >= 0, f"signal {-run.returncode}, {limit >> 10} KiB: {command}"
    assert run.returncode == 0 or run.stderr, f"not a word, {limit >> 10} KiB: {command}"
    return run.returncode


def least():
    """Where the program can be loaded at all."""
    limit = 1 << 20
    while subprocess.run([ZTL, "--version"], check=False, capture_output=True,
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
                         ).returncode not in (0, 1):
        limit += STEP // 4
    return limit


def sweep(command, limit, step, most):
    """Upwards, until there was enough several times."""
    enough = 0
    while enough < 4:
        enough += limited(command, limit) == 0
        limit += step
        assert limit < most, f"never enough: {command}"


def check_stack():
    for limit in range(100 << 10, 700 << 10, 50 << 10):
        run = subprocess.run([*OP, "--check"], stderr=subprocess.PIPE, check=False, preexec_fn=(
            lambda: resource.setrlimit(resource.RLIMIT_STACK, (limit, limit))))
        assert run.returncode == 0 or (run.returncode == 1 and b"the stack" in run.stderr), run
    assert run.returncode == 0


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        np.save("m.npy", np.zeros((1000, 500), np.float32))
        np.save("s.npy", np.zeros((30, 40), np.int8))
        np.save("c.npy", np.ones((1000, 500), bool))
        np.save("i.npy", np.arange(900))
        with open("p.s", "w", encoding="utf-8") as source:
            source.write(PROGRAM)
        subprocess.run([ZTL, "cc", "-march=rv64imac_zicsr_ztl", "-nostdlib", "-static", "p.s",
                        "-Wl,-Ttext=0x80000000,--nmagic,--no-relax,--no-warn-rwx-segments", "-o",
                        "program"], check=True)
        start = least()
        for command in COMMANDS:
            sweep(command, start, STEP, 1 << 30)
        # In small steps: where nothing but the stack cannot grow is no more than some pages.
        for limit in range(start, start + (3 << 20), 12 << 10):
            limited([ZTL, "op", "transpose", "s.npy", "--plan", "--check"], limit)
        check_stack()
        for command in WITH_PROGRAMS:
            for limit in range(start, start + (64 << 20), 3 << 20):
                limited(command, limit)
        for limit in range(start, start + (16 << 20), 1 << 20):
            limited([ZTL_QEMU, "program"], limit)


main()
