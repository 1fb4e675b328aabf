"""Tables of the report: values with their intervals, which the script makes sortable.

Rule.    A cell has the number, its interval, and a strip that shows both on the scale of its
         corpus: texts are not compared with one another. The best of a corpus is marked if it
         is alone. Sorting begins with the best.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kugiri.explain.glyphs import visible
from kugiri.explain.html.elements import Markup, element, parted, scrolling, together
from kugiri.measure.answer import ALL
from kugiri.measure.losses import share_lost
from kugiri.measure.numbers import between, decimals, decimals_of, number
from kugiri.measure.report import Average, Loss, Note, Report, Value
from kugiri.measure.standing import Standings

CELL = 120
"""Characters of a cell that rows are sorted by."""

Row = Sequence[tuple[str, str | float | None]]
"""The cells of a row, each with what it is sorted by."""


def sortable(
    columns: Sequence[str | Markup], rows: Iterable[Row], name: str, *, is_most_first: bool = False
) -> Markup:
    """A table whose first column names its rows; the script puts a button into each head.

    Args:
        columns: their heads.
        rows: their cells; a column of numbers is set as such.
        name: of the table.
        is_most_first: whether sorting by numbers begins with the largest.
    """

    def key(by: str | float | None) -> str | float | None:
        return visible(by[:CELL]) if isinstance(by, str) else by

    rows = list(rows)
    words = [any(isinstance(row[at][1], str) for row in rows) for at in range(len(columns))]
    kinds = [None if at == 0 or words[at] else "number" for at in range(len(columns))]
    ways = ["descending" if is_most_first and not are_words else None for are_words in words]
    heads = [
        element("th", column, scope="col", class_=kind, data_way=way)
        for column, kind, way in zip(columns, kinds, ways, strict=True)
    ]
    body = []
    for (first, by), *others in rows:
        cells = [element("th", first, scope="row", data_by=key(by))]
        cells += [
            element("td", cell, class_=kind, data_by=key(its))
            for (cell, its), kind in zip(others, kinds[1:], strict=True)
        ]
        body.append(element("tr", cells))
    head = element("thead", element("tr", heads))
    return scrolling(element("table", head, element("tbody", body), class_="sortable"), name)


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
    heads = {corpus: ALL if corpus is None else parted(corpus) for corpus in corpora}
    if len(corpora) <= len(tokenizers):
        columns: list[str | Markup] = ["tokenizer", *heads.values()]
        rows: list[Row] = [
            [(parted(it), it), *(cells[it, corpus] for corpus in corpora)] for it in tokenizers
        ]
    else:
        columns = ["corpus", *map(parted, tokenizers)]
        rows = [
            [(heads[corpus], corpus or ""), *(cells[it, corpus] for it in tokenizers)]
            for corpus in corpora
        ]
    most = note.better == "more"
    return sortable(columns, rows, f"{note.title} with intervals", is_most_first=most)


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
            (together(parted(it.tokenizer), _lossy(standings, it)), it.tokenizer),
            (together(number(it.macro, places)), it.macro),
            (together(number(it.micro, places)), it.micro),
            (together(f"{it.count} {it.over}"), it.over),
        ]
        for it in found
    ]
    columns = ("tokenizer", "macro", "micro", "over")
    words = "Macro, where each weighs the same, and micro, all their text as one."
    most = note.better == "more"
    table = sortable(columns, rows, f"{note.title}, averages", is_most_first=most)
    return together(element("p", words, class_="soft"), table)


def _column(
    note: Note, corpus: str | None, tokenizers: list[str], standings: Standings
) -> dict[str, tuple[Markup, float | None]]:
    """The cells of one corpus: they share decimals and a scale."""
    found = {name: standings.values.get((note.name, name, corpus)) for name in tokenizers}
    measured = [it for it in found.values() if it is not None and it.value is not None]
    places = decimals_of(measured)
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
    if value.low != value.high and (ends := between(value.low, value.high, places)):
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
