# SPDX-License-Identifier: Apache-2.0
"""A Linux program in a machine: what is in its memory when it starts, and who answers its calls."""

import ctypes
import os
import sys
import typing

from . import _library
from ._library import BadType, BadValue, Error, Failure, Handle, core

_STANDARD = 1 << 30  # bytes of its address space
_BY_SIGNAL = 128  # and the signal: what a shell says of such an end


def window(program, memory, base):
    """The RAM of its hart."""
    if base is not None:
        raise BadValue("base is for bare metal: a Linux program is where it was linked")
    size = _STANDARD if memory is None else _library.integer("memory", memory, 1, (1 << 48) - 1)
    found, failure = (_library.Window * 1)(), Failure()
    if not core.ztl_linux_window(program.pointer, size, found, failure):
        raise BadValue(str(failure))
    return found


def _texts(name, values):
    """A list of texts as C has it, ended by NULL."""
    texts = [_library.c_text(name, value) for value in values]
    return (ctypes.c_char_p * (len(texts) + 1))(*texts, None)


def _environment(values):
    pairs = values.items() if isinstance(values, typing.Mapping) else ()
    if values and not pairs:
        raise BadType(f"environment is {values!r}, must be a dictionary of texts")
    for name, value in pairs:
        _library.c_text("a name in environment", name)
        _library.c_text(f"environment[{name!r}]", value)
        if "=" in name or not name:
            raise BadValue(f"environment: {name!r} is no name")
    return _texts("environment", [f"{name}={value}" for name, value in pairs])


class Process:
    """What belongs to a Linux program beside its hart."""

    def __init__(self, host, path, arguments, environment, seed):
        self._say = _library.SAY(lambda _, line: print(line.decode("utf-8", "replace"), file=sys.stderr))
        if isinstance(arguments, (str, bytes)):
            raise BadType(f"arguments is {arguments!r}, must be a list of texts")
        self._keep = (_texts("arguments", [os.fspath(path), *arguments]), _environment(environment))
        config = _library.LinuxConfig(
            host=host.pointer, argument=self._keep[0], environment=self._keep[1], say=self._say,
            seed=_library.integer("seed", seed, 0, (1 << 64) - 1))
        failure = Failure()
        pointer = core.ztl_linux_create(config, failure)
        if not pointer:
            raise Error(str(failure))
        #: freed after the hart
        self.handle = Handle(pointer, core.ztl_linux_destroy, host=host,
                             texts=(self._keep, self._say))

    def start(self, program, hart, handle):
        """Loads the program; the hart's handle keeps what answers its calls."""
        failure = Failure()
        handle.keep["process"] = self.handle
        if not core.ztl_linux_start(self.handle.pointer, program.pointer, hart, failure):
            raise Error(str(failure))

    def goes_on(self):
        """After a trap: whether the program handles it."""
        return core.ztl_linux_catch(self.handle.pointer)

    @property
    def is_stuck(self):
        """Whether all its threads wait for what never comes."""
        return core.ztl_linux_is_stuck(self.handle.pointer)

    @property
    def exit_code(self):
        """Of a program that a signal ended; None where none did."""
        signal = core.ztl_linux_signal(self.handle.pointer)
        return _BY_SIGNAL + signal if signal else None
