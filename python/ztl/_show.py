# SPDX-License-Identifier: Apache-2.0
"""HTML that notebooks show."""

import html

_CELL = "padding:1px 5px;text-align:right;font-family:monospace"


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


def grid(values, width=32):
    """A one-dimensional array as rows, each with the index of its first element."""
    rows = [[f"{start}:"] + [str(value) for value in values[start:start + width].tolist()]
            for start in range(0, len(values), width)]
    return table(rows)
