# SPDX-License-Identifier: Apache-2.0
"""examples/python/tour.ipynb runs from its first cell to its last: its cells one by one, as a notebook
evaluates them, and by jupyter-nbconvert where that is installed. What cells show is there."""

import ast
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import xml.dom.minidom

NOTEBOOK = pathlib.Path(os.environ["ZTL_SOURCE"]) / "examples/python/tour.ipynb"


def evaluate(source, names):
    """What a cell does, and the value of its last line, if that is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None


class Notebook(unittest.TestCase):
    def setUp(self):
        self.cells = [cell for cell in json.loads(NOTEBOOK.read_text())["cells"]
                      if cell["cell_type"] == "code"]

    def test_cells(self):
        names, pages = {}, {}
        for cell in self.cells:
            self.assertEqual(cell["outputs"], [], "outputs do not belong into the repository")
            value = evaluate("".join(cell["source"]), names)
            if hasattr(value, "_repr_html_"):
                pages[type(value).__name__] = value._repr_html_()
        self.assertEqual(set(pages), {"Plan", "Timeline", "Machine", "Table", "Stats", "Timing", "Register"})
        for kind, page in pages.items():
            xml.dom.minidom.parseString(f"<page>{page}</page>")  # all that is opened is closed
        for kind in ("Plan", "Timeline", "Table"):
            self.assertIn("<svg", pages[kind], kind)
        self.assertIn("load", pages["Plan"])
        self.assertEqual(names["best"]["cycles"], min(names["table"]["cycles"]))
        self.assertEqual(int(names["machine"].tl[1][0]), 16)

    @unittest.skipIf(os.environ.get("ZTL_PRELOAD"), "its kernel starts without the sanitizer")
    @unittest.skipUnless(shutil.which("jupyter-nbconvert"), "there is no jupyter-nbconvert")
    def test_nbconvert(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = os.environ | {"HOME": folder, "JUPYTER_PLATFORM_DIRS": "1"}
            done = subprocess.run(
                [shutil.which("jupyter-nbconvert"), "--to", "html", "--execute", "--output-dir", folder,
                 str(NOTEBOOK)], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual(done.returncode, 0, done.stdout.decode()[-3000:])
            page = (pathlib.Path(folder) / "tour.html").read_text()
        self.assertGreaterEqual(page.count("<svg"), 3)
        self.assertIn("engines_queue", page)


unittest.main()
