#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""ztl op with indices, positions and conditions in files, against numpy. usage: indices.py ZTL"""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

ZTL = os.path.abspath(sys.argv[1])
A = np.arange(240, dtype=np.int16).reshape(6, 5, 8)


def ztl(*arguments):
    return subprocess.run([ZTL, "op", *arguments], capture_output=True, text=True)


def gives(expected, *arguments):
    for engine in ("model", "sim"):
        result = ztl(*arguments, "--engine", engine, "--check", "-o", "out.npy")
        assert result.returncode == 0, (arguments, result.stderr)
        out = np.load("out.npy")
        assert out.dtype == expected.dtype and np.array_equal(out, expected), (arguments, out)


def refused(words, *arguments):
    for engine in ("model", "sim"):
        result = ztl(*arguments, "--engine", engine, "-o", "none.npy")
        assert result.returncode == 1 and words in result.stderr, (arguments, result.stderr)
        assert not os.path.exists("none.npy")


def saved(name, values, dtype=np.int64):
    np.save(name, np.asarray(values, dtype))
    return name


def check_gathers():
    for dtype in (np.int64, np.int32, np.uint8, np.int16):
        index = saved("i.npy", [[3, 0], [5, 5]], dtype)
        gives(A[[[3, 0], [5, 5]]], "gather", "a.npy", "--indices", index)
        gives(A[[[3, 0], [5, 5]]], "gather", "a.npy", "--indices", index, "--constant")
    gives(A[:, :, [-1, -8]], "gather", "a.npy", "--indices", saved("i.npy", [-1, -8]),
          "--axis", "2")
    gives(A[:, []], "gather", "a.npy", "--indices", saved("i.npy", []), "--axis", "1")
    index = np.random.RandomState(1).randint(-5, 5, (6, 3, 8))
    gives(np.take_along_axis(A, index, 1), "gather-elements", "a.npy", "--axis", "1",
          "--indices", saved("i.npy", index))
    gives(A[2, 3], "gather-nd", "a.npy", "--indices", "2,3")
    gives(A[[0, 1, 2, 3, 4, 5], [4, 3, 2, 1, 0, -1]], "gather-nd", "a.npy", "--batch_dims", "1",
          "--indices", saved("i.npy", [[4], [3], [2], [1], [0], [-1]]))


def check_scatters():
    expected, update = A.copy(), -A[:2]
    expected[[4, -6]] = update
    np.save("u.npy", update)
    gives(expected, "scatter-nd", "a.npy", "u.npy", "--indices", saved("i.npy", [[4], [-6]]))
    expected = A.copy()
    np.put_along_axis(expected, np.full((6, 1, 8), 2), -A[:, :1], 1)
    np.save("u.npy", -A[:, :1])
    gives(expected, "scatter-elements", "a.npy", "u.npy", "--axis", "1",
          "--indices", saved("i.npy", np.full((6, 1, 8), 2)))
    np.save("u.npy", -A[:, :2])
    expected = A.copy()
    expected[:, 3:5] = -A[:, :2]
    gives(expected, "tensor-scatter", "a.npy", "u.npy", "--indices", "3")
    expected = A.copy()
    expected[:, 4], expected[:, 0] = -A[:, 0], -A[:, 1]
    gives(expected, "tensor-scatter", "a.npy", "u.npy", "--indices", "9", "--mode", "circular")
    expected = A.copy()
    expected[:, :2] = -A[:, :2]
    gives(expected, "tensor-scatter", "a.npy", "u.npy")


def check_compress():
    keep = [True, False, True, True, False]
    for dtype in (bool, np.int64):
        np.save("c.npy", np.array(keep, dtype))
        for how in ((), ("--constant",)):
            gives(A[:, keep], "compress", "a.npy", "--axis", "1", "--condition", "c.npy", *how)
            gives(A.reshape(-1)[:5][keep], "compress", "a.npy", "--condition", "c.npy", *how)
    np.save("c.npy", np.zeros(6, bool))
    gives(A[:0], "compress", "a.npy", "--axis", "0", "--condition", "c.npy")


def check_refusals():
    refused("index 6 (number 1) is outside dimension 0, -6 to 5", "gather", "a.npy",
            "--indices", saved("i.npy", [0, 6, 7]))
    refused("index -7 (number 0)", "gather", "a.npy", "--indices", saved("i.npy", [-7], np.int32))
    refused("index 5 (number 3) is outside dimension 1", "gather-nd", "a.npy",
            "--indices", saved("i.npy", [[0, 0], [1, 5]]))
    np.save("u.npy", A[:, :2])
    refused("index 4 (number 0) is outside dimension 1, 0 to 3", "tensor-scatter", "a.npy", "u.npy",
            "--indices", "4")
    refused("needs integers", "gather", "a.npy", "--indices", "f.npy")
    refused("6 values for 5 positions", "compress", "a.npy", "--axis", "1",
            "--condition", saved("c.npy", [1] * 6))
    result = ztl("scatter-nd", "a.npy", "u.npy", "--indices", "0", "--constant", "-o", "none.npy")
    assert result.returncode == 2 and "--constant" in result.stderr, result.stderr


def check_million():
    """The same plan for any number of indices, made at once, at the bound for rows of 64 bytes."""
    np.save("t.npy", np.zeros((1000, 64), np.int8))
    plans = []
    for n in (1000, 1000000):
        saved("i.npy", np.arange(n) % 1000)
        figures = json.loads(ztl("gather", "t.npy", "--indices", "i.npy", "--json", "--plan",
                                 "-o", "out.npy").stdout)
        assert figures["ratio"] <= 1.01 and figures["scalar_reads"] == n, figures
        assert figures["scalar_retired"] > figures["retired"], figures
        plans.append(figures["plan"][1:])
    assert plans[0] == plans[1], plans


def check_shapes():
    """Plans from shapes alone are those of data: the same counts for the same shapes."""
    update = A[:2].copy()
    np.save("u.npy", update)
    np.save("k.npy", A[:, :2])
    for operator, files, shapes, option, values, more in (
            ("gather", ["a.npy"], ["6,5,8"], "--indices", [[3, 0], [5, 5]], ()),
            ("gather", ["a.npy"], ["6,5,8"], "--indices", [1, 2, 3], ("--axis", "1")),
            ("gather-elements", ["a.npy"], ["6,5,8"], "--indices", np.zeros((6, 5, 8)), ()),
            ("gather-nd", ["a.npy"], ["6,5,8"], "--indices", [[1, 2], [3, 4]], ()),
            ("scatter-nd", ["a.npy", "u.npy"], ["6,5,8", "2,5,8"], "--indices", [[1], [3]], ()),
            ("scatter-elements", ["a.npy", "u.npy"], ["6,5,8", "2,5,8"], "--indices",
             np.zeros((2, 5, 8)), ()),
            ("tensor-scatter", ["a.npy", "k.npy"], ["6,5,8", "6,2,8"], "--indices", [1] * 6, ()),
            ("tensor-scatter", ["a.npy", "k.npy"], ["6,5,8", "6,2,8"], "--indices", 1, ()),
            ("compress", ["a.npy"], ["6,5,8"], "--condition", [1, 0, 1, 1, 1], ("--axis", "1")),
            ("compress", ["a.npy"], ["6,5,8"], "--condition", [1] * 240, ())):
        is_condition = option == "--condition"
        saved("i.npy", values, bool if is_condition else np.int64)
        from_data = json.loads(ztl(operator, *files, option, "i.npy", *more, "--plan", "--json",
                                   "-o", "out.npy").stdout)
        words = [w for shape in shapes for w in ("--shape-in", shape)]
        extents = ",".join(map(str, np.shape(values)))
        result = ztl(operator, *words, "--type", "int16", "--indices-shape", extents, *more,
                     "--plan", "--json")
        assert result.returncode == 0, (operator, result.stderr)
        alone = json.loads(result.stdout)
        for key in ("plan", "ztl", "csr_writes", "scalar_reads", "lower_bound"):
            assert alone[key] == from_data[key], (operator, key, alone, from_data)
        assert alone["retired"] is None
    figures = json.loads(ztl("gather", "--shape-in", "1000,521", "--type", "int8",
                             "--indices-shape", "1000000", "--json").stdout)
    assert figures["ratio"] < 1.1 and figures["plan_ms"] < 1000, figures
    for words, status, arguments in (
            ("goes with --shape-in", 2, ("gather", "a.npy", "--indices-shape", "5")),
            ("instead of it", 2, ("gather", "--shape-in", "5", "--type", "int8", "--indices", "1",
                                  "--indices-shape", "5")),
            ("no indices", 2, ("flip", "--shape-in", "5", "--type", "int8", "--indices-shape",
                               "5")),
            ("is no shape", 2, ("gather", "--shape-in", "5", "--type", "int8", "--indices-shape",
                                "-5")),
            ("5 values for 4 positions", 1, ("compress", "--shape-in", "4", "--type", "int8",
                                             "--axis", "0", "--indices-shape", "5")),
            ("takes 3 inputs", 1, ("scatter-nd", "--shape-in", "5", "--type", "int8",
                                   "--indices-shape", "5,1"))):
        result = ztl(*arguments, "--plan")
        assert result.returncode == status and words in result.stderr, (arguments, result.stderr)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    np.save("a.npy", A)
    np.save("f.npy", np.zeros(3))
    check_gathers()
    check_scatters()
    check_compress()
    check_refusals()
    check_million()
    check_shapes()
    os.chdir("/")
