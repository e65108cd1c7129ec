#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whatever is built for RISC-V is built anew when the instruction-set table changes.

usage: cross.py SOURCE-DIR BUILD-DIR

Looks at every file that ninja makes and that turns out to be for RISC-V, whichever rule made it,
and at what becomes part of the host's commands.
"""
import os
import re
import struct
import subprocess
import sys

source, build = (os.path.realpath(folder) for folder in sys.argv[1:3])
RISCV = 243


def ninja(*arguments):
    return subprocess.run(["ninja", "-C", build, "-t", *arguments], check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def place(path):
    return os.path.normpath(os.path.join(build, path))


def machine(data):
    return struct.unpack_from("<H", data, 18)[0] if data[:4] == b"\x7fELF" else None


def is_riscv(path):
    """A program, a library or an archive for RISC-V, or the bare image of one."""
    if path.endswith(".o") or not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        data = file.read()
    if data.startswith(b"!<arch>\n"):
        start = data.find(b"\x7fELF")
        return start >= 0 and machine(data[start:start + 64]) == RISCV
    return machine(data[:64]) == RISCV or path.endswith(".bin")


def read_inputs(outputs):
    """What each file is made from, as the rules say; of order-only inputs nothing follows."""
    inputs, output, listing = {}, None, False
    for line in ninja("query", *outputs).splitlines():
        if not line.startswith(" "):
            output = place(line.rstrip(":"))
            inputs.setdefault(output, set())
        elif line.startswith("  ") and not line.startswith("    "):
            listing = line.strip().startswith("input:")
        elif listing and not line.strip().startswith("|| "):
            inputs[output].add(place(line.strip().removeprefix("| ")))
    return inputs


def read_deps():
    """What each object includes, as the compilers said: in ninja's log, or a file beside a rule."""
    deps, output = {}, None
    for line in ninja("deps").splitlines():
        if line.startswith("    "):
            deps[output].add(place(line.strip()))
        elif line:
            output = place(line.split(": #deps")[0])
            deps[output] = set()
    with open(os.path.join(build, "build.ninja"), encoding="utf-8") as rules:
        for line in rules:
            if line.startswith("build "):
                output = place(re.match(r"build ((?:\$.|[^ :|])+)", line)[1].replace("$ ", " "))
            elif line.startswith("  depfile = ") and output:
                file = place(line.split(" = ", 1)[1].strip().replace("$ ", " "))
                if os.path.exists(file):
                    deps[output] = read_depfile(file)
            elif not line.startswith(" "):
                output = None
    return deps


def read_depfile(path):
    with open(path, encoding="utf-8") as file:
        words = re.findall(r"(?:\\.|[^\s\\])+", file.read().replace("\\\n", " "))
    return {place(re.sub(r"\\(.)", r"\1", word)) for word in words if not word.endswith(":")}


def closure(path, edges):
    seen, todo = set(), [path]
    while todo:
        for before in edges(todo.pop()):
            if before not in seen:
                seen.add(before)
                todo.append(before)
    return seen


def main():
    outputs = [line.rsplit(": ", 1)[0] for line in ninja("targets", "all").splitlines()
               if not line.endswith(": phony")]
    inputs, deps = read_inputs(outputs), read_deps()
    table = os.path.join(source, "isa", "ztl.def")

    def edges(path):
        return inputs.get(path, set()) | deps.get(path, set())

    cross = sorted(path for path in set(map(place, outputs)) if is_riscv(path))
    names = [os.path.relpath(path, build) for path in cross]
    stale = [name for name, path in zip(names, cross) if table not in closure(path, edges)]
    for part in ("ops/guest.bin", "ops/ops-guest", "adapters/qemu/libztl-trap.so",
                 "adapters/qemu/ztl-monitor32.bin", "examples/transpose.riscv"):
        if part not in names:
            sys.exit(f"{part} is not found among what is built for RISC-V: {names}")
    if stale:
        sys.exit("not made anew when isa/ztl.def changes: " + ", ".join(stale))
    for part in ("ops/guest.bin", "ops/ops-guest"):
        if place(part) not in closure(place("ztl"), edges):
            sys.exit(f"ztl is not made anew when {part} changes")
    print(f"{len(cross)} files for RISC-V follow the table")


main()
