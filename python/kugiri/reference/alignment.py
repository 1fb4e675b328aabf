"""Text that remembers where it came from.

Rule.    Each character carries the bytes of the original UTF-8 text that it stands for. Cutting a
         text cuts its spans; what changes a text says what each new character stands for. A
         character that was put in stands for no bytes (an empty span), and for bytes that were
         dropped stands no character. Beside it goes what tokenizers names for the character, which
         is never nothing: for one that composes several, the first of them; for one that was put
         in, its neighbour.
Cost.    Two pairs of numbers a character; the core keeps none where nothing was changed.
Source.  The rule is ours; tokenizers 0.23.3 for what it names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise
from typing import NamedTuple

from kugiri.encoding import Span
from kugiri.errors import EncodingError


class Place(NamedTuple):
    """A character of a text, the bytes behind it, and those that tokenizers names for it."""

    character: str
    own: Span
    named: Span


@dataclass(frozen=True)
class Aligned:
    """A stretch of text with, for each character, the bytes of the original behind it.

    Attributes:
        text: the stretch.
        spans: the bytes of each character.
        end: where the stretch ends in the original, with what was dropped behind it.
        original: the whole original text in UTF-8.
        named: the bytes that tokenizers names for each character; None for the same.
        start: where the stretch starts in the original, with what was dropped before it.

    Example:
        >>> Aligned.of("a猫b")[1:2]
        Aligned(text='猫', spans=((1, 4),), end=4)
    """

    text: str
    spans: tuple[Span, ...]
    end: int
    original: bytes = field(repr=False)
    named: tuple[Span, ...] | None = field(default=None, repr=False)
    start: int = field(default=0, repr=False)

    @classmethod
    def of(cls, text: str) -> Aligned:
        """Align a text with itself.

        Raises:
            EncodingError: the text holds a lone surrogate, which has no UTF-8 form.
        """
        try:
            lengths = [len(character.encode()) for character in text]
        except UnicodeEncodeError:
            place, lone = next((i, c) for i, c in enumerate(text) if "\ud800" <= c <= "\udfff")
            raise EncodingError(
                f"character {place} is the lone surrogate U+{ord(lone):04X}, which is not text; "
                "repair the text where it was read, or replace the character"
            ) from None
        spans = tuple(pairwise(accumulate(lengths, initial=0)))
        return cls(text, spans, sum(lengths), text.encode())

    @property
    def span(self) -> Span:
        """The bytes of the original that the whole stretch stands for."""
        return covering(self.spans)

    @property
    def named_span(self) -> Span:
        """The bytes of the original that tokenizers names for the whole stretch."""
        named = self.named or self.spans
        return named[0][0], named[-1][1]

    @property
    def places(self) -> list[Place]:
        """Each character with its places."""
        return list(map(Place, self.text, self.spans, self.named or self.spans))

    def begin(self, at: int) -> Span:
        """The empty span before a character, or at the end."""
        start = self.spans[at][0] if at < len(self) else self.end
        return start, start

    def named_before(self, at: int) -> Span:
        """What tokenizers names for something that is put in behind what stands before a place."""
        return (self.named or self.spans)[at - 1] if at else (self.start, self.start)

    def rewritten(self, places: Iterable[Place]) -> Aligned:
        """The stretch with other characters."""
        places = list(places)
        return replace(
            self,
            text="".join(place.character for place in places),
            spans=tuple(place.own for place in places),
            named=tuple(place.named for place in places),
        )

    def utf8(self) -> list[tuple[int, Span]]:
        """Each byte of the stretch in UTF-8, with the bytes of the original that it stands for.

        A character that is as it was gives each byte its own place; any other its whole span.
        """
        placed = []
        for character, (start, end) in zip(self.text, self.spans, strict=True):
            data = character.encode()
            as_it_was = self.original[start:end] == data
            for i, byte in enumerate(data):
                placed.append((byte, (start + i, start + i + 1) if as_it_was else (start, end)))
        return placed

    def __len__(self) -> int:
        """The number of characters."""
        return len(self.text)

    def __getitem__(self, part: slice) -> Aligned:
        """A stretch of the stretch."""
        first, stop, _ = part.indices(len(self))
        start = self.begin(first)[0] if first else self.start
        named = None if self.named is None else self.named[part]
        end, _ = self.begin(stop)
        return Aligned(self.text[part], self.spans[part], end, self.original, named, start)


def covering(spans: Sequence[Span]) -> Span:
    """The least span that covers all of some.

    Marks that were put in order may stand before what they stood behind.

    Example:
        >>> covering([(4, 5), (1, 2)])
        (1, 5)
    """
    return min(start for start, _ in spans), max(end for _, end in spans)


def character_span(text: str, start: int, end: int) -> Span:
    """Return the characters of `text` that its UTF-8 bytes from `start` to `end` touch.

    Example:
        >>> character_span("a猫", 2, 3)  # the middle byte of 猫
        (1, 2)
    """
    data = text.encode()
    # A character cut at its end counts for the end and not for the start: "replace" shows it as
    # one U+FFFD, "ignore" leaves it out.
    return len(data[:start].decode(errors="ignore")), len(data[:end].decode(errors="replace"))
