"""Tables as wide as a terminal: as many columns at a time as fit, the rest of them below.

Rule.    A name of a tokenizer goes on in another line behind a space or a sign, never in a word
         that fits into a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from kugiri.explain.glyphs import visible
from kugiri.measure.report import Report

_NAME = 16
"""Cells of a tokenizer's name that goes into one line."""
_WORD = 32
"""Cells of the longest word of a tokenizer's name that is not cut."""
_TITLE = 16
"""Cells of a title at least."""
_GAP = 2


@dataclass(frozen=True)
class Row:
    """A row: its title, the unit, and a cell a tokenizer."""

    title: str
    unit: str
    cells: list[Text]


def fitting(report: Report, rows: Sequence[Row], width: int) -> Iterator[Table]:
    """The rows, as many columns of them at a time as fit."""
    names = [visible(it.name).replace("␠", " ") for it in report.tokenizers]
    widths = [
        max(
            min(_NAME, cell_len(name)),
            min(_WORD, max(cell_len(part.strip()) for part in _parts(name))),
            *(cell_len(row.cells[at].plain) for row in rows),
        )
        for at, name in enumerate(names)
    ]
    titles = max(cell_len(row.title) for row in rows)
    units = max(cell_len(row.unit) for row in rows) + _GAP
    pair = sum(sorted(widths)[-2:]) + 2 * _GAP  # two side by side, and the titles in several lines
    titles = min(titles, max(_TITLE, width - pair))
    with_units = titles + units + sum(widths) + _GAP * len(widths) <= width
    room = width - titles
    while names:
        fit = max(1, sum(sum(widths[:n]) + _GAP * n <= room for n in range(1, len(names) + 1)))
        table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="dim")
        table.add_column("", width=titles, overflow="fold")
        for name, cells in zip(names[:fit], widths[:fit], strict=True):
            table.add_column(
                Text(_lines(name, cells)), justify="right", width=cells, overflow="fold"
            )
        if with_units:
            table.add_column("unit", style="dim")
        for row in rows:
            table.add_row(row.title, *row.cells[:fit], *([row.unit] if with_units else []))
        yield table
        names, widths = names[fit:], widths[fit:]
        rows = [Row(row.title, row.unit, row.cells[fit:]) for row in rows]


def _lines(name: str, width: int) -> str:
    r"""A name in lines of so many cells.

    Example:
        >>> _lines("kyoto_ja_unigram_8000", 16), _lines("my model", 16)
        ('kyoto_ja_\nunigram_8000', 'my model')
    """
    lines = [""]
    for part in _parts(name):
        if lines[-1] and cell_len((lines[-1] + part).rstrip()) > width:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def _parts(name: str) -> list[str]:
    """What stays together: words with the signs behind them."""
    return re.findall(r"[^ _/-]*[ _/-]+|[^ _/-]+", name) or [name]
