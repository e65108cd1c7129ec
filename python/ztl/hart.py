# SPDX-License-Identifier: Apache-2.0
"""A hart: registers, CSRs, memory, and one instruction at a time."""

import ctypes
import typing

import numpy

from . import _library, _show
from ._library import REGISTER_BYTES, REGISTERS, Error, Failure, Handle, core
from .isa import assemble, check_word

_STOP_LIMIT, _STOP_TRAP = 0, 2
_X_NAMES = ("zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 "
            "t3 t4 t5 t6").split()
_X_INDEX = {name: index for index, name in enumerate(_X_NAMES)} | {
    f"x{index}": index for index in range(32)} | {"fp": 8}


def default_isa(xlen: int) -> str:
    """The ISA string that the library has for a hart, of Ztl 2."""
    return core.ztl_hart_default_config().isa.decode().replace("rv64", f"rv{xlen}")


class Trap(Exception):
    """An instruction trapped. The text is the sentence that explains it.

    cause and tval are as in mcause and mtval, reason is the name of what tl_xpose_status tells, or
    'NONE'; pc and word tell where.
    """

    def __init__(self, cause: int, tval: int, reason: str, sentence: str, pc: int, word: int):
        super().__init__(sentence)
        self.cause, self.tval, self.reason, self.sentence = cause, tval, reason, sentence
        self.pc, self.word = pc, word

    def __reduce__(self):
        return type(self), (self.cause, self.tval, self.reason, self.sentence, self.pc, self.word)


def trap_of(trap: _library.HartTrap) -> Trap:
    """The exception of a trap."""
    reason, sentence = "NONE", ""
    if trap.ztl.status == 1:  # ZTL_TRAP: of a Ztl instruction
        reason = core.ztl_reason_name(trap.ztl.reason).decode()
        sentence = _library.text_of(core.ztl_explain, trap.ztl)
    if not sentence:
        cause = core.ztl_hart_cause_name(trap.cause, trap.interrupt).decode()
        sentence = f"{cause}, tval {trap.tval:#x}, at {trap.pc:#x}"
    return Trap(trap.cause, trap.tval, reason, sentence, trap.pc, trap.word)


class Register(numpy.ndarray):
    """A view of a tensor register, 1024 bytes; a notebook shows it as a grid."""

    def _repr_html_(self):
        flat = self.reshape(-1)
        return _show.titled(f"{self.size} × {self.dtype}", _show.grid(flat))


class _Tensors:
    """hart.tl: what is handed out is a buffer of this process, copied to the hart before it runs and
    back after it, since the hart's own blocks change places."""

    def __init__(self, hart):
        self._hart = hart
        self._buffers: typing.Dict[int, numpy.ndarray] = {}

    def __len__(self):
        return REGISTERS

    def __getitem__(self, index: int) -> Register:
        index = _check_index(index, "tl")
        if self._hart._running or index == 0:
            view = self._copy(index)
            view.flags.writeable = False
            return view.view(Register)
        if index not in self._buffers:
            self._buffers[index] = self._copy(index)
        return self._buffers[index].view(Register)

    def __setitem__(self, index: int, value):
        index = _check_index(index, "tl")
        array = numpy.ascontiguousarray(numpy.frombuffer(value, "u1") if isinstance(
            value, (bytes, bytearray, memoryview)) else value)
        if array.dtype.hasobject or array.nbytes != REGISTER_BYTES:
            raise Error(f"a tensor register has {REGISTER_BYTES} bytes, this is {array.nbytes} of "
                        f"{array.dtype}")
        if self._hart._running:
            raise Error("a tensor register cannot be written while the hart runs")
        if index:
            self[index][:] = array.reshape(-1).view("u1")

    def _copy(self, index):
        state = core.ztl_hart_ztl(self._hart._pointer)
        return numpy.frombuffer(ctypes.string_at(core.ztl_get_register(state, index), REGISTER_BYTES),
                                "u1").copy()

    def push(self):
        """To the hart."""
        if self._buffers:
            state = core.ztl_hart_ztl(self._hart._pointer)
            for index, buffer in self._buffers.items():
                core.ztl_set_register(state, index, buffer.ctypes.data)

    def pull(self):
        """From the hart."""
        if self._buffers:
            state = core.ztl_hart_ztl(self._hart._pointer)
            for index, buffer in self._buffers.items():
                ctypes.memmove(buffer.ctypes.data, core.ztl_get_register(state, index),
                               REGISTER_BYTES)


def _check_index(index, what):
    if isinstance(index, str) and what == "x":
        if index not in _X_INDEX:
            raise Error(f"there is no register {index!r}")
        return _X_INDEX[index]
    try:
        number = index.__index__()
    except AttributeError:
        raise Error(f"{what}[{index!r}]: an index is a number") from None
    if not 0 <= number < 32:
        raise IndexError(f"{what}{number}: registers are {what}0 to {what}31")
    return number


class _Integers:
    """hart.x: by number or name."""

    def __init__(self, hart):
        self._hart = hart

    def __len__(self):
        return 32

    def __getitem__(self, index: typing.Union[int, str]) -> int:
        return core.ztl_hart_x(self._hart._pointer, _check_index(index, "x"))

    def __setitem__(self, index: typing.Union[int, str], value: int):
        core.ztl_hart_set_x(self._hart._pointer, _check_index(index, "x"),
                            int(value) & ((1 << self._hart.xlen) - 1))


class _Csrs:
    """hart.csr: by name or address, of Ztl or of the base, as a debugger sees them."""

    def __init__(self, hart):
        self._hart = hart

    def _address(self, name):
        address = ctypes.c_uint()
        if not isinstance(name, str):
            return int(name)
        if not core.ztl_hart_csr_address(self._hart._pointer, name.encode(), address):
            raise KeyError(name)
        return address.value

    def __getitem__(self, name: typing.Union[int, str]) -> int:
        value = ctypes.c_uint64()
        if not core.ztl_hart_debug_csr_read(self._hart._pointer, self._address(name), value):
            raise KeyError(name)
        return value.value

    def __setitem__(self, name: typing.Union[int, str], value: int):
        pointer, address = self._hart._pointer, self._address(name)
        value = int(value) & ((1 << self._hart.xlen) - 1)
        if not core.ztl_hart_debug_csr_write(pointer, address, value):
            raise KeyError(name)


class Memory:
    """hart.memory: bytes by address. `memory[a:b]` and `memory.read` copy, `memory.view` does not."""

    def __init__(self, hart):
        self._hart = hart

    def read(self, address: int, size: int) -> bytes:
        """A copy of `size` bytes."""
        self._check(address, size)
        buffer = ctypes.create_string_buffer(size)
        done = core.ztl_hart_read_memory(self._hart._pointer, address, buffer, size)
        if done != size:
            raise Error(f"there is no memory at {address + done:#x}")
        return buffer.raw

    def write(self, address: int, data) -> None:
        """Copies bytes or an array to memory; nothing where it does not fit."""
        data = data.tobytes() if isinstance(data, numpy.ndarray) else bytes(data)
        self.read(address, len(data))
        core.ztl_hart_write_memory(self._hart._pointer, address, data, len(data))

    def view(self, address: int, shape, dtype="u1") -> numpy.ndarray:
        """An array in the hart's memory itself. Do not write code through it."""
        dtype = numpy.dtype(dtype)
        if dtype.hasobject:
            raise Error(f"memory has no elements of {dtype}")
        shape = tuple(shape) if numpy.iterable(shape) else (int(shape),)
        if any(extent < 0 for extent in shape):
            raise Error(f"{shape} is no shape")
        size = dtype.itemsize
        for extent in shape:
            size *= int(extent)
        self._check(address, size)
        index = 0
        while piece := core.ztl_hart_ram(self._hart._pointer, index):
            ram = piece.contents
            if ram.base <= address and address + size <= ram.base + ram.size:
                buffer = (ctypes.c_uint8 * size).from_address(ram.bytes + address - ram.base)
                buffer.owner = self._hart._handle  # the memory lives as long as the array does
                return numpy.frombuffer(buffer, dtype).reshape(shape) if size else numpy.empty(
                    shape, dtype)
            index += 1
        raise Error(f"there are no {size} bytes of memory at {address:#x}")

    @staticmethod
    def _check(address, size):
        if not (isinstance(address, int) and 0 <= address < 1 << 64 and 0 <= size < 1 << 48):
            raise Error(f"{address!r} and {size!r} are no address and size")

    def _range(self, key):
        if isinstance(key, slice):
            if key.start is None or key.stop is None or key.step not in (None, 1) or (
                    key.stop < key.start):
                raise Error("memory is read from one address to another: memory[a:b]")
            return key.start, key.stop - key.start
        return key, 1

    def __getitem__(self, key):
        data = self.read(*self._range(key))
        return data if isinstance(key, slice) else data[0]

    def __setitem__(self, key, value):
        address, size = self._range(key)
        if not isinstance(key, slice):
            value = bytes([value])
        value = value.tobytes() if isinstance(value, numpy.ndarray) else bytes(value)
        if len(value) != size:
            raise Error(f"{len(value)} bytes do not fill {size}")
        self.write(address, value)


class Hart:
    """A RISC-V hart with Ztl, and memory.

    >>> import numpy, ztl
    >>> hart = ztl.Hart()
    >>> hart.tl[1][:4] = 0, 1, 2, 3
    >>> hart.x[10] = 0x01014020                       # a tensor of 32 rows of 64 bytes
    >>> hart.execute('tl.xpose.01 tl1, tl2, a0')
    >>> hart.tl[1].reshape(-1, 32)[:4, 0].tolist()
    [0, 1, 2, 3]
    >>> hart.tl[3].view('i2').shape
    (512,)
    >>> hart.csr['tshape'] = 4 << 16 | 1 << 8 | 8
    >>> hex(hart.csr['tshape'])
    '0x40108'

    A trap is an exception, and nothing has changed but tl_xpose_status:

    >>> hart.x['a0'] = 0x04080804
    >>> try:
    ...     hart.execute(0x0220b55b)
    ... except ztl.Trap as trap:
    ...     print(trap.cause, trap.reason, trap)
    2 SHAPE SHAPE: D0·D1·D2·D3 = 1024 bytes, must be 2048

    A hart belongs to one thread at a time.
    """

    def __init__(self, revision: int = 2, xlen: int = 64, isa: typing.Optional[str] = None, *,
                 memory: int = 128 << 20, base: int = 0x80000000):
        if isa is None:
            if revision not in (1, 2) or xlen not in (32, 64):
                raise Error("revision is 1 or 2, xlen is 32 or 64")
            isa = default_isa(xlen) + ("" if revision == 2 else "1p0")
        if not 0 < memory < 1 << 48 or not 0 <= base < 1 << 64:
            raise Error(f"memory of {memory} bytes at {base:#x} is not possible")
        ram = _library.Window(base, memory)
        config = core.ztl_hart_default_config()
        config.isa, config.ram, config.ram_count = isa.encode(), ctypes.pointer(ram), 1
        config.reset_pc = base
        failure = Failure()
        pointer = core.ztl_hart_create(config, failure)
        if not pointer:
            raise Error(str(failure))
        self._running = False
        self._handle: typing.Optional[Handle] = Handle(pointer, core.ztl_hart_destroy)
        self._isa = core.ztl_hart_isa_of(pointer).contents
        #: RV32 or RV64
        self.xlen: int = self._isa.xlen
        #: of Ztl
        self.revision: int = self._isa.ztl_revision
        #: tensor registers, as writable arrays of 1024 bytes
        self.tl = _Tensors(self)
        #: integer registers, by number or name
        self.x = _Integers(self)
        #: CSRs, by name or address
        self.csr = _Csrs(self)
        #: memory, by address
        self.memory = Memory(self)

    @property
    def _pointer(self):
        if self._handle is None:
            raise Error("the hart is closed")
        return self._handle.pointer

    @property
    def isa(self) -> str:
        """The ISA string."""
        self._pointer
        return _library.text_of(core.ztl_hart_isa_print, self._isa)

    @property
    def pc(self) -> int:
        """The program counter."""
        return core.ztl_hart_pc(self._pointer)

    @pc.setter
    def pc(self, value: int):
        core.ztl_hart_set_pc(self._pointer, int(value) & ((1 << self.xlen) - 1))

    def execute(self, instruction: typing.Union[str, int]) -> None:
        """Executes one instruction, a word or the text of a Ztl instruction; Trap when it traps."""
        pointer = self._pointer
        word = (assemble(instruction, self.revision) if isinstance(instruction, str)
                else check_word(instruction))
        stop = self._call(core.ztl_hart_execute, pointer, word)
        if stop == _STOP_TRAP:
            raise trap_of(core.ztl_hart_last_trap(pointer).contents)
        if stop != _STOP_LIMIT:
            raise Error(f"the instruction stopped the hart: {stop}")

    def _call(self, function, *arguments):
        """Calls what runs the hart, with the views of its registers up to date before and after."""
        if self._running:
            raise Error("the hart is running already")
        self.tl.push()
        self._running = True
        try:
            return function(*arguments)
        finally:
            self._running = False
            self.tl.pull()

    def reset(self) -> None:
        """Registers and CSRs as after power-on; memory stays."""
        self._call(core.ztl_hart_reset, self._pointer)

    def save(self, path) -> None:
        """Writes registers, CSRs and memory to a file."""
        pointer, failure = self._pointer, Failure()
        if not self._call(core.ztl_hart_save, pointer, _path(path), failure):
            raise Error(str(failure))

    def restore(self, path) -> None:
        """Brings back what was saved from a hart of the same ISA and memory."""
        pointer, failure = self._pointer, Failure()
        if not self._call(core.ztl_hart_restore, pointer, _path(path), failure):
            raise Error(str(failure))

    def close(self) -> None:
        """Lets go of the hart. Arrays in its memory stay good: it is freed after the last one."""
        if self._running:
            raise Error("the hart is running")
        self._handle = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return f"<{type(self).__name__} {self.isa if self._handle else 'closed'}>"


def _path(path):
    data = bytes(path) if isinstance(path, bytes) else str(path).encode()
    if b"\0" in data:
        raise Error(f"{path!r} is no name of a file")
    return data
