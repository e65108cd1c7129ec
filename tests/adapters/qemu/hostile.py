#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A bare-metal program reaches of the host what ztl-run(1) says, on both engines, and nothing else.

usage: hostile.py ZTL SOURCE_FOLDER
"""
import os
import subprocess
import sys
import tempfile

ZTL, HERE = (os.path.abspath(path) for path in sys.argv[1:])
SECRET = "secret of the host\n"


class World:
    """A directory for the program, and what is outside of it."""

    def __init__(self, folder):
        self.inside, self.outside = os.path.join(folder, "inside"), os.path.join(folder, "outside")
        os.makedirs(os.path.join(self.inside, "sub"))
        os.mkdir(self.outside)
        with open(os.path.join(self.outside, "secret"), "w") as file:
            file.write(SECRET)
        os.symlink(self.outside, os.path.join(self.inside, "link"))
        os.symlink(os.path.join(self.outside, "secret"), os.path.join(self.inside, "file_link"))
        os.mkfifo(os.path.join(self.inside, "fifo"))

    def check(self, found):
        assert os.listdir(self.outside) == ["secret"], (found, os.listdir(self.outside))
        with open(os.path.join(self.outside, "secret")) as file:
            assert file.read() == SECRET, found


def run(engine, program, *options):
    process = subprocess.run([ZTL, "run", "--engine", engine, *options, program], timeout=300,
                             stdin=subprocess.DEVNULL, capture_output=True)
    assert process.returncode == 0, (engine, process.returncode, process.stderr)
    text = process.stdout.decode(errors="replace")
    assert text.endswith("done\n"), (engine, text[-200:], process.stderr)
    return text


def answers(text, start):
    """The lines that start so, with the answer in each."""
    for line in text.splitlines():
        if line.startswith(start):
            yield line, int(line.rsplit(": ", 1)[1].split()[1])


def check_denied(text):
    for start in ("open ", "remove ", "rename from ", "rename to ", "system "):
        found = list(answers(text, start))
        assert found, start
        for line, answer in found:
            assert answer == -1, line
    assert SECRET.strip() not in text


def try_on(engine, xlen, folder, has_directory):
    world = World(folder)
    program = os.path.join(folder, "hostile.c")
    with open(os.path.join(HERE, "hostile.c")) as source, open(program, "w") as copy:
        copy.write(f'#define OUTSIDE "{world.outside}"\n' + source.read())
    options = ["--isa", f"rv{xlen}imac_zicsr_ztl"]
    if has_directory:
        options += ["--dir", world.inside]
    text = run(engine, program, *options)
    world.check((engine, xlen, has_directory))
    check_denied(text)
    assert ("temporary name tmp-007" in text) == has_directory, text
    return text.replace(world.outside, "OUTSIDE")


for width in (64, 32):
    for directory in (True, False):
        texts = {}
        for which in ("sim", "qemu"):
            with tempfile.TemporaryDirectory() as place:
                texts[which] = try_on(which, width, place, directory)
        if texts["sim"] != texts["qemu"]:
            pairs = zip(texts["sim"].splitlines(), texts["qemu"].splitlines())
            sys.exit(str([pair for pair in pairs if pair[0] != pair[1]][:10]))
