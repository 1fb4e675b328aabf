"""Tables of the report: values with their intervals, which the script makes sortable.

Rule.    A cell has the number, its interval, and a strip that shows both on the scale of its
         corpus: texts are not compared with one another. The best of a corpus is marked if it
         is alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from kugiri.explain.glyphs import visible
from kugiri.explain.html.elements import (
    Markup,
    element,
    named,
    plainly,
    quoted,
    scrolling,
    together,
)
from kugiri.measure.numbers import between, decimals, number
from kugiri.measure.html.summary import ALL, anchor, names
from kugiri.measure.losses import share_lost
from kugiri.measure.metric import Table
from kugiri.measure.report import Average, Loss, Note, Report, Value
from kugiri.measure.standing import Standings

_ROWS = 100
"""Rows of a details table that are shown."""
_LANGUAGES = 8
"""More of them are one column of the overview."""
_CELL = 120
"""Characters of a cell of a details table that are shown."""

Row = Sequence[tuple[str, str | float | None]]
"""The cells of a row, each with what it is sorted by."""


def sortable(columns: Sequence[str | Markup], rows: Iterable[Row], name: str) -> Markup:
    """A table whose first column names its rows; the script puts a button into each head."""

    def key(by: str | float | None) -> str | float | None:
        return visible(by[:_CELL]) if isinstance(by, str) else by

    head = element("tr", [element("th", column, scope="col") for column in columns])
    body = []
    for first, *others in rows:
        cells = [element("th", first[0], scope="row", data_by=key(first[1]))]
        cells += [element("td", cell, class_="number", data_by=key(by)) for cell, by in others]
        body.append(element("tr", cells))
    whole = element("table", element("thead", head), element("tbody", body), class_="sortable")
    return scrolling(whole, name)


def values(report: Report, note: Note, standings: Standings) -> Markup:
    """A metric of all tokenizers, on all corpora that it has values on."""
    tokenizers = [it.name for it in report.tokenizers]
    found = [it for it in report.values if it.metric == note.name]
    has = {it.corpus for it in found}
    corpora = [corpus for corpus in (None, *(it.name for it in report.corpora)) if corpus in has]
    cells = {
        (tokenizer, corpus): cell
        for corpus in corpora
        for tokenizer, cell in _column(note, corpus, tokenizers, standings).items()
    }
    heads = {corpus: ALL if corpus is None else named(corpus) for corpus in corpora}
    if len(corpora) <= len(tokenizers):
        columns: list[str | Markup] = ["tokenizer", *heads.values()]
        rows: list[Row] = [
            [(named(it), it), *(cells[it, corpus] for corpus in corpora)] for it in tokenizers
        ]
    else:
        columns = ["corpus", *map(named, tokenizers)]
        rows = [
            [(heads[corpus], corpus or ""), *(cells[it, corpus] for it in tokenizers)]
            for corpus in corpora
        ]
    return sortable(columns, rows, f"{note.title} with intervals")


def _lossy(standings: Standings, it: Average) -> Markup:
    if not standings.lossy(it.metric, it.tokenizer):
        return Markup("")
    return together(" ", element("small", "loses text", class_="loses"))


def averages(report: Report, note: Note, standings: Standings) -> Markup:
    """A metric over several corpora, or nothing: each the same, and all text as one."""
    found = [it for it in report.averages if it.metric == note.name]
    if not found:
        return Markup("")
    places = max(decimals(number) for it in found for number in (it.macro, it.micro))
    rows: list[Row] = [
        [
            (together(named(it.tokenizer), _lossy(standings, it)), it.tokenizer),
            (together(number(it.macro, places)), it.macro),
            (together(number(it.micro, places)), it.micro),
            (together(f"{it.count} {it.over}"), it.over),
        ]
        for it in found
    ]
    columns = ("tokenizer", "macro", "micro", "over")
    words = "Averages: macro, where each weighs the same, and micro, all their text as one."
    return together(
        element("p", words, class_="soft"), sortable(columns, rows, f"{note.title}, averages")
    )


def _column(
    note: Note, corpus: str | None, tokenizers: list[str], standings: Standings
) -> dict[str, tuple[Markup, float | None]]:
    """The cells of one corpus: they share decimals and a scale."""
    found = {name: standings.values.get((note.name, name, corpus)) for name in tokenizers}
    measured = [it for it in found.values() if it is not None and it.value is not None]
    places = max((decimals(it.value, it.low, it.high) for it in measured), default=0)
    ends = [end for it in measured for end in (it.low, it.value, it.high) if end is not None]
    low, high = min(ends, default=0.0), max(ends, default=0.0)
    standing = standings.of(note.name, corpus)
    best = None if standing is None else standing.alone
    return {
        name: _cell(
            it, places, low, high,
            is_best=name == best, loss=standings.loss(note.name, name, corpus),
        )
        for name, it in found.items()
    }  # fmt: skip


def _cell(
    value: Value | None, places: int, low: float, high: float, *, is_best: bool, loss: Loss | None
) -> tuple[Markup, float | None]:
    if value is None or value.value is None:
        return element("span", "–", title="not defined here", class_="soft"), None
    shown = [element("span", number(value.value, places), class_="best" if is_best else None)]
    if is_best:
        shown.append(element("span", " the best", class_="unseen"))
    if ends := between(value.low, value.high, places):
        shown.append(element("small", ends))
    if loss is not None:
        shown.append(element("small", f"loses text: {share_lost(loss)}", class_="loses"))
    if high > low:
        shown.append(_strip(value, low, high))
    return together(*shown), value.value


def _strip(value: Value, low: float, high: float) -> Markup:
    def at(end: float | None) -> str:
        return f"{((value.value or 0.0) if end is None else end) - low:.6g}"

    place = f"--low:{at(value.low)};--at:{at(value.value)};--high:{at(value.high)}"
    return element("i", class_="strip", style=f"{place};--all:{high - low:.6g}", aria_hidden="true")


def overview(report: Report, standings: Standings) -> Markup:
    """Who leads by each metric on each corpus: the contents of the report."""
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
    said = element("p", "Nobody is the best, or it cannot be told, by ", others, ".", class_="soft")
    return together(best, said) if rows else said


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
        return element("span", named(standing.alone), class_="best")
    if not [it for it in standing.others if it.differs]:
        return element("span", "all alike", class_="soft")
    return element("span", names(standing.leaders, "or"), class_="soft")


def details(table: Table) -> Markup:
    """A table behind a value, as it came; a long one is cut, and says so."""
    rows: list[Row] = [[(_shown(cell), cell) for cell in row] for row in table.rows[:_ROWS] if row]
    parts = [
        element("h3", plainly(table.title), class_="plain"),
        sortable([plainly(it) for it in table.columns], rows, table.title),
    ]
    if (left := len(table.rows) - _ROWS) > 0:
        parts.append(element("p", f"{left:,} more rows are left out.", class_="soft"))
    return together(*parts)


def _shown(cell: str | int | float | None) -> Markup:
    if isinstance(cell, str):
        return _cut(cell)
    return together(number(cell, decimals(cell)))


def _cut(text: str) -> Markup:
    if len(text) <= _CELL:
        return quoted(text)
    return together(quoted(text[:_CELL]), f" … and {len(text) - _CELL:,} more characters")
