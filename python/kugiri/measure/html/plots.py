"""The plots of a report, as charts of Vega-Lite.

Rule.    A chart compares tokenizers by place, not by colour; what is accented is the best by more
         than the noise. On a page colours are names of the style, so that plots follow its theme.
Cost.    Some milliseconds a chart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kugiri.errors import KugiriError
from kugiri.lazy import lazy_module
from kugiri.measure.html.curves import chart, curves
from kugiri.measure.html.look import (
    LIGHT,
    ROWS,
    WIDE,
    Chart,
    Colours,
    described,
    dressed,
    label_of,
    labels,
    named_ink,
    row_names,
    short,
    ticks,
)
from kugiri.measure.html.outliers import draw_apart
from kugiri.measure.losses import lost
from kugiri.measure.numbers import between, decimals_of, number
from kugiri.measure.report import Note, Report
from kugiri.measure.standing import Standings

if TYPE_CHECKING:
    import altair as alt
else:
    alt = lazy_module("altair")

_INTERVALS = 8
"""With more corpora, as of many languages, a plot has a row for each and a column a tokenizer."""
_SHADES = (1.1, 1.5, 2.0, 3.0, 5.0)
"""Where the colour of a premium gets stronger."""


def plots(report: Report, colours: Colours = LIGHT) -> dict[str, Chart]:
    """Every plot of the report by its name, that of the metric or `metric-corpus`.

    Raises:
        KugiriError: altair is absent.
    """
    need("altair")
    standings = Standings(report)
    drawn: dict[str, Chart] = {}
    for note in report.metrics:
        corpora = _corpora_of(report, note)
        if not corpora:
            continue
        if is_grid(report, note):
            drawn[note.name] = _grid(report, note, corpora, standings, colours)
        else:
            drawn[note.name] = _intervals(report, note, corpora, standings, colours)
    for each in curves(report):
        drawn[each.name] = chart(each, colours)
    return drawn


def is_grid(report: Report, note: Note) -> bool:
    """Whether the plot of a metric has a row for each corpus, since they are many."""
    return note.over == "translation" or len(_corpora_of(report, note)) > _INTERVALS


def need(*packages: str) -> None:
    """Say what to install if one is absent.

    Raises:
        KugiriError: one is.
    """
    for package in packages:
        try:
            __import__(package)
        except ImportError as absent:
            raise KugiriError(
                f"plots need the package {package.replace('_', '-')}; pip install 'kugiri[report]'"
            ) from absent


def _corpora_of(report: Report, note: Note) -> list[str]:
    has = {it.corpus for it in report.values if it.metric == note.name and it.value is not None}
    return [it.name for it in report.corpora if it.name in has]


# ── values with their intervals ───────────────────────────────────────────────────────────────
def _intervals(
    report: Report, note: Note, corpora: list[str], standings: Standings, colours: Colours
) -> Chart:
    """A dot for each value and a whisker for its interval, each corpus on its own scale."""
    rows = _rows(report, note, corpora, standings)
    for row in rows:
        row["ink"] = colours.accent if row["is_best"] else colours.ink
    for corpus in range(len(corpora)):
        draw_apart([row for row in rows if row["corpus"] == corpus])
    named = label_of(_tokenizers(report, note, corpora, standings))
    marks = alt.Axis(domain=False, ticks=False, labelExpr=named)
    y = alt.Y("tokenizer:O", title=None, axis=marks)
    scale = alt.Scale(zero=False, nice=False, padding=14)
    axis = alt.Axis(grid=True, tickCount=4, title=None, labelExpr=ticks(_is_large(rows)))
    base = alt.Chart(ROWS).encode(y=y, color=named_ink(), tooltip=_tips(note, rows))
    whisker = base.mark_rule(strokeWidth=2, strokeCap="round").encode(
        x=alt.X("from:Q", scale=scale, axis=axis), x2="to:Q"
    )
    shape = alt.Shape("shape:N", scale=None, legend=None)
    dot = base.mark_point(size=64, opacity=1, filled=True).encode(x="place:Q", shape=shape)
    text = base.mark_text(align="center", baseline="bottom", dy=-5, fontSize=11).encode(
        x="place:Q", text="shown:N"
    )
    layered = alt.layer(whisker, dot, text).properties(width=WIDE, height=alt.Step(30))
    by_corpus = alt.Row("corpus:O", title=None, header=row_names(colours, labels(corpora)))
    chart = layered.facet(row=by_corpus, spacing=26).resolve_scale(x="independent")
    said = "with intervals of 95 %"
    if any(row["lost"] for row in rows):
        said += "; lossy: loses text"
    return dressed(chart, rows, described(note, said), colours)


def _tokenizers(report: Report, note: Note, corpora: list[str], standings: Standings) -> list[str]:
    """The labels of the tokenizers, by their numbers; which of them lose text."""
    names = [it.name for it in report.tokenizers]
    return [
        f"{label} (lossy)"
        if any(standings.loss(note.name, name, corpus) for corpus in corpora)
        else label
        for name, label in zip(names, labels(names), strict=True)
    ]


def _rows(
    report: Report, note: Note, corpora: list[str], standings: Standings
) -> list[dict[str, Any]]:
    """The values, with tokenizers and corpora by their numbers."""
    rows: list[dict[str, Any]] = []
    for number_of_corpus, corpus in enumerate(corpora):
        standing = standings.of(note.name, corpus)
        best = None if standing is None else standing.alone
        measured = [standings.values.get((note.name, it.name, corpus)) for it in report.tokenizers]
        places = decimals_of(it for it in measured if it is not None)
        for at, it in enumerate(measured):
            if it is None or it.value is None:
                continue
            loss = standings.loss(note.name, it.tokenizer, corpus)
            rows.append(
                {
                    "tokenizer": at,
                    "corpus": number_of_corpus,
                    "who": short(it.tokenizer),
                    "where": short(corpus),
                    "value": it.value,
                    "low": it.value if it.low is None else it.low,
                    "high": it.value if it.high is None else it.high,
                    "shown": number(it.value, places),
                    "interval": between(it.low, it.high, places) or "none",
                    "lost": "" if loss is None else lost(loss),
                    "is_best": it.tokenizer == best,
                }
            )
    return rows


def _is_large(rows: list[dict[str, Any]]) -> bool:
    return any(abs(row["value"]) >= 10_000 for row in rows)


def _tips(note: Note, rows: list[dict[str, Any]]) -> list[alt.Tooltip]:
    loses = [alt.Tooltip("lost:N", title="loses")] if any(row["lost"] for row in rows) else []
    return [
        alt.Tooltip("who:N", title="tokenizer"),
        alt.Tooltip("where:N", title="corpus"),
        alt.Tooltip("shown:N", title=short(note.unit)),
        alt.Tooltip("interval:N", title="95 %"),
        *loses,
    ]


# ── many corpora ──────────────────────────────────────────────────────────────────────────────
def _grid(
    report: Report, note: Note, corpora: list[str], standings: Standings, colours: Colours
) -> Chart:
    """A row for each corpus, the largest value first, and a column for each tokenizer."""
    rows = _rows(report, note, corpora, standings)
    most: dict[int, float] = {}
    for row in rows:
        most[row["corpus"]] = max(most.get(row["corpus"], row["value"]), row["value"])
    order = sorted(most, key=lambda corpus: -most[corpus])
    named = labels([corpora[at] for at in order])
    place = {corpus: at for at, corpus in enumerate(order)}
    bounds = (
        list(_SHADES) if note.over == "translation" else _sixths([row["value"] for row in rows])
    )
    for row in rows:
        row["ink"] = colours.on_shade if row["value"] >= bounds[-2] else colours.ink
        row["corpus"] = place[row["corpus"]]
    columns = _tokenizers(report, note, corpora, standings)
    bare: dict[str, Any] = {"domain": False, "ticks": False}
    above = alt.Axis(orient="top", labelAngle=0, labelExpr=label_of(columns),
                     labelLimit=max(WIDE // len(columns) - 4, 40), **bare)  # fmt: skip
    base = alt.Chart(ROWS).encode(
        x=alt.X("tokenizer:O", title=None, axis=above),
        y=alt.Y("corpus:O", title=None, axis=alt.Axis(labelExpr=label_of(named), **bare)),
        tooltip=_tips(note, rows),
    )
    shade = alt.Scale(type="threshold", domain=bounds, range=list(colours.shades))
    cell = base.mark_rect(stroke=colours.paper or "var(--paper)", strokeWidth=2).encode(
        color=alt.Color("value:Q", scale=shade, legend=None)
    )
    text = base.mark_text(fontSize=11).encode(text="shown:N", color=named_ink())
    chart = alt.layer(cell, text).resolve_scale(color="independent")
    chart = chart.properties(width=WIDE, height=alt.Step(24))
    return dressed(chart, rows, described(note, "the stronger the colour, the larger"), colours)


def _sixths(values: list[float]) -> list[float]:
    ordered = sorted(values)
    return [ordered[min(len(ordered) * step // 6, len(ordered) - 1)] for step in range(1, 6)]
