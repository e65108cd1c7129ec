# SPDX-License-Identifier: Apache-2.0
"""Operators as functions on NumPy arrays: what a call is given, and how it is kept for the next."""

import inspect
import marshal
import re
import typing

import numpy

from . import _attributes, _dtypes, _examples, _exchange, _suggest, _table
from ._attributes import Elements
from ._calls import Call, form
from ._library import BadIndex, BadType, BadValue, Error, said_of

_KEEP = 512  # calls of each operator
_LONG = 1 << 16  # bytes of an attribute that is an array
_dumps, _array = marshal.dumps, numpy.ndarray
# Attributes whose values, with all in them, marshal writes in such a way that equal bytes are equal
# values of equal types.
_PLAIN = frozenset((tuple, list, int, float, bool, str, complex, type(None)))
_NUMBERS = frozenset((int, float, bool, complex))
_NOT_KEPT = (KeyError, IndexError, TypeError, ValueError, AttributeError)

# Those of NumPy whose results have its native byte order, whatever that of the arrays is.
_NATIVE = ("concat", "where", "trilu")
# Those that do nothing along an empty list of axes, as in NumPy: for the library it is all axes.
_ALONG_NONE = ("flip", "squeeze", "roll")
_TYPE = ("type", "TYPE", "type", "of elements, a name of ztl.isa.types, where the dtype does not say")
# What help says of attributes where it is not what the command's help does.
_MEANINGS = {"pad.pads": "numpy.pad's pad_width: a number, (before, after), a pair for each axis; or a "
                         "flat list for 2 axes or more: what is before each axis, then what is after each",
             "indices": "positions, negative: from the end; of an array they are read when it runs",
             "condition": "what is kept, one for each position; an array is read when it runs",
             "value": "an element",
             "extrapolation_value": "tf_crop_and_resize: the element that lies outside",
             "values": "two elements, off and on; default: 0 and 1",
             "sequence_lens": "elements to reverse at each position of the batch",
             "upper": "False: keep what is below the diagonal", "dtype": "of the output"}


class Request:
    """Which operator does what a function was asked for, and with what. `finish` gives its result, or
    the list of them, the shape that was asked for."""

    __slots__ = ("operator", "arguments", "attributes", "finish")

    def __init__(self, operator, arguments, attributes, finish=None):
        self.operator, self.arguments, self.attributes = operator, arguments, attributes
        self.finish = finish


def _plain(value):
    """A value of another type as one that marshal writes; an exception where that would take long."""
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        if value.nbytes > _LONG:
            raise TypeError
        return Ellipsis, value.dtype.str, value.dtype.name, value.shape, value.tobytes()
    if isinstance(value, _dtypes.dtype):
        return Ellipsis, value.name
    if isinstance(value, (type, numpy.dtype)):
        return Ellipsis, numpy.dtype(value).str, numpy.dtype(value).name
    raise TypeError


def _key(arrays, rest, attributes, out):
    """What a call is kept under; an exception where that cannot be said fast."""
    for value in rest:
        if value.__class__ not in _PLAIN:
            rest = [one if one.__class__ in _PLAIN else _plain(one) for one in rest]
            break
    for name, value in attributes.items():
        if value.__class__ not in _PLAIN:
            attributes = {**attributes, name: _plain(value)}
    key = [_dumps((rest, attributes), 2)]
    for array in arrays:
        if array.__class__ is _array:
            key += (array.shape, array.strides, array.dtype)
        elif array.__class__ in _NUMBERS:
            key.append(_dumps(array, 2))
        else:
            raise TypeError
    if out is not None:
        key.append(None)
        for array in (out,) if out.__class__ is _array else out:
            if array.__class__ is not _array:
                raise TypeError
            key += (array.shape, array.strides, array.dtype)
    return tuple(key)


def in_words(name, function, *arguments):
    """What a function returns; exceptions of Python or NumPy in it as those of this package."""
    try:
        return function(*arguments)
    except Error:
        raise
    except IndexError as error:
        raise BadIndex(f"{name}: {error}") from None
    except ValueError as error:
        raise BadValue(f"{name}: {error}") from None
    except TypeError as error:
        raise BadType(f"{name}: {error}") from None


def _freeze(value):
    """A value that can be part of a key, and is equal only to those that are the same."""
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        return "array", value.shape, value.dtype.str, value.dtype.name, value.tobytes()
    if isinstance(value, dict):
        return tuple((name, _freeze(one)) for name, one in value.items())
    if isinstance(value, (list, tuple)):
        return tuple(map(_freeze, value))
    return type(value), value, repr(value) if isinstance(value, (float, complex)) else ""


class Operator:
    """An operator, called with arrays and attributes."""

    #: takes arguments as other libraries write them: ztl/names
    adapt: typing.Callable

    def __init__(self, kind, row):
        self.kind = kind
        (self.name, self.command, inputs, self.traits, indices, self.summary, needs, rows,
         *self._example) = row
        self.is_list = any("..." in name for name in inputs)  # of arrays, instead of inputs
        self._names = [name.strip("[].") for name in inputs]
        # An attribute that may be an array, which is then the input after the others.
        self._late = self._names.pop() if "LISTS" in self.traits else None
        self._optional = {name.strip("[]") for name in inputs if "[" in name} - {self._late}
        # Inputs of which the elements are not moved: they are positions of some, or a condition.
        self._positions = ({indices} if indices else set()) | ({0} if "SELECTS" in self.traits else set())
        # Where the command has an option and the operator an input, it is an input here.
        inputs = {"type"} | ({"indices"} if indices and not self._late else set())
        self._needs = [r[0] for r in rows[:needs] if r[0] not in inputs]
        rows = [r for r in rows if r[0] not in inputs] + [_TYPE]
        self.attributes: typing.Dict[str, tuple] = {r[0]: r for r in rows}
        self._nameable = self._names + ([self._late] if self._late else [])
        self._calls: typing.Dict[tuple, Call] = {}
        self.__name__ = self.__qualname__ = self.name
        self.__module__ = "ztl.ops"
        self.__signature__ = self._sign()
        self.__doc__ = self._document()

    def _sign(self):
        """What help and notebooks show as the arguments."""
        kinds = inspect.Parameter
        needed = [name for name in self._names if name not in self._optional] + self._needs
        return inspect.Signature(
            [kinds(name, kinds.POSITIONAL_OR_KEYWORD, default=kinds.empty if name in needed else None)
             for name in self._names + list(self.attributes)] +
            [kinds("out", kinds.KEYWORD_ONLY, default=None)] +
            [kinds("axes", kinds.VAR_KEYWORD)] * ("pattern" in self.attributes))

    def _document(self):
        lines = [f"{self.name}{self.__signature__}", "", self.summary.replace("--", "") + ".", ""]
        lines += [f"{name}: {_MEANINGS.get(f'{self.name}.{name}') or _MEANINGS.get(name, row[3])}"
                  for name, row in self.attributes.items()]
        lines += ["out: the array to write to" if "PARTS" not in self.traits else
                  "out: the list of arrays to write to", ""]
        call, result = self._example
        lines += [">>> import numpy, ztl"] + [
            f">>> {name} = {text}" for name, text in _examples.ARRAYS.items()
            if re.search(rf"\b{name}\b", call)]
        return "\n".join(lines + [f">>> ztl.ops.{call}.tolist()", result])

    def __repr__(self):
        return f"<operator {self.name}>"

    def __reduce__(self):
        return self.name  # pickled as the name in this module, as functions are

    def __call__(self, *arguments: typing.Any, out: typing.Any = None,
                 **attributes: typing.Any) -> typing.Any:
        if attributes and self._nameable:
            arguments = self._take_named(arguments, attributes)
        try:
            arrays, rest = self._divide(arguments)
            call = self._calls[_key(arrays, rest, attributes, out)]
        except _NOT_KEPT:
            call = None
        if call is None:  # not above: an error would show what was not found
            return self._call_anyhow(arguments, attributes, out)
        if call.numbers:
            arrays = [call.numbers.get(i, array) for i, array in enumerate(arrays)]
        return call.run(arrays, out)

    def _take_named(self, arguments, attributes):
        """Inputs that are given by their names come after those by position."""
        for name in self._nameable[len(arguments):]:
            if name not in attributes:
                break
            arguments += (attributes.pop(name),)
        return arguments

    def _divide(self, arguments):
        """The inputs, and the attributes that follow them."""
        count = len(self._names)
        if self.is_list:
            if arguments[0].__class__ not in (list, tuple):
                raise TypeError
            return arguments[0], arguments[1:]
        if self._late and arguments[count].__class__ is _array:
            count += 1
        return arguments[:count], arguments[count:]

    def _call_anyhow(self, arguments, attributes, out):
        """A call that is new, or whose arguments must be converted."""
        try:
            return self._call_new(arguments, attributes, out)
        except Error as error:
            raise said_of(error, self.name) from None

    def _request(self, arguments, attributes):
        """What is to be done, by which operator; or what has been done, by several."""
        return in_words(self.name, self.adapt, arguments, attributes)

    def _call_new(self, arguments, attributes, out):
        imported = _exchange.import_all(arguments, attributes)
        if imported:
            arguments, attributes, type_name = imported
            if type_name and "type" in self.attributes:
                attributes.setdefault("type", type_name)
        request = self._request(arguments, attributes)
        if request.__class__ is not Request:
            return request if out is None else _copy_to(out, request)
        if request.finish and out is not None:
            return _copy_to(out, request.operator(*request.arguments, **request.attributes),
                            request.finish)
        operator = request.operator
        given, bound = operator._bind(request.arguments, request.attributes)
        outs = None if out is None else list(map(
            _exchange.output_of, out if isinstance(out, (list, tuple)) else [out]))
        arrays = operator._arrays(given, outs)
        key = None
        if request.finish is None:
            key = self._key_of_given(given, arrays, arguments, attributes, out)
        call = self._find(key, operator, arrays, bound, outs)
        if key is not None:
            call.numbers = {i: arrays[i] for i, one in enumerate(given) if one.__class__ in _NUMBERS}
        results = call.run(arrays, outs)
        if request.finish:
            return request.finish(results)
        return results if out is None else out

    def _key_of_given(self, given, arrays, arguments, attributes, out):
        """What the next call like this one will look for; None where its arrays are converted."""
        if any(a is not b and a.__class__ not in _NUMBERS for a, b in zip(given, arrays)):
            return None
        try:
            mine, rest = self._divide(arguments)
            if len(mine) != len(given) or any(a is not b for a, b in zip(mine, given)):
                return None
            return _key(mine, rest, attributes, out)
        except _NOT_KEPT:
            return None

    def _find(self, key, operator, arrays, bound, outs):
        """From those that are kept, or new."""
        calls = self._calls
        if key is None:
            calls = operator._calls
            try:
                key = (*map(form, arrays), "out", *map(form, outs or ()), _freeze(bound))
                hash(key)
            except AttributeError:
                raise BadType("out: an output must be an array") from None
            except TypeError:
                raise BadType("attributes are numbers, lists, words and arrays") from None
        call = calls.get(key)
        if call is None:
            call = new_call(operator, arrays, bound, outs)
            if len(calls) >= _KEEP:
                calls.clear()
            calls[key] = call
        return call

    def _bind(self, arguments, attributes):
        """The inputs as they are given, and the attributes by their names."""
        known = self._names + list(self.attributes)
        if len(arguments) > len(known):
            raise BadType(f"{self.name} takes {len(known)} arguments, {len(arguments)} given")
        bound = dict(zip(known, arguments))
        for name, value in attributes.items():
            if name not in known:
                raise BadType(f"{self.name} has no attribute {name}{_suggest.among(name, known)}; "
                              f"{self.__doc__.splitlines()[0]}")
            if name in bound:
                raise BadType(f"{self.name}: {name} is given twice")
            bound[name] = value
        bound = {name: value for name, value in bound.items() if value is not None}
        if isinstance(bound.get("dtype"), _dtypes.dtype):
            bound["type"] = bound.pop("dtype")
        if "type" in bound:
            bound["type"] = _attributes.type_of(bound["type"])
        for name in self._names + self._needs:
            if name not in bound and name not in self._optional:
                raise BadType(f"{self.name} needs {name}; {self.__doc__.splitlines()[0]}")
        inputs = [bound.pop(name) for name in self._names if name in bound]
        if self.is_list:
            if isinstance(inputs[0], numpy.ndarray) or not numpy.iterable(inputs[0]):
                raise BadType(f"{self.name} takes a list of arrays")
            inputs = list(inputs[0])
        if self._late and isinstance(bound[self._late], numpy.ndarray) and (
                "CONDITION" not in self.traits or "type" not in bound):
            inputs.append(bound.pop(self._late))
        return inputs, bound

    def _arrays(self, inputs, outs=None):
        """The inputs as arrays: data of one dtype, NumPy's; copies only of those that have another.
        NumPy's is native for concat, where and trilu, but what is swapped can go to an output that is."""
        arrays: list = [None] * len(inputs)
        for i, one in enumerate(inputs):
            if not self._holds_elements(i):
                what = self._nameable[i]
                arrays[i] = (_attributes.integers(what, one) if what != "condition"
                             else self._condition(one))
        data = [i for i, array in enumerate(arrays) if array is None]
        if any(isinstance(one, numpy.ma.MaskedArray) for one in inputs):
            raise BadType(f"{self.name}: a masked array would lose its mask; give its .data or .filled()")
        try:
            for i in data:
                arrays[i] = numpy.asarray(inputs[i])
            dtypes = {arrays[i].dtype for i in data}
            dtype = None
            if len(dtypes) > 1:
                dtype = numpy.result_type(*(arrays[i] if arrays[i].ndim else inputs[i] for i in data))
            elif dtypes and self.name in _NATIVE and (
                    not outs or getattr(outs[0], "dtype", None) not in dtypes):
                dtype = dtypes.pop().newbyteorder("=")
            for i in data if dtype is not None else ():
                arrays[i] = arrays[i].astype(dtype, copy=False)
        except TypeError as error:
            raise BadType(f"{self.name}: {error}") from None
        except ValueError as error:
            raise BadValue(f"{self.name}: {error}") from None
        return arrays

    def _condition(self, value):
        """Bytes, of which 0 is no."""
        try:
            array = numpy.asarray(value)
            return array if array.dtype.kind in "biu" and array.itemsize == 1 else array.astype(bool)
        except (TypeError, ValueError) as error:
            raise BadType(f"{self.name}: condition: {error}") from None

    def _holds_elements(self, index):
        """Whether an input has elements that are moved, not positions of some."""
        return index not in self._positions

    def _elements(self, arrays, bound):
        return Elements(self.name, self._result_dtype(arrays, bound), bound.get("type"))

    def _result_dtype(self, arrays, bound):
        if "dtype" in bound:
            try:
                return numpy.dtype(bound["dtype"])
            except TypeError as error:
                raise BadType(f"dtype: {error}") from None
        for index, array in enumerate(arrays):
            if self._holds_elements(index):
                return array.dtype
        if "type" in bound:
            return numpy.dtype(f"u{max(_attributes.bits_of(bound['type']) // 8, 1)}")
        given = bound.get("values", bound.get("value"))
        default = numpy.dtype("i8" if "ON_OFF" in self.traits else "f4")
        try:
            return default if given is None else numpy.asarray(given).dtype
        except ValueError as error:
            raise BadValue(f"{self.name}: value: {error}") from None


def new_call(operator, arrays, bound, outs, machine=None):
    """A call, as NumPy understands it."""
    bound = _attributes.plain(operator, bound, arrays)
    if operator.name in _ALONG_NONE and "axes" in bound and not bound["axes"].size and (
            "shift" not in bound or bound["shift"].size < 2):
        operator, bound = operators["identity"], {n: v for n, v in bound.items()
                                                  if n not in ("axes", "shift")}
    return Call(operator, arrays, bound, outs, machine)


def _copy_to(out, results, finish=None):
    """What was made elsewhere, into the arrays that are there for it."""
    results = finish(results) if finish else results
    several = isinstance(results, list)
    for to, one in zip(out, results) if several else [(out, results)]:
        operators["identity"](one, out=to)
    return out


#: every operator of `ztl op` by its name
operators: typing.Dict[str, Operator] = {
    row[0]: Operator(kind, row) for kind, row in enumerate(_table.OPERATORS)}
#: every function of ztl.ops by its name: the operators, and those of ztl/names
functions: typing.Dict[str, Operator] = dict(operators)
