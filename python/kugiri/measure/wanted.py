"""Which metrics are measured, and where: known from the names alone, before anything is read.

Rule.    A metric of a corpus has a value for each corpus and each language; a ratio to the
         reference language for each other language; one of all languages, or of the vocabulary, has
         a single value, whose corpus is None. What lacks something to compare with is left out,
         unless it was asked for by name: then it is an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from kugiri.errors import OptionError, choose
from kugiri.measure.metric import Metric
from kugiri.measure.metrics import BY_NAME, METRICS

Places: TypeAlias = dict[str, list[str | None]]
"""Metric → the corpora that it has a value for."""


@dataclass(frozen=True)
class Given:
    """What there is to measure with.

    Attributes:
        corpora: names of those that are not aligned.
        languages: of aligned texts.
        language: the one that the others are compared with.
        has_reference: whether there is a tokenizer to compare with.

    Example:
        >>> given = Given(["code"], ["en", "ja"], "en", has_reference=False)
        >>> given.places(["gini", "parity", "tokens"])
        {'tokens': ['code', 'en', 'ja'], 'parity': ['ja'], 'gini': [None]}
    """

    corpora: Sequence[str]
    languages: Sequence[str]
    language: str | None
    has_reference: bool

    def __post_init__(self) -> None:
        """Refuse a name that two texts have.

        Raises:
            OptionError: a corpus is called as a language is.
        """
        if twice := set(self.corpora) & set(self.languages):
            raise OptionError(f"{min(twice)!r} is a corpus and a language; give one another name")

    def places(self, asked: Iterable[str] | None) -> Places:
        """Where each metric is measured, in the order of the report; None asks for all.

        Raises:
            OptionError: there is no such metric, or it lacks what it needs.
        """
        if asked is None:
            able = [metric for metric in METRICS if not self.lacks(metric)]
        else:
            names = {choose("metric", name, BY_NAME) for name in asked}
            able = [metric for metric in METRICS if metric.name in names]
            for metric in able:
                if lacks := self.lacks(metric):
                    raise OptionError(f"{metric.name} needs {lacks}")
        return {metric.name: self._places(metric) for metric in able}

    def lacks(self, metric: Metric) -> str:
        """What a metric needs and does not have, empty if it has all."""
        if metric.over == "reference" and not self.has_reference:
            return "a tokenizer to compare with; give reference="
        if metric.over == "translation" and self.language is None:
            return "aligned texts; give parallel= and reference_language="
        if metric.over == "languages" and not self.languages:
            return "aligned texts; give parallel="
        return ""

    def _places(self, metric: Metric) -> list[str | None]:
        if metric.over == "translation":
            return [name for name in self.languages if name != self.language]
        if metric.over in ("languages", "vocabulary"):
            return [None]
        return [*self.corpora, *self.languages]


def reference_language(asked: str | None, languages: Sequence[str]) -> str | None:
    """The language that others are compared with.

    Raises:
        OptionError: it is none of the languages, or there are none.
    """
    if asked is None:
        return "en" if "en" in languages else None
    if not languages:
        raise OptionError("reference_language is for aligned texts; give them with parallel=")
    return choose("reference_language", asked, languages)
