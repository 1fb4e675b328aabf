"""How many tokens a text takes, by the size of the vocabulary.

Rule.    Of BPE every size is known from one encoding, exactly. A text that was encoded with all
         merges is taken apart again, the last merge first: its result stands in the text as often
         as it was applied, and so many tokens more there are without it. What is left is what the
         smaller vocabulary would have given, since its merges are the first ones of the larger.
         Of other models only the sizes are known that were trained.
Cost.    O(merges).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import log2
from typing import Any

import numpy as np
import numpy.typing as npt

from kugiri.spec import BPE
from kugiri.tokenizer import Tokenizer

FLAT = 0.05
"""A curve is flat where a vocabulary twice as large saves a smaller share of the tokens."""
_POINTS = 16
"""How many points of a curve are shown, each time that the size doubles."""

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Curve:
    """The tokens of one text.

    Attributes:
        model: that the sizes are of.
        text: "training" or "evaluation".
        sizes: of vocabularies, ascending.
        tokens: of the text, with each.
        unknown: how many of them stand for what is not in the vocabulary.
        merges: what tells them, where every size is known.
    """

    model: str
    text: str
    sizes: Counts
    tokens: Counts
    unknown: Counts
    merges: Applied | None = None

    def tokens_at(self, size: int) -> int | None:
        """The tokens with a vocabulary of this size; None where that is not known."""
        place = int(np.searchsorted(self.sizes, size))
        is_known = place < len(self.sizes) and self.sizes[place] == size
        return int(self.tokens[place]) if is_known else None

    def gain(self, size: int) -> float | None:
        """The share of tokens that a vocabulary twice as large saves.

        Where that size is not known, the next larger that is stands for it.
        """
        place = int(np.searchsorted(self.sizes, size, side="right"))
        tokens = self.tokens_at(size)
        if self.merges is not None:
            twice = self.tokens_at(2 * size)
            return None if not tokens or twice is None else 1 - twice / tokens
        if tokens is None or place == len(self.sizes):
            return None
        return per_doubling((size, tokens), (int(self.sizes[place]), int(self.tokens[place])))

    @cached_property
    def flat_from(self) -> int | None:
        """The first size whose doubling saves less than FLAT; None: none that is known."""
        gains = ((size, self.gain(size)) for size in self._doubled())
        return next((size for size, gain in gains if gain is not None and gain < FLAT), None)

    def _doubled(self) -> list[int]:
        """The sizes to look for where the curve is flat: all that are known to be."""
        if self.merges is None:
            return [int(size) for size in self.sizes]
        twice = 2 * self.sizes - self.sizes[0]
        doubled = twice < len(self.sizes)
        after, before = self.tokens[twice[doubled]], self.tokens[doubled]
        is_flat = after > (1 - FLAT) * before
        return [int(size) for size in self.sizes[doubled][is_flat][:1]]

    def shown(self) -> list[int]:
        """Sizes to show: all, or where that is too many, the same number for each doubling."""
        if self.merges is None:
            return [int(size) for size in self.sizes]
        first, last = int(self.sizes[0]), int(self.sizes[-1])
        steps = range(int(_POINTS * log2(last / first)) + 1)
        return sorted({last, *(round(first * 2 ** (step / _POINTS)) for step in steps)})

    def summary(self) -> dict[str, Any]:
        """The curve as JSON has it: points are sizes with their tokens."""
        return {
            "model": self.model,
            "text": self.text,
            "every_size": self.merges is not None,
            "flat_from": self.flat_from,
            "points": [[size, self.tokens_at(size)] for size in self.shown()],
        }


@dataclass(frozen=True, eq=False)
class Applied:
    """What each merge did to a text.

    Attributes:
        left, right, result: the ids of each merge.
        times: how often it was applied.
        units: by id, how often each token stands in the text before any merge.
    """

    left: Counts
    right: Counts
    result: Counts
    times: Counts
    units: Counts

    def occurrences(self, merges: int) -> Counts:
        """By id, how often each token stands in the text after so many merges."""
        found = self.units.copy()
        np.subtract.at(found, self.left[:merges], self.times[:merges])
        np.subtract.at(found, self.right[:merges], self.times[:merges])
        found[self.result[:merges]] += self.times[:merges]
        return found

    def merged(self, merges: int) -> Counts:
        """How often what each of so many merges made stands in the text after all of them."""
        return self.occurrences(merges)[np.unique(self.result[:merges])]

    def shares_of(self, least: float) -> npt.NDArray[np.float64]:
        """Which share of what merges made stands in the text so often, by number of merges."""
        found = self.units.tolist()
        made: set[int] = set()
        frequent, shares = 0, [1.0]
        rows = (self.left, self.right, self.result, self.times)
        for left, right, result, times in zip(*(row.tolist() for row in rows), strict=True):
            for part in {left, right}:
                was = found[part]
                found[part] -= times * (2 if left == right else 1)
                if part in made:
                    frequent -= (was >= least) - (found[part] >= least)
            was = found[result] >= least if result in made else False
            made.add(result)
            found[result] += times
            frequent += (found[result] >= least) - was
            shares.append(frequent / len(made))
        return np.array(shares)


def every_size(
    model: str, text: str, tokenizer: Tokenizer, occurrences: Counts, unknown: int
) -> Curve:
    """The curve of BPE, from the occurrences of each id in a text that it encoded.

    All sizes have the same alphabet, and so the same characters are unknown to them.
    """
    spec = tokenizer.spec.model
    assert isinstance(spec, BPE)
    assert spec.merges is not None
    rows = (spec.merges.left, spec.merges.right, spec.merges.result)
    left, right, result = (np.asarray(row, np.int64) for row in rows)
    counts = occurrences.tolist()
    times = np.zeros(len(result), np.int64)
    backwards = list(zip(left.tolist(), right.tolist(), result.tolist(), strict=True))[::-1]
    for back, (one, other, joined) in enumerate(backwards, start=1):
        # The result has a merge of its own, so what is left of it now is what this merge made.
        times[-back] = applied = counts[joined]
        counts[joined] = 0
        counts[one] += applied
        counts[other] += applied
    units = np.array(counts, np.int64)
    saved = np.concatenate([[0], np.cumsum(times)])
    smallest = tokenizer.vocab_size - len(times)
    sizes = np.arange(smallest, tokenizer.vocab_size + 1)
    merges = Applied(left, right, result, times, units)
    unknowns = np.full(len(sizes), unknown)
    return Curve(model, text, sizes, int(units.sum()) - saved, unknowns, merges)


def trained_sizes(model: str, text: str, points: list[tuple[int, int, int]]) -> Curve:
    """The curve of another model, from its sizes with the tokens and unknown tokens of each."""
    once = {size: counted for size, *counted in points}
    sizes = sorted(once)
    tokens, unknown = np.array([once[size] for size in sizes], np.int64).T
    return Curve(model, text, np.array(sizes, np.int64), tokens, unknown)


def per_doubling(before: tuple[int, int], after: tuple[int, int]) -> float | None:
    """The share of tokens that a doubling saves, from two sizes with their tokens.

    Between them every doubling is taken to save the same share.

    Example:
        >>> per_doubling((1000, 800), (2000, 600)), per_doubling((1000, 100), (4000, 25))
        (0.25, 0.5)
    """
    (size, tokens), (larger, fewer) = before, after
    if not tokens or not fewer or larger <= size:
        return None
    return float(1 - (fewer / tokens) ** (1 / log2(larger / size)))
