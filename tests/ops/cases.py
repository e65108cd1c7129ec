#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Random cases for every operator, with what numpy makes of them.

usage: cases.py COUNT SEED DRIVER [OPERATOR]     pipes COUNT cases into DRIVER
       cases.py table DEF DRIVER [BYTES]         the benchmark's table, outputs up to BYTES
       cases.py ways COUNT DRIVER                COUNT larger cases, for ways that small ones miss
       cases.py engines DEF DRIVER [COUNT]       COUNT cases and the small ones of the table, on
                                                 every engine
"""
import subprocess
import sys

import adding
import operators
from table import write_table
from tensors import KINDS, Tensor, noise, rng, write_case
from ways import WAYS, write_way


def write_random(pipe, kind):
    name = "op_" + kind.replace("-", "_")
    attributes, inputs, results = getattr(adding if kind == "add" else operators, name)()
    dense = rng.random() < 0.5
    outputs = [Tensor(r.shape, inputs[-1].bits, dense) for r in results]
    write_case(pipe, kind, attributes, inputs, outputs, results)


def main():
    driver = sys.argv[3]
    engines = ["-e"] if sys.argv[1] == "engines" else []
    process = subprocess.Popen([driver, *engines], stdin=subprocess.PIPE)
    rng.seed(sys.argv[2])
    noise.seed(sum(sys.argv[2].encode()))
    try:
        if sys.argv[1] == "table":
            limit = int(sys.argv[4]) if len(sys.argv) > 4 else 1 << 40
            write_table(process.stdin, sys.argv[2], limit)
        elif sys.argv[1] == "ways":
            for i in range(int(sys.argv[2])):
                write_way(process.stdin, WAYS[i % len(WAYS)])
        elif engines:
            for i in range(int(sys.argv[4])):
                write_random(process.stdin, KINDS[i % len(KINDS)])
            for way in WAYS:
                write_way(process.stdin, way)
            write_table(process.stdin, sys.argv[2], 160000, (8, 32))
        else:
            kinds = sys.argv[4:] or KINDS
            for i in range(int(sys.argv[1])):
                write_random(process.stdin, kinds[i % len(kinds)])
        process.stdin.close()
    except BrokenPipeError:
        pass
    sys.exit(process.wait())


main()
