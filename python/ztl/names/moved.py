# SPDX-License-Identifier: Apache-2.0
"""NumPy's functions that give the same elements another shape or order."""

import numpy
from numpy.lib.stride_tricks import as_strided, sliding_window_view as windows_of

from .._library import BadType, BadValue, whole
from .function import axes_of, axis_of, request, run


def moveaxis(a, source, destination):
    """Moves axes to other places; the others stay in their order. torch.movedim is the same."""
    rank = numpy.ndim(a)
    start, end = axes_of(source, rank, "source"), axes_of(destination, rank, "destination")
    if len(start) != len(end):
        raise BadValue("source and destination have different lengths")
    perm = [axis for axis in range(rank) if axis not in start]
    for to, axis in sorted(zip(end, start)):
        perm.insert(to, axis)
    return request("transpose", a, perm)


def rollaxis(a, axis, start=0):
    """Rolls an axis back until it lies before `start`."""
    rank = numpy.ndim(a)
    axis = axis_of(axis, rank)
    if not -rank <= start <= rank:
        raise BadValue(f"start is {start}, must be from {-rank} to {rank}")
    start += rank * (start < 0)
    perm = [one for one in range(rank) if one != axis]
    perm.insert(start - (axis < start), axis)
    return request("transpose", a, perm)


def swapaxes(a, axis1, axis2):
    """Exchanges two axes."""
    perm = list(range(numpy.ndim(a)))
    one, two = axis_of(axis1, len(perm), "axis1"), axis_of(axis2, len(perm), "axis2")
    perm[one], perm[two] = perm[two], perm[one]
    return request("transpose", a, perm)


def swapdims(a, axis0, axis1):
    """Exchanges two axes, as PyTorch names them; torch.transpose(a, dim0, dim1) is the same."""
    return swapaxes(a, axis0, axis1)


def permute_dims(a, axes=None):
    """Permutes the axes: the array API's name of transpose."""
    return request("transpose", a, axes)


def matrix_transpose(a):
    """Exchanges the last two axes."""
    if numpy.ndim(a) < 2:
        raise BadValue(f"an array of rank 2 or more is needed, this has {numpy.ndim(a)}")
    return swapaxes(a, -1, -2)


def ravel(a, order="C"):
    """All elements in one dimension, in C or Fortran order."""
    if order not in ("C", "F"):
        raise BadValue(f"order is {order!r}, must be C or F")
    return request("reshape", numpy.asarray(a).T if order == "F" else a, (-1,))


def expand_dims(a, axis):
    """Inserts axes of extent 1."""
    axes_of(axis, numpy.ndim(a) + (len(axis) if numpy.iterable(axis) else 1))
    return request("unsqueeze", a, axis)


def broadcast_to(a, shape):
    """Repeats axes of extent 1, and new ones, to a shape."""
    shape = numpy.broadcast_to(a, shape).shape  # NumPy's rules: nothing keeps its extent by -1
    return request("expand", a, shape)


def broadcast_arrays(*arrays):
    """Each array in the shape that they have together, as a list."""
    shape = numpy.broadcast_shapes(*map(numpy.shape, arrays))
    return [run("expand", a, shape) for a in arrays]


def meshgrid(*arrays, indexing="xy", sparse=False):
    """Coordinates of a grid from those of each axis, as a list."""
    if indexing not in ("xy", "ij"):
        raise BadValue(f"indexing is {indexing!r}, must be xy or ij")
    grids = numpy.meshgrid(*arrays, indexing=indexing, sparse=sparse, copy=False)
    return [run("identity", a) for a in grids]


def flipud(a):
    """Reverses the first axis."""
    return request("flip", a, (axis_of(0, numpy.ndim(a)),))


def fliplr(a):
    """Reverses the second axis."""
    return request("flip", a, (axis_of(1, numpy.ndim(a)),))


def rot90(a, k=1, axes=(0, 1)):
    """Turns by k quarters in the plane of two axes, from the first towards the second."""
    rank, both = numpy.ndim(a), axes
    one, two = axes_of(both, rank, "axes")
    perm = list(range(rank))
    perm[one], perm[two] = two, one
    if k % 4 == 0:
        return request("identity", a)
    if k % 4 == 2:
        return request("flip", a, (one, two))
    return request("transpose", numpy.flip(a, two if k % 4 == 1 else one), perm)


def resize(a, new_shape):
    """The elements again and again until the shape is full: NumPy's."""
    shape = tuple(new_shape) if numpy.iterable(new_shape) else (new_shape,)
    size, flat = int(numpy.prod(shape, dtype=int)), numpy.reshape(a, -1)
    if not flat.size:
        return request("constant_of_shape", shape, 0, flat.dtype)
    return request("pad", flat, (0, size - flat.size), None, "wrap",
                   finish=lambda result: result.reshape(shape))


def repeats(a, repeats, axis=None):
    """Each position along an axis several times."""
    if axis is None:
        a, axis = numpy.reshape(a, -1), 0
    axis, times = axis_of(axis, numpy.ndim(a)), numpy.asarray(repeats)
    if times.dtype.kind not in "iub":
        raise BadType(f"repeats: {repeats!r} are not whole numbers")
    if times.size and times.min() < 0:
        raise BadValue(f"repeats: {repeats!r} may not be negative")
    if times.ndim == 0 or times.size == 1:
        names = [f"d{i}" for i in range(numpy.ndim(a))]
        right = [f"({name} new)" if i == axis else name for i, name in enumerate(names)]
        return request("repeat", a, f"{' '.join(names)} -> {' '.join(right)}",
                       f"new={int(times.reshape(()))}")
    indices = numpy.repeat(numpy.arange(numpy.shape(a)[axis]), times)
    return request("gather", a, indices.tolist(), axis)


def diagonal(a, offset=0, axis1=0, axis2=1):
    """The diagonals of the planes of two axes, along the last one."""
    return request("identity", numpy.diagonal(a, offset, axis1, axis2))


def sliding_window_view(a, window_shape, axis=None):
    """All windows of a shape, along new last axes; here each has its own elements."""
    return request("identity", windows_of(a, window_shape, axis))


def atleast_1d(a):
    """An array of rank 1 at least."""
    return request("reshape", a, numpy.atleast_1d(a).shape)


def atleast_2d(a):
    """An array of rank 2 at least."""
    return request("reshape", a, numpy.atleast_2d(a).shape)


def atleast_3d(a):
    """An array of rank 3 at least."""
    return request("reshape", a, numpy.atleast_3d(a).shape)


def copy(a):
    """A copy."""
    return request("identity", a)


def steps(a, dimension, size, step):
    """Windows of `size` along one dimension, `step` apart, as a new last one: Tensor.unfold."""
    a = numpy.asarray(a)
    axis = axis_of(dimension, a.ndim, "dimension")
    size, step = whole(size), whole(step)
    if size is None or step is None or not 0 <= size <= a.shape[axis] or step < 1:
        raise BadValue(f"size {size} and step {step} are not possible in an extent of {a.shape[axis]}")
    shape, strides = list(a.shape) + [size], list(a.strides) + [a.strides[axis]]
    shape[axis], strides[axis] = (a.shape[axis] - size) // step + 1, a.strides[axis] * step
    return request("identity", as_strided(a, shape, strides))


FUNCTIONS = (moveaxis, rollaxis, swapaxes, swapdims, permute_dims, matrix_transpose, ravel, expand_dims,
             broadcast_to, broadcast_arrays, meshgrid, flipud, fliplr, rot90, diagonal,
             sliding_window_view, atleast_1d, atleast_2d, atleast_3d, copy)
SAME = {"movedim": "moveaxis", "permute": "permute_dims",
        "clone": "copy", "contiguous": "copy", "ascontiguousarray": "copy"}
