#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""ztl op on .npy files: versions, orders, types, engines, and bad files.

usage: npy.py ZTL
"""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
from numpy.lib import format as npy_format

ZTL = sys.argv[1]


def ztl(*arguments):
    return subprocess.run([ZTL, "op", *arguments], capture_output=True, text=True, check=False)


def good(*arguments):
    result = ztl(*arguments)
    assert result.returncode == 0, (arguments, result.stderr)
    return result.stdout


def refused(words, status, *arguments):
    result = ztl(*arguments)
    assert result.returncode == status, (arguments, result.returncode, result.stderr)
    assert words in result.stderr, (arguments, result.stderr)
    assert not os.path.exists("none.npy")


def same(path, array):
    loaded = np.load(path)
    assert loaded.dtype == array.dtype and loaded.shape == array.shape, path
    assert np.array_equal(loaded, array), path


def check_versions_and_orders():
    a = np.arange(3 * 40 * 50, dtype=np.int16).reshape(3, 40, 50)
    for version in ((1, 0), (2, 0), (3, 0)):
        with open("a.npy", "wb") as file:
            npy_format.write_array(file, a, version=version)
        good("transpose", "a.npy", "--perm", "2,0,1", "-o", "o.npy", "--check")
        same("o.npy", a.transpose(2, 0, 1))
    np.save("f.npy", np.asfortranarray(a))
    good("transpose", "f.npy", "--perm", "1,0,2", "-o", "o.npy", "--check")
    same("o.npy", a.transpose(1, 0, 2))


def check_types():
    for dtype in ("i1", "u1", "?", "i2", "u2", "f2", "i4", "u4", "f4", "i8", "u8", "f8", "c8"):
        a = np.arange(6 * 35).reshape(6, 35).astype(dtype)
        np.save("a.npy", a)
        good("flip", "a.npy", "--axes", "1", "-o", "o.npy", "--check")
        same("o.npy", a[:, ::-1])
    a = np.arange(24, dtype=np.uint8).reshape(4, 6)
    np.save("a.npy", a)
    good("transpose", "a.npy", "--type", "int4", "--perm", "0,1", "-o", "o.npy", "--check")
    same("o.npy", a)
    good("add", "a.npy", "--type", "int4", "--addend", "1", "-o", "o.npy", "--check")
    low, high = a & 15, a >> 4
    plus = [np.where(n == 7, 7, (n + 1) & 15) for n in (low, high)]
    same("o.npy", (plus[0] | plus[1] << 4).astype(np.uint8))


def check_engines():
    a = np.random.RandomState(1).rand(2, 96, 20, 22).astype(np.float32)
    np.save("a.npy", a)
    for engine in ("model", "qemu", "sim"):
        figures = json.loads(good("transpose", "a.npy", "--perm", "0,2,3,1", "-o", "o.npy",
                                  "--engine", engine, "--json"))
        same("o.npy", a.transpose(0, 2, 3, 1))
        assert figures["ztl"] >= figures["lower_bound"] > 0 and figures["scalar_moves"] == 0
        assert figures["emulated"] == (figures["ztl"] if engine == "qemu" else None)
        assert figures["engine"] == engine
        assert figures["scalar_retired"] > figures["retired"] > figures["ztl"]
    assert "pass 1" in good("transpose", "a.npy", "--perm", "0,2,3,1", "-o", "o.npy", "--plan")
    good("pad", "a.npy", "--pads", "0,0,1,1,0,0,1,1", "--value", "1.5", "-o", "o.npy")
    same("o.npy", np.pad(a, ((0, 0), (0, 0), (1, 1), (1, 1)), constant_values=1.5))
    good("split", "a.npy", "--axis", "1", "--split", "32,64", "-o", "o.npy", "-o", "p.npy")
    same("p.npy", a[:, 32:])
    np.save("i.npy", np.array([5, 3, 3]))
    good("gather", "a.npy", "--axis", "1", "--indices", "i.npy", "-o", "o.npy")
    same("o.npy", a[:, [5, 3, 3]])


def check_refusals():
    np.save("a.npy", np.zeros((3, 4), np.uint8))
    data = open("a.npy", "rb").read()
    for words, content in (("not a .npy file", b"hello"),
                           ("cut off", data[:-1]), ("after the elements", data + b"x"),
                           ("version 9", data[:6] + b"\x09" + data[7:]),
                           ("header is cut off", data[:40]),
                           ("big-endian", data.replace(b"|u1", b">u2")),
                           ("not numeric", data.replace(b"|u1", b"|O1")),
                           ("shape", data.replace(b"(3, 4)", b"(3; 4)"))):
        with open("bad.npy", "wb") as file:
            file.write(content)
        refused(words, 1, "flip", "bad.npy", "-o", "none.npy")
    refused("No such file", 1, "flip", "missing.npy", "-o", "none.npy")
    refused("no operator", 2, "flop", "a.npy", "-o", "none.npy")
    refused("unknown option", 2, "flip", "a.npy", "--axxes", "1", "-o", "none.npy")
    refused("axis 7", 1, "flip", "a.npy", "--axes", "7", "-o", "none.npy")
    refused("no list", 2, "flip", "a.npy", "--axes", "1;2", "-o", "none.npy")
    refused("needs a value", 2, "flip", "a.npy", "-o")
    refused("no such engine", 2, "flip", "a.npy", "--engine", "x", "-o", "none.npy")


with tempfile.TemporaryDirectory() as folder:
    ZTL = os.path.abspath(ZTL)
    os.chdir(folder)
    check_versions_and_orders()
    check_types()
    check_engines()
    check_refusals()
print("ok")
