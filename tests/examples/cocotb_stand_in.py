#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs examples/merge_unit/test_merge.py without cocotb: what it asks of cocotb, by its documented
interface, over the unit as a library. Inputs that are written are there at the next rising edge.

usage: cocotb_stand_in.py LIBRARY TEST.py"""

import ctypes
import runpy
import sys
import types

tests = []


class FallingEdge:
    """What is awaited: a clock that rises and falls."""

    def __init__(self, signal):
        self.signal = signal

    def __await__(self):
        yield self


class Clock:
    def __init__(self, signal, period, units="step"):
        assert signal.name == "clk" and period > 0 and units == "ns"

    async def start(self):
        pass


class Signal:
    """A port: `value` is what was written, or what the unit gives."""

    def __init__(self, unit, name):
        object.__setattr__(self, "unit", unit)
        object.__setattr__(self, "name", name)

    @property
    def value(self):
        return self.unit.read(self.name)

    @value.setter
    def value(self, value):
        self.unit.inputs[self.name] = value

    def __setattr__(self, name, value):
        if name != "value":
            raise AttributeError(f"{self.name}.{name}")  # a slip of the test's
        object.__setattr__(self, name, value)


class Unit:
    """The design, with the handle of each port as an attribute."""

    WIDE = ("a", "b", "old", "result")
    NARROW = ("reset", "start", "d", "shape", "mask")

    def __init__(self, path):
        self.library, self.inputs = ctypes.CDLL(path), dict.fromkeys(self.NARROW, 0)
        self.library.unit_new.restype = self.library.unit_port.restype = ctypes.c_void_p
        self.unit = ctypes.c_void_p(self.library.unit_new())
        for name in (*self.WIDE, *self.NARROW, "clk", "busy", "illegal"):
            setattr(self, name, Signal(self, name))

    def memory(self, name):
        return self.library.unit_port(self.unit, self.WIDE.index(name))

    def read(self, name):
        if name in self.WIDE:
            return int.from_bytes(ctypes.string_at(self.memory(name), 1024), "little")
        if name in ("busy", "illegal"):
            return getattr(self.library, f"unit_{name}")(self.unit)
        return self.inputs[name]

    def tick(self):
        for name in self.WIDE[:3]:
            if name in self.inputs:
                ctypes.memmove(self.memory(name), self.inputs[name].to_bytes(1024, "little"), 1024)
        self.library.unit_set(self.unit, *(ctypes.c_uint32(self.inputs[name]) for name in self.NARROW))
        self.library.unit_tick(self.unit)


def main():
    cocotb, clock, triggers = (types.ModuleType(name) for name in (
        "cocotb", "cocotb.clock", "cocotb.triggers"))
    cocotb.test = lambda: lambda body: tests.append(body) or body
    cocotb.start_soon = lambda coroutine: coroutine.close()  # the clock runs by itself here
    clock.Clock, triggers.FallingEdge = Clock, FallingEdge
    sys.modules.update({module.__name__: module for module in (cocotb, clock, triggers)})
    runpy.run_path(sys.argv[2])
    for test in tests:
        dut = Unit(sys.argv[1])
        coroutine = test(dut)
        try:
            while True:
                assert coroutine.send(None).signal is dut.clk
                dut.tick()
        except StopIteration:
            print(f"{test.__name__} passed")
    return not tests


sys.exit(main())
