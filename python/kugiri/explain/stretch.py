"""A piece of a text, as it stands among what the model is given.

Rule.    It is looked for in the text; its characters are those of the words that stand for nothing
         but bytes of it. Where the text does not hold it, it is looked for in the words put
         together, as one who copied a token would write it (▁みを, Ġcat). Places do not overlap.
Cost.    A look at each character a place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from kugiri.encoding import Span
from kugiri.reference.alignment import Aligned, covering


class InWord(NamedTuple):
    """A part of a word: its characters from start to end."""

    word: Aligned
    start: int
    end: int


class Stretch(NamedTuple):
    """A piece at one of its places.

    Attributes:
        bytes: of the UTF-8 text.
        inside: its parts in the words that it touches; none where it was dropped or cut out.
    """

    bytes: Span
    inside: tuple[InWord, ...]

    @property
    def is_whole(self) -> bool:
        """Whether the model is given something for each of its ends."""
        spans = [part.word[part.start : part.end].span for part in self.inside]
        return bool(spans) and covering(spans) == self.bytes

    @property
    def text(self) -> str:
        """The characters that the model is given for it."""
        return "".join(part.word.text[part.start : part.end] for part in self.inside)


def stretches(text: str, piece: str, words: Sequence[Aligned]) -> Iterator[Stretch]:
    """Find a piece everywhere.

    Example:
        >>> (found,) = stretches("a猫", "猫", [Aligned.of("a猫")])
        >>> found.bytes, found.text
        ((1, 4), '猫')
    """
    at = text.find(piece) if piece else -1
    if at < 0:
        yield from _in_words(piece, words)
        return
    standing_for = _Bytes(words)
    while at >= 0:
        yield standing_for.stretch(text, (at, at + len(piece)))
        at = text.find(piece, at + len(piece))


def stretch_at(text: str, span: Span, words: Sequence[Aligned]) -> Stretch:
    """The stretch of these characters of a text.

    Example:
        >>> stretch_at("猫a猫", (2, 3), [Aligned.of("猫a猫")]).bytes
        (4, 7)
    """
    return _Bytes(words).stretch(text, span)


class _Bytes:
    """The bytes that each character of the words stands for, in two columns."""

    def __init__(self, words: Sequence[Aligned]) -> None:
        self.words = words
        self.firsts = np.array([0, *accumulate(map(len, words))], np.int64)
        spans = [span for word in words for span in word.spans]
        self.begins, self.ends = np.array(spans, np.int64).reshape(-1, 2).T

    def stretch(self, text: str, span: Span) -> Stretch:
        """What stands at these characters of a text."""
        start, end = (len(text[:at].encode()) for at in span)
        return Stretch((start, end), tuple(self._inside(start, end)))

    def _inside(self, start: int, end: int) -> Iterator[InWord]:
        """The characters of each word that stand for bytes from start to end, and those between."""
        inside = (start <= self.begins) & (self.begins < self.ends) & (self.ends <= end)
        of_it = np.flatnonzero(inside)
        of_word = np.searchsorted(self.firsts, of_it, "right") - 1
        for number in np.unique(of_word).tolist():
            its = of_it[of_word == number] - self.firsts[number]
            yield InWord(self.words[number], int(its[0]), int(its[-1]) + 1)


def _in_words(piece: str, words: Sequence[Aligned]) -> Iterator[Stretch]:
    """The places of a piece in the words put together."""
    whole = "".join(word.text for word in words)
    at = whole.find(piece) if piece else -1
    while at >= 0:
        inside = []
        begins = 0
        for word in words:
            start, end = max(at - begins, 0), min(at + len(piece) - begins, len(word))
            if start < end:
                inside.append(InWord(word, start, end))
            begins += len(word)
        span = covering([part.word[part.start : part.end].span for part in inside])
        yield Stretch(span, tuple(inside))
        at = whole.find(piece, at + len(piece))
