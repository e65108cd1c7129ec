# SPDX-License-Identifier: Apache-2.0
"""Whichever allocation fails, one alone or it and all behind it: a command ends by itself, and says
what it says otherwise, or that memory was short. Allocations of ztl onnx: tests/onnx/memory.py.

usage: allocations.py ZTL SHORT_MEMORY
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

ZTL, SHORT = (os.path.abspath(path) for path in sys.argv[1:3])
COMMANDS = (
    "op transpose m.npy --stats", "op transpose m.npy --stats --plan --list",
    "op transpose m.npy --timing four --check", "op pad m.npy --pads 1,1,1,1 --json -o -",
    "op transpose --shape-in 64,96 --type int8 --timing four", "op transpose m.npy --emit c",
    "op gather m.npy --indices 1,2 --engine native -o -", "op resize m.npy --scales 2,2 -o -",
    "isa", "isa --table rule", "isa --json", "isa tl.load", "draw tl.xpose.01", "draw --registers",
    "timing four", "timing --list", "dis 0x0231355b", "help op", "rnu", "bench compare a b")


def run(command, number, fail_at=0, all_behind=False):
    count = f"count{number}"
    environment = {**os.environ, "LD_PRELOAD": SHORT, "ZTL_COUNT": count}
    if fail_at:
        environment["ZTL_FAIL_AT"] = str(fail_at)
    if all_behind:
        environment["ZTL_FAIL_ON"] = "1"
    done = subprocess.run([ZTL, *command.split()], stdin=subprocess.DEVNULL, capture_output=True,
                          check=False, env=environment, timeout=120)
    # Times differ, and the name of a plan's engine stands behind them.
    out = re.sub(rb'_ms": [0-9.]+|[0-9.]+ ms', b"", done.stdout)
    with open(count, encoding="ascii") as file:
        return done.returncode, out, done.stderr, int(file.read())


def what_is_wrong(number, command, good, fail_at, all_behind):
    try:
        status, out, message, _ = run(command, number, fail_at, all_behind)
    except FileNotFoundError:  # a signal leaves no count
        status, out, message = -1, b"", b""
    told = b"memory" in out + message or b"Cannot allocate" in message
    as_ever = (status, out, message) == good[:3]
    if status >= 0 and (as_ever or told or (status and message)):
        return None
    os.path.exists(f"count{number}") and os.remove(f"count{number}")
    return f"{command}: allocation {fail_at}{' and all behind' if all_behind else ''}: {status}, {message}"


def main():
    tried = 0
    np.save("m.npy", np.arange(64 * 96, dtype=np.int16).reshape(64, 96))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for command in COMMANDS:
            good = run(command, 0)
            cases = [(command, good, n, behind) for n in range(1, min(good[3], 150) + 1)
                     for behind in (False, True)]
            tried += len(cases)
            numbered = [(i + 1, *case) for i, case in enumerate(cases)]
            wrong = [text for text in pool.map(lambda c: what_is_wrong(*c), numbered) if text]
            assert not wrong, "\n".join(wrong[:10])
    print(f"{tried} times memory was short")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    main()
    os.chdir("/")
