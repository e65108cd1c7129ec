# SPDX-License-Identifier: Apache-2.0
"""A function of another library: its arguments, and which operator does what it does."""

import inspect

import numpy

from .. import _suggest
from .._library import BadIndex, BadType, BadValue
from .._operator import Operator, Request, in_words, operators

# What an argument is called elsewhere, and what it may be called here.
_MEANT = {"dim": ("axis", "axes"), "axis": ("axes",), "axes": ("axis", "perm"),
          "dims": ("axes", "axis", "perm", "repeats"), "index": ("indices",), "shifts": ("shift",),
          "reps": ("repeats",), "newshape": ("shape",), "pad_width": ("pads",),
          "constant_values": ("value",), "fill_value": ("value",), "other": ("y",),
          "kernel_size": ("kernel",), "stride": ("strides",), "dilation": ("dilations",),
          "num_classes": ("depth",), "size": ("shape", "sizes"), "diagonal": ("k",), "dim0": ("axis0",),
          "dim1": ("axis1",), "dim2": ("axis2",), "scale_factor": ("scales",),
          "permutation": ("perm",), "source": ("values",), "obj": ("indices",)}
_INPUTS = ("input", "self", "tensor", "x", "array", "arr", "ary", "m", "v", "A", "a")
_LISTS = ("tensors", "seq", "tup", "arrays", "inputs")


def rename(attributes, names, first):
    """Attributes by the names that they have here."""
    if all(name in names for name in attributes):
        return attributes
    result = {}
    for name, value in attributes.items():
        here = name
        if name not in names:
            here = next((one for one in _MEANT.get(name, ()) if one in names), name)
            if here == name and name in (_LISTS if first == "arrays" else _INPUTS):
                here = first
        if here in attributes and here != name or here in result:
            raise BadType(f"{here} is given twice, as {name} too")
        result[here] = value
    return result


def request(name, *arguments, finish=None, **attributes):
    """What an operator is to do."""
    return Request(operators[name], arguments, attributes, finish)


def run(name, *arguments, **attributes):
    """What an operator makes, where a function needs several."""
    return operators[name](*arguments, **attributes)


def axis_of(axis, rank, name="axis"):
    """An axis counted from the first."""
    number = _whole(name, axis)
    if not -rank <= number < rank:
        raise BadIndex(f"{name} {number} is outside {-rank} to {rank - 1}")
    return number % rank


def axes_of(axes, rank, name="axis"):
    """One axis or several, as a list of different ones."""
    found = [axis_of(one, rank, name) for one in (axes if numpy.iterable(axes) else (axes,))]
    if len(set(found)) < len(found):
        raise BadValue(f"{name}: {axes} names an axis twice")
    return found


def _whole(name, value):
    try:
        return value.__index__()
    except AttributeError:
        raise BadType(f"{name} is {value!r}, must be a whole number") from None


class Function(Operator):
    """A function whose body says which operator does it, by `request`; a body that calls several
    returns what they made."""

    def __init__(self, body):
        self.body, self.name = body, body.__name__
        self.__name__ = self.__qualname__ = self.name
        self.__module__ = "ztl.ops"
        self.parameters = inspect.signature(body).parameters
        names = list(self.parameters)
        first = self.parameters[names[0]]
        is_open = first.kind is first.VAR_POSITIONAL
        self._names = [] if is_open else names[:1]
        self.is_list = first.name == "arrays" and not is_open
        self._late = "indices" if names[1:2] == ["indices"] else None
        self._optional, self._nameable, self._calls = set(), list(self._names), {}
        self.attributes, self.traits = {}, ()
        if self._late:
            self._nameable.append(self._late)
        out = inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, default=None)
        parameters = list(self.parameters.values())
        at = len(parameters) - (parameters[-1].kind is out.VAR_KEYWORD)
        self.__signature__ = inspect.Signature(parameters[:at] + [out] + parameters[at:])
        self.__doc__ = f"{self.name}{self.__signature__}\n\n{inspect.getdoc(body)}"

    def __repr__(self):
        return f"<function {self.name} of ztl.ops>"

    def _request(self, arguments, attributes):
        first = next(iter(self.parameters))
        if "axis0" in attributes and "axis2" in self.parameters:  # swapaxes, as PyTorch has it
            attributes = {{"axis0": "axis1", "axis1": "axis2"}.get(name, name): value
                          for name, value in attributes.items()}
        attributes = rename(attributes, self.parameters, first)
        misfit = self._misfit(arguments, attributes)
        if misfit:
            raise BadType(f"{self.name}: {misfit}; {self._head()}")
        return in_words(self.name, lambda: self.body(*arguments, **attributes))

    def _misfit(self, arguments, attributes):
        """Why arguments do not fit; '' where they do."""
        for name in attributes:
            if name not in self.parameters:
                return f"no argument {name}{_suggest.among(name, self.parameters)}"
        try:
            self.__signature__.bind(*arguments, **attributes)
        except TypeError as error:
            return str(error)
        return ""

    def _head(self):
        return f"{self.name}{self.__signature__}"
