# SPDX-License-Identifier: Apache-2.0
"""Finds and loads the shared libraries, and says what their functions and structures look like.
tests/python/layout.py compares the structures with those of the headers."""

import ctypes
import operator
import os
import pathlib
import re
import shutil
import typing
from ctypes import (CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_int, c_int8,
                    c_int32, c_int64, c_size_t, c_uint, c_uint8, c_uint16, c_uint32, c_uint64,
                    c_void_p)

from . import _table


class Error(Exception):
    """What a library, a command or this package refuses; its text says why. Wrong arguments are one
    of those below, which are Python's exceptions too."""


class BadValue(Error, ValueError):
    """An argument of the right type that is not possible."""


class BadType(Error, TypeError):
    """An argument of a wrong type, one that is missing or one too many."""


class BadIndex(Error, IndexError, ValueError):
    """An index, axis, register or address that is not there; both, as NumPy's AxisError."""


class BadName(Error, KeyError):
    """A name that there is nothing of."""

    __str__ = Exception.__str__  # a KeyError shows its text in quotes


class NotFound(Error, ImportError):
    """The libraries are not there, or not those of this package."""


for _class in (Error, BadValue, BadType, BadIndex, BadName, NotFound):
    _class.__module__ = "ztl"


def said_of(error, what):
    """An error with what it is about before its text, unless that is there."""
    text = str(error)
    return error if text.startswith((f"{what}:", f"{what} ")) else type(error)(f"{what}: {text}")


def whole(value):
    """A whole number, Python's or NumPy's, as Python's; None where it is none."""
    try:
        return operator.index(value)
    except TypeError:
        return None


def integer(name, value, least, most):
    """A whole number within limits; an exception names the argument that is none."""
    number = whole(value)
    if number is None:
        raise BadType(f"{name} is {value!r}, must be a whole number")
    if not least <= number <= most:
        raise BadValue(f"{name} is {number}, must be from {least} to {most}")
    return number


def bits(name, value, width):
    """A whole number, signed or not, as the bits of a register."""
    return integer(name, value, -1 << width - 1, (1 << width) - 1) & (1 << width) - 1


def path(value):
    """The bytes of the name of a file."""
    try:
        name = os.fsencode(value)
    except TypeError:
        raise BadType(f"{value!r} is no name of a file") from None
    if b"\0" in name:
        raise BadValue(f"{value!r} is no name of a file")
    return name


def c_text(name, value):
    """A text for the library."""
    if not isinstance(value, str):
        raise BadType(f"{name} is {value!r}, must be a text")
    if "\0" in value:
        raise BadValue(f"{name} is {value!r}, which has a NUL in it")
    return value.encode()


# ---- Finding -----------------------------------------------------------------------------------

_SUFFIX = (".so.0.%d" if _table.VERSION[0] == 0 else ".so.%d") % (
    _table.VERSION[1] if _table.VERSION[0] == 0 else _table.VERSION[0])


def _folders():
    """Where libraries may be: where the environment says, then beside this package in a prefix. A
    build directory has three of them in folders of their own."""
    for folder in filter(None, os.environ.get("ZTL_LIBRARY_PATH", "").split(os.pathsep)):
        top = pathlib.Path(folder)
        yield from (top, top / "ops", top / "movers", top / "timing")
    here = pathlib.Path(__file__).resolve()
    for parent in here.parents:
        if parent.name in ("lib", "lib64"):
            yield parent
            yield from sorted(parent.glob("*-linux-gnu"))
            return


def _load(name):
    file = "lib" + name + _SUFFIX
    for folder in _folders():
        if (folder / file).is_file():
            return ctypes.CDLL(str(folder / file))
    try:
        return ctypes.CDLL(file)  # by the loader's own search
    except OSError as error:
        raise NotFound(f"there is no {file}: install it with 'make install', or set ZTL_LIBRARY_PATH to "
                       f"the folder that it is in ({error})") from None


def find_command():
    """The path of the command ztl that belongs to the libraries."""
    for folder in _folders():
        for path in (folder / "ztl", folder.parent / "bin/ztl", folder.parent.parent / "bin/ztl"):
            if path.is_file() and os.access(path, os.X_OK):
                return str(path)
    found = shutil.which("ztl")
    if not found:
        raise Error("there is no command ztl: install it with 'make install', or put it on PATH")
    return found


core = _load("ztl")
core.ztl_version_number.restype = c_uint
core.ztl_version.restype = c_char_p
if core.ztl_version_number() // 100 != _table.VERSION[0] * 100 + _table.VERSION[1]:
    raise NotFound(f"libztl is version {core.ztl_version().decode()}, this package is for "
                   f"{_table.VERSION[0]}.{_table.VERSION[1]}")
ops = _load("ztlops")
movers = _load("ztlmovers")
timing = _load("ztltiming")

# ---- Structures --------------------------------------------------------------------------------

REGISTERS, REGISTER_BYTES = 32, 1024


def _prototype(library, name, result, *arguments):
    try:
        function = getattr(library, name)
    except AttributeError:
        raise NotFound(f"{library._name} has no {name}: it is older than this package; install both "
                       "from one tree with 'make install'") from None
    function.restype, function.argtypes = result, arguments


def _names(function):
    found = []
    while name := function(len(found)):
        found.append(name.decode())
    return found


def rows(function):
    """Copies of the rows of a table that a function walks."""
    found = []
    while row := function(len(found)):
        found.append(row.contents)
    return found


# The length of enum ztl_op is what its names say; that of enum ztl_insn_id is added below.
_prototype(core, "ztl_op_name", c_char_p, c_uint)
OP_NAMES = _names(core.ztl_op_name)
CLASS_NAMES, CAUSES = _table.CLASSES, _table.CAUSES
_numbers = {"ZTL_OPS": len(OP_NAMES), "ZTL_CLASS_COUNT": len(CLASS_NAMES),
            "ZTL_TIMING_CAUSE_COUNT": len(CAUSES)}


def number(expression):
    """The value of a constant expression of the headers."""
    if expression not in _numbers:
        names = re.sub(r"\b[A-Z]\w*", lambda m: str(number(_table.CONSTANTS.get(m[0], "0"))
                       if m[0] not in _numbers else _numbers[m[0]]), expression)
        _numbers[expression] = eval(names, {"__builtins__": {}})  # numbers and + * only
    return _numbers[expression]


_types = {"uint8_t": c_uint8, "uint16_t": c_uint16, "uint32_t": c_uint32, "uint64_t": c_uint64,
          "int8_t": c_int8, "int32_t": c_int32, "int64_t": c_int64, "unsigned": c_uint, "int": c_int,
          "bool": c_bool, "size_t": c_size_t, "char": c_char, "double": c_double, "char *": c_char_p}
STRUCTURES: typing.Dict[str, typing.Any] = {}  # by their names in C: what the test of the layout compares


def _structure(c_name, **special):
    """A class with the members that the header says; some of them of a type that is said here."""
    fields = []
    for name, type_name, lengths in _table.STRUCTURES[c_name]:
        if name in special:
            kind = special[name]
        elif type_name in _types:
            kind = _types[type_name]
        elif type_name.startswith("enum "):
            kind = c_uint
        elif type_name.endswith("*"):
            kind = c_void_p
        else:
            kind = STRUCTURES[type_name]
        for length in reversed(lengths):
            kind = kind * number(length)
        fields.append((name, kind))
    STRUCTURES[c_name] = made = type(c_name, (Structure,), {"_fields_": fields})
    return made


_error_type: typing.Any = _structure("ztl_error")


class Failure(_error_type):
    def __str__(self):
        return self.text.decode("utf-8", "replace")


Window, Ram, Result = map(_structure, ("ztl_window", "ztl_ram", "ztl_result"))
InsnRow, OperandRow, CsrRow, TypeRow = map(
    _structure, ("ztl_insn_row", "ztl_operand_row", "ztl_csr_row", "ztl_type_row"))
for _name, _row in (("ztl_isa_insn", InsnRow), ("ztl_isa_csr", CsrRow), ("ztl_isa_type", TypeRow)):
    _prototype(core, _name, POINTER(_row), c_size_t)
INSN_ROWS = rows(core.ztl_isa_insn)
_numbers["ZTL_INSNS"] = len(INSN_ROWS)

Insn = _structure("ztl_insn", row=POINTER(InsnRow))
HartConfig = _structure("ztl_hart_config", ram=POINTER(Window))
HartIsa, HartTrap, WatchHit, Access, CsrChange = map(_structure, (
    "ztl_hart_isa", "ztl_trap", "ztl_watch_hit", "ztl_access", "ztl_csr_change"))
Event = _structure("ztl_event", ztl=POINTER(Insn))
HAPPENED = CFUNCTYPE(None, c_void_p, c_void_p, POINTER(Event))
OUTPUT = CFUNCTYPE(None, c_void_p, c_bool, c_void_p, c_size_t)
INPUT = CFUNCTYPE(c_size_t, c_void_p, c_void_p, c_size_t)
Observer, Clock, Symbol, Stats = map(
    _structure, ("ztl_observer", "ztl_clock", "ztl_symbol", "ztl_stats"))
SourceError, SourceLabel = map(_structure, ("ztl_source_error", "ztl_source_label"))
HostConfig = _structure("ztl_host_config", output=OUTPUT, input=INPUT)
SAY = CFUNCTYPE(None, c_void_p, c_char_p)
LinuxConfig = _structure("ztl_linux_config", argument=POINTER(c_char_p), environment=POINTER(c_char_p), say=SAY)

Parameter = _structure("ztl_timing_parameter")
_prototype(timing, "ztl_timing_parameter_of", Parameter, c_size_t)
_parameters = 0
while timing.ztl_timing_parameter_of(_parameters).name:
    _parameters += 1


class TimingMachine(Structure):  # the header makes its members by a macro
    _fields_ = [("values", c_uint32 * _parameters)]


STRUCTURES["ztl_timing_machine"] = TimingMachine
TimingUnit, TimingCounts, TimingSink, TimelineConfig = map(_structure, (
    "ztl_timing_unit", "ztl_timing_counts", "ztl_timing_sink", "ztl_timeline_config"))

Tensor = _structure("ztl_ops_tensor")
List = _structure("ztl_ops_list", value=POINTER(c_int64))
Reals = _structure("ztl_ops_reals", value=POINTER(c_double))
Engines, Op, PlanMachine, PlanStats = map(
    _structure, ("ztl_ops_engines", "ztl_ops_op", "ztl_ops_machine", "ztl_ops_stats"))
RANK, BUFFERS = number("ZTL_OPS_RANK"), number("ZTL_OPS_BUFFERS")

# ---- Functions ---------------------------------------------------------------------------------

_prototype(core, "ztl_class_name", c_char_p, c_uint)
_error, _text = POINTER(Failure), c_char_p
for _row in (
        ("ztl_isa_operand", POINTER(OperandRow), c_uint, c_size_t),
        ("ztl_op_meaning", _text, c_uint), ("ztl_reason_name", _text, c_uint),
        ("ztl_reason_words", _text, c_uint), ("ztl_cause_words", _text, c_uint64),
        ("ztl_decode", c_bool, c_uint, c_uint32, POINTER(Insn)),
        ("ztl_assemble", c_bool, c_uint, _text, POINTER(c_uint32), _error),
        ("ztl_disassemble", c_size_t, c_uint, c_uint32, c_void_p, c_size_t),
        ("ztl_explain", c_size_t, POINTER(Result), c_void_p, c_size_t),
        ("ztl_get_register", c_void_p, c_void_p, c_uint),
        ("ztl_set_register", c_uint, c_void_p, c_uint, c_void_p),
        ("ztl_hart_default_config", HartConfig),
        ("ztl_hart_create", c_void_p, POINTER(HartConfig), _error),
        ("ztl_hart_destroy", None, c_void_p), ("ztl_hart_reset", None, c_void_p),
        ("ztl_hart_isa_of", POINTER(HartIsa), c_void_p),
        ("ztl_hart_ram", POINTER(Ram), c_void_p, c_size_t),
        ("ztl_hart_isa_print", c_size_t, POINTER(HartIsa), c_void_p, c_size_t),
        ("ztl_hart_x", c_uint64, c_void_p, c_uint),
        ("ztl_hart_set_x", None, c_void_p, c_uint, c_uint64),
        ("ztl_hart_f", c_uint64, c_void_p, c_uint),
        ("ztl_hart_set_f", None, c_void_p, c_uint, c_uint64),
        ("ztl_hart_flen", c_uint, c_void_p),
        ("ztl_hart_pc", c_uint64, c_void_p), ("ztl_hart_set_pc", None, c_void_p, c_uint64),
        ("ztl_hart_ztl", c_void_p, c_void_p),
        ("ztl_hart_debug_csr_read", c_bool, c_void_p, c_uint, POINTER(c_uint64)),
        ("ztl_hart_debug_csr_write", c_bool, c_void_p, c_uint, c_uint64),
        ("ztl_hart_csr_address", c_bool, c_void_p, _text, POINTER(c_uint)),
        ("ztl_hart_csr_name", c_bool, c_void_p, c_uint, c_void_p, c_size_t),
        ("ztl_hart_read_memory", c_size_t, c_void_p, c_uint64, c_void_p, c_size_t),
        ("ztl_hart_write_memory", c_size_t, c_void_p, c_uint64, c_void_p, c_size_t),
        ("ztl_hart_run", c_uint, c_void_p, c_uint64), ("ztl_hart_step", c_uint, c_void_p),
        ("ztl_hart_execute", c_uint, c_void_p, c_uint32),
        ("ztl_hart_request_stop", None, c_void_p), ("ztl_hart_exit_code", c_int, c_void_p),
        ("ztl_hart_last_trap", POINTER(HartTrap), c_void_p),
        ("ztl_hart_cause_name", _text, c_uint64, c_bool),
        ("ztl_hart_retired", c_uint64, c_void_p), ("ztl_hart_ztl_retired", c_uint64, c_void_p),
        ("ztl_hart_attempted", c_uint64, c_void_p),
        ("ztl_hart_add_breakpoint", c_bool, c_void_p, c_uint64),
        ("ztl_hart_remove_breakpoint", c_bool, c_void_p, c_uint64),
        ("ztl_hart_add_watchpoint", c_bool, c_void_p, c_uint64, c_uint64, c_uint),
        ("ztl_hart_remove_watchpoint", c_bool, c_void_p, c_uint64, c_uint64, c_uint),
        ("ztl_hart_watch_hit", WatchHit, c_void_p),
        ("ztl_hart_set_observer", None, c_void_p, POINTER(Observer)),
        ("ztl_hart_set_clock", None, c_void_p, POINTER(Clock)),
        ("ztl_hart_save", c_bool, c_void_p, _text, _error),
        ("ztl_hart_restore", c_bool, c_void_p, _text, _error),
        ("ztl_hart_disassemble", c_size_t, POINTER(HartIsa), c_uint64, c_uint32, c_void_p, c_size_t),
        ("ztl_source_assemble", c_void_p, _text, POINTER(HartIsa), c_uint64),
        ("ztl_source_free", None, c_void_p), ("ztl_source_entry", c_uint64, c_void_p),
        ("ztl_source_error_at", POINTER(SourceError), c_void_p, c_size_t),
        ("ztl_source_bytes", c_void_p, c_void_p, POINTER(c_size_t)),
        ("ztl_source_label_at", SourceLabel, c_void_p, c_size_t),
        ("ztl_source_load", c_bool, c_void_p, c_void_p),
        ("ztl_program_open", c_void_p, _text, _error), ("ztl_program_close", None, c_void_p),
        ("ztl_program_is_linux", c_bool, c_void_p), ("ztl_program_xlen", c_uint, c_void_p), ("ztl_program_entry", c_uint64, c_void_p),
        ("ztl_program_ram", c_size_t, c_void_p, POINTER(Window), c_size_t),
        ("ztl_program_load", c_bool, c_void_p, c_void_p, _error),
        ("ztl_program_find", c_bool, c_void_p, _text, POINTER(Symbol)),
        ("ztl_program_describe", c_size_t, c_void_p, c_uint64, c_void_p, c_size_t),
        ("ztl_host_create", c_void_p, POINTER(HostConfig), _error),
        ("ztl_host_destroy", None, c_void_p),
        ("ztl_host_attach", None, c_void_p, c_void_p, c_void_p),
        ("ztl_host_poll", c_bool, c_void_p, c_void_p),
        ("ztl_linux_window", c_bool, c_void_p, c_uint64, POINTER(Window), _error),
        ("ztl_linux_create", c_void_p, POINTER(LinuxConfig), _error), ("ztl_linux_destroy", None, c_void_p),
        ("ztl_linux_start", c_bool, c_void_p, c_void_p, c_void_p, _error),
        ("ztl_linux_is_stuck", c_bool, c_void_p),
        ("ztl_linux_signal", c_int, c_void_p), ("ztl_linux_catch", c_bool, c_void_p),
        ("ztl_stats_observer", Observer, POINTER(Stats))):
    _prototype(core, *_row)
for _row in (
        ("ztl_timing_parse", c_bool, _text, POINTER(TimingMachine), _error),
        ("ztl_timing_describe", c_size_t, POINTER(TimingMachine), c_void_p, c_size_t),
        ("ztl_timing_value", None, POINTER(TimingMachine), c_size_t, c_void_p),
        ("ztl_timing_create", c_void_p, POINTER(TimingMachine)),
        ("ztl_timing_destroy", None, c_void_p), ("ztl_timing_observer", Observer, c_void_p),
        ("ztl_timing_clock", Clock, c_void_p), ("ztl_timing_result", TimingCounts, c_void_p),
        ("ztl_timing_failed", c_bool, c_void_p),
        ("ztl_timing_bound", c_uint64, POINTER(TimingMachine), POINTER(TimingCounts),
         POINTER(c_char_p)),
        ("ztl_timing_engine_name", _text, POINTER(TimingMachine), c_size_t),
        ("ztl_timing_port_name", _text, POINTER(TimingMachine), c_size_t),
        ("ztl_timing_set_sink", None, c_void_p, POINTER(TimingSink)),
        ("ztl_timeline_create", c_void_p, POINTER(TimelineConfig)),
        ("ztl_timeline_destroy", None, c_void_p), ("ztl_timeline_sink", TimingSink, c_void_p),
        ("ztl_timeline_is_cut", c_bool, c_void_p),
        ("ztl_timeline_write", c_bool, c_void_p, c_uint, c_void_p)):
    _prototype(timing, *_row)
for _row in (
        ("ztl_ops_infer", c_size_t, POINTER(Op), c_void_p, c_size_t, c_void_p, c_size_t, _error),
        ("ztl_ops_plan_new", c_void_p, POINTER(Op), c_void_p, c_size_t, c_void_p, c_size_t,
         POINTER(PlanMachine), _error),
        ("ztl_ops_plan_free", None, c_void_p),
        ("ztl_ops_plan_run", c_bool, c_void_p, c_void_p, c_void_p, c_void_p),
        ("ztl_ops_plan_stats", PlanStats, c_void_p), ("ztl_ops_total", c_uint64, POINTER(PlanStats)),
        ("ztl_ops_lower_bound", c_uint64, c_void_p), ("ztl_ops_scratch_bytes", c_uint64, c_void_p),
        ("ztl_ops_plan_bytes", c_size_t, c_void_p),
        ("ztl_ops_moved_bytes", None, c_void_p, POINTER(c_uint64), POINTER(c_uint64)),
        ("ztl_ops_describe", c_size_t, c_void_p, c_void_p, c_size_t),
        ("ztl_ops_name", _text, c_uint)):
    _prototype(ops, *_row)
for _row in (
        ("ztl_mover_new", c_void_p, POINTER(Op), c_void_p, c_size_t, c_void_p, c_size_t, _error),
        ("ztl_mover_free", None, c_void_p),
        ("ztl_mover_run", c_bool, c_void_p, c_void_p, c_void_p, c_uint, c_void_p)):
    _prototype(movers, *_row)


def text_of(function, *arguments):
    """The text that a function writes to (buffer, size), which come last; whole, however long."""
    size = function(*arguments, None, 0) + 1
    buffer = ctypes.create_string_buffer(size)
    function(*arguments, buffer, size)
    return buffer.value.decode("utf-8", "replace")


class Handle:
    """Owns a C object. It is freed when nothing refers to the handle any more: what looks at the
    object's memory keeps the handle, and the handle keeps, by name, what the object points to."""

    __slots__ = ("pointer", "keep", "_free", "__weakref__")

    def __init__(self, pointer, free, **keep):
        self.pointer, self.keep, self._free = pointer, keep, free

    def __del__(self):
        pointer, self.pointer = getattr(self, "pointer", None), None
        if pointer:
            self._free(pointer)
