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
"""

import ctypes
import typing

import numpy

from . import _command, _library, _show, _table
from ._library import BUFFERS, RANK, Error, Failure, Handle, List, Reals, Tensor
from ._library import ops as _ops

__all__ = ["operators", "plan", "Operator", "Plan"] + [row[0] for row in _table.OPERATORS]

_KEEP = 512  # plans of each operator
_TYPES = {"uint8": "byte", "int8": "int8", "int16": "int16", "int32": "int32", "float16": "fp16",
          "float32": "fp32"}
_byref, _address, _empty = ctypes.byref, ctypes.c_void_p, numpy.empty
_run = _ops.ztl_ops_mover_run
# The input that holds indices, where it is not the second.
_INDICES = {"tensor_scatter": 2}


# ---- Tensors -----------------------------------------------------------------------------------

def _check_dtype(dtype, what):
    if dtype.hasobject or dtype.itemsize not in (1, 2, 4, 8, 16, 32):
        raise Error(f"{what}: elements of {dtype} cannot be moved: they must be plain data of 1, 2, 4, "
                    "8, 16 or 32 bytes")


def _describe(tensor, array):
    """Fills in a ztl_ops_tensor; the distance from its first byte in memory to its first element."""
    low = high = 0
    if array.ndim > RANK:
        raise Error(f"an array has rank {array.ndim}, at most {RANK} is possible")
    tensor.rank, tensor.bits = array.ndim, array.dtype.itemsize * 8
    for index, (extent, stride) in enumerate(zip(array.shape, array.strides)):
        tensor.extent[index], tensor.stride[index] = extent, stride
        reach = (extent - 1) * stride
        low, high = low + min(reach, 0), high + max(reach, 0)
    if array.size == 0:
        low = high = 0
    tensor.offset, tensor.size = -low, high - low + (array.dtype.itemsize if array.size else 0)
    return -low


def _forms(arrays):
    """What a plan depends on."""
    try:
        return tuple((array.shape, array.strides, array.dtype, array.flags.writeable)
                     for array in arrays)
    except AttributeError:
        raise Error("an output must be an array") from None


class _Call:
    """A mover or a plan for arrays of one form, and what must be known to run it."""

    __slots__ = ("operator", "attributes", "pointer", "is_plan", "_handle", "lows", "forms", "outs",
                 "shape", "dtype", "low")

    def __init__(self, operator, arrays, bound, outs, plan_for=None):
        self.operator, self.attributes = operator, bound
        for array in arrays:
            _check_dtype(array.dtype, operator.name)
        dtype = operator._result_dtype(arrays, bound)
        _check_dtype(dtype, operator.name)
        op, keep = operator._make(bound, dtype)
        inputs, outputs = (Tensor * max(len(arrays), 1))(), (Tensor * BUFFERS)()
        self.lows = tuple(_describe(inputs[i], array) for i, array in enumerate(arrays))
        self.forms = tuple((array.shape, array.strides, array.dtype) for array in arrays)
        failure = Failure()
        count = _ops.ztl_ops_infer(op, inputs, len(arrays), outputs, BUFFERS, failure)
        if not count:
            raise Error(str(failure))
        shapes = [tuple(outputs[i].extent[:outputs[i].rank]) for i in range(count)]
        low = [0] * count
        if outs is not None:
            low = _check_outs(outs, shapes, dtype, outputs)
        how = (op, inputs, len(arrays), outputs, count)
        if plan_for is None:
            self.pointer, free = _ops.ztl_ops_mover_new(*how, failure), _ops.ztl_ops_mover_free
        else:
            self.pointer, free = _ops.ztl_ops_plan_new(*how, plan_for, failure), _ops.ztl_ops_plan_free
        if not self.pointer:
            raise Error(str(failure))
        self._handle, self.is_plan = Handle(self.pointer, free), plan_for is not None
        self.outs = tuple(zip(shapes, low))
        self.shape, self.dtype = shapes[0], dtype
        self.low = self.lows[0] if self.lows else 0
        del keep  # the lists that op points to, until here

    def run(self, arrays, outs=None):
        """Runs it on arrays of the form that it was made for."""
        results = [_empty(shape, self.dtype) for shape, _ in self.outs] if outs is None else outs
        sources = (_address * max(len(arrays), 1))(
            *(a.__array_interface__["data"][0] - low for a, low in zip(arrays, self.lows)))
        targets = (_address * len(results))(
            *(r.__array_interface__["data"][0] - low for r, (_, low) in zip(results, self.outs)))
        failure = Failure()
        done = (_ops.ztl_ops_plan_run(self.pointer, sources, targets, _byref(failure)) if self.is_plan
                else _run(self.pointer, sources, targets, 1, _byref(failure)))
        if not done:
            raise Error(str(failure))
        return results if len(results) > 1 or self.operator.name == "split" else results[0]


def _check_outs(outs, shapes, dtype, outputs):
    if len(outs) != len(shapes):
        raise Error(f"there are {len(shapes)} outputs, {len(outs)} arrays are given for them")
    for array, shape in zip(outs, shapes):
        if not isinstance(array, numpy.ndarray) or array.shape != shape or array.dtype != dtype:
            raise Error(f"the output must be an array of {dtype} of shape {shape}")
        if not array.flags.writeable:
            raise Error("the output is read-only")
    return [_describe(outputs[i], array) for i, array in enumerate(outs)]


# ---- Attributes --------------------------------------------------------------------------------

def _integers(name, value):
    try:
        array = numpy.asarray(value)
    except ValueError as error:
        raise Error(f"{name}: {error}") from None
    if array.size == 0:
        array = array.astype("i8")
    if array.dtype.kind not in "iub":
        raise Error(f"{name}: {value!r} are not whole numbers")
    if array.dtype == "u8" and array.max() > 2**63 - 1:
        raise Error(f"{name}: {value!r} are too large")
    return array.astype("i8", copy=False)


def _integer(name, value):
    array = _integers(name, value)
    if array.ndim:
        raise Error(f"{name}: {value!r} is not one number")
    return int(array)


def _list(values, kind, ctype, keep):
    buffer = (ctype * max(len(values), 1))(*values)
    keep.append(buffer)
    return kind(buffer, len(values))


def _element(name, value, dtype):
    """The four words of an element."""
    try:
        with numpy.errstate(over="raise", invalid="raise"):
            array = numpy.asarray(value)
            element = array.astype(dtype)
    except (TypeError, ValueError, OverflowError, FloatingPointError) as error:
        raise Error(f"{name}: {value!r} is no element of {dtype}: {error}") from None
    exact = dtype.kind not in "iu" or array.dtype.kind not in "iuf" or array.size != 1 or (
        array.item() == element.item())
    if element.ndim or not exact:
        raise Error(f"{name}: {value!r} is no element of {dtype}")
    return tuple(int(word) for word in numpy.frombuffer(element.tobytes().ljust(32, b"\0"), "<u8"))


def _freeze(value):
    """A value that can be a key of the plans that are kept."""
    if isinstance(value, numpy.ndarray):
        return ("array", value.shape, value.dtype.str, value.tobytes())
    if isinstance(value, dict):
        return tuple((name, _freeze(one)) for name, one in value.items())
    if isinstance(value, (list, tuple)):
        return tuple(map(_freeze, value))
    return type(value), value, repr(value) if isinstance(value, (float, complex)) else ""


class Operator:
    """An operator, called with arrays and attributes."""

    def __init__(self, kind, row):
        self.kind = kind
        self.name, self.command, self.inputs, self.summary, needs, rows = row
        self._needs = [r[0] for r in rows[:needs]]
        # What the command reads from a file of its own is an input here.
        self._indices = None
        if self.inputs > 1 and any(r[0] == "indices" for r in rows):
            self._indices = _INDICES.get(self.name, 1)
            rows = [r for r in rows if r[0] != "indices"]
            self._needs = [name for name in self._needs if name != "indices"]
        self.attributes: typing.Dict[str, tuple] = {r[0]: r for r in rows}
        # Keys that are equal though they are not the same: 0.0 and -0.0.
        self._has_value = any(r[1] in ("VALUE", "VALUES") for r in rows)
        self._is_plain = self.inputs == 1 and self.name != "split"  # one array in, one out
        self._plans: typing.Dict[tuple, _Call] = {}
        self.__name__ = self.__qualname__ = self.name
        self.__doc__ = self._document()

    def _document(self):
        names = {0: ["arrays"], -1: [], 1: ["a"], 2: ["data", "indices"],
                 3: ["condition", "x", "y"]}[self.inputs]
        if self.inputs == 3 and self._indices:
            names = ["data", "indices", "updates"] if self._indices == 1 else [
                "data", "updates", "positions"]
        names += [name if name in self._needs else name + "=None" for name in self.attributes]
        lines = [f"{self.name}({', '.join(names)}, out=None)", "", self.summary.replace("--", ""), ""]
        return "\n".join(lines + [f"{name}: {row[3]}" for name, row in self.attributes.items()])

    def __repr__(self):
        return f"<operator {self.name}>"

    def __call__(self, *arguments, out=None, **attributes):
        if out is None and self._is_plain:
            try:
                array = arguments[0]
                call = self._plans[self._key(array, arguments, attributes)]
            except (KeyError, TypeError, AttributeError, IndexError):
                pass
            else:
                if type(array) is numpy.ndarray:
                    result = _empty(call.shape, call.dtype)
                    if _run(call.pointer,
                            _byref(_address(array.__array_interface__["data"][0] - call.low)),
                            _byref(_address(result.__array_interface__["data"][0])), 1, None):
                        return result
        arrays, bound = self._bind(arguments, attributes)
        outs = None if out is None else list(out) if isinstance(out, (list, tuple)) else [out]
        return self._find(arrays, bound, outs, arguments, attributes).run(arrays, outs)

    def _key(self, array, arguments, attributes):
        """What the plan of a call with one input is kept under."""
        rest = (arguments[1:], tuple(attributes.items()))
        return (array.shape, array.strides, array.dtype, rest, repr(rest) if self._has_value else "")

    def _find(self, arrays, bound, outs, arguments, attributes):
        """The plan, from those that are kept or new."""
        try:
            if outs is not None or not self._is_plain or arrays[0] is not arguments[0]:
                raise TypeError
            key = self._key(arrays[0], arguments, attributes)
            call = self._plans.get(key)
        except TypeError:  # not just one array, or a list, which can be no key
            key = ("frozen", _forms(arrays), _freeze(bound), None if outs is None else _forms(outs))
            try:
                call = self._plans.get(key)
            except TypeError:
                raise Error(f"{self.name}: attributes are numbers, lists, words and arrays") from None
        if call is None:
            call = _Call(self, arrays, bound, outs)
            if len(self._plans) >= _KEEP:
                self._plans.clear()
            self._plans[key] = call
        return call

    def _bind(self, arguments, attributes):
        """The inputs as arrays, and the attributes by their names."""
        count = {0: 1, -1: 0}.get(self.inputs, self.inputs)
        if len(arguments) < count:
            raise Error(f"{self.name} takes {count} input{'s' * (count > 1)}, {len(arguments)} given")
        names = list(self.attributes)
        rest = arguments[count:]
        if len(rest) > len(names):
            raise Error(f"{self.name} has {len(names)} attributes, {len(rest)} given")
        bound = {name: value for name, value in zip(names, rest) if value is not None}
        for name, value in attributes.items():
            if name not in self.attributes:
                raise Error(f"{self.name} has no attribute {name}")
            if name in names[:len(rest)]:
                raise Error(f"{self.name}: {name} is given twice")
            if value is not None:
                bound[name] = value
        for name in self._needs:
            if name not in bound:
                raise Error(f"{self.name} needs {name}")
        return self._arrays(arguments[:count]), bound

    def _arrays(self, inputs):
        if self.inputs == 0:
            if isinstance(inputs[0], numpy.ndarray) or not numpy.iterable(inputs[0]):
                raise Error(f"{self.name} takes a list of arrays")
            inputs = list(inputs[0])
        if self._indices is not None:
            indices = _integers("indices", inputs[self._indices])
            rest = self._promote(inputs[:self._indices] + inputs[self._indices + 1:])
            return rest[:self._indices] + [indices] + rest[self._indices:]
        if self.inputs == 3:
            condition = numpy.asarray(inputs[0])
            condition = condition if condition.dtype == bool else condition != 0
            return [condition] + self._promote(inputs[1:])
        return self._promote(inputs)

    def _promote(self, inputs):
        """Arrays of one dtype, NumPy's; copies only of those that have another."""
        if not inputs:
            return []
        try:
            arrays = [numpy.asarray(one) for one in inputs]
            if len(arrays) > 1:
                dtype = numpy.result_type(*(a if a.ndim else one for a, one in zip(arrays, inputs)))
                arrays = [a.astype(dtype, copy=False) for a in arrays]
        except (TypeError, ValueError) as error:
            raise Error(f"{self.name}: {error}") from None
        return arrays

    def _result_dtype(self, arrays, bound):
        if "dtype" in bound:
            try:
                return numpy.dtype(bound["dtype"])
            except TypeError as error:
                raise Error(f"dtype: {error}") from None
        if arrays:
            return arrays[0 if self._indices is not None else -1].dtype
        given = bound.get("values", bound.get("value"))
        default = numpy.dtype("i8" if self.name == "one_hot" else "f4")
        return default if given is None else numpy.asarray(given).dtype

    def _make(self, bound, dtype):
        """The ztl_ops_op, and what must stay while it is used."""
        op, keep = _library.Op(kind=self.kind), []
        for name, value in bound.items():
            self._set(op, self.attributes[name], value, dtype, keep)
        if "type" in self.attributes and "type" not in bound:
            if dtype.name not in _TYPES or not dtype.isnative:
                raise Error(f"{self.name}: there is no arithmetic on {dtype}; type= names a type")
            self._set(op, self.attributes["type"], _TYPES[dtype.name], dtype, keep)
        if "dtype" in self.attributes:
            op.bits = dtype.itemsize * 8
            if self.name != "constant_of_shape" and "values" not in bound:
                op.on[:] = _element("on", 1, dtype)
        return op, keep

    def _set(self, op, row, value, dtype, keep):
        name, kind, field = row[:3]
        if kind in ("LIST", "BITS"):
            array = _integers(name, value)
            setattr(op, field, _list(array.reshape(-1).tolist(), List, ctypes.c_int64, keep))
            if field == "indices" and array.ndim != 1:
                op.has_indices_shape = True
                op.indices_shape = _list(list(array.shape), List, ctypes.c_int64, keep)
        elif kind == "REALS":
            try:
                reals = [float(v) for v in numpy.asarray(value).reshape(-1)]
            except (TypeError, ValueError):
                raise Error(f"{name}: {value!r} are no numbers") from None
            setattr(op, field, _list(reals, Reals, ctypes.c_double, keep))
        elif kind in _table.WORDS:
            setattr(op, field, _word(name, value, _table.WORDS[kind]))
        elif kind == "TYPE":
            names = [t.name.decode() for t in _library.rows(_library.core.ztl_isa_type)]
            op.type = _word(name, value, names)
            if _library.core.ztl_isa_type(op.type).contents.bits != dtype.itemsize * 8:
                raise Error(f"type: elements of {value} do not have the size of {dtype}")
        elif kind == "VALUE":
            op.value, *op.wide[:] = _element(name, value, dtype)
        elif kind == "VALUES":
            if len(value) != 2:
                raise Error(f"{name}: {value!r} is not two elements, off and on")
            op.value, *op.wide[:] = _element(name, value[0], dtype)
            op.on[:] = _element(name, value[1], dtype)
        elif kind != "DTYPE":
            number = _integer(name, value)
            if kind == "COUNT" and number < 1:
                raise Error(f"{name} is {number}, must be at least 1")
            if kind == "AXIS":
                op.has_axis = True
            setattr(op, field, int(not number) if kind == "NOT" else number)


def _word(name, value, words):
    if not isinstance(value, str) or value.lower() not in words:
        raise Error(f"{name}: {value!r} is none of {', '.join(words)}")
    return words.index(value.lower())


# ---- Plans -------------------------------------------------------------------------------------

class Plan:
    """How an operator is done on arrays of one shape, strides and dtype; `plan` makes it. Call it with
    such arrays to run it."""

    def __init__(self, call: _Call):
        self._call = call
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
        self.shapes: typing.List[tuple] = [shape for shape, _ in call.outs]
        self.dtype = call.dtype

    @property
    def operator(self) -> str:
        """The name of the operator."""
        return self._call.operator.name

    @property
    def description(self) -> str:
        """The passes, and why each was chosen."""
        return _library.text_of(_ops.ztl_ops_describe, self._call.pointer)

    def __call__(self, *arrays):
        call = self._call
        if call.operator.inputs == 0 and len(arrays) == 1 and isinstance(arrays[0], (list, tuple)):
            arrays = tuple(arrays[0])
        if any(not isinstance(a, numpy.ndarray) for a in arrays) or call.forms != tuple(
                (a.shape, a.strides, a.dtype) for a in arrays):
            raise Error("the plan is for arrays of other shapes, strides or dtypes")
        return call.run(arrays)

    def timing(self, machine: str = "four") -> dict:
        """What `ztl op --timing` tells of a run on a machine; inputs must lie in memory in order."""
        return _command.measure(self._call, machine)

    def cycles(self, machine: str = "four") -> int:
        """Cycles on a machine of `ztl timing --list`."""
        return self.timing(machine)["timing"]["cycles"]

    def timeline(self, machine: str = "four"):
        """The timeline of a run on a machine."""
        return _command.draw(self._call, machine)

    def __repr__(self):
        return f"<plan of {self.operator}: {self.total} Ztl instructions, at least {self.lower_bound}>"

    def _repr_html_(self):
        rows = list(self.counts.items()) + [
            ("total", self.total), ("at least", self.lower_bound), ("CSR writes", self.csr_writes),
            ("scalar moves", self.scalar), ("scratch bytes", self.scratch)]
        return _show.titled(f"plan of {self.operator}", _show.table(rows) +
                            _show.preformatted(self.description))


def plan(operator: typing.Union[str, Operator], *arguments, no_scratch: bool = False,
         scratch_limit: int = 0, **attributes) -> Plan:
    """Plans an operator on arrays, whose contents do not matter.

    >>> p = plan('transpose', numpy.empty((1, 64, 56, 56), 'i1'), (0, 2, 3, 1))
    >>> p.total, p.lower_bound, p.counts['permute']
    (490, 392, 98)
    """
    if isinstance(operator, str):
        found = operators.get(operator.replace("-", "_"))
        if found is None:
            raise Error(f"there is no operator {operator!r}")
        operator = found
    if not isinstance(operator, Operator):
        raise Error(f"{operator!r} is no operator")
    if not 0 <= scratch_limit < 1 << 63:
        raise Error(f"scratch_limit is {scratch_limit}")
    machine = _library.PlanMachine(no_scratch=no_scratch, scratch_limit=scratch_limit)
    arrays, bound = operator._bind(arguments, attributes)
    return Plan(_Call(operator, arrays, bound, None, machine))


#: every operator by its name
operators: typing.Dict[str, Operator] = {
    row[0]: Operator(kind, row) for kind, row in enumerate(_table.OPERATORS)}
globals().update(operators)
