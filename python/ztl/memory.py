# SPDX-License-Identifier: Apache-2.0
"""The memory of a hart."""

import ctypes

import numpy

from . import _exchange, _library
from ._library import BadIndex, BadType, BadValue, core


class Memory:
    """hart.memory: bytes by address. `memory[a:b]` and `memory.read` copy, `memory.view` does not."""

    def __init__(self, hart):
        self._hart = hart

    def read(self, address: int, size: int) -> bytes:
        """A copy of `size` bytes."""
        address, size = self._check(address, size)
        if size > sum(ram.size for ram in self._pieces()):
            raise BadIndex(f"there are no {size} bytes of memory at {address:#x}")
        buffer = ctypes.create_string_buffer(size)
        done = core.ztl_hart_read_memory(self._hart._pointer, address, buffer, size)
        if done != size:
            raise BadIndex(f"there is no memory at {address + done:#x}")
        return buffer.raw

    def _pieces(self):
        index = 0
        while piece := core.ztl_hart_ram(self._hart._pointer, index):
            yield piece.contents
            index += 1

    def __repr__(self):
        pieces = ", ".join(f"{ram.size:#x} bytes at {ram.base:#x}" for ram in self._pieces())
        return f"<memory: {pieces}>"

    __iter__ = None  # it does not start at 0

    def write(self, address: int, data) -> None:
        """Copies bytes or an array to memory; nothing where it does not fit."""
        data = _bytes_of(data)
        self.read(address, len(data))
        core.ztl_hart_write_memory(self._hart._pointer, address, data, len(data))

    def view(self, address: int, shape, dtype="u1") -> numpy.ndarray:
        """An array in the hart's memory itself. Do not write code through it."""
        dtype = numpy.dtype(dtype)
        if dtype.hasobject:
            raise BadType(f"memory has no elements of {dtype}")
        shape = tuple(_library.integer("an extent of shape", extent, 0, 1 << 48)
                      for extent in (shape if numpy.iterable(shape) else (shape,)))
        size = dtype.itemsize
        for extent in shape:
            size *= extent
        address, size = self._check(address, size)
        for ram in self._pieces():
            if ram.base <= address and address + size <= ram.base + ram.size:
                buffer = (ctypes.c_uint8 * size).from_address(ram.bytes + address - ram.base)
                buffer.owner = self._hart._handle  # the memory lives as long as the array does
                return numpy.frombuffer(buffer, dtype).reshape(shape) if size else numpy.empty(
                    shape, dtype)
        raise BadIndex(f"there are no {size} bytes of memory at {address:#x}")

    @staticmethod
    def _check(address, size):
        return (_library.integer("the address", address, 0, (1 << 64) - 1),
                _library.integer("the size", size, 0, (1 << 48) - 1))

    def _range(self, key):
        if isinstance(key, slice):
            start, stop = _library.whole(key.start), _library.whole(key.stop)
            if start is None or stop is None or key.step not in (None, 1) or stop < start:
                raise BadValue("memory is read from one address to another: memory[a:b]")
            return start, stop - start
        return key, 1

    def __getitem__(self, key):
        data = self.read(*self._range(key))
        return data if isinstance(key, slice) else data[0]

    def __setitem__(self, key, value):
        address, size = self._range(key)
        if not isinstance(key, slice):
            value = bytes([_library.integer("a byte", value, 0, 255)])
        value = _bytes_of(value)
        if len(value) != size:
            raise BadValue(f"{len(value)} bytes do not fill {size}")
        self.write(address, value)


def _bytes_of(data):
    """Those of an array, of bytes or of a list of numbers; one number alone would be as many zeros."""
    if _exchange.is_foreign(data):
        data = _exchange.array_of(data)[0]
    if isinstance(data, numpy.ndarray) or _exchange.has_interface(data):
        return numpy.asarray(data).tobytes()
    if isinstance(data, str) or _library.whole(data) is not None:
        raise BadType(f"{data!r} is neither bytes nor an array")
    try:
        return bytes(data)
    except TypeError:
        raise BadType(f"{data!r} is neither bytes nor an array") from None
    except ValueError as error:
        raise BadValue(str(error)) from None
