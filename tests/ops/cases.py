#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Random cases for every operator, with what numpy makes of them.

usage: cases.py random COUNT DRIVER [SEED [OPERATOR]]   pipes COUNT cases into DRIVER
       cases.py ways COUNT DRIVER [SEED]     COUNT larger cases, for ways that small ones miss
       cases.py table DEF DRIVER BYTES       the benchmark's table, outputs up to BYTES
       cases.py engines DEF DRIVER COUNT [SEED]    COUNT random cases, a larger one of each way
                                             and the small ones of the table, on every engine
       cases.py scalar COUNT DRIVER [SEED]   COUNT random cases for the scalar version too, most of
                                             them add and where
       cases.py memories COUNT DRIVER [SEED] COUNT random cases and larger ones, planned in less
                                             and less memory
"""
import subprocess
import sys

import adding
import indexing
import onnx_operators
import operators
from table import write_table
from tensors import KINDS, Tensor, noise, rng, write_case
from ways import WAYS, write_way


def write_random(pipe, kind):
    name = "op_" + kind.replace("-", "_")
    modules = (adding, indexing, operators, onnx_operators)
    module = next((m for m in modules if hasattr(m, name)), None)
    if module is None:
        sys.exit(f"cases.py: no random cases of {kind}: define {name} in tests/ops/operators.py")
    attributes, inputs, results = getattr(module, name)()
    dense = rng.random() < 0.5
    if module is indexing:
        indexing.write_indexed(pipe, kind, attributes, inputs, results, dense)
        return
    bits = attributes.get("bits") or inputs[-1].bits
    outputs = [Tensor(r.shape, bits, dense) for r in results]
    write_case(pipe, kind, attributes, inputs, outputs, results)


def operators_only():
    return [kind for kind in KINDS if kind not in indexing.NAMES]


def write_cases(pipe, what, given, rest):
    """WHAT cases into the pipe; the same ones on every machine and in every folder."""
    seed = rest[what in ("table", "engines"):] or ["1"]
    rng.seed(seed[0])
    noise.seed(sum(seed[0].encode()))
    if what == "table":
        write_table(pipe, given, int(rest[0]))
    elif what == "ways":
        for i in range(int(given)):
            write_way(pipe, WAYS[i % len(WAYS)])
    elif what == "engines":
        for kinds, count in ((operators_only(), int(rest[0])),
                             (indexing.NAMES, int(rest[0]) // 3)):
            for i in range(count):
                write_random(pipe, kinds[i % len(kinds)])
        for way in WAYS:
            write_way(pipe, way)
        write_table(pipe, given, 160000, (8, 32))
    else:
        for i in range(int(given) // 4 if what == "memories" else 0):
            write_way(pipe, WAYS[i % len(WAYS)])
        kinds = seed[1:] or KINDS + indexing.FORMS + ["add", "where"] * 12 * (what == "scalar")
        for i in range(int(given)):
            write_random(pipe, kinds[i % len(kinds)])


def main():
    what, given, driver, *rest = sys.argv[1:]
    options = {"engines": ["-e"], "scalar": ["-s"], "memories": ["-m"]}.get(what, [])
    process = subprocess.Popen([driver] + options, stdin=subprocess.PIPE)
    try:
        write_cases(process.stdin, what, given, rest)
        process.stdin.close()
    except BrokenPipeError:
        pass
    sys.exit(process.wait())


main()
