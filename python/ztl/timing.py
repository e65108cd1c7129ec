# SPDX-License-Identifier: Apache-2.0
"""Machines to count cycles on, and tables of many of them.

>>> import ztl
>>> deep = ztl.timing.Machine('four', engines_queue=8)
>>> deep
ztl.timing.Machine('four,engines.queue=8')
>>> deep.parameters['engines.queue'], deep.replace(l1m_bytes=128).parameters['l1m.bytes']
('8', '128')

Wherever a machine is named, such an object may be given: `ztl.Machine(program, timing=deep)`,
`plan.cycles(deep)`.
"""

import pathlib
import tempfile
import typing

import numpy

from . import _command, _library, _progress, _show, _suggest
from ._library import BadName, BadType, BadValue, Failure
from ._library import timing as _timing

_NAMES = [_timing.ztl_timing_parameter_of(i).name.decode() for i in range(_library._parameters)]
#: what each parameter means, by its name
parameters: typing.Dict[str, str] = {
    _timing.ztl_timing_parameter_of(i).name.decode():
        _timing.ztl_timing_parameter_of(i).meaning.decode() for i in range(_library._parameters)}


def _name_of(name):
    """The name of a parameter, in which _ may stand for the point."""
    for known in _NAMES:
        if name in (known, known.replace(".", "_")):
            return known
    raise BadName(f"a machine has no parameter {name}{_suggest.among(name, _NAMES)}")


def _text(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


class Machine:
    """A machine of engines and ports: a preset or a file, and parameters that differ, with _ for the
    point of their names: engines_queue, l1m_bytes, csr_drain."""

    __slots__ = ("text",)

    def __init__(self, preset: typing.Union[str, "Machine"] = "four", **changed: typing.Any):
        machine, failure = _library.TimingMachine(), Failure()
        words = [str(preset)] + [f"{_name_of(name)}={_text(value)}" for name, value in changed.items()]
        if not _timing.ztl_timing_parse(_library.c_text("a machine", ",".join(words)), machine, failure):
            raise BadValue(str(failure))
        #: the shortest text that means it, as `ztl run --timing` takes it
        self.text: str = _library.text_of(_timing.ztl_timing_describe, machine)

    @property
    def parameters(self) -> typing.Dict[str, str]:
        """All parameters and their values."""
        machine, found = _library.TimingMachine(), {}
        _timing.ztl_timing_parse(self.text.encode(), machine, Failure())
        for index, name in enumerate(_NAMES):
            value = (_library.ctypes.c_char * 32)()
            _timing.ztl_timing_value(machine, index, value)
            found[name] = value.value.decode()
        return found

    def replace(self, **changed: typing.Any) -> "Machine":
        """The same with other values."""
        return Machine(self, **changed)

    def __str__(self):
        return self.text

    def __repr__(self):
        return f"ztl.timing.Machine({self.text!r})"

    def __eq__(self, other):
        return isinstance(other, Machine) and self.text == other.text

    def __hash__(self):
        return hash(self.text)

    def _repr_html_(self):
        return _show.titled(self.text, _show.table(
            [(name, value, parameters[name]) for name, value in self.parameters.items()]))


class Table(dict):
    """Columns by their names, as arrays of one length: `pandas.DataFrame(table)` takes it, and so does
    `matplotlib.pyplot.plot('engines_queue', 'cycles', data=table)`."""

    #: a picture of the cycles
    svg = ""

    def __len__(self):
        return super().__len__()

    @property
    def rows(self) -> typing.List[dict]:
        """One dictionary for each row."""
        return [dict(zip(self, row)) for row in zip(*(column.tolist() for column in self.values()))]

    def _repr_html_(self):
        rows = zip(*(column.tolist() for column in self.values()))
        return _show.table(rows, list(self)) + f'<div style="overflow-x:auto">{self.svg}</div>'


def _values(values):
    """As the command takes them."""
    if isinstance(values, (str, bool)) or not numpy.iterable(values):
        return _text(values)
    texts = [_text(value) for value in values]
    if not texts:
        raise BadValue("a parameter needs a value")
    return ",".join(texts)




def sweep(machine: typing.Union[str, Machine], work, *arguments: str, options: typing.Sequence[str] = (),
          progress=None, **changed: typing.Any) -> Table:
    """Cycles of a plan, or of a program (a file or a source, and its arguments), on every combination
    of values of the machine's parameters; it runs once.

    >>> import numpy, ztl
    >>> plan = ztl.ops.plan('transpose', numpy.zeros((40, 64), 'i1'))
    >>> table = ztl.timing.sweep('four', plan, engines_queue=[1, 4], l1m_bytes=(32, 64))
    >>> list(table)[:3], len(table['cycles']), bool(table['cycles'].min() > 0)
    (['engines_queue', 'l1m_bytes', 'cycles'], 4, True)
    """
    if not changed:
        raise BadType("sweep needs a parameter and its values, such as engines_queue=range(1, 9)")
    names = {name: _name_of(name) for name in changed}
    words = [f"{names[name]}={_values(values)}" for name, values in changed.items()]
    with tempfile.TemporaryDirectory() as folder:
        csv, svg = (pathlib.Path(folder) / f"table.{kind}" for kind in ("csv", "svg"))
        if hasattr(work, "_command_words"):
            what = ["ztl", *work._command_words(pathlib.Path(folder))]
        else:
            path = pathlib.Path(_library.os.fsdecode(_library.path(work)))
            what = ["ztl", "run", *options, path, *arguments]
        _command.call("timing", "sweep", str(machine), *words, "--csv", csv, "--svg", svg, "--", *what,
                      progress=_progress.of(progress))
        table = _read(csv.read_text().splitlines(), {name: here for here, name in names.items()})
        table.svg = svg.read_text()
    return table


def _read(lines, names):
    head, *rows = [line.split(",") for line in lines]
    table = Table()
    for index, name in enumerate(head):
        texts = [row[index] for row in rows]
        table[names.get(name, name)] = numpy.array(
            [int(text) for text in texts] if all(text.isdigit() for text in texts) else texts)
    return table
