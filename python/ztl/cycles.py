# SPDX-License-Identifier: Apache-2.0
"""Cycles of a run on a machine of engines and ports."""

import ctypes
import typing

from . import _library, _show
from ._library import timing as _timing


class Timing:
    """Cycles of a run, and where they went."""

    def __init__(self, machine, counts):
        def units(name_of, parts):
            named = ((name_of(machine, i), part) for i, part in enumerate(parts))
            return {name.decode(): {"instructions": part.instructions, "busy": part.busy,
                                    "idle": dict(zip(_library.CAUSES, part.idle))}
                    for name, part in named if name}

        name = ctypes.c_char_p()
        #: the machine, as `ztl timing` reads it
        self.machine: str = _library.text_of(_timing.ztl_timing_describe, machine)
        self.cycles: int = counts.cycles
        self.instructions: int = counts.instructions
        self.ztl_instructions: int = counts.ztl_instructions
        self.hart: typing.Dict[str, int] = {
            "cycles": counts.hart, "issuing": counts.issuing, "queue": counts.wait_queue,
            "memory": counts.wait_memory, "drain": counts.wait_drain}
        self.engines = units(_timing.ztl_timing_engine_name, counts.engine)
        self.ports = units(_timing.ztl_timing_port_name, counts.port)
        #: busy cycles of the busiest engine or port, and its name
        self.bound: int = _timing.ztl_timing_bound(machine, counts, name)
        self.bound_by: str = (name.value or b"").decode()

    def __repr__(self):
        return f"<timing on {self.machine}: {self.cycles} cycles>"

    def _repr_html_(self):
        rows = [(name, unit["instructions"], unit["busy"])
                for name, unit in (self.engines | self.ports).items()]
        return _show.titled(f"{self.cycles} cycles on {self.machine}",
                            _show.table(rows, ("", "instructions", "busy")))


def write_timeline(pointer):
    """The picture of a timeline of the library."""
    libc = ctypes.CDLL(None)
    libc.open_memstream.restype = ctypes.c_void_p
    data, size = ctypes.c_void_p(), ctypes.c_size_t()
    file = libc.open_memstream(ctypes.byref(data), ctypes.byref(size))
    if not file:
        raise MemoryError
    done = _timing.ztl_timeline_write(pointer, 2, file)
    libc.fclose(ctypes.c_void_p(file))
    text = ctypes.string_at(data, size.value).decode()
    libc.free(data)
    if not done:
        raise MemoryError
    return text
