#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""NCHW to NHWC: on an array, as a plan, and the instructions of one block on a hart."""

import numpy
import ztl

picture = numpy.arange(64 * 56 * 56, dtype="u4").astype("i1").reshape(1, 64, 56, 56)
moved = ztl.ops.transpose(picture, (0, 2, 3, 1))
print("as NumPy does it:", bool((moved == picture.transpose(0, 2, 3, 1)).all()))

plan = ztl.ops.plan("transpose", picture, (0, 2, 3, 1))
print(f"{plan.total} Ztl instructions, at least {plan.lower_bound}: {plan.counts}")

hart = ztl.Hart()
block = numpy.arange(2048, dtype="u2").astype("u1").reshape(32, 64)
hart.tl[1][:], hart.tl[2][:] = block.reshape(2, 1024)
hart.x["a0"] = 0x01014020  # D0 = 32, D1 = 64
hart.execute("tl.xpose.01 tl1, tl2, a0")
both = numpy.concatenate([hart.tl[1], hart.tl[2]]).reshape(64, 32)
print("one instruction:", bool((both == block.T).all()))

hart.x["a0"] = 0x04080804
try:
    hart.execute("tl.xpose.01 tl1, tl2, a0")
except ztl.Trap as trap:
    print("a trap:", trap)
