"""measure(): every metric of every tokenizer on every corpus."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from kugiri.measure.draws import Floats
from kugiri.measure.report import Comparison, Value

INTERVAL = 0.95


def _value(metric: str, unit: str, tokenizer: str, corpus: str | None, drawn: Floats) -> Value:
    """The first draw is the corpus itself, the others are its interval."""
    low, high = _interval(drawn[1:])
    value = float(drawn[0])
    return Value(metric, tokenizer, corpus, value if np.isfinite(value) else None, low, high, unit)


def _compare(metric: str, corpus: str, drawn: Mapping[str, Floats]) -> list[Comparison]:
    names = list(drawn)
    pairs = [(a, b) for at, a in enumerate(names) for b in names[at + 1 :]]
    comparisons = []
    for first, second in pairs:
        apart = drawn[second] - drawn[first]
        low, high = _interval(apart[1:])
        if low is None or high is None or not np.isfinite(apart[0]):
            continue
        differs = low > 0 or high < 0
        comparisons.append(
            Comparison(metric, corpus, first, second, float(apart[0]), low, high, differs)
        )
    return comparisons


def _interval(drawn: Floats) -> tuple[float | None, float | None]:
    if not len(drawn) or not np.isfinite(drawn).all():
        return None, None
    low, high = np.quantile(drawn, [(1 - INTERVAL) / 2, (1 + INTERVAL) / 2])
    return float(low), float(high)
