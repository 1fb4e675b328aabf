"""The look that all plots share: colours, fonts, axes, and words.

Rule.    One accent on ink and paper. On a page colours are names of the style, so that plots follow
         its theme; a picture has those of the light one. No text of a plot has a character in it
         that cannot be seen: a NUL ends the process in vl-convert 1.9.
         Vega makes keys and paths of what is drawn apart, and `constructor` or `a.b[0]` would be
         more to it than names: tokenizers and corpora are numbers there, and labels say which.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from rich.cells import cell_len, set_cell_size

from kugiri.explain.html.elements import plainly
from kugiri.lazy import lazy_module
from kugiri.measure.report import Note

if TYPE_CHECKING:
    import altair as alt
else:
    alt = lazy_module("altair")

Chart: TypeAlias = "alt.TopLevelMixin"

ROWS: dict[str, Any] = {"name": "rows"}
"""The data of a chart, which is put into it once, at the end."""
WIDE = 560
"""Pixels of a plot, as long as no page fits it to its place."""
FONTS = (
    "'Hiragino Sans', 'Yu Gothic UI', 'Meiryo', 'Noto Sans CJK JP', 'Noto Sans JP', 'Noto Sans', "
    "sans-serif"
)
"""Japanese ones first: what other fonts draw for 直 or 骨 is Chinese."""
WESTERN = "'Noto Sans', sans-serif"
"""Of a picture without Japanese, whose large fonts take vl-convert a quarter of a second a plot."""
_NAME = 20
"""Cells of a name in a plot; a Japanese character has two."""
_LABEL = 190
"""Pixels of a label, which is short already."""


@dataclass(frozen=True)
class Colours:
    """What a plot is drawn in.

    Attributes:
        ink, soft, line, accent: of text and marks, labels, rules, and what is accented.
        shades: from the weakest to the strongest, one more than `_SHADES`.
        on_shade: of text on the strongest.
        paper: under all.
    """

    ink: str
    soft: str
    line: str
    accent: str
    shades: tuple[str, ...]
    on_shade: str
    paper: str | None


LIGHT = Colours(
    ink="#1c1b19", soft="#6a665e", line="#dedad1", accent="#a8321c",
    shades=("#f1eee7", "#f6e3dc", "#ecc3b6", "#dd9884", "#b4523b", "#8d2511"),
    on_shade="#fffdf9", paper="#fbfaf7",
)  # fmt: skip
"""Pictures are drawn on paper."""
THEMED = Colours(
    ink="var(--ink)", soft="var(--soft)", line="var(--line)", accent="var(--accent)",
    shades=tuple(f"var(--shade-{step})" for step in range(6)),
    on_shade="var(--on-accent)", paper=None,
)  # fmt: skip
"""The names of the style of a page."""


def short(name: str, most: int = _NAME) -> str:
    r"""A name as it fits beside a plot, its two ends, with nothing in it that cannot be seen.

    Example:
        >>> short("llama-3-tokenizer-japanese-v2"), short("\0")
        ('llama-3-to…panese-v2', '␀')
    """
    shown = plainly(name)
    if cell_len(shown) <= most:
        return shown
    room = most - 1
    end = room // 2
    tail = shown[-end:]
    while cell_len(tail) > end:
        tail = tail[1:]
    return f"{set_cell_size(shown, room - end).rstrip()}…{tail}"


def labels(names: Sequence[str]) -> list[str]:
    """Names as they fit beside a plot, all different.

    Example:
        >>> labels(["a" * 30, "a" * 40])
        ['aaaaaaaaaa…aaaaaaaaa', 'aaaaaaaa…aaaaaaa (2)']
    """
    found: list[str] = []
    for name in names:
        label, number = short(name), 1
        while label in found:
            number += 1
            ending = f" ({number})"
            label = short(name, _NAME - len(ending)) + ending
        found.append(label)
    return found


def label_of(labels: Sequence[str]) -> str:
    """The expression of Vega that says what a number is called.

    Vega looks up the strings of an expression as if they were names, `constructor` too: a character
    in front makes them none.

    Example:
        >>> label_of(["a", "toString"])
        'slice(["=a", "=toString"][datum.value], 1)'
    """
    return f"slice({json.dumps([f'={label}' for label in labels])}[datum.value], 1)"


def ticks(is_large: bool = False) -> str:
    """The expression of Vega for the numbers at an axis, as people write them."""
    return "format(datum.value, '~s')" if is_large else "format(datum.value, ',.6~f')"


def row_names(colours: Colours, labels: Sequence[str]) -> alt.Header:
    """The name of a row stands over it."""
    return alt.Header(
        labelExpr=label_of(labels),
        labelAngle=0,
        labelOrient="top",
        labelAnchor="start",
        labelFontSize=13,
        labelFontWeight="bold",
        labelColor=colours.ink,
        labelPadding=6,
        labelLimit=_LABEL,
    )


def named_ink() -> alt.Color:
    """The colour that a row names."""
    return alt.Color("ink:N", scale=None, legend=None)


def described(note: Note, how: str) -> str:
    """What a plot of a metric shows."""
    better = {"more": ", more is better", "less": ", less is better"}.get(note.better or "", "")
    return plainly(f"{note.title} in {note.unit}{better}; {how}")


def dressed(
    chart: Any,
    rows: list[dict[str, Any]],
    said: str,
    colours: Colours,
    names: Sequence[str] = ("rows",),
) -> Chart:
    """The same look for every chart, and its data under these names; what it shows, in words."""
    axis: Mapping[str, Any] = {
        "labelColor": colours.soft, "titleColor": colours.soft, "gridColor": colours.line,
        "domainColor": colours.line, "tickColor": colours.line, "labelFontSize": 12,
        "titleFontSize": 12, "titleFontWeight": "normal", "titleAnchor": "start",
        "labelLimit": _LABEL, "labelPadding": 6,
    }  # fmt: skip
    styled = (
        chart.configure(font=FONTS, background=colours.paper or "transparent", padding=8)
        .configure_axis(**axis)
        .configure_axisY(labelColor=colours.ink)
        .configure_view(stroke=None)
        .configure_title(color=colours.ink, fontSize=14, fontWeight="normal", offset=16)
    )
    if colours.paper is not None:  # A picture stands alone.
        styled = styled.properties(title=alt.TitleParams(said, anchor="start", frame="bounds"))
    whole: Chart = styled.properties(description=said, datasets=dict.fromkeys(names, rows))
    return whole
