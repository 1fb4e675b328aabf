"""Sums over the different tokens of a corpus, each once, and how far they would move.

Rule.    A draw puts documents back, so some come twice and others not at all; it has fewer
         different tokens than the corpus, always, and says nothing of another corpus. So a draw
         moves such a sum by what its documents alone bring in: as much is added for each time that
         a group is drawn more often than once, and taken away where it is not drawn (jackknife).
         The spread is then that of other documents of the same kind, around the value.
Cost.    Two passes over the ids, once.
Source.  J. F. Heltshe, N. E. Forrester: Estimating Species Richness Using the Jackknife Procedure,
         1983, whose variance it is.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kugiri.measure.draws import Draws, Floats
from kugiri.measure.observation import Observation


def sum_of_used(seen: Observation, draws: Draws, of_ids: npt.NDArray[np.generic]) -> Floats:
    """The sum over the ids that occur, each once, of what every id has; the first row is exact.

    Example:
        >>> from kugiri.measure.example import observe
        >>> seen = observe(["aab", "ac"], merges=[])
        >>> float(sum_of_used(seen, seen.corpus.draws, np.ones(256))[0])  # a, b, c
        3.0
    """
    ids, documents = seen.alone
    of_documents = np.bincount(documents, of_ids[ids], minlength=len(seen.tokens))
    total = of_ids[seen.counts > 0].sum()
    moved = draws.total(of_documents)
    return np.asarray(total + (moved - moved[0]), np.float64)
