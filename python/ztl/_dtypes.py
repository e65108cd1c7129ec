# SPDX-License-Identifier: Apache-2.0
"""Types of elements that NumPy has no dtype of, as raw bytes."""

import typing

import numpy

from . import _library
from ._library import BadName, BadType, BadValue

_rows = {row.name.decode(): (row, ("unsigned", "signed", "float")[row.kind])
         for row in _library.rows(_library.core.ztl_isa_type)}
# What the package ml_dtypes calls them, and NumPy.
_ALSO = {"bfloat16": "bf16", "float8_e4m3fn": "e4m3", "float8_e5m2": "e5m2", "float8_e3m4": "e3m4",
         "float4_e2m1fn": "fp4", "float16": "fp16", "float32": "fp32", "uint8": "byte"}
_NATIVE = {"byte": "u1", "int8": "i1", "int16": "<i2", "int32": "<i4", "fp16": "<f2", "fp32": "<f4"}


def name_of(value) -> str:
    """The name of a type that is given as a text, a ztl.dtype or a dtype of ml_dtypes."""
    if isinstance(value, dtype):
        return value.name
    if not isinstance(value, str):
        try:
            value = numpy.dtype(value).name
        except TypeError:
            raise BadType(f"{value!r} is none of the types {', '.join(_rows)}") from None
    name = _ALSO.get(value.lower(), value.lower())
    if name not in _rows:
        raise BadValue(f"{value!r} is none of {', '.join(_rows)}")
    return name


class dtype:
    """A type of elements on raw bytes: an array of them is one of `storage`, and of 4 bits one of
    bytes, two elements in each along the last dimension.

    >>> import ztl
    >>> bf16 = ztl.dtype('bf16')
    >>> raw = bf16.encode([1.5, -2, 3.14159])
    >>> [hex(bits) for bits in raw.tolist()], bf16.decode(raw).tolist()
    (['0x3fc0', '0xc000', '0x4049'], [1.5, -2.0, 3.140625])
    >>> ztl.dtype('fp4').encode([0.5, 6, -1]).tolist()                # two a byte; the last is alone
    [113, 10]
    >>> bf16.decode(ztl.ops.pad(raw, (0, 1), value=0.25, type=bf16)).tolist()
    [1.5, -2.0, 3.140625, 0.25]

    Names are those of ztl.isa.types, or of ml_dtypes: 'bf16' or 'bfloat16', 'e4m3' or 'float8_e4m3fn'.
    """

    __slots__ = ("name", "bits", "kind", "storage", "_values")

    def __init__(self, name):
        try:
            self.name: str = name_of(name)
        except BadValue as error:
            raise BadName(str(error)) from None
        row, self.kind = _rows[self.name]
        #: of an element
        self.bits: int = row.bits
        #: the dtype of an array that holds them
        self.storage = numpy.dtype(_NATIVE.get(self.name, f"<u{max(row.bits // 8, 1)}"))
        self._values: typing.Any = None

    def __repr__(self):
        return f"ztl.dtype('{self.name}')"

    def __eq__(self, other):
        return isinstance(other, dtype) and self.name == other.name

    def __hash__(self):
        return hash(self.name)

    def __reduce__(self):
        return dtype, (self.name,)

    def _table(self):
        """The value of each pattern of bits."""
        if self._values is None:
            row, codes = _rows[self.name][0], numpy.arange(1 << self.bits)
            if self.kind == "float":
                fraction, exponents = row.fraction_bits, row.exponent_bits
                bias, exponent = (1 << exponents - 1) - 1, codes >> fraction & (1 << exponents) - 1
                part = (codes & (1 << fraction) - 1) / (1 << fraction)
                value = numpy.where(exponent > 0, (1 + part) * 2.0**(exponent - bias), part * 2.0**(1 - bias))
                is_top = exponent == (1 << exponents) - 1
                if self.name == "e4m3":
                    value[is_top & (part == 0.875)] = numpy.nan
                elif self.name != "fp4":
                    value[is_top] = numpy.where(part[is_top] > 0, numpy.nan, numpy.inf)
                self._values = numpy.where(codes >> self.bits - 1, -value, value)
            else:
                self._values = codes - (codes >> self.bits - 1 << self.bits)  # int4
        return self._values

    def code(self, value) -> int:
        """The bits of one element; BadValue where the type has no such number."""
        return int(self._codes(numpy.asarray(value))[()])

    def _codes(self, values):
        if values.dtype.kind not in "biuf":
            raise BadType(f"{values.dtype} are no numbers")
        if self.storage.kind in "if" or self.name == "byte":
            with numpy.errstate(over="ignore", invalid="ignore"):
                cast = values.astype(self.storage)
            wrong = (cast != values if self.storage.kind != "f" else
                     numpy.isinf(cast) & ~numpy.isinf(values))
            self._refuse(values, wrong)
            return cast.view(f"<u{self.storage.itemsize}")
        if self.kind != "float":
            wrong = ~((values >= -8) & (values <= 7) & (values == numpy.floor(values)))
            self._refuse(values, wrong)
            return values.astype("i8") & 15
        return self._float_codes(values.astype("f8"))

    def _float_codes(self, values):
        """Rounded to the nearest; of two as near, to the even one."""
        table = self._table()[:1 << self.bits - 1]
        finite = table[numpy.isfinite(table)]
        size = numpy.abs(values)
        above = numpy.clip(numpy.searchsorted(finite, size), 1, len(finite) - 1)
        low, high = size - finite[above - 1], finite[above] - size
        code = numpy.where((low < high) | ((low == high) & (above % 2 == 1)), above - 1, above)
        limit = finite[-1] + (finite[-1] - finite[-2]) / 2
        wrong = (size > limit) | ((size == limit) & (len(finite) % 2 == 0))
        for special in (numpy.isinf, numpy.isnan):
            codes = numpy.flatnonzero(special(table))
            if codes.size:  # of NaN the quiet one
                chosen = codes[0] if special is numpy.isinf else codes[len(codes) // 2]
                code, wrong = numpy.where(special(values), chosen, code), wrong & ~special(values)
            else:
                wrong |= special(values)
        self._refuse(values, wrong)
        return code | numpy.signbit(values).astype("i8") << self.bits - 1

    def _refuse(self, values, wrong):
        if numpy.any(wrong):
            raise BadValue(f"{numpy.asarray(values)[wrong].flat[0]} is no element of {self.name}")

    def encode(self, values) -> numpy.ndarray:
        """Numbers as raw elements, rounded to the nearest; BadValue beyond the largest."""
        codes = self._codes(numpy.asarray(values))
        if self.bits == 4:
            if not codes.ndim:
                raise BadValue("elements of 4 bits lie along a dimension, this has none")
            wide = numpy.zeros(codes.shape[:-1] + (-(-codes.shape[-1] // 2) * 2,), "u1")
            wide[..., :codes.shape[-1]] = codes
            return wide[..., 0::2] | wide[..., 1::2] << 4
        return codes.astype(f"<u{self.bits // 8}").view(self.storage)

    def decode(self, raw, count=None) -> numpy.ndarray:
        """The numbers of raw elements; `count` is how many of the last dimension there are, where
        they are two a byte."""
        raw = numpy.asarray(raw)
        if raw.dtype.itemsize != self.storage.itemsize or raw.dtype.hasobject:
            raise BadType(f"raw elements of {self.name} lie in {self.storage}, not in {raw.dtype}")
        if self.storage.kind in "if" or self.name == "byte":
            return raw.view(self.storage)
        codes = numpy.ascontiguousarray(raw).view(f"<u{raw.dtype.itemsize}").reshape(raw.shape)
        if self.bits == 4:
            codes = numpy.stack([codes & 15, codes >> 4], -1).reshape(codes.shape[:-1] + (-1,))
            codes = codes[..., :count]
        return self._table()[codes].astype("f4" if self.kind == "float" else "i1")
