#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Copies ONNX's small models of data movement into a folder, for the fuzzer to start from."""
import pathlib
import shutil
import sys

KINDS = ("transpose", "concat", "reshape", "slice", "split", "pad", "gather", "resize", "tile",
         "expand", "onehot", "where", "squeeze", "constant", "trilu", "eyelike", "scatter", "shape")

for model in pathlib.Path("/usr/share/libonnx-testdata/data/node").glob("test_*/model.onnx"):
    if model.parent.name.split("_")[1] in KINDS and model.stat().st_size < 2000:
        shutil.copyfile(model, pathlib.Path(sys.argv[1]) / model.parent.name)
