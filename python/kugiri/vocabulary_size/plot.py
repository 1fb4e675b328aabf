"""A recommendation as a picture: tokens, gains and cost by the size of the vocabulary.

Rule.    Three rows over the same sizes, in powers of two. The size that is recommended is a line
         through all of them, the laws are marks in the last; what is of English is dashed.
Cost.    Half a second.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from kugiri.errors import OptionError
from kugiri.inputs import as_path
from kugiri.lazy import lazy_module
from kugiri.measure.html.look import LIGHT, Chart, dressed
from kugiri.measure.html.plots import need
from kugiri.measure.html.save import write_picture
from kugiri.vocabulary_size.result import Point, Recommendation

if TYPE_CHECKING:
    import altair as alt
else:
    alt = lazy_module("altair")

_WIDTH = 560
_ROWS: dict[str, Any] = {"name": "rows"}
_MOST = 1.5
"""The highest cost in the picture, as a multiple of the least: around it the curve is a valley."""


def save_plot(it: Recommendation, path: str | os.PathLike[str]) -> None:
    """Write the picture, as ".svg" or ".png".

    Raises:
        OptionError: the name ends otherwise.
        KugiriError: altair or vl-convert-python is absent.
    """
    home = check_plot(path)
    write_picture(home, plot(it).to_dict(validate=False))


def check_plot(path: str | os.PathLike[str]) -> Path:
    """Refuse a name that says no kind of picture, and what is not installed; as `save_plot`."""
    home = as_path(path)
    if home.suffix not in (".svg", ".png"):
        raise OptionError(f"a plot is written as FILE.svg or FILE.png; {home.name} came")
    need("altair", "vl_convert")
    return home


def plot(it: Recommendation) -> Chart:
    """The picture as a chart of Vega-Lite.

    Raises:
        KugiriError: altair is absent.
    """
    need("altair")
    points = sorted({*it.points, *it.steps}, key=lambda point: point.size)
    names = ("size", "tokens_per_character", "english", "gain", "cost")
    rows = [{name: getattr(point, name) for name in names} for point in points]
    sizes = [point.size for point in points] + [law.size for law in it.laws]
    x = _Sizes(min(sizes), max(sizes))
    top = max(point.tokens_per_character for point in points)
    here = [{"size": it.size, "name": f"{it.size:,}", "y": top}]
    chart = alt.vconcat(
        _row(
            it, x, "tokens per character", ".2~f",
            _line(x, "tokens_per_character"), _line(x, "english", LIGHT.soft, [4, 4]),
            _names(x, here, LIGHT.accent), _names(x, [_english(points[-1])], LIGHT.soft),
        ),
        _row(it, x, "saved by a doubling", ".2~%", _line(x, "gain")),
        _row(it, x, "cost, least = 1", ".2~f", _line(x, "cost", most=_MOST), *_laws(it, x)),
        spacing=14,
    )  # fmt: skip
    said = (
        f"{it.size:,} entries of {it.model} for {it.parameters:,.0f} parameters, "
        f"dimension {it.dimension:,}"
    )
    return dressed(chart, rows, said, LIGHT)


def _row(it: Recommendation, x: _Sizes, title: str, numbers: str, *lines: Any) -> Any:
    """Lines over the sizes, with the one that is recommended."""
    here = alt.Chart(alt.InlineData([{"size": it.size}])).mark_rule(color=LIGHT.accent)
    rule = here.encode(x=x.axis(), strokeWidth=alt.value(1.5))
    axis = alt.Axis(title=title, format=numbers, tickCount=4, grid=True)
    y = alt.Y("y:Q", axis=axis, scale=alt.Scale(zero=False, nice=False, padding=6))
    drawn = [line.encode(y=y) for line in lines]
    return alt.layer(rule, *drawn).properties(width=_WIDTH, height=130)


class _Sizes(NamedTuple):
    """From the smallest size of the picture to the largest, the same in each row."""

    first: int
    last: int

    def axis(self) -> Any:
        """The sizes from left to right."""
        scale = alt.Scale(type="log", base=2, nice=False, domain=[self.first, self.last])
        axis = alt.Axis(title="entries", format=",", grid=False, tickCount=8, labelOverlap=True)
        return alt.X("size:Q", scale=scale, axis=axis)


def _line(
    x: _Sizes, field: str, color: str = LIGHT.ink, dash: Sequence[int] = (), most: float = inf
) -> Any:
    known = f"isValid(datum.{field})" + (f" && datum.{field} <= {most}" if most < inf else "")
    drawn = alt.Chart(_ROWS).transform_filter(known).transform_calculate(y=f"datum.{field}")
    return drawn.mark_line(color=color, strokeDash=list(dash)).encode(x=x.axis())


def _names(x: _Sizes, rows: list[dict[str, Any]], color: str) -> Any:
    """Words beside their places."""
    drawn = alt.Chart(alt.InlineData(rows)).mark_text(color=color, align="left", dx=8, fontSize=12)
    return drawn.encode(x=x.axis(), text="name:N")


def _english(last: Point) -> dict[str, Any]:
    """What the dashed line is, at its end."""
    return {"size": last.size, "y": last.english, "name": "English, by Tao et al."}


def _laws(it: Recommendation, x: _Sizes) -> list[Any]:
    """A mark for each law, each at another height, with its name."""
    rows = [
        {"size": law.size, "y": 1.45 - 0.09 * row, "name": law.name}
        for row, law in enumerate(it.laws)
    ]
    marks = alt.Chart(alt.InlineData(rows)).encode(x=x.axis())
    mark = marks.mark_point(color=LIGHT.soft, shape="diamond", filled=True, size=50, opacity=1)
    return [mark, _names(x, rows, LIGHT.soft)]
