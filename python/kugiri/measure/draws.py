"""Draws of documents: how far a value would move with other documents of the same kind.

Rule.    A draw takes as many documents as there are, each at random and put back (bootstrap). Above
         1,000 documents, neighbours are drawn together, in 1,000 groups: lines of one text are
         alike, and would make an interval too narrow if each were drawn alone.
Cost.    draws × groups numbers of one byte; a sum over all draws is one product of matrices.
Source.  B. Efron: Bootstrap Methods: Another Look at the Jackknife, 1979. H. Künsch: The Jackknife
         and the Bootstrap for General Stationary Observations, 1989 (groups of neighbours).
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]

GROUPS = 1_000


class Draws:
    """The draws of one corpus. The first is the corpus itself, each document once.

    Attributes:
        groups: (documents,), the number of the group that each is drawn with.

    Example:
        >>> draws = Draws(documents=2, draws=3, seed=0)
        >>> draws.sum(np.array([10, 1]))
        array([11., ...])
    """

    def __init__(self, documents: int, draws: int, seed: int) -> None:
        groups = min(documents, GROUPS)
        # A document a group, or as nearly the same number of neighbours as divides.
        self._starts = np.arange(groups) * documents // max(groups, 1)
        self.groups = np.repeat(np.arange(groups), np.diff([*self._starts, documents]))
        # One group says nothing of how much groups differ.
        draws = draws if groups > 1 else 0
        drawn = np.random.default_rng(seed).integers(0, max(groups, 1), (draws, groups))
        self._times = np.ones((1 + draws, groups))
        for row, groups_drawn in enumerate(drawn, start=1):
            self._times[row] = np.bincount(groups_drawn, minlength=groups)

    def __len__(self) -> int:
        return len(self._times)

    def sum(self, of_documents: npt.NDArray[np.generic]) -> Floats:
        """The sum over the documents of each draw.

        Args:
            of_documents: (documents,), what each document adds.
        """
        if not len(self._starts):
            return np.zeros(len(self))
        of_groups = np.add.reduceat(of_documents.astype(np.float64), self._starts)
        return self._times @ of_groups


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """One number divided by the other in each draw; of nothing it is not a number.

    Example:
        >>> ratio(np.array([1.0, 0.0]), np.array([2.0, 0.0]))
        array([0.5, nan])
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(denominator == 0, np.nan, numerator / denominator)
