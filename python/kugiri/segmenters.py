"""Segmenters: what says where the words of a text are.

Rule.    A segmenter cuts a text into segments, without a gap: words, and what stands between them.
         "icu" follows the rules of Unicode, with dictionaries and models for Japanese, Chinese,
         Thai, Khmer, Lao and Burmese (src/segment.rs). The others are dictionaries of Japanese
         (dictionaries.py); there a segment is a morpheme, and a word if a letter or number is in
         it. What a dictionary passes over (MeCab spaces) is a segment too.
Cost.    Linear in the text. "icu" works on all threads, 1 MB of Japanese in about 0.1 s, of Thai
         in a few seconds; a dictionary needs 0.5 to 1 s for 1 MB.
Source.  Unicode Standard Annex #29 in ICU4X; dictionaries.py has the dictionaries.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from kugiri import _core
from kugiri.dictionaries import DICTIONARIES, installed, opened
from kugiri.errors import choose
from kugiri.inputs import as_text, as_texts, as_threads
from kugiri.unicode import class_body

Integers: TypeAlias = npt.NDArray[np.int64]


class Words(NamedTuple):
    """The words of texts, those of text i from `offsets[i]` on.

    Attributes:
        starts, ends: the bytes of its text that a word covers.
        offsets: one more than there are texts.
    """

    starts: Integers
    ends: Integers
    offsets: Integers


class Segments(NamedTuple):
    """The segments of texts, those of text i from `offsets[i]` on.

    Attributes:
        ends: the byte of its text at which each ends; it begins where the one before ends.
        is_word: whether it is a word.
        offsets: one more than there are texts.
    """

    ends: Integers
    is_word: npt.NDArray[np.bool_]
    offsets: Integers

    def starts(self) -> Integers:
        """The byte of its text at which each segment begins."""
        starts = np.zeros_like(self.ends)
        starts[1:] = self.ends[:-1]
        first = self.offsets[:-1]
        starts[first[first < self.offsets[1:]]] = 0
        return starts

    def words(self) -> Words:
        """The segments that are words."""
        words_before = np.zeros(len(self.ends) + 1, np.int64)
        np.cumsum(self.is_word, out=words_before[1:])
        places = self.starts()[self.is_word], self.ends[self.is_word]
        return Words(*places, words_before[self.offsets])


@dataclass(frozen=True)
class Segmenter:
    """What says where words are.

    Attributes:
        name: of SEGMENTERS.
        description: the name, with the versions of library and dictionary, for a report.

    Example:
        >>> icu = segmenter("icu")
        >>> segments = icu.segments(["世界中の猫。", "a b"])
        >>> segments.ends.tolist()
        [9, 12, 15, 18, 1, 2, 3]
        >>> [column.tolist() for column in segments.words()]
        [[0, 9, 12, 0, 2], [9, 12, 15, 1, 3], [0, 3, 5]]
    """

    name: str
    description: str
    _cut: Callable[[list[str], int | None], Segments]

    def segments(self, texts: Iterable[str], *, threads: int | None = None) -> Segments:
        """Cut texts into segments; a lone surrogate is an EncodingError, no str an OptionError."""
        return self._cut(as_texts(texts), as_threads(threads))


@lru_cache
def segmenter(name: str) -> Segmenter:
    """The segmenter of a name in SEGMENTERS.

    Raises:
        OptionError: there is no such name.
        KugiriError: its packages are not installed.
    """
    return SEGMENTERS[choose("segmenter", name, SEGMENTERS)](name)


def count_graphemes(texts: Iterable[str], *, threads: int | None = None) -> Integers:
    r"""The number of grapheme clusters of each text: what a reader takes for characters.

    Example:
        >>> count_graphemes(["が", "か\u3099", "👨‍👩‍👧"]).tolist()
        [1, 1, 1]
    """
    return _core.count_graphemes(as_texts(texts), as_threads(threads))


# ── Unicode ───────────────────────────────────────────────────────────────────────────────────
def _icu(name: str) -> Segmenter:
    def cut(texts: list[str], threads: int | None) -> Segments:
        return Segments(*_core.segment_words(texts, threads))

    return Segmenter(name, f"{name} ({_core.ICU})", cut)


# ── dictionaries ──────────────────────────────────────────────────────────────────────────────
def _of_dictionary(name: str) -> Segmenter:
    packages = installed(name)
    words = opened(name, packages.dictionary[0])

    def cut(texts: list[str], _: int | None) -> Segments:
        ends, offsets = [np.zeros(0, np.int64)], [0]
        is_word: list[bool] = []
        for number, text in enumerate(texts):
            row = words.segments(as_text(text, f"text {number}"))
            ends.append(_in_bytes(text, [end for end, _ in row]))
            is_word.extend(_words(text, row))
            offsets.append(len(is_word))
        return Segments(np.concatenate(ends), np.array(is_word, np.bool_), np.array(offsets))

    versions = ", ".join(" ".join(package) for package in packages)
    return Segmenter(name, f"{name} ({versions})", cut)


def _words(text: str, segments: list[tuple[int, bool]]) -> Iterator[bool]:
    """Whether each segment is a morpheme with a letter or number in it."""
    has_letter, start = _letter_or_number().search, 0
    for end, is_morpheme in segments:
        yield is_morpheme and has_letter(text, start, end) is not None
        start = end


@lru_cache
def _letter_or_number() -> re.Pattern[str]:
    return re.compile(f"[{class_body('L')}{class_body('N')}]")


def _in_bytes(text: str, places: list[int]) -> Integers:
    """Places in characters as places in bytes."""
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    widths = 1 + (codes >= 0x80).astype(np.int64) + (codes >= 0x800) + (codes >= 0x10000)
    byte_of = np.zeros(len(codes) + 1, np.int64)
    np.cumsum(widths, out=byte_of[1:])
    return byte_of[np.array(places, np.int64)]


SEGMENTERS: dict[str, Callable[[str], Segmenter]] = {
    "icu": _icu,
    **dict.fromkeys(DICTIONARIES, _of_dictionary),
}
"""The segmenters by name."""
