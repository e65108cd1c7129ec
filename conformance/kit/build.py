# SPDX-License-Identifier: Apache-2.0
"""Programs become ELF files, by gcc or clang."""
import pathlib
import shutil
import subprocess

from target import Problem

TOP = pathlib.Path(__file__).resolve().parent.parent
GCC = ("riscv64-unknown-elf-gcc", "riscv64-linux-gnu-gcc")


def compiler_of(name):
    """The words that start a compiler: 'gcc', 'clang', or a path."""
    for program in GCC if name == "gcc" else (name,):
        if found := shutil.which(program):
            return [found, "--target=riscv64"] if "clang" in pathlib.Path(found).name else [found]
    raise Problem(f"{GCC[0] if name == 'gcc' else name}: not found")


class Builder:
    def __init__(self, target, folder, compiler):
        self.folder = folder
        self.clang = "clang" in compiler
        command = compiler_of(compiler)
        if self.clang:
            command[-1] = f"--target=riscv{target.xlen}"
        self.compile = [
            *command, f"-march=rv{target.xlen}i_zicsr" if not self.clang else f"-march=rv{target.xlen}i",
            f"-mabi={'lp64' if target.xlen == 64 else 'ilp32'}", "-mcmodel=medany", "-mno-relax", "-nostdlib",
            "-static", "-fno-pic", f"-I{target.model.parent}", f"-I{TOP / 'runtime'}",
            f"-DZTL_REVISION={target.revision}"]
        self.link = [f"-Wl,-T,{target.link}"]
        self.link += ["-fuse-ld=lld"] if self.clang else ["-Wl,--no-warn-rwx-segments"]
        self.start = folder / "start.o"
        self.run([*self.compile, "-c", TOP / "runtime/start.S", "-o", self.start], "runtime/start.S")

    def run(self, command, what):
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", check=False)
        if done.returncode:
            raise Problem(f"{what}: {done.stdout.strip()}")

    def build(self, source, name):
        """The ELF file of a program."""
        elf = self.folder / (name.replace("/", "-") + ".elf")
        new = elf.with_suffix(".new")
        self.run([*self.compile, *self.link, self.start, source, "-o", new], name)
        new.replace(elf)
        return elf
