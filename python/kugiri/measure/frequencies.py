"""The frequencies of tokens: shares, ranks, entropies.

Rule.    Draws of the Rényi entropy are of first order: what the tokens of a draw add up to under
         the frequencies of the corpus. That is a sum over documents, so it costs as little as a
         count, and it lacks the fault of entropies of draws, that repeats make them too small.
         Logarithms are those of the C library, and powers roots and products: numpy's own differ in
         their last digit from one processor to another.
         Where rare tokens matter (Shannon's entropy, ranks) the size of a text does so more than
         its documents, and there are no draws.
Source.  The first order term of a statistic: F. R. Hampel: The Influence Curve and its Role in
         Robust Estimation, 1974.
"""

from __future__ import annotations

import math

import numpy as np

from kugiri.measure.draws import Draws, Floats, Integers, ratio
from kugiri.measure.observation import Observation

ALPHA = 2.5
"""The order that Zouhar et al. 2023 found best."""


def shares(seen: Observation) -> Floats:
    """(ids,): the share of all tokens that each id has; zeros of nothing."""
    return seen.counts / max(int(seen.counts.sum()), 1)


def ranks(seen: Observation) -> Integers:
    """(ids,): 1 for the most frequent token, equally frequent ones by id; unused ones come last."""
    order = np.argsort(-seen.counts, kind="stable")
    found = np.empty(len(order), np.int64)
    found[order] = np.arange(1, len(order) + 1)
    return found


def entropy(share: Floats, order: float) -> float:
    """The entropy of an order, in bits.

    Example:
        >>> half = np.array([0.5, 0.25, 0.25])
        >>> [round(entropy(half, order), 4) for order in (0, 1, 2)]
        [1.585, 1.5, 1.415]
    """
    used = share[share > 0]
    if order == 1:
        return float((used * -log2(used)).sum())
    return math.log2(_power(used, order).sum()) / (1 - order)


def log2(values: Floats | Integers) -> Floats:
    """The logarithm of each."""
    return np.array([math.log2(value) for value in values.tolist()])


def _power(values: Floats, order: float) -> Floats:
    """Each to the power of an order that is a multiple of a half."""
    powers, roots = np.ones(len(values)), np.sqrt(values)
    for _ in range(round(2 * order)):
        powers *= roots
    return powers


def renyi_bits(seen: Observation, draws: Draws) -> Floats:
    """The Rényi entropy of order ALPHA in each draw."""
    share = shares(seen)
    if not share.any():
        return np.full(len(draws), np.nan)
    # Σ p^α is the mean of p^(α − 1) over tokens. A draw whose mean is f times that of the corpus
    # has f^α times its sum, but for what is of second order.
    mean = ratio(draws.sum(seen.sums(_power(share, ALPHA - 1))), draws.sum(seen.tokens))
    bits: Floats = entropy(share, ALPHA) + ALPHA / (1 - ALPHA) * log2(mean / mean[0])
    return bits
