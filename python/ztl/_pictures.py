# SPDX-License-Identifier: Apache-2.0
"""The picture of a plan: for each pass the instructions of a batch, and how many batches there are."""

import html
import re

_COLOURS = {"load": "#4e79a7", "store": "#59a14f", "permute": "#f28e2b", "xpose": "#e15759",
            "concat": "#b07aa1", "merge": "#9c755f", "addi": "#edc948", "reshape": "#76b7b2"}
_OTHER, _WIDTH, _HEIGHT, _LEFT = "#bab0ac", 900, 34, 8
_MOST = 24  # boxes of one kind; more are a number


def _passes(description):
    """(title, [(count, operation)], batches) of each pass of Plan.description."""
    found = []
    for line in description.splitlines():
        title = re.match(r"\s*pass (\d+): (.*)", line)
        batch = re.match(r"\s*a batch: (.*)", line)
        if title:
            found.append((f"pass {title[1]}: {title[2]}", [], ""))
        elif batch and found:
            text, _, rest = batch[1].partition(";")
            parts = [(int(count), name) for count, name in re.findall(r"(\d+) ([a-z]+)", text.split("(")[0])]
            found[-1] = found[-1][0], parts, rest.strip().split(",")[0]
    return found


def _boxes(parts, y):
    x = _LEFT
    for count, name in parts:
        shown = min(count, _MOST)
        for _ in range(shown):
            yield (f'<rect x="{x}" y="{y}" width="12" height="14" rx="2" '
                   f'fill="{_COLOURS.get(name, _OTHER)}"/>')
            x += 14
        label = f"{count} {name}"
        yield f'<text x="{x + 3}" y="{y + 11}">{html.escape(label)}</text>'
        x += 14 + 7 * len(label)
    yield x


def draw(description):
    """The picture as SVG; empty where a plan has no pass."""
    passes, lines = _passes(description), []
    for index, (title, parts, batches) in enumerate(passes):
        y = 6 + index * (_HEIGHT + 10)
        *boxes, x = _boxes(parts, y + 16)
        lines += [f'<text x="{_LEFT}" y="{y + 11}" font-weight="bold">{html.escape(title[:130])}</text>',
                  *boxes, f'<text x="{x + 4}" y="{y + 27}">{html.escape(batches)}</text>']
    if not passes:
        return ""
    height = 6 + len(passes) * (_HEIGHT + 10)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
            f'font-family="sans-serif" font-size="11">{"".join(lines)}</svg>')
