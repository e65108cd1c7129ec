#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""resize and upsample along axes so long that a plan is made from their ends: what they give is
what NumPy reckons for each position, in double as ONNX does; and plans of axes that no memory holds
are made at once, or refused.

usage: long_axes.py ZTL
"""
import os
import random
import subprocess
import sys
import tempfile
import time

import numpy as np

ZTL = os.path.abspath(sys.argv[1])
rng = random.Random(35)
MODES = {"half_pixel": lambda x, scale, n: (x + 0.5) / scale - 0.5,
         "asymmetric": lambda x, scale, n: x / scale,
         "tf_half_pixel_for_nn": lambda x, scale, n: (x + 0.5) / scale,
         "pytorch_half_pixel": lambda x, scale, n: (x + 0.5) / scale - 0.5,
         "align_corners": lambda x, scale, n: x * (n - 1) / (scale * n - 1)}
ROUNDS = {"round_prefer_floor": lambda x: np.ceil(x - 0.5), "floor": np.floor, "ceil": np.ceil,
          "round_prefer_ceil": lambda x: np.floor(x + 0.5)}
SCALES = (2, 3, 7, 40, 1.5, 2.5, 1.75, 0.5, 0.25, 0.75, 0.375, 1.125, 1.0625, 1.7, 0.3, 33 / 32, 1.015625)


def run(*words, status=0):
    done = subprocess.run([ZTL, "op", *words], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == status, (words, done.returncode, done.stderr)
    return done.stdout if status == 0 else done.stderr


def expected(a, scale, mode, rounding):
    n = len(a)
    where = MODES[mode](np.arange(int(scale * n), dtype=np.float64), float(scale), float(n))
    return a[np.clip(ROUNDS[rounding](where), 0, n - 1).astype(np.int64)]


def check_values():
    for scale in SCALES:
        n = rng.choice([8192, 8191, 10000, 12345]) * (4 if scale < 1 else 1)
        a = np.frombuffer(rng.randbytes(2 * n), np.uint16)
        np.save("a.npy", a)
        for mode in MODES:
            for rounding in ROUNDS:
                if mode != "half_pixel" and rng.random() < 0.5:
                    continue
                run("resize", "a.npy", "--scales", repr(scale), "--coordinate_transformation_mode",
                    mode, "--nearest_mode", rounding, "-o", "o.npy")
                right = expected(a, scale, mode, rounding)
                assert np.array_equal(np.load("o.npy"), right), (n, scale, mode, rounding)
        run("upsample", "a.npy", "--scales", repr(scale), "-o", "o.npy")
        assert np.array_equal(np.load("o.npy"), expected(a, scale, "asymmetric", "floor")), (n, scale)


def check_time():
    begin = time.monotonic()
    for kind in "upsample", "resize":
        for scale in "1,2", "1,3", "2,1", "1,1.5", "1,0.5", "1,0.375":
            text = run(kind, "--shape-in", f"1,{1 << 35}", "--type", "int8", "--scales", scale, "--plan")
            assert "pass" in text, text
        message = run(kind, "--shape-in", f"1,{1 << 35}", "--type", "int8", "--scales", "1,1.7", "--plan",
                      status=1)
        assert "axis 1 has 58411555225 positions, at most 16777216" in message, message
    assert time.monotonic() - begin < 100


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    check_time()
    check_values()
    os.chdir("/")
