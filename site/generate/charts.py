# SPDX-License-Identifier: Apache-2.0
"""Bars under the tables of a page: the first column names them, the last column of numbers is their
length."""

import html
import re

TABLE = re.compile(r"(?:^\|.*\|\n){3,}", re.M)
NUMBER = re.compile(r"^[~≈]?\**(-?[\d,]+(?:\.\d+)?)\**(?: ?(%|×|x|ns|µs|ms|s|M/s|GB/s|cycles))?\**$")
MOST_ROWS, WIDTH, ROW, LABEL = 24, 640, 22, 250


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def number(cell):
    found = NUMBER.match(cell.replace("`", ""))
    return float(found[1].replace(",", "")) if found else None


def plain(cell):
    return re.sub(r"[`*]|\[([^]]*)\]\([^)]*\)", lambda m: m[1] or "", cell)


def bars(title, rows):
    longest = max(value for _, value, _ in rows) or 1
    height = ROW * len(rows) + 26
    parts = [f'<svg class="chart" role="img" viewBox="0 0 {WIDTH} {height}" xmlns="http://www.w3.org/2000/svg" '
             f'font-family="sans-serif" font-size="12"><title>{html.escape(title)}</title>'
             f'<text x="{LABEL}" y="14" fill="currentColor">{html.escape(title)}</text>']
    for i, (name, value, text) in enumerate(rows):
        y, length = 22 + ROW * i, max(1, (WIDTH - LABEL - 90) * value / longest)
        parts.append(f'<text x="{LABEL - 6}" y="{y + 14}" text-anchor="end" fill="currentColor">'
                     f'{html.escape(name[:40])}</text><rect x="{LABEL}" y="{y + 2}" width="{length:.1f}" '
                     f'height="{ROW - 6}" fill="#3b7dd8"/><text x="{LABEL + length + 5:.1f}" y="{y + 14}" '
                     f'fill="currentColor">{html.escape(text)}</text>')
    return "".join(parts) + "</svg>"


def chart(table):
    """The chart of a table, or nothing where it has no column of numbers, or too many rows."""
    head, _, *lines = [cells(line) for line in table.strip().split("\n")]
    if not 2 <= len(lines) <= MOST_ROWS or any(len(line) != len(head) for line in lines):
        return ""
    for column in range(len(head) - 1, 0, -1):
        values = [number(line[column]) for line in lines]
        if all(value is not None and value >= 0 for value in values) and any(values):
            rows = [(plain(line[0]), value, plain(line[column])) for line, value in zip(lines, values)]
            return f"\n```{{raw}} html\n{bars(plain(head[column]), rows)}\n```\n"
    return ""


def add(text):
    return TABLE.sub(lambda match: match[0] + chart(match[0]), text)
