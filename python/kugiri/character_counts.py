"""The characters of counted words."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kugiri.word_counts import WordCounts


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
