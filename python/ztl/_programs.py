# SPDX-License-Identifier: Apache-2.0
"""Programs for a machine: files and sources, as ELF files."""

import os
import pathlib
import tempfile

from . import _command, _library
from ._library import BadType, BadValue, Error, Failure, Handle, core
from .hart import default_isa

_SOURCES = (".s", ".S", ".c", ".cc", ".cpp", ".cxx")


def _build(source, isa, base, options, folder):
    """An ELF file of a source, as ztl run builds it."""
    elf = pathlib.Path(folder) / "program.elf"
    plain = ["-nostdlib", "-nostartfiles", "-static", "-Wl,--no-relax", "-Wl,--nmagic",
             "-Wl,--no-warn-rwx-segments", "-Wl,--entry=_start", f"-Wl,-Ttext={base:#x}"]
    how = plain if source.suffix in (".s", ".S") else ["--semihost"]
    _command.call("cc", f"-march={isa}", "-g", "-O2", *how, *options, source, "-o", elf)
    return elf


def join(arguments):
    """The command line; picolibc splits it at white space, and there is no way to quote any."""
    if isinstance(arguments, (str, bytes)):
        raise BadType(f"arguments is {arguments!r}, must be a list of texts")
    for argument in arguments:
        _library.c_text("an argument", argument)
        if argument.split() != [argument]:
            raise BadValue(f"argument {argument!r}: bare metal splits arguments at spaces")
    return " ".join(arguments)


def open_program(program, isa, base, options):
    """The handle of a program."""
    if isinstance(options, (str, bytes)):
        raise BadType(f"options is {options!r}, must be a list of texts")
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(program, str) and "\n" in program:
            path = pathlib.Path(folder) / "program.s"
            path.write_text(program)
        else:
            path = pathlib.Path(os.fsdecode(_library.path(program)))
        elf = path
        if path.suffix in _SOURCES:
            try:
                elf = _build(path, isa or default_isa(64), base, options, folder)
            except Error as error:  # of a text, the folder is nothing that its writer knows
                raise Error(str(error).replace(f"{folder}/", "")) from None
        elif options:
            raise BadValue("options are for programs that are built")
        failure = Failure()
        pointer = core.ztl_program_open(os.fsencode(elf), failure)
        if not pointer:
            raise Error(str(failure).replace(f"{folder}/", ""))
        handle = Handle(pointer, core.ztl_program_close)
        return handle


def ram_of(program):
    """The RAM that a program needs."""
    most = _library.number("ZTL_HART_MAX_RAM")
    windows = (_library.Window * most)()
    count = core.ztl_program_ram(program.pointer, windows, most)
    return (_library.Window * count)(*windows[:count])
