# SPDX-License-Identifier: Apache-2.0
"""The unit of merge_unit.sv beside the model as a test of cocotb, where that is installed; compare.py is
the same in plain Python.

    $ make -f $(cocotb-config --makefiles)/Makefile.sim SIM=verilator VERILOG_SOURCES=merge_unit.sv \
          TOPLEVEL_LANG=verilog TOPLEVEL=merge_unit MODULE=test_merge
"""

import cocotb
import numpy
import ztl
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge


def run_model(hart, d, shape, mask):
    """Whether the model refuses the shape; the result is in tl3."""
    hart.csr["tshape"], hart.csr["tmask_concat_1"] = shape, mask
    try:
        hart.execute(f"tl.merge.{d} tl3, tl1, tl2")
    except ztl.Trap as trap:
        return trap.reason == "SHAPE"
    return False


async def compare(dut, hart, random):
    """One instruction in both; whether it was a legal one."""
    for register, port in ((1, dut.a), (2, dut.b), (3, dut.old)):
        hart.tl[register][:] = random.integers(0, 256, 1024)
        port.value = int.from_bytes(hart.tl[register].tobytes(), "little")
    d0, d1, d2 = (int(random.integers(0, 1 << random.integers(1, 5))) for _ in range(3))
    d, shape, mask = int(random.integers(3)), d0 << 16 | d1 << 8 | d2, int(random.integers(1 << 32))
    refused = run_model(hart, d, shape, mask)
    dut.d.value, dut.shape.value, dut.mask.value, dut.start.value = d, shape, mask, 1
    await FallingEdge(dut.clk)
    dut.start.value = 0
    assert int(dut.illegal.value) == refused, f"tl.merge.{d}, shape {d0}, {d1}, {d2}"
    while int(dut.busy.value):
        await FallingEdge(dut.clk)
    if refused:
        return False
    assert int(dut.result.value).to_bytes(1024, "little") == hart.tl[3].tobytes(), (
        f"tl.merge.{d}, shape {d0}, {d1}, {d2}, mask {mask:#010x}")
    return True


@cocotb.test()
async def merges_as_the_model_does(dut):
    cocotb.start_soon(Clock(dut.clk, 2, units="ns").start())
    hart, random = ztl.Hart(memory=1 << 16), numpy.random.default_rng(1)
    dut.reset.value, dut.start.value = 1, 0
    await FallingEdge(dut.clk)
    dut.reset.value = 0
    legal = 0
    for _ in range(60):
        legal += await compare(dut, hart, random)
    assert 10 < legal < 55, legal
