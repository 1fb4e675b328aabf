"""What a metric is: a function from drawn documents to a number, and what is to be known about it.

Rule.    A metric sees an observation (a tokenizer on a corpus) and some draws of its documents, and
         gives one value for each draw. The first draw is the corpus itself; the others tell how
         far the value would move with other documents of the same kind. All tokenizers see the
         same draws, so that two of them are compared document by document. Where draws of
         documents cannot say that, only the first is a number (`undrawn`): no interval is better
         than one that does not hold.
Source.  B. Efron, R. Tibshirani: An Introduction to the Bootstrap, 1993.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from kugiri.measure.draws import Draws, Floats

Over = Literal["corpus", "reference", "translation", "languages", "vocabulary"]
"""What a metric needs: a corpus; the same corpus under a reference tokenizer; the same text in the
reference language; all languages of aligned texts at once; or no text at all."""


@dataclass(frozen=True)
class Table:
    """What lies behind a value: a few rows to read.

    Attributes:
        title: what the rows are.
        columns: the head of each column.
        rows: texts and numbers, one a column.
    """

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[str | int | float | None, ...]]


@dataclass(frozen=True)
class Metric:
    """One metric. The texts are those of the report and of docs/metrics.md.

    Attributes:
        name: as `--fail-if` and JSON call it.
        title: as a table calls it.
        unit: of the value.
        better: which direction is better, None where neither is.
        definition: in one or two sentences.
        formula: with the denominator stated.
        source: the paper or the tool it is from, or "kugiri".
        misleads: when it does.
        evidence: what was published for it and against it.
        values: the metric itself. With `over="languages"` it takes a list of observations, and so
            do its details; with `over="vocabulary"` an observation of no document.
        weight: what a value is divided by, where it is a sum divided by a sum.
        over: what it needs.
        drawn_from: the draws of a corpus that it takes; usually of all documents.
        sampled: whether a seeded sample of the corpus stands for the whole.
        details: the tables behind the value.
        repeats: whether it is the same each time and on every machine; a speed is not.
        least: what no value falls below.
    """

    name: str
    title: str
    unit: str
    better: Literal["more", "less"] | None
    definition: str
    formula: str
    source: str
    misleads: str
    evidence: str
    values: Callable[[Any, Draws], Floats]
    weight: Callable[[Any], float] | None = None
    over: Over = "corpus"
    drawn_from: Callable[[Any], Draws] = lambda corpus: corpus.draws
    sampled: bool = False
    details: Callable[[Any], list[Table]] | None = None
    repeats: bool = True
    least: float = 0.0

    @property
    def most(self) -> float:
        """What no value exceeds: 1 for a share and a coefficient."""
        return 1.0 if self.unit.startswith(("share", "coefficient")) else math.inf
