#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every instruction and CSR of the table has its intrinsic, under its long and its short name: they
compile for the host, and for RISC-V to the words of the table.

usage: names.py ZTL SOURCE_DIR GENERATED_DIR HOST_CC RISCV_CC RISCV_OBJDUMP
"""
import json
import re
import subprocess
import sys
import tempfile

ZTL, SOURCE, GENERATED, HOST_CC, RISCV_CC, OBJDUMP = sys.argv[1:]
VERBS = ["csrr", "csrw", "csrs", "csrc", "csrrw", "csrrs", "csrrc"]


def calls_of(insn):
    """The arguments by the rule of doc/intrinsics.md, the word that they give, and its known bits."""
    word, known = insn["match"], insn["mask"]
    arguments = {}
    for number, operand in enumerate(insn["operands"]):
        field = (1 << operand["width"]) - 1 << operand["low"]
        if operand["kind"] in ("gpr", "base"):
            arguments[operand["name"]] = "p" if operand["name"] in ("rs", "rbase") and \
                insn["operation"] in ("load", "mload", "store", "mstore") else "17ul"
            continue
        value = {"tl": 5 + 2 * number, "imm": -3, "offset": -3, "engine": 0}[operand["kind"]]
        arguments[operand["name"]] = str(value)
        word |= value << operand["low"] & field
        known |= field
    names = [operand["name"] for operand in insn["operands"] if operand["kind"] != "engine"]
    if "offset" in names:  # after its base
        names.remove("offset")
        names.append("offset")
    return [arguments[name] for name in names], "engine" in arguments, word, known


def program(isa, revision):
    body, words = [], []

    def add(name, arguments, word, known):
        for prefix in "__riscv_ztl_", "tl_":
            body.append(f"    {prefix}{name}({', '.join(arguments)});")
            words.append((prefix + name, word, known))

    for insn in isa["instructions"]:
        name = insn["mnemonic"].removeprefix("tl.").replace(".", "_")
        arguments, has_engine, word, known = calls_of(insn)
        add(name, arguments, word, known)
        if has_engine:
            add(name + "_e", arguments + ["3"], word | 3 << 30, known)
    for csr in isa["csrs"]:
        for verb in VERBS:
            value = [] if verb == "csrr" else ["p"]
            index = ["7"] if csr["count"] > 1 else []
            address = csr["address"] + (7 if index else 0)
            short = csr["name"].removeprefix("tl_")
            for name in f"__riscv_ztl_{verb}_{short if index else csr['name']}", \
                    f"tl_{verb}_{short}":
                body.append(f"    (void){name}({', '.join(index + [f'(unsigned long){v}' for v in value])});"
                            if verb != "csrw" else
                            f"    {name}({', '.join(index + ['(unsigned long)p'])});")
                words.append((name, address << 20 | 0x73, 0xFFF0007F))
    text = "#define ZTL_INTRIN_SHORT_NAMES\n#define ZTL_REVISION %d\n#include <ztl/intrin.h>\n" \
           "void f(char *p);\nvoid f(char *p)\n{\n%s\n}\n" % (revision, "\n".join(body))
    return text, words


def compile_with(compiler, text, folder):
    with open(f"{folder}/body.c", "w", encoding="ascii") as file:
        file.write(text)
    subprocess.run([*compiler.split(), "-O1", "-std=c17", "-Wall", "-Werror", f"-I{SOURCE}/include",
                    f"-I{GENERATED}", f"-I{SOURCE}", "-c", f"{folder}/body.c", "-o",
                    f"{folder}/body.o"], check=True)


def check(revision, folder):
    isa = json.loads(subprocess.run([ZTL, "isa", "--json", "--revision", str(revision)],
                                    check=True, capture_output=True, text=True).stdout)
    text, expected = program(isa, revision)
    compile_with(HOST_CC, text, folder)
    compile_with(RISCV_CC, text, folder)
    dump = subprocess.run([OBJDUMP, "-d", f"{folder}/body.o"], check=True, capture_output=True,
                          text=True).stdout
    found = [int(word, 16) for word in re.findall(r"^ +[0-9a-f]+:\t([0-9a-f]{8}) ", dump, re.M)]
    found = [word for word in found if word & 0x7F in (0x5B, 0x73)]
    assert len(found) == len(expected), (len(found), len(expected))
    for word, (name, wanted, known) in zip(found, expected):
        assert word & known == wanted & known, f"{name}: {word:08x}, not {wanted:08x}"
    print(f"Ztl {revision}: {len(expected)} intrinsics")


with tempfile.TemporaryDirectory() as scratch:
    for number in 1, 2:
        check(number, scratch)
