# SPDX-License-Identifier: Apache-2.0
"""How Ztl does an operator on arrays of one form."""

import typing

import numpy

from . import _attributes, _command, _library, _pictures, _show
from ._calls import Call, form
from ._library import BadType, BadValue, Error, said_of
from ._library import ops as _ops
from ._operator import Operator, Request, new_call
from .names import find

class Plan:
    """How an operator is done on arrays of one shape, strides and dtype; `plan` makes it. Call it with
    such arrays to run it."""

    def __init__(self, call: Call, positions: dict, finish=None):
        self._call, self._positions, self._finish = call, positions, finish
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
        results = call.run(arrays)
        return self._finish(results) if self._finish else results

    def _command_words(self, folder):
        """The words of ztl op: what a sweep runs."""
        return _command.words_of(folder, self._call, self._positions)

    @property
    def svg(self) -> str:
        """A picture of the passes: the instructions of a batch, and how many batches there are."""
        return _pictures.draw(self.description)

    def timing(self, machine="four") -> dict:
        """What `ztl op --timing` tells of a run on a machine of `ztl timing --list`. The inputs must be
        dense, in C or Fortran order: the command reads them from files. Indices are those that the
        plan was made with."""
        return _command.measure(self._call, self._positions, str(machine))

    def cycles(self, machine="four") -> int:
        """The cycles of `timing`."""
        return self.timing(machine)["timing"]["cycles"]

    def timeline(self, machine="four") -> _command.Timeline:
        """The timeline of a run on a machine, under the conditions of `timing`."""
        return _command.draw(self._call, self._positions, str(machine))

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
        return _show.titled(f"plan of {self.operator}", self.svg + _show.table(rows) +
                            _show.preformatted(self.description))


_EFFORTS = ("normal", "quick", "thorough")
_AIMS = ("cycles", "instructions")


def plan(operator: typing.Union[str, Operator], *arguments, no_scratch: bool = False,
         scratch_limit: int = 0, effort: str = "normal", aim: str = "cycles",
         **attributes) -> Plan:
    """Plans an operator on arrays, whose contents do not matter.

    >>> from ztl.ops import plan
    >>> p = plan('transpose', numpy.empty((1, 64, 56, 56), 'i1'), (0, 2, 3, 1))
    >>> p.total, p.lower_bound, p.counts['permute']
    (588, 392, 196)

    Indices that are an array are read when the plan runs: it is for all of their shape.

    >>> table = numpy.arange(4000).reshape(1000, 4)
    >>> p = plan('gather', table, numpy.zeros(2, int))
    >>> p(table, numpy.array([3, -1])).tolist()
    [[12, 13, 14, 15], [3996, 3997, 3998, 3999]]

    effort is how long to look for a plan: quick, normal or thorough. aim is what it has few of:
    cycles or instructions.
    """
    function = find(operator) if isinstance(operator, str) else operator
    if not isinstance(function, Operator):
        raise BadType(f"{operator!r} is no operator")
    scratch_limit = _library.integer("scratch_limit", scratch_limit, 0, (1 << 63) - 1)
    machine = _library.PlanMachine(
        no_scratch=bool(no_scratch), scratch_limit=scratch_limit,
        effort=_EFFORTS.index(_attributes.words("effort", effort, _EFFORTS)),
        aim=_AIMS.index(_attributes.words("aim", aim, _AIMS)))
    try:
        request = function._request(arguments, attributes)
        if not isinstance(request, Request):
            raise BadValue("several operators do this one after the other, each with a plan of its own")
        does = request.operator
        given, bound = does._bind(request.arguments, request.attributes)
        arrays = does._arrays(given)
        call = new_call(does, arrays, bound, None, machine)
    except Error as error:
        raise said_of(error, function.name) from None
    return Plan(call, {i: array.copy() for i, array in enumerate(arrays)
                       if not does._holds_elements(i)}, request.finish)
