#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What `ztl isa` prints for editors, in the editors: every mnemonic, CSR and engine of the table has
its colour in Vim and Pygments, and by VS Code's grammar; nothing in the examples is an error.

    highlight.py ZTL SOURCE-DIR
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ZTL, SOURCE = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
TABLE = json.loads(subprocess.run([ZTL, "isa", "--json"], stdout=subprocess.PIPE, check=True).stdout)
MNEMONICS = sorted({row["mnemonic"] for row in TABLE["instructions"]})
CSRS = [row["name"] for row in TABLE["csrs"]]


def printed(form):
    return subprocess.run([ZTL, "isa", "--format", form], stdout=subprocess.PIPE, check=True, text=True).stdout


def lines():
    """(line, the word in it, what it is)"""
    for mnemonic in MNEMONICS:
        yield f"    {mnemonic} tl3, tl31, a0 # word", mnemonic, "instruction"
        yield f"l: {mnemonic} tl3, a0", "tl3", "tensor"
    for csr in CSRS:
        yield f"    csrw {csr}, t0", csr, "csr"
    yield "    csrw tl_load_stride7, t0", "tl_load_stride7", "csr"
    for engine in ("load", "comp", "store", "reshape"):
        yield f"    tl.addi tl1, tl2, 5, {engine}", engine, "engine"
    yield "    addi a0, a1, 0x10 # tl.load", "tl.load", "comment"
    yield '    .asciz "tl.load"', "tl.load", "string"
    yield "    tl.loadx tl1", "tl.loadx", "other"


def check_pygments():
    from pygments.token import Comment, Error, Keyword, Name, String
    space = {}
    exec(printed("pygments"), space)
    lexer = space["ZtlLexer"]()
    wanted = {"instruction": Keyword.Reserved, "tensor": Name.Variable.Magic, "csr": Name.Constant,
              "engine": Keyword.Type, "comment": Comment, "string": String}
    for text, word, kind in lines():
        tokens = list(lexer.get_tokens(text))
        found = [token for token, value in tokens if value == word or (kind in ("comment", "string") and word in value)]
        if kind == "other":
            assert Keyword.Reserved not in [token for token, _ in tokens], text
        else:
            assert found and found[-1] in wanted[kind], (text, word, kind, tokens)
    for path in (SOURCE / "examples").rglob("*.s"):
        wrong = [value for token, value in lexer.get_tokens(path.read_text()) if token is Error]
        assert not wrong, (path, wrong[:5])


def check_vscode():
    grammar = json.loads(printed("vscode"))
    rules = [(rule["name"], re.compile(rule["match"].replace("(?<=^|[:;]|\\s)", "(?:(?<=[:;\\s])|^)"))) for rule in grammar["patterns"] if "match" in rule]
    names = {"instruction": "support.function.ztl", "tensor": "support.type.tensor.ztl", "csr": "support.constant.csr.ztl",
             "engine": "storage.modifier.engine.ztl"}
    for text, word, kind in lines():
        found = [name for name, pattern in rules for match in pattern.finditer(text) if match[0].strip() == word]
        if kind in names:
            assert names[kind] in found, (text, word, found)
        elif kind == "other":
            assert "support.function.ztl" not in found, (text, found)


def check_vim():
    if not shutil.which("vim"):
        return
    wanted = {"instruction": "ztlInstruction", "tensor": "ztlTensor", "csr": "ztlCsr", "engine": "ztlEngine",
              "comment": "ztlComment", "string": "ztlString"}
    cases = [case for case in lines() if case[2] in wanted]
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        (scratch / "ztl.vim").write_text(printed("vim"))
        (scratch / "text.ztl").write_text("".join(f"{text}\n" for text, _, _ in cases))
        (scratch / "places").write_text("".join(f"{text.rindex(word) + 2}\n" for text, word, _ in cases))
        script = ["syntax on", "set nomore", f"source {scratch}/ztl.vim",
                  f"let p = readfile('{scratch}/places')",
                  "let r = map(copy(p), {i, c -> synIDattr(synID(i + 1, str2nr(c), 1), 'name')})",
                  f"call writefile(r, '{scratch}/found')", "qa!"]
        (scratch / "run.vim").write_text("\n".join(script) + "\n")
        subprocess.run(["vim", "-u", "NONE", "-N", "-n", "-es", "-S", scratch / "run.vim", scratch / "text.ztl"], timeout=60,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        found = (scratch / "found").read_text().splitlines()
    wrong = [(case, group) for case, group in zip(cases, found) if group != wanted[case[2]]]
    assert len(found) == len(cases) and not wrong, wrong[:5]


check_pygments()
check_vscode()
check_vim()
