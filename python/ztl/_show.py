# SPDX-License-Identifier: Apache-2.0
"""HTML that notebooks show."""

import html

import numpy

_CELL = "padding:1px 5px;text-align:right;white-space:nowrap;font-family:monospace"


def table(rows, head=()):
    """A table of texts."""
    def line(cells, tag):
        return "<tr>" + "".join(f'<{tag} style="{_CELL}">{html.escape(str(cell))}</{tag}>'
                                for cell in cells) + "</tr>"

    return ("<table>" + (line(head, "th") if head else "") +
            "".join(line(row, "td") for row in rows) + "</table>")


def titled(title, body):
    """A paragraph of bold text before what it is about."""
    return f"<p><b>{html.escape(title)}</b></p>{body}"


def preformatted(text):
    """Text as it is."""
    return f"<pre>{html.escape(text)}</pre>"


def _text(value):
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def grid(array, width=110):
    """An array in its rows, each with the index of its first element. Where there is one dimension, a
    row has as many elements as fit, a power of two."""
    if array.ndim < 2:
        texts = [_text(value) for value in array.reshape(-1).tolist()]
        columns = 32
        while columns > 1 and columns * (1 + max(map(len, texts), default=0)) > width:
            columns //= 2
        rows = [[f"{start}:"] + texts[start:start + columns]
                for start in range(0, len(texts), columns)]
    else:
        rows = [[",".join(map(str, index)) + ":"] + [_text(value) for value in array[index].tolist()]
                for index in numpy.ndindex(array.shape[:-1])]
    return f'<div style="overflow-x:auto">{table(rows)}</div>'
