# SPDX-License-Identifier: Apache-2.0
"""The ways in which NumPy, PyTorch and einops call functions that are operators here, too. Each is a
method of such an operator: from the arguments that were given to a request."""

import numpy

from .._attributes import as_array, integers
from .._library import BadType, BadValue, whole
from .._operator import Request
from . import joined, moved
from .function import axis_of, rename, request, run


def _first(self):
    return "arrays" if self.is_list else (self._names or ["a"])[0]


def plain(self, arguments, attributes):
    """Only the names of arguments differ."""
    if attributes:
        attributes = rename(attributes, [*self._nameable, *self.attributes], _first(self))
    return Request(self, arguments, attributes)


def _given(self, arguments, attributes, *names):
    """Arguments by these names, which the library's function has; None where they do not fit."""
    if len(arguments) > len(names):
        return None
    found = dict(zip(names, arguments))
    for name, value in attributes.items():
        if name in found or name not in names:
            return None
        found[name] = value
    return found


def transpose(self, arguments, attributes):
    """torch.transpose(input, dim0, dim1), beside numpy.transpose(a, axes)."""
    two = _given(self, arguments, rename(attributes, ("a", "perm", "axis0", "axis1"), "a"),
                 "a", "axis0", "axis1")
    if two and len(two) == 3 and whole(two["axis0"]) is not None and whole(two["axis1"]) is not None:
        return moved.swapdims(**two)
    return plain(self, arguments, attributes)


def reshape(self, arguments, attributes):
    """With NumPy's order."""
    attributes = dict(attributes)
    order = attributes.pop("order", "C")
    if order not in ("C", "F"):
        raise BadValue(f"order is {order!r}, must be C or F")
    asked = plain(self, arguments, attributes)
    if order == "C":
        return asked
    _, bound = self._bind(asked.arguments, asked.attributes)
    given = numpy.asarray(asked.arguments[0] if asked.arguments else asked.attributes["a"])
    shape = integers("shape", bound["shape"]).reshape(-1)[::-1].tolist()
    return request("reshape", given.T, shape, finish=lambda result: result.T)


def flatten(self, arguments, attributes):
    """torch.flatten(input, start_dim, end_dim), by these names."""
    if "start_dim" not in attributes and "end_dim" not in attributes:
        return plain(self, arguments, attributes)
    attributes = dict(attributes)
    start, end = attributes.pop("start_dim", 0), attributes.pop("end_dim", -1)
    a = numpy.asarray(arguments[0] if arguments else attributes.pop("input", None))
    start, end = axis_of(start, a.ndim, "start_dim"), axis_of(end, a.ndim, "end_dim")
    if attributes or start > end:
        raise BadValue(f"start_dim {start} and end_dim {end} are no dimensions to join")
    return request("reshape", a, (*a.shape[:start], -1, *a.shape[end + 1:]))


def concat(self, arguments, attributes):
    """An axis of 0 where none is given; None is of flattened arrays, as in NumPy."""
    asked = plain(self, arguments, attributes)
    if len(asked.arguments) < 2 and "axis" not in asked.attributes:
        asked.attributes = asked.attributes | {"axis": 0}
    elif asked.attributes.get("axis", 0) is None:
        return joined.concatenate(asked.arguments[0], None)
    return asked


def split(self, arguments, attributes):
    """numpy.split(ary, indices_or_sections, axis); torch.split(tensor, sizes, dim=...)."""
    attributes = dict(attributes)
    parts = attributes.pop("indices_or_sections", None)
    sizes = attributes.pop("split_size_or_sections", attributes.pop("split_size", None))
    is_torch = sizes is not None or "dim" in attributes
    asked = rename(attributes, [*self._nameable, *self.attributes], "a")
    known = "split" in asked or "num_outputs" in asked or "type" in asked
    if parts is None and sizes is None and len(arguments) > 1 and not known and (
            "axis" in asked or len(arguments) == 2 or (len(arguments) == 3 and (
                numpy.ndim(arguments[1]) or whole(arguments[2]) is not None))):
        value, rest = arguments[1], arguments[2:]
        parts, sizes = (None, value) if is_torch else (value, None)
        arguments = arguments[:1]
        if rest:
            asked["axis"] = rest[0]
    if parts is None and sizes is None:
        return Request(self, arguments, asked)
    a = numpy.asarray(arguments[0] if arguments else asked["a"])
    axis = axis_of(asked.get("axis", 0), a.ndim)
    if parts is not None:
        return joined.split_at(a, parts, axis)
    return request("split", a, axis, _of_size(a.shape[axis], sizes))


def _of_size(n, sizes):
    each = whole(sizes)
    if each is None:
        return sizes
    if each < 1:
        raise BadValue(f"parts of {each} positions are not possible")
    return [min(each, n - at) for at in range(0, n, each)] or [0]


_MODES = {"replicate": "edge", "circular": "wrap"}
_COMPUTED = ("linear_ramp", "maximum", "mean", "median", "minimum")


def pad(self, arguments, attributes):
    """numpy.pad(array, pad_width, mode, constant_values=...), and PyTorch's by the name of `pad`."""
    attributes = dict(attributes)
    if len(arguments) > 2 and (isinstance(arguments[2], str) or callable(arguments[2])):
        arguments = (*arguments[:2], None, *arguments[2:])  # NumPy's mode is where our axes are
    for name in ("stat_length", "end_values"):
        if attributes.pop(name, None) is not None:
            raise BadValue(f"{name} is for modes that compute; constant, edge, reflect, symmetric and "
                           "wrap move elements")
    if attributes.pop("reflect_type", "even") != "even":
        raise BadValue("reflect_type odd computes; even moves elements")
    turned = attributes.pop("pad", None)
    attributes = rename(attributes, [*self._nameable, *self.attributes], "a")
    bound = dict(zip((*self._names, *self.attributes), arguments)) | attributes
    mode = bound.get("mode")
    if callable(mode) or mode in _COMPUTED:
        raise BadValue(f"mode {getattr(mode, '__name__', mode)} computes; constant, edge, reflect, "
                       "symmetric and wrap move elements")
    if mode == "empty":
        bound["mode"] = "constant"
    bound["mode"] = _MODES.get(bound.get("mode"), bound.get("mode"))
    if turned is not None:
        bound |= _turn(bound, turned)
    if numpy.ndim(bound.get("value")) and "a" in bound and "pads" in bound:
        return _several_values(bound)
    return Request(self, (), bound)


def _turn(bound, pads):
    """PyTorch's list: before and after of the last axis first."""
    pads = integers("pad", pads).reshape(-1).tolist()
    if len(pads) % 2 or len(pads) // 2 > numpy.ndim(bound.get("a")):
        raise BadValue(f"pad: {pads} are not two numbers for each of the last axes")
    count = len(pads) // 2
    return {"axes": tuple(range(-1, -1 - count, -1)), "pads": pads[::2] + pads[1::2]} if count else {
        "axes": None, "pads": 0}


def _several_values(bound):
    """constant_values that differ: one axis after the other, as NumPy does it."""
    a = numpy.asarray(bound["a"])
    try:
        values = numpy.broadcast_to(numpy.asarray(bound["value"]), (a.ndim, 2))
        widths = numpy.broadcast_to(integers("pads", bound["pads"]), (a.ndim, 2))
    except ValueError:
        raise BadValue(f"constant_values: {bound['value']!r} are not two for each of {a.ndim} axes") from None
    if bound.get("axes") is not None or bound.get("mode") not in (None, "constant"):
        raise BadValue("several constant_values are for mode constant and all axes")
    if (values == values.flat[0]).all():
        return request("pad", a, widths.tolist(), None, "constant", values.flat[0].item(),
                       bound.get("type"))
    kind = {"type": bound.get("type")}
    for axis, after in numpy.ndindex(a.ndim, 2):
        if widths[axis, after]:
            pads = [0, widths[axis, 1]] if after else [widths[axis, 0], 0]
            a = run("pad", a, pads, (axis,), "constant", values[axis, after], **kind)
    return run("identity", a, **kind) if a is bound["a"] else a


def gather(self, arguments, attributes):
    """torch.gather(input, dim, index), which is gather_elements; else ours."""
    names = {"input": "a", "dim": "axis", "index": "indices"}
    given = _given(self, arguments, {names.get(n, n): v for n, v in attributes.items()},
                   "a", "axis", "indices")
    is_torch = "dim" in attributes or "index" in attributes or (
        len(arguments) == 3 and whole(arguments[1]) is not None and numpy.ndim(arguments[2]) > 0)
    if not is_torch or not given or len(given) < 3:
        return plain(self, arguments, attributes)
    a, indices = numpy.asarray(given["a"]), integers("index", given["indices"])
    axis = axis_of(given["axis"], a.ndim, "dim")
    if indices.ndim != a.ndim or any(m > n for d, (m, n) in enumerate(zip(indices.shape, a.shape))
                                     if d != axis):
        raise BadValue(f"index of shape {indices.shape} does not fit an input of shape {a.shape}")
    part = a[tuple(slice(None if d == axis else n) for d, n in enumerate(indices.shape))]
    return request("gather_elements", part, indices, axis)


def compress(self, arguments, attributes):
    """numpy.compress(condition, a, axis): known by which of the two is a condition."""
    if len(arguments) > 1 and all(isinstance(one, (numpy.ndarray, list, tuple)) for one in arguments[:2]):
        first, second = numpy.asarray(arguments[0]), as_array("condition", arguments[1])
        turned = second.ndim > 1 if first.ndim == 1 != second.ndim else (
            first.dtype == bool != second.dtype and first.ndim == second.ndim == 1)
        if turned:
            arguments = (arguments[1], numpy.asarray(arguments[0]) != 0, *arguments[2:])
    elif "condition" in attributes and numpy.iterable(attributes["condition"]):
        attributes = attributes | {"condition": numpy.asarray(attributes["condition"])}
    return plain(self, arguments, attributes)


def tile(self, arguments, attributes):
    """One number, and lists that are shorter or longer than the rank."""
    asked = plain(self, arguments, attributes)
    bound = {name: value for name, value in asked.attributes.items() if name in ("a", "repeats")}
    bound |= dict(zip(("a", "repeats"), asked.arguments))
    if "a" not in bound or "repeats" not in bound or len(asked.arguments) > 2:
        return asked
    repeats, a = integers("repeats", bound["repeats"]), bound["a"]
    if repeats.ndim > 1 or repeats.size == numpy.ndim(a):
        return asked
    repeats, rank = repeats.reshape(-1).tolist(), numpy.ndim(a)
    if len(repeats) > rank:
        a = numpy.reshape(a, (1,) * (len(repeats) - rank) + numpy.shape(a))
    repeats = [1] * (rank - len(repeats)) + repeats
    others = {name: value for name, value in asked.attributes.items() if name not in bound}
    return Request(self, (a, repeats), others)


def flip(self, arguments, attributes):
    """An axis, several, or None for all, by any of the names."""
    asked = plain(self, arguments, attributes)
    if asked.attributes.get("axes", ()) is None:
        asked.attributes = {n: v for n, v in asked.attributes.items() if n != "axes"}
    return asked


def roll(self, arguments, attributes):
    """One shift for several axes, and several for one, as in NumPy."""
    asked = plain(self, arguments, attributes)
    bound = dict(zip(("a", "shift", "axes"), asked.arguments)) | asked.attributes
    shift, axes = bound.get("shift"), bound.get("axes")
    if shift is None or axes is None:
        return asked
    shift, axes = integers("shift", shift), integers("axes", axes)
    if shift.ndim + axes.ndim != 1 or not (shift.size and axes.size):
        return asked
    shift, axes = numpy.broadcast_arrays(shift, axes)
    return Request(self, (bound.pop("a"),) if "a" in bound else (),
                   bound | {"shift": shift.tolist(), "axes": axes.tolist()})


def where(self, arguments, attributes):
    """Not NumPy's with a condition alone."""
    if len(arguments) + len(attributes) == 1:
        raise BadType("where needs condition, x and y; numpy.nonzero finds where a condition is true, "
                      "ztl.ops.gather_nd takes the elements there")
    return plain(self, arguments, rename(attributes, ("condition", "x", "y", "type"), "x"))


def identity(self, arguments, attributes):
    """numpy.identity(n) is another function."""
    if len(arguments) == 1 and isinstance(arguments[0], int) and not isinstance(arguments[0], bool):
        raise BadType("identity copies an array; ztl.ops.eye(n) makes NumPy's identity matrix")
    return plain(self, arguments, attributes)


def resize(self, arguments, attributes):
    """numpy.resize(a, new_shape)."""
    shape = attributes.get("new_shape")
    if shape is None and len(arguments) == 2 and not attributes:
        shape = arguments[1]
    if shape is None:
        return plain(self, arguments, attributes)
    return moved.resize(arguments[0] if arguments else attributes["a"], shape)


def one_hot(self, arguments, attributes):
    """torch.nn.functional.one_hot(tensor, num_classes=-1)."""
    if "tensor" in attributes:
        attributes = {"indices" if n == "tensor" else n: v for n, v in attributes.items()}
    asked = plain(self, arguments, attributes)
    bound = dict(zip(("indices", "depth"), asked.arguments)) | asked.attributes
    if "indices" in bound and bound.get("depth", -1) in (-1, None):
        asked.arguments, asked.attributes = (), bound | {
            "depth": int(integers("indices", bound["indices"]).max(initial=-1)) + 1}
    return asked


def expand(self, arguments, attributes):
    """Tensor.expand(*sizes), beside a list."""
    if len(arguments) > 2 and all(whole(one) is not None for one in arguments[1:]):
        arguments = (arguments[0], tuple(arguments[1:]))
    return plain(self, arguments, attributes)


def rearrange(self, arguments, attributes):
    """einops' lengths as arguments, and a list of arrays, which a first axis counts."""
    lengths, others = [], {}
    for name, value in attributes.items():
        here = "a" if name == "tensor" else name
        if here in ("pattern", "lengths", "type") and isinstance(value, (str, type(None))) or (
                name == "tensor" or (here == "a" and not arguments)):
            others[here] = value
        elif whole(value) is None or not name.isidentifier() or value < 0:
            raise BadType(f"{name} is {value!r}, must be the length of an axis")
        else:
            lengths.append(f"{name}={whole(value)}")
    if lengths:
        if others.get("lengths"):
            lengths.append(others["lengths"])
        others["lengths"] = ",".join(lengths)
    if arguments and isinstance(arguments[0], (list, tuple)) and len(arguments[0]) and all(
            isinstance(one, numpy.ndarray) for one in arguments[0]):
        stacked = joined.stack(arguments[0])
        arguments = (stacked.operator(*stacked.arguments), *arguments[1:])
    return Request(self, arguments, others)


def repeat(self, arguments, attributes):
    """numpy.repeat(a, repeats, axis), beside einops' repeat(a, pattern)."""
    second = arguments[1] if len(arguments) > 1 else attributes.get("pattern", attributes.get("repeats"))
    if isinstance(second, str):
        return rearrange(self, arguments, attributes)
    names = {"dim": "axis", "input": "a"}
    given = _given(self, arguments, {names.get(n, n): v for n, v in attributes.items()},
                   "a", "repeats", "axis")
    if not given or not {"a", "repeats"} <= given.keys():
        raise BadType("repeat needs a and repeats, as numpy.repeat, or a and a pattern, as einops.repeat")
    return moved.repeats(**given)


def pack(self, arguments, attributes):
    """Not einops' pack, which joins a list of arrays."""
    if arguments and isinstance(arguments[0], (list, tuple)) and any(
            isinstance(one, numpy.ndarray) for one in arguments[0]):
        raise BadType("pack makes blocks of one array; for einops' pack, ztl.ops.rearrange of each array, "
                      "then ztl.ops.concatenate")
    return plain(self, arguments, attributes)


def unpack(self, arguments, attributes):
    """Not einops' unpack, which has a list of shapes."""
    if len(arguments) > 1 and not isinstance(arguments[1], str):
        raise BadType("unpack undoes the blocks of pack; for einops' unpack, ztl.ops.split, then "
                      "ztl.ops.rearrange of each part")
    return plain(self, arguments, attributes)


FORMS = {body.__name__: body for body in (
    transpose, reshape, flatten, concat, split, pad, gather, compress, tile, flip, roll, where, identity,
    resize, one_hot, expand, rearrange, repeat, pack,
    unpack)}
