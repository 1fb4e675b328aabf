"""The tables behind a value, as they came: characters, tokens and texts with glyphs, else words."""

from __future__ import annotations

from kugiri.explain.html.elements import Markup, element, plainly, quoted, together
from kugiri.measure.html.tables import CELL, Row, sortable
from kugiri.measure.metric import Table
from kugiri.measure.numbers import decimals, number

_ROWS = 100
"""So many are shown."""
_TEXT = ("character", "word", "token", "text", "comes back", "normalized to", "the first of these")
"""What the columns are called whose cells are parts of texts; all others hold words of ours."""


def details(table: Table) -> Markup:
    """A table behind a value, as it came; a long one is cut, and says so."""
    rows: list[Row] = [
        [(_shown(name, cell), cell) for name, cell in zip(table.columns, row, strict=True)]
        for row in table.rows[:_ROWS]
        if row
    ]
    parts = [
        element("h3", plainly(table.title), class_="plain"),
        sortable([plainly(it) for it in table.columns], rows, table.title, is_most_first=True),
    ]
    if (left := len(table.rows) - _ROWS) > 0:
        parts.append(element("p", f"{left:,} more rows are left out.", class_="soft"))
    return together(*parts)


def _shown(column: str, cell: str | int | float | None) -> Markup:
    if not isinstance(cell, str):
        return together(number(cell, decimals(cell)))
    kept = cell[:CELL]
    shown = quoted(kept) if column.startswith(_TEXT) else element("bdi", plainly(kept))
    more = f" … and {len(cell) - CELL:,} more characters" if len(cell) > CELL else ""
    return together(shown, more)
