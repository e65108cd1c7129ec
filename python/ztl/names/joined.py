# SPDX-License-Identifier: Apache-2.0
"""NumPy's functions that join arrays and take them apart."""

import numpy

from .._library import BadType, BadValue, whole
from .function import axis_of, request, run


def _views(arrays, view):
    if not numpy.iterable(arrays) or isinstance(arrays, str):
        raise BadType("a list of arrays is needed")
    return [view(numpy.asarray(array)) for array in arrays]


def concatenate(arrays, axis=0):
    """Joins arrays along an axis; flattened ones where it is None."""
    if axis is None:
        return request("concat", _views(arrays, lambda a: a.reshape(-1)), 0)
    return request("concat", arrays if isinstance(arrays, (list, tuple)) else list(arrays), axis)


def stack(arrays, axis=0):
    """Joins arrays of one shape along a new axis."""
    views = _views(arrays, lambda a: a)
    if not views or len({view.shape for view in views}) > 1:
        raise BadValue(f"arrays of one shape are needed, these have {[view.shape for view in views]}")
    axis = axis_of(axis, views[0].ndim + 1)
    return request("concat", [numpy.expand_dims(view, axis) for view in views], axis)


def vstack(arrays):
    """Joins rows, or arrays along the first axis."""
    return request("concat", _views(arrays, numpy.atleast_2d), 0)


def hstack(arrays):
    """Joins arrays along the second axis; those of rank 1 along the first."""
    views = _views(arrays, numpy.atleast_1d)
    return request("concat", views, int(bool(views) and views[0].ndim > 1))


def dstack(arrays):
    """Joins arrays along the third axis."""
    return request("concat", _views(arrays, numpy.atleast_3d), 2)


def column_stack(arrays):
    """Joins columns."""
    return request("concat", _views(arrays, lambda a: a[:, None] if a.ndim == 1 else numpy.atleast_2d(
        a).T if a.ndim == 0 else a), 1)


def block(arrays):
    """Joins nested lists of arrays: the innermost along the last axis."""
    def depth_of(nested):
        return 1 + max(map(depth_of, nested), default=0) if isinstance(nested, list) else 0

    def leaves(nested):
        return [leaf for one in nested for leaf in leaves(one)] if isinstance(nested, list) else [nested]

    depth = depth_of(arrays)
    rank = max([depth] + [numpy.ndim(leaf) for leaf in leaves(arrays)])

    def join(nested, level):
        if not isinstance(nested, list):
            return numpy.array(nested, copy=False, ndmin=rank)
        return run("concat", [join(one, level + 1) for one in nested],
                                              rank - depth + level)
    if not depth:
        return request("identity", arrays)
    return join(arrays, 0)


def append(a, values, axis=None):
    """Joins values at the end; flattened ones where the axis is None."""
    if axis is None:
        return request("concat", [numpy.reshape(a, -1), numpy.reshape(values, -1)], 0)
    return request("concat", [a, values], axis)


def insert(a, indices, values, axis=None):
    """Puts values before one position along an axis, flattened where it is None."""
    a = numpy.asarray(a)
    if axis is None:
        a, axis = a.reshape(-1), 0
    axis, at = axis_of(axis, a.ndim), whole(indices)
    if at is None:
        raise BadType(f"obj is {indices!r}, must be one position; concatenate joins several parts")
    n = a.shape[axis]
    if not -n <= at <= n:
        raise BadValue(f"obj is {at}, outside {-n} to {n}")
    new = numpy.array(values, a.dtype, copy=False, ndmin=a.ndim)
    if numpy.ndim(values) < a.ndim or numpy.ndim(indices) == 0:
        new = numpy.moveaxis(new, 0, axis)
    new = numpy.broadcast_to(new, a.shape[:axis] + (new.shape[axis],) + a.shape[axis + 1:])
    before, after = numpy.split(a, [at], axis)
    return request("concat", [before, new, after], axis)


def delete(a, indices, axis=None):
    """Leaves out positions along an axis, flattened where it is None."""
    a = numpy.asarray(a)
    if axis is None:
        a, axis = a.reshape(-1), 0
    axis = axis_of(axis, a.ndim)
    return request("gather", a, numpy.delete(numpy.arange(a.shape[axis]), indices).tolist(), axis)


def sections(a, count, axis, equal):
    """NumPy's indices_or_sections as how many positions each part has."""
    n = numpy.shape(a)[axis_of(axis, numpy.ndim(a))]
    number = whole(count)
    if number is None:
        cuts = [0] + [min(max(cut + n * (cut < 0), 0), n) for cut in numpy.asarray(count).tolist()] + [n]
        if any(not isinstance(cut, int) for cut in cuts):
            raise BadType(f"positions to split at must be whole numbers, not {count!r}")
        return [max(end - start, 0) for start, end in zip(cuts, cuts[1:])], cuts
    if number < 1:
        raise BadValue(f"{number} sections are not possible")
    if equal and n % number:
        raise BadValue(f"an extent of {n} is not divided into {number} equal parts")
    each, more = divmod(n, number)
    sizes = [each + (i < more) for i in range(number)]
    return sizes, numpy.cumsum([0] + sizes).tolist()


def split_at(a, count, axis, equal=True):
    """split as NumPy has it."""
    sizes, cuts = sections(a, count, axis, equal)
    if sum(sizes) == numpy.shape(a)[axis] and sorted(cuts) == cuts:
        return request("split", a, axis, sizes)
    return [run("identity", part) for part in numpy.split(a, count, axis)]


def array_split(a, indices_or_sections, axis=0):
    """As split; the first parts are larger by one where an extent is not divided."""
    return split_at(a, indices_or_sections, axis, equal=False)


def vsplit(a, indices_or_sections):
    """split along the first axis."""
    return split_at(a, indices_or_sections, 0)


def hsplit(a, indices_or_sections):
    """split along the second axis; of rank 1 along the first."""
    return split_at(a, indices_or_sections, int(numpy.ndim(a) > 1))


def dsplit(a, indices_or_sections):
    """split along the third axis."""
    return split_at(a, indices_or_sections, 2)


def unstack(a, axis=0):
    """The parts along an axis, which they do not have any more, as a list. torch.unbind is the same."""
    a = numpy.asarray(a)
    axis = axis_of(axis, a.ndim)
    if not a.shape[axis]:
        return []

    def drop(parts):
        return [part.reshape(a.shape[:axis] + a.shape[axis + 1:]) for part in parts]
    return request("split", a, axis, [1] * a.shape[axis], finish=drop)


FUNCTIONS = (concatenate, stack, vstack, hstack, dstack, column_stack, block, append, insert, delete,
             array_split, vsplit, hsplit, dsplit, unstack)
SAME = {"cat": "concatenate", "row_stack": "vstack", "unbind": "unstack", "tensor_split": "array_split"}
