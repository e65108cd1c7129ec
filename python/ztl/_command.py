# SPDX-License-Identifier: Apache-2.0
"""The command ztl as a child process, for what only it can do."""

import json
import pathlib
import subprocess
import tempfile
import time

import numpy

from . import _library
from ._library import Error


def call(*arguments, progress=None) -> str:
    """What the command prints; its complaint is the exception. `progress` is called with what it is
    at, and for how long, some times a second, and at the end with an empty step."""
    words = [_library.find_command(), *map(str, arguments)]
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as printed:
        start = time.monotonic()
        with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=printed, stderr=said) as child:
            try:
                while progress and not _ends(child):
                    progress(f"ztl {arguments[0]} {arguments[1]}", time.monotonic() - start)
                status = child.wait()
            except BaseException:
                child.kill()
                raise
        if progress:
            progress("", time.monotonic() - start)
        texts = []
        for file in (printed, said):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
    if status:
        raise Error(texts[1].strip() or f"ztl {arguments[0]} ends with status {status}")
    return texts[0]


def _ends(child):
    """Whether it has ended, after a moment."""
    try:
        child.wait(0.1)
    except subprocess.TimeoutExpired:
        return False
    return True


class Timeline:
    """What each engine and the hart did when; a notebook shows the picture."""

    def __init__(self, svg: str):
        #: the picture
        self.svg = svg

    def save(self, path) -> None:
        """Writes the picture to a file."""
        pathlib.Path(path).write_text(self.svg)

    def __repr__(self):
        return f"<timeline, a picture of {len(self.svg)} bytes; save(path) writes it>"

    def _repr_svg_(self):
        return self.svg

    def _repr_html_(self):
        return f'<div style="overflow-x:auto">{self.svg}</div>'


def _plain(dtype):
    """A dtype of the same size that the command knows."""
    if dtype.isnative and dtype.kind in "biufc":
        return dtype
    return numpy.dtype({1: "u1", 2: "u2", 4: "u4", 8: "u8", 16: "c16"}.get(dtype.itemsize, dtype))


def _option(folder, row, value, elements):
    name, kind = row[:2]
    if kind == "TYPE":
        return []  # said for all
    if kind in ("VALUE", "VALUES"):
        both = value if kind == "VALUES" else [value]
        return ["--" + name, ",".join(_bits(name, one, elements) for one in both)]
    if kind == "DTYPE":
        return ["--dtype", _plain(elements.dtype).name]
    if kind == "BITS":
        value = "".join(str(int(bool(bit))) for bit in numpy.asarray(value).reshape(-1))
    elif kind in ("LIST", "REALS"):
        array = numpy.asarray(value)
        if array.ndim != 1 or array.size > 64:
            path = folder / f"{name}.npy"
            numpy.save(path, array)
            return ["--" + name, path, *(["--constant"] if name == "indices" else [])]
        value = ",".join(str(number) for number in array.tolist())
    return ["--" + name, value]


def _bits(name, value, elements):
    """An element that is written as its bits."""
    return hex(sum(word << 64 * i for i, word in enumerate(elements.words_of(name, value))))


def _input(index, planned, positions):
    """An array of the form that was planned for, as a file will have it."""
    shape, strides, dtype = planned.forms[index]
    if index in positions:
        return positions[index]
    array = numpy.zeros(shape, _plain(dtype))
    if array.strides != strides and array.size:
        array = numpy.asfortranarray(array)
        if array.strides != strides:
            raise Error(f"input {index} has strides {strides}: cycles are counted for inputs that are "
                        "dense in C or Fortran order; plan for a copy, numpy.ascontiguousarray")
    return array


def words_of(folder, planned, positions):
    """The words of ztl op for a plan, whose inputs it writes to the folder."""
    operator, elements = planned.operator, planned.elements
    if planned.machine.scratch_limit:
        raise Error("cycles are not counted for a plan with a scratch_limit")
    paths, options = [], []
    for index in range(len(planned.forms)):
        path = folder / f"{index}.npy"
        numpy.save(path, _input(index, planned, positions))
        if index in positions and "SELECTS" not in operator.traits:
            options += ["--condition" if "CONDITION" in operator.traits else "--indices", path]
        else:
            paths.append(path)
    for name, value in planned.attributes.items():
        options += _option(folder, operator.attributes[name], value, elements)
    if elements.type:
        options += ["--type", elements.type]
    options += ["--effort", ("normal", "quick", "thorough")[planned.machine.effort],
                "--for", ("cycles", "instructions")[planned.machine.aim], "--machine", "four"]
    if planned.machine.no_scratch:
        options.append("--no-scratch")
    return ["op", operator.command, *paths, *options]


def measure(planned, positions, machine):
    """The JSON of ztl op --timing."""
    with tempfile.TemporaryDirectory() as folder:
        return json.loads(call(*words_of(pathlib.Path(folder), planned, positions), "--timing", machine,
                               "--json"))


def draw(planned, positions, machine):
    """The timeline of ztl op --timing."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "timeline.svg"
        call(*words_of(pathlib.Path(folder), planned, positions), "--timing", machine, "--timeline", path)
        return Timeline(path.read_text())
