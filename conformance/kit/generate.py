# SPDX-License-Identifier: Apache-2.0
"""Writes the programs of the suite, the signatures that they must leave, and their list:
generate.py FOLDER"""
import json
import os
import pathlib
import sys

sys.dont_write_bytecode = True
import bins_addi
import bins_load
import bins_move
import bins_pair
import bins_state
from suite import Suite

MODULES = (bins_load, bins_move, bins_addi, bins_pair, bins_state)


def make_suite(revision):
    suite = Suite(revision)
    for module in MODULES if revision else (bins_state,):
        module.make(suite)
    return suite


def write(folder, name, lines):
    path = folder / name
    new = path.with_name(path.name + ".new")
    new.write_text("\n".join(lines) + "\n")
    os.replace(new, path)


def describe(program, folder):
    return {"name": f"{folder}/{program.name}", "revision": program.revision, "xlen": program.xlen,
            "needs": "".join(sorted(program.needs)), "features": sorted(program.features),
            "bins": [{"rule": rule, "name": name, "word": word, "text": text}
                     for rule, name, word, text in program.bins]}


def main():
    target = pathlib.Path(sys.argv[1])
    listed = []
    for revision in (0, 1, 2):
        folder = target / (f"ztl{revision}" if revision else "none")
        folder.mkdir(parents=True, exist_ok=True)
        for program in make_suite(revision).programs:
            write(folder, program.name + ".S", program.lines())
            write(folder, program.name + ".signature", program.signature_lines())
            listed.append(describe(program, folder.name))
    write(target, "programs.json", [json.dumps(listed, indent=1)])
    print(f"{len(listed)} programs, {sum(len(p['bins']) for p in listed)} bins")


if __name__ == "__main__":
    main()
