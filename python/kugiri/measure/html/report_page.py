"""The report as a page: the answer first, then plots, texts, every metric, and how it was made."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec

from kugiri.explain.html.elements import Markup, element, named, plainly, table, together
from kugiri.explain.html.frame import header, section
from kugiri.explain.html.frame import page as framed
from kugiri.measure.html.figures import figures, specs, vega
from kugiri.measure.html.look import THEMED
from kugiri.measure.html.plots import need, plots
from kugiri.measure.html.samples import samples
from kugiri.measure.html.summary import anchor, by_corpus, costs, title
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
    return framed(
        "kugiri measure",
        _answer(report, standings),
        _warnings(report),
        figures(report, standings, list(charts)),
        _overview(report, standings),
        _samples(report),
        *(_metric(report, note, standings) for note in report.metrics),
        _what(report),
        _made(report),
        data=data,
        style=_asset("report.css"),
        scripts=[vega(), _asset("report.js")],
    )


_WHOLE = "whole files, line ends and all"
_LINES = "lines of files, without line ends and without blank lines; records and texts whole"


# ── the answer ────────────────────────────────────────────────────────────────────────────────
def _answer(report: Report, standings: Standings) -> Markup:
    many = f"{len(report.tokenizers)} tokenizers on {_size(report)}"
    noise = (
        f"More or fewer is only said where it is beyond the noise: the interval of "
        f"{report.interval:.0%} of the difference, document by document, leaves zero out "
        f"({report.draws:,} draws, seed {report.seed}). Where there is no difference, "
        f"{1 - report.interval:.0%} of all comparisons still find one."
    )
    return header(
        element("h1", title(report, standings), class_="title"),
        element("p", many, class_="summary"),
        by_corpus(report, standings),
        element("div", *costs(report, standings), class_="costs"),
        element("p", noise, class_="soft note"),
    )


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
        "Before comparing", element("ul", [element("li", plainly(it)) for it in report.warnings])
    )


# ── plots and texts ───────────────────────────────────────────────────────────────────────────
def _overview(report: Report, standings: Standings) -> Markup:
    words = "Who is the best by each metric, where it is by more than the noise."
    return section("At a glance", element("p", words, class_="soft"), overview(report, standings))


def _samples(report: Report) -> Markup:
    if not report.splits:
        return Markup("")
    words = (
        "Tokens are parted by lines. Those that are underlined are not cut so by every tokenizer."
    )
    return section("Side by side", element("p", words, class_="soft"), *samples(report))


# ── the metrics ───────────────────────────────────────────────────────────────────────────────
def _metric(report: Report, note: Note, standings: Standings) -> Markup:
    better = {"more": "more is better", "less": "less is better"}.get(note.better or "")
    facts = [note.unit, better, "on the sample" if note.sampled else None]
    head = element(
        "h2",
        plainly(note.title),
        element("small", plainly(" · ".join(filter(None, facts)))),
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
            averages(report, note),
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
    return _facts(said)


def _folded(name: str | Markup, *content: Markup) -> Markup:
    return element("details", element("summary", name), *content)


def _facts(said: list[tuple[str, str | Markup]]) -> Markup:
    return element(
        "dl", [element("dt", name) + element("dd", what) for name, what in said], class_="facts"
    )


# ── how it was made ───────────────────────────────────────────────────────────────────────────
def _what(report: Report) -> Markup:
    tokenizers = [
        (
            named(it.name),
            it.model,
            f"{it.vocab_size:,}",
            named(it.source or "–"),
            _digest(it.digest),
        )
        for it in report.tokenizers
    ]
    corpora = [
        (
            named(it.name), it.language or "–", f"{it.documents:,}", f"{it.bytes:,}",
            f"{it.characters:,}", f"{it.sampled_documents:,}", f"{it.sampled_bytes:,}",
            _digest(it.digest),
        )
        for it in report.corpora
    ]  # fmt: skip
    sizes = ("documents", "bytes", "characters", "in the sample", "bytes of it")
    return section(
        "What was measured",
        table(("tokenizer", "model", "vocabulary", "from", "SHA-256"), tokenizers, ["vocabulary"]),
        table(("corpus", "language", *sizes, "SHA-256"), corpora, sizes),
    )


def _digest(digest: str) -> Markup:
    return element("code", digest[:12], title=digest)


def _made(report: Report) -> Markup:
    versions = ", ".join(f"{name} {version}" for name, version in report.versions.items())
    said: list[tuple[str, str | Markup]] = [
        ("kugiri", report.kugiri),
        ("with", versions),
        ("command", element("code", plainly(report.command or "from Python"))),
        ("draws", f"{report.draws:,} of documents, seed {report.seed}"),
        ("documents", _WHOLE if report.documents == "files" else _LINES),
        ("words", report.segmenter),
    ]
    if report.reference:
        said.append(("reference", named(report.reference)))
    if report.reference_language:
        said.append(("language of reference", report.reference_language))
    return section("How it was made", _facts(said))


@cache
def _asset(name: str) -> str:
    return files("kugiri.measure.html").joinpath(name).read_text("utf-8")
