#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The unit of merge_unit.sv beside the model, clock by clock, from Python.

    $ verilator --cc --exe --build merge_unit.sv ports.cpp -o libunit.so -CFLAGS -fPIC -LDFLAGS -shared
    $ python3 compare.py obj_dir/libunit.so
"""

import ctypes
import sys

import numpy
import ztl


class Unit:
    """The Verilog unit. Its wide ports are arrays of 1024 bytes, in the simulator's own memory."""

    def __init__(self, path):
        self._library = ctypes.CDLL(path)
        self._library.unit_new.restype = self._library.unit_port.restype = ctypes.c_void_p
        self._unit = ctypes.c_void_p(self._library.unit_new())
        self.a, self.b, self.old, self.result = (
            numpy.frombuffer((ctypes.c_uint8 * 1024).from_address(
                self._library.unit_port(self._unit, index)), "u1") for index in range(4))
        self._library.unit_set(self._unit, 1, 0, 0, 0, 0)
        self.tick()

    def tick(self):
        self._library.unit_tick(self._unit)

    def start(self, d, shape, mask):
        self._library.unit_set(self._unit, 0, 1, d, ctypes.c_uint32(shape), ctypes.c_uint32(mask))
        self.tick()
        self._library.unit_set(self._unit, 0, 0, d, ctypes.c_uint32(shape), ctypes.c_uint32(mask))

    @property
    def busy(self):
        return self._library.unit_busy(self._unit)

    @property
    def illegal(self):
        return self._library.unit_illegal(self._unit)

    def close(self):
        self._library.unit_free(self._unit)


def run_model(hart, d, shape, mask):
    """The reason of a trap, or None; the result is in tl3."""
    hart.csr["tshape"], hart.csr["tmask_concat_1"] = shape, mask
    try:
        hart.execute(f"tl.merge.{d} tl3, tl1, tl2")
    except ztl.Trap as trap:
        return trap.reason
    return None


def compare(hart, unit, random):
    """One instruction in both; whether it was a legal one."""
    for register, port in zip((1, 2, 3), (unit.a, unit.b, unit.old)):
        port[:] = random.integers(0, 256, 1024)
        hart.tl[register][:] = port
    d0, d1, d2 = (int(random.integers(0, 1 << random.integers(1, 7))) for _ in range(3))
    d, shape, mask = int(random.integers(3)), d0 << 16 | d1 << 8 | d2, int(random.integers(1 << 32))
    reason = run_model(hart, d, shape, mask)
    unit.start(d, shape, mask)
    where = f"tl.merge.{d}, shape {d0}, {d1}, {d2}, mask {mask:#010x}"
    assert unit.illegal == (reason == "SHAPE"), f"{where}: illegal {unit.illegal}, reason {reason}"
    if reason:
        return False
    # After each clock one more byte is the model's, and those that follow are still the old ones.
    for index in range(d0 * d1 * d2):
        assert unit.busy, f"{where}: ends before byte {index}"
        unit.tick()
        assert unit.result[index] == hart.tl[3][index], f"{where}: byte {index}"
    assert not unit.busy, f"{where}: does not end"
    numpy.testing.assert_array_equal(unit.result, hart.tl[3], where)
    return True


def main():
    hart, unit, random = ztl.Hart(memory=1 << 16), Unit(sys.argv[1]), numpy.random.default_rng(1)
    legal = sum(compare(hart, unit, random) for _ in range(200))
    unit.close()
    assert 40 < legal < 180, legal
    print("the unit agrees with the model on 200 instructions, clock by clock")


main()
