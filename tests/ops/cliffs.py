#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""No cliffs: shapes of many kinds that no table of ours has, each within 7, 6 and 5 times the bound at
int8, fp16 and fp32. The bound is reckoned here: a KiB of what is read, and of what is written.

usage: cliffs.py ZTL
"""
import json
import math
import subprocess
import sys

BYTES = {"int8": 1, "fp16": 2, "fp32": 4}
MOST = {"int8": 7, "fp16": 6, "fp32": 5}

# An operator, the shapes of its inputs, options, and the elements that are read and written.
CASES = []


def case(kind, shapes, options, read, written):
    CASES.append((kind, shapes, options.split(), read, written))


def same(kind, shape, options):
    case(kind, [shape], options, math.prod(shape), math.prod(shape))


# Tables of a thousand rows or so: a few too few for blocks of 32 bytes.
for columns in (9, 10, 13, 14, 15):
    same("transpose", [1000, columns], "--perm 1,0")
    same("transpose", [columns, 1000], "--perm 1,0")
    same("transpose", [777, columns], "--perm 1,0")
case("gather", [[1000, 17, 3]],
     "--axis 1 --indices 0,2,1,4,3,6,5,8,7,10,9,12,11,14,13,16,15", 51000, 51000)
case("gather", [[900, 5]], "--axis 1 --indices 4,2,0,1,3", 4500, 4500)
case("concat", [[1000, 5], [1000, 7], [1000, 1], [1000, 3]], "--axis 1", 16000, 16000)
case("split", [[1000, 14]], "--axis 1 --split 1,13", 14000, 14000)
case("expand", [[1000, 1, 3]], "--shape 1000,2,3", 3000, 6000)
# Patches in other orders.
for c, h, p in ((3, 24, 14), (4, 48, 2), (12, 32, 3), (1, 32, 16)):
    same("transpose", [c, h, p, h, p], "--perm 1,3,2,4,0")
    same("transpose", [h, p, h, p, c], "--perm 0,2,4,1,3")
    same("transpose", [h, h, p, p, c], "--perm 4,0,2,1,3")
    same("transpose", [h, h, c, p, p], "--perm 0,3,1,4,2")
# Patches as a convolution sees them.
for c, h, p in ((3, 14, 16), (3, 24, 14), (4, 32, 2)):
    same("im2col", [1, c, h * p, h * p], f"--kernel {p},{p} --strides {p},{p}")
    same("im2col", [1, h * p, h * p, c], f"--kernel {p},{p} --strides {p},{p} --layout NHWC")
# Strides that divide no extent.
case("im2col", [[1, 3, 227, 227]], "--kernel 11,11 --strides 4,4", 3 * 227 ** 2, 363 * 55 ** 2)
case("im2col", [[1, 16, 29, 29]], "--kernel 3,3 --strides 2,2 --pads 1,1,1,1", 16 * 29 ** 2,
     144 * 15 ** 2)
# Images turned around, and their channels.
for h, w in ((225, 225), (100, 133), (480, 640)):
    for c in (2, 3, 5):
        same("flip", [h, w, c], "--axes 1")
        same("flip", [h, w, c], "--axes 2")
        same("flip", [c, h, w], "--axes 2")
        case("pad", [[h, w, c]], "--pads 0,0,1,0,0,0", h * w * c, h * w * (c + 1))
        case("pad", [[h, w, c]], "--pads 0,0,1,0,0,1", h * w * c, h * w * (c + 2))
# Every so many elements, backwards.
for step in (2, 3):
    n = (60000 + step - 1) // step
    case("slice", [[60000]], f"--starts=-1 --ends=-70000 --axes 0 --steps=-{step}", n, n)
# Every other pixel of odd rows.
case("slice", [[225, 225, 3]], "--starts 0 --ends 225 --axes 1 --steps 2", 225 * 113 * 3,
     225 * 113 * 3)
# Short runs, again and again.
case("expand", [[1]], "--shape 60000", 1, 60000)
case("tile", [[3]], "--repeats 10000", 3, 30000)
case("tile", [[5]], "--repeats 8000", 5, 40000)
# Permutations of many short dimensions.
same("transpose", [6] * 6, "--perm 1,0,3,2,5,4")
same("transpose", [14, 127, 4, 5], "--perm 3,2,1,0")
same("transpose", [13, 2, 255, 5], "--perm 3,1,2,0")
same("transpose", [28, 14, 7, 13], "--perm 1,0,3,2")
same("transpose", [16, 8, 255, 5], "--perm 2,0,1,3")
same("transpose", [28, 5, 64, 13], "--perm 2,0,3,1")
same("depth-to-space", [1, 75, 20, 20], "--blocksize 5")
same("space-to-depth", [1, 3, 100, 100], "--blocksize 5")

worst = []
for kind, shapes, options, read, written in CASES:
    for name, size in BYTES.items():
        inputs = [word for shape in shapes
                  for word in ("--shape-in", ",".join(str(n) for n in shape))]
        command = ["op", kind, *inputs, "--type", name, *options, "--for", "instructions", "--json"]
        done = subprocess.run([sys.argv[1], *command], capture_output=True, text=True)
        assert done.returncode == 0, (command, done.stderr)
        plan = json.loads(done.stdout)
        bound = -(-read * size // 1024) + -(-written * size // 1024)
        assert plan["lower_bound"] == bound, (command, plan["lower_bound"], bound)
        if plan["ztl"] > MOST[name] * bound:
            worst.append((plan["ztl"] / bound, " ".join(command)))
assert not worst, "\n".join(f"{ratio:.2f} {text}" for ratio, text in sorted(worst, reverse=True))
print(len(CASES), "cases")
