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
    for source, order in (("a.npy", "F"), ("f.npy", "C"), ("f.npy", "F")):
        for engine in ("model", "sim", "native"):
            good("transpose", source, "--perm", "1,0,2", "--order", order, "--engine", engine,
                 "-o", "o.npy", "--check")
            same("o.npy", a.transpose(1, 0, 2))
            assert np.load("o.npy").flags.f_contiguous == (order == "F")
    good("split", "f.npy", "--axis", "1", "--order", "F", "-o", "o.npy", "-o", "p.npy", "--check")
    same("o.npy", a[:, :20])
    same("p.npy", a[:, 20:])


def check_types():
    for dtype in ("i1", "u1", "?", "i2", "u2", "f2", "i4", "u4", "f4", "i8", "u8", "f8", "c8",
                  "f16", "c16", "c32", "M8[ns]", "m8[25us]"):
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


def wide(dtype, shape):
    """Complex numbers and long doubles whose halves all differ."""
    numbers = np.random.RandomState(2).rand(2, *shape).astype(np.longdouble) / 3
    return (numbers[0] + 1j * numbers[1]).astype(dtype) if dtype != "f16" else numbers[0]


def check_wide_elements():
    """Elements of 16 and 32 bytes by every operator that moves elements."""
    for dtype in ("c16", "f16", "c32"):
        a = wide(dtype, (2, 8, 5, 6))
        np.save("a.npy", a)
        np.save("w.npy", a.real > 0.2)
        np.save("b.npy", a[::-1])
        blocks = a.reshape(2, 2, 2, 2, 5, 6).transpose(0, 3, 4, 1, 5, 2).reshape(2, 2, 10, 12)
        taps = [np.pad(a, ((0, 0), (0, 0), (1, 1), (1, 1)))[:, :, y:y + 5, x:x + 6]
                for y in range(3) for x in range(3)]
        columns = np.stack(taps, 2).reshape(2, 72, 30)
        kernel = ("--kernel", "3,3", "--pads", "1,1,1,1")
        for expected, *arguments in (
                (a.transpose(2, 0, 3, 1), "transpose", "--perm", "2,0,3,1"),
                (a.reshape(16, 30), "reshape", "--shape", "16,30"),
                (a.reshape(2, 240), "flatten"),
                (np.concatenate([a, a], 2), "concat", "a.npy", "--axis", "2"),
                (a[:, ::-2, :, 1:5], "slice", "--starts", "7,1", "--ends", "-9,5",
                 "--axes", "1,3", "--steps", "-2,1"),
                (np.pad(a, ((0, 0), (1, 0), (0, 2), (3, 3)), "reflect"), "pad", "--pads",
                 "0,1,0,3,0,0,2,3", "--mode", "reflect"),
                (np.pad(a, ((0, 0), (1, 0), (0, 2), (3, 3))), "pad", "--pads", "0,1,0,3,0,0,2,3"),
                (a[:, [3, -1, 3]], "gather", "--axis", "1", "--indices", "3,-1,3"),
                (a[:, [1, 2]], "compress", "--axis", "1", "--condition", "011"),
                (np.tile(a, (1, 2, 1, 3)), "tile", "--repeats", "1,2,1,3"),
                (np.broadcast_to(a, (3, 2, 8, 5, 6)), "expand", "--shape", "3,2,8,5,6"),
                (np.roll(a, (1, 4), (1, 3)), "roll", "--shift", "1,4", "--axes", "1,3"),
                (np.roll(a, 77), "roll", "--shift", "77"),
                (a[:, :, :, ::-1], "flip", "--axes", "3"),
                (blocks, "depth-to-space", "--blocksize", "2", "--mode", "DCR"),
                (a.repeat(2, 2).repeat(3, 3), "resize", "--scales", "1,1,2,3"),
                (columns, "im2col", *kernel)):
            good(arguments[0], "a.npy", *arguments[1:], "-o", "o.npy", "--check")
            same("o.npy", expected)
        np.save("k.npy", columns)
        good("col2im", "k.npy", "--shape", "2,8,5,6", *kernel, "--mode", "first", "-o", "o.npy", "--check")
        same("o.npy", a)
        good("where", "w.npy", "a.npy", "b.npy", "-o", "o.npy", "--check")
        same("o.npy", np.where(a.real > 0.2, a, a[::-1]))
        for engine in ("sim", "qemu"):
            good("transpose", "a.npy", "-o", "o.npy", "--engine", engine, "--stats")
            same("o.npy", a.transpose())
        refused("the type has", 1, "add", "a.npy", "--addend", "1", "--type", "fp32", "-o",
                "none.npy")


def check_half_bytes():
    """Rows of an odd number of half-bytes start with a byte of their own."""
    a = np.arange(15, dtype=np.uint8).reshape(3, 5) * 16 + np.arange(5, dtype=np.uint8)
    np.save("a.npy", a)
    halves = np.stack([a & 15, a >> 4], 2).reshape(3, 10)
    good("slice", "a.npy", "--type", "int4", "--starts", "1", "--ends", "6", "--axes", "1", "-o",
         "o.npy", "--check")
    kept = np.pad(halves[:, 1:6], ((0, 0), (0, 1)))
    same("o.npy", kept[:, ::2] | kept[:, 1::2] << 4)
    good("transpose", "a.npy", "--type", "int4", "-o", "o.npy", "--check")
    kept = np.pad(halves.T, ((0, 0), (0, 1)))
    same("o.npy", kept[:, ::2] | kept[:, 1::2] << 4)
    refused("need C order", 2, "flip", "a.npy", "--type", "int4", "--order", "F", "-o", "none.npy")


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
                           ("cut off", data[:-1]),
                           ("version 9", data[:6] + b"\x09" + data[7:]),
                           ("header is cut off", data[:40]),
                           ("'>u2': big-endian", data.replace(b"|u1", b">u2")),
                           ("'>c16': big-endian", data.replace(b"'|u1', ", b"'>c16',")),
                           ("'|O1' is not numeric", data.replace(b"|u1", b"|O1")),
                           ("'|S1' is not numeric", data.replace(b"|u1", b"|S1")),
                           ("'<U1' is not numeric", data.replace(b"|u1", b"<U1")),
                           ("'|u' is not numeric", data.replace(b"|u1'", b"|u' ")),
                           ("3 bytes are not supported (only 1 2 4 8",
                            data.replace(b"|u1", b"|V3")),
                           ("12 bytes are not supported (only 2 4 8 16",
                            data.replace(b"'|u1', ", b"'<f12',")),
                           ("2 bytes are not supported (only 1)", data.replace(b"|u1", b"<b2")),
                           ("dtype is not understood", data.replace(b"|u1", b"\x1b[1")),
                           ("structured", data.replace(b"'|u1'", b"[('a'")),
                           ("version 1.7", data[:7] + b"\x07" + data[8:]),
                           ("neither True", data.replace(b"False, ", b"Falsely")),
                           *(("shape is not", data.replace(b"(3, 4)", shape)) for shape in
                             (b"(3; 4)", b"(3,,4)", b"( 12 )", b"(,12,)", b"(3,-4)", b"(3, 4 ",
                              b"(3 ,4L", b"(3, 04)", b"(3, 4.)", b"(3, '4')", b"[3, 4]")),
                           *(("no dictionary", data.replace(b"{'descr'", text)) for text in
                             (b"['descr'", b" 'descr' ", b"{ descr  ")),
                           ("no dictionary: something follows", data.replace(b"}", b"},")),
                           ("the key 'shape' twice",
                            data.replace(b"), }" + 8 * b" ", b"), 'shape':(3,4)}")[:len(data)]),
                           ("another key", data.replace(b"'descr'", b"'other'")),
                           ("lacks 'descr'", data.replace(b"'descr': '|u1',", 15 * b" "))):
        with open("bad.npy", "wb") as file:
            file.write(content)
        refused(words, 1, "flip", "bad.npy", "-o", "none.npy")
    for dtype in ([("a", "<i4"), ("b", "<f4")], ">i4", ">c16", "S3", "U2"):
        np.save("bad.npy", np.zeros((2, 3), dtype))
        refused("bad.npy: ", 1, "flip", "bad.npy", "-o", "none.npy")
    with open("bad.npy", "wb") as file:  # empty, but of more half-bytes in a row than can be
        npy_format.write_array_header_1_0(
            file, {"descr": "|u1", "fortran_order": False, "shape": (0, 1 << 62)})
    refused("too large", 1, "flip", "bad.npy", "--type", "int4", "-o", "none.npy")
    refused("No such file", 1, "flip", "missing.npy", "-o", "none.npy")
    refused("unknown operator 'flop'", 2, "flop", "a.npy", "-o", "none.npy")
    refused("unknown option", 2, "flip", "a.npy", "--axxes", "1", "-o", "none.npy")
    refused("axis 7", 1, "flip", "a.npy", "--axes", "7", "-o", "none.npy")
    refused("no list", 2, "flip", "a.npy", "--axes", "1;2", "-o", "none.npy")
    refused("needs a value", 2, "flip", "a.npy", "-o")
    refused("--engine: 'x' is not model, sim, qemu or native", 2, "flip", "a.npy", "--engine", "x", "-o", "none.npy")


with tempfile.TemporaryDirectory() as folder:
    ZTL = os.path.abspath(ZTL)
    os.chdir(folder)
    check_versions_and_orders()
    check_types()
    check_wide_elements()
    check_half_bytes()
    check_engines()
    check_refusals()
print("ok")
