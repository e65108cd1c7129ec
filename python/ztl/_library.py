# SPDX-License-Identifier: Apache-2.0
"""Finds and loads the shared libraries, and says what their functions and structures look like.
tests/python/layout.c compares the structures with those of the headers."""

import ctypes
import os
import pathlib
import shutil
from ctypes import (CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_int, c_int8,
                    c_int32, c_int64, c_size_t, c_uint, c_uint8, c_uint16, c_uint32, c_uint64,
                    c_void_p)

from . import _table


class Error(Exception):
    """What a library, a command or this package refuses; its text says why."""


Error.__module__ = "ztl"


# ---- Finding -----------------------------------------------------------------------------------

_SUFFIX = (".so.0.%d" if _table.VERSION[0] == 0 else ".so.%d") % (
    _table.VERSION[1] if _table.VERSION[0] == 0 else _table.VERSION[0])


def _folders():
    """Where libraries may be: where the environment says, then beside this package in a prefix. A
    build directory has two of them in folders of their own."""
    for folder in filter(None, os.environ.get("ZTL_LIBRARY_PATH", "").split(os.pathsep)):
        top = pathlib.Path(folder)
        yield from (top, top / "ops", top / "timing")
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
        raise Error(f"there is no {file}: install it with 'make install', or set ZTL_LIBRARY_PATH to "
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
    raise Error(f"libztl is version {core.ztl_version().decode()}, this package is for "
                f"{_table.VERSION[0]}.{_table.VERSION[1]}")
ops = _load("ztlops")
timing = _load("ztltiming")

# ---- Structures --------------------------------------------------------------------------------

REGISTERS, REGISTER_BYTES, RANK, BUFFERS = 32, 1024, 8, 64


class Failure(Structure):  # ztl_error
    _fields_ = [("text", c_char * 1024)]

    def __str__(self):
        return self.text.decode("utf-8", "replace")


class Window(Structure):
    _fields_ = [("base", c_uint64), ("size", c_uint64)]


class Ram(Structure):
    _fields_ = [("base", c_uint64), ("size", c_uint64), ("bytes", c_void_p)]


class Result(Structure):
    _fields_ = [("status", c_uint), ("cause", c_uint), ("tval", c_uint64), ("reason", c_uint),
                ("rule", c_uint), ("value", c_uint64 * 2), ("slice", c_uint8),
                ("stride_csr", c_uint16), ("stride", c_int32)]


class InsnRow(Structure):
    _fields_ = [("mnemonic", c_char_p), ("meaning", c_char_p), ("match", c_uint32),
                ("mask", c_uint32), ("id", c_uint8), ("revision", c_uint8), ("subset", c_uint8),
                ("format", c_uint8), ("op", c_uint8), ("arg", c_uint8)]


class OperandRow(Structure):
    _fields_ = [("name", c_char_p), ("kind", c_uint8), ("lsb", c_uint8), ("width", c_uint8)]


class CsrRow(Structure):
    _fields_ = [("name", c_char_p), ("also", c_char_p), ("meaning", c_char_p), ("reset", c_uint32),
                ("writable", c_uint32), ("address", c_uint16), ("count", c_uint8),
                ("first_revision", c_uint8), ("kind", c_uint8), ("slot", c_uint8)]


class TypeRow(Structure):
    _fields_ = [("name", c_char_p), ("meaning", c_char_p), ("ttype", c_uint16), ("bits", c_uint8),
                ("kind", c_uint8), ("exponent_bits", c_uint8), ("fraction_bits", c_uint8),
                ("special", c_uint8)]


class Insn(Structure):
    _fields_ = [("row", POINTER(InsnRow)), ("word", c_uint32), ("operand", c_int32 * 4)]


class HartConfig(Structure):
    _fields_ = [("isa", c_char_p), ("ram", POINTER(Window)), ("ram_count", c_size_t),
                ("l1m", Window), ("l0m", Window), ("reset_pc", c_uint64), ("hart_id", c_uint),
                ("trap_policy", c_uint), ("bodies", c_char_p)]


class HartIsa(Structure):
    _fields_ = [("xlen", c_uint), ("extensions", c_uint), ("ztl_revision", c_uint),
                ("ztl_subsets", c_uint)]


class HartTrap(Structure):
    _fields_ = [("pc", c_uint64), ("word", c_uint32), ("length", c_uint8), ("interrupt", c_bool),
                ("privilege", c_uint), ("cause", c_uint64), ("tval", c_uint64), ("ztl", Result)]


class WatchHit(Structure):
    _fields_ = [("address", c_uint64), ("kind", c_uint), ("pc", c_uint64)]


class Access(Structure):
    _fields_ = [("address", c_uint64), ("value", c_uint64), ("size", c_uint32),
                ("is_store", c_bool)]


class CsrChange(Structure):
    _fields_ = [("address", c_uint), ("value", c_uint64)]


class Event(Structure):
    _fields_ = [("pc", c_uint64), ("next_pc", c_uint64), ("word", c_uint32), ("length", c_uint8),
                ("privilege", c_uint), ("ztl", POINTER(Insn)), ("rd", c_uint8),
                ("rd_old", c_uint64), ("rd_new", c_uint64), ("csr_count", c_uint),
                ("csr", CsrChange * 6), ("access_count", c_uint), ("access", Access * 64),
                ("tl_count", c_uint), ("tl", c_uint8 * 2), ("branch", c_bool), ("trapped", c_bool),
                ("trap", HartTrap)]


HAPPENED = CFUNCTYPE(None, c_void_p, c_void_p, POINTER(Event))
OUTPUT = CFUNCTYPE(None, c_void_p, c_bool, c_void_p, c_size_t)
INPUT = CFUNCTYPE(c_size_t, c_void_p, c_void_p, c_size_t)
PLACE = CFUNCTYPE(None, c_void_p, c_uint64, c_void_p, c_size_t)


class Observer(Structure):
    _fields_ = [("context", c_void_p), ("happened", c_void_p)]


class Clock(Structure):
    _fields_ = [("context", c_void_p), ("now", c_void_p)]


class Symbol(Structure):
    _fields_ = [("name", c_char_p), ("address", c_uint64), ("size", c_uint64)]


class HostConfig(Structure):
    _fields_ = [("context", c_void_p), ("output", OUTPUT), ("input", INPUT), ("directory", c_char_p),
                ("command_line", c_char_p), ("no_room", c_void_p)]


def _prototype(library, name, result, *arguments):
    function = getattr(library, name)
    function.restype, function.argtypes = result, arguments


# The length of enum ztl_op, ztl_insn_id and ztl_class, and of the parameters of a machine: what the
# libraries' tables say.
for _name, _row in (("ztl_isa_insn", InsnRow), ("ztl_isa_csr", CsrRow), ("ztl_isa_type", TypeRow)):
    _prototype(core, _name, POINTER(_row), c_size_t)
_prototype(core, "ztl_op_name", c_char_p, c_uint)
_prototype(core, "ztl_class_name", c_char_p, c_uint)


def _names(function):
    found = []
    while True:
        name = function(len(found))
        if not name:
            return found
        found.append(name.decode())


def rows(function):
    """Copies of the rows of a table that a function walks."""
    found = []
    while True:
        row = function(len(found))
        if not row:
            return found
        found.append(row.contents)


OP_NAMES = _names(core.ztl_op_name)
INSN_ROWS = rows(core.ztl_isa_insn)
CLASS_NAMES = ["alu", "multiply", "load", "store", "branch", "jump", "atomic", "csr", "fence",
               "system", "ztl"]


class Parameter(Structure):
    _fields_ = [("name", c_char_p), ("meaning", c_char_p), ("allowed", c_char * 32)]


_prototype(timing, "ztl_timing_parameter_of", Parameter, c_size_t)
PARAMETERS = []
while timing.ztl_timing_parameter_of(len(PARAMETERS)).name:
    PARAMETERS.append(timing.ztl_timing_parameter_of(len(PARAMETERS)))


class Stats(Structure):
    _fields_ = [("by_class", c_uint64 * len(CLASS_NAMES)), ("by_insn", c_uint64 * len(INSN_ROWS)),
                ("compressed", c_uint64), ("loaded", c_uint64), ("stored", c_uint64),
                ("ztl_loaded", c_uint64), ("ztl_stored", c_uint64), ("exceptions", c_uint64 * 16),
                ("interrupts", c_uint64)]


class TimingMachine(Structure):
    _fields_ = [("values", c_uint32 * len(PARAMETERS))]


CAUSES = ["issue", "engine", "port", "raw", "war_waw", "memory"]


class TimingUnit(Structure):
    _fields_ = [("instructions", c_uint64), ("busy", c_uint64), ("idle", c_uint64 * len(CAUSES))]


class TimingCounts(Structure):
    _fields_ = [("cycles", c_uint64), ("instructions", c_uint64), ("ztl_instructions", c_uint64),
                ("traps", c_uint64), ("hart", c_uint64), ("issuing", c_uint64),
                ("wait_queue", c_uint64), ("wait_memory", c_uint64), ("wait_drain", c_uint64),
                ("engine", TimingUnit * 4), ("port", TimingUnit * 2)]


class TimingSink(Structure):
    _fields_ = [("context", c_void_p), ("span", c_void_p), ("hart", c_void_p)]


class TimelineConfig(Structure):
    _fields_ = [("machine", TimingMachine), ("isa", HartIsa), ("from_", c_uint64), ("to", c_uint64),
                ("context", c_void_p), ("place", PLACE)]


class Tensor(Structure):
    _fields_ = [("rank", c_uint), ("bits", c_uint), ("extent", c_int64 * RANK),
                ("stride", c_int64 * RANK), ("offset", c_int64), ("size", c_uint64)]


class List(Structure):
    _fields_ = [("value", POINTER(c_int64)), ("count", c_size_t)]


class Reals(Structure):
    _fields_ = [("value", POINTER(c_double)), ("count", c_size_t)]


class Op(Structure):
    _fields_ = ([(name, c_uint) for name in ("kind", "mode", "layout")] +
                [(name, c_bool) for name in ("has_axis", "has_indices_shape")] +
                [(name, c_int64) for name in (
                    "axis", "blocksize", "allowzero", "groups", "num_outputs", "k", "lower", "depth",
                    "batch_axis", "time_axis", "bits")] +
                [(name, c_uint) for name in ("coordinate", "nearest", "aspect")] +
                [("value", c_uint64), ("wide", c_uint64 * 3), ("on", c_uint64 * 4),
                 ("addend", c_int64), ("type", c_uint)] +
                [(name, List) for name in (
                    "perm", "axes", "starts", "ends", "steps", "pads", "indices", "indices_shape",
                    "condition", "shape", "split", "repeats", "shift", "sizes", "sequence_lens",
                    "kernel", "strides", "dilations")] +
                [(name, Reals) for name in ("scales", "roi")])


class PlanMachine(Structure):
    _fields_ = [("disjoint_windows", c_bool), ("no_scratch", c_bool), ("scratch_limit", c_uint64),
                ("byte_strides", c_bool)]


class PlanStats(Structure):
    _fields_ = [("insn", c_uint64 * len(OP_NAMES)), ("csr", c_uint64), ("scalar", c_uint64),
                ("scalar_reads", c_uint64)]


# By their names in C: what the test of the layout compares.
STRUCTURES = {
    "ztl_error": Failure, "ztl_window": Window, "ztl_ram": Ram, "ztl_result": Result,
    "ztl_insn_row": InsnRow, "ztl_operand_row": OperandRow, "ztl_csr_row": CsrRow,
    "ztl_type_row": TypeRow, "ztl_insn": Insn, "ztl_hart_config": HartConfig,
    "ztl_hart_isa": HartIsa, "ztl_trap": HartTrap, "ztl_watch_hit": WatchHit, "ztl_access": Access,
    "ztl_csr_change": CsrChange, "ztl_event": Event, "ztl_observer": Observer, "ztl_clock": Clock,
    "ztl_symbol": Symbol, "ztl_host_config": HostConfig, "ztl_timing_parameter": Parameter,
    "ztl_stats": Stats, "ztl_timing_machine": TimingMachine, "ztl_timing_unit": TimingUnit,
    "ztl_timing_counts": TimingCounts, "ztl_timing_sink": TimingSink,
    "ztl_timeline_config": TimelineConfig, "ztl_ops_tensor": Tensor, "ztl_ops_list": List,
    "ztl_ops_reals": Reals, "ztl_ops_op": Op, "ztl_ops_machine": PlanMachine,
    "ztl_ops_stats": PlanStats}

# ---- Functions ---------------------------------------------------------------------------------

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
        ("ztl_program_open", c_void_p, _text, _error), ("ztl_program_close", None, c_void_p),
        ("ztl_program_xlen", c_uint, c_void_p), ("ztl_program_entry", c_uint64, c_void_p),
        ("ztl_program_load", c_bool, c_void_p, c_void_p, _error),
        ("ztl_program_find", c_bool, c_void_p, _text, POINTER(Symbol)),
        ("ztl_program_describe", c_size_t, c_void_p, c_uint64, c_void_p, c_size_t),
        ("ztl_host_create", c_void_p, POINTER(HostConfig), _error),
        ("ztl_host_destroy", None, c_void_p),
        ("ztl_host_attach", None, c_void_p, c_void_p, c_void_p),
        ("ztl_host_poll", c_bool, c_void_p, c_void_p),
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
