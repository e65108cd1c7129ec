#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How good the conformance suite is: makes wrong models and looks whether the suite, and nothing else,
notices each. Survivors are shown with the line; those of tests/mutants/equivalent.txt cannot be noticed,
for the reason that is given there.

usage: mutate.py BUILD-DIR [--count N] [--seed S] [--jobs N] [--only REGEX] [--coverage]"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import operators

TOP = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).parent
SOURCES = [f"model/{name}.c" for name in ("addi", "block", "concat", "csr", "execute", "float", "load", "merge",
                                          "pair", "permute", "slices", "state", "store", "xpose")]
LISTS = ["isa/ztl.def", "isa/csr.def", "isa/type.def"]
# No program of a hart sees these: what users of the library call, what is checked of their calls, and what
# only messages show. The tests of model/ and codec/ hold them.
FOR_USERS = re.compile(
    r"^\w[^\n]*\b(?:ztl_csr_put_row|ztl_csr_put|ztl_csr_read|ztl_csr_write|ztl_csr_execute|"
    r"ztl_get_register|ztl_set_register|ztl_init|"
    r"config_is_sound|window_fits|ztl_default_config|ztl_execute_fast|ztl_execute|"
    r"ztl_in_slice)\([^;{]*\n\{\n(?:[ \n][^\n]*\n|\n)*\}$"
    r"|^[^\n]*(?:ztl_usable|ZTL_MISUSE|!memory|state->at|->spare|FUNCT3_RW = |ztl_try_fast|x\[32\]|\.value = |"
    r"\.rule = )[^\n]*$|(?<=ZTL_RULE_)\w+, [^;]*\);", re.M)
DESCRIPTIONS = TOP / "conformance/targets/simulator"
FLAGS = ["-std=c17", "-O1", "-w", f"-I{TOP}/include", f"-I{TOP}"]


class Mutant:
    def __init__(self, path, what, line, text):
        self.path, self.what, self.line, self.text = path, what, line, text
        self.shown = f"{path}:{line}: {what}"


def mutants_of_source(path):
    text = (TOP / path).read_text()
    for_users = [(m.start(), m.end()) for m in FOR_USERS.finditer(text)]
    for what, start, end, new in operators.mutants_of(text):
        if any(first <= start < last for first, last in for_users):
            continue
        line = text.count("\n", 0, start) + 1
        yield Mutant(path, what, line, text[:start] + new + text[end:])


def mutants_of_list(path):
    """A digit of a row is another one."""
    text = (TOP / path).read_text()
    rows = {"isa/ztl.def": r"^ZTL_(?:INSN|ALIAS)\(.*$", "isa/csr.def": r"^ZTL_CSR\(.*$", "isa/type.def": r"^ZTL_TYPE\(.*$"}
    for row in re.finditer(rows[path], text, re.M):
        # not texts; and not where the bits of an encoding are, which the decoder knows by itself
        code = re.sub(r'"[^"]*"|ZTL_BITS\(\d+, \d+', lambda m: " " * len(m[0]), row[0])
        for number in operators.NUMBER.finditer(code):
            value = int(number[1], 0)
            other = value ^ 1 if value < 2 or "0x" not in number[1] else value ^ (value & -value)
            start = row.start() + number.start()
            line = text.count("\n", 0, start) + 1
            yield Mutant(path, f"{row[0].split(',')[0]}: {number[1]} is {other}", line,
                         text[:start] + str(other) + text[start + len(number[1]) :])


def special():
    """Mistakes that no operator makes: special.txt has FILE, what, and the text before and behind =>."""
    for block in (HERE / "special.txt").read_text().split("\n---\n")[1:]:
        head, _, body = block.strip("\n").partition("\n")
        path, what = head.split(": ", 1)
        old, new = (body + "\n").split("\n=>\n")
        new = new.rstrip("\n")
        text = (TOP / path).read_text()
        if text.count(old) != 1:
            sys.exit(f"special.txt: {what}: the text is {text.count(old)} times in {path}")
        line = text.count("\n", 0, text.index(old)) + 1
        yield Mutant(path, what, line, text.replace(old, new))


def all_mutants():
    for path in SOURCES:
        yield from mutants_of_source(path)
    for path in LISTS:
        yield from mutants_of_list(path)

def equivalents():
    """{(file, what, text of the line): reason}"""
    for line in (HERE / "equivalent.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            path, what, code, reason = (part.strip() for part in line.split(" ;; "))
            yield (path, what, code), reason


# ---- Running --------------------------------------------------------------------------------------


def isa_and_memory(description):
    """The words of suite.c for a description of the simulator."""
    command = re.search(r"^command: (.*)$", description.read_text(), re.M)[1].split()
    isa, words = "", []
    for option, value in zip(command, command[1:]):
        def window(text):
            base, size = text.split(":")
            size = int(size[:-1]) * 1024 if size.endswith("K") else int(size, 0)
            return f"{int(base, 0):x}:{size:x}"
        if option == "--isa":
            isa = value
        elif option == "--mem":
            words.append(window(value))
        elif option in ("--l1m", "--l0m"):
            words.append(f"{option[2:]}={window(value)}")
    return isa, words


def build_programs(build, folder, jobs):
    """ELF files of all descriptions; the lines for suite.c."""
    lines = []
    for description in sorted(DESCRIPTIONS.glob("*.yaml")):
        variant = description.stem
        kept = folder / variant
        name = "simulator" if variant == "dut" else f"simulator/{variant}"
        only = {"without": "absent|status-1", "wraps": "wrap", "windows": "windows",
                "rv32": "rv32|addresses|/wrap|/load-1|/csr"}
        chosen = next((value for word, value in only.items() if word in variant), None)
        subprocess.run([build / "ztl", "conform", "--config", name, "--jobs", str(jobs), "--resume", kept,
                        *(["--filter", chosen] if chosen else [])], check=True, stdout=subprocess.DEVNULL)
        isa, words = isa_and_memory(description)
        lines += [" ".join([isa, str(elf), *words]) for elf in sorted(kept.glob("*.elf"))]
    return lines


def near(path):
    """What in a program's name makes it likely to notice a mistake in a file."""
    stem = pathlib.Path(path).stem
    return {"slices": "load|store", "load": "load", "store": "store", "block": "concat|merge", "pair": "xpose|perm",
            "float": "addi", "csr": "csr|mask|reset", "state": "reset|addi", "execute": "status|absent|other",
            "type": "addi", "ztl": "encod|decod|other"}.get(stem, stem)


class Judge:
    def __init__(self, build, folder, lines):
        self.build, self.folder, self.lines = build, folder, lines
        self.runner = folder / "suite.o"
        libraries = subprocess.run(["pkg-config", "--libs", "libelf", "zlib"], check=True, stdout=subprocess.PIPE,
                                   text=True).stdout
        subprocess.run(["strip", "-g", "-o", folder / "libztl.a", build / "libztl.a"], check=True)
        self.libraries = [str(folder / "libztl.a"), *shlex.split(libraries), "-lm"]
        self.compile(HERE / "suite.c", self.runner, [])

    def compile(self, source, target, first):
        return subprocess.run(["gcc", *first, *FLAGS, "-D_GNU_SOURCE", "-c", str(source), "-o", str(target)],
                              stderr=subprocess.DEVNULL, check=False).returncode == 0

    def verdict(self, mutant):
        """'stillborn', 'killed' or 'survived'."""
        with tempfile.TemporaryDirectory(dir=self.folder) as name:
            folder = pathlib.Path(name)
            path = folder / mutant.path
            path.parent.mkdir()
            path.write_text(mutant.text)
            affected = [mutant.path] if mutant.path.endswith(".c") else ["isa/table.c", *SOURCES]
            objects = []
            for source in affected:
                objects.append(folder / (source.replace("/", "-") + ".o"))
                if not self.compile(path if source == mutant.path else TOP / source, objects[-1], [f"-I{folder}"]):
                    return "stillborn", None
            program = folder / "suite"
            linked = subprocess.run(["gcc", str(self.runner), *map(str, objects), *self.libraries, "-o", str(program)],
                                    stderr=subprocess.DEVNULL, check=False)
            if linked.returncode:
                return "stillborn", None
            pattern = re.compile(near(mutant.path))
            ordered = sorted(self.lines, key=lambda line: not pattern.search(line.split()[1].rsplit("/", 1)[1]))
            done = subprocess.run([program], input="\n".join(ordered) + "\n", text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, check=False)
            if done.returncode == 0:
                return "survived", None
            return "killed", done.stdout.strip().rsplit("/", 1)[-1] or f"exit status {done.returncode}"


def coverage(judge, sources):
    """Lines and branches of the plain model that the suite alone executes."""
    objects = []
    for source in sources:
        objects.append(judge.folder / (source.replace("/", "-") + ".o"))
        subprocess.run(["gcc", "--coverage", *FLAGS, "-O0", "-c", str(TOP / source), "-o", str(objects[-1])], check=True)
    program = judge.folder / "suite"
    subprocess.run(["gcc", "--coverage", str(judge.runner), *map(str, objects), *judge.libraries, "-o", str(program)],
                   check=True)
    subprocess.run([program], input="\n".join(judge.lines) + "\n", text=True, check=True)
    subprocess.run(["gcovr", "--root", str(TOP), "--filter", "model/", "--filter", "isa/table.c", "--branches",
                    "--exclude-throw-branches", str(judge.folder)], check=True)
    subprocess.run(["gcovr", "--root", str(TOP), "--filter", "model/", "--filter", "isa/table.c", str(judge.folder)],
                   check=True)
    return 0


def main():
    parser = argparse.ArgumentParser(prog="mutate.py", description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=0, help="a sample of so many; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--only", default="", help="only mutants whose file, line or description has this REGEX")
    parser.add_argument("--verbose", action="store_true", help="print the verdict on each")
    parser.add_argument("--coverage", action="store_true", help="only lines and branches that the suite executes")
    options = parser.parse_args()
    wanted = re.compile(options.only)
    mutants = [m for m in all_mutants() if wanted.search(m.shown)]
    by_hand = [m for m in special() if wanted.search(m.shown)]
    if options.count and options.count < len(mutants) + len(by_hand):
        mutants = random.Random(options.seed).sample(mutants, max(options.count - len(by_hand), 0))
    mutants = by_hand + mutants
    known = dict(equivalents())
    counts, survivors, used = collections.Counter(), [], collections.Counter()
    with tempfile.TemporaryDirectory(prefix="ztl-mutants-") as name:
        folder = pathlib.Path(name)
        judge = Judge(options.build.resolve(), folder, build_programs(options.build.resolve(), folder, options.jobs))
        if options.coverage:
            return coverage(judge, [*SOURCES, "isa/table.c"])
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for n, (mutant, (verdict, _)) in enumerate(zip(mutants, pool.map(judge.verdict, mutants)), 1):
                code = (TOP / mutant.path).read_text().splitlines()[mutant.line - 1].strip()
                key = (mutant.path, mutant.what, code)
                key = key if key in known else (mutant.path, mutant.what, "*")
                if verdict == "survived" and key in known:
                    verdict = "equivalent"
                elif verdict == "survived":
                    survivors.append(f"{mutant.path} ;; {mutant.what} ;; {code} ;;")
                elif verdict == "killed" and key in known and key[2] != "*":
                    used[key] += 1
                counts[verdict] += 1
                if options.verbose:
                    print(verdict, mutant.shown, ";;", code, flush=True)
                if sys.stderr.isatty():
                    print(f"\r{n}/{len(mutants)}, {counts['survived']} survived\033[K", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    for survivor in survivors:
        print(survivor)
    for key in used:
        print(f"killed, though equivalent.txt says that it cannot be: {' ;; '.join(key)}")
    judged = counts["killed"] + counts["survived"]
    print(f"{len(mutants)} mutants: {counts['stillborn']} do not compile, {counts['equivalent']} equivalent, "
          f"{counts['killed']} of {judged} killed ({100 * counts['killed'] / max(judged, 1):.1f} %)")
    return bool(survivors or used)


sys.exit(main())
