"""Zipf slope: how fast frequencies of tokens fall with their ranks.

Example:
    >>> from kugiri.measure.example import observe, value
    >>> value(METRIC, observe(["a" * 12 + "b" * 6 + "c" * 4], merges=[]))  # 12/1, 12/2, 12/3
    1.0
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from kugiri.measure.draws import Draws, Floats, Integers, undrawn
from kugiri.measure.frequencies import log2
from kugiri.measure.metric import Metric, Table
from kugiri.measure.observation import Observation

MOST_RANKS = 1_000
"""Below, most vocabularies have few occurrences each, and steps of equal counts."""

SHOWN = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)


class Fit(NamedTuple):
    """A line through the logarithms of ranks and counts.

    Attributes:
        slope, level: log₂ c = level − slope · log₂ r.
        r_squared: the share of the variance of log c that the line explains.
        ranks: how many tokens it goes through.
    """

    slope: float
    level: float
    r_squared: float
    ranks: int


def fit(counts: Integers) -> Fit | None:
    """The line of least squares; None of fewer than two tokens.

    Example:
        >>> found = fit(np.array([4, 12, 6]))
        >>> round(found.slope, 4), round(found.r_squared, 4), found.ranks
        (1.0, 1.0, 3)
    """
    most = np.sort(counts[counts > 0])[::-1][:MOST_RANKS]
    if len(most) < 2:
        return None
    x, y = log2(np.arange(1, len(most) + 1)), log2(most)
    apart = x - x.mean()
    slope = -float((apart * y).sum() / (apart**2).sum())
    level = float(y.mean() + slope * x.mean())
    left, all_ = ((y - level + slope * x) ** 2).sum(), ((y - y.mean()) ** 2).sum()
    return Fit(slope, level, float(1 - left / all_) if all_ > 0 else 1.0, len(most))


def _values(seen: Observation, draws: Draws) -> Floats:
    found = fit(seen.counts)
    return undrawn(found.slope if found else math.nan, draws)


def _details(seen: Observation) -> list[Table]:
    found = fit(seen.counts)
    if found is None:
        return []
    counts = np.sort(seen.counts[seen.counts > 0])[::-1]
    line = [("slope", found.slope), ("R²", found.r_squared), ("ranks", found.ranks)]
    rows = [
        (rank, int(counts[rank - 1]), 2 ** (found.level - found.slope * math.log2(rank)))
        for rank in (*(rank for rank in SHOWN if rank < len(counts)), len(counts))
    ]
    return [
        Table("The line", ("of", "value"), list(line)),
        Table("Counts by rank", ("rank", "count", "line"), list(rows)),
    ]


METRIC = Metric(
    name="zipf_slope",
    title="Zipf slope",
    unit="slope",
    better=None,
    definition="How steeply the frequency of tokens falls with their rank, both as logarithms: 1 "
    "is Zipf's law. R² says how straight the line is. It has no interval: counts of rare tokens "
    "hang on how much text there is, and draws of documents gave none that held.",
    formula="s of the line log c(r) = k − s · log r by least squares over ranks 1 to 1,000, or to "
    "the last token that occurs; every rank weighs the same",
    source="G. K. Zipf 1949; as a measure of tokenizers F. Lotz et al. 2025, arXiv:2506.03101",
    misleads="Least squares on logarithms is biased: ranks come from the same counts, neighbours "
    "are not independent, most points lie at high ranks, and a high R² proves no power law "
    "(Clauset, Shalizi, Newman 2009). Compare slopes over the same ranks only.",
    evidence="For: Lotz et al. 2025 (arXiv:2506.03101) find measures of this kind (how many tokens "
    "are in use, how frequency falls with rank) better than compression for languages not "
    "seen in training. Against: for English the choice of tokenizer made next to no "
    "difference there. Look at several of them together, over several languages.",
    values=_values,
    details=_details,
)
