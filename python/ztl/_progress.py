# SPDX-License-Identifier: Apache-2.0
"""How far something is that takes long: for a function of the caller's, a terminal or a notebook."""

import sys
import time

from ._library import BadType


def of(progress):
    """A function of (step, seconds) for what an argument `progress` says; None where nobody looks."""
    if progress is None or progress is False:
        return None
    if progress is True:
        return Line()
    if not callable(progress):
        raise BadType(f"progress is {progress!r}, must be True or a function of (step, seconds)")
    return progress


class Line:
    """A line in the terminal or in the notebook's cell, at most ten times a second."""

    def __init__(self):
        self._last, self._shown = 0.0, None
        self._is_notebook = "ipykernel" in sys.modules

    def __call__(self, step, seconds):
        now = time.monotonic()
        if step and now - self._last < 0.1:
            return
        self._last = now
        if self._is_notebook:
            self._show_in_notebook(f"{step}, {seconds:.0f} s" if step else "")
        elif sys.stderr.isatty():
            sys.stderr.write(f"\r{step}, {seconds:.0f} s\x1b[K" if step else "\r\x1b[K")
            sys.stderr.flush()

    def _show_in_notebook(self, text):
        from IPython.display import HTML, display

        if self._shown is None:
            self._shown = display(HTML(text), display_id=True)
        else:
            self._shown.update(HTML(text))
