"""The frequencies of tokens: shares, ranks, entropies.

Rule.    Draws of the Rényi entropy are of first order: what the tokens of a draw add up to under
         the frequencies of the corpus. That is a sum over documents, so it costs as little as a
         count, and it lacks the fault of entropies of draws, that repeats make them too small.
         Where rare tokens matter (Shannon's entropy, ranks) the size of a text does so more than
         its documents, and there are no draws.
Source.  The first order term of a statistic: F. R. Hampel: The Influence Curve and its Role in
         Robust Estimation, 1974.
"""

from __future__ import annotations

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
        return float((used * -np.log2(used)).sum())
    return float(np.log2((used**order).sum()) / (1 - order))


def renyi_bits(seen: Observation, draws: Draws) -> Floats:
    """The Rényi entropy of order ALPHA in each draw."""
    share = shares(seen)
    if not share.any():
        return np.full(len(draws), np.nan)
    # Σ p^α is the mean of p^(α − 1) over tokens. A draw whose mean is f times that of the corpus
    # has f^α times its sum, but for what is of second order.
    mean = ratio(draws.sum(seen.sums(share ** (ALPHA - 1))), draws.sum(seen.tokens))
    bits: Floats = entropy(share, ALPHA) + ALPHA / (1 - ALPHA) * np.log2(mean / mean[0])
    return bits
