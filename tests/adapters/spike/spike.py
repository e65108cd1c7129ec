# SPDX-License-Identifier: Apache-2.0
"""What the tests of the extension for Spike share: the same program here and there."""

import pathlib
import subprocess
import sys
import tempfile

if len(sys.argv) < 5 or sys.argv[3] == "none":
    print("skipped: Spike's headers (riscv/extension.h) and the command spike are not both installed")
    sys.exit(77)

ZTL, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
EXTENSION, SPIKE = sys.argv[3:5]
folder = tempfile.TemporaryDirectory()
FOLDER = pathlib.Path(folder.name)
NO_HTIF = "warning: tohost and fromhost symbols not in ELF; can't communicate with target\n"


def run(command, status=0):
    """Standard output; standard error without Spike's warning must be empty."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                          timeout=120)
    assert done.returncode == status, f"{command}: status {done.returncode}\n{done.stderr}"
    assert done.stderr.replace(NO_HTIF, "") == "", f"{command}:\n{done.stderr}"
    return done.stdout


def ours(*arguments, status=0):
    return run([ZTL, "run", *arguments], status)


def spike(*arguments, isa="rv64gc_xztl", status=0):
    return run([SPIKE, f"--extlib={EXTENSION}", f"--isa={isa}", "-m128", *arguments], status)


def compile_c(source, name, march="rv64imac_zicsr_ztl"):
    program = FOLDER / name
    run([ZTL, "cc", "--semihost", "-O2", f"-march={march}", source, "-o", program])
    return program


def assemble(text, name, march="rv64imac_zicsr_ztl", mabi="lp64"):
    source, program = FOLDER / (name + ".s"), FOLDER / name
    source.write_text(text)
    run([ZTL, "cc", "-nostdlib", f"-march={march}", f"-mabi={mabi}", "-Wl,--no-relax",
         "-Wl,--no-warn-rwx-segments", "-Wl,-N", "-Wl,-Ttext=0x80000000",
         "-Wl,-Tdata=0x80200000", source, "-o", program])
    return program
