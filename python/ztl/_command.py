# SPDX-License-Identifier: Apache-2.0
"""The command ztl as a child process, for what only it can do."""

import json
import pathlib
import subprocess
import tempfile

import numpy

from . import _library
from ._library import Error


def call(*arguments, **options) -> str:
    """What the command prints; its complaint is the exception."""
    done = subprocess.run([_library.find_command(), *map(str, arguments)], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    if done.returncode:
        raise Error(done.stderr.decode("utf-8", "replace").strip() or
                    f"ztl {arguments[0]} ends with status {done.returncode}")
    return done.stdout.decode("utf-8", "replace")


class Timeline:
    """What each engine and the hart did when; a notebook shows the picture."""

    def __init__(self, svg: str):
        #: the picture
        self.svg = svg

    def save(self, path) -> None:
        """Writes the picture to a file."""
        pathlib.Path(path).write_text(self.svg)

    def _repr_html_(self):
        return self.svg


def _plain(dtype):
    """A dtype of the same size that the command knows."""
    if dtype.isnative and dtype.kind in "biufc":
        return dtype
    return numpy.dtype({1: "u1", 2: "u2", 4: "u4", 8: "u8", 16: "c16"}.get(dtype.itemsize, dtype))


def _option(folder, row, value, dtype):
    name, kind = row[:2]
    if kind in ("VALUE", "VALUES"):
        return []  # does not change what is executed
    if kind == "DTYPE":
        return ["--dtype", _plain(dtype).name]
    if kind == "BITS":
        value = "".join(str(int(bool(bit))) for bit in numpy.asarray(value).reshape(-1))
    elif kind in ("LIST", "REALS"):
        array = numpy.asarray(value)
        if array.ndim != 1 or array.size > 64:
            path = folder / f"{name}.npy"
            numpy.save(path, array)
            value = path
        else:
            value = ",".join(str(number) for number in array.tolist())
    return ["--" + name, value]


def _arguments(folder, planned, machine):
    operator, dtype = planned.operator, planned.dtype
    paths, options = [], []
    for index, (shape, strides, kind) in enumerate(planned.forms):
        array = numpy.zeros(shape, _plain(kind))
        if array.strides != strides and array.size:
            array = numpy.asfortranarray(array)
            if array.strides != strides:
                raise Error("cycles are counted for inputs that are dense in C or Fortran order")
        path = folder / f"{index}.npy"
        numpy.save(path, array)
        if index == operator._indices:
            options += ["--indices", path]
        else:
            paths.append(path)
    for name, value in planned.attributes.items():
        options += _option(folder, operator.attributes[name], value, dtype)
    if "value" in operator._needs:
        options += ["--value", "0"]
    return ["op", operator.command, *paths, *options, "--timing", machine]


def measure(planned, machine):
    """The JSON of ztl op --timing."""
    with tempfile.TemporaryDirectory() as folder:
        return json.loads(call(*_arguments(pathlib.Path(folder), planned, machine), "--json"))


def draw(planned, machine):
    """The timeline of ztl op --timing."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "timeline.svg"
        call(*_arguments(pathlib.Path(folder), planned, machine), "--timeline", path)
        return Timeline(path.read_text())
