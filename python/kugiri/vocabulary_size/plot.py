"""A recommendation as a picture: tokens, gains and cost by the size of the vocabulary.

Rule.    Three rows over the same sizes, in powers of two. The size that is recommended is a line
         through all of them, those that cost hardly more a band; where the text of the model bounds
         it, the size of least cost is a dotted line. Laws are dashed lines, as is what is of
         English in the first row. All are named above the rows. Tokens and cost are powers, too.
         Sizes that were trained have points where few are known.
Cost.    Half a second.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from math import inf, log2
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

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
_MOST = 4
"""The highest cost in the picture, as a multiple of the least: around it the curve is a valley."""
_ENGLISH = "English, by Tao et al."
_STEP = 15
"""Between two lines of names above the rows, in pixels."""


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
    if home.suffix.lower() not in (".svg", ".png"):
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
    sizes = [point.size for point in points] + [law.size for law in it.laws if law.size]
    x = _Sizes(min(sizes), max(sizes))
    chart = alt.vconcat(
        _head(it, x),
        _row(
            it, x, "tokens per character", ".2~f",
            _line(x, "tokens_per_character"), *_points(it, x, "tokens_per_character"),
            _line(x, "english", LIGHT.soft, [4, 4]),
            _english(x, points[-1]), is_log=True,
        ),
        _row(it, x, "saved by a doubling", ".2~%", _line(x, "gain"), *_points(it, x, "gain")),
        _row(
            it, x, "cost, least = 1", ".2~f", _line(x, "cost", most=_MOST),
            *_points(it, x, "cost", _MOST), is_log=True,
        ),
        spacing=6,
    )  # fmt: skip
    said = it.headline.replace(" beside the vocabulary", "")  # it has to fit
    return dressed(chart, rows, said, LIGHT)


def _row(
    it: Recommendation, x: _Sizes, title: str, numbers: str, *lines: Any, is_log: bool = False
) -> Any:
    """Lines over the sizes, with the one that is recommended."""
    low, high = it.near
    band = alt.Chart(alt.InlineData([{"size": low, "to": high}]))
    near = band.mark_rect(color=LIGHT.accent, opacity=0.08).encode(x=x.axis(), x2="to:Q")
    behind = [near, *(_rule(x, law.size, LIGHT.line, [4, 4]) for law in it.laws if law.size)]
    if it.size < it.least:
        behind.append(_rule(x, it.least, LIGHT.accent, [1, 3]))
    kind: Literal["log", "linear"] = "log" if is_log else "linear"
    scale = alt.Scale(type=kind, zero=False, nice=False, padding=6)
    axis = alt.Axis(title=title, format=numbers, tickCount=4, grid=True)
    y = alt.Y("y:Q", axis=axis, scale=scale)
    drawn = [line.encode(y=y) for line in lines]
    return alt.layer(*behind, _rule(x, it.size, LIGHT.accent), *drawn).properties(
        width=_WIDTH, height=130
    )


def _rule(x: _Sizes, size: int, color: str, dash: Sequence[int] = ()) -> Any:
    """A line at a size."""
    at = alt.Chart(alt.InlineData([{"size": size}]))
    return at.mark_rule(color=color, strokeDash=list(dash), strokeWidth=1.5).encode(x=x.axis())


class _Sizes(NamedTuple):
    """From the smallest size of the picture to the largest, the same in each row."""

    first: int
    last: int

    def axis(self, is_drawn: bool = True) -> Any:
        """The sizes from left to right."""
        scale = alt.Scale(type="log", base=2, nice=False, domain=[self.first, self.last])
        if not is_drawn:
            return alt.X("size:Q", scale=scale, axis=None)
        axis = alt.Axis(title="entries", format=",", grid=False, tickCount=8, labelOverlap=True)
        return alt.X("size:Q", scale=scale, axis=axis)


def _known(field: str, most: float) -> Any:
    """The rows that have a value to draw."""
    known = f"isValid(datum.{field})" + (f" && datum.{field} <= {most}" if most < inf else "")
    return alt.Chart(_ROWS).transform_filter(known).transform_calculate(y=f"datum.{field}")


def _line(
    x: _Sizes, field: str, color: str = LIGHT.ink, dash: Sequence[int] = (), most: float = inf
) -> Any:
    drawn = _known(field, most)
    return drawn.mark_line(color=color, strokeDash=list(dash)).encode(x=x.axis())


def _points(it: Recommendation, x: _Sizes, field: str, most: float = inf) -> list[Any]:
    """The sizes that were trained, where they are not all known."""
    if it.model == "bpe":
        return []
    drawn = _known(field, most)
    return [drawn.mark_point(color=LIGHT.ink, filled=True, size=40, opacity=1).encode(x=x.axis())]


def _head(it: Recommendation, x: _Sizes) -> Any:
    """What the lines and the band are, above them, each name in a line of its own."""
    best = "cheapest so far" if it.is_least_so_far else "fewest FLOPs"
    names = [(law.size, f"{law.name}, {law.size:,}", LIGHT.soft) for law in it.laws if law.size]
    if it.size < it.least:
        names.append((it.least, f"{best}, {it.least:,}", LIGHT.accent))
        best = "as much as the text allows"
    names.append((it.size, f"{best}, {it.size:,} (band: ≤ 1 % dearer)", LIGHT.accent))
    height = _STEP * len(names) + 4
    drawn = []
    names.sort(key=lambda it: min(log2(it[0] / x.first), log2(x.last / it[0])))  # none is crossed
    for row, (size, name, color) in enumerate(names):
        is_left = 2 * log2(size / x.first) < log2(x.last / x.first)
        at = alt.Chart(alt.InlineData([{"size": size, "name": name}]))
        top, away = alt.value(_STEP * row + 4), 6 if is_left else -6
        line = at.mark_rule(color=color, strokeWidth=1).encode(
            x=x.axis(is_drawn=False), y=top, y2=alt.value(height)
        )
        text = at.mark_text(
            color=color, align="left" if is_left else "right", dx=away, dy=4, fontSize=12
        )
        drawn += [line, text.encode(x=x.axis(is_drawn=False), y=top, text="name:N")]
    return alt.layer(*drawn).properties(width=_WIDTH, height=height)


def _english(x: _Sizes, last: Point) -> Any:
    """What the dashed line is, at its end and inside the picture."""
    at = alt.Chart(alt.InlineData([{"size": last.size, "y": last.english, "name": _ENGLISH}]))
    drawn = at.mark_text(color=LIGHT.soft, align="right", dx=-4, dy=-14, fontSize=12)
    return drawn.encode(x=x.axis(), text="name:N")
