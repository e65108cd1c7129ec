# SPDX-License-Identifier: Apache-2.0
"""NumPy's functions that pick elements by indices or conditions, and those that replace some."""

import numpy

from .._attributes import integers
from .._library import BadIndex, BadType, BadValue
from .function import axis_of, request, run

_MODES = ("raise", "wrap", "clip")


def _within(indices, n, mode):
    """Indices as the mode takes those that are outside."""
    if mode not in _MODES:
        raise BadValue(f"mode is {mode!r}, must be one of {', '.join(_MODES)}")
    if mode == "raise":
        return indices
    indices = integers("indices", indices)
    return indices % n if mode == "wrap" else numpy.clip(indices, 0, n - 1)


def take(a, indices, axis=None, mode="raise"):
    """The positions that indices name along an axis, or of all elements where it is None."""
    if axis is None:
        a, axis = numpy.reshape(a, -1), 0
    axis = axis_of(axis, numpy.ndim(a))
    if mode != "raise" or not isinstance(indices, numpy.ndarray):
        indices = integers("indices", _within(indices, numpy.shape(a)[axis], mode))
    return request("gather", a, indices, axis)


def _along(a, indices, axis):
    """Array, indices and axis as those of gather_elements; other axes are broadcast as in NumPy."""
    if axis is None:
        a, axis = numpy.reshape(a, -1), 0
    a, indices = numpy.asarray(a), integers("indices", indices)
    axis = axis_of(axis, a.ndim)
    if indices.ndim != a.ndim:
        raise BadValue(f"indices have rank {indices.ndim}, the array has {a.ndim}")
    others = [n if d != axis else 1 for d, n in enumerate(a.shape)]
    shape = list(numpy.broadcast_shapes(
        others, [n if d != axis else 1 for d, n in enumerate(indices.shape)]))
    shape[axis] = a.shape[axis]
    wide = shape[:axis] + [indices.shape[axis]] + shape[axis + 1:]
    return numpy.broadcast_to(a, shape), numpy.broadcast_to(indices, wide), axis


def take_along_axis(a, indices, axis=-1):
    """For each place the element that its index names along an axis, as of numpy.argsort."""
    a, indices, axis = _along(a, indices, axis)
    return request("gather_elements", a, indices, axis)


def put_along_axis(a, indices, values, axis):
    """Writes values to the array itself, at indices along an axis; returns None, as in NumPy."""
    if not isinstance(a, numpy.ndarray):
        raise BadType("an array is needed: values are written to it")
    wide, indices, along = _along(a, indices, axis)
    to = a.reshape(-1) if axis is None else a
    if wide.shape != to.shape:
        raise BadValue(f"indices of shape {indices.shape} are for a larger array than {to.shape}")
    if not numpy.shares_memory(to, a):
        raise BadValue("axis None needs a dense array")
    values = numpy.broadcast_to(numpy.asarray(values, a.dtype), indices.shape)
    run("scatter_elements", to, indices, values, along, out=to)


def put(a, indices, values, mode="raise"):
    """Writes values to the array itself, at indices into all its elements; returns None."""
    indices = _within(integers("indices", indices).reshape(-1), numpy.size(a), mode)
    values = numpy.reshape(values, -1)
    if not values.size or not indices.size:
        return
    put_along_axis(a, indices, numpy.resize(values, indices.size), None)


def extract(condition, a):
    """The elements at which a condition is not 0."""
    return request("compress", numpy.reshape(a, -1), numpy.asarray(condition).reshape(-1) != 0)


def choose(a, choices, mode="raise"):
    """For each element the array that it names, of a list."""
    choices = [numpy.asarray(one) for one in choices]
    at = numpy.asarray(_within(integers("indices", a), len(choices), mode))
    if at.size and (at.min() < 0 or at.max() >= len(choices)):
        raise BadIndex(f"there are {len(choices)} choices, indices go to {at.max()}")
    shape = numpy.broadcast_shapes(at.shape, *(one.shape for one in choices))
    arrays = [numpy.broadcast_to(one, shape)[None] for one in choices]
    found = run("gather_elements", run("concat", arrays, 0), numpy.broadcast_to(at, shape)[None], 0)
    return found.reshape(shape)


def select(conditions, choices, default=0):
    """Of each place the choice of the first condition that is true there, else the default."""
    if len(conditions) != len(choices) or not len(choices):
        raise BadValue(f"{len(conditions)} conditions and {len(choices)} choices do not go together")
    dtype = numpy.result_type(*choices, default)
    result = numpy.asarray(default, dtype)
    for condition, choice in reversed(list(zip(conditions, choices))):
        result = run("where", condition, numpy.asarray(choice, dtype), result)
    return result


def putmask(a, mask, values):
    """Writes values to the array itself where a mask is not 0; returns None."""
    if not isinstance(a, numpy.ndarray):
        raise BadType("an array is needed: values are written to it")
    values = numpy.asarray(values, a.dtype)
    if values.shape != a.shape:
        values = numpy.resize(values, a.shape)
    a[...] = run("where", numpy.broadcast_to(mask, a.shape), values, a)


def triu(a, k=0):
    """What is above a diagonal; the rest is 0."""
    return request("trilu", a, 1, k)


def tril(a, k=0):
    """What is below a diagonal; the rest is 0."""
    return request("trilu", a, 0, k)


def masked_select(a, mask):
    """PyTorch's: the elements at which a mask is not 0."""
    a, mask = numpy.broadcast_arrays(a, mask)
    return extract(mask, a)


def masked_fill(a, mask, value):
    """PyTorch's: a value where a mask is not 0."""
    a = numpy.asarray(a)
    return request("where", mask, numpy.asarray(value).astype(a.dtype), a)


FUNCTIONS = (take, take_along_axis, put_along_axis, put, extract, choose, putmask, triu, tril,
             masked_select, masked_fill)
SAME = {"take_along_dim": "take_along_axis"}
SELECT = select
