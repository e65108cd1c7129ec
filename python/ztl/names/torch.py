# SPDX-License-Identifier: Apache-2.0
"""PyTorch's functions that NumPy has no like of."""

import numpy

from .._attributes import integers
from .._library import BadType, BadValue, whole
from . import moved, picked
from .function import axis_of, request, run


def _pair(value, count=2):
    """A number for each of some axes, or one for all."""
    return tuple(value) if numpy.iterable(value) else (value,) * count


def pixel_shuffle(a, upscale_factor):
    """Channels to blocks of pixels: (*, C r r, H, W) to (*, C, H r, W r)."""
    return request("rearrange", a, "... (c r s) h w -> ... c (h r) (w s)",
                   f"r={upscale_factor},s={upscale_factor}")


def pixel_unshuffle(a, downscale_factor):
    """Blocks of pixels to channels: (*, C, H r, W r) to (*, C r r, H, W)."""
    return request("rearrange", a, "... c (h r) (w s) -> ... (c r s) h w",
                   f"r={downscale_factor},s={downscale_factor}")


def channel_shuffle(a, groups):
    """Channels of all groups in turn."""
    return request("rearrange", a, "b (g c) ... -> b (c g) ...", f"g={groups}")


def unflatten(a, axis, sizes):
    """One axis as several, of which one may be -1."""
    a = numpy.asarray(a)
    axis = axis_of(axis, a.ndim, "dim")
    return request("reshape", a, a.shape[:axis] + tuple(sizes) + a.shape[axis + 1:])


def unfold(a, kernel_size=None, dilation=1, padding=0, stride=1, *, dimension=None, size=None,
           step=None):
    """Patches of an image (N, C, H, W) as columns; with dimension, size and step, as of a tensor's
    unfold, windows along one axis."""
    if dimension is not None:
        return moved.steps(a, dimension, size, step)
    if kernel_size is None:
        raise BadType("kernel_size is needed, or dimension, size and step")
    if numpy.ndim(a) != 4:
        raise BadValue(f"an image (N, C, H, W) is needed, this has rank {numpy.ndim(a)}")
    pads = _pair(padding)
    return request("im2col", a, _pair(kernel_size), pads + pads, None, _pair(stride), _pair(dilation))


def fold(a, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """Columns (N, C kh kw, L) back to an image. Patches that overlap, which PyTorch adds up, are
    refused: Ztl has no instruction that adds tensors."""
    a, kernel, pads = numpy.asarray(a), _pair(kernel_size), _pair(padding)
    if a.ndim not in (2, 3):
        raise BadValue(f"columns (N, C kh kw, L) are needed, these have rank {a.ndim}")
    taps = int(numpy.prod(kernel, dtype=int))
    if not taps or a.shape[-2] % taps:
        raise BadValue(f"{a.shape[-2]} rows are no multiple of the {taps} taps of the kernel")
    batch = a if a.ndim == 3 else a[None]
    shape = (batch.shape[0], a.shape[-2] // taps, *_pair(output_size))
    return request("col2im", batch, kernel, shape, pads + pads, None, None, _pair(stride),
                   _pair(dilation), finish=None if a.ndim == 3 else lambda image: image[0])


def index_select(a, axis, indices):
    """The positions that indices name along an axis."""
    indices = integers("index", indices)
    if indices.ndim > 1:
        raise BadValue(f"index has rank {indices.ndim}, must be a list")
    return request("gather", a, indices.reshape(-1), axis)


def narrow(a, axis, start, length):
    """`length` positions along an axis, from `start` on."""
    axis, n = axis_of(axis, numpy.ndim(a), "dim"), numpy.shape(a)[axis]
    first, count = whole(start), whole(length)
    if first is None or count is None:
        raise BadType("start and length must be whole numbers")
    first += n * (first < 0)
    if not 0 <= first <= n or not 0 <= count <= n - first:
        raise BadValue(f"start {start} and length {length} are not possible in an extent of {n}")
    return request("slice", a, (first,), (first + count,), (axis,))


def select(a, axis, indices=None, default=0):
    """One position along an axis, which the result has no more; with lists of conditions and of
    choices, as NumPy has it, the choice of the first condition that is true."""
    if isinstance(a, (list, tuple)) and isinstance(axis, (list, tuple)):
        return picked.SELECT(a, axis, default if indices is None else indices)
    if indices is None:
        raise BadType("index is needed")
    at = whole(indices)
    if at is None:
        raise BadType(f"index is {indices!r}, must be a whole number")
    a = numpy.asarray(a)
    axis = axis_of(axis, a.ndim, "dim")
    return request("identity", a.take(0, axis) if not a.size else numpy.moveaxis(a, axis, 0)[
        axis_of(at, a.shape[axis], "index")])


def chunk(a, chunks, axis=0):
    """Equal parts along an axis, as many as there are; the last one may be smaller."""
    axis, count = axis_of(axis, numpy.ndim(a), "dim"), whole(chunks)
    if count is None or count < 1:
        raise BadValue(f"chunks is {chunks!r}, must be 1 or more")
    n = numpy.shape(a)[axis]
    each = -(-n // count)
    return request("split", a, axis, [min(each, n - at) for at in range(0, n, each or 1)] or [0])


def scatter(a, axis, indices, values=None, *, value=None, src=None):
    """Each element of `src`, or one value, at its index along an axis of a copy."""
    a, indices = numpy.asarray(a), integers("index", indices)
    given = next((one for one in (values, src, value) if one is not None), None)
    if given is None:
        raise BadType("src or value is needed")
    updates = numpy.asarray(given, a.dtype)
    if updates.ndim == 0:
        updates = numpy.broadcast_to(updates, indices.shape)
    if updates.ndim != indices.ndim or any(m < n for m, n in zip(updates.shape, indices.shape)):
        raise BadValue(f"src of shape {updates.shape} is smaller than index, {indices.shape}")
    updates = updates[tuple(map(slice, indices.shape))]
    return request("scatter_elements", a, indices, updates, axis)


def index_copy(a, axis, indices, values):
    """The positions of `source` at indices along an axis of a copy."""
    a, indices = numpy.asarray(a), integers("index", indices).reshape(-1)
    axis, values = axis_of(axis, a.ndim, "dim"), numpy.asarray(values, a.dtype)
    shape = a.shape[:axis] + indices.shape + a.shape[axis + 1:]
    if values.shape != shape:
        raise BadValue(f"source has the shape {values.shape}, must have {shape}")
    at = indices.reshape([-1 if d == axis else 1 for d in range(a.ndim)])
    return request("scatter_elements", a, numpy.broadcast_to(at, shape), values, axis)


def index_fill(a, axis, indices, value):
    """One value at indices along an axis of a copy."""
    a, indices = numpy.asarray(a), integers("index", indices).reshape(-1)
    axis = axis_of(axis, a.ndim, "dim")
    shape = a.shape[:axis] + indices.shape + a.shape[axis + 1:]
    return index_copy(a, axis, indices, numpy.broadcast_to(numpy.asarray(value, a.dtype), shape))


def interpolate(a, size=None, scale_factor=None, mode="nearest"):
    """Nearest neighbours, to a size or by a factor, along all axes but the first two."""
    if mode not in ("nearest", "nearest-exact"):
        raise BadValue(f"mode is {mode!r}: it computes new numbers; nearest and nearest-exact move some")
    spatial = numpy.ndim(a) - 2
    if spatial < 1 or (size is None) == (scale_factor is None):
        raise BadValue("an array (N, C, ...) and either size or scale_factor are needed")
    how = ("asymmetric", "floor") if mode == "nearest" else ("half_pixel", "round_prefer_ceil")
    axes = tuple(range(2, 2 + spatial))
    scales = None if scale_factor is None else [float(one) for one in _pair(scale_factor, spatial)]
    return request("resize", a, axes, scales, None if size is None else _pair(size, spatial), *how)


def t(a):
    """The transpose of a matrix; arrays of lower rank stay."""
    if numpy.ndim(a) > 2:
        raise BadValue(f"an array of rank 2 or less is needed, this has {numpy.ndim(a)}")
    return request("transpose", a)


def view(a, *shape):
    """Another shape: Tensor.view."""
    return request("reshape", a, shape[0] if len(shape) == 1 and numpy.iterable(shape[0]) else shape)


def repeat_interleave(a, repeats, axis=None):
    """Each position along an axis several times."""
    return moved.repeats(a, repeats, axis)


FUNCTIONS = (pixel_shuffle, pixel_unshuffle, channel_shuffle, unflatten, unfold, fold, index_select,
             narrow, select, chunk, scatter, index_copy, index_fill, interpolate, t, view,
             repeat_interleave)
SAME: dict = {}
