"""What `make parity` finds: that two things are equal and how much it was, or where they differ."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple


class Difference(Exception):
    """Ours and theirs are not the same; the message says where."""


class Equal(NamedTuple):
    """What was found equal: the row and column of a table, and how much it was."""

    row: str
    column: str
    amount: int


def compare(what: str, ours: Sequence[object], theirs: Sequence[object]) -> int:
    """The length of two equal sequences; a Difference where they are not."""
    if ours != theirs:
        for place, (one, other) in enumerate(zip_longest(ours, theirs)):
            if one != other:
                raise Difference(f"{what}, place {place}: {one!r} here, {other!r} there")
    return len(ours)


def table(corner: str, found: Sequence[Equal]) -> str:
    """Rows and columns in order of first occurrence, as Markdown."""
    header = [corner, "compared with", *dict.fromkeys(equal.column for equal in found)]
    lines = [header, ["---"] * len(header)]
    for row in dict.fromkeys(equal.row for equal in found):
        lines.append([row, *(f"{equal.amount:,}" for equal in found if equal.row == row)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
