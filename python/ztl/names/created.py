# SPDX-License-Identifier: Apache-2.0
"""NumPy's functions that make arrays of constants."""

import numpy

from .function import request


def full(shape, value, dtype=None):
    """An array of one value."""
    shape = shape if numpy.iterable(shape) else (shape,)
    return request("constant_of_shape", shape, value,
                   numpy.asarray(value).dtype if dtype is None else dtype)


def zeros(shape, dtype=float):
    """An array of 0."""
    return full(shape, 0, dtype)


def ones(shape, dtype=float):
    """An array of 1."""
    return full(shape, 1, dtype)


def full_like(a, value, dtype=None):
    """An array of one value, in the shape and dtype of another."""
    a = numpy.asarray(a)
    return full(a.shape, numpy.asarray(value).astype(dtype or a.dtype), dtype or a.dtype)


def zeros_like(a, dtype=None):
    """An array of 0, in the shape and dtype of another."""
    return full_like(a, 0, dtype)


def ones_like(a, dtype=None):
    """An array of 1, in the shape and dtype of another."""
    return full_like(a, 1, dtype)


def eye(N, M=None, k=0, dtype=float):
    """1 on a diagonal, 0 elsewhere."""
    return request("eye_like", numpy.broadcast_to(numpy.zeros((), dtype), (N, N if M is None else M)), k)


def tri(N, M=None, k=0, dtype=float):
    """1 on a diagonal and below it, 0 elsewhere."""
    return request("trilu", numpy.broadcast_to(numpy.ones((), dtype), (N, N if M is None else M)), 0, k)


FUNCTIONS = (full, zeros, ones, full_like, zeros_like, ones_like, eye, tri)
