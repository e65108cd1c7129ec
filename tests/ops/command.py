#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""ztl op: operators of ONNX's against numpy, lists, standard input and output, plans of shapes.

usage: command.py ZTL
"""
import io
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

ZTL = os.path.abspath(sys.argv[1])


def ztl(*arguments, given=b""):
    return subprocess.run([ZTL, "op", *arguments], input=given, capture_output=True, check=False)


def array_of(file):
    return np.lib.format.read_array(file)


def bytes_of(a):
    file = io.BytesIO()
    np.save(file, a)
    return file.getvalue()


def gives(expected, *arguments, given=b""):
    """On all engines: what standard output has, and that --check agrees."""
    for engine in "model", "sim", "qemu":
        result = ztl(*arguments, "--engine", engine, "--check", "-o", "-", given=given)
        if engine == "qemu" and b"qemu-riscv64" in result.stderr:
            continue
        assert result.returncode == 0 and not result.stderr, (arguments, result.stderr)
        made = array_of(io.BytesIO(result.stdout))
        assert made.dtype == expected.dtype, (arguments, made.dtype)
        assert np.array_equal(made, expected), (arguments, made)
    figures = json.loads(ztl(*arguments, "--json", given=given).stdout)
    assert figures["retired"] and figures["scalar_retired"], (arguments, figures)


def refused(status, words, *arguments, given=b""):
    result = ztl(*arguments, given=given)
    text = result.stderr.decode()
    assert result.returncode == status and words in text, (arguments, result.returncode, text)
    assert len(text.splitlines()) == 1 and not result.stdout, (arguments, text)
    assert not os.path.exists("none.npy"), arguments


A = np.random.RandomState(5).randint(-99, 99, (6, 5, 8)).astype(np.int16)


def check_operators():
    np.save("a.npy", A)
    np.save("m.npy", A[0])
    gives(A, "identity", "a.npy")
    gives(np.triu(A, 1), "trilu", "a.npy", "--k", "1")
    gives(np.tril(A, -1), "trilu", "a.npy", "--upper", "0", "--k=-1")
    lens = [3, 0, 6, 1, 6]
    reversed_ = A.copy()
    for k, n in enumerate(lens):
        reversed_[:n, k] = A[:n, k][::-1]
    gives(reversed_, "reverse-sequence", "a.npy", "--sequence_lens", "3,0,6,1,6")
    np.save("lens.npy", np.array(lens))
    gives(reversed_, "reverse-sequence", "a.npy", "--sequence_lens", "lens.npy", "--time_axis", "0",
          "--batch_axis", "1")
    gives(np.pad(A[1:5], ((0, 0), (1, 2), (0, 0))), "center-crop-pad", "a.npy", "--shape", "4,8,8")
    gives(np.pad(A, ((0, 0), (0, 0), (0, 1))), "center-crop-pad", "a.npy", "--shape", "9", "--axes",
          "-1")
    gives(np.eye(5, 8, 2, np.int16), "eye-like", "m.npy", "--k", "2")
    gives(np.eye(5, 8, -1, np.float32), "eye-like", "m.npy", "--k=-1", "--dtype", "float32")
    gives(np.eye(6, dtype=np.float32)[[0, 2, 5, 5]], "one-hot", "--indices", "0,2,5,-1", "--depth",
          "6")
    np.save("i.npy", np.array([[1, 2], [0, 7]]))
    hot = np.where(np.arange(3)[None, :, None] == np.array([[1, 2], [0, 7]])[:, None], 5, -1)
    gives(hot.astype(np.int8), "one-hot", "i.npy", "--depth", "3", "--axis", "1", "--values",
          "-1,5", "--dtype", "int8")
    gives(np.full((2, 3), 1.5, np.float16), "constant-of-shape", "--shape", "2,3", "--value", "1.5",
          "--dtype", "float16")
    gives(np.zeros((2, 7), np.float32), "constant-of-shape", "i2.npy")
    gives(A.repeat(2, 0).repeat(3, 2), "upsample", "a.npy", "--scales", "2,1,3")
    gives(A[[0, 0, 1, 2, 2, 3, 4, 4, 5]], "upsample", "a.npy", "--scales", "1.5,1,1")


def check_resize():
    """By hand, from ONNX's formulas: 8 elements to 5, and to 12."""
    row = np.arange(8, dtype=np.uint8)
    np.save("row.npy", row)
    for words, expected in (
            ("--sizes 5", [0, 2, 3, 5, 7]),             # (x + 0.5) * 1.6 - 0.5, rounded
            ("--sizes 5 --nearest_mode floor", [0, 1, 3, 5, 6]),
            ("--sizes 5 --nearest_mode ceil", [1, 2, 4, 6, 7]),
            ("--sizes 5 --coordinate_transformation_mode asymmetric --nearest_mode floor",
             [0, 1, 3, 4, 6]),                          # x * 1.6
            ("--sizes 5 --coordinate_transformation_mode align_corners", [0, 2, 3, 5, 7]),
            ("--sizes 5 --coordinate_transformation_mode align_corners "
             "--nearest_mode round_prefer_ceil", [0, 2, 4, 5, 7]),   # 3.5 is a tie
            ("--sizes 1 --coordinate_transformation_mode half_pixel", [3]),      # 3.5
            ("--sizes 1 --coordinate_transformation_mode pytorch_half_pixel", [0]),
            ("--scales 1.5 --coordinate_transformation_mode asymmetric --nearest_mode floor",
             [0, 0, 1, 2, 2, 3, 4, 4, 5, 6, 6, 7]),
            ("--scales 0.6 --coordinate_transformation_mode half_pixel_symmetric",
             [1, 3, 4, 6]),                             # 4 of 4.8: 0.667 + (x + 0.5) / 0.6 - 0.5
            ("--sizes 4 --coordinate_transformation_mode tf_crop_and_resize --roi 0.5,1.5 "
             "--extrapolation_value 99", [3, 6, 99, 99])):           # 3.5, 5.83, 8.17, 10.5
        gives(np.array([99 if x == 99 else row[x] for x in expected], np.uint8), "resize",
              "row.npy", *words.split())
    gives(A[::2, ::2], "resize", "a.npy", "--axes", "0,1", "--sizes",
          "3,9", "--keep_aspect_ratio_policy", "not_larger", "--nearest_mode", "floor")
    refused(1, "scales or sizes, not both", "resize", "row.npy", "--scales", "2", "--sizes", "4",
            "--stats")
    refused(1, "is not above 0", "resize", "row.npy", "--scales", "0", "--stats")
    refused(1, "is not above 0", "resize", "row.npy", "--scales", "nan", "--stats")
    refused(1, "needs sizes", "resize", "row.npy", "--scales", "2", "--keep_aspect_ratio_policy",
            "not_larger", "--stats")
    refused(1, "roi has 0 values, needs 2", "resize", "row.npy", "--scales", "2",
            "--coordinate_transformation_mode", "tf_crop_and_resize", "--stats")
    refused(2, "none of half_pixel, half_pixel_symmetric", "resize", "row.npy", "--scales", "2",
            "--coordinate_transformation_mode", "half", "--stats")
    refused(2, "no list of numbers", "resize", "row.npy", "--scales", "2,x", "--stats")


def check_patches():
    """Patches that do not overlap come back, in one, three and four axes."""
    for shape, kernel in (((2, 3, 8), [2]), ((1, 2, 4, 6, 9), [2, 3, 3]),
                          ((1, 1, 2, 4, 2, 6), [2, 2, 1, 3])):
        image = np.random.RandomState(1).randint(0, 255, shape).astype(np.uint8)
        blocks = image.reshape(shape[:2] + tuple(x for n, k in zip(shape[2:], kernel)
                                                 for x in (n // k, k)))
        axes = len(kernel)
        order = [0, 1] + [3 + 2 * i for i in range(axes)] + [2 + 2 * i for i in range(axes)]
        columns = blocks.transpose(order).reshape(shape[0], shape[1] * int(np.prod(kernel)), -1)
        np.save("image.npy", image)
        np.save("columns.npy", columns)
        k = ",".join(map(str, kernel))
        gives(columns, "im2col", "image.npy", "--kernel", k, "--strides", k)
        gives(image, "col2im", "columns.npy", "--kernel", k, "--strides", k, "--shape",
              ",".join(map(str, shape)))
    check_overlap()


def check_overlap():
    """Where a pixel is in two patches, the first tap must be asked for."""
    image = np.arange(49, dtype=np.int16).reshape(1, 1, 7, 7)
    np.save("image.npy", image)
    for kernel, strides, pads, apart in (("3,3", "1,1", None, False), ("3,3", "2,2", None, False),
                                         ("1,1", "2,2", None, True), ("3,1", "4,1", None, True),
                                         ("7,7", "1,1", None, True), ("2,2", "1,1", None, False),
                                         ("1,2", "1,1", None, False),
                                         ("8,1", "7,1", "7,0,0,0", True)):
        named = ("--kernel", kernel, "--strides", strides) + (("--pads", pads) if pads else ())
        assert ztl("im2col", "image.npy", *named, "-o", "columns.npy").returncode == 0
        back = ("columns.npy", "--shape", "1,1,7,7", *named)
        if apart:
            assert ztl("col2im", *back, "-o", "out.npy", "--check").returncode == 0
        else:
            refused(1, "patches overlap along image axis", "col2im", *back, "-o", "none.npy")
            refused(1, "ONNX's Col2Im", "col2im", *back, "--mode", "apart", "-o", "none.npy")
        assert ztl("col2im", *back, "--mode", "first", "-o", "out.npy", "--check").returncode == 0
        if not apart and strides == "1,1":
            assert np.array_equal(np.load("out.npy"), image)


def check_refusals():
    o = ("-o", "none.npy")
    refused(1, "rank 3, needs 2", "eye-like", "a.npy", *o)
    refused(1, "is not 0 to 6", "reverse-sequence", "a.npy", "--sequence_lens", "7,0,0,0,0", *o)
    refused(1, "sequence_lens has 2 values, needs 5", "reverse-sequence", "a.npy",
            "--sequence_lens", "1,1", *o)
    refused(1, "are not 0 and 1", "reverse-sequence", "a.npy", "--sequence_lens", "1",
            "--time_axis", "2", *o)
    refused(1, "negative", "center-crop-pad", "a.npy", "--shape", "1,-2,3", *o)
    refused(2, "--depth: 0 is not 1", "one-hot", "--indices", "1", "--depth", "0", *o)
    refused(2, "--depth: this option is needed", "one-hot", "--indices", "1", *o)
    refused(2, "--dtype: dtype 'text' is not numeric", "one-hot", "--indices", "1", "--depth", "2",
            "--dtype", "text", *o)
    refused(2, "--values: '1' is not two numbers", "one-hot", "--indices", "1", "--depth", "2",
            "--values", "1", *o)
    refused(2, "--values: 300 is out of range", "one-hot", "--indices", "1", "--depth", "2",
            "--values", "0,300", "--dtype", "int8", *o)
    refused(2, "a.npy: there are no inputs", "constant-of-shape", "a.npy", "--shape", "1", *o)
    refused(1, "needs integers in one dimension", "constant-of-shape", "a.npy", *o)
    refused(2, "neither 0 nor 1", "trilu", "a.npy", "--upper", "2", *o)
    refused(1, "rank 1, needs 2", "trilu", "row.npy", *o)


def check_standard():
    """- twice reads one array after the other; what follows them is not looked at."""
    gives(A.transpose(2, 0, 1), "transpose", "-", "--perm", "2,0,1", given=bytes_of(A) + b"more")
    gives(np.concatenate([A, A + 1]), "concat", "-", "-", "--axis", "0",
          given=bytes_of(A) + bytes_of(A + 1))
    result = ztl("split", "-", "--axis", "0", "--split", "2,4", "-o", "-", "-o", "rest.npy",
                 given=bytes_of(A))
    assert result.returncode == 0, result.stderr
    assert np.array_equal(array_of(io.BytesIO(result.stdout)), A[:2])
    assert np.array_equal(np.load("rest.npy"), A[2:])
    refused(1, "standard input: not a .npy file", "flip", "-", "-o", "none.npy", given=b"text")
    refused(1, "standard input: the elements are cut off", "flip", "-", "-o", "none.npy",
            given=bytes_of(A)[:-1])
    refused(1, "standard input: not a .npy file", "concat", "-", "-", "--axis", "0", "-o",
            "none.npy", given=bytes_of(A))
    refused(2, "standard output goes there too", "flip", "a.npy", "-o", "-", "--stats")


def check_lists():
    gives(A[:, [1, 2, 4]], "compress", "a.npy", "--condition", "0,1,1,0,1", "--axis", "1")
    gives(A[:, [1, 2, 4]], "compress", "a.npy", "--condition", "01101", "--axis", "1")
    np.save("perm.npy", np.array([2, 0, 1], np.int32))
    gives(A.transpose(2, 0, 1), "transpose", "a.npy", "--perm", "perm.npy")
    for text in "0,1,", "0,1,2", "0,11", ",", "0,,1":
        refused(2, "is none of 0 and 1 in a row", "compress", "a.npy", "--condition", text, "-o",
                "none.npy")
    np.save("square.npy", np.zeros((2, 2), int))
    refused(1, "needs integers in one dimension", "transpose", "a.npy", "--perm", "square.npy",
            "-o", "none.npy")


def check_shapes():
    """The plan of a shape is that of a file with it."""
    image = np.zeros((1, 64, 56, 56), np.int8)
    np.save("image.npy", image)
    named = ("--perm", "0,2,3,1")
    of_file = json.loads(ztl("transpose", "image.npy", *named, "--json", "--plan").stdout)
    alone = json.loads(ztl("transpose", "--shape-in", "1,64,56,56", "--type", "int8", *named,
                           "--json", "--plan").stdout)
    for name in ("ztl", "lower_bound", "csr_writes", "scratch", "plan", "bytes_in", "bytes_out"):
        assert alone[name] == of_file[name], name
    assert alone["retired"] is None
    # 12 nibbles more one by one are not worth unpacking 1516 rows
    rows = json.loads(ztl("pad", "--shape-in", "1515,12", "--type", "int4", "--pads", "1,0,0,1",
                          "--mode", "wrap", "--json").stdout)
    assert rows["ztl"] + rows["scalar_moves"] < 2 * 1516, rows
    huge = json.loads(ztl("transpose", "--shape-in", "65536,65536", "--type", "fp32", "--json").stdout)
    assert huge["bytes_in"] == 2 ** 34 and huge["ratio"] < 1.3
    two = json.loads(ztl("concat", "--shape-in", "4,3", "--shape-in", "4,5", "--type", "bf16",
                         "--axis", "1", "--json").stdout)
    assert two["bytes_out"] == 64
    select = json.loads(ztl("where", "--shape-in", "9", "--shape-in", "9", "--shape-in", "1",
                            "--type", "int4", "--json").stdout)
    assert select["bytes_in"] == 9 + 5 + 1, select
    o = ("-o", "none.npy")
    refused(2, "with --shape-in there is no data", "flip", "--shape-in", "4", "--type", "int8", *o)
    refused(2, "with --shape-in there is no data", "flip", "--shape-in", "4", "--type", "int8",
            "--check")
    # The first fill makes its constant, with two instructions that each way would take.
    assert b"(3 instructions), not slices, runs of one length together (3 too" in ztl(
        "pad", "--shape-in", "3,4", "--type", "int8", "--pads", "0,1,0,1",
        "--for", "instructions", "--plan").stdout
    refused(2, "needs --type", "flip", "--shape-in", "4", "--plan")
    refused(2, "--shape-in: needs --plan, --list, --stats, --json, --timing or --emit", "flip", "--shape-in",
            "4", "--type", "int8")
    refused(2, "more elements than there can be", "flip", "--shape-in", "4294967296,4294967296",
            "--type", "int8", "--plan")
    for dtype, size in (("bool", 1), ("int64", 8), ("float64", 8), ("complex128", 16)):
        wide = json.loads(ztl("flip", "--shape-in", "30,40", "--type", dtype, "--json").stdout)
        assert wide["bytes_in"] == wide["bytes_out"] == 1200 * size, wide
    refused(2, "--type: a dtype is for --shape-in", "flip", "a.npy", "--type", "int64", *o)
    refused(2, "no type of such elements can be added to", "add", "--shape-in", "4", "--type",
            "int64", "--addend", "1", "--plan")
    refused(2, "no such type 'int63'", "flip", "--shape-in", "4", "--type", "int63", "--plan")
    refused(2, "instead of inputs", "flip", "a.npy", "--shape-in", "4", "--type", "int8", "--plan")
    refused(2, "is no shape", "flip", "--shape-in", "4,-1", "--type", "int8", "--plan")
    refused(2, "is no shape", "flip", "--shape-in", "1,1,1,1,1,1,1,1,1", "--type", "int8", "--plan")
    refused(2, "no list of whole numbers", "flip", "--shape-in", "4x4", "--type", "int8", "--plan")


def check_machines():
    """On four, two engines turn tiles of 64 by 64 in four registers; with an engine for each kind
    moves would bind, and tiles of 32 by 32 in pairs take half of them."""
    named = ("transpose", "--shape-in", "512,512", "--type", "int8", "--perm", "1,0")
    for machine, count in (("four", 64 * 12), ("kinds", 256 // 2 * 5), ("four,engines.by=kind", 640)):
        assert json.loads(ztl(*named, "--machine", machine, "--json").stdout)["ztl"] == count, machine
    refused(2, "--machine: 'nosuch' is no preset", *named, "--machine", "nosuch", "--plan")


def check_list():
    """Every instruction and CSR write that --json counts, in words that the assembler takes."""
    named = ("transpose", "--shape-in", "1,64,56,56", "--type", "int8", "--perm", "0,2,3,1",
             "--for", "instructions")
    figures = json.loads(ztl(*named, "--json").stdout)
    lines = ztl(*named, "--list=0").stdout.decode().splitlines()
    assert [int(line[:8]) for line in lines] == list(range(1, len(lines) + 1))
    words = [line[10:] for line in lines]
    assert sum(w.startswith("tl.") for w in words) == figures["ztl"]
    assert sum(w.startswith("csrw ") for w in words) == figures["csr_writes"]
    assert sum(w.startswith("tl.load ") for w in words) == figures["load"]
    for text in ("csrw tl_load_width, 0x20", "csrw tl_load_stride1, 0xc4"):
        assert text in words, text
    loads = [w.split("# ")[1] for w in words if w.startswith("tl.load ")]
    assert loads[:2] == ["input 0 + 0", "input 0 + 3136"], loads[:2]
    permutes = {w.split("# ")[1] for w in words if w.startswith("tl.permute.b ")}
    assert permutes == {"0x20100202"}, permutes # 2, 2, 16, 32
    program = "\n".join(re.sub(r"csrw (\w+), (\w+)", r"li a0, \2\ncsrw \1, a0", w) for w in words)
    with open("list.s", "w", encoding="ascii") as file:
        file.write(program + "\n")
    made = subprocess.run([ZTL, "as", "list.s", "-o", "list.o"], capture_output=True, check=False)
    assert made.returncode == 0, made.stderr[:300]
    some = ztl(*named, "--list").stdout.decode().splitlines()
    assert some[:100] == lines[:100] and some[100:] == ["... of 559; --list=0 prints all"], some[99:]
    pair = ztl("transpose", "--shape-in", "3000,5", "--type", "int8", "--list=0").stdout.decode()
    assert "# scratch + " in pair and "# output 0 + " in pair
    np.save("a.npy", A)
    listed = ztl("flip", "a.npy", "--list", "-o", "o.npy")
    assert listed.returncode == 0 and np.array_equal(np.load("o.npy"), np.flip(A))
    refused(2, "--list", "flip", "a.npy", "--list=x")
    check_cycles_of_a_shape()


def check_cycles_of_a_shape():
    """The cycles of a plan are those of a file of that shape: data do not change them."""
    def report(*words):
        return json.loads(ztl(*words, "--timing", "four", "--json").stdout)
    np.save("m.npy", np.arange(64 * 96).astype(np.int8).reshape(64, 96))
    given = report("transpose", "m.npy")
    shown = report("transpose", "--shape-in", "64,96", "--type", "int8")
    assert shown["timing"] == given["timing"] and shown["retired"] == given["retired"] > 0
    assert shown["floor"] == given["floor"] == 6144 // 64, shown["floor"]
    np.save("i.npy", np.zeros(40, np.int64))
    given = report("gather", "m.npy", "--indices", "i.npy")
    shown = report("gather", "--shape-in", "64,96", "--type", "int8", "--indices-shape", "40")
    assert shown["timing"] == given["timing"]
    text = ztl("transpose", "--shape-in", "64,96", "--type", "int8", "--timing", "four").stdout
    assert b"bound, load port" in text
    swept = subprocess.run([ZTL, "timing", "sweep", "four", "engines.queue=4", "--json", "--", "op",
                            "transpose", "--shape-in", "64,96", "--type", "int8"],
                           capture_output=True, text=True, check=False)
    cycles = json.loads(ztl("transpose", "--shape-in", "64,96", "--type", "int8", "--timing", "four",
                            "--json").stdout)["timing"]["cycles"]
    assert f'"cycles": {cycles}' in swept.stdout, (cycles, swept)
    refused(2, "'small' is no preset", "transpose", "--shape-in", "4,4", "--type", "int8",
            "--timing", "small")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        np.save("i2.npy", np.array([2, 7]))
        check_operators()
        check_resize()
        check_patches()
        check_refusals()
        check_standard()
        check_lists()
        check_shapes()
        check_machines()
        check_list()
        os.chdir("/")


main()
