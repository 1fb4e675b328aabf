"""Where characters come from: an origin, and the stretches of one origin that a text has."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias


class Origin(NamedTuple):
    """Where characters come from.

    Attributes:
        message: the number of the message that they belong to, None for none.
        template: whether they are the template's own, and may be a control token.
        generated: whether they stand in a `{% generation %}` block.
        field: the field of the message that content is, None where nobody knows.
    """

    message: int | None = None
    template: bool = False
    generated: bool = False
    field: str | None = None


CONTENT = Origin()
"""Content of no message, or of nobody knows which."""

Runs: TypeAlias = tuple[tuple[int, Origin], ...]
"""The lengths of the stretches of one origin, none of them 0."""


def part_of(runs: Runs, ends: Sequence[int], start: int, end: int) -> Runs:
    """Those of a part that is not empty.

    Args:
        runs: of the whole.
        ends: where each of them ends.
        start: where the part begins.
        end: where it ends.
    """
    first, last = bisect_right(ends, start), bisect_left(ends, end)
    cut = list(runs[first : last + 1])
    cut[-1] = (cut[-1][0] - (ends[last] - end), cut[-1][1])
    cut[0] = (cut[0][0] - (start - ends[first] + runs[first][0]), cut[0][1])
    return tuple(cut)


def put_together(parts: Iterable[Runs]) -> Runs:
    """Those of texts one behind another."""
    runs: list[tuple[int, Origin]] = []
    for its in parts:
        at = len(runs)
        runs += its
        if its and at and runs[at - 1][1] == its[0][1]:
            runs[at - 1 : at + 1] = [(runs[at - 1][0] + its[0][0], its[0][1])]
    return tuple(runs)
