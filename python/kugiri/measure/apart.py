"""How far each tokenizer is from the one that leads, by the metric that a report is summed up by.

Rule.    Only what is beyond the noise is said to differ; what is not is alike, and what never
         differed in a document is the same. Of two tokenizers on one text, the ratio of bytes per
         token is the ratio of the tokens that they need, turned round: of lengths a distance is the
         share of tokens that one needs more, whichever of them was compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kugiri.measure.report import Note, Report, Value
from kugiri.measure.standing import SIZE, Behind, Standing, Standings

_ORDER = {"leads": 0, "open": 0, "same": 1, "alike": 1}
Kind = Literal["leads", "open", "same", "alike", "behind", "ahead", "unknown"]


@dataclass(frozen=True)
class Apart:
    """How far a tokenizer is from the one that leads.

    Attributes:
        value: its own; of lengths that in bytes per token, where these were measured.
        kind: whether it is the one that leads alone, or would if it gave all back ("open"); never
            differs from who leads, is within the noise, behind, or ahead as it is, though not for
            certain; "unknown" where nothing was compared.
        by, low, high: the distance and its interval: the share of tokens that it needs more, or the
            difference of values where these are no lengths.
    """

    value: Value
    kind: Kind
    by: float
    low: float | None = None
    high: float | None = None


def headline(report: Report, standings: Standings) -> Note | None:
    """The metric that the report is summed up by, if anything was compared."""
    return next((note for note in _by_size(report) if any(standings.by(note.name))), None)


def measure_of(report: Report, standings: Standings) -> Note | None:
    """The metric of the answer, be it compared or not."""
    first = next(iter(_by_size(report)), None)
    return headline(report, standings) or first


def _by_size(report: Report) -> list[Note]:
    notes = {note.name: note for note in report.metrics}
    return [notes[name] for name in SIZE if name in notes] + report.metrics


def distances(
    report: Report, note: Note, standings: Standings, corpus: str | None
) -> dict[str, Apart]:
    """The distance of every tokenizer that has a value; who leads first, then who is like it."""
    standing = standings.of(note.name, corpus)
    if standing is None:
        found = [standings.values.get((note.name, it.name, corpus)) for it in report.tokenizers]
        there = [it for it in found if it is not None and it.value is not None]
        return _of_values(note, there, standings)
    leading = {kind_of(it) for it in standing.others if it.name in standing.leaders}
    first: Kind = "open" if standing.is_open else "leads"
    if leading and not standing.is_open:
        first = "same" if leading == {"same"} else "alike"
    best = _shown(standing.best, note, standings)
    apart = {standing.best.tokenizer: Apart(best, first, 0.0)}
    for it in standing.others:
        value = _shown(standings.values[note.name, it.name, corpus], note, standings)
        base = base_of(note, standing.best, it)
        low, high = sorted((it.low / base, it.high / base))
        apart[it.name] = Apart(value, kind_of(it), it.apart / base, low, high)
    return dict(sorted(apart.items(), key=lambda pair: _ORDER.get(pair[1].kind, 2)))


def _shown(value: Value, note: Note, standings: Standings) -> Value:
    """The value that is read: lengths of texts are compared by their ratio to the text."""
    ratio = standings.values.get(("bytes_per_token", value.tokenizer, value.corpus))
    return ratio if ratio is not None and note.name in SIZE else value


def _of_values(note: Note, values: list[Value], standings: Standings) -> dict[str, Apart]:
    """Distances of values that were not compared."""
    numbers = [it.value or 0.0 for it in values]
    best = max(numbers, default=0.0) if note.better == "more" else min(numbers, default=0.0)
    apart = {}
    for it, its in zip(values, numbers, strict=True):
        base = (its if note.better == "more" else best) if note.name in SIZE else 1.0
        apart[it.tokenizer] = Apart(
            _shown(it, note, standings), "unknown", abs(its - best) / (base or 1.0)
        )
    return apart


def base_of(note: Note, best: Value, other: Behind) -> float:
    """What a distance is divided by, so that it is a share of tokens."""
    if note.name not in SIZE:
        return 1.0
    return (other.value if note.name == "bytes_per_token" else best.value) or 1.0


def kind_of(it: Behind) -> Kind:
    """How one that does not lead is beside the one that does."""
    if it.apart == it.low == it.high == 0:
        return "same"
    if not it.measured:
        return "alike"
    return "behind" if it.apart > 0 else "ahead"


def lead(note: Note, standing: Standing) -> float | None:
    """The share of tokens that the next one needs more; None where there is none, or no share."""
    if note.name not in SIZE:
        return None
    behind = [it for it in standing.others if it.differs and it.apart > 0]
    return min((it.apart / base_of(note, standing.best, it) for it in behind), default=None)
