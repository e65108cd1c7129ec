# SPDX-License-Identifier: Apache-2.0
"""The arrays of the examples that help shows of operators; a test runs them."""

ARRAYS = {"a": "numpy.array([[1, 2, 3], [4, 5, 6]])", "image": "numpy.arange(4).reshape(1, 1, 2, 2)"}
