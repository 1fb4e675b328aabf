"""Text that remembers where it came from.

Rule.    Each character carries the bytes of the original UTF-8 text that it stands for. Cutting a
         text cuts its spans; what changes a text says what each new character stands for. A
         character that was put in stands for no bytes (an empty span), and for bytes that were
         dropped stands no character.
Cost.    One pair of numbers a character; the core keeps none where nothing was changed.
Source.  The rule is ours. tokenizers 0.23.3 gives a character that was put in the span of its
         neighbour.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate, pairwise

from kugiri.encoding import Span
from kugiri.errors import EncodingError


@dataclass(frozen=True)
class Aligned:
    """A stretch of text with, for each character, the bytes of the original behind it.

    Attributes:
        text: the stretch.
        spans: the bytes of each character.
        end: where the stretch ends in the original, with what was dropped behind it.
        original: the whole original text in UTF-8.

    Example:
        >>> Aligned.of("a猫b")[1:2]
        Aligned(text='猫', spans=((1, 4),), end=4)
    """

    text: str
    spans: tuple[Span, ...]
    end: int
    original: bytes = field(repr=False)

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
        return self.spans[0][0], self.spans[-1][1]

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
        _, stop, _ = part.indices(len(self))
        end = self.spans[stop][0] if stop < len(self) else self.end
        return Aligned(self.text[part], self.spans[part], end, self.original)


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
