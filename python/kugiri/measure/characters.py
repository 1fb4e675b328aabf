"""Characters in tables: how they are shown, and what Unicode calls them."""

from __future__ import annotations

import unicodedata

import numpy as np
import numpy.typing as npt

from kugiri.explain.glyphs import visible
from kugiri.measure.draws import Integers

MOST = 20
"""How many characters a table has."""


def shown(character: str) -> str:
    """A character that can be seen in a table, be it a space or a control."""
    return visible(character)


def name(character: str) -> str:
    r"""Its number and, where it has one, its name.

    Example:
        >>> name("①"), name("\x00")
        ('U+2460 CIRCLED DIGIT ONE', 'U+0000')
    """
    return f"U+{ord(character):04X} {unicodedata.name(character, '')}".rstrip()


def most_frequent(code_points: npt.NDArray[np.integer]) -> list[tuple[str, int]]:
    """The most frequent of some characters with their counts; equally frequent ones by number.

    Example:
        >>> most_frequent(np.array([98, 97, 98]))
        [('b', 2), ('a', 1)]
    """
    counts = occurrences(code_points)
    found = np.flatnonzero(counts)
    found = found[np.argsort(-counts[found], kind="stable")][:MOST]
    return [(chr(code), int(counts[code])) for code in found.tolist()]


def occurrences(code_points: npt.NDArray[np.integer]) -> Integers:
    """(0x110000,): how often each code point occurs."""
    return np.bincount(code_points, minlength=0x110000)
