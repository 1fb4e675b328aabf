"""The tables behind values that are curves: how long tokens are, how often each occurs."""

from __future__ import annotations

from dataclasses import dataclass

from kugiri.measure.metric import Table
from kugiri.measure.report import Report

_CURVES = {
    "token_length": ("share of tokens", False),
    "zipf": ("count", True),
}
"""Metrics whose tables are drawn: what goes upwards, and whether both scales are logarithmic."""
_POINTS = 80
"""A longer curve is thinned."""


@dataclass(frozen=True)
class Curves:
    """One curve for each tokenizer on a corpus.

    Attributes:
        name: of the plot.
        metric, corpus: what it is of.
        title: of the metric.
        x, y: what is drawn to the right and upwards.
        is_logarithmic: whether both scales are.
        points: of each tokenizer.
    """

    name: str
    metric: str
    corpus: str | None
    title: str
    x: str
    y: str
    is_logarithmic: bool
    points: dict[str, list[tuple[float, float]]]


def curves(report: Report) -> list[Curves]:
    """The curves of a report, in its order."""
    titles = {note.name: note.title for note in report.metrics}
    found: dict[str, Curves] = {}
    for details in report.details:
        drawn = next((_CURVES[name] for name in _CURVES if details.metric.startswith(name)), None)
        if drawn is None or details.metric not in titles or not details.tables:
            continue
        points = _points(details.tables[0], is_logarithmic=drawn[1])
        if not points:
            continue
        name = details.metric if details.corpus is None else f"{details.metric}-{details.corpus}"
        curve = found.setdefault(
            name,
            Curves(name, details.metric, details.corpus, titles[details.metric],
                   details.tables[0].columns[0], *drawn, {}),
        )  # fmt: skip
        curve.points[details.tokenizer] = points
    return list(found.values())


def _points(table: Table, *, is_logarithmic: bool) -> list[tuple[float, float]]:
    """The first two columns, as far as they are numbers; shares where the scale is plain."""
    numbers = [
        (float(row[0]), float(row[1]))
        for row in table.rows
        if len(row) >= 2 and isinstance(row[0], int | float) and isinstance(row[1], int | float)
    ]
    if is_logarithmic:
        return _thinned([(x, y) for x, y in numbers if x > 0 and y > 0])
    total = sum(y for _, y in numbers)
    return _thinned([(x, y / total) for x, y in numbers]) if total > 0 else []


def _thinned(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """So many points that a curve has its form, as far from each other on a logarithmic scale."""
    if len(points) <= _POINTS:
        return points
    kept = {round(len(points) ** (step / (_POINTS - 1))) - 1 for step in range(_POINTS)}
    return [points[at] for at in sorted(kept)]
