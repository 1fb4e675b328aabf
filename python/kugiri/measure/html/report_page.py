"""The report as a page: the answer first, then plots, texts, every metric, and how it was made."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec

from kugiri.explain.html.elements import Markup, element, named, plainly, together
from kugiri.explain.html.frame import header, section
from kugiri.explain.html.frame import page as framed
from kugiri.measure.answer import sentence
from kugiri.measure.html.answer import answer_table, legend, said, warned
from kugiri.measure.html.behind import details
from kugiri.measure.html.figures import curves_of, figures, specs, vega
from kugiri.measure.html.glance import overview
from kugiri.measure.html.look import THEMED
from kugiri.measure.html.making import facts, made, what
from kugiri.measure.html.plots import need, plots
from kugiri.measure.html.samples import glyphs_of, held_against, samples
from kugiri.measure.html.summary import anchor, by_corpus, elsewhere, languages
from kugiri.measure.html.tables import averages, values
from kugiri.measure.metrics import MAIN
from kugiri.measure.report import Note, Report
from kugiri.measure.standing import Standings


def page(report: Report) -> str:
    """The report as one page of HTML that asks for nothing.

    Raises:
        KugiriError: altair or vl-convert-python is absent.
    """
    need("altair", "vl_convert")
    standings = Standings(report)
    charts = plots(report, THEMED)
    drawn = list(charts)
    data = msgspec.json.encode(specs(charts)).decode()
    parts = [
        _overview(report, standings),
        figures(report, standings, drawn),
        _samples(report),
        *_metrics(report, standings, drawn),
        what(report),
        made(report),
    ]
    return framed(
        "kugiri measure",
        _answer(report, standings),
        _contents(report, parts),
        *parts,
        data=data,
        style=_asset("report.css"),
        scripts=[vega(), _asset("report.js")],
    )


# ── the answer ────────────────────────────────────────────────────────────────────────────────
def _answer(report: Report, standings: Standings) -> Markup:
    count = len(report.tokenizers)
    many = f"{count} tokenizer{'' if count == 1 else 's'} on {_size(report)}"
    noise = (
        f"In brackets are intervals of {report.interval:.0%}: so far would a number move with "
        f"other documents of the same kind. Two tokenizers can be told apart where that of their "
        f"difference, document by document, leaves zero out ({report.draws:,} draws, seed "
        f"{report.seed}). Where there is no difference, {1 - report.interval:.0%} of all "
        f"comparisons still find one."
    )
    apart = by_corpus(report, standings)
    how = _folded("How far apart, with intervals", apart, element("p", noise, class_="soft note"))
    return header(
        element("h1", said(sentence(report, standings)), class_="title"),
        element("p", many, class_="summary"),
        answer_table(report, standings),
        warned(report, standings),
        legend(report, standings),
        languages(report),
        element("div", *elsewhere(report, standings), class_="costs"),
        *([how] if apart else []),
    )


def _contents(report: Report, parts: list[Markup]) -> Markup:
    """Links to the parts that are there."""
    whole = together(*parts)
    places = {
        "glance": "At a glance", "plots": "Values", "texts": "Side by side",
        "metrics": "Every metric", "what": "What was measured", "made": "How it was made",
    }  # fmt: skip
    links = [
        element("li", element("a", said, href=f"#{place}"))
        for place, said in places.items()
        if f'id="{place}"' in whole
    ]
    return element("nav", element("ul", links), aria_label="contents")


def _size(report: Report) -> str:
    count = len(report.corpora)
    size = sum(it.bytes for it in report.corpora)
    documents = sum(it.documents for it in report.corpora)
    corpora = "1 corpus" if count == 1 else f"{count} corpora"
    return f"{corpora}, {documents:,} documents, {_bytes(size)}"


def _bytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size >= 1e6 else f"{size:,} bytes"


# ── plots and texts ───────────────────────────────────────────────────────────────────────────
def _overview(report: Report, standings: Standings) -> Markup:
    words = (
        "Who is the best by each metric. Where there are several names, these cannot be told "
        "apart; where all are alike, none can."
        if len(report.tokenizers) > 1
        else "What each metric says; a name leads to what it is."
    )
    return section(
        "At a glance",
        element("p", words, class_="soft"),
        overview(report, standings),
        id="glance",
    )


def _samples(report: Report) -> Markup:
    if not report.splits:
        return Markup("")
    words: list[str | Markup] = ["Tokens are parted by lines."]
    if (base := held_against(report)) is not None:
        words += [" Underlined are those that ", named(base), " does not have there."]
    parts = [element("p", words, class_="soft"), *samples(report), *glyphs_of(report)]
    return section("Side by side", *parts, id="texts")


# ── the metrics ───────────────────────────────────────────────────────────────────────────────
def _metrics(report: Report, standings: Standings, drawn: list[str]) -> list[Markup]:
    """All metrics, folded but for those that are looked at first."""
    if not report.metrics:
        return []
    main = [note.name for note in report.metrics if note.name in MAIN]
    few = len(report.metrics) <= len(MAIN)
    words = "Those that are looked at first are open." if not few else ""
    return [
        section("Every metric", element("p", words, class_="soft"), id="metrics"),
        *(
            _metric(report, note, standings, drawn, is_open=few or note.name in main)
            for note in report.metrics
        ),
    ]


def _metric(
    report: Report, note: Note, standings: Standings, drawn: list[str], *, is_open: bool
) -> Markup:
    better = {"more": "more is better", "less": "less is better"}.get(note.better or "")
    is_sampled = note.sampled and any(it.sampled_documents < it.documents for it in report.corpora)
    named_as = [note.unit, better, "on the sample" if is_sampled else None]
    head = element(
        "summary",
        element("h3", plainly(note.title), id=anchor(note.name)),
        element("small", plainly(" · ".join(filter(None, named_as)))),
    )
    behind = [it for it in report.details if it.metric == note.name and it.tables]
    tables = [
        _folded(
            together(named(it.tokenizer), *([" on ", named(it.corpus)] if it.corpus else [])),
            *map(details, it.tables),
        )
        for it in behind
    ]
    means = averages(report, note, standings)
    return element(
        "details",
        head,
        element(
            "div",
            element("p", note.definition),
            values(report, note, standings),
            *curves_of(report, note.name, drawn),
            *([_folded("Averages", means)] if means else []),
            _folded("How it is measured, and when it misleads", _method(note)),
            *([_folded("Behind the values", *tables)] if tables else []),
        ),
        class_="metric",
        open="" if is_open else None,
    )


def _method(note: Note) -> Markup:
    said = [
        ("formula", element("span", note.formula, class_="mono")),
        ("source", note.source),
        ("misleads", note.misleads),
        ("evidence", note.evidence),
        ("name", element("code", note.name)),
    ]
    return facts(said)


def _folded(name: str | Markup, *content: Markup) -> Markup:
    return element("details", element("summary", name), *content)


@cache
def _asset(name: str) -> str:
    return files("kugiri.measure.html").joinpath(name).read_text("utf-8")
