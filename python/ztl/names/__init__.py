# SPDX-License-Identifier: Apache-2.0
"""What NumPy, PyTorch and einops call things: their functions beside the operators, their names of
arguments, and for what Ztl does not do the name of what does it."""

from .. import _operator, _suggest
from .._library import BadName
from . import created, forms, joined, moved, picked, torch
from .function import Function
from .refused import REFUSED

_known = _operator.functions

for _module in (moved, joined, picked, created, torch):
    for _body in _module.FUNCTIONS:
        _known.setdefault(_body.__name__, Function(_body))  # an operator goes first
for _alias, _name in {**moved.SAME, **joined.SAME, **picked.SAME, **torch.SAME}.items():
    _known.setdefault(_alias, _known[_name])
for _name, _one in _operator.operators.items():
    _one.adapt = forms.FORMS.get(_name, forms.plain).__get__(_one)


def why_not(name):
    """Why there is no such function, and which one there is."""
    if name in REFUSED:
        return f"no {name}: {REFUSED[name]}"
    return f"no operator {name!r}{_suggest.among(name, _known)}"


def find(name):
    """The function of a name."""
    found = _known.get(name.replace("-", "_"))
    if found is None:
        raise BadName(f"there is {why_not(name)}")
    return found
