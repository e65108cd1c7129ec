# SPDX-License-Identifier: Apache-2.0
"""Assembly without other tools: what a text becomes at an address."""

import contextlib
import ctypes
import itertools

from . import _library
from ._library import BadValue, Error, core


@contextlib.contextmanager
def assembled(text, isa, base):
    """The pointer to an assembled text; BadValue with the first line that is wrong."""
    source = core.ztl_source_assemble(_library.c_text("assembly", text), isa, base)
    if not source:
        raise Error("out of memory")
    try:
        wrong = core.ztl_source_error_at(source, 0)
        if wrong:
            line = f"line {wrong.contents.line}: " if "\n" in text.strip() else ""
            raise BadValue(line + wrong.contents.text.decode())
        yield source
    finally:
        core.ztl_source_free(source)


def words_of(source):
    """The instructions that a text was assembled to."""
    size, words, at = ctypes.c_size_t(), [], 0
    data = ctypes.string_at(core.ztl_source_bytes(source, size), size.value)
    while at < len(data):
        length = 4 if data[at] & 3 == 3 else 2
        words.append(int.from_bytes(data[at:at + length], "little"))
        at += length
    if not words:
        raise BadValue("nothing to assemble")
    return words


def labels_of(source):
    """{name: address}"""
    rows = map(lambda index: core.ztl_source_label_at(source, index), itertools.count())
    return {row.name.decode(): row.address for row in itertools.takewhile(lambda row: row.name, rows)}
