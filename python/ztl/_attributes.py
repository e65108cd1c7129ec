# SPDX-License-Identifier: Apache-2.0
"""Attributes of operators: from Python's values to the members of ztl_ops_op."""

import ctypes

import numpy

from . import _dtypes, _library, _table
from ._library import BadType, BadValue, Error, List, Reals, said_of

# Types that elements of these dtypes have where arithmetic needs one.
_TYPES = {"uint8": "byte", "int8": "int8", "int16": "int16", "int32": "int32", "float16": "fp16",
          "float32": "fp32", "bfloat16": "bf16", "float8_e4m3fn": "e4m3", "float8_e5m2": "e5m2",
          "float8_e3m4": "e3m4"}
_TYPE_ROWS = {row.name.decode(): (index, row.bits)
              for index, row in enumerate(_library.rows(_library.core.ztl_isa_type))}
_FP4 = (0, 0.5, 1, 1.5, 2, 3, 4, 6)  # E2M1; 8 more are the negative ones


def type_of(value):
    """The name of one of Ztl's types, however it is given."""
    try:
        return _dtypes.name_of(value)
    except (BadType, BadValue) as error:
        raise type(error)(f"type: {error}") from None


def bits_of(type_name):
    """Of an element of one of Ztl's types."""
    return _TYPE_ROWS[type_name][1]


class Elements:
    """What the elements of tensors are: `dtype` is that of the arrays that they lie in, `type` the
    name of one of Ztl's types, or None. Two elements of 4 bits lie in a byte, the first one low."""

    __slots__ = ("dtype", "type", "bits")

    def __init__(self, name, dtype, type_name):
        self.dtype, self.type, self.bits = dtype, type_name, dtype.itemsize * 8
        if dtype.hasobject or dtype.itemsize not in (1, 2, 4, 8, 16, 32):
            raise BadType(f"{name}: elements of {dtype} cannot be moved: they must be plain data of 1, 2, "
                          "4, 8, 16 or 32 bytes")
        if type_name is None:
            return
        bits = bits_of(type_name)
        if bits == 4 and dtype.itemsize == 1:
            self.bits = 4
        elif bits != self.bits:
            raise BadValue(f"{name}: type: elements of {type_name} do not have the size of {dtype}")

    def words_of(self, name, value):
        """An element as the four words of ztl_ops_op."""
        if self.bits == 4:
            return (self._half_byte(name, value), 0, 0, 0)
        if self.type is not None:
            return (self._of_type(name, value), 0, 0, 0)
        return _element(name, value, self.dtype)

    def _of_type(self, name, value):
        try:
            if numpy.ndim(value):
                raise BadValue(f"{value!r} is no element of {self.type}")
            return _dtypes.dtype(self.type).code(value)
        except Error as error:
            raise BadValue(f"{name}: {error}") from None

    def _half_byte(self, name, value):
        try:
            if numpy.ndim(value):
                raise TypeError
            if self.type == "int4" and int(value) == value and -8 <= value <= 7:
                return int(value) & 15
            if self.type == "fp4" and abs(value) in _FP4:
                return _FP4.index(abs(value)) + 8 * bool(numpy.signbit(value))
        except (TypeError, ValueError):
            pass
        raise BadValue(f"{name}: {value!r} is no element of {self.type}")


def _element(name, value, dtype):
    try:
        with numpy.errstate(over="raise", invalid="raise"):
            array = numpy.asarray(value)
            element = array.astype(dtype)
    except (TypeError, ValueError, OverflowError, FloatingPointError) as error:
        raise BadValue(f"{name}: {value!r} is no element of {dtype}: {error}") from None
    exact = dtype.kind not in "iu" or array.dtype.kind not in "iuf" or array.size != 1 or (
        array.item() == element.item())
    if element.ndim or not exact:
        raise BadValue(f"{name}: {value!r} is no element of {dtype}")
    return tuple(int(word) for word in numpy.frombuffer(element.tobytes().ljust(32, b"\0"), "<u8"))


def as_array(name, value):
    """Any value as an array."""
    try:
        return numpy.asarray(value)
    except ValueError:
        raise BadValue(f"{name}: {_shorten(value)} has lists of different lengths") from None


def integers(name, value):
    """Whole numbers as an array of 32 or 64 bits each, itself where it is one."""
    array = as_array(name, value)
    if array.size == 0:
        array = array.astype("i8")
    if array.dtype.kind not in "iub":
        raise BadType(f"{name}: {_shorten(value)} are not whole numbers")
    if array.dtype == "u8" and array.max() > 2**63 - 1:
        raise BadValue(f"{name}: {_shorten(value)} are too large")
    return array if array.dtype in ("i4", "i8") else array.astype("i8")


def _shorten(value):
    text = " ".join(repr(value).split())
    return text if len(text) < 100 else text[:96] + " ..."


def _integer(name, value):
    array = integers(name, value)
    if array.ndim:
        raise BadType(f"{name}: {_shorten(value)} is not one number")
    return int(array)


def _reals(name, value):
    """Numbers of any kind as an array of doubles."""
    array = as_array(name, value)
    try:
        if array.dtype.kind in "biufO":
            return array.astype("f8")
    except (TypeError, ValueError):
        pass
    raise BadType(f"{name}: {_shorten(value)} are no numbers")


def _pads(array, count):
    """NumPy's pad_width or ONNX's pads, for so many axes, as the second. No list is both, but for one
    axis, where they mean the same."""
    if array.ndim == 1 and array.size == 2 * count:
        return array
    try:
        return numpy.broadcast_to(array, (count, 2)).T.reshape(-1)
    except ValueError:
        raise BadValue(
            f"pads: {_shorten(array.tolist())} does not say how to pad {count} axes: give a number, "
            f"(before, after), such a pair for each axis, or {2 * count} numbers, those before each axis "
            "first") from None


def plain(operator, bound, arrays):
    """The attributes with their lists as arrays of one dimension; indices are of any shape."""
    result = dict(bound)
    for name, value in bound.items():
        kind = operator.attributes[name][1]
        if kind not in ("LIST", "BITS", "REALS"):
            continue
        result[name] = array = (_reals if kind == "REALS" else integers)(name, value)
        if name == "indices" or (operator.name, name) == ("pad", "pads"):
            continue
        if array.ndim > 1:
            raise BadValue(f"{name}: {_shorten(value)} is a list of lists, not of numbers")
        result[name] = array.reshape(-1)
    if operator.name == "pad":
        result["pads"] = _pads(result["pads"], len(result.get("axes", arrays[0].shape)))
    return result


def words(name, value, known):
    """One of several words, in lower case."""
    if not isinstance(value, str) or value.lower() not in known:
        kind = BadValue if isinstance(value, str) else BadType
        raise kind(f"{name}: {value!r} is none of {', '.join(known)}")
    return value.lower()


def _list(values, kind, ctype, keep):
    buffer = (ctype * max(len(values), 1))(*values)
    keep.append(buffer)
    return kind(buffer, len(values))


def make(operator, bound, elements):
    """The ztl_ops_op of attributes that are plain, and what must stay while it is used."""
    op, keep = _library.Op(kind=operator.kind), []
    for name, value in bound.items():
        try:
            _set(op, operator.attributes[name], value, elements, keep)
        except Error as error:
            raise said_of(error, operator.name) from None
    if "ADDS" in operator.traits:
        dtype, type_name = elements.dtype, elements.type
        if type_name is None:
            if dtype.name not in _TYPES or not dtype.isnative:
                raise BadType(f"{operator.name}: there is no arithmetic on {dtype}; type= names a type")
            type_name = _TYPES[dtype.name]
        op.type = _TYPE_ROWS[type_name][0]
    if "dtype" in operator.attributes:
        op.bits = elements.bits
        if "ON_OFF" in operator.traits and "values" not in bound:
            op.on[:] = elements.words_of("on", 1)
    return op, keep


def _set(op, row, value, elements, keep):
    name, kind, field = row[:3]
    if kind in ("LIST", "BITS"):
        setattr(op, field, _list(value.reshape(-1).tolist(), List, ctypes.c_int64, keep))
        if field == "indices" and value.ndim != 1:
            op.has_indices_shape = True
            op.indices_shape = _list(list(value.shape), List, ctypes.c_int64, keep)
    elif kind == "REALS":
        setattr(op, field, _list(value.tolist(), Reals, ctypes.c_double, keep))
    elif kind == "TEXT":
        setattr(op, field, _library.c_text(name, value))
    elif kind in _table.WORDS:
        known = _table.WORDS[kind]
        setattr(op, field, known[words(name, value, known)])
    elif kind == "VALUE":
        op.value, *op.wide[:] = elements.words_of(name, value)
    elif kind == "VALUES":
        if not hasattr(value, "__len__") or len(value) != 2:
            raise BadValue(f"{name}: {value!r} is not two elements, off and on")
        op.value, *op.wide[:] = elements.words_of(name, value[0])
        op.on[:] = elements.words_of(name, value[1])
    elif kind not in ("DTYPE", "TYPE"):  # those are in `elements`
        number = _integer(name, value)
        if kind == "COUNT" and number < 1:
            raise BadValue(f"{name} is {number}, must be at least 1")
        if kind == "AXIS":
            op.has_axis = True
        setattr(op, field, int(not number) if kind == "NOT" else number)
