"""A piece of a text, as it stands among what the model is given.

Rule.    It is looked for in the text; its characters are those of the words that stand for nothing
         but bytes of it. Where the text does not hold it, it is looked for in the words put
         together, as one who copied a token would write it (▁みを, Ġcat). Places do not overlap.
Cost.    One look at each character.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

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
    while at >= 0:
        start = len(text[:at].encode())
        end = start + len(piece.encode())
        inside = (_standing_for(word, start, end) for word in words)
        yield Stretch((start, end), tuple(part for part in inside if part is not None))
        at = text.find(piece, at + len(piece))


def _standing_for(word: Aligned, start: int, end: int) -> InWord | None:
    """The characters of a word that stand for bytes from start to end, and those among them."""
    of_it = [at for at, (begins, ends) in enumerate(word.spans) if start <= begins < ends <= end]
    return InWord(word, of_it[0], of_it[-1] + 1) if of_it else None


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
