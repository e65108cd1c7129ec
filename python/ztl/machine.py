# SPDX-License-Identifier: Apache-2.0
"""Programs on a hart: running, stopping, watching and counting."""

import ctypes
import dataclasses
import time
import typing
import weakref

from . import _library, _process, _programs, _progress, _show, timing as timing_machines
from ._command import Timeline
from ._console import Console, HeldSignals
from ._library import BadName, BadType, BadValue, Error, Failure, Handle, core, timing as _timing
from .cycles import Timing, write_timeline
from .hart import STOPS, Hart, Trap, default_isa, trap_of

_SLICE = 2_000_000  # instructions between looks at signals
_WATCH = {"store": 1, "load": 2, "access": 3}


@dataclasses.dataclass(frozen=True)
class Access:
    """An access of memory; value is 0 for more than 8 bytes."""
    address: int
    size: int
    value: int
    is_store: bool


@dataclasses.dataclass(frozen=True)
class Event:
    """One instruction that retired or trapped."""
    pc: int
    next_pc: int
    word: int
    text: str
    #: the integer register written, its new value; None
    x: typing.Optional[typing.Tuple[int, int]]
    #: tensor registers written
    tl: typing.Tuple[int, ...]
    #: CSRs written: address and value
    csrs: typing.Tuple[typing.Tuple[int, int], ...]
    accesses: typing.Tuple[Access, ...]
    trap: typing.Optional[Trap]
    #: the floating-point register written, its bits; None
    f: typing.Optional[typing.Tuple[int, int]] = None

    def __repr__(self):
        return f"<{self.pc:#x}: {self.text}{', ' + self.trap.sentence if self.trap else ''}>"


class Stats(dict):
    """Counts by name: classes, mnemonics, bytes; those that are not 0."""

    def _repr_html_(self):
        return _show.table(self.items())


class Machine(Hart):
    """A hart with a program in it.

    `program` is an ELF file, a source in assembly, C or C++, which `ztl cc` builds, or the text of an
    assembly program, of more than one line.

    >>> machine = Machine('''
    ...     .globl _start
    ... _start:
    ...     tl.addi tl1, tl0, 5
    ... loop:
    ...     tl.addi tl1, tl1, 5
    ...     j loop
    ... ''', stats=True)
    >>> machine.break_at('loop')
    >>> machine.run(), machine.where()
    ('breakpoint', 'loop')
    >>> [event.text for event in machine.events(2)]
    ['tl.addi tl1, tl1, 5', 'c.j 0x80000004']
    >>> int(machine.tl[1][0]), machine.stats['tl.addi']
    (10, 2)

    arguments are those of main; input is what the guest reads; output is called with the bytes that
    it writes, which are also in `output`; directory is where it may open files. timing names a
    machine of `ztl timing --list` to count cycles on. Memory is 128 MiB at 0x80000000, and where the
    program is, unless memory and base say otherwise.

    A static Linux program runs in user mode, and its system calls are answered as by `ztl run`:
    environment is its environment, seed that of its random numbers; memory is its address space,
    1 GiB unless it says otherwise. After a signal that ended it, exit_code is 128 and the signal.
    """

    def __init__(self, program, *, isa: typing.Optional[str] = None,
                 arguments: typing.Sequence[str] = (), options: typing.Sequence[str] = (),
                 input: bytes = b"", output: typing.Optional[typing.Callable[[bytes], None]] = None,
                 directory=None, timing: typing.Union[str, timing_machines.Machine, None] = None,
                 stats: bool = False,
                 memory: typing.Optional[int] = None, base: typing.Optional[int] = None,
                 environment: typing.Optional[typing.Mapping[str, str]] = None, seed: int = 0):
        if base is not None:
            base = _library.integer("base", base, 0, (1 << 64) - 1)
        if isa is not None:
            _library.c_text("isa", isa)
        opened = _programs.open_program(program, isa, 0x80000000 if base is None else base, options)
        is_linux = core.ztl_program_is_linux(opened.pointer)
        if (environment or seed) and not is_linux:
            raise BadValue("environment and seed are for Linux programs")
        if isa is None:
            isa = default_isa(core.ztl_program_xlen(opened.pointer))
        is_placed = memory is not None or base is not None
        ram = _process.window(opened, memory, base) if is_linux else (
            None if is_placed else _programs.ram_of(opened))
        super().__init__(isa=isa, memory=128 << 20 if memory is None else memory,
                         base=0x80000000 if base is None else base, _ram=ram)
        self._program, self._console = opened, Console(input, output)
        self._breakpoints: typing.Set[int] = set()
        self._watchers: typing.List[typing.Callable] = []
        self._failed: typing.Optional[BaseException] = None
        self._stats = _library.Stats() if stats else None
        #: of the program's end
        self.exit_code: typing.Optional[int] = None
        self._process: typing.Optional[_process.Process] = None
        self._attach_host("" if is_linux else _programs.join(arguments), directory, is_linux)
        self._attach_timing(timing)
        self._observe()
        if is_linux:
            self._process = _process.Process(self._host, program, arguments, environment, seed)
            self._process.start(opened, self._pointer, self._handle)
            return
        failure = Failure()
        if not core.ztl_program_load(opened.pointer, self._pointer, failure):
            raise Error(str(failure))

    # What the library keeps pointers to is kept by the handle of the hart, which is freed first.

    def _attach_host(self, command_line, directory, is_linux):
        write, read = _library.OUTPUT(self._console.write), _library.INPUT(self._console.read)
        line, self._console.hart = command_line.encode(), self._pointer
        config = _library.HostConfig(output=write, input=read, command_line=line,
                                     directory=None if directory is None else _library.path(directory))
        failure = Failure()
        pointer = core.ztl_host_create(config, failure)
        if not pointer:
            raise Error(str(failure))
        self._host = Handle(pointer, core.ztl_host_destroy, program=self._program,
                            console=(write, read, line))
        self._handle.keep["host"] = self._host
        if not is_linux:
            core.ztl_host_attach(pointer, self._pointer, self._program.pointer)

    def _attach_timing(self, text):
        self._timing = self._timeline = None
        if text is None:
            return
        self._engines, failure = _library.TimingMachine(), Failure()
        text = str(text) if isinstance(text, timing_machines.Machine) else text
        if not _timing.ztl_timing_parse(_library.c_text("timing", text), self._engines, failure):
            raise Error(str(failure))
        pointer = _timing.ztl_timing_create(self._engines)
        if not pointer:
            raise MemoryError
        config = _library.TimelineConfig(machine=self._engines, isa=self._isa, to=2**64 - 1)
        line = _timing.ztl_timeline_create(config)
        if not line:
            _timing.ztl_timing_destroy(pointer)
            raise MemoryError
        self._timeline = Handle(line, _timing.ztl_timeline_destroy)
        self._timing = Handle(pointer, _timing.ztl_timing_destroy, timeline=self._timeline)
        _timing.ztl_timing_set_sink(pointer, _timing.ztl_timeline_sink(line))
        core.ztl_hart_set_clock(self._pointer, _timing.ztl_timing_clock(pointer))
        self._handle.keep["timing"] = self._timing

    def _observe(self):
        """Sets the observer: one of the library directly, several through Python."""
        parts = []
        if self._stats is not None:
            parts.append(core.ztl_stats_observer(self._stats))
        if self._timing is not None:
            parts.append(_timing.ztl_timing_observer(self._timing.pointer))
        called = None
        if len(parts) > 1 or self._watchers:
            known = [(_library.HAPPENED(part.happened), part.context) for part in parts]
            weak = weakref.ref(self)

            def happened(_, hart, event):
                for function, context in known:
                    function(context, hart, event)
                machine = weak()
                if machine is not None and machine._watchers:
                    machine._tell(event.contents)

            called = _library.HAPPENED(happened)
            part = _library.Observer(None, ctypes.cast(called, ctypes.c_void_p))
        else:
            part = parts[0] if parts else None
        core.ztl_hart_set_observer(self._pointer, part)
        self._handle.keep["observer"] = called, self._stats  # what it was before is used no more

    def _tell(self, raw):
        if self._failed is not None:
            return
        try:
            event = self._event(raw)
            for watcher in list(self._watchers):
                watcher(event)
        except BaseException as error:  # goes on in run()
            self._failed = error
            core.ztl_hart_request_stop(self._pointer)

    def _event(self, raw):
        text = _library.text_of(core.ztl_hart_disassemble, self._isa, raw.pc, raw.word)
        return Event(
            raw.pc, raw.next_pc, raw.word, text, (raw.rd, raw.rd_new) if raw.rd else None,
            tuple(raw.tl[:raw.tl_count]),
            tuple((raw.csr[i].address, raw.csr[i].value) for i in range(raw.csr_count)),
            tuple(Access(a.address, a.size, a.value, a.is_store)
                  for a in (raw.access[i] for i in range(raw.access_count))),
            trap_of(raw.trap) if raw.trapped else None,
            (raw.fd, raw.fd_new) if raw.writes_f else None)

    # ---- Running -------------------------------------------------------------------------------

    def run(self, limit: typing.Optional[int] = None, progress=None) -> str:
        """Runs until the program ends, traps (Trap), is interrupted or comes to a breakpoint or
        watchpoint, or for `limit` instructions. Returns why it stopped: 'exit', 'breakpoint',
        'watchpoint', 'limit', 'wfi'. A program that has ended stays so until restore() or reset().
        `progress` is True for a line in the terminal or notebook, or a function of (step, seconds):
        called now and then."""
        told, start = _progress.of(progress), time.monotonic()
        try:
            return self._run(limit, told and (lambda: told(
                f"{self.retired} instructions, at {self.where() or hex(self.pc)}",
                time.monotonic() - start)))
        finally:
            if told:
                told("", time.monotonic() - start)

    def _run(self, limit, tell):
        pointer, left = self._pointer, _check_limit(limit)
        if self.exit_code is not None:
            return "exit"
        while left is None or left > 0:
            part = _SLICE if left is None else min(left, _SLICE)
            before = core.ztl_hart_attempted(pointer)
            stop = self._go(core.ztl_hart_run, pointer, part)
            if stop != "limit":
                return stop
            if tell:
                tell()
            if left is not None:
                left -= core.ztl_hart_attempted(pointer) - before
            # A run does not stop at a breakpoint where it starts.
            if (left is None or left > 0) and self.pc in self._breakpoints:
                return "breakpoint"
        return "limit"

    def execute(self, instruction: typing.Union[str, int]) -> None:
        """Executes one instruction, a word or the text of a Ztl instruction; Trap when it traps."""
        try:
            with HeldSignals(self):
                super().execute(instruction)
        finally:
            self._raise_failed()

    def _raise_failed(self):
        """What was raised in a function that the library called."""
        failed = self._failed or self._console.failed
        self._failed = self._console.failed = None
        if failed is not None:
            raise failed

    def _go(self, function, *arguments):
        """Runs, and turns what happened into a word or an exception."""
        pointer, stop = self._pointer, "stopped"
        while stop == "stopped":  # without a failure, the stop was asked for after the last run
            with HeldSignals(self):
                stop = STOPS[self._call(function, *arguments)]
            if self._failed or self._console.failed:
                break
        if self._process and stop in ("trap", "trap loop"):
            stop = self._judge(stop)
        if stop == "ended":
            stop = "exit"
        elif self._process and stop == "exit" and self._process.is_stuck:
            stop = "wfi"
        elif stop == "exit" or core.ztl_host_poll(self._host.pointer, pointer):
            stop, self.exit_code = "exit", core.ztl_hart_exit_code(pointer)
        self._raise_failed()
        if stop in ("trap", "trap loop"):
            raise trap_of(core.ztl_hart_last_trap(pointer).contents)
        return stop

    def _judge(self, stop):
        """What a trap of a Linux program comes to."""
        if self._process.goes_on():
            return "limit"
        if self._process.exit_code is None:
            return stop
        self.exit_code = self._process.exit_code
        return "ended"

    def _refuse_process(self, what):
        if self._process:
            raise Error(f"a Linux program has no {what}: its files and signals are the simulator's")

    def save(self, path) -> None:
        """Writes registers, CSRs and memory to a file."""
        self._refuse_process("saved state")
        super().save(path)

    def reset(self) -> None:
        """Registers and CSRs as after power-on, pc at the program's entry; memory stays."""
        self._refuse_process("reset")
        super().reset()
        self.pc, self.exit_code = core.ztl_program_entry(self._program.pointer), None

    def restore(self, path) -> None:
        """Brings back what was saved from a hart of the same ISA and memory."""
        self._refuse_process("saved state")
        super().restore(path)
        self.exit_code = None

    def step(self) -> typing.Optional[Event]:
        """Runs one instruction and tells what happened; None where nothing ran, as at wfi."""
        return next(self.events(1), None)

    def events(self, limit: typing.Optional[int] = None) -> typing.Iterator[Event]:
        """Runs instruction by instruction, and yields what each did, until the program ends."""
        return self._events(_check_limit(limit))

    def _events(self, limit):
        seen: typing.List[Event] = []
        self.watch(seen.append)
        try:
            while self.exit_code is None and (limit is None or limit > 0):
                self._go(core.ztl_hart_step, self._pointer)
                if not seen:
                    return
                yield seen.pop()
                limit = None if limit is None else limit - 1
        finally:
            self.unwatch(seen.append)

    def watch(self, callback: typing.Callable[[Event], None]) -> None:
        """Calls a function after each instruction. An exception in it ends the run. It may look at
        the machine; tensor registers are copies then."""
        if not callable(callback):
            raise BadType(f"{callback!r} cannot be called")
        self._pointer
        self._watchers.append(callback)
        if not self._running:
            self._observe()

    def unwatch(self, callback: typing.Callable[[Event], None]) -> None:
        """No longer calls a function."""
        if callback not in self._watchers:
            raise BadValue(f"{callback!r} does not watch")
        self._watchers.remove(callback)
        if not self._running and self._handle is not None:
            self._observe()

    # ---- Places --------------------------------------------------------------------------------

    def symbol(self, name: str) -> int:
        """The address of a symbol."""
        found = _library.Symbol()
        if not core.ztl_program_find(self._program.pointer, _library.c_text("a symbol", name), found):
            raise BadName(f"the program has no symbol {name!r}")
        return found.address

    def where(self, address: typing.Optional[int] = None) -> str:
        """The place of an address, or of pc, as 'main+0x12'; '' outside the program."""
        return _library.text_of(core.ztl_program_describe, self._program.pointer,
                                self.pc if address is None else self._place(address))

    def _place(self, place):
        if isinstance(place, str):
            return self.symbol(place)
        return _library.integer("the address", place, 0, (1 << 64) - 1)

    def break_at(self, place: typing.Union[int, str]) -> None:
        """A breakpoint at an address or symbol."""
        address = self._place(place)
        if address not in self._breakpoints:
            if not core.ztl_hart_add_breakpoint(self._pointer, address):
                raise Error("there are too many breakpoints")
            self._breakpoints.add(address)

    def unbreak(self, place: typing.Union[int, str]) -> None:
        """Removes a breakpoint."""
        address = self._place(place)
        if not core.ztl_hart_remove_breakpoint(self._pointer, address):
            raise BadValue(f"there is no breakpoint at {place!r}")
        self._breakpoints.discard(address)

    def watch_memory(self, place: typing.Union[int, str], size: int, kind: str = "store") -> None:
        """A watchpoint: kind is 'store', 'load' or 'access'."""
        number = _library.integer("size", size, 1, (1 << 63) - 1)
        if kind not in _WATCH:
            raise BadValue(f"kind is {kind!r}, must be one of {', '.join(_WATCH)}")
        if not core.ztl_hart_add_watchpoint(self._pointer, self._place(place), number, _WATCH[kind]):
            raise Error("there are too many watchpoints")

    def unwatch_memory(self, place: typing.Union[int, str], size: int, kind: str = "store") -> None:
        """Removes a watchpoint."""
        if kind not in _WATCH or not core.ztl_hart_remove_watchpoint(
                self._pointer, self._place(place), _library.whole(size) or 0, _WATCH[kind]):
            raise BadValue(f"there is no such watchpoint at {place!r}")

    @property
    def watch_hit(self) -> typing.Tuple[int, int]:
        """After 'watchpoint': the byte that was touched, and the pc of what touched it."""
        hit = core.ztl_hart_watch_hit(self._pointer)
        return hit.address, hit.pc

    # ---- Results -------------------------------------------------------------------------------

    @property
    def output(self) -> bytes:
        """What the program wrote."""
        return bytes(self._console.outputs[0])

    @property
    def errors(self) -> bytes:
        """What it wrote to standard error."""
        return bytes(self._console.outputs[1])

    @property
    def retired(self) -> int:
        """Instructions retired."""
        return core.ztl_hart_retired(self._pointer)

    @property
    def stats(self) -> Stats:
        """Counts by class, mnemonic and bytes; needs stats=True."""
        if self._stats is None:
            raise Error("nothing was counted: Machine(..., stats=True)")
        raw = self._stats
        found = list(zip(_library.CLASS_NAMES, raw.by_class))
        found += [(row.mnemonic.decode(), count) for row, count in zip(_library.INSN_ROWS, raw.by_insn)
                  if row.revision == self.revision]
        found += [("loaded", raw.loaded), ("stored", raw.stored), ("ztl_loaded", raw.ztl_loaded),
                  ("ztl_stored", raw.ztl_stored), ("compressed", raw.compressed),
                  ("exceptions", sum(raw.exceptions)), ("interrupts", raw.interrupts)]
        return Stats((name, count) for name, count in found if count)

    @property
    def timing(self) -> Timing:
        """Cycles so far; needs timing='four' or another machine."""
        if self._timing is None:
            raise Error("no cycles were counted: Machine(..., timing='four')")
        if _timing.ztl_timing_failed(self._timing.pointer):
            raise MemoryError
        return Timing(self._engines, _timing.ztl_timing_result(self._timing.pointer))

    @property
    def timeline(self) -> Timeline:
        """What each engine did when; needs timing."""
        if self._timeline is None:
            raise Error("no cycles were counted: Machine(..., timing='four')")
        return Timeline(write_timeline(self._timeline.pointer))


def _check_limit(limit):
    return None if limit is None else _library.integer("limit", limit, 0, (1 << 64) - 1)
