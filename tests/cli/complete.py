#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Completion: what `ztl complete` offers is what --help lists, and bash, zsh and fish offer it.

    complete.py ZTL
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ZTL = pathlib.Path(sys.argv[1]).resolve()


def run(*command, **options):
    return subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE, timeout=60, **options).stdout


def offered(*words):
    return [line.split("\t")[0] for line in run(ZTL, "complete", "--", *words).splitlines()]


def options_in_help(*words):
    """The options that lines of a help start with, found in another way than the command does."""
    names = []
    for line in run(ZTL, *words, "--help").splitlines():
        if re.match(r" +-", line):
            names += re.findall(r"(?<![\w=|-])(--?[A-Za-z][\w-]*)", re.split(r" {2,}", line.strip())[0])
    return names


def check_all():
    commands = offered("")
    listed = re.findall(r"^  ([a-z]+) ", run(ZTL, "--help"), re.M)
    assert commands == listed, (commands, listed)
    for command in commands:
        assert set(options_in_help(command)) <= set(offered(command, "-")), command
    operators = offered("op", "")
    assert {"transpose", "pad", "gather"} <= set(operators) and len(operators) > 25, operators
    for operator in ("transpose", "resize", "one-hot"):
        wanted = set(options_in_help("op", operator))
        assert len(wanted) > 10 and wanted <= set(offered("op", operator, "-")), operator
    assert offered("onnx", "") == ["report", "run", "test"], offered("onnx", "")
    assert {"insn", "sim", "ops"} <= set(offered("bench", ""))
    assert offered("op", "transp") == ["transpose"]
    assert offered("run", "--dump-") and all(name.startswith("--dump-") for name in offered("run", "--dump-"))
    assert offered("draw", "--format", "") == ["text", "svg"] and offered("draw", "--format", "s") == ["svg"]
    assert offered("draw", "-o", "") == [] and offered("nonsense", "-") == []
    assert subprocess.run([ZTL, "complete", "tcsh"], stderr=subprocess.PIPE).returncode == 2


BASH = """
source <(ztl complete bash)
COMP_WORDS=(ztl op transp) COMP_CWORD=2; _ztl; echo "${COMPREPLY[@]}"
COMP_WORDS=(ztl draw --format '') COMP_CWORD=3; _ztl; echo "${COMPREPLY[@]}"
COMP_WORDS=(ztl run a_fi) COMP_CWORD=2; _ztl; echo "${COMPREPLY[@]}"
complete -p ztl
"""
ZSH = """
autoload -Uz compinit && compinit -u -D
eval "$(ztl complete zsh)"
_describe() { print -l -- "${(@P)2}" }
words=(ztl op transp) CURRENT=3
_ztl
print $_comps[ztl]
"""


def check_shells():
    with tempfile.TemporaryDirectory() as scratch:
        pathlib.Path(scratch, "a_file.s").write_text("")
        os.symlink(ZTL, pathlib.Path(scratch, "ztl"))
        environment = {"PATH": f"{scratch}:/usr/bin:/bin", "HOME": scratch, "LC_ALL": "C.UTF-8"}
        said = run("bash", "--norc", "-c", BASH, env=environment, cwd=scratch).splitlines()
        assert said[:3] == ["transpose", "text svg", "a_file.s"] and "_ztl" in said[3], said
        if shutil.which("zsh"):
            said = run("zsh", "-f", "-c", ZSH, env=environment, cwd=scratch)
            assert "transpose:permute the dimensions" in said and said.endswith("_ztl\n"), said
        if shutil.which("fish"):
            said = run("fish", "--no-config", "-c", "ztl complete fish | source; complete -C 'ztl op transp'",
                       env=environment, cwd=scratch)
            assert said.startswith("transpose\tpermute the dimensions"), said


check_all()
check_shells()
