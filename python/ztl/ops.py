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

import inspect
import marshal
import re
import typing

import numpy

from . import _attributes, _command, _examples, _library, _show, _table
from ._attributes import Elements
from ._calls import Call, form
from ._library import BadName, BadType, BadValue, Error, said_of
from ._library import ops as _ops

__all__ = ["operators", "plan", "Operator", "Plan"] + [row[0] for row in _table.OPERATORS]

_KEEP = 512  # calls of each operator
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


def _plain(value):
    """A value of another type as one that marshal writes."""
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        return Ellipsis, value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, (type, numpy.dtype)):
        return Ellipsis, numpy.dtype(value).str
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


def _freeze(value):
    """A value that can be part of a key, and is equal only to those that are the same."""
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        return "array", value.shape, value.dtype.str, value.tobytes()
    if isinstance(value, dict):
        return tuple((name, _freeze(one)) for name, one in value.items())
    if isinstance(value, (list, tuple)):
        return tuple(map(_freeze, value))
    return type(value), value, repr(value) if isinstance(value, (float, complex)) else ""


class Operator:
    """An operator, called with arrays and attributes."""

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
        self.__signature__ = self._sign()
        self.__doc__ = self._document()

    def _sign(self):
        """What help and notebooks show as the arguments."""
        kinds = inspect.Parameter
        needed = [name for name in self._names if name not in self._optional] + self._needs
        return inspect.Signature(
            [kinds(name, kinds.POSITIONAL_OR_KEYWORD, default=kinds.empty if name in needed else None)
             for name in self._names + list(self.attributes)] +
            [kinds("out", kinds.KEYWORD_ONLY, default=None)])

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

    def _call_new(self, arguments, attributes, out):
        given, bound = self._bind(arguments, attributes)
        outs = None if out is None else list(out) if isinstance(out, (list, tuple)) else [out]
        arrays = self._arrays(given, outs)
        key = self._key_of_given(given, arrays, arguments, attributes, out)
        call = self._find(key, arrays, bound, outs)
        if key is not None:
            call.numbers = {i: arrays[i] for i, one in enumerate(given) if one.__class__ in _NUMBERS}
        results = call.run(arrays, outs)
        return results if out is None else out

    def _key_of_given(self, given, arrays, arguments, attributes, out):
        """What the next call like this one will look for; None where its arrays are converted."""
        if any(a is not b and a.__class__ not in _NUMBERS for a, b in zip(given, arrays)):
            return None
        try:
            return _key(*self._divide(arguments), attributes, out)
        except _NOT_KEPT:
            return None

    def _find(self, key, arrays, bound, outs):
        """From those that are kept, or new."""
        if key is None:
            try:
                key = (*map(form, arrays), "out", *map(form, outs or ()), _freeze(bound))
                hash(key)
            except AttributeError:
                raise BadType("out: an output must be an array") from None
            except TypeError:
                raise BadType("attributes are numbers, lists, words and arrays") from None
        call = self._calls.get(key)
        if call is None:
            call = _new_call(self, arrays, bound, outs)
            if len(self._calls) >= _KEEP:
                self._calls.clear()
            self._calls[key] = call
        return call

    def _bind(self, arguments, attributes):
        """The inputs as they are given, and the attributes by their names."""
        known = self._names + list(self.attributes)
        if len(arguments) > len(known):
            raise BadType(f"{self.name} takes {len(known)} arguments, {len(arguments)} given")
        bound = dict(zip(known, arguments))
        for name, value in attributes.items():
            if name not in known:
                raise BadType(f"{self.name} has no attribute {name}; {self.__doc__.splitlines()[0]}")
            if name in bound:
                raise BadType(f"{self.name}: {name} is given twice")
            bound[name] = value
        bound = {name: value for name, value in bound.items() if value is not None}
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


def _new_call(operator, arrays, bound, outs, machine=None):
    """A call, as NumPy understands it."""
    bound = _attributes.plain(operator, bound, arrays)
    if operator.name in _ALONG_NONE and "axes" in bound and not bound["axes"].size and (
            "shift" not in bound or bound["shift"].size < 2):
        operator, bound = operators["identity"], {n: v for n, v in bound.items()
                                                  if n not in ("axes", "shift")}
    return Call(operator, arrays, bound, outs, machine)


# ---- Plans -------------------------------------------------------------------------------------

class Plan:
    """How an operator is done on arrays of one shape, strides and dtype; `plan` makes it. Call it with
    such arrays to run it."""

    def __init__(self, call: Call, positions: dict):
        self._call, self._positions = call, positions
        stats = _ops.ztl_ops_plan_stats(call.pointer)
        #: Ztl instructions by operation
        self.counts: typing.Dict[str, int] = {
            name: count for name, count in zip(_library.OP_NAMES, stats.insn) if count}
        #: Ztl instructions in all
        self.total: int = _ops.ztl_ops_total(stats)
        #: writes of CSRs
        self.csr_writes: int = stats.csr
        #: elements that scalar code moves
        self.scalar: int = stats.scalar
        #: the least Ztl instructions that any program takes
        self.lower_bound: int = _ops.ztl_ops_lower_bound(call.pointer)
        #: bytes of scratch memory
        self.scratch: int = _ops.ztl_ops_scratch_bytes(call.pointer)
        #: shapes of the outputs
        self.shapes: typing.List[tuple] = list(call.shapes)
        #: of the elements
        self.dtype: numpy.dtype = call.elements.dtype

    @property
    def operator(self) -> str:
        """The name of the operator."""
        return self._call.operator.name

    @property
    def description(self) -> str:
        """The passes, and why each was chosen."""
        return _library.text_of(_ops.ztl_ops_describe, self._call.pointer)

    def __call__(self, *arrays: typing.Any) -> typing.Any:
        """Runs it: the result, or the list of them."""
        call = self._call
        if call.operator.is_list and len(arrays) == 1 and isinstance(arrays[0], (list, tuple)):
            arrays = tuple(arrays[0])
        if len(arrays) != len(call.forms):
            raise BadType(f"the plan is for {len(call.forms)} arrays, {len(arrays)} given")
        arrays = call.operator._arrays(arrays)  # as when it was planned
        for index, (array, planned) in enumerate(zip(arrays, call.forms)):
            if form(array) != planned:
                shape, strides, dtype = planned
                raise BadValue(f"input {index}: the plan is for an array of {dtype} of shape {shape} "
                               f"and strides {strides}")
        return call.run(arrays)

    def timing(self, machine: str = "four") -> dict:
        """What `ztl op --timing` tells of a run on a machine of `ztl timing --list`. The inputs must be
        dense, in C or Fortran order: the command reads them from files. Indices are those that the
        plan was made with."""
        return _command.measure(self._call, self._positions, machine)

    def cycles(self, machine: str = "four") -> int:
        """The cycles of `timing`."""
        return self.timing(machine)["timing"]["cycles"]

    def timeline(self, machine: str = "four") -> _command.Timeline:
        """The timeline of a run on a machine, under the conditions of `timing`."""
        return _command.draw(self._call, self._positions, machine)

    def __copy__(self):
        return self  # it never changes

    def __deepcopy__(self, _):
        return self

    def __reduce__(self):
        raise Error("a plan cannot be pickled; make it again with ztl.ops.plan")

    def __repr__(self):
        return f"<plan of {self.operator}: {self.total} Ztl instructions, at least {self.lower_bound}>"

    def _repr_html_(self):
        rows = list(self.counts.items()) + [
            ("total", self.total), ("at least", self.lower_bound), ("CSR writes", self.csr_writes),
            ("scalar moves", self.scalar), ("scratch bytes", self.scratch)]
        return _show.titled(f"plan of {self.operator}", _show.table(rows) +
                            _show.preformatted(self.description))


_EFFORTS = ("normal", "quick", "thorough")
_AIMS = ("instructions", "cycles")


def plan(operator: typing.Union[str, Operator], *arguments, no_scratch: bool = False,
         scratch_limit: int = 0, effort: str = "normal", aim: str = "instructions",
         **attributes) -> Plan:
    """Plans an operator on arrays, whose contents do not matter.

    >>> p = plan('transpose', numpy.empty((1, 64, 56, 56), 'i1'), (0, 2, 3, 1))
    >>> p.total, p.lower_bound, p.counts['permute']
    (490, 392, 98)

    Indices that are an array are read when the plan runs: it is for all of their shape.

    >>> table = numpy.arange(4000).reshape(1000, 4)
    >>> p = plan('gather', table, numpy.zeros(2, int))
    >>> p(table, numpy.array([3, -1])).tolist()
    [[12, 13, 14, 15], [3996, 3997, 3998, 3999]]

    effort is how long to look for a plan: quick, normal or thorough. aim is what it has few of:
    instructions or cycles.
    """
    if isinstance(operator, str):
        found = operators.get(operator.replace("-", "_"))
        if found is None:
            raise BadName(f"there is no operator {operator!r}")
        operator = found
    if not isinstance(operator, Operator):
        raise BadType(f"{operator!r} is no operator")
    scratch_limit = _library.integer("scratch_limit", scratch_limit, 0, (1 << 63) - 1)
    machine = _library.PlanMachine(
        no_scratch=bool(no_scratch), scratch_limit=scratch_limit,
        effort=_EFFORTS.index(_attributes.words("effort", effort, _EFFORTS)),
        aim=_AIMS.index(_attributes.words("aim", aim, _AIMS)))
    try:
        given, bound = operator._bind(arguments, attributes)
        arrays = operator._arrays(given)
        call = _new_call(operator, arrays, bound, None, machine)
    except Error as error:
        raise said_of(error, operator.name) from None
    return Plan(call, {i: array.copy() for i, array in enumerate(arrays)
                       if not operator._holds_elements(i)})


#: every operator by its name
operators: typing.Dict[str, Operator] = {
    row[0]: Operator(kind, row) for kind, row in enumerate(_table.OPERATORS)}
globals().update(operators)
__test__ = {name: operator.__doc__ for name, operator in operators.items()}  # for doctest


def __getattr__(name: str) -> Operator:  # only for names that are not there; checkers of types see it
    raise AttributeError(f"module 'ztl.ops' has no operator {name!r}")
