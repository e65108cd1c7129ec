# SPDX-License-Identifier: Apache-2.0
"""A hart: registers, CSRs, memory, and one instruction at a time."""

import ctypes
import struct
import typing

import numpy

from . import _exchange, _library, _show
from ._library import (REGISTER_BYTES, REGISTERS, BadIndex, BadName, BadType, BadValue, Error, Failure,
                       Handle, core)
from ._source import assembled, labels_of, words_of
from .isa import check_word, csrs
from .memory import Memory

# Why a hart stopped, as enum ztl_stop counts.
STOPS = ("limit", "exit", "trap", "trap loop", "breakpoint", "watchpoint", "stopped", "wfi")
_X_NAMES = ("zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 "
            "t3 t4 t5 t6").split()
_X_INDEX = {name: index for index, name in enumerate(_X_NAMES)} | {
    f"x{index}": index for index in range(32)} | {"fp": 8}


_F_NAMES = ("ft0 ft1 ft2 ft3 ft4 ft5 ft6 ft7 fs0 fs1 fa0 fa1 fa2 fa3 fa4 fa5 fa6 fa7 fs2 fs3 fs4 fs5 "
            "fs6 fs7 fs8 fs9 fs10 fs11 ft8 ft9 ft10 ft11").split()
_F_INDEX = {name: index for index, name in enumerate(_F_NAMES)} | {
    f"f{index}": index for index in range(32)}
_NAMES = {"x": _X_INDEX, "f": _F_INDEX}


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


def trap_of(trap: typing.Any) -> Trap:
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
    """A view of a tensor register, 1024 bytes; a notebook shows it as a grid. What is computed from it
    is no register: a plain array or number."""

    def __array_wrap__(self, array, *_):
        return array if array is self else numpy.asarray(array)[()]

    def _repr_html_(self):
        shape = "×".join(map(str, self.shape)) or "1"
        return _show.titled(f"{shape} {self.dtype}", _show.grid(self))


class _Tensors:
    """hart.tl: what is handed out is a buffer of this process, copied to the hart before it runs and
    back after it, since the hart's own blocks change places."""

    def __init__(self, hart):
        self._hart = hart
        self._buffers: typing.Dict[int, numpy.ndarray] = {}

    def __len__(self):
        return REGISTERS

    def __repr__(self):
        used = [f"tl{index}" for index in range(REGISTERS) if self._read(index).any()]
        return f"<tl: {', '.join(used) + ' not 0' if used else 'all 0'}>"

    def _read(self, index):
        """What is in a register now."""
        return self._buffers[index] if index in self._buffers else self._copy(index)

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
        if _exchange.is_foreign(value):
            value = _exchange.array_of(value)[0]
        array = numpy.ascontiguousarray(numpy.frombuffer(value, "u1") if isinstance(
            value, (bytes, bytearray, memoryview)) else value)
        if array.dtype.hasobject or array.nbytes != REGISTER_BYTES:
            raise BadValue(f"a tensor register has {REGISTER_BYTES} bytes, this is {array.nbytes} of "
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
    if isinstance(index, str) and what in _NAMES:
        if index not in _NAMES[what]:
            raise BadName(f"there is no register {index!r}")
        return _NAMES[what][index]
    number = _library.whole(index)
    if number is None:
        raise BadType(f"{what}[{index!r}]: an index is a number{' or a name' * (what in _NAMES)}")
    if not 0 <= number < 32:
        raise BadIndex(f"{what}{number}: registers are {what}0 to {what}31")
    return number


def _list_of(title, names, values):
    """Registers that are not 0, for people."""
    found = [f"{name}={value}" for name, value in zip(names, values) if value != "0x0"]
    return f"<{title}: {' '.join(found) or 'all 0'}>"


class _Integers:
    """hart.x: by number or name."""

    def __init__(self, hart):
        self._hart = hart

    def __len__(self):
        return 32

    def __repr__(self):
        return _list_of("x", _X_NAMES, map(hex, self))

    def __getitem__(self, index: typing.Union[int, str]) -> int:
        return core.ztl_hart_x(self._hart._pointer, _check_index(index, "x"))

    def __setitem__(self, index: typing.Union[int, str], value: int):
        core.ztl_hart_set_x(self._hart._pointer, _check_index(index, "x"),
                            _library.bits(f"x[{index!r}]", value, self._hart.xlen))


class _FloatBits:
    """hart.f.bits: floating-point registers as whole numbers."""

    def __init__(self, hart):
        self._hart = hart

    def __len__(self):
        return 32

    def _width(self):
        width = core.ztl_hart_flen(self._hart._pointer)
        if not width:
            raise Error("the hart has no floating-point registers: its ISA string has no f or d")
        return width

    def __getitem__(self, index: typing.Union[int, str]) -> int:
        self._width()
        return core.ztl_hart_f(self._hart._pointer, _check_index(index, "f"))

    def __setitem__(self, index: typing.Union[int, str], value: int):
        core.ztl_hart_set_f(self._hart._pointer, _check_index(index, "f"),
                            _library.bits(f"f.bits[{index!r}]", value, self._width()))

    def __repr__(self):
        return _list_of("f.bits", _F_NAMES, map(hex, self))


class _FloatView:
    """Floating-point registers as numbers of one format; bits above it are ones, or else it is NaN."""

    def __init__(self, hart, bits=None):
        self._width_of = bits  # None: that of the registers
        #: the registers as whole numbers
        self.bits = _FloatBits(hart)

    def __len__(self):
        return 32

    def __repr__(self):
        return _list_of("f", _F_NAMES, (repr(one) if bits else "0x0"
                                        for one, bits in zip(self, self.bits)))

    def _format(self):
        """The width of the register, that of the number, and how it is packed."""
        flen = self.bits._width()
        width = self._width_of or flen
        if width > flen:
            raise Error(f"registers of {flen} bits hold no numbers of {width}")
        return flen, width, {16: "<e", 32: "<f", 64: "<d"}[width]

    def __getitem__(self, index: typing.Union[int, str]) -> float:
        flen, width, code = self._format()
        raw = self.bits[index]
        if raw >> width != (1 << flen - width) - 1:
            return float("nan")  # as the instructions read it
        return struct.unpack(code, (raw & (1 << width) - 1).to_bytes(width // 8, "little"))[0]

    def __setitem__(self, index: typing.Union[int, str], value: float):
        flen, width, code = self._format()
        try:
            raw = int.from_bytes(struct.pack(code, value), "little")
        except (struct.error, OverflowError) as error:
            kind = BadValue if isinstance(error, OverflowError) else BadType
            raise kind(f"f[{index!r}]: {value!r} is no number of {width} bits: {error}") from None
        self.bits[index] = raw | (1 << flen) - (1 << width)


class _Floats(_FloatView):
    """hart.f: floating-point registers by number or name, as numbers of their width: doubles with D,
    else singles. `bits` has them as whole numbers, `double`, `single` and `half` as such numbers."""

    def __init__(self, hart):
        super().__init__(hart)
        #: as numbers of 64, 32 and 16 bits
        self.double, self.single, self.half = (_FloatView(hart, width) for width in (64, 32, 16))


class _Csrs:
    """hart.csr: by name or address, of Ztl or of the base, as a debugger sees them."""

    def __init__(self, hart):
        self._hart = hart

    def _address(self, name):
        address = ctypes.c_uint()
        if not isinstance(name, str):
            number = _library.whole(name)
            if number is None:
                raise BadType(f"csr[{name!r}]: a CSR has a name or an address")
            if not 0 <= number < 1 << 12:
                raise BadName(f"csr[{name!r}]: addresses of CSRs are 0 to 0xfff")
            return number
        if "\0" in name or not core.ztl_hart_csr_address(self._hart._pointer, name.encode(), address):
            raise BadName(f"the hart has no CSR {name!r}")
        return address.value

    def __getitem__(self, name: typing.Union[int, str]) -> int:
        value = ctypes.c_uint64()
        address = self._address(name)
        if not core.ztl_hart_debug_csr_read(self._hart._pointer, address, value):
            raise BadName(f"the hart has no CSR {name if isinstance(name, str) else hex(address)}")
        return value.value

    def __setitem__(self, name: typing.Union[int, str], value: int):
        pointer, address = self._hart._pointer, self._address(name)
        value = _library.bits(f"csr[{name!r}]", value, self._hart.xlen)
        if not core.ztl_hart_debug_csr_write(pointer, address, value):
            self[name]  # BadName where there is none
            raise Error(f"CSR {name!r} is read-only")

    def __contains__(self, name):
        try:
            self[name]
        except KeyError:
            return False
        return True

    __iter__ = None  # by name or address: 0, 1, 2 … are not all there

    def __repr__(self):
        names = [row.name for row in csrs if row.count == 1 and row.name in self]  # strides are many
        return _list_of("csr of Ztl", names, (hex(self[name]) for name in names))


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

    Floating-point registers are numbers; their bits are there too:

    >>> hart.f['fa0'] = 1.5
    >>> hart.f[10], hex(hart.f.bits[10])
    (1.5, '0x3ff8000000000000')
    >>> hart.f.single[11] = -2
    >>> hart.f.single[11], hex(hart.f.bits[11]), hart.csr['fcsr']
    (-2.0, '0xffffffffc0000000', 0)

    A hart belongs to one thread at a time.
    """

    def __init__(self, revision: int = 2, xlen: int = 64, isa: typing.Optional[str] = None, *,
                 memory: int = 128 << 20, base: int = 0x80000000, _ram=None):
        if isa is None:
            if revision not in (1, 2) or xlen not in (32, 64):
                raise BadValue(f"revision is {revision!r} and xlen is {xlen!r}, must be 1 or 2 and 32 or 64")
            isa = default_isa(xlen) + ("" if revision == 2 else "1p0")
        memory = _library.integer("memory", memory, 1, (1 << 48) - 1)
        base = _library.integer("base", base, 0, (1 << 64) - 1)
        ram = _ram or (_library.Window * 1)(_library.Window(base, memory))
        config = core.ztl_hart_default_config()
        config.isa, config.ram, config.ram_count = _library.c_text("isa", isa), ram, len(ram)
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
        #: floating-point registers, by number or name
        self.f = _Floats(self)
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
        core.ztl_hart_set_pc(self._pointer, _library.bits("pc", value, self.xlen))

    def execute(self, instruction: typing.Union[str, int]) -> None:
        """Executes one instruction, a word or its text; Trap when it traps. What stands for several,
        as a long li does, is all of them."""
        if isinstance(instruction, str):
            with assembled(instruction, self._isa, self.pc) as source:
                words = words_of(source)
        else:
            words = [check_word(instruction)]
        for word in words:
            self._execute(word)

    def _execute(self, word):
        pointer = self._pointer
        stop = self._call(core.ztl_hart_execute, pointer, word)
        if stop == STOPS.index("trap"):
            raise trap_of(core.ztl_hart_last_trap(pointer).contents)
        if stop != STOPS.index("limit"):
            raise Error(f"the instruction stopped the hart: {STOPS[stop]}")

    def load(self, program: str, base: typing.Optional[int] = None) -> typing.Dict[str, int]:
        """Assembles a program, with labels and data, into memory, without other tools, and sets pc to
        its _start. Returns the labels' addresses.

        >>> hart = Hart()
        >>> labels = hart.load("_start: la a0, value; ld a1, (a0); .data; value: .dword 0x123456789")
        >>> hex(labels["value"]), hart.pc == labels["_start"]
        ('0x8000000c', True)

        base is where it goes: the start of memory.
        """
        first = core.ztl_hart_ram(self._pointer, 0).contents.base
        base = first if base is None else _library.integer("base", base, 0, (1 << self.xlen) - 1)
        with assembled(program, self._isa, base) as source:
            if not self._call(core.ztl_source_load, source, self._pointer):
                raise BadValue(f"the program at {base:#x} does not fit the memory")
            return labels_of(source)

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
        if not self._call(core.ztl_hart_save, pointer, _library.path(path), failure):
            raise Error(str(failure))

    def restore(self, path) -> None:
        """Brings back what was saved from a hart of the same ISA and memory."""
        pointer, failure = self._pointer, Failure()
        if not self._call(core.ztl_hart_restore, pointer, _library.path(path), failure):
            raise Error(str(failure))

    def close(self) -> None:
        """Lets go of the hart. Arrays in its memory stay good: it is freed after the last one."""
        if self._running:
            raise Error("the hart is running")
        self._handle = None

    def __reduce__(self):
        raise Error(f"a {type(self).__name__} cannot be copied or pickled; save(path) keeps its state")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return f"<{type(self).__name__} {self.isa if self._handle else 'closed'}>"
