"""Values that are too far from all others: at the edge of a plot, where they point outwards.

Rule.    One bad tokenizer must not put all others on one spot. As long as the value at an end is
         farther from its neighbour than four times what all the rest takes, with its whiskers, it
         is drawn at the edge, as a triangle with its number; two values always remain.
"""

from __future__ import annotations

from typing import Any

_TIMES = 4
"""So many times what the rest takes."""
_EDGE = 0.15
"""An edge is this share of the rest away from it."""


def draw_apart(rows: list[dict[str, Any]]) -> None:
    """Give each row its `shape`, its `place`, and the ends of its whisker, `from` and `to`.

    Example:
        >>> rows = [{"value": it, "low": it, "high": it} for it in (1.0, 4.3, 4.4, 4.5)]
        >>> draw_apart(rows)
        >>> [(row["shape"], round(row["place"], 2)) for row in rows[:2]]
        [('triangle-left', 4.27), ('circle', 4.3)]
    """
    kept = sorted(rows, key=lambda row: row["value"])
    shapes: dict[int, str] = {}
    while len(kept) > 2 and (end := _outlier(kept)) is not None:
        shapes[id(kept.pop(end))] = "triangle-left" if end == 0 else "triangle-right"
    low, high = _ends(kept)
    edge = (high - low) * _EDGE
    for row in rows:
        row["shape"] = shapes.get(id(row), "circle")
        if row["shape"] == "circle":
            row |= {"place": row["value"], "from": row["low"], "to": row["high"]}
        else:
            place = low - edge if row["shape"] == "triangle-left" else high + edge
            row |= {"place": place, "from": place, "to": place}


def _outlier(kept: list[dict[str, Any]]) -> int | None:
    """Which of both ends is too far away: 0, -1, or neither."""
    for end, neighbour, rest in (0, 1, kept[1:]), (-1, -2, kept[:-1]):
        low, high = _ends(rest)
        if abs(kept[end]["value"] - kept[neighbour]["value"]) > _TIMES * (high - low) > 0:
            return end
    return None


def _ends(rows: list[dict[str, Any]]) -> tuple[float, float]:
    return (
        min((row["low"] for row in rows), default=0.0),
        max((row["high"] for row in rows), default=0.0),
    )
