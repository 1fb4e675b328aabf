"""Values with their intervals, and how far two tokenizers are apart.

Rule.    The first draw is the corpus itself, the others are its interval: what lies between their
         quantiles of 2.5 % and 97.5 %, and within what the value can be. Two tokenizers are
         compared draw by draw, so that documents which are hard for both do not make the difference
         look like noise: they differ where the interval leaves zero out, on the side on which the
         difference is. Draws come widened (draws.py).
Source.  B. Efron, R. Tibshirani: An Introduction to the Bootstrap, 1993 (percentile intervals).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from kugiri.measure.draws import Floats
from kugiri.measure.metric import Metric
from kugiri.measure.report import Comparison, Value

INTERVAL = 0.95


_ROUNDING = 1e-9
"""To the value: what sums in another order may differ by."""


def value_of(metric: Metric, tokenizer: str, corpus: str | None, drawn: Floats) -> Value:
    """The value of a corpus, with its interval.

    Example:
        >>> from kugiri.measure.metrics import BY_NAME
        >>> value = value_of(BY_NAME["tokens"], "a", "ja", np.array([5.0, 4.0, 6.0]))
        >>> value.value, value.low, value.high
        (5.0, 4.05, 5.95)
    """
    value = float(drawn[0]) if np.isfinite(drawn[0]) else None

    def end_of(end: float | None) -> float | None:
        if end is None or value is None or abs(end - value) <= _ROUNDING * abs(value):
            return end and value
        return min(max(end, metric.least), metric.most)

    low, high = map(end_of, _interval(drawn[1:]))
    return Value(metric.name, tokenizer, corpus, value, low, high, metric.unit)


def comparisons(
    metric: Metric, corpus: str | None, drawn: Mapping[str, Floats]
) -> list[Comparison]:
    """How far each two tokenizers are apart; none where there is no interval."""
    found = []
    for first, second in combinations(drawn, 2):
        apart = drawn[second] - drawn[first]
        low, high = _interval(apart[1:])
        if low is None or high is None or not np.isfinite(apart[0]):
            continue
        rounding = _ROUNDING * float(np.abs([drawn[first][0], drawn[second][0]]).max())
        differs = low > rounding if apart[0] > 0 else high < -rounding
        found.append(
            Comparison(metric.name, corpus, first, second, float(apart[0]), low, high, differs)
        )
    return found


def _interval(drawn: Floats) -> tuple[float | None, float | None]:
    if not len(drawn) or not np.isfinite(drawn).all():
        return None, None
    low, high = np.quantile(drawn, [(1 - INTERVAL) / 2, (1 + INTERVAL) / 2])
    return float(low), float(high)
