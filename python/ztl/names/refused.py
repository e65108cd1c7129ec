# SPDX-License-Identifier: Apache-2.0
"""Functions of NumPy, PyTorch and einops that do more than move elements, and what helps instead."""

_COMPUTES = "it computes, and Ztl moves elements; numpy.{}, then ztl.ops on its result"
_FINDS = "numpy.{} finds the indices; ztl.ops.{} moves the elements that they name"

REFUSED = {name: _COMPUTES.format(name) for name in (
    "sum", "prod", "mean", "max", "min", "cumsum", "dot", "matmul", "einsum", "tensordot", "kron",
    "clip", "interp", "convolve", "unique", "bincount", "histogram", "cross", "outer")}
REFUSED |= {
    "sort": "numpy.argsort finds the order; ztl.ops.take_along_axis(a, order, axis) brings it about",
    "argsort": _FINDS.format("argsort", "take_along_axis"),
    "argpartition": _FINDS.format("argpartition", "take_along_axis"),
    "argmax": _FINDS.format("argmax", "take_along_axis"),
    "topk": _FINDS.format("argpartition", "take_along_axis"),
    "nonzero": _FINDS.format("nonzero", "gather_nd"),
    "argwhere": _FINDS.format("argwhere", "gather_nd"),
    "searchsorted": _FINDS.format("searchsorted", "take"),
    "trim_zeros": "its shape depends on what is in the array; ztl.ops.slice cuts where it is told",
    "reduce": "einops' reduce computes; ztl.ops.rearrange brings the axes together, numpy.sum or max does "
              "the rest",
    "einsum": "it computes; ztl.ops.rearrange moves the axes as a pattern says",
    "scatter_add": "it adds; ztl.ops.scatter_elements keeps the last of several updates",
    "scatter_reduce": "it computes; ztl.ops.scatter_elements keeps the last of several updates",
    "index_add": "it adds; ztl.ops.index_copy replaces",
    "index_put": "ztl.ops.scatter_nd(a, indices, updates) replaces what indices name",
    "masked_scatter": "ztl.ops.where(mask, x, y) takes elements from arrays of one shape",
    "place": "ztl.ops.where(mask, values, a), or ztl.ops.putmask",
    "copyto": "ztl.ops.identity(src, out=dst)",
    "fill_diagonal": "ztl.ops.where(ztl.ops.eye(n), value, a)",
    "diag": "ztl.ops.diagonal takes one out of a matrix; ztl.ops.where(ztl.ops.eye(n), v, 0) makes one",
    "diag_embed": "ztl.ops.where(ztl.ops.eye(n), v[..., None], 0)",
    "diagflat": "ztl.ops.where(ztl.ops.eye(n), v, 0)",
    "empty": "ztl.ops.zeros(shape, dtype), or numpy.empty",
    "empty_like": "ztl.ops.zeros_like(a), or numpy.empty_like",
    "arange": "numpy.arange; Ztl makes constants only",
    "linspace": "numpy.linspace; Ztl makes constants only",
    "indices": "numpy.indices; ztl.ops.meshgrid spreads coordinates over a grid",
    "nditer": "the index map of an operator is its loop; ztl.ops.plan shows it",
    "vdot": _COMPUTES.format("vdot"),
    "upsample_bilinear": "linear interpolation computes; ztl.ops.interpolate takes the nearest",
    "grid_sample": "it computes; ztl.ops.gather_nd takes elements at whole positions",
    "embedding": "ztl.ops.take(weight, indices, axis=0)",
    "as_strided": "numpy.lib.stride_tricks.as_strided makes the view; ztl.ops.identity copies it",
    "broadcast_tensors": "ztl.ops.broadcast_arrays", "asnumpy": "results are NumPy arrays already",
    "parse_shape": "array.shape; ztl.ops.rearrange takes lengths as p=2",
    "permutation": "numpy.random.permutation finds an order; ztl.ops.take(a, order, axis) brings it about",
    "shuffle": "numpy.random.permutation finds an order; ztl.ops.take(a, order, axis) brings it about",
    "asarray": "functions take what numpy.asarray takes, and DLPack",
    "require": "numpy.require", "lexsort": _FINDS.format("lexsort", "take"),
    "interleave": "ztl.ops.rearrange(ztl.ops.stack([a, b]), 'n ... w -> ... (w n)')",
}
