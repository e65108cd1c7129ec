# SPDX-License-Identifier: Apache-2.0
"""The memory of a hart."""

import ctypes

import numpy

from . import _library
from ._library import Error, core


class Memory:
    """hart.memory: bytes by address. `memory[a:b]` and `memory.read` copy, `memory.view` does not."""

    def __init__(self, hart):
        self._hart = hart

    def read(self, address: int, size: int) -> bytes:
        """A copy of `size` bytes."""
        address, size = self._check(address, size)
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
        address, size = self._check(address, size)
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
        found = _library.whole(address), _library.whole(size)
        if None in found or not (0 <= found[0] < 1 << 64 and 0 <= found[1] < 1 << 48):
            raise Error(f"{address!r} and {size!r} are no address and size")
        return found

    def _range(self, key):
        if isinstance(key, slice):
            start, stop = _library.whole(key.start), _library.whole(key.stop)
            if start is None or stop is None or key.step not in (None, 1) or stop < start:
                raise Error("memory is read from one address to another: memory[a:b]")
            return start, stop - start
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
