#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""ztl op: every option against numpy, what is refused and how, and progress on a terminal.

usage: options.py ZTL
"""
import io
import json
import os
import pty
import re
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time

import numpy as np

from tensors import KINDS

ZTL = os.path.abspath(sys.argv[1])


def ztl(*arguments):
    return subprocess.run([ZTL, "op", *arguments], capture_output=True, text=True, check=False)


def figures_of(*arguments):
    """--json; the scalar version's output is compared there before it has a count."""
    figures = json.loads(ztl(*arguments, "--json").stdout)
    assert figures["retired"] and figures["scalar_retired"], (arguments, figures)
    return figures


def gives(expected, *arguments):
    """Runs, and compares o.npy; nothing is said in a pipe. All of it can be counted."""
    figures_of(*arguments)
    result = ztl(*arguments, "-o", "o.npy", "--check")
    assert result.returncode == 0, (arguments, result.stderr)
    assert result.stderr == "" and result.stdout == "", (arguments, result.stderr)
    loaded = np.load("o.npy")
    assert loaded.shape == expected.shape and loaded.dtype == expected.dtype, arguments
    assert loaded.tobytes() == np.ascontiguousarray(expected).tobytes(), arguments


def refused(status, words, *arguments):
    result = ztl(*arguments)
    assert result.returncode == status, (arguments, result.returncode, result.stderr)
    assert words in result.stderr, (arguments, result.stderr)
    assert result.stderr.startswith("ztl op"), result.stderr
    assert len(result.stderr.splitlines()) == 1, result.stderr
    assert not os.path.exists("none.npy"), arguments


A = np.random.RandomState(3).randint(-999, 999, (6, 5, 8)).astype(np.int16)
IMAGE = np.random.RandomState(4).randint(0, 255, (2, 8, 6, 10)).astype(np.uint8)


def columns(image, kernel, stride, dilation):
    n, c, h, w = image.shape
    out = [(e - (k - 1) * dilation - 1) // stride + 1 for e, k in zip((h, w), kernel)]
    taps = [image[:, :, y * dilation:, x * dilation:][:, :, ::stride, ::stride]
            [:, :, :out[0], :out[1]] for y in range(kernel[0]) for x in range(kernel[1])]
    return np.stack(taps, 2).reshape(n, c * len(taps), -1)


def check_options():
    np.save("a.npy", A)
    np.save("i.npy", IMAGE)
    gives(A.transpose(1, 2, 0), "transpose", "a.npy", "--perm", "1,2,0")
    gives(A.transpose(), "transpose", "a.npy")
    gives(A.reshape(4, 60), "reshape", "a.npy", "--shape", "4,-1")
    np.save("e.npy", A[:0])
    gives(A[:0].reshape(5, 8, 0), "reshape", "e.npy", "--shape", "5,8,0", "--allowzero", "1")
    gives(A[:0].reshape(0, 40), "reshape", "e.npy", "--shape", "0,40")
    gives(A.reshape(30, 8), "flatten", "a.npy", "--axis", "2")
    gives(A[None, :, None], "unsqueeze", "a.npy", "--axes", "0,2")
    np.save("u.npy", A[None, :, None])
    np.save("k.npy", A[:, :1])
    gives(A, "squeeze", "u.npy", "--axes", "0,2")
    gives(np.concatenate([A, A], 1), "concat", "a.npy", "a.npy", "--axis", "-2")
    gives(A[4:0:-2, :, 1:7], "slice", "a.npy", "--starts", "4,1", "--ends", "0,7", "--axes", "0,2",
          "--steps", "-2,1")
    gives(A[-3:-1], "slice", "a.npy", "--starts=-3", "--ends=-1")
    gives(A[-3:8], "slice", "a.npy", "--starts=-0x3", "--ends=08")
    width = ((0, 0), (1, 2), (3, 0))
    pads = ("--pads", "0,1,3,0,2,0")
    gives(np.pad(A, width, constant_values=-7), "pad", "a.npy", *pads, "--value", "-7")
    for mode in ("edge", "reflect", "wrap"):
        gives(np.pad(A, width, mode), "pad", "a.npy", *pads, "--mode", mode)
        gives(np.pad(A, width, mode), "pad", "a.npy", "--pads", "3,1,0,2", "--axes", "-1,1",
              "--mode", mode)
    gives(np.pad(A, width), "pad", "a.npy", "--pads", "3,1,0,2", "--axes", "2,1")
    gives(A[:, [4, 0, -1]], "gather", "a.npy", "--indices", "4,0,-1", "--axis", "1")
    gives(A[:, [1, 2, 4]], "compress", "a.npy", "--condition", "01101", "--axis", "1")
    gives(A.reshape(-1)[[1, 3]], "compress", "a.npy", "--condition", "0101")
    for indices in (np.array(2), np.array([[1, -5, 3], [0, 0, 4]]), np.zeros((2, 0), int),
                    np.asfortranarray(np.arange(12).reshape(3, 2, 2) % 5).astype(np.uint8)):
        np.save("j.npy", indices)
        gives(np.take(A, indices, 1), "gather", "a.npy", "--indices", "j.npy", "--axis", "1")
    np.save("c.npy", np.array([False, True, True, False, True]))
    gives(A[:, [1, 2, 4]], "compress", "a.npy", "--condition", "c.npy", "--axis", "1")
    gives(np.tile(A, (2, 1, 3)), "tile", "a.npy", "--repeats", "2,1,3")
    gives(np.broadcast_to(A, (3, 6, 5, 8)), "expand", "a.npy", "--shape", "3,6,5,8")
    gives(np.broadcast_to(A[:, :1], (2, 6, 5, 8)), "expand", "k.npy", "--shape", "2,-1,5,-1")
    gives(np.roll(A, (2, -3), (0, 2)), "roll", "a.npy", "--shift", "2,-3", "--axes", "0,2")
    gives(np.roll(A, (4, 3, -1, 5), (0, 1, -3, 0)), "roll", "a.npy", "--shift", "4,3,-1,5",
          "--axes", "0,1,-3,0")
    for shift in (0, 1, -17, 240, 100003):
        gives(np.roll(A, shift), "roll", "a.npy", "--shift", str(shift))
    gives(A[::-1], "flip", "a.npy", "--axes", "0")
    gives(IMAGE.repeat(2, 2).repeat(3, 3), "resize", "i.npy", "--scales", "1,1,2,3")
    gives(IMAGE.repeat(2, 2).repeat(3, 3), "resize", "i.npy", "--scales", "3,2", "--axes", "-1,2")
    depth = IMAGE.reshape(2, 2, 2, 2, 6, 10)
    gives(depth.transpose(0, 3, 4, 1, 5, 2).reshape(2, 2, 12, 20), "depth-to-space", "i.npy",
          "--blocksize", "2", "--mode", "DCR")
    gives(depth.transpose(0, 1, 4, 2, 5, 3).reshape(2, 2, 12, 20), "depth-to-space", "i.npy",
          "--blocksize", "2", "--mode", "CRD")
    np.save("w.npy", A > 0)
    np.save("b.npy", A[::-1])
    gives(np.where(A > 0, A, A[::-1]), "where", "w.npy", "a.npy", "b.npy")
    kernel = ("--kernel", "3,2", "--strides", "2,2", "--dilations", "2,2")
    gives(columns(IMAGE, (3, 2), 2, 2), "im2col", "i.npy", *kernel)
    np.save("h.npy", IMAGE.transpose(0, 2, 3, 1).copy())
    nhwc = columns(IMAGE, (3, 2), 2, 2).reshape(2, 8, 6, -1).transpose(0, 3, 2, 1)
    gives(nhwc.reshape(2, -1, 48), "im2col", "h.npy", *kernel, "--layout", "NHWC")
    grouped = columns(IMAGE, (3, 2), 2, 2).reshape(2, 2, 24, -1)
    gives(grouped, "im2col", "i.npy", *kernel, "--groups", "2")
    large = np.arange(700 * 700).astype(np.uint8).reshape(1, 1, 700, 700)
    np.save("g.npy", large)
    for stride in (2, 3, 300, 700, 2 ** 31 - 1):
        few = ("im2col", "g.npy", "--kernel", "1,1", "--strides", f"{stride},{stride}")
        picked = large[:, :, ::stride, ::stride].reshape(1, 1, -1)
        gives(picked, *few)
        figures = json.loads(ztl(*few, "--json").stdout)
        assert figures["lower_bound"] == 2 * -(-picked.size // 1024), figures
    good = ztl("split", "a.npy", "--axis", "0", "--split", "2,3,1", "-o", "x.npy", "-o", "y.npy",
               "-o", "z.npy")
    assert good.returncode == 0, good.stderr
    assert np.array_equal(np.load("y.npy"), A[2:5]) and np.array_equal(np.load("z.npy"), A[5:])


def check_equal_split():
    """ONNX's num_outputs: ceil(8 / n) positions for each output, the last has what remains."""
    for count in (1, 2, 3, 4, 5):
        names = [f"s{k}.npy" for k in range(count)]
        named = [word for name in names for word in ("-o", name)]
        each = -(-8 // count)
        for more in ((), ("--num_outputs", str(count))):
            result = ztl("split", "a.npy", "--axis", "2", *more, *named, "--check")
            assert result.returncode == 0, result.stderr
            for k, name in enumerate(names):
                assert np.array_equal(np.load(name), A[:, :, each * k:each * (k + 1)]), name
                os.remove(name)
    figures = json.loads(ztl("split", "a.npy", "--num_outputs", "3", "--json").stdout)
    assert figures["bytes_out"] == A.size * 2
    o = ("-o", "none.npy")
    refused(2, "needs --split, --num_outputs or the outputs", "split", "a.npy", "--stats")
    refused(2, "1 outputs (-o), the operator makes 2", "split", "a.npy", "--num_outputs", "2", *o)
    refused(1, "exclude each other", "split", "a.npy", "--num_outputs", "1", "--split", "6", *o)
    refused(2, "-1 is not 1 or more", "split", "a.npy", "--num_outputs", "-1", *o)
    refused(1, "1 to 64 parts", "split", "a.npy", "--num_outputs", "65", *o)
    refused(1, "5 positions cannot be split into 4", "split", "a.npy", "--axis", "1",
            "--num_outputs", "4", "--stats")


def check_dtypes():
    """Inputs whose numbers would become others are refused; --type takes them as bytes."""
    np.save("f2.npy", A.astype(np.float16))
    np.save("d.npy", A.astype("m8[D]"))
    np.save("ms.npy", A.astype("m8[ms]"))
    o = ("-o", "none.npy")
    refused(1, "f2.npy: dtype '<f2', but '<i2' in a.npy", "concat", "a.npy", "f2.npy", "--axis",
            "0", *o)
    refused(1, "a.npy: dtype '<i2', but '<f2' in f2.npy", "where", "w.npy", "f2.npy", "a.npy", *o)
    refused(1, "ms.npy: dtype '<m8[ms]'", "concat", "d.npy", "ms.npy", "--axis", "0", *o)
    gives(np.concatenate([A.astype(np.float16).view("i2"), A]), "concat", "f2.npy", "a.npy",
          "--axis", "0", "--type", "int16")


def check_values():
    """--value and add in the types of files and of the contract."""
    for dtype in (np.float16, np.float32, np.float64):
        np.save("f.npy", np.zeros((3, 5), dtype))
        for text in ("0.1", "-2.5", "1e-7", "inf", "-0.0"):
            gives(np.full((3, 5), float(text), dtype), "fill", "f.npy", "--value", text)
    np.save("r.npy", np.zeros((4, 4), "V1"))
    for name, text, bits in (("e4m3", "448", 0x7e), ("e4m3", "nan", 0x7f), ("e5m2", "-1", 0xbc),
                             ("e3m4", "15.5", 0x6f), ("e3m4", "0.015625", 0x01)):
        gives(np.full((4, 4), bits, np.uint8).view("V1"), "fill", "r.npy", "--type", name,
              "--value", text)
    np.save("h.npy", np.zeros(7, "V2"))
    gives(np.full(7, 0x3fc0, np.uint16).view("V2"), "fill", "h.npy", "--type", "bf16", "--value",
          "1.5")
    refused(2, "out of range", "fill", "r.npy", "--type", "e4m3", "--value", "465", "-o",
            "none.npy")
    numbers = ("0", "1.5", "-2j", "1.5-2j", "(1e3+0.25j)", "nan", "1-infj", "-0.0")
    for dtype, texts in (("?", ("0", "1", "True", "False")), ("i1", ("-128", "127")),
                         ("u8", ("0", str(2 ** 64 - 1))), ("i8", (str(-2 ** 63), "7")),
                         ("c8", numbers), ("c16", numbers), ("c32", numbers),
                         ("f16", ("0.1", "-1e4000", "inf"))):
        np.save("v.npy", np.ones((3, 70), dtype))
        for text in texts:
            expected = np.zeros((3, 70), dtype)
            expected[...] = {"?": lambda text: text in ("1", "True"), "i": int, "u": int,
                             "f": np.longdouble, "c": complex}[dtype[0]](text)
            result = ztl("fill", "v.npy", "--value", text, "-o", "o.npy", "--check")
            assert result.returncode == 0, (dtype, text, result.stderr)
            loaded = np.load("o.npy")
            assert loaded.dtype == expected.dtype, dtype
            assert np.array_equal(loaded, expected, equal_nan=dtype[0] in "cf"), (dtype, text)
    np.save("t8.npy", np.zeros((2, 3), "M8[s]"))
    gives(np.full((2, 3), 86400, "M8[s]"), "fill", "t8.npy", "--value", "86400")
    gives(np.full((2, 3), "NaT", "M8[s]"), "fill", "t8.npy", "--value", "NaT")
    np.save("c.npy", np.zeros((2, 3), "c16"))
    raw = np.frombuffer(bytes(range(16)), "c16")[0]
    gives(np.full((2, 3), raw), "fill", "c.npy", "--value", "0x" + bytes(range(16))[::-1].hex())
    for path, text in (("c.npy", "1+2"), ("c.npy", "j+1"), ("c.npy", "1+2j3"), ("c.npy", "()"),
                       ("c.npy", "0x"), ("c.npy", "0x1g")):
        refused(2, "is no number", "fill", path, "--value", text, "-o", "none.npy")
    np.save("b1.npy", np.zeros(3, bool))
    np.save("i1.npy", np.zeros(3, np.int8))
    refused(2, "neither 0 nor 1", "fill", "b1.npy", "--value", "2", "-o", "none.npy")
    for path, text in (("i1.npy", "128"), ("i1.npy", "-129"), ("i1.npy", "0x100"),
                       ("i.npy", "-1"), ("c.npy", "0x1" + "0" * 32)):
        refused(2, "out of range", "fill", path, "--value", text, "-o", "none.npy")
    x = np.linspace(-9, 9, 77).astype(np.float32)
    np.save("x.npy", x)
    gives(x + np.float32(-5), "add", "x.npy", "--addend", "-5")
    gives(np.clip(A.astype(int) + 100, -32768, 32767).astype(np.int16), "add", "a.npy", "--addend",
          "100")


def check_refusals():
    o = ("-o", "none.npy")
    np.save("m.npy", A[0])
    refused(2, "did you mean 'transpose'", "transpse", "a.npy", *o)
    refused(2, "did you mean 'gather-nd'", "gather_nd", "--help")
    refused(2, "'ztl op --help' lists them", "zzzzzzzzzzz", "a.npy", *o)
    for kind, option in (("reshape", "--shape"), ("unsqueeze", "--axes"), ("concat", "--axis"),
                         ("slice", "--starts"), ("pad", "--pads"),
                         ("gather", "--indices"), ("compress", "--condition"),
                         ("tile", "--repeats"), ("expand", "--shape"), ("roll", "--shift"),
                         ("depth-to-space", "--blocksize"), ("space-to-depth", "--blocksize"),
                         ("im2col", "--kernel"), ("col2im", "--kernel"), ("upsample", "--scales"),
                         ("reverse-sequence", "--sequence_lens"), ("center-crop-pad", "--shape"),
                         ("focus", "--blocksize"), ("add", "--addend"), ("fill", "--value"),
                         ("pack", "--format"), ("unpack", "--format")):
        refused(2, option + ": this option is needed", kind, "a.npy", *o)
    refused(2, "--axes: given twice", "flip", "a.npy", "--axes", "0", "--axes=1", *o)
    refused(2, "--perm: given twice", "transpose", "a.npy", *40 * ("--perm", "0,1,2"), *o)
    refused(2, "goes with --engine native", "flip", "a.npy", "--threads", "2", *o)
    refused(2, "--threads", "flip", "a.npy", "--engine", "native", "--threads", "65", *o)
    refused(2, "--engine: given twice", "flip", "a.npy", *2 * ("--engine", "model"), *o)
    refused(2, "--check takes no value", "flip", "a.npy", "--check=1", *o)
    refused(2, "no output file", "flip", "a.npy")
    refused(2, "no input file", "flip", *o)
    refused(2, "the operator makes 1", "flip", "a.npy", "-o", "other.npy", *o)
    refused(2, "none of constant, edge", "pad", "a.npy", "--pads", "0", "--mode", "x", *o)
    refused(2, "none of NCHW, NHWC", "im2col", "i.npy", "--kernel", "1,1", "--layout", "x", *o)
    refused(2, "none of NC1HWC0, nChw8c", "pack", "i.npy", "--format", "nchw", *o)
    np.save("blocks.npy", np.zeros((4, 36), np.int32))
    np.save("packed.npy", np.zeros((3, 5, 4), np.int8))
    refused(1, "no whole number of elements of 32 bits", "pack", "blocks.npy", "--format", "B18x4", *o)
    refused(1, "has rank 2, NC1HWC0 needs 4", "pack", "blocks.npy", "--format", "NC1HWC0", *o)
    unpack = ("unpack", "packed.npy", "--format")
    refused(1, "dimension 2 has 4, in VNNI2 it has 2", *unpack, "VNNI2", *o)
    for given, words in (("12,5,1", "shape has 3 values, needs 2"), ("8,5", "not 3 blocks of 4"),
                         ("13,5", "not 3 blocks of 4"), ("-9,5", "not 3 blocks of 4"),
                         ("9,6", "not 5 blocks of 1")):
        refused(1, words, *unpack, "VNNI4", "--shape", given, *o)
    refused(2, "0 and 1 in a row", "compress", "a.npy", "--condition", "012", *o)
    refused(2, "no such type", "add", "a.npy", "--addend", "1", "--type", "int5", *o)
    refused(2, "out of range", "fill", "i.npy", "--value", "256", *o)
    for text in "1.5", "1e1", "inf", "nan", "-.5":
        refused(2, f"--value: {text} is not a whole number", "fill", "i.npy", f"--value={text}", *o)
        refused(2, f"--addend: {text} is not a whole number (from -128 to 127)", "add", "a.npy",
                f"--addend={text}", *o)
        refused(2, f"--axis: {text} is not a whole number", "concat", "a.npy", f"--axis={text}", *o)
    for text in "x", "1x", "1.5x", "0x", " ", "1 2", "--1":
        refused(2, f"--value: '{text}' is no number", "fill", "i.npy", f"--value={text}", *o)
    for text in "x", "1x", "1.5x", "1 2", "--1":
        refused(2, f"--addend: '{text}' is no number", "add", "a.npy", f"--addend={text}", *o)
    refused(2, "--value: a number is missing", "fill", "i.npy", "--value=", *o)
    refused(2, "--addend: a whole number is missing", "add", "a.npy", "--addend=", *o)
    refused(2, "--addend: 9223372036854775808 is out of range", "add", "a.npy", "--addend",
            "9223372036854775808", *o)
    refused(2, "--axes: 99999999999999999999 is out of range", "flip", "a.npy", "--axes",
            "0,99999999999999999999", *o)
    refused(2, "'1.5' is no list of whole numbers", "flip", "a.npy", "--axes", "0,1.5", *o)
    refused(2, "--value: 256 is out of range for elements of 8 bits: 0 to 255", "fill", "i.npy",
            "--value", "256", *o)
    refused(2, "out of range for elements of 8 bits: -128 to 127", "fill", "i1.npy", "--value",
            "128", *o)
    refused(2, "--value: '\\x09-5' is no number", "fill", "i.npy", "--value=\t-5", *o)
    refused(2, "1e999 is out of range", "fill", "x.npy", "--value", "1e999", *o)
    refused(1, "index 5 (number 1) is outside", "gather", "a.npy", "--indices", "0,5", "--axis",
            "1", *o)
    refused(1, "needs integers", "gather", "a.npy", "--indices", "x.npy", *o)
    refused(1, "has 6 values for 5", "compress", "a.npy", "--condition", "111111", "--axis", "1",
            *o)
    refused(2, "needs --scales or --sizes", "resize", "a.npy", *o)
    refused(1, "kernel has 2 values, needs 1", "im2col", "a.npy", "--kernel", "3,3", *o)
    refused(1, "rank 2, not 3 to 6", "im2col", "m.npy", "--kernel", "3,3", *o)
    refused(1, "extent -1", "expand", "a.npy", "--shape", "-1,6,5,8", *o)
    refused(1, "a 0 at place 3", "reshape", "e.npy", "--shape", "0,5,8,0", *o)
    refused(1, "axis 3 is outside", "roll", "a.npy", "--shift", "1,1", "--axes", "0,3", *o)
    refused(1, "takes 3 inputs", "where", "a.npy", *o)
    refused(1, "takes 1 input", "flip", "a.npy", "a.npy", *o)
    refused(1, "named twice", "flip", "a.npy", "--axes", "1,-2", *o)
    refused(2, "--perm: '1 0' is no list", "transpose", "a.npy", "--perm", "1 0", *o)
    refused(2, "--axis: other operators", "flip", "a.npy", "--axis", "1", *o)
    refused(2, "--mode: other operators", "transpose", "a.npy", "--mode", "wrap", *o)
    refused(2, "--axes: other operators", "tile", "a.npy", "--repeats", "1,1,1", "--axes", "0", *o)
    refused(2, "none of constant, edge, reflect, wrap", "pad", "a.npy", "--pads", "0,0,1,0,0,1",
            "--mode", "CRD", *o)
    refused(2, "none of DCR, CRD", "depth-to-space", "i.npy", "--blocksize", "2", "--mode",
            "constant", *o)
    refused(2, "--groups: 0 is not 1 or more", "im2col", "i.npy", "--kernel", "1,1", "--groups",
            "0", *o)
    refused(1, "needs 2", "pad", "a.npy", "--pads", "1,1,1,1,1,1", "--axes", "1", *o)
    refused(1, "named twice", "resize", "a.npy", "--scales", "2,2", "--axes", "1,-2", *o)
    refused(1, "step of axis 0 is 0", "slice", "a.npy", "--starts", "0", "--ends", "1", "--steps",
            "0", *o)
    refused(1, "outside -128 to 127", "add", "a.npy", "--addend", "128", *o)
    refused(1, "No such file", "flip", "a.npy", "-o", "missing/none.npy")
    refused(1, "Is a directory", "flip", "a.npy", "-o", ".")
    refused(2, "named twice", "split", "a.npy", "-o", "none.npy", *o)
    refused(2, "-o needs a value", "flip", "a.npy", "-o", "")
    np.save("d.npy", np.zeros(3))
    refused(2, "<f8: no type of such elements", "add", "d.npy", "--addend", "1", *o)
    np.save("d.npy", np.zeros(3, np.uint16))
    refused(2, "<u2: this dtype needs --type", "add", "d.npy", "--addend", "1", *o)
    refused(2, "--order: 'K' is not C or F", "flip", "a.npy", "--order", "K", *o)
    np.save("j.npy", np.zeros((2, 2, 2, 2, 2, 2, 2), int))
    refused(1, "rank 9, at most 8", "gather", "a.npy", "--indices", "j.npy", *o)
    np.save("j.npy", np.array([[2 ** 63]], np.uint64))
    refused(1, "is outside", "gather", "a.npy", "--indices", "j.npy", *o)
    refused(1, "needs integers", "gather", "a.npy", "--indices", "w.npy", *o)
    refused(1, "shift has 2 values, needs 1", "roll", "a.npy", "--shift", "1,2", *o)


def check_outputs():
    """Names are looked at before the input is read; pipes and devices are not replaced."""
    refused(1, "missing/none.npy: No such file", "flip", "absent.npy", "-o", "missing/none.npy")
    assert ztl("flip", "a.npy", "-o", "/dev/null").returncode == 0
    assert not os.path.isfile("/dev/null")
    refused(1, "No space left", "flip", "a.npy", "-o", "/dev/full")
    piped = subprocess.run([ZTL, "op", "flip", "a.npy", "-o", "/dev/stdout"], capture_output=True,
                           check=True).stdout
    assert np.array_equal(np.load(io.BytesIO(piped)), A[::-1, ::-1, ::-1])


def interrupt_writing(number):
    """True: the signal came while the output was written, behind this process in line."""
    with subprocess.Popen(["nice", "-n", "19", ZTL, "op", "flip", "large.npy", "--axes", "0",
                           "-o", "none.npy"]) as ztl_op:
        while ztl_op.poll() is None and not any(n.startswith(".ztl-") for n in os.listdir(".")):
            pass
        ztl_op.send_signal(number)
    return ztl_op.returncode == -number


def check_interrupt():
    """A signal while the output is written leaves neither it nor a part of it."""
    np.save("large.npy", np.zeros((2, 20 << 20), np.uint8))
    before = set(os.listdir("."))
    for number in (signal.SIGINT, signal.SIGTERM):
        tries = 0
        while not interrupt_writing(number):
            if os.path.exists("none.npy"):
                os.remove("none.npy")
            tries += 1
            assert tries < 20, "the signal always came too late"
        assert set(os.listdir(".")) == before
    stopped = subprocess.run([ZTL, "op", "flip", "large.npy", "-o", "none.npy"], check=False,
                             stderr=subprocess.PIPE, text=True,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE,
                                                                   (1 << 20, 1 << 20)))
    assert stopped.returncode == 1 and "none.npy: File too large" in stopped.stderr, stopped
    assert set(os.listdir(".")) == before
    check_temporary_files()
    os.remove("large.npy")


def check_temporary_files():
    """A signal while the files for QEMU are there leaves none, and ends ztl without a word."""
    os.mkdir("tmp")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        for files in (1, 2, 3):  # the program, the job, the statistics
            with subprocess.Popen([ZTL, "op", "flip", "large.npy", "--engine", "qemu", "-o", "none.npy"],
                                  env={**os.environ, "TMPDIR": "tmp"}, stderr=subprocess.PIPE) as ztl_op:
                while ztl_op.poll() is None and len(os.listdir("tmp")) < files:
                    pass
                ztl_op.send_signal(number)
                messages = ztl_op.stderr.read()
            assert ztl_op.returncode == -number and messages == b"", messages
            assert os.listdir("tmp") == []
            assert not os.path.exists("none.npy")
    os.rmdir("tmp")


def check_select():
    """Rows that one element of the condition decides are moved as rows."""
    rows = np.random.RandomState(5).randint(0, 255, (2, 500, 4, 16)).astype(np.uint8)
    chosen = np.random.RandomState(6).rand(500, 1, 1) < 0.4
    np.save("p.npy", chosen)
    np.save("q.npy", rows)
    np.save("s.npy", rows[:, ::-1])
    gives(np.where(chosen, rows, rows[:, ::-1]), "where", "p.npy", "q.npy", "s.npy")
    figures = json.loads(ztl("where", "p.npy", "q.npy", "s.npy", "--json").stdout)
    assert figures["ztl"] < 1.5 * figures["lower_bound"], figures
    assert figures["scalar_reads"] <= 2000 and figures["scalar_moves"] == 0, figures
    assert figures["retired"] < 20000, figures


def check_no_cliffs():
    """Forms of one element a slice, which take up to 40 times the bound, are not taken."""
    order = ",".join(str(i * 37 % 64) for i in range(64))
    for most, shape, *arguments in (
            (4, "4096,64", "gather", "--axis", "1", "--indices", order),
            (3, "65536,4", "pad", "--pads", "1,2,0,1", "--mode", "edge"),
            (3, "65536,2", "roll", "--shift", "2,1", "--axes", "0,1"),
            (9, "64,56,56", "slice", "--starts", "0,0", "--ends", "56,56", "--axes", "1,2",
             "--steps", "3,3"),
            (4, "64,20,20", "resize", "--scales", "1,1.7,2.5"),
            (5, "3,100,100", "resize", "--scales", "1,0.5,1.5"),
            (3, "24,19,19", "resize", "--scales", "1,5,3"),
            (2, "100,100,3", "resize", "--scales", "7,2,1")):
        figures = json.loads(ztl(*arguments, "--shape-in", shape, "--type", "int8", "--json").stdout)
        assert figures["ratio"] < most, (arguments, figures)


def check_statistics():
    text = ztl("where", "w.npy", "a.npy", "b.npy", "--json").stdout
    figures = json.loads(text)
    assert figures["scalar_reads"] == A.size and figures["scalar_moves"] == 0, text
    assert figures["bytes_in"] == A.size * 5 and figures["bytes_out"] == A.size * 2, text
    assert "scalar reads 240" in ztl("where", "w.npy", "a.npy", "b.npy", "--stats").stdout
    check_scalar_figures()
    # Whatever the engine is, all instructions are counted on the hart: a Ztl instruction is one.
    text = ztl("transpose", "t.npy", "--stats").stdout
    retired, scalar = (int(n) for n in re.search(
        r"retired on the simulated hart: (\d+);\s+of scalar C at -O3: (\d+)", text).groups())
    least = sum(int(n) for n in re.search(
        r"Ztl instructions: (\d+).*CSR writes (\d+)", text, re.S).groups())
    assert least < retired < scalar, text
    assert scalar > 2 * 127 * 129, text
    halves = (json.loads(ztl("transpose", "t.npy", "--type", "int4", "--json", *more).stdout)
              for more in ((), ("--no-scratch",)))
    with_scratch, without = halves
    assert with_scratch["scalar_moves"] == 258 and with_scratch["xpose"] > 0, with_scratch
    assert without["scalar_moves"] == 258 and without["scratch"] == 0, without
    assert without["ztl"] > with_scratch["ztl"], without
    with_scratch, without = (json.loads(ztl("transpose", "t.npy", "--json", *more).stdout)
                             for more in ((), ("--no-scratch",)))
    assert with_scratch["scratch"] > 0 and without["scratch"] == 0
    assert without["ztl"] > with_scratch["ztl"]


def check_scalar_figures():
    """Every type can be counted. An element takes a load and a store at least, or a byte of them."""
    table = subprocess.run([ZTL, "isa", "--json"], capture_output=True, check=True).stdout
    for row in json.loads(table)["types"]:
        size = max(row["bits"] // 8, 1)
        raw = np.arange(4096, dtype=np.uint16).astype(np.uint8).view("V%d" % size).reshape(2, -1)
        np.save("n.npy", raw)
        np.save("c.npy", np.ones((2, raw.shape[1] * (2 if row["bits"] == 4 else 1)), bool))
        kind = ("--type", row["name"])
        assert figures_of("add", "n.npy", "--addend", "3", *kind)["scalar_retired"] > 2 * raw.size
        assert figures_of("flip", "n.npy", *kind)["scalar_retired"] > 2 * raw.size
        where = figures_of("where", "c.npy", "n.npy", "n.npy", *kind)
        assert where["scalar_retired"] > where["scalar_reads"] + 2 * raw.size, where
        assert where["scalar_retired"] > 2 * where["retired"] and not where["scalar_moves"], where
    text = ztl("add", "n.npy", "--addend", "3", *kind, "--stats").stdout
    assert re.search(r"of scalar C at -O3: \d+, \d+\.\d times as many", text), text


def check_help():
    """Every operator has a help with all of its options, and an example to paste."""
    assert ztl("--help").returncode == 0
    unfold = lambda text: re.sub(r"\n {10,}", " ", text)
    summaries = unfold(ztl("--help").stdout.split("Lists")[0])
    lines = re.findall(r"^  ([a-z0-9-]+) +(.*)$", summaries, re.M)
    assert [name for name, _ in lines] == KINDS, lines
    os.mkdir("help")
    for name in ("in", "condition", "x", "y"):
        np.save(f"help/{name}.npy", IMAGE.reshape(-1)[:144].reshape(1, 4, 6, 6))
    np.save("help/at.npy", np.arange(144).reshape(1, 4, 6, 6) % 4)
    for name, summary in lines:
        result = ztl(name, "--help")
        assert result.returncode == 0 and result.stdout == ztl(name, "in.npy", "-h").stdout
        described = set(re.findall(r"^  (--[a-z_]+) ", result.stdout, re.M))
        assert set(re.findall("--[a-z_]+", summary)) <= described, (name, described)
        without = ztl(name, "help/in.npy", "-o", "none.npy")
        needed = re.findall(r"^  (--[a-z_]+) .* [(]needed[)]$", unfold(result.stdout), re.M)
        takes_file = "[list.npy]" in result.stdout # instead of a needed option
        assert any(f"{option}: this option is needed" in without.stderr for option in needed) or (
            not needed and without.returncode != 2) or takes_file or (
                "needs --scales or --sizes" in without.stderr), (name, without.stderr)
        example = result.stdout.split("1,4,6,6:\n")[1]
        assert " " + name + " " in example, example
        if os.path.exists("none.npy"):
            os.remove("none.npy")
        subprocess.run(example, shell=True, check=True, stdout=subprocess.DEVNULL,
                       cwd="help",
                       env={"PATH": os.path.dirname(ZTL) + ":" + os.environ["PATH"]})


def check_json_plan():
    """With --json the plan is a member of it, the same text line by line."""
    text = ztl("transpose", "t.npy", "--plan").stdout
    figures = json.loads(ztl("transpose", "t.npy", "--plan", "--json").stdout)
    assert figures["plan"] == text.splitlines() and len(figures["plan"]) > 2, figures
    assert "plan" not in json.loads(ztl("transpose", "t.npy", "--json").stdout)


def check_reasons():
    """--plan tells what was taken and what the other ways would take."""
    def plan(*more):
        text = ztl("transpose", "t.npy", "--plan", "--for", "instructions", *more).stdout
        total = int(re.search(r"(\d+) Ztl instructions", text)[1])
        why = re.search(r"why pass.*", text)[0]
        return total, why, [int(n) for n in re.findall(r"\((\d+)", why)]

    np.save("z.npy", np.zeros((1, 4, 50, 24), np.uint8))
    text = ztl("depth-to-space", "z.npy", "--blocksize", "2", "--mode", "CRD", "--plan").stdout
    assert "two planes and alternating elements" in text and " load " in text, text
    total, why, costs = plan()
    assert "scratch memory (%d instructions), not " % total in why, why
    assert costs[0] == total and len(costs) > 1 and min(costs[1:]) > total, why
    without, why, costs = plan("--no-scratch")
    assert "scratch" not in why and costs[0] == without, why
    assert total < without <= min(plan()[2][1:]), why


def check_temporary_folder():
    for where, words in (("nowhere", "temporary file: No such file"),
                         ("x" * 600, "temporary file: File name too long")):
        result = subprocess.run([ZTL, "op", "flip", "a.npy", "--engine", "qemu", "-o", "none.npy"],
                                capture_output=True, text=True, check=False,
                                env={**os.environ, "TMPDIR": where})
        assert result.returncode == 1 and words in result.stderr, result.stderr
        assert not os.path.exists("none.npy")


def check_missing_qemu():
    result = subprocess.run([ZTL, "op", "flip", "a.npy", "--engine", "qemu", "-o", "none.npy"],
                            capture_output=True, text=True, check=False, env={"PATH": "/nowhere"})
    assert result.returncode == 1 and "package" in result.stderr, result.stderr
    assert not os.path.exists("none.npy")


def read_slowly(stderr, wait):
    """An input that arrives in two parts, with a wait of more than a second between them."""
    with subprocess.Popen([ZTL, "op", "flip", "slow.npy", "-o", "o.npy"], stderr=stderr) as process:
        with open("slow.npy", "wb") as pipe, open("a.npy", "rb") as file:
            pipe.write(file.read(150))
            pipe.flush()
            wait()
            pipe.write(file.read())
        assert process.wait() == 0
    assert np.array_equal(np.load("o.npy"), A[::-1, ::-1, ::-1])


def check_progress():
    """On a terminal something shows after a second and is wiped in the end; elsewhere nothing."""
    os.mkfifo("slow.npy")
    with open("errors", "w+b") as errors:
        read_slowly(errors, lambda: time.sleep(1.6))
        errors.seek(0)
        assert errors.read() == b""
    terminal, other = pty.openpty()
    shown = b""

    def wait():
        nonlocal shown
        while b"ztl op: reading, 1 s" not in shown:
            shown += os.read(terminal, 4096)

    read_slowly(other, wait)
    while not shown.endswith(b"\r\x1b[K"):
        assert select.select([terminal], [], [], 60)[0], shown
        shown += os.read(terminal, 4096)
    os.close(other)
    os.close(terminal)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    np.save("t.npy", np.zeros((127, 129), np.uint8))
    check_options()
    check_equal_split()
    check_dtypes()
    check_values()
    check_refusals()
    check_outputs()
    check_interrupt()
    check_no_cliffs()
    check_select()
    check_statistics()
    check_reasons()
    check_json_plan()
    check_help()
    check_missing_qemu()
    check_temporary_folder()
    check_progress()
    os.chdir("/")
print("ok")
