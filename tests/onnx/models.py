# SPDX-License-Identifier: Apache-2.0
"""Models for the tests, written by ONNX's own library, and runs of ztl onnx on them."""

import os
import subprocess
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper  # noqa: F401  (for the tests)


def info(name, array):
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype)
                                         if hasattr(helper, "np_dtype_to_tensor_dtype")
                                         else onnx.mapping.NP_TYPE_TO_TENSOR_TYPE[array.dtype],
                                         array.shape)


def model(nodes, inputs, outputs, constants=None, opset=16, infos=()):
    """inputs: {name: array}; outputs: names; constants: {name: array}."""
    graph = helper.make_graph(
        nodes, "g", [info(name, array) for name, array in inputs.items()],
        [helper.make_empty_tensor_value_info(name) for name in outputs],
        [numpy_helper.from_array(array, name) for name, array in (constants or {}).items()],
        value_info=list(infos))
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    made.ir_version = 8
    return made


class Folder:
    """A directory that goes when the test does, and the command that is tested in it."""

    def __init__(self, ztl):
        self.ztl = ztl
        self.temporary = tempfile.TemporaryDirectory()
        self.path = self.temporary.name

    def name(self, name):
        return os.path.join(self.path, name)

    def write(self, name, made):
        with open(self.name(name), "wb") as file:
            file.write(made if isinstance(made, bytes) else made.SerializeToString())
        return self.name(name)

    def onnx(self, *words, limit=None):
        command = [self.ztl, "onnx", *words]
        if limit:
            command = ["sh", "-c", f'ulimit -v {limit}; exec "$@"', "sh", *command]
        return subprocess.run(command, capture_output=True, text=True, errors="replace",
                              timeout=120)

    def run(self, made, inputs, *words):
        """The outputs of a model, by name; fails when it does."""
        path = self.write("model.onnx", made)
        for name, array in inputs.items():
            np.save(self.name(f"{name}.npy"), array)
        given = [word for name in inputs
                 for word in ("--input", f"{name}={self.name(name)}.npy")]
        out = self.name("out")
        done = self.onnx("run", path, *given, "--output-dir", out, *words)
        if done.returncode:
            raise AssertionError(done.stderr)
        return {name.removesuffix(".npy"): np.load(os.path.join(out, name))
                for name in os.listdir(out)}
