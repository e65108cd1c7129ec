# SPDX-License-Identifier: Apache-2.0
"""What Ztl makes of the operators of an ONNX model."""

import json
import os

from . import _command, _library


def report(path, *options: str) -> dict:
    """What `ztl onnx report --json` tells of a model; ztl.Error with what it complains about."""
    name = os.fsdecode(_library.path(path))
    return json.loads(_command.call("onnx", "report", name, "--json", *options))
