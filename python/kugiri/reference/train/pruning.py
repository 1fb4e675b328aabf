"""Which pieces the corpus misses least.

Rule.    Cut the corpus in its best way and count the pieces, f(x), N in all. Without a piece x,
         each of its occurrences would become the best way to cut its string into others, y₁ … yₙ.
         Per token of the corpus that loses

             f(x)/N · ( log f(x)/N − Σ log (f(yᵢ) + f(x)) / (N + (n−1)·f(x)) + 3 (n−1) )

         where the first two terms are log likelihood, and the last is a price of three nats for
         each token more. Pieces that are not used, or not the best way to cut their own string, go
         first; then those of least loss, among equals those that promised less at first.
         Characters always stay.
         Sums of scores are exact, because scores are rounded to 2⁻²⁴, so that a tie between two
         ways is a tie. Losses are compared in single precision.
Cost.    A best path through every run and every piece.
Source.  Kudo 2018; the likelihood in the loss is that of sentencepiece 0.2.3, the price is ours.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from kugiri.reference.models.lattice import Lattice, best_paths, single
from kugiri.reference.train.expectation import lattice

TOKEN_COST = 3.0
"""What each token more costs beside the likelihood, in nats."""

SCORE_STEP = 2.0**-24
"""Scores are multiples of it."""


class Pruned(NamedTuple):
    """What pruning leaves.

    Attributes:
        kept: the pieces to keep, in the order of their promise.
        losses: the loss of every piece that is no character; None for one that is of no use.
    """

    kept: list[str]
    losses: dict[str, float | None]


def prune(
    runs: Mapping[str, int], scores: Mapping[str, float], promise: list[str], size: int, least: int
) -> Pruned:
    """Return the pieces to keep.

    Args:
        runs: the corpus.
        scores: the pieces that are left, with their scores.
        promise: all pieces, the most promising first, the characters before them.
        size: how many to keep; fewer if the others are of no use.
        least: but no fewer than this.
    """
    lost = losses(runs, scores, promise)
    characters = [piece for piece in promise if len(piece) == 1]
    of_use = len(characters) + sum(loss is not None for loss in lost.values())
    room = max(min(size, of_use), least, len(characters)) - len(characters)

    def rank(piece: str) -> float:
        its = lost[piece]
        return -math.inf if its is None else single(its)

    kept = set(sorted(lost, key=rank, reverse=True)[:room])  # stable: ties stay in order
    return Pruned(characters + [piece for piece in lost if piece in kept], lost)


def losses(
    runs: Mapping[str, int], scores: Mapping[str, float], promise: list[str]
) -> dict[str, float | None]:
    """The loss of each piece that is no character, in the order of `promise`."""
    rounded = {piece: round(score / SCORE_STEP) * SCORE_STEP for piece, score in scores.items()}
    counts = best_counts(runs, rounded)
    return {piece: loss(piece, rounded, counts) for piece in promise if len(piece) > 1}


def best_counts(runs: Mapping[str, int], scores: Mapping[str, float]) -> Counter[str]:
    """Count the pieces in the best cuts of the corpus."""
    pieces = list(scores)
    counts: Counter[str] = Counter()
    for run, count in runs.items():
        (best,) = best_paths(lattice(run, scores, pieces))
        for node in best.nodes:
            counts[run[node.start : node.end]] += count
    return counts


def loss(piece: str, scores: Mapping[str, float], counts: Counter[str]) -> float | None:
    """What a token of the corpus loses, in the mean, without a piece; None if it is of no use.

    Example:
        >>> counts = Counter({"a": 50, "b": 30, "ab": 20})
        >>> round(loss("ab", {"a": -1.0, "b": -1.5, "ab": -2.0}, counts), 3)
        0.561
        >>> loss("ab", {"a": -1.0, "b": -1.5, "ab": -4.0}, counts) is None
        True
    """
    count, total = counts[piece], counts.total()
    if not count:
        return None
    ways = lattice(piece, scores, list(scores))
    others = [node for node in ways.nodes() if node.end - node.start < len(piece)]
    (split,) = best_paths(Lattice(len(piece), others))
    if split.score > scores[piece]:
        return None
    more = len(split.nodes) - 1
    after = sum(
        math.log(counts[piece[node.start : node.end]] + count) - math.log(total + count * more)
        for node in split.nodes
    )
    return count / total * (TOKEN_COST * more + math.log(count) - math.log(total) - after)
