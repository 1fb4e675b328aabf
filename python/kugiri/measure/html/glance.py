"""At a glance: who is the best by each metric on each corpus, and where it cannot be told."""

from __future__ import annotations

from collections import Counter

from kugiri.explain.html.elements import Markup, element, named, parted, scrolling, together
from kugiri.measure.answer import ALL, names
from kugiri.measure.apart import kind_of
from kugiri.measure.html.answer import said
from kugiri.measure.html.summary import anchor
from kugiri.measure.numbers import decimals_of, number
from kugiri.measure.report import Note, Report, Value
from kugiri.measure.standing import Standings

_LANGUAGES = 8
"""More of them are one column."""


def overview(report: Report, standings: Standings) -> Markup:
    """Who leads by each metric on each corpus; of one tokenizer, what its values are."""
    if len(report.tokenizers) == 1:
        return _of_one(report, standings)
    columns = _columns(report)
    rows = []
    others: list[str | Markup] = []
    for note in report.metrics:
        link = element("a", note.title, href=f"#{anchor(note.name)}")
        if not any(True for _ in standings.by(note.name)):
            others += [", " if others else "", link]
            continue
        cells = [element("td", _leaders(standings, note, corpora)) for _, corpora in columns]
        better = note.better or "–"
        rows.append(element("tr", element("th", link, scope="row"), element("td", better), *cells))
    heads = ("metric", "better", *(head for head, _ in columns))
    head = element("tr", [element("th", it, scope="col") for it in heads])
    whole = element("table", element("thead", head), element("tbody", rows), class_="overview")
    best = scrolling(whole, "the best tokenizer by each metric on each corpus")
    if not others:
        return best
    words = element(
        "p", "Nobody is the best, or it cannot be told, by ", others, ".", class_="soft"
    )
    return together(best, words) if rows else words


def _columns(report: Report) -> list[tuple[str | Markup, list[str | None]]]:
    """Each corpus, or all languages together where they are many; what is of no one corpus."""
    aligned: list[str | None] = [it.name for it in report.corpora if it.language is not None]
    grouped = aligned if len(aligned) > _LANGUAGES else []
    columns: list[tuple[str | Markup, list[str | None]]] = [
        (named(it.name), [it.name]) for it in report.corpora if it.name not in grouped
    ]
    if grouped:
        columns.append((f"{len(grouped)} languages", grouped))
    if any(it.corpus is None for it in report.comparisons):
        columns.append((ALL, [None]))
    return columns


def _leaders(standings: Standings, note: Note, corpora: list[str | None]) -> Markup:
    found = [it for corpus in corpora if (it := standings.of(note.name, corpus)) is not None]
    if not found:
        return element("span", "–", class_="soft")
    standing, *others = found
    if others:
        alone = Counter(it.alone for it in found if it.alone)
        counts = [together(named(name), f" on {count}") for name, count in alone.most_common()]
        within = f"not to be told apart on {1 + len(others) - alone.total()}"
        return together(*(together(it, ", ") for it in counts), within)
    if standing.alone is not None:
        return element("span", parted(standing.alone), class_="best")
    if not [it for it in standing.others if it.differs]:
        same = all(kind_of(it) == "same" for it in standing.others)
        return element("span", "all the same" if same else "all alike", class_="soft")
    return element("span", said(names(standing.leaders, "or")), class_="soft")


def _of_one(report: Report, standings: Standings) -> Markup:
    """The values of the only tokenizer, a row a metric."""
    who = report.tokenizers[0].name
    has = {it.corpus for it in report.values}
    places = [it for it in (*(each.name for each in report.corpora), None) if it in has]
    rows = []
    for note in report.metrics:
        found = [standings.values.get((note.name, who, corpus)) for corpus in places]
        cells = [element("td", _value(it), class_="number") for it in found]
        link = element("a", note.title, href=f"#{anchor(note.name)}")
        unit = element("td", note.unit, class_="soft")
        rows.append(element("tr", element("th", link, scope="row"), *cells, unit))
    names_ = [ALL if corpus is None else named(corpus) for corpus in places]
    heads = [element("th", "metric", scope="col")]
    heads += [element("th", it, scope="col", class_="number") for it in names_]
    head = element("tr", *heads, element("th", "unit", scope="col"))
    whole = element("table", element("thead", head), element("tbody", rows), class_="overview")
    return scrolling(whole, "the values of the tokenizer")


def _value(it: Value | None) -> str:
    if it is None or it.value is None:
        return "–"
    return number(it.value, decimals_of([it]))
