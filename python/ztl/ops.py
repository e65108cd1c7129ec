# SPDX-License-Identifier: Apache-2.0
"""Operators on whole tensors, on NumPy arrays.

>>> import numpy, ztl
>>> a = numpy.arange(2 * 3 * 4 * 5, dtype='i2').reshape(2, 3, 4, 5)
>>> b = ztl.ops.transpose(a, (0, 2, 3, 1))
>>> b.dtype, b.shape, bool((b == a.transpose(0, 2, 3, 1)).all())
(dtype('int16'), (2, 4, 5, 3), True)

Inputs may be views with any strides: nothing is copied before the operator reads it.

>>> ztl.ops.flip(a[:, ::-2, 1:], axes=(3,)).shape
(2, 2, 3, 5)
>>> [part.shape for part in ztl.ops.split(a, axis=1, split=(1, 2))]
[(2, 1, 4, 5), (2, 2, 4, 5)]

There is a function for each operator of `ztl op`: first the inputs, then the attributes, those that
it needs first, by position or by name. Results are new arrays, dense in C order, of NumPy's dtype.
`out=` gives the array to write to, which must not overlap an input.

How a call moves its bytes is worked out once, and used again for arrays of the same shape, strides and
dtype. It is done by the instructions of this machine; `plan` shows how Ztl does it.

Indices, positions and the condition of `compress` are read when an operator runs if they are an array:
calls with other indices have nothing to work out. A list or tuple of them is a part of the operator,
which may use what it knows of them.

>>> ztl.ops.gather(a, numpy.array([3, 0, 3]), axis=2).shape, ztl.ops.gather(a, [3, 0, 3], axis=2).shape
((2, 3, 3, 5), (2, 3, 3, 5))

Elements of 4 bits lie two in a byte along the last dimension, the first one low: `type='int4'` or
`'fp4'`, with an array of bytes.

>>> packed = numpy.array([[0x10, 0x32], [0x54, 0x76]], 'u1')          # 0 1 2 3, 4 5 6 7
>>> ztl.ops.transpose(packed, type='int4').tolist() == [[0x40], [0x51], [0x62], [0x73]]
True
"""

import typing

import numpy  # noqa: F401  of the examples above

from . import _operator, names
from ._operator import Operator, operators
from ._plans import Plan, plan

__all__ = ["operators", "plan", "Operator", "Plan", *_operator.functions]

globals().update(_operator.functions)
__test__ = {name: function.__doc__ for name, function in _operator.functions.items()}  # for doctest


def __getattr__(name: str) -> Operator:  # only for names that are not there; checkers of types see it
    raise AttributeError(f"module 'ztl.ops' has {names.why_not(name)}")
