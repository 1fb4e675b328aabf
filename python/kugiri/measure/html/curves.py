"""The tables behind values that are curves: how long tokens are, how often each occurs; drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kugiri.explain.html.elements import plainly
from kugiri.lazy import lazy_module
from kugiri.measure.html.look import (
    ROWS,
    WIDE,
    Chart,
    Colours,
    dressed,
    labels,
    row_names,
    short,
    ticks,
)
from kugiri.measure.metric import Table
from kugiri.measure.report import Report

if TYPE_CHECKING:
    import altair as alt
else:
    alt = lazy_module("altair")

_CURVES = {
    "token_length": ("Length of the tokens of the text", "bytes", "share of tokens", False),
    "zipf_slope": ("Frequency of tokens by rank", "rank", "count", True),
}
"""Metrics with a table that is drawn: what it shows, its columns that go right and up, and whether
both scales are logarithmic."""
_POINTS = 80
"""A longer curve is thinned."""


@dataclass(frozen=True)
class Curves:
    """One curve for each tokenizer on a corpus.

    Attributes:
        name: of the plot.
        metric, corpus: what it is of.
        title: what it shows.
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
    metrics = {note.name for note in report.metrics}
    found: dict[str, Curves] = {}
    for details in report.details:
        if details.metric not in _CURVES or details.metric not in metrics:
            continue
        title, right, up, is_logarithmic = _CURVES[details.metric]
        for table in details.tables:
            if {right, up} <= set(table.columns) and (points := _points(table, right, up)):
                corpus = details.corpus
                name = details.metric if corpus is None else f"{details.metric}-{corpus}"
                curve = Curves(
                    name, details.metric, corpus, title,
                    right, up, is_logarithmic, {},
                )  # fmt: skip
                found.setdefault(name, curve).points[details.tokenizer] = points
    return list(found.values())


def _points(table: Table, right: str, up: str) -> list[tuple[float, float]]:
    """Two columns as far as they are numbers above zero, which a logarithm needs."""
    columns = table.columns.index(right), table.columns.index(up)
    cells = [tuple(row[column] for column in columns) for row in table.rows]
    numbers = [(_number(x), _number(y)) for x, y in cells]
    return _thinned([(x, y) for x, y in numbers if x > 0 and y > 0])


def _number(cell: str | int | float | None) -> float:
    if isinstance(cell, str):
        return float(cell) if cell.isdecimal() else 0.0
    return 0.0 if cell is None else float(cell)


def _thinned(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """So many points that a curve has its form, as far from each other on a logarithmic scale."""
    if len(points) <= _POINTS:
        return points
    kept = {round(len(points) ** (step / (_POINTS - 1))) - 1 for step in range(_POINTS)}
    return [points[at] for at in sorted(kept)]


def chart(drawn: Curves, colours: Colours) -> Chart:
    """A row for each tokenizer: its own curve, and those of the others behind it."""
    names = labels(list(drawn.points))
    points = [
        {"tokenizer": at, "who": names[at], "x": x, "y": y}
        for at, line in enumerate(drawn.points.values())
        for x, y in line
    ]
    kind: dict[str, Any] = {"type": "log"} if drawn.is_logarithmic else {}
    shares = "~s" if drawn.is_logarithmic else "~%"
    # A logarithmic axis leaves out labels that have no room, but only if it writes them itself.
    numbers: dict[str, Any] = {"format": "~s"} if drawn.is_logarithmic else {"labelExpr": ticks()}
    right = alt.Axis(title=short(drawn.x), tickCount=6, grid=False, **numbers)
    up = alt.Axis(title=None, tickCount=3, grid=True, format=shares)
    x = alt.X("x:Q", scale=alt.Scale(nice=False, **kind), axis=right)
    y = alt.Y("y:Q", scale=alt.Scale(**kind), axis=up)
    # A layer with data of its own is not parted by rows: it is drawn whole in each of them.
    behind = (
        alt.Chart({"name": "behind"})
        .mark_line(color=colours.soft, opacity=0.45, strokeWidth=1)
        .encode(x=x, y=y, detail="tokenizer:O")
    )
    tips = [alt.Tooltip("who:N", title="tokenizer"), alt.Tooltip("x:Q", title=short(drawn.x)),
            alt.Tooltip("y:Q", title=drawn.y, format=".3~g")]  # fmt: skip
    own = alt.Chart().mark_line(
        color=colours.accent, strokeWidth=2, strokeJoin="round",
        point=False if drawn.is_logarithmic else alt.OverlayMarkDef(color=colours.accent, size=18),
    ).encode(x=x, y=y, tooltip=tips)  # fmt: skip
    layered = alt.layer(behind, own, data=ROWS).properties(width=WIDE, height=90)
    row = alt.Row("tokenizer:O", title=None, header=row_names(colours, names))
    said = plainly(f"{drawn.title}: {drawn.y} by {drawn.x}")
    chart = layered.facet(row=row, spacing=16)
    return dressed(chart, points, said, colours, names=("rows", "behind"))
