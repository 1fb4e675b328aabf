"""Who leads by a metric on a corpus, and whether by more than the noise.

Rule.    The best value leads. Every tokenizer whose difference to it is within the noise leads with
         it: only one that is alone is called the best. Without comparisons (a single document, a
         metric of the vocabulary alone, one that has no better direction) nobody leads.
         What does not come back costs nothing, and might have cost up to a price (price.py). One
         tokenizer is ahead of another only if it is so at both ends: at that price, the same for
         both, and without it. Text that is lost for good counts at its price in any case: what one
         does not keep is nothing that another has to beat. Values are shown as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from kugiri.measure.price import PRICED, SHOWN, price, price_of_lost
from kugiri.measure.report import Comparison, Loss, Note, Report, Value

SIZE = ("tokens", "bytes_per_token")
"""By what a report is summed up; the first that was compared. Tokens before their ratio, so that
who is said to need the fewest has the star of that row."""


@dataclass(frozen=True)
class Behind:
    """How far a tokenizer is behind the best one.

    Attributes:
        name: of the tokenizer.
        value: its own.
        apart: the distance to the best value; negative only where its own is better, and it loses
            text.
        low, high: its interval of 95 %.
        differs: whether it is behind by more than the noise, whatever it costs to keep what does
            not come back, but paying for text that is lost.
        measured: whether the two values differ by more than the noise, as they are.
    """

    name: str
    value: float
    apart: float
    low: float
    high: float
    differs: bool
    measured: bool


@dataclass(frozen=True)
class Standing:
    """The tokenizers by a metric on a corpus, the best first.

    Attributes:
        corpus: its name, None for all languages at once.
        best: the value that leads.
        others: the other tokenizers, by their values.
        order: of the tokenizers in the report.
    """

    corpus: str | None
    best: Value
    others: list[Behind]
    order: list[str]

    @cached_property
    def leaders(self) -> list[str]:
        """The best, and who is within the noise of it, in the order of the report."""
        lead = {self.best.tokenizer, *(it.name for it in self.others if not it.differs)}
        return [name for name in self.order if name in lead]

    @property
    def alone(self) -> str | None:
        """The best, if it is by more than the noise."""
        return self.leaders[0] if len(self.leaders) == 1 else None

    @property
    def ahead_by_loss(self) -> list[str]:
        """Whose value is better than the best beyond noise, since it loses text."""
        return [it.name for it in self.others if it.differs and it.measured and it.apart < 0]

    @property
    def is_open(self) -> bool:
        """Whether the best is ahead of another that may lead with it, but for what it changes."""
        return any(it.measured and it.apart > 0 and not it.differs for it in self.others)


class Standings:
    """All standings of a report, and its values by metric, tokenizer and corpus."""

    def __init__(self, report: Report) -> None:
        self.values = {(it.metric, it.tokenizer, it.corpus): it for it in report.values}
        self._notes = {note.name: note for note in report.metrics}
        self._tokenizers = [it.name for it in report.tokenizers]
        self._corpora = [it.name for it in report.corpora]
        self._apart = {(it.metric, it.corpus, it.first, it.second): it for it in report.comparisons}
        self._losses = {(it.tokenizer, it.corpus): it for it in report.losses}
        self._languages = [it.name for it in report.corpora if it.language is not None]

    def of(self, metric: str, corpus: str | None) -> Standing | None:
        """The standing, if there is one."""
        note = self._notes[metric]
        measured = [self.values.get((metric, name, corpus)) for name in self._tokenizers]
        values = [it for it in measured if it is not None and it.value is not None]
        if note.better is None or len(values) < 2:
            return None
        sign = 1 if note.better == "less" else -1
        best, *rest = sorted(
            values, key=lambda it: sign * (it.value or 0.0) + self._price(it, price_of_lost)
        )
        others = [self._behind(note, best, it) for it in rest]
        found = [it for it in others if it is not None]
        if len(found) < len(others):
            return None
        return Standing(corpus, best, found, self._tokenizers)

    def by(self, metric: str) -> Iterator[Standing]:
        """The standings by a metric on every corpus that has one."""
        for corpus in (*self._corpora, None):
            if (standing := self.of(metric, corpus)) is not None:
                yield standing

    def loss(self, metric: str, tokenizer: str, corpus: str | None) -> Loss | None:
        """What is to be said beside a value: the most that makes it look better than it is."""
        its = self._lost(tokenizer, corpus) if metric in PRICED else []
        most = max(its, key=lambda it: it.characters, default=None)
        return most if most is not None and most.characters >= SHOWN else None

    def lossy(self, metric: str, tokenizer: str) -> bool:
        """Whether a value over several corpora looks better than it is."""
        return any(self.loss(metric, tokenizer, corpus) for corpus in self._corpora)

    def losing(self) -> list[Loss]:
        """All that is to be said, by tokenizers and corpora."""
        order = [(name, corpus) for name in self._tokenizers for corpus in self._corpora]
        found = (self._losses.get(place) for place in order)
        return [it for it in found if it is not None and it.characters >= SHOWN]

    def changing(self) -> list[Loss]:
        """All that loses nothing, but makes other characters of some."""
        order = [(name, corpus) for name in self._tokenizers for corpus in self._corpora]
        found = (self._losses.get(place) for place in order)
        return [it for it in found if it and it.characters < SHOWN <= it.others]

    def _lost(self, tokenizer: str, corpus: str | None) -> list[Loss]:
        corpora = self._languages if corpus is None else [corpus]
        found = (self._losses.get((tokenizer, it)) for it in corpora)
        return [it for it in found if it is not None]

    def _price(self, value: Value, of: Callable[..., float]) -> float:
        return of(value.metric, value.value or 0.0, self._lost(value.tokenizer, value.corpus))

    def _behind(self, note: Note, best: Value, other: Value) -> Behind | None:
        compared = self._between(note.name, best.corpus, best.tokenizer, other.tokenizer)
        if compared is None:
            return None
        difference, low, high = compared.difference, compared.low, compared.high
        # From the best to the other one, in the direction that is better.
        if (compared.first == best.tokenizer) == (note.better == "more"):
            difference, low, high = -difference, -high, -low
        value, measured = other.value or 0.0, compared.differs
        prices = [self._price(other, of) - self._price(best, of) for of in (price, price_of_lost)]
        differs = all(low + paid > 0 if paid else measured and low > 0 for paid in prices)
        return Behind(other.tokenizer, value, difference, low, high, differs, measured)

    def _between(self, metric: str, corpus: str | None, one: str, other: str) -> Comparison | None:
        return self._apart.get((metric, corpus, one, other)) or self._apart.get(
            (metric, corpus, other, one)
        )
