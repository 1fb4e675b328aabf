"""How likely each piece is, estimated from all ways to cut the corpus.

Rule.    Expectation: every way to cut a run is taken as often as its share in the probability of
         all ways says. So a piece at its place is counted by its marginal, which forward and
         backward sums give, times the count of the run.
         Maximization: a piece of several characters that is expected less than half a time is
         dropped, unless too few would be left. The score of the others is
         ψ(count) − ψ(sum of all counts), which is a little less than the log of its share: the
         rarer the piece, the less. No count is taken as less than a half.
         Counts are compared in single precision, where the last bits of a sum make no difference.
Cost.    All nodes of all lattices, twice.
Source.  Kudo 2018. The digamma function ψ, as in variational Bayes, is sentencepiece's.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from kugiri.reference.models.lattice import Lattice, Node, forward, marginals, single

LEAST = 0.5
"""The expected count below which a piece is dropped."""


class Expected(NamedTuple):
    """The expected count of each piece, and the log probability of the corpus."""

    counts: dict[str, float]
    log_likelihood: float


def lattice(text: str, scores: Mapping[str, float], pieces: list[str]) -> Lattice:
    """The pieces in a text; the id of a node is the place of its piece in `pieces`."""
    ids = {piece: id for id, piece in enumerate(pieces)}
    longest = max(map(len, pieces))

    def nodes() -> Iterator[Node]:
        for start in range(len(text)):
            for end in range(start + 1, min(len(text), start + longest) + 1):
                if text[start:end] in scores:
                    yield Node(ids[text[start:end]], start, end, scores[text[start:end]])

    return Lattice(len(text), nodes())


def expect(runs: Mapping[str, int], scores: Mapping[str, float]) -> Expected:
    """Count the pieces in all ways to cut the corpus.

    Example:
        >>> scores = {"a": math.log(0.5), "b": math.log(0.25), "ab": math.log(0.125)}
        >>> {piece: round(count, 9) for piece, count in expect({"ab": 6}, scores).counts.items()}
        {'a': 3.0, 'b': 3.0, 'ab': 3.0}
    """
    pieces = list(scores)
    counts = dict.fromkeys(pieces, 0.0)
    log_likelihood = 0.0
    for run, count in runs.items():
        ways = lattice(run, scores, pieces)
        for node, share in marginals(ways):
            counts[run[node.start : node.end]] += count * share
        log_likelihood += count * forward(ways)[-1]
    return Expected(counts, log_likelihood)


def maximize(counts: Mapping[str, float], size: int) -> dict[str, float]:
    """Return the pieces that are left with their scores: `size` at least, if there are as many.

    Example:
        >>> scores = maximize({"a": 3.0, "b": 0.0, "ab": 0.4, "ba": 2.0}, 3)
        >>> {piece: round(score, 3) for piece, score in scores.items()}
        {'a': -0.688, 'b': -3.575, 'ba': -1.188}
    """
    long = [single(count) for piece, count in counts.items() if len(piece) > 1]
    wanted = max(0, size - (len(counts) - len(long)))
    least = min([LEAST, *sorted(long, reverse=True)[:wanted]])
    kept = {
        piece: max(count, LEAST)
        for piece, count in counts.items()
        if len(piece) == 1 or single(count) >= least
    }
    all_counts = digamma(sum(kept.values()))
    return {piece: digamma(count) - all_counts for piece, count in kept.items()}


def digamma(x: float) -> float:
    """The derivative of the log of the gamma function, ψ: nearly log(x − ½).

    Small numbers are moved up by ψ(x) = ψ(x + 1) − 1/x; from 16 on the first terms of the series in
    1 / (x − ½)² are exact to 10⁻¹³.

    Example:
        >>> round(digamma(1.0), 9), round(digamma(0.5), 9)
        (-0.577215665, -1.963510026)
    """
    result = 0.0
    while x < 16:
        result -= 1 / x
        x += 1
    x -= 0.5
    square = 1 / x**2
    series = square / 24 - square**2 * 7 / 960 + square**3 * 31 / 8064 - square**4 * 127 / 30720
    return result + math.log(x) + series
