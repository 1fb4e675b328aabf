"""Draws of documents: how far a value would move with other documents of the same kind.

Rule.    A draw takes as many documents as there are, each at random and put back (bootstrap). Above
         1,000 documents, neighbours are drawn together, in 1,000 groups: lines of one text are
         alike, and would make an interval too narrow if each were drawn alone.
         Of n groups, draws spread too little: by √((n − 1) / n), and as if their spread were known
         and not estimated from the same n. So what a draw moves a value by is taken times
         √(n / (n − 1)) · t / z, the quantiles of Student (n − 1 degrees of freedom) and Gauss.
Cost.    draws × groups numbers of two bytes; a sum over all draws is as many products.
Source.  B. Efron: Bootstrap Methods: Another Look at the Jackknife, 1979. H. Künsch: The Jackknife
         and the Bootstrap for General Stationary Observations, 1989 (groups of neighbours).
         T. Hesterberg: What Teachers Should Know about the Bootstrap, 2015 (few documents).
"""

from __future__ import annotations

from math import sqrt
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]

GROUPS = 1_000

_NORMAL = 1.959963984540054
"""Where 97.5 % of the normal distribution lie below."""
_STUDENT = (12.706204736, 4.302652730)
"""The same of Student's with one and two degrees of freedom."""


class Draws:
    """The draws of one corpus. The first is the corpus itself, each document once.

    Attributes:
        groups: (documents,), the number of the group that each is drawn with.

    Example:
        >>> draws = Draws(documents=2, draws=3, seed=0)
        >>> draws.sum(np.array([10, 1]))
        array([11., ...])
    """

    def __init__(
        self, documents: int, draws: int, seed: int, kept: npt.NDArray[np.intp] | None = None
    ) -> None:
        groups = min(documents, GROUPS)
        # A document a group, or as nearly the same number of neighbours as divides.
        self._starts = np.arange(groups) * documents // max(groups, 1)
        self.groups = np.repeat(np.arange(groups), np.diff([*self._starts, documents]))
        # One group says nothing of how much groups differ.
        self._times = np.ones((1 + (draws if groups > 1 else 0), groups), np.uint16)
        chance = np.random.default_rng(seed)
        for times in self._times[1:]:
            times[:] = np.bincount(chance.integers(0, groups, groups), minlength=groups)
        self._asked, self._kept = (draws, seed), kept

    def __len__(self) -> int:
        return len(self._times)

    def of(self, kept: npt.NDArray[np.bool_]) -> Draws:
        """As many draws of those documents alone that are kept; sums are over these."""
        return Draws(int(kept.sum()), *self._asked, np.flatnonzero(kept))

    def sum(self, of_documents: npt.NDArray[np.generic]) -> Floats:
        """The sum over the documents of each draw.

        Args:
            of_documents: (documents,), what each document adds.
        """
        if not len(self._starts):
            return np.zeros(len(self))
        if self._kept is not None:
            of_documents = of_documents[self._kept]
        of_groups = np.add.reduceat(of_documents.astype(np.float64), self._starts)
        # No product of matrices: how BLAS rounds differs by processor and number of threads.
        return np.array([(times * of_groups).sum() for times in self._times])

    def total(self, of_documents: npt.NDArray[np.generic]) -> Floats:
        """The sum over as many documents as the corpus has, at the rate of each draw.

        Groups of neighbours are not all of one size, so draws do not have the same number of
        documents; of a ratio that does not matter.

        Example:
            >>> set(Draws(documents=1_001, draws=9, seed=0).total(np.ones(1_001)).tolist())
            {1001.0}
        """
        drawn = np.maximum(self.sum(np.ones(len(of_documents))), 1)
        return np.asarray(self.sum(of_documents) * drawn[0] / drawn, np.float64)

    def widened(self, values: Floats) -> Floats:
        """Values of the draws, each as far from that of the corpus as the rule says.

        Example:
            >>> Draws(documents=2, draws=3, seed=0).widened(np.array([5.0, 5.0, 6.0, 4.0]))
            array([ 5.        ,  5.        , 14.16817..., -4.16817...])
        """
        if (groups := len(self._starts)) < 2:
            return values
        wider = sqrt(groups / (groups - 1)) * student(groups - 1) / _NORMAL
        return np.asarray(values[0] + wider * (values - values[0]), np.float64)


def student(degrees: int) -> float:
    """Where 97.5 % of Student's distribution lie below, at most 0.2 % too low.

    Source: R. A. Fisher, E. A. Cornish: The Percentile Points of Distributions Having Known
    Cumulants, 1960 (the series in 1 / degrees).

    Example:
        >>> [round(student(degrees), 2) for degrees in (1, 2, 3, 4, 10, 100)]
        [12.71, 4.3, 3.18, 2.78, 2.23, 1.98]
    """
    if degrees <= len(_STUDENT):
        return _STUDENT[degrees - 1]
    n, y = degrees, _NORMAL * _NORMAL
    first = (y + 1) / (4 * n)
    second = ((5 * y + 16) * y + 3) / (96 * n**2)
    third = (((3 * y + 19) * y + 17) * y - 15) / (384 * n**3)
    fourth = ((((79 * y + 776) * y + 1482) * y - 1920) * y - 945) / (92_160 * n**4)
    return _NORMAL * (1 + first + second + third + fourth)


def centred(values: Floats) -> Floats:
    """The draws around the value, for one that draws make too large.

    The most of several numbers, or how far they are apart, is larger in nearly all draws than in
    the corpus: each has a chance to lie apart. So the draws are moved, until their mean is the
    value.

    Example:
        >>> centred(np.array([1.0, 1.25, 1.75]))
        array([1.  , 0.75, 1.25])
    """
    others = values[1:]
    moved = others + (values[0] - others.mean()) if len(others) else others
    return np.concatenate([values[:1], moved])


def undrawn(value: float, draws: Draws) -> Floats:
    """A value of which draws of documents say nothing, and which has no interval.

    Example:
        >>> undrawn(0.5, Draws(documents=2, draws=3, seed=0))
        array([0.5, nan, nan, nan])
    """
    return np.array([value, *[np.nan] * (len(draws) - 1)])


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """One number divided by the other in each draw; of nothing it is not a number.

    Example:
        >>> ratio(np.array([1.0, 0.0]), np.array([2.0, 0.0]))
        array([0.5, nan])
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(denominator == 0, np.nan, numerator / denominator)
