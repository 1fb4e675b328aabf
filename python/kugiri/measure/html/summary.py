"""The answer in words, beside its table: the dearest language, who is ahead elsewhere, intervals.

Rule.    Who leads elsewhere is said of what is lost or broken and of bits per byte alone: by the
         other metrics nobody has to be good, and they stand at a glance.
"""

from __future__ import annotations

from collections.abc import Iterator

from kugiri.explain.html.elements import Markup, element, named, together
from kugiri.measure.answer import ALL, SHOWN, corpora
from kugiri.measure.answer_lines import distance, places_of
from kugiri.measure.apart import Apart, distances, headline, measure_of
from kugiri.measure.html.answer import said
from kugiri.measure.numbers import between, decimals, decimals_of, number, percent
from kugiri.measure.report import Note, Report, Value
from kugiri.measure.standing import SIZE, Standings

_ELSEWHERE = ("bits_per_byte", "unknown_rate", "broken_characters", "round_trip")
"""What a tokenizer may be better at that needs more tokens."""


def languages(report: Report) -> Markup:
    """What the same text costs in other languages, where texts are aligned."""
    found: dict[str, list[Value]] = {}
    for it in report.values:
        if it.metric == "parity" and it.value is not None:
            found.setdefault(it.tokenizer, []).append(it)
    if not found or report.reference_language is None:
        return Markup("")
    most = {who: max(its, key=lambda it: it.value or 0.0) for who, its in found.items()}
    times = together(" times the tokens of ", named(report.reference_language))
    where = {it.corpus for its in found.values() for it in its}
    words: list[str | Markup] = []
    for at, (who, it) in enumerate(sorted(most.items(), key=lambda pair: pair[1].value or 0.0)):
        places = decimals(it.value, it.low, it.high)
        ends = between(it.low, it.high, places)
        words += [
            ", " if at else "", number(it.value, places), "" if at else times, " with ", named(who),
            *([" (", named(it.corpus or ""), ")"] if len(where) > 1 else []),
            *([element("span", f" ({ends})", class_="ends")] if ends else []),
        ]  # fmt: skip
    dearest = all((it.value or 0.0) >= 1 for it in most.values())
    one: str | Markup = "the dearest language" if dearest else "the dearest other language"
    if len(where) == 1:
        one = named(next(iter(where)) or "")
    link = element("a", "The same text", href=f"#{anchor('parity')}")
    return element("p", link, " in ", one, " takes ", words, ".", class_="costs")


def elsewhere(report: Report, standings: Standings) -> Iterator[Markup]:
    """Who leads by other metrics that count, where it does not need the fewest tokens."""
    for who, metrics in _ahead(report, standings).items():
        parts: list[str | Markup] = []
        for at, (note, on) in enumerate(metrics):
            link = element("a", note.title, href=f"#{anchor(note.name)}")
            parts += ["; " if at else "", link, " on ", said(corpora(on))]
        yield element("p", element("b", named(who)), " is ahead in ", parts, ".")


def anchor(metric: str) -> str:
    """Where a metric stands on the page."""
    return f"metric-{metric}"


def _ahead(report: Report, standings: Standings) -> dict[str, list[tuple[Note, list[str | None]]]]:
    """Where another tokenizer is the best alone, by tokenizer, metric and corpora."""
    summed_up_by = headline(report, standings)
    if summed_up_by is None:
        return {}
    leads = {it.corpus: it.leaders for it in standings.by(summed_up_by.name)}
    ahead: dict[str, list[tuple[Note, list[str | None]]]] = {}
    for note in (it for it in report.metrics if it.name in _ELSEWHERE):
        found: dict[str, list[str | None]] = {}
        for it in standings.by(note.name):
            if it.alone is not None and it.alone not in leads.get(it.corpus, [it.alone]):
                found.setdefault(it.alone, []).append(it.corpus)
        for who, on in found.items():
            ahead.setdefault(who, []).append((note, on))
    return ahead


# ── with intervals ────────────────────────────────────────────────────────────────────────────
def by_corpus(report: Report, standings: Standings) -> Markup:
    """The distances behind the answer, corpus by corpus, with their intervals."""
    note = measure_of(report, standings)
    places = [] if note is None else places_of(report, note)
    if note is None or not 0 < len(places) <= SHOWN or len(report.tokenizers) < 2:
        return Markup("")
    rows = []
    for corpus in places:
        name = element("dt", ALL if corpus is None else named(corpus))
        rows.append(
            name + element("dd", *_distances(note, distances(report, note, standings, corpus)))
        )
    return element("dl", rows, class_="answers")


def _distances(note: Note, apart: dict[str, Apart]) -> Iterator[str | Markup]:
    for at, (who, its) in enumerate(apart.items()):
        value = its.value
        if at == 0:
            places = decimals_of([value])
            yield element("b", named(who))
            yield f" {number(value.value, places)} {value.unit}"
            yield _ends(between(value.low, value.high, places))
        else:
            yield together("; ", named(who), *_distance(note, its))


def _distance(note: Note, its: Apart) -> Iterator[str | Markup]:
    if its.kind == "same":
        yield " needs the same" if note.name in SIZE else " has the same"
    elif its.low is None or its.high is None:
        yield f" {distance(note, its)}"
    elif its.kind == "alike":
        yield " cannot be told apart from it"
    else:
        sign, more = (1, "more") if its.by >= 0 else (-1, "fewer")
        low, high = sorted((sign * its.low, sign * its.high))
        if note.name in SIZE:
            by, ends = percent(sign * its.by, low, high)
            yield f" needs {by} {more} tokens"
        else:
            places = decimals_of([its.value])
            ends = between(low, high, places)
            yield f" is {number(sign * its.by, places)} {'behind' if sign > 0 else 'ahead'}"
        yield _ends(ends)


def _ends(ends: str) -> Markup:
    return element("span", f" ({ends})", class_="ends") if ends else Markup("")
