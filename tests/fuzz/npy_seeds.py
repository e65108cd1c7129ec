#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes small arrays with NumPy into a folder, for the fuzzer to start from."""
import itertools
import os
import sys

import numpy as np
from numpy.lib import format as npy_format

DTYPES = ("i1", "u2", "f4", "c16", "?", "M8[ns]", "V4", ">i4", "U3", "i4,f8")
SHAPES = ((), (7,), (2, 3), (3, 0, 2), (1, 2, 1, 2, 1, 2, 1, 2))

for n, (dtype, shape) in enumerate(itertools.product(DTYPES, SHAPES)):
    array = np.zeros(shape, dtype)
    if n % 2:
        array = np.asfortranarray(array)
    with open(os.path.join(sys.argv[1], f"seed-{n}"), "wb") as file:
        npy_format.write_array(file, array, version=(n % 3 + 1, 0))

# Empty, and more than NumPy itself would hold.
with open(os.path.join(sys.argv[1], "seed-large"), "wb") as file:
    npy_format.write_array_header_1_0(
        file, {"descr": "|u1", "fortran_order": False, "shape": (0, 1 << 62)})
