"""The characters of counted words, and how many of them cover how much."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np
import numpy.typing as npt

from kugiri.word_counts import WordCounts

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


def count_characters(counts: WordCounts) -> dict[str, int]:
    """The characters of all words with their counts, most frequent first, then by code point."""
    points = np.frombuffer(counts.words.data.decode().encode("utf-32-le"), np.uint32)
    total = np.zeros(int(points.max()) + 1, np.int64)
    np.add.at(total, points, np.repeat(counts.counts.astype(np.int64), lengths(counts)))
    present = np.flatnonzero(total)
    order = present[np.argsort(-total[present], kind="stable")]
    return dict(zip(map(chr, order.tolist()), total[order].tolist(), strict=True))


def lengths(counts: WordCounts) -> npt.NDArray[np.int64]:
    """The number of characters of each word: of its bytes that do not continue one."""
    starts = (np.frombuffer(counts.words.data, np.uint8) & 0xC0) != 0x80
    return np.diff(np.concatenate(([0], np.cumsum(starts)))[counts.words.offsets])


def coverages(characters: Mapping[str, int]) -> list[Coverage]:
    """What each of the usual shares needs of the characters, which come most frequent first."""
    return [_coverage(characters, share) for share in COVERAGES]


def _coverage(characters: Mapping[str, int], coverage: float) -> Coverage:
    covered = np.cumsum(list(characters.values()))
    enough = int(np.searchsorted(covered, coverage * covered[-1]))
    return Coverage(coverage, enough + 1, int(covered[-1] - covered[enough]))
