# SPDX-License-Identifier: Apache-2.0
"""A mover or a plan for arrays of one form, and how it is run on them with little ado."""

import ctypes
import re

import numpy

from . import _attributes
from ._library import BUFFERS, RANK, BadIndex, BadType, BadValue, Error, Failure, Handle, Tensor
from ._library import movers as _movers, ops as _ops

_byref, _empty, _zeros = ctypes.byref, numpy.empty, numpy.zeros
_move, _execute = _movers.ztl_mover_run, _ops.ztl_ops_plan_run
_pointer_at = ctypes.c_void_p.from_address

# NumPy's array object is, in its binary interface, what every object has and then the address of its
# first element. So the object itself is the list of buffers of a call with one of them; asking the
# array for the address takes longer than all the rest of a small call.
HEAD = object.__basicsize__
_probe = _empty(1)
if _pointer_at(id(_probe) + HEAD).value != _probe.ctypes.data:
    raise Error("this package needs CPython, and NumPy for it")


def form(array):
    """What a call depends on."""
    return array.shape, array.strides, array.dtype


def _describe(tensor, shape, strides, itemsize, bits):
    """Fills in a ztl_ops_tensor; the distance in bytes from its first byte to its first element."""
    if len(shape) > RANK:
        raise BadValue(f"an array has rank {len(shape)}, at most {RANK} is possible")
    low = high = 0
    for extent, stride in zip(shape, strides):
        reach = (extent - 1) * stride
        low, high = low + min(reach, 0), high + max(reach, 0)
    if 0 in shape:
        low = high = 0
    tensor.rank, tensor.bits = len(shape), bits
    tensor.extent[:len(shape)], tensor.stride[:len(shape)] = shape, strides
    tensor.offset, tensor.size = -low, high - low + (0 if 0 in shape else itemsize)
    if bits == 4:
        _describe_half_bytes(tensor, shape, strides)
    return -low


def _describe_half_bytes(tensor, shape, strides):
    """From bytes to the elements of 4 bits in them: twice as many in the last dimension."""
    if not shape:
        raise BadValue("elements of 4 bits lie along the last dimension, this array has none")
    if strides[-1] != 1 and shape[-1] > 1:
        raise BadValue("elements of 4 bits: the bytes of the last dimension must follow one another")
    tensor.extent[len(shape) - 1] *= 2
    for d, stride in enumerate(strides):
        tensor.stride[d] = 2 * stride
    tensor.stride[len(shape) - 1] = 1
    tensor.offset *= 2


def _pad_rows(tensor):
    """The shape in bytes of a dense output of 4-bit elements; each row starts at a byte."""
    rank = tensor.rank
    shape = tuple(tensor.extent[:rank])
    if not rank:
        return ()
    shape = shape[:-1] + ((shape[-1] + 1) // 2,)
    size = 1
    for d in reversed(range(rank)):
        tensor.stride[d] = 1 if d == rank - 1 else 2 * size
        size *= shape[d]
    tensor.size = size
    return shape


def _refused(name, failure):
    """What the library says as an exception: of an axis or index, one that is both of Python's."""
    kind = BadIndex if re.match(r"(axis|index) .* is outside ", str(failure)) else BadValue
    return kind(f"{name}: {failure}")


def _check_outs(outs, shapes, dtype):
    if len(outs) != len(shapes):
        raise BadValue(f"out: there are {len(shapes)} outputs, {len(outs)} arrays are given for them")
    for array, shape in zip(outs, shapes):
        if not isinstance(array, numpy.ndarray):
            raise BadType("out: an output must be an array")
        if array.shape != shape or array.dtype != dtype:
            raise BadValue(f"out: the output must be an array of {dtype} of shape {shape}, this is one "
                           f"of {array.dtype} of shape {array.shape}")


class Call:
    """Made for arrays of one form by `operator`, with the attributes that are `bound`, plain
    ones; a plan where there is a machine to plan for, else a mover."""

    __slots__ = ("operator", "attributes", "elements", "forms", "machine", "pointer", "_handle",
                 "shapes", "dtypes", "_lows", "_out_lows", "_is_direct", "_has_gaps", "_is_list",
                 "_trim", "_spare", "numbers")

    def __init__(self, operator, arrays, bound, outs=None, machine=None):
        self.operator, self.attributes, self.machine = operator, bound, machine
        self.forms = tuple(map(form, arrays))
        self._is_list, self._trim, self._spare = "PARTS" in operator.traits, None, []
        self.numbers = {}  # inputs that were numbers, as arrays
        self.elements = operator._elements(arrays, bound)
        op, keep = _attributes.make(operator, bound, self.elements)
        inputs, outputs = (Tensor * max(len(arrays), 1))(), (Tensor * BUFFERS)()
        self._lows = tuple(self._describe_input(operator, inputs, i, array)
                           for i, array in enumerate(arrays))
        failure = Failure()
        count = _ops.ztl_ops_infer(op, inputs, len(arrays), outputs, BUFFERS, failure)
        if not count:
            raise _refused(operator.name, failure)
        if "CONDITION" in operator.traits and len(arrays) > 1:  # has room for all, and their number
            self._trim = op.axis % arrays[0].ndim if op.has_axis else 0
        self._describe_outputs(outputs, count, None if self._trim is not None else outs)
        if self._trim is not None:
            self.dtypes[1] = numpy.dtype("i8")
        how = (op, inputs, len(arrays), outputs, count)
        if machine is None:
            self.pointer, free = _movers.ztl_mover_new(*how, failure), _movers.ztl_mover_free
        else:
            self.pointer, free = _ops.ztl_ops_plan_new(*how, machine, failure), _ops.ztl_ops_plan_free
        if not self.pointer:
            raise _refused(operator.name, failure)
        self._handle = Handle(self.pointer, free)
        self._is_direct = (machine is None and self._lows == (0,) and self._out_lows == (0,) and
                           not self._has_gaps and not self._is_list)
        del keep  # the lists that op points to, until here

    def _describe_input(self, operator, inputs, i, array):
        is_data = operator._holds_elements(i)
        elements = self.elements if is_data else _attributes.Elements(operator.name, array.dtype, None)
        return _describe(inputs[i], array.shape, array.strides, array.itemsize, elements.bits)

    def _describe_outputs(self, outputs, count, outs):
        elements, self._has_gaps = self.elements, False
        self.shapes = [tuple(outputs[i].extent[:outputs[i].rank]) for i in range(count)]
        self.dtypes = [elements.dtype] * count
        if elements.bits == 4:
            self._has_gaps = any(not shape or shape[-1] % 2 for shape in self.shapes)
            self.shapes = [_pad_rows(outputs[i]) for i in range(count)]
        self._out_lows = (0,) * count
        if outs is not None:
            _check_outs(outs, self.shapes, elements.dtype)
            self._out_lows = tuple(
                _describe(outputs[i], array.shape, array.strides, array.itemsize, elements.bits)
                for i, array in enumerate(outs))
            if self._has_gaps:
                raise BadValue("out= is for rows of an even number of 4-bit elements")

    def run(self, arrays, outs=None):
        """On arrays of the form that it was made for; the result, or the list of them."""
        if self._trim is not None:
            return self._run_trimmed(arrays, outs)
        if outs is None:
            if self._is_direct:
                result = _empty(self.shapes[0], self.dtypes[0])
                if _move(self.pointer, id(arrays[0]) + HEAD, id(result) + HEAD, 1, None):
                    return result
            new = _zeros if self._has_gaps else _empty
            results = [new(shape, dtype) for shape, dtype in zip(self.shapes, self.dtypes)]
        else:
            results = (outs,) if outs.__class__ is numpy.ndarray else outs
            for array in results:
                if not array.flags.writeable:
                    raise BadValue(f"{self.operator.name}: out: the output is read-only")
            if self._is_direct and _move(
                    self.pointer, id(arrays[0]) + HEAD, id(results[0]) + HEAD, 1, None):
                return results[0]
        self._run_with_lists(arrays, results)
        return list(results) if self._is_list else results[0]

    def _run_with_lists(self, arrays, results):
        try:  # lists of buffers are kept; each is one thread's while it is used
            lists = self._spare.pop()
        except IndexError:
            lists = ((ctypes.c_void_p * max(len(arrays), 1))(), (ctypes.c_void_p * len(results))())
        sources, targets = lists
        for i, array in enumerate(arrays):
            sources[i] = _pointer_at(id(array) + HEAD).value - self._lows[i]
        for i, array in enumerate(results):
            targets[i] = _pointer_at(id(array) + HEAD).value - self._out_lows[i]
        done = (_move(self.pointer, sources, targets, 1, None) if self.machine is None
                else _execute(self.pointer, sources, targets, None))
        if not done:
            self._explain(sources, targets)
        self._spare.append(lists)

    def _explain(self, sources, targets):
        """Once more, for the text of what is wrong."""
        failure = Failure()
        done = (_move(self.pointer, sources, targets, 1, _byref(failure)) if self.machine is None
                else _execute(self.pointer, sources, targets, _byref(failure)))
        if not done:
            raise _refused(self.operator.name, failure)

    def _run_trimmed(self, arrays, outs):
        """compress: what is kept are the first positions of an array that has room for all."""
        room, count = _empty(self.shapes[0], self.dtypes[0]), _empty((), self.dtypes[1])
        self._run_with_lists(arrays, (room, count))
        axis, number = self._trim, int(count)
        if outs is None and axis == 0:
            room.resize((number, *room.shape[1:]), refcheck=False)
            return room
        kept = room[:number] if axis == 0 else room[(slice(None),) * axis + (slice(number),)]
        if outs is None:
            return numpy.ascontiguousarray(kept)
        out = outs if outs.__class__ is numpy.ndarray else outs[0]
        if out.shape != kept.shape or out.dtype != kept.dtype:
            _check_outs([out], [kept.shape], kept.dtype)
        if not out.flags.writeable:
            raise BadValue("compress: out: the output is read-only")
        out[...] = kept
        return out
