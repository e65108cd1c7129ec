# SPDX-License-Identifier: Apache-2.0
"""Models in ONNX's format: what Ztl makes of their operators, and running those that move data."""

import json
import os
import pathlib
import tempfile
import typing

import numpy

from . import _command, _exchange, _library, _progress, _show
from ._library import BadType

_FIGURES = ("ztl", "lower_bound", "retired", "scalar_retired", "bytes")


class Report(dict):
    """What `ztl onnx report --json` tells of a model; a notebook shows it as tables."""

    def _repr_html_(self):
        def rows(members, names):
            return [[one.get(name, "") for name in names] for one in members]

        by_kind = ("operator", "nodes", "views", *_FIGURES)
        by_node = ("name", "operator", "shapes", "type", *_FIGURES)
        total = {"operator": "all", **self.get("total", {})}
        return (_show.titled(f"{self.get('model', '')}: operators", _show.table(
            rows([*self.get("operators", []), total], by_kind), by_kind)) +
            _show.titled("nodes", _show.table(rows(self.get("nodes", []), by_node), by_node)))


def report(path, *options: str, progress=None) -> Report:
    """What `ztl onnx report --json` tells of a model; ztl.Error with what it complains about.
    `progress` is True for a line in the terminal or notebook, or a function of (step, seconds)."""
    name = os.fsdecode(_library.path(path))
    return Report(json.loads(_command.call("onnx", "report", name, "--json", *options,
                                           progress=_progress.of(progress))))


def run(path, inputs=None, *options: str, engine: str = "host",
        dims: typing.Optional[typing.Mapping[str, int]] = None,
        progress=None) -> typing.Dict[str, numpy.ndarray]:
    """The outputs of a graph of data-movement operators, by their names, executed with Ztl
    instructions: on this host, or with engine='sim' on the simulated hart. `inputs` are arrays by
    their names, or one array where there is one input; `dims` the extents of symbolic dimensions."""
    name, words = os.fsdecode(_library.path(path)), []
    if inputs is None:
        inputs = {}
    with tempfile.TemporaryDirectory() as folder:
        is_one = not isinstance(inputs, typing.Mapping)
        for index, (key, value) in enumerate(({"": inputs} if is_one else inputs).items()):
            if not isinstance(key, str):
                raise BadType(f"inputs: {key!r} is no name")
            array = _exchange.array_of(value)[0] if _exchange.is_foreign(value) else numpy.asarray(value)
            file = pathlib.Path(folder) / f"{index}.npy"
            numpy.save(file, array, allow_pickle=False)
            words += ["--input", f"{key}={file}" if key else str(file)]
        for key, extent in (dims or {}).items():
            words += ["--dim", f"{key}={extent}"]
        out = pathlib.Path(folder) / "out"
        out.mkdir()
        _command.call("onnx", "run", name, *words, "--engine", engine, "--output-dir", out, *options,
                      progress=_progress.of(progress))
        return {file.stem: numpy.load(file) for file in sorted(out.glob("*.npy"))}
