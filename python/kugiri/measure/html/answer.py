"""The first thing on the page: a small table of who needs how much more where, and its warnings.

Rule.    Tokenizers are compared down a column: a corpus has two, its values, and how many more
         tokens than the least. What is lost stands beside it, since it makes a value look better
         than it is; a warning stands under the table by the name of its corpus, which is marked.
"""

from __future__ import annotations

from collections.abc import Iterator

from kugiri.cost.size import embedding_parameters
from kugiri.explain.html.elements import (
    Markup,
    element,
    named,
    parted,
    plainly,
    scrolling,
    together,
)
from kugiri.measure.answer import ALL, SHOWN, Name, Words, unsaid
from kugiri.measure.answer_lines import distance, places_of
from kugiri.measure.apart import Apart, distances, measure_of
from kugiri.measure.losses import share_lost
from kugiri.measure.notes import is_about
from kugiri.measure.numbers import significant
from kugiri.measure.report import Loss, Note, Report
from kugiri.measure.standing import SIZE, Standings

_WIDE = 3
"""With more corpora each has one column: the distances."""
_EMBEDDING = 4_096
"""The dimension that the parameters of a vocabulary are reckoned for."""


def said(words: Words) -> Markup:
    """A sentence with the names of the user's as names."""
    return together(*(named(it) if isinstance(it, Name) else unbroken(it) for it in words))


def unbroken(words: str) -> str:
    """A number and its unit stay together."""
    return words.replace(" %", "\N{NO-BREAK SPACE}%")


def answer_table(report: Report, standings: Standings) -> Markup:
    """Tokenizers by corpora: values, distances, what is lost, and the size of the vocabulary."""
    note = measure_of(report, standings)
    places = [] if note is None else places_of(report, note)
    if note is None or not 0 < len(places) <= SHOWN:
        return _vocabularies(report)
    apart = {corpus: distances(report, note, standings, corpus) for corpus in places}
    several = len(report.tokenizers) > 1
    wide = several and len(places) <= _WIDE
    rows = []
    for it in report.tokenizers:
        cells = [
            cell
            for corpus in places
            for cell in _cells(note, apart[corpus], it.name, standings, corpus, several, wide)
        ]
        cells += _size(it.vocab_size)
        rows.append(element("tr", element("th", parted(it.name), scope="row"), *cells))
    unit = next(iter(apart[places[0]].values())).value.unit
    more = "more tokens" if note.name in SIZE else "value"
    names = [unit, more] if wide else [more if several else unit]
    heads = _heads(report, places, names, unsaid(report, standings))
    columns = [
        element("col", class_="first" if at % 2 else None) for at in range(1 + 2 * len(places))
    ]
    group = element("colgroup", columns if wide else [])
    parts = [group, element("thead", *heads), element("tbody", rows)]
    whole = element("table", *parts, class_="answer")
    return scrolling(whole, "the answer")


def _heads(
    report: Report, places: list[str | None], names: list[str], warnings: list[str]
) -> Iterator[Markup]:
    """The corpora, and under each what its columns are."""
    corpora = {it.name: it for it in report.corpora}
    cells = [element("td", rowspan=2)]
    for corpus in places:
        parts: list[str | Markup] = [ALL if corpus is None else named(corpus)]
        if corpus is not None and any(is_about(it, corpus) for it in warnings):
            sign = element("a", "!", href="#before", class_="loses", title="there is a warning")
            parts += ["\N{NO-BREAK SPACE}", sign]
        if corpus is not None:
            parts.append(element("small", f"{corpora[corpus].documents:,} documents"))
        cells.append(element("th", *parts, scope="colgroup", colspan=len(names), class_="number"))
    cells += _of_size(2)
    yield element("tr", cells)
    yield element(
        "tr", [element("th", it, scope="col", class_="number") for _ in places for it in names]
    )


def _of_size(rows: int | None) -> list[Markup]:
    """The heads of what a vocabulary is."""
    heads = ("vocabulary", "embedding")
    return [element("th", it, scope="col", class_="number", rowspan=rows) for it in heads]


def _cells(
    note: Note, apart: dict[str, Apart], who: str, standings: Standings, corpus: str | None,
    several: bool, wide: bool,
) -> Iterator[Markup]:  # fmt: skip
    its = apart.get(who)
    if its is None:
        yield from [element("td", "–", class_="soft number")] * (2 if wide else 1)
        return
    if wide or not several:
        of_value = "number first" if several else "number"
        yield element("td", significant(its.value.value or 0.0), class_=of_value)
    loss = standings.loss(note.name, who, corpus)
    loses = [] if loss is None else [_loses(loss)]
    if not several:
        return
    if its.kind in ("leads", "open"):
        first = "least" if note.name in SIZE else "best"
        best = "best" if its.kind == "leads" else "soft"
        yield element("td", element("span", first, class_=best), *loses, class_="number")
    else:
        kind = "soft" if its.kind in ("alike", "same", "unknown") else None
        shown = unbroken(distance(note, its))
        yield element("td", element("span", shown, class_=kind), *loses, class_="number")


def _loses(loss: Loss) -> Markup:
    return element("small", unbroken(f"loses {share_lost(loss)}"), class_="loses")


def _size(size: int) -> list[Markup]:
    parameters = embedding_parameters(size, _EMBEDDING) / 1e6
    millions = f"{parameters:,.0f}\N{NO-BREAK SPACE}M"
    return [element("td", it, class_="number") for it in (f"{size:,}", millions)]


def _vocabularies(report: Report) -> Markup:
    """Where corpora are too many for a table: the tokenizers alone."""
    rows = [
        element("tr", element("th", parted(it.name), scope="row"), *_size(it.vocab_size))
        for it in report.tokenizers
    ]
    if not rows:
        return Markup("")
    head = element("tr", element("td"), *_of_size(None))
    whole = element("table", element("thead", head), element("tbody", rows), class_="answer")
    return scrolling(whole, "the tokenizers")


def legend(report: Report, standings: Standings) -> Markup:
    """What the words of the table mean, of those that are there."""
    note = measure_of(report, standings)
    if note is None:
        return Markup("")
    several = len(report.tokenizers) > 1
    found = [distances(report, note, standings, it) for it in places_of(report, note)]
    kinds = {it.kind for its in found for it in its.values()}
    parts = []
    if several and note.name in SIZE:
        parts.append("More tokens: than the one that needs the least.")
    if "alike" in kinds:
        parts.append("Alike: cannot be told apart by these documents.")
    if "same" in kinds:
        parts.append("The same: in every document.")
    if "unknown" in kinds and several:
        parts.append("In grey: without intervals nobody can tell.")
    if standings.losing():
        parts.append(
            "Loses: so many of the characters; what is lost costs nothing, so it looks better than "
            "it is, and counts as ahead only where it were so with a token for each lost byte."
        )
    parts.append(
        f"Embedding: its parameters at a dimension of {_EMBEDDING:,}; a separate output layer "
        f"takes as much again."
    )
    return element("p", " ".join(parts), class_="soft note")


# ── what warns of it ──────────────────────────────────────────────────────────────────────────
def warned(report: Report, standings: Standings) -> Markup:
    """The warnings, each by its corpus."""
    left = unsaid(report, standings)
    rows = []
    for it in report.corpora:
        if found := [each for each in left if is_about(each, it.name)]:
            left = [each for each in left if each not in found]
            rows.append(_warned(named(it.name), found))
    if left:
        rows.append(_warned(Markup(ALL), left))
    return element("dl", rows, class_="warned", id="before") if rows else Markup("")


def _warned(name: Markup, warnings: list[str]) -> Markup:
    sign = element("span", "! ", class_="loses", aria_hidden="true")
    return element("dt", sign, name) + element("dd", [element("p", plainly(it)) for it in warnings])
