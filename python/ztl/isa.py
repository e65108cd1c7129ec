# SPDX-License-Identifier: Apache-2.0
"""The table of the instruction set, as objects, and the codec.

>>> import ztl
>>> hex(ztl.assemble("tl.xpose.01 tl1, tl2, a0"))
'0x220b55b'
>>> ztl.disassemble(0x0220b55b)
'tl.xpose.01 tl1, tl2, a0'
>>> ztl.isa.instruction("tl.xpose.01").op
'xpose'
>>> ztl.isa.csr("tshape").address == 0x800
True
>>> [t.name for t in ztl.isa.types if t.bits == 16]
['int16', 'fp16', 'bf16']
"""

import ctypes
import dataclasses
import typing

from . import _library
from ._library import BadName, BadType, BadValue, core

_KINDS = ("tl", "gpr", "imm", "offset", "base", "engine")


@dataclasses.dataclass(frozen=True)
class Operand:
    """An operand of a format: its name, what it is, and its bits in a word."""
    name: str
    kind: str
    lsb: int
    width: int


@dataclasses.dataclass(frozen=True)
class Instruction:
    """A row of the table. A word is this instruction when word & mask == match."""
    mnemonic: str
    meaning: str
    match: int
    mask: int
    revision: int
    op: str
    operands: typing.Tuple[Operand, ...]


@dataclasses.dataclass(frozen=True)
class Csr:
    """A CSR, or `count` of them from `address` on."""
    name: str
    also: typing.Tuple[str, ...]
    meaning: str
    address: int
    count: int
    reset: int
    writable: int
    first_revision: int


@dataclasses.dataclass(frozen=True)
class Type:
    """An element type that ttype selects."""
    name: str
    meaning: str
    ttype: int
    bits: int
    kind: str
    exponent_bits: int
    fraction_bits: int


def _operands(row):
    found = []
    while True:
        operand = core.ztl_isa_operand(row.format, len(found))
        if not operand:
            return tuple(found)
        o = operand.contents
        found.append(Operand(o.name.decode(), _KINDS[o.kind], o.lsb, o.width))


def _instruction(row):
    return Instruction(row.mnemonic.decode(), row.meaning.decode(), row.match, row.mask, row.revision,
                       _library.OP_NAMES[row.op], _operands(row))


instructions: typing.Tuple[Instruction, ...] = tuple(map(_instruction, _library.INSN_ROWS))
csrs: typing.Tuple[Csr, ...] = tuple(
    Csr(r.name.decode(), tuple((r.also or b"").decode().split()), r.meaning.decode(), r.address,
        r.count, r.reset, r.writable, r.first_revision) for r in _library.rows(core.ztl_isa_csr))
types: typing.Tuple[Type, ...] = tuple(
    Type(r.name.decode(), r.meaning.decode(), r.ttype, r.bits, ("unsigned", "signed", "float")[r.kind],
         r.exponent_bits, r.fraction_bits) for r in _library.rows(core.ztl_isa_type))


def _check_revision(revision):
    if revision not in (1, 2):
        raise BadValue(f"revision {revision!r} is not 1 or 2")


def _find(rows, key, what, name):
    for row in rows:
        if name == key(row):
            return row
    raise BadName(f"there is no {what} {name!r}")


def instruction(mnemonic: str, revision: int = 2) -> Instruction:
    """The instruction of a mnemonic."""
    _check_revision(revision)
    return _find([i for i in instructions if i.revision == revision], lambda i: i.mnemonic,
                 f"instruction of Ztl {revision}", mnemonic)


def csr(name: str) -> Csr:
    """The CSR of a name, in any of its spellings; of a stride, the row of all of them.

    >>> csr('tl_tensor_shape').name, csr('tl_load_stride5').count
    ('tshape', 32)
    """
    spelled = name.lower() if isinstance(name, str) else name
    for row in csrs:
        numbered = [f"{row.name}{i}" for i in range(row.count) if row.count > 1]
        braced = [f"{row.name}{{{i}}}" for i in range(row.count) if row.count > 1]
        if spelled in (row.name, *row.also, *numbered, *braced):
            return row
    raise BadName(f"there is no CSR {name!r}")


def type_of(name: str) -> Type:
    """The element type of a name, such as 'bf16'."""
    return _find(types, lambda t: t.name, "type", name)


def assemble(text: str, revision: int = 2) -> int:
    """The word of one Ztl instruction.

    >>> assemble("tl.xpose.01 tl1, tl32, a0")
    Traceback (most recent call last):
        ...
    ztl.BadValue: operand 2 (tlrs2): 'tl32' is not a tensor register, tl0 to tl31
    """
    _check_revision(revision)
    word, failure = ctypes.c_uint32(), _library.Failure()
    if not core.ztl_assemble(revision, _library.c_text("an instruction", text), word, failure):
        raise BadValue(str(failure))
    return word.value


def disassemble(word: int, revision: int = 2) -> str:
    """The text of a word; `.word 0x…` for what is no Ztl instruction."""
    _check_revision(revision)
    return _library.text_of(core.ztl_disassemble, revision, check_word(word))


def check_word(word):
    """The word, an error when it is none of 32 bits."""
    number = _library.whole(word)
    if number is None:
        raise BadType(f"{word!r} is no word of 32 bits")
    if not 0 <= number < 1 << 32:
        raise BadValue(f"{word!r} is no word of 32 bits")
    return number
