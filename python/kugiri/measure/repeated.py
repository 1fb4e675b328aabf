"""Repeated phrases: what stands in a text word for word at several places.

Rule.    A phrase is any WIDTH bytes of a document; a byte is repeated if one of the phrases that it
         is part of stands at another place too, in the same document or another one. 48 bytes are
         16 characters of Japanese or eight words of English: more than two writers hit on.
Cost.    A hash of every phrase, and one sort of them.
Source.  R. M. Karp, M. O. Rabin: Efficient Randomized Pattern-Matching Algorithms, 1987 (the hash,
         modulo 2⁶⁴; one of two phrases among millions by chance is less likely than 10⁻⁶).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

WIDTH = 48
_BASE = 0x9E3779B97F4A7C15
"""Any odd number with bits everywhere."""


def repeated_bytes(
    data: npt.NDArray[np.uint8], starts: npt.NDArray[np.int64], width: int = WIDTH
) -> npt.NDArray[np.bool_]:
    """Whether each byte of documents that lie end to end is part of a repeated phrase.

    Args:
        data: the documents.
        starts: where each begins, and where the last ends.
        width: the bytes of a phrase.

    Example:
        >>> text = np.frombuffer(b"abcd-xabcy", np.uint8)
        >>> repeated_bytes(text, np.array([0, 5, 10]), width=3).astype(int)
        array([1, 1, 1, 0, 0, 0, 1, 1, 1, 0])
    """
    ends = np.repeat(starts[1:], np.diff(starts))
    begins = np.flatnonzero(np.arange(len(data)) + width <= ends)
    hashes = _hashes(data, width)[begins]
    order = np.argsort(hashes)
    same = hashes[order][1:] == hashes[order][:-1]
    twice = np.zeros(len(begins), np.bool_)
    twice[order[1:][same]] = twice[order[:-1][same]] = True
    steps = np.zeros(len(data) + 1, np.int64)
    steps[begins[twice]] += 1
    steps[begins[twice] + width] -= 1
    return np.cumsum(steps[:-1]) > 0


def _hashes(data: npt.NDArray[np.uint8], width: int) -> npt.NDArray[np.uint64]:
    """For each place the hash of the bytes from there on; only those inside the data are of use.

    The hash of two parts is that of the first times base ** length of the second, plus that of the
    second; so blocks of 1, 2, 4 … bytes give any width.
    """
    hashes, done = np.zeros(len(data), np.uint64), 0
    block, length = data.astype(np.uint64) + np.uint64(1), 1
    while length <= width:
        factor = np.uint64(pow(_BASE, length, 1 << 64))
        if width & length:
            hashes = hashes * factor + _ahead(block, done)
            done += length
        block = block * factor + _ahead(block, length)
        length *= 2
    return hashes


def _ahead(values: npt.NDArray[np.uint64], places: int) -> npt.NDArray[np.uint64]:
    """What stands so many places further on; zeros behind the end."""
    moved = np.zeros_like(values)
    moved[: max(len(values) - places, 0)] = values[places:]
    return moved
