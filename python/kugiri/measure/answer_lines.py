"""The answer of a report on a terminal: one sentence, and a line a corpus with what warns of it.

Rule.    A warning stands under the corpus that it is about, where the answer is read that it may
         undo; what is about none, or about one that has no line of its own, stands below.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from kugiri.explain.glyphs import visible
from kugiri.measure.answer import ALL, SHOWN, Name, Words, sentence, unsaid
from kugiri.measure.apart import Apart, distances, measure_of
from kugiri.measure.losses import in_percent, share_lost
from kugiri.measure.notes import is_about
from kugiri.measure.numbers import significant
from kugiri.measure.report import Note, Report
from kugiri.measure.standing import SIZE, Standings

_NAME = 16
"""Cells of the name of a corpus at least."""


def answer_lines(report: Report, standings: Standings) -> Iterator[RenderableType]:
    """The sentence, a line a corpus, and the warnings."""
    yield Text(_plain(sentence(report, standings)), style="bold")
    yield Text()
    note = measure_of(report, standings)
    places = [] if note is None else places_of(report, note)
    left = unsaid(report, standings)
    if note is not None and 0 < len(places) <= SHOWN:
        table = Table.grid(padding=(0, 2))
        table.add_column(overflow="fold", min_width=4, max_width=_NAME)
        table.add_column(overflow="fold")
        for corpus in places:
            name = Text(_shown(corpus or ALL), style="bold")
            table.add_row(name, _line(note, distances(report, note, standings, corpus), standings))
            for warning in [it for it in left if corpus is not None and is_about(it, corpus)]:
                left.remove(warning)
                table.add_row("", Text(f"! {_shown(warning)}"))
        yield table
    for warning in left:
        yield Text(f"! {_shown(warning)}")
    if places or left:
        yield Text()


def places_of(report: Report, note: Note) -> list[str | None]:
    """The corpora that a metric has values on; None where it has one of all at once."""
    has = {it.corpus for it in report.values if it.metric == note.name and it.value is not None}
    return [it for it in (*(each.name for each in report.corpora), None) if it in has]


def _line(note: Note, apart: dict[str, Apart], standings: Standings) -> Text:
    said = []
    for at, (who, its) in enumerate(apart.items()):
        value, loss = its.value, standings.loss(note.name, who, its.value.corpus)
        shown = f"{significant(value.value or 0.0)} {value.unit}"
        first = f" {shown if at == 0 else distance(note, its)}"
        but = "" if loss is None else f", loses {share_lost(loss)} of the text"
        said.append(f"{_shown(who)}{first}{but}")
    return Text("; ".join(said))


def distance(note: Note, apart: Apart) -> str:
    """How far a tokenizer is from the one that leads, in a word."""
    if apart.kind == "same":
        return "the same"
    if apart.kind == "alike":
        return "alike"
    if note.name in SIZE:
        sign = "−" if apart.by < 0 else "+"
        return f"{sign}{in_percent(abs(apart.by))}"
    return significant(apart.value.value or 0.0)


def _plain(words: Words) -> str:
    return "".join(_shown(it) if isinstance(it, Name) else it for it in words)


def _shown(name: str) -> str:
    return visible(name).replace("␠", " ")
