"""Tokens and symbols in a row, on a terminal and in a pipe.

Rule.    Everything is said in signs and words; colours only repeat it, and they are two (cyan,
         yellow) that eyes of every kind tell apart, among the sixteen that every terminal has.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.text import Text

from kugiri.explain.glyphs import is_bytes

_COLOURS = ("cyan", "yellow")


def style(at: int) -> str:
    """The colour of a token by its place."""
    return _COLOURS[at % 2]


def strip(tokens: Iterable[str], new: int | None = None) -> Text:
    """Tokens with | between them, in turns of two colours; the new one bold."""
    text = Text()
    for at, token in enumerate(tokens):
        text.append("|" if at else "", style="dim")
        part = " italic" if is_bytes(token) else ""
        text.append(token, style=f"{style(at)}{part}{' bold' if at == new else ''}")
    return text


def near(symbols: Sequence[str], new: int | None, room: int) -> Text:
    """The symbols on both sides of the new one; what there is no room for is `…`.

    Example:
        >>> near(["l", "o", "w", "est", "_"], 3, 10).plain, near(["a", "b"], None, 10).plain
        ('…|w|est|…', 'a|b')
    """
    whole = strip(symbols, new)
    if whole.cell_len <= room:
        return whole
    at = new or 0
    first, last = at, at + 1
    room -= cell_len(symbols[at]) + len("…|" + "|…")
    while True:
        is_left = first > 0 and (at - first < last - at or last == len(symbols))
        room -= cell_len(symbols[first - 1 if is_left else last]) + 1
        if room < 0:
            break
        first, last = (first - 1, last) if is_left else (first, last + 1)
    before, after = ["…"] * (first > 0), ["…"] * (last < len(symbols))
    marked = None if new is None else at - first + len(before)
    return strip([*before, *symbols[first:last], *after], marked)
