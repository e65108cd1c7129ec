# SPDX-License-Identifier: Apache-2.0
"""What Ztl makes of the operators of an ONNX model."""

import json

from . import _command


def report(path, *options: str) -> dict:
    """What `ztl onnx report --json` tells of a model; ztl.Error with what it complains about."""
    return json.loads(_command.call("onnx", "report", path, "--json", *options))
