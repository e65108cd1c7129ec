#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""demo.py ZTL DEMO.C: the demo fits a terminal of 80 columns, and its second picture is its first
with rows and columns swapped, as far as one can see: a character stands for two pixels, one above
the other."""
import subprocess
import sys
import unittest

DEMO = [sys.argv.pop(1), "run", sys.argv.pop(1)]


class Demo(unittest.TestCase):
    def test_pictures(self):
        out = subprocess.run(DEMO, capture_output=True, text=True, check=True).stdout
        lines = out.splitlines()
        self.assertLessEqual(max(map(len, lines)), 80)
        picture = [line[4:] for line in lines if line.startswith("    ")]
        before, after = picture[:16], picture[16:]
        self.assertEqual({len(line) for line in before}, {64})
        self.assertEqual([len(line) for line in after], [32] * 32)
        self.assertIn("tl.xpose.01", out)
        for row in range(16):
            for column in range(0, 64, 2):
                # Both stand for pixels (2·row, column); letters and slope change by steps of two.
                first, second = before[row][column], after[column // 2][2 * row]
                self.assertEqual(first == "@", second == "@", (row, column))
        self.assertGreater(sum(line.count("@") for line in before), 100)

    def test_no_colour_by_default(self):
        out = subprocess.run(DEMO, capture_output=True, check=True).stdout
        self.assertNotIn(b"\033", out)

    def test_colour_on_request(self):
        out = subprocess.run(DEMO + ["--", "colour"], capture_output=True, check=True).stdout
        self.assertIn(b"\033[48;5;", out)


if __name__ == "__main__":
    unittest.main()
