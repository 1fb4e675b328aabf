"""The report as a page: the answer first, then plots, texts, every metric, and how it was made."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec

from kugiri.explain.html.elements import Markup, element, named, plainly, together
from kugiri.explain.html.frame import header, section
from kugiri.explain.html.frame import page as framed
from kugiri.measure.html.figures import figures, specs, vega
from kugiri.measure.html.look import THEMED
from kugiri.measure.html.making import facts, made, what
from kugiri.measure.html.plots import need, plots
from kugiri.measure.html.samples import held_against, samples
from kugiri.measure.html.summary import anchor, by_corpus, costs, languages, losses, title
from kugiri.measure.html.tables import averages, details, overview, values
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
    data = msgspec.json.encode(specs(charts)).decode()
    parts = [
        _warnings(report),
        figures(report, standings, list(charts)),
        _overview(report, standings),
        _samples(report),
        *(_metric(report, note, standings) for note in report.metrics),
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
    many = f"{len(report.tokenizers)} tokenizers on {_size(report)}"
    noise = (
        f"In brackets are intervals of {report.interval:.0%}: so far would a number move with "
        f"other documents of the same kind. Two tokenizers can be told apart where that of their "
        f"difference, document by document, leaves zero out ({report.draws:,} draws, seed "
        f"{report.seed}). Where there is no difference, {1 - report.interval:.0%} of all "
        f"comparisons still find one."
    )
    return header(
        element("h1", title(report, standings), class_="title"),
        element("p", many, class_="summary"),
        by_corpus(report, standings),
        languages(report),
        losses(standings),
        element("div", *costs(report, standings), class_="costs"),
        element("p", noise, class_="soft note"),
    )


def _contents(report: Report, parts: list[Markup]) -> Markup:
    """Links to the parts that are there."""
    whole = together(*parts)
    places = {
        "before": "Before comparing", "plots": "Plots", "glance": "At a glance",
        "texts": "Side by side",
        **({anchor(report.metrics[0].name): "Every metric"} if report.metrics else {}),
        "what": "What was measured", "made": "How it was made",
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


def _warnings(report: Report) -> Markup:
    if not report.warnings:
        return Markup("")
    return section(
        "Before comparing",
        element("ul", [element("li", plainly(it)) for it in report.warnings]),
        id="before",
    )


# ── plots and texts ───────────────────────────────────────────────────────────────────────────
def _overview(report: Report, standings: Standings) -> Markup:
    words = (
        "Who is the best by each metric. Where there are several names, these cannot be told "
        "apart; where all are alike, none can."
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
    return section("Side by side", element("p", words, class_="soft"), *samples(report), id="texts")


# ── the metrics ───────────────────────────────────────────────────────────────────────────────
def _metric(report: Report, note: Note, standings: Standings) -> Markup:
    better = {"more": "more is better", "less": "less is better"}.get(note.better or "")
    is_sampled = note.sampled and any(it.sampled_documents < it.documents for it in report.corpora)
    said = [note.unit, better, "on the sample" if is_sampled else None]
    head = element(
        "h2",
        plainly(note.title),
        element("small", plainly(" · ".join(filter(None, said)))),
        id=anchor(note.name),
    )
    behind = [it for it in report.details if it.metric == note.name and it.tables]
    folded = [
        _folded(
            together(named(it.tokenizer), *([" on ", named(it.corpus)] if it.corpus else [])),
            *map(details, it.tables),
        )
        for it in behind
    ]
    return element(
        "section",
        head,
        element(
            "div",
            element("p", note.definition),
            values(report, note, standings),
            averages(report, note, standings),
            _folded("How it is measured, and when it misleads", _method(note)),
            *([_folded("Behind the values", *folded)] if folded else []),
        ),
        class_="metric",
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
