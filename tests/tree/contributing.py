#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CONTRIBUTING.md's instruction and operator, added to a copy of the tree by following its text to the
letter, work. The instruction in assembler, disassembler, simulator, trace, debugger, C on RISC-V and
on the host, its own test and its entry of the manual. The operator in `ztl op`, on movers, in C, in
its help, in Python and in random cases against NumPy, at the lower bound of instructions.

usage: contributing.py SOURCE_DIR COMPILER
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

SOURCE, COMPILER = pathlib.Path(sys.argv[1]), sys.argv[2]

PROGRAM = """
    .globl _start
_start:
    tl.addi tl1, tl0, 0x5a
    tl.addi tl2, tl0, 0x0f
    tl.xor tl3, tl1, tl2
done:
    li t0, 1
    la a0, tohost
    sd t0, 0(a0)
    j done
    .data
    .balign 8
tohost:
    .dword 0
"""

C_PROGRAM = """
#include <stdio.h>
#include <ztl/intrin.h>
static unsigned char out[1024];
int main(void)
{
    __riscv_ztl_addi(1, 0, 0x5a);
    __riscv_ztl_addi(2, 0, 0x0f);
    __riscv_ztl_xor(3, 1, 2);
    __riscv_ztl_csrw_tshape(0x200120);
    __riscv_ztl_store(3, out, 0);
    printf("%02x %02x\\n", out[0], out[1023]);
}
"""
WORD = "0020d1db"  # by hand: funct5 0, tl2, tl1, funct3 5, tl3, custom-2


def run(*command, cwd=None, **options):
    done = subprocess.run([str(word) for word in command], cwd=cwd, text=True, timeout=600,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    assert done.returncode == 0, f"{' '.join(map(str, command))}:\n{done.stdout[-4000:]}"
    return done.stdout


def copy_tree(target):
    files = subprocess.run([SOURCE / "tools/list-files"], check=True, stdout=subprocess.PIPE).stdout
    for name in files.decode().split("\0")[:-1]:
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SOURCE / name, path)


def insert(path, where, line, text):
    """Puts the text before or after the only line that begins so."""
    lines = path.read_text().splitlines(keepends=True)
    found = [n for n, each in enumerate(lines) if each.startswith(line)]
    assert len(found) == 1, (path, line, found)
    at = found[0] + (where == "after")
    path.write_text("".join(lines[:at]) + text + "".join(lines[at:]))


def apply(title, tree):
    """Each block of code, at the place that the last mention of a file before it names."""
    section = (SOURCE / "CONTRIBUTING.md").read_text().split(f"## How to add an {title}\n")[1]
    section = section.split("\n## ")[0]
    touched = []
    start = 0
    for block in re.finditer(r"^(```+)\w+\n(.*?)^\1\n", section, re.M | re.S):
        prose = " ".join(section[start:block.start()].split())
        start = block.end()
        places = re.findall(r"(?:[Nn]ew file `([^`]+)`)|"
                            r"(?:In `([^`]+)`, (before|after) the line (?:`` ?(.+?)``|`([^`]+)`))", prose)
        assert len(places) == 1, (prose, places)
        new, path, where, *quoted = places[0]
        line = "".join(quoted)
        if new:
            assert not (tree / new).exists(), new
            (tree / new).write_text(block[2])
        else:
            insert(tree / path, where, line, block[2])
        touched.append(new or path)
    return set(touched)


def build(tree, folder):
    run("cmake", "-S", tree, "-B", folder, "-G", "Ninja", "-Wno-dev", "-DCMAKE_BUILD_TYPE=Debug",
        f"-DCMAKE_C_COMPILER={COMPILER}", "-DCMAKE_C_FLAGS=-O0 -g0")
    run("ninja", "-C", folder, "ztl_cli", "test_model_xor", "doc_session", "doc", "ztlmovers", "ztltiming",
        "python_package", "test_ops_cases")


def gdb_text(ztl, tree, scratch):
    """What gdb shows of the word in memory, with the mnemonics that the target tells it."""
    with subprocess.Popen([ztl, "run", "--gdb", "unix:socket", "p.elf"], cwd=scratch) as server:
        try:
            while not (scratch / "socket").exists() and server.poll() is None:
                time.sleep(0.02)
            return run("gdb-multiarch", "-nx", "-batch", "p.elf", "-ex", "target remote socket",
                       "-ex", f"source {tree}/adapters/gdb/ztl.py", "-ex", "x/3i $pc", "-ex", "kill",
                       cwd=scratch)
        finally:
            server.terminate()


def try_instruction(tree, folder, scratch):
    ztl = folder / "ztl"
    (scratch / "p.s").write_text(PROGRAM)
    (scratch / "p.c").write_text(C_PROGRAM)
    text = "tl.xor tl3, tl1, tl2"
    run(ztl, "as", "-march=rv64imac_zicsr_ztl", "p.s", "-o", "p.o", cwd=scratch)
    run("riscv64-unknown-elf-ld", "-N", "-Ttext=0x80000000", "p.o", "-o", "p.elf", cwd=scratch)
    dump = re.sub(r"[ \t]+", " ", run(ztl, "dis", "p.elf", cwd=scratch))
    assert f"{WORD} {text}" in dump, dump
    seen = run(ztl, "run", "--dump", "tl3:1x4", "--trace", "-", "--trace-disasm", "p.elf",
               cwd=scratch)
    assert "55 55 55 55" in seen, seen
    assert any(WORD in line and text in line and "tl3" in line for line in seen.splitlines()), seen
    assert re.search(r"tl\.xor\s+tl3, tl1, tl2", gdb_text(ztl, tree, scratch))
    assert "xor" in run(ztl, "isa", "tl.xor")
    assert run(ztl, "run", "p.c", cwd=scratch) == "55 55\n"
    run(COMPILER, f"-I{tree}/include", f"-I{folder}/generated", f"-I{tree}", "p.c",
        folder / "libztl.a", "-lelf", "-lz", "-o", "host", cwd=scratch)
    assert run(scratch / "host") == "55 55\n"
    run("ctest", "--test-dir", folder, "-R", "^(model/xor|model/xor-plain|doc/manual)$",
        "--output-on-failure", "--no-tests=error")


def try_operator(tree, folder, scratch):
    ztl, name = folder / "ztl", "repeat-interleave"
    environment = os.environ | {"ZTL_LIBRARY_PATH": str(folder), "PYTHONPATH": str(folder / "python")}
    python = ["/usr/bin/python3", "-B", "-c"]
    run(*python, "import numpy; numpy.save('a.npy', numpy.arange(64 * 80, dtype='i2').reshape(64, 80))",
        cwd=scratch)
    command = [ztl, "op", name, "a.npy", "--axis", "-1", "--repeats", "2", "--check"]
    for more in ([], ["--engine", "sim"], ["--engine", "native"]):
        run(*command, *more, "-o", "b.npy", cwd=scratch)
        run(*python, "import numpy; assert (numpy.load('b.npy') == numpy.load('a.npy').repeat(2, 1)).all()",
            cwd=scratch)
    plan = run(*command, "--plan", cwd=scratch)
    assert re.search(r"1 pass, \d+ Ztl instructions, lower bound 30,", plan), plan
    seen = run(ztl, "op", name, "--help")
    assert "each position along --axis (0) --repeats times" in seen and "--axis 1 --repeats 2" in seen, seen
    wrong = subprocess.run([*command[:-2], "-3", "-o", "b.npy"], cwd=scratch, capture_output=True)
    assert wrong.returncode and b"repeats is -3, out of range" in wrong.stderr, wrong
    run(*python, "import numpy, ztl; a = numpy.arange(6).reshape(2, 3)\n"
        "assert ztl.ops.repeat_interleave(a, (3,)).tolist() == a.repeat(3, 0).tolist()\n"
        "assert 'repeats' in ztl.ops.repeat_interleave.__doc__", env=environment)
    (scratch / "new.c").write_text("""
#include <ztl/ops.h>
int main(void)
{
    const int64_t times[] = {2};
    ztl_ops_op op = ztl_ops_repeat_interleave(1, times);
    return op.kind != ZTL_OPS_REPEAT_INTERLEAVE || op.axis != 1 || op.repeats.value != times;
}
""")
    run(COMPILER, "-Wall", "-Werror", f"-I{folder}/include",
        "new.c", "-o", "new", cwd=scratch)
    run(scratch / "new")
    cases = ["/usr/bin/python3", "-B", tree / "tests/ops/cases.py", "random", "400",
             folder / "tests/ops/test_ops_cases", "1"]
    run(*cases, name)
    run(*cases)
    run("ctest", "--test-dir", folder, "-R", "^ops/described$", "--output-on-failure", "--no-tests=error")


def main():
    os.environ.pop("ZTL_BODIES", None)
    with tempfile.TemporaryDirectory() as name:
        tree, folder, scratch = (pathlib.Path(name, part) for part in ("tree", "build", "scratch"))
        scratch.mkdir()
        copy_tree(tree)
        touched = apply("instruction", tree)
        assert touched == {"doc/isa.md", "isa/ztl.def", "model/xor.c", "tests/model/xor.c"}, touched
        more = apply("operator", tree)
        assert more == {"doc/operators.md", "include/ztl/ops_new.h", "ops/operators.def",
                        "ops/operators/repeat_interleave.c", "tests/ops/operators.py"}, more
        build(tree, folder)
        try_instruction(tree, folder, scratch)
        try_operator(tree, folder, scratch)
    print(f"tl.xor works after {len(touched)} files, repeat-interleave after {len(more)}")


main()
