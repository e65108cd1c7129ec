#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""picture.py ZTL PICTURE.S: what `make demo` shows fits a terminal of 80 columns, has no colour, and
its second picture is its first with rows and columns swapped, in pixels of two characters."""
import subprocess
import sys
import unittest

import numpy

DEMO = [sys.argv.pop(1), "run", sys.argv.pop(1)]


class Picture(unittest.TestCase):
    def test_pictures(self):
        out = subprocess.run(DEMO, capture_output=True, text=True, check=True).stdout
        lines = out.splitlines()
        self.assertLessEqual(max(map(len, lines)), 80)
        self.assertNotIn("\033", out)
        self.assertIn("tl.xpose.01", out)
        pictures = numpy.array([[*line] for line in lines if len(set(line)) < 6 and line])
        self.assertEqual(pictures.shape, (64, 64))
        before, after = pictures.reshape(2, 32, 32, 2)
        numpy.testing.assert_array_equal(after, before.transpose(1, 0, 2))
        self.assertGreater((before == "@").sum(), 300)
        self.assertTrue((before != after).any())


if __name__ == "__main__":
    unittest.main()
