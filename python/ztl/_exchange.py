# SPDX-License-Identifier: Apache-2.0
"""Arrays of other packages: by DLPack, which PyTorch, JAX and CuPy speak, or NumPy's array interface.
Their memory is used as it is. NumPy's own DLPack reads neither bfloat16 nor 8-bit floats, and what it
reads cannot be written to."""

import ctypes

import numpy

from ._library import BadType

_CPU = (1, 3)  # and memory of the host that a GPU sees
_KINDS = {0: "i", 1: "u", 2: "f", 5: "c", 6: "b"}
# Floats that NumPy has no dtype of: the type of their raw bits here.
_TYPES = {(4, 16): "bf16", (7, 8): "e3m4", (10, 8): "e4m3", (12, 8): "e5m2"}


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64)]


class _Managed(ctypes.Structure):
    pass


_Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Managed))
_Managed._fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _Deleter)]
_python = ctypes.PyDLL(None)
_python.PyCapsule_GetPointer.restype = ctypes.c_void_p
_python.PyCapsule_GetPointer.argtypes = ctypes.py_object, ctypes.c_char_p
_python.PyCapsule_SetName.argtypes = ctypes.py_object, ctypes.c_char_p
_USED = b"used_dltensor"  # the capsule keeps a pointer to the name


class _Holder:
    """What an array lies in, until nothing refers to it."""

    def __init__(self, pointer, interface):
        self._pointer, self.__array_interface__ = pointer, interface

    def __del__(self):
        if self._pointer and self._pointer.contents.deleter:
            self._pointer.contents.deleter(self._pointer)


def _take(capsule):
    """The array of a capsule, and the name of its type if NumPy has none of it."""
    address = _python.PyCapsule_GetPointer(capsule, b"dltensor")
    pointer = ctypes.cast(address, ctypes.POINTER(_Managed))
    tensor = pointer.contents.tensor
    kind, type_name = _KINDS.get(tensor.code), _TYPES.get((tensor.code, tensor.bits))
    if tensor.device not in _CPU:
        raise BadType(f"the tensor is on device {tensor.device}:{tensor.device_id}; copy it to the CPU")
    if tensor.lanes != 1 or tensor.bits % 8 or not (kind or type_name):
        raise BadType(f"there is no dtype for DLPack's type {tensor.code} of {tensor.bits} bits")
    itemsize, shape = tensor.bits // 8, tuple(tensor.shape[:tensor.ndim])
    strides = tuple(n * itemsize for n in tensor.strides[:tensor.ndim]) if tensor.strides else None
    _python.PyCapsule_SetName(capsule, _USED)
    return numpy.asarray(_Holder(pointer, {
        "version": 3, "typestr": f"{'|' if itemsize == 1 else '<'}{kind or 'u'}{itemsize}",
        "data": ((tensor.data or 0) + tensor.offset, False), "shape": shape, "strides": strides})), type_name


def is_foreign(value):
    """Whether it is an array of another package that has DLPack."""
    return not isinstance(value, numpy.ndarray) and hasattr(value, "__dlpack__") and not isinstance(
        value, (numpy.generic, type))


def has_interface(value):
    """Whether it is an array by NumPy's interface; NumPy's numbers have that, too."""
    return hasattr(value, "__array_interface__") and not isinstance(value, numpy.generic)


def array_of(value):
    """The array that such a value is, and the name of its type if NumPy has none of it."""
    try:
        return _take(value.__dlpack__())
    except (RuntimeError, BufferError, ValueError, TypeError) as error:
        if isinstance(error, BadType):
            raise
        raise BadType(f"{type(value).__name__}: {error}") from None


def import_all(arguments, attributes):
    """Arguments with arrays of NumPy for those of other packages; None where there are none."""
    types, changed = set(), []

    def convert(value):
        if isinstance(value, (list, tuple)) and any(is_foreign(one) for one in value):
            return type(value)(map(convert, value))
        if not is_foreign(value):
            return value
        array, name = array_of(value)
        types.add(name)
        changed.append(value)
        return array

    given = tuple(map(convert, arguments))
    named = {name: convert(value) for name, value in attributes.items()}
    return (given, named, next(filter(None, types), None)) if changed else None


def output_of(value):
    """An array in the memory of what is to be written."""
    if isinstance(value, numpy.ndarray):
        return value
    if is_foreign(value):
        return array_of(value)[0]
    if has_interface(value) or isinstance(value, (bytearray, memoryview)):
        return numpy.asarray(value)
    raise BadType("out: an output must be an array")
