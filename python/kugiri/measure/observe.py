"""Every metric of every tokenizer on every corpus, draw by draw.

Rule.    A metric sees what it needs (`Metric.over`): a corpus; that corpus with the reference
         tokenizer on it; an aligned text with the same lines in the reference language; all
         languages at once; or no text.
Cost.    The ids of one tokenizer on all corpora are in memory, and those of the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import numpy as np

from kugiri.errors import EncodingError, OptionError
from kugiri.measure.corpora import MeasuredText
from kugiri.measure.draws import Draws, Floats
from kugiri.measure.losses import loss_of
from kugiri.measure.metric import Metric
from kugiri.measure.named import Named
from kugiri.measure.observation import MeasuredCorpus, Observation
from kugiri.measure.report import Details, Loss
from kugiri.measure.words import BY_WORDS

Drawn: TypeAlias = dict[tuple[str, str | None], dict[str, Floats]]
"""(metric, corpus) → tokenizer → its values, one a draw."""


@dataclass
class Observed:
    """What metrics said so far.

    Attributes:
        texts: the corpora.
        language: the reference language of those that are aligned.
        reference: the tokenizer that others are compared with.
        metrics: those to ask.
        nothing: the corpus of metrics that need none.
        threads: how many encode.
        drawn, weights, details: what the metrics gave.
        losses: what is lost of the samples.
    """

    texts: list[MeasuredText]
    language: str | None
    reference: Named | None
    metrics: list[Metric]
    nothing: MeasuredCorpus
    threads: int | None
    drawn: Drawn = field(default_factory=dict)
    weights: dict[tuple[str, str | None], dict[str, float]] = field(default_factory=dict)
    details: list[Details] = field(default_factory=list)
    losses: list[Loss] = field(default_factory=list)

    def add(self, named: Named, tell: Callable[[str], None]) -> None:
        """Ask all metrics about one tokenizer.

        Raises:
            EncodingError: it cannot encode one of the texts.
        """
        whole = self._observations(named, lambda text: text.whole, self._of_reference)
        sample = self._observations(named, lambda text: text.sample, self._of_reference)
        for name, seen in whole.items():
            if sample[name].corpus is seen.corpus:
                sample[name] = seen  # what was computed once serves both
        for metric in self.metrics:
            tell(f"{named.name}: {metric.title.lower()} …")
            places = self._places(metric, named, sample if metric.sampled else whole)
            for corpus, place, draws in places:
                with _named(named, corpus), np.errstate(divide="ignore", invalid="ignore"):
                    values = draws.widened(metric.values(place, draws))
                    tables = metric.details(place) if metric.details else []
                self.drawn.setdefault((metric.name, corpus), {})[named.name] = values
                if metric.weight is not None and isinstance(place, Observation):
                    weight = float(metric.weight(place)) * place.corpus.stands_for
                    self.weights.setdefault((metric.name, corpus), {})[named.name] = weight
                if tables:
                    self.details.append(Details(metric.name, named.name, corpus, tables))
        for corpus, seen in sample.items():
            with _named(named, corpus):
                found = loss_of(seen, of_words=self._of_words)
            if found is not None:
                self.losses.append(found)

    def _places(
        self, metric: Metric, named: Named, observations: dict[str, Observation]
    ) -> Iterator[tuple[str | None, Observation | list[Observation], Draws]]:
        """Where a metric is asked: the corpus, what it sees, and the draws."""
        if metric.over == "vocabulary":
            yield None, Observation(named.name, named.able, self.nothing), self.nothing.draws
        elif metric.over == "languages":
            seen = [observations[text.name] for text in self.texts if text.language is not None]
            yield None, seen, metric.drawn_from(seen[0].corpus)
        else:
            for name, one in observations.items():
                if metric.over != "translation" or one.translation is not None:
                    yield name, one, metric.drawn_from(one.corpus)

    def _observations(
        self,
        named: Named,
        part: Callable[[MeasuredText], MeasuredCorpus],
        references: dict[MeasuredCorpus, Observation],
    ) -> dict[str, Observation]:
        """The tokenizer on each corpus, or on its sample, in the order of the corpora."""

        def on(text: MeasuredText, translation: Observation | None) -> Observation:
            corpus = part(text)
            return Observation(
                named.name,
                named.able,
                corpus,
                reference=references.get(corpus),
                translation=translation,
                threads=self.threads,
            )

        others = {text.name: text for text in self.texts}
        spoken = others.pop(self.language) if self.language is not None else None
        first = {} if spoken is None else {spoken.name: on(spoken, None)}
        translation = first.get(self.language or "")
        found = first | {
            name: on(text, None if text.language is None else translation)
            for name, text in others.items()
        }
        return {text.name: found[text.name] for text in self.texts}

    def losses_of_reference(self) -> list[Loss]:
        """What the reference tokenizer loses of the samples, measured itself or not."""
        if self.reference is None:
            return []
        if any(self.reference.name in drawn for drawn in self.drawn.values()):
            return [it for it in self.losses if it.tokenizer == self.reference.name]
        found = [loss_of(self._of_reference[text.sample]) for text in self.texts]
        return [it for it in found if it is not None]

    @cached_property
    def _of_words(self) -> bool:
        """Whether one of the metrics looks at words."""
        return not BY_WORDS.isdisjoint(metric.name for metric in self.metrics)

    @cached_property
    def _of_reference(self) -> dict[MeasuredCorpus, Observation]:
        """The reference tokenizer on each corpus and sample."""
        if self.reference is None:
            return {}
        name, able = self.reference.name, self.reference.able
        return {
            corpus: Observation(name, able, corpus, threads=self.threads)
            for text in self.texts
            for corpus in (text.whole, text.sample)
        }


@contextmanager
def _named(named: Named, corpus: str | None) -> Iterator[None]:
    """An error says which tokenizer it is about, and which text."""
    try:
        yield
    except (EncodingError, OptionError) as error:
        on = f" on corpus {corpus!r}" if corpus else ""
        raise type(error)(f"tokenizer {named.name!r}{on}: {error}") from error
