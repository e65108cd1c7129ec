# SPDX-License-Identifier: Apache-2.0
"""The structures of the package are those of the headers: a C compiler says where each member is."""

import ctypes
import os
import pathlib
import subprocess
import tempfile
import unittest

from ztl import _library

SOURCE = pathlib.Path(os.environ["ZTL_SOURCE"])
HEADERS = ["hart", "host", "linux", "observe", "ops", "source", "timeline", "timing"]


def members(structure):
    """Of a machine none: it is an array here, with a member for each parameter there."""
    return [name for name, *_ in structure._fields_ if name != "values"]


class Layout(unittest.TestCase):
    def test_structures(self):
        lines = ["#include <stdio.h>"] + [f"#include <ztl/{name}.h>" for name in HEADERS]
        lines.append("int main(void) {")
        expected = []
        for name, structure in _library.STRUCTURES.items():
            lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
            expected.append(f"{name} {ctypes.sizeof(structure)}")
            for member in members(structure):
                place = f"offsetof({name}, {member}), sizeof((({name} *)0)->{member})"
                lines.append(f'printf("{name}.{member} %zu %zu\\n", {place});')
                field = getattr(structure, member)
                expected.append(f"{name}.{member} {field.offset} {field.size}")
        lines += ['printf("%d %d %d\\n", ZTL_OPS_RANK, ZTL_OPS_BUFFERS, ZTL_OPS_KINDS);',
                  "return 0; }"]
        expected.append(f"{_library.RANK} {_library.BUFFERS} {len(_library._table.OPERATORS)}")
        with tempfile.TemporaryDirectory() as folder:
            program, code = f"{folder}/layout", f"{folder}/layout.c"
            pathlib.Path(code).write_text("\n".join(lines))
            subprocess.run([os.environ["CC"], "-std=c17", f"-I{SOURCE}/include", f"-I{SOURCE}", code,
                            "-o", program], check=True)
            out = subprocess.run([program], check=True, capture_output=True).stdout
        self.assertEqual(out.decode().splitlines(), expected)

    def test_names(self):
        for index, row in enumerate(_library._table.OPERATORS):
            self.assertEqual(_library.ops.ztl_ops_name(index).decode(), row[1])
        for index, name in enumerate(_library.CLASS_NAMES):
            self.assertEqual(_library.core.ztl_class_name(index).decode(), name)


unittest.main()
