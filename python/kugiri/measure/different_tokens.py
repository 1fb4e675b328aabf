"""Sums over the different tokens of a corpus, each once, and how far they would move.

Rule.    A draw puts documents back, so some come twice and others not at all; it has fewer
         different tokens than the corpus, always, and says nothing of another corpus. So a draw
         moves such a sum by what its documents alone bring in: as much is added for each time that
         a group is drawn more often than once, and taken away where it is not drawn (jackknife).
         The spread is then that of other documents of the same kind, around the value.
Cost.    Two passes over the ids.
Source.  J. F. Heltshe, N. E. Forrester: Estimating Species Richness Using the Jackknife Procedure,
         1983, whose variance it is.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kugiri.measure.draws import Draws, Floats, Integers
from kugiri.measure.observation import Observation


def sum_of_used(seen: Observation, draws: Draws, of_ids: npt.NDArray[np.generic]) -> Floats:
    """The sum over the ids that occur, each once, of what every id has; the first row is exact.

    Example:
        >>> from kugiri.measure.example import observe
        >>> seen = observe(["aab", "ac"], merges=[])
        >>> float(sum_of_used(seen, seen.corpus.draws, np.ones(256))[0])  # a, b, c
        3.0
    """
    first, last = holders(seen, draws.groups)
    alone = np.flatnonzero((seen.counts > 0) & (first == last))
    total = of_ids[seen.counts > 0].sum()
    # What a group alone has is put with the first of its documents.
    document = np.searchsorted(draws.groups, first[alone])
    of_documents = np.bincount(document, of_ids[alone], minlength=len(draws.groups))
    moved = draws.sum(of_documents)
    return np.asarray(total + (moved - moved[0]), np.float64)


def holders(seen: Observation, of_documents: Integers) -> tuple[Integers, Integers]:
    """The least and the greatest number of a document that holds each id; of unused ids -1.

    Args:
        seen: the observation.
        of_documents: (documents,), ascending numbers, of documents or groups of them.
    """
    ids, held = seen.batch.ids, np.repeat(of_documents, seen.tokens)
    first = np.full(len(seen.vocabulary), -1, np.int64)
    last = first.copy()
    last[ids] = held  # of many, the last one stays
    first[ids[::-1]] = held[::-1]
    return first, last
