# SPDX-License-Identifier: Apache-2.0
"""TensorLoad (Ztl), a RISC-V extension that rearranges tensors: its model and simulator, and its
operators on NumPy arrays.

>>> import ztl
>>> hart = ztl.Hart()
>>> hart.tl[1][:] = 7
>>> hart.execute('tl.addi tl2, tl1, 3')
>>> int(hart.tl[2][0])
10

ztl.Hart is a hart and ztl.Machine one with a program in it, ztl.ops has the operators, ztl.isa is the
table of the instruction set, ztl.onnx looks at models and runs them, ztl.timing has machines.
"""

from . import isa, onnx, ops, timing
from ._command import Timeline
from ._dtypes import dtype
from ._library import BadIndex, BadName, BadType, BadValue, Error, NotFound, core as _core
from .cycles import Timing
from .hart import Hart, Trap
from .isa import assemble, disassemble
from .machine import Access, Event, Machine

__all__ = ["Access", "BadIndex", "BadName", "BadType", "BadValue", "Error", "Event", "Hart", "Machine",
           "NotFound", "Timeline", "Timing", "Trap", "assemble", "disassemble", "dtype", "isa", "onnx", "ops",
           "timing"]
__version__: str = _core.ztl_version().decode()
