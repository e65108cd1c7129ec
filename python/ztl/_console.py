# SPDX-License-Identifier: Apache-2.0
"""What happens in Python while a hart runs: the console of its program, and signals."""

import _signal  # type: ignore[import]
import ctypes
import signal
import threading

from ._library import BadType, core

# Those of `signal` make enums of all they see, which takes longer than a step of the hart.
_get_handler, _set_handler, _SIGINT = _signal.getsignal, _signal.signal, int(signal.SIGINT)


class Console:
    """The guest's console: what it wrote, and what it reads."""

    def __init__(self, data, output):
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise BadType(f"input is {data!r}, must be bytes")
        if output is not None and not callable(output):
            raise BadType(f"output is {output!r}, must be a function of bytes")
        self.data, self.user, self.failed = bytes(data), output, None
        self.outputs = bytearray(), bytearray()
        self.hart = None  # the pointer, from when it is attached

    def write(self, _, is_error, address, size):
        """Called by the library."""
        data = ctypes.string_at(address, size)
        self.outputs[is_error].extend(data)
        if self.user and self.failed is None:
            try:
                self.user(data)
            except BaseException as error:  # goes on in run()
                self.failed = error
                core.ztl_hart_request_stop(self.hart)

    def read(self, _, address, size):
        """Called by the library."""
        part, self.data = self.data[:size], self.data[size:]
        ctypes.memmove(address, part, len(part))
        return len(part)


class HeldSignals:
    """Holds what the handler of SIGINT raises while a hart runs: in a function that the library calls,
    Python would drop it, and the run would go on."""

    __slots__ = ("machine", "previous")

    def __init__(self, machine):
        self.machine, self.previous = machine, None

    def __enter__(self):
        if threading.get_ident() == threading.main_thread().ident:
            found = _get_handler(_SIGINT)
            if callable(found):
                self.previous = found
                _set_handler(_SIGINT, self.handle)

    def handle(self, number, frame):
        """Called by Python, wherever it is."""
        try:
            self.previous(number, frame)
        except BaseException as error:  # goes on in run()
            self.machine._failed = error
            core.ztl_hart_request_stop(self.machine._pointer)

    def __exit__(self, *_):
        if self.previous is not None and _get_handler(_SIGINT) == self.handle:
            _set_handler(_SIGINT, self.previous)
