"""The characters of counted words, and how many of them cover how much.

Rule.    Each occurrence of a word counts all its characters. The most frequent come first, equal
         ones by code point.
Cost.    One look at each character of the different words, some thousand words at a time.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping

import msgspec
import numpy as np
import numpy.typing as npt

from kugiri.errors import TrainingError
from kugiri.training.word_counts import WordCounts

COVERAGES = (0.98, 0.99, 0.995, 0.999, 0.9995, 0.9999, 1.0)
"""Those that people choose from; 0.9995 is SentencePiece's default."""

_WORDS = 1 << 14
"""Looked at at a time, so that memory does not grow with the corpus."""


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
    """Count the characters of words.

    Raises:
        TrainingError: a count does not fit into 64 bits.

    Example:
        >>> count_characters(WordCounts.from_mapping({"low": 5, "lower": 2, "we": 1}))
        {'w': 8, 'l': 7, 'o': 7, 'e': 3, 'r': 2}
    """
    lengths = character_lengths(counts)
    if float(lengths @ counts.counts.astype(np.float64)) >= 2**63:
        raise TrainingError("these words have more than 2**63 characters; make the counts smaller")
    total = np.zeros(sys.maxunicode + 1, np.int64)
    for rows, data, _ in _parts(counts):
        points = np.frombuffer(data.decode().encode("utf-32-le"), np.uint32)
        np.add.at(total, points, np.repeat(counts.counts[rows].astype(np.int64), lengths[rows]))
    present = np.flatnonzero(total)
    order = present[np.argsort(-total[present], kind="stable")]
    return dict(zip(map(chr, order.tolist()), total[order].tolist(), strict=True))


def character_lengths(counts: WordCounts) -> npt.NDArray[np.int64]:
    """The number of characters of each word: of its bytes that do not continue one."""
    lengths = np.zeros(len(counts), np.int64)
    for rows, data, offsets in _parts(counts):
        starts = (np.frombuffer(data, np.uint8) & 0xC0) != 0x80
        lengths[rows] = np.diff(np.concatenate(([0], np.cumsum(starts)))[offsets])
    return lengths


def _parts(counts: WordCounts) -> Iterator[tuple[slice, bytes, npt.NDArray[np.int64]]]:
    """Some thousand words at a time: their rows, their bytes, and where each begins in these."""
    for first in range(0, len(counts), _WORDS):
        rows = slice(first, first + _WORDS)
        bounds = counts.words.offsets[first : first + _WORDS + 1]
        yield rows, counts.words.data[bounds[0] : bounds[-1]], bounds - bounds[0]


def coverages(characters: Mapping[str, int]) -> list[Coverage]:
    """What each of the usual shares needs of the characters, which come most frequent first."""
    return [_coverage(characters, share) for share in COVERAGES]


def _coverage(characters: Mapping[str, int], coverage: float) -> Coverage:
    covered = np.cumsum(list(characters.values()))
    enough = int(np.searchsorted(covered, coverage * covered[-1]))
    return Coverage(coverage, enough + 1, int(covered[-1] - covered[enough]))
