# SPDX-License-Identifier: Apache-2.0
"""The command line of `gen`."""
import argparse
import json
import os
import pathlib
import re
import shlex
import struct
import subprocess
import sys
import tempfile

import random_program
from build import Builder
from command import config_of
from random_steps import PROFILES
from runner import FAIL
from target import LETTERS, Problem, Target

EXAMPLES = """examples:
  ztl gen --seed 7 --count 100 --out programs
  ztl gen --isa rv32i_zicsr_ztl1p0 --profile traps --out programs
  ztl gen --minimize 'my-sim {elf}' programs/gen-7-3.elf
exit status: 0, 1 if FILE passes, 2 a wrong command line or file"""


def parser():
    p = argparse.ArgumentParser(prog=os.environ.get("ZTL_KIT_NAME", "gen"), epilog=EXAMPLES, description=(
        "Writes random programs that check themselves, with their signatures.\n"
        "The same seed gives the same programs for ever."),
        formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    number = lambda low, high: lambda text: checked(text, low, high)
    p.add_argument("--seed", metavar="S", type=number(0, 2**63), default=1, help="where the random numbers begin (1)")
    p.add_argument("--count", metavar="N", type=number(1, 10**6), default=1, help="so many programs (1)")
    p.add_argument("--steps", metavar="N", type=number(1, 1000), default=200,
                   help="at the most so many instructions under test in each (200)")
    p.add_argument("--isa", metavar="ISA", help="rv64i_zicsr_ztl, rv32i_zicsr_ztlx1p0_ztlm1p0 … (the target's)")
    p.add_argument("--profile", choices=PROFILES, default="all", help="what comes most often (all)")
    p.add_argument("--config", metavar="FILE", default="simulator", help="the target, as for ztl conform (simulator)")
    p.add_argument("--out", metavar="DIR", default=".", help="where the files go (.)")
    p.add_argument("--source", action="store_true", help="write the assembly, too")
    p.add_argument("--cc", metavar="NAME", default="gcc", help="gcc (the default), clang, or a path")
    p.add_argument("--minimize", metavar="CMD", help="what runs {elf}: shrink FILE, which fails on it")
    p.add_argument("file", metavar="FILE", nargs="?", help="with --minimize: a program that gen wrote")
    return p


def checked(text, low, high):
    if not text.isdecimal() or not low <= int(text) <= high:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from {low} to {high}")
    return int(text)


def isa_of(text):
    """(xlen, revision, letters) of an ISA string."""
    found = re.fullmatch(r"rv(32|64)[a-z]*((?:_?z[a-z]+\d*(?:p\d+)?)*)", text)
    parts = re.findall(r"ztl([xcamp]?)(?:(\d)p0)?(?=_|$)", found[2]) if found else []
    revisions = {int(version or 2) for _, version in parts}
    if len(revisions) != 1 or not revisions <= {1, 2}:
        raise Problem(f"--isa: '{text}' is not an ISA string with Ztl, such as rv64i_zicsr_ztl")
    revision = revisions.pop()
    letters = "".join(letter or LETTERS[revision] for letter, _ in parts)
    if set(letters) - set(LETTERS[revision]):
        raise Problem(f"--isa: '{text}': revision {revision} has only {LETTERS[revision]}")
    return int(found[1]), revision, "".join(sorted(set(letters)))


def write(program, builder, folder, source):
    """The ELF file, its signature and, if wanted, the assembly."""
    path = folder / f"{program.name}.S"
    path.write_text("\n".join(program.lines()) + "\n")
    try:
        elf = builder.build(path, program.name)
    finally:
        if not source:
            path.unlink()
    new = folder / f"{program.name}.signature.new"
    new.write_text("\n".join(program.signature_lines()) + "\n")
    new.replace(folder / f"{program.name}.signature")
    return elf


def target_of(options, isa):
    target = Target(config_of(options.config))
    if isa:
        target.xlen, target.revision, target.subsets = isa
    if not target.revision or "m" not in target.subsets:
        raise Problem("a hart without Ztlm shows nothing of its registers; random programs need it")
    return target


def generate(options):
    target = target_of(options, isa_of(options.isa) if options.isa else None)
    folder = pathlib.Path(options.out)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="ztl-gen-") as name:
        builder = Builder(target, pathlib.Path(name), options.cc)
        builder.folder = folder
        for k in range(options.count):
            program = random_program.draw(f"gen-{options.seed}-{k}", options.seed * 1000003 + k, target.revision,
                                          target.xlen, target.subsets, options.profile, options.steps)
            print(write(program, builder, folder, options.source))
    return 0


# ---- Shrinking ------------------------------------------------------------------------------------


def read_steps(path):
    """What the section .ztl.gen of an ELF file says."""
    try:
        data = path.read_bytes()
        wide = data[4] == 2
        at, size, count, names = (*struct.unpack_from("<Q", data, 0x28), *struct.unpack_from("<HHH", data, 0x3A)) if \
            wide else (*struct.unpack_from("<I", data, 0x20), *struct.unpack_from("<HHH", data, 0x2E))
        headers = [struct.unpack_from("<IIQQQQ" if wide else "<IIIIII", data, at + k * size) for k in range(count)]
        text = headers[names][4]
        for header in headers:
            if data[text + header[0] :].startswith(b".ztl.gen\0"):
                return json.loads(data[header[4] : header[4] + header[5]])
    except OSError as error:
        raise Problem(f"{path}: {error.strerror}") from None
    except (struct.error, IndexError, ValueError):
        pass
    raise Problem(f"{path}: is no program that gen wrote")


class Shrinker:
    def __init__(self, described, command, builder, folder):
        self.described, self.command, self.builder, self.folder = described, command, builder, folder
        self.tries, self.kind = 0, None

    def program(self, steps):
        d = self.described
        return random_program.make(d["name"] + "-min", d["revision"], d["xlen"], d["subsets"], steps)

    def failure(self, steps):
        """The first failure of a program of these steps, None when it passes."""
        self.tries += 1
        try:
            elf = write(self.program(steps), self.builder, self.folder, False)
        except (AssertionError, KeyError):
            return None
        words = [word.replace("{elf}", str(elf)) for word in self.command]
        if words[0] == "ztl" and os.environ.get("ZTL_KIT_ZTL"):
            words[0] = os.environ["ZTL_KIT_ZTL"]
        try:
            done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=60, check=False)
        except OSError as error:
            raise Problem(f"{words[0]}: {error.strerror}") from None
        except subprocess.TimeoutExpired:
            return "no end after 60 seconds"
        found = FAIL.search(done.stdout.decode(errors="replace").replace("\r", ""))
        if not found:
            return f"exit status {done.returncode}" if done.returncode else None
        kind = found[2], found[4]
        self.kind = self.kind or kind
        return found[0] if kind == self.kind else None

    def sane(self, steps):
        """Steps that stay tame without those that are gone."""
        program = self.program([])
        for step in steps:
            if not program.tame(step):
                return False
            program.add(step)
        return True

    def fails(self, steps):
        return self.sane(steps) and self.failure(steps) is not None

    def shrink(self, steps):
        """Fewer steps, then less before each, as long as it fails."""
        size = len(steps) // 2
        while size:
            at = 0
            while at < len(steps):
                fewer = steps[:at] + steps[at + size :]
                if fewer and self.fails(fewer):
                    steps = fewer
                else:
                    at += size
            size //= 2
        for k in range(len(steps)):
            for part in range(len(steps[k]["csr"]) - 1, -1, -1):
                less = dict(steps[k], csr=steps[k]["csr"][:part] + steps[k]["csr"][part + 1 :])
                if self.fails(steps[:k] + [less] + steps[k + 1 :]):
                    steps = steps[:k] + [less] + steps[k + 1 :]
            less = dict(steps[k], branch=False)
            if steps[k]["branch"] and self.fails(steps[:k] + [less] + steps[k + 1 :]):
                steps = steps[:k] + [less] + steps[k + 1 :]
        return steps


def minimize(options):
    path = pathlib.Path(options.file)
    described = read_steps(path)
    command = shlex.split(options.minimize)
    if not any("{elf}" in word for word in command):
        raise Problem("--minimize: the command has no {elf}")
    target = target_of(options, (described["xlen"], described["revision"], described["subsets"]))
    with tempfile.TemporaryDirectory(prefix="ztl-gen-") as name:
        builder = Builder(target, pathlib.Path(name), options.cc)
        shrinker = Shrinker(described, command, builder, pathlib.Path(name))
        if shrinker.failure(described["steps"]) is None:
            print(f"{path}: passes, there is nothing to shrink", file=sys.stderr)
            return 1
        steps = shrinker.shrink(described["steps"])
        said = shrinker.failure(steps)
        program = shrinker.program(steps)
        folder = pathlib.Path(options.out)
        folder.mkdir(parents=True, exist_ok=True)
        builder.folder = folder
        elf = write(program, builder, folder, True)
    print(f"{elf}: {len(steps)} of {len(described['steps'])} steps, {shrinker.tries} tries")
    for step, (rule, _, word, text) in zip(steps, program.bins):
        for address, value in step["csr"]:
            print(f"  csr {address:#x} = {value:#x}")
        for register, value in step["x"].items():
            where = f"{value[0]} + {value[1]}" if isinstance(value, list) else f"{value:#x}"
            print(f"  x{register} = {where}")
        print(f"  {word}  {text}    {rule}")
    print(said)
    return 0


def main(arguments):
    options = parser().parse_args(arguments)
    try:
        if bool(options.file) != bool(options.minimize):
            raise Problem("FILE and --minimize go together")
        return minimize(options) if options.minimize else generate(options)
    except (Problem, OSError) as error:
        print(f"{parser().prog}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
