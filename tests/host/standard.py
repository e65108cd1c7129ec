# SPDX-License-Identifier: Apache-2.0
"""Standard streams: what cannot be written or read is an error; closed ones are nobody else's."""
import os
import subprocess
import sys
import tempfile

ZTL, ZTL_QEMU = sys.argv[1:3]
SOURCE = "    .globl _start, tohost\n_start: li t0, 1\n    la t1, tohost\n    sd t0, 0(t1)\n" \
         "1:  j 1b\n    .data\n    .balign 8\ntohost: .dword 0\n"
# Whether the first byte of standard input is that of an ELF file.
READER = """
#include <stdio.h>
int main(void) { return getchar() == 0x7f; }
"""
PRINTER = """
#include <stdio.h>
int main(void) { puts("printed"); return 0; }
"""
HEADER = b"{'descr': '<i2', 'fortran_order': False, 'shape': (8,), }".ljust(69) + b"\n"
NPY = b"\x93NUMPY\x01\x00\x46\x00" + HEADER + bytes(16)

WRITERS = [
    [ZTL, "--help"], [ZTL, "--version"], [ZTL, "help"],
    *([ZTL, name, "--help"] for name in ("as", "bench", "cc", "cosim", "dis", "isa", "op", "run")),
    [ZTL, "op", "flip", "--help"],
    *([ZTL, "bench", suite, "--help"] for suite in ("insn", "ops", "sim", "compare")),
    [ZTL, "as", "--print", "p.s"], [ZTL, "cc", "--print-b-dir"],
    [ZTL, "dis", "0x0231355b"], [ZTL, "dis", "--asm", "p.o"], [ZTL, "dis", "p.o"],
    [ZTL, "isa"], [ZTL, "isa", "--json"],
    *([ZTL, "isa", "--format", form] for form in ("md", "riscv-opcodes", "gdb-xml")),
    [ZTL, "op", "flip", "a.npy", "--stats"], [ZTL, "op", "flip", "a.npy", "--json"],
    [ZTL, "op", "flip", "a.npy", "--plan"], [ZTL, "op", "flip", "a.npy", "-o", "/dev/stdout"],
    [ZTL, "run", "--dump", "tl1:2x2", "p.elf"], [ZTL, "run", "--trace", "-", "p.elf"],
    [ZTL, "run", "printer.elf"], [ZTL, "run", "--stats=/dev/stdout", "p.elf"],
    [ZTL_QEMU, "--help"],
]


def run(command, words, **more):
    """By way of a shell, which closes and redirects."""
    more = {"stdin": subprocess.DEVNULL, **more}
    return subprocess.run(["sh", "-c", f'exec "$@" {words}', "sh", *command], check=False,
                          timeout=120, stderr=subprocess.PIPE, **more)


def check_output(command):
    for words in ">/dev/full", ">&-":
        result = run(command, words)
        assert result.returncode == 1, (command, words, result)
        assert result.stderr, (command, words, "not a word")
    good = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert good.returncode == 0 and good.stdout, (command, good)


def check_input():
    for command in ([ZTL, "cosim"], [ZTL, "dis", "-"], [ZTL, "as", "-", "-o", "x.o"],
                    [ZTL, "op", "flip", "/", "-o", "x.npy"],
                    [ZTL, "op", "flip", "/dev/stdin", "--check"],
                    [ZTL, "run", "reader.elf"], [ZTL, "bench", "compare", "/", "/"], [ZTL, "dis", "/"], [ZTL, "run", "/"],
                    [ZTL_QEMU, "/"]):
        result = run(command, "</", stdout=subprocess.DEVNULL)
        assert result.returncode == 1 and result.stderr, (command, result)


def check_closed():
    """A guest with standard input closed reads nothing, not the program's own file."""
    for words in "<&-", "<&- >&-", "<&- >&- 2>&-":
        assert run([ZTL, "run", "reader.elf"], words).returncode == 0, words
    assert subprocess.run([ZTL, "run", "reader.elf"], input=b"\x7f", check=False).returncode == 1
    # An output is not mistaken for standard output or error either.
    assert run([ZTL, "op", "flip", "a.npy", "-o", "y.npy"], "<&- >&- 2>&-").returncode == 0
    with open("y.npy", "rb") as file:
        assert len(file.read()) == len(NPY.ljust(144)), "messages in the output"
    result = run([ZTL, "op", "flip", "a.npy", "--stats", "-o", "z.npy"], ">&-")
    assert result.returncode == 1, result
    assert b"standard output: Bad file descriptor" in result.stderr, result


def check_broken_pipe():
    """As with other programs, SIGPIPE ends it without a word."""
    read, write = os.pipe()
    os.close(read)
    with subprocess.Popen([ZTL, "isa"], stdout=write, stderr=subprocess.PIPE,
                          restore_signals=True) as isa:
        messages = isa.stderr.read()
    os.close(write)
    assert isa.returncode == -13 and messages == b"", (isa.returncode, messages)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, text in ("p.s", SOURCE), ("reader.c", READER), ("printer.c", PRINTER):
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)
        with open("a.npy", "wb") as file:
            file.write(NPY)
        march = "-march=rv64imac_zicsr_ztl"
        subprocess.run([ZTL, "as", march, "p.s", "-o", "p.o"], check=True)
        subprocess.run([ZTL, "cc", march, "-nostdlib", "-static", "p.o", "-o", "p.elf",
                        "-Wl,-Ttext=0x80000000,--nmagic,--no-relax,--no-warn-rwx-segments"],
                       check=True)
        for name in "reader", "printer":
            subprocess.run([ZTL, "cc", "--semihost", march, name + ".c", "-o", name + ".elf"],
                           check=True)
        for command in WRITERS:
            check_output(command)
        check_input()
        check_closed()
        check_broken_pipe()


main()
