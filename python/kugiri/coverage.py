"""How many characters cover how much of a text."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np

COVERAGES = (0.98, 0.99, 0.995, 0.999, 0.9995, 0.9999, 1.0)
"""Those that people choose from; 0.9995 is SentencePiece's default."""


class Coverage(msgspec.Struct, frozen=True):
    """How many characters cover how much.

    Attributes:
        coverage: the share that is asked for.
        characters: how many of the most frequent characters reach it.
        left_out: how many occurrences the others have.
    """

    coverage: float
    characters: int
    left_out: int


def coverages(characters: Mapping[str, int]) -> list[Coverage]:
    """What each of the usual shares needs of the characters, which come most frequent first."""
    return [_coverage(characters, share) for share in COVERAGES]


def _coverage(characters: Mapping[str, int], coverage: float) -> Coverage:
    covered = np.cumsum(list(characters.values()))
    enough = int(np.searchsorted(covered, coverage * covered[-1]))
    return Coverage(coverage, enough + 1, int(covered[-1] - covered[enough]))
