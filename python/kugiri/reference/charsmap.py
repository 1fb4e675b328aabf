"""The precompiled charsmap: SentencePiece's table of what each string is rewritten to.

Rule.    The table is a trie of keys laid out as a double array, and the replacements one after
         another, each ended by a zero byte. At a place in the text the longest key that fits
         counts.
Cost.    One step a byte of the key.
Source.  The layout of darts-clone, a number of 32 bits a unit:
           bits 0-7 and 31   label: the byte that leads here; with bit 31 set, a value in its place
           bit 8             whether a key ends here: its value is at the unit's own offset
           bits 9-30         offset to the children, shifted by eight more if bit 9 is set
         and sentencepiece 0.2.3, which looks at no more than 32 keys at one place.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator
from functools import lru_cache

from kugiri.errors import FormatError

MAX_KEYS_AT_ONE_PLACE = 32
"""How many keys, each the beginning of the next, sentencepiece looks at."""

LABEL = 0x8000_00FF
"""The bits of a unit that say which byte leads here."""

MAX_RULES = 10_000_000
"""More than Unicode could ask for: a table of more goes round in a circle."""


class Charsmap:
    """A charsmap ready to be looked up in."""

    def __init__(self, blob: bytes) -> None:
        """Take a table apart: the size of the trie, the trie, the replacements.

        Raises:
            FormatError: it is malformed; has the byte.
        """
        size = int.from_bytes(blob[:4], "little")
        if len(blob) < 4 or size % 4 or not 0 < size < len(blob) - 4:
            raise FormatError(
                f"a charsmap of {len(blob)} bytes cannot hold a trie of {size}", offset=0
            )
        self._units = array("I", blob[4 : 4 + size])
        assert self._units.itemsize == 4
        if sys.byteorder == "big":
            self._units.byteswap()
        self._replacements = blob[4 + size :]
        if self._replacements[-1] != 0:
            raise FormatError("the charsmap does not end in a zero byte", offset=len(blob) - 1)
        try:
            self._replacements.decode()
        except UnicodeDecodeError as error:
            raise FormatError(
                "the replacements of the charsmap are not UTF-8", offset=4 + size + error.start
            ) from None

    def longest(self, data: bytes, at: int) -> tuple[str, int] | None:
        """What the text at a place is rewritten to, and how many bytes of it; None for no key.

        A key that would end inside a character does not fit.
        """
        found = None
        for count, (end, value) in enumerate(self._keys(data, at)):
            if count == MAX_KEYS_AT_ONE_PLACE:
                break
            if end == len(data) or data[end] & 0xC0 != 0x80:
                found = value, end - at
        if found is None or found[0] >= len(self._replacements):
            return None
        return self._replacement(found[0]), found[1]

    def shortest(self, text: str) -> str | None:
        """What the shortest key that a text begins with is rewritten to; None for no key."""
        data = text.encode().partition(b"\0")[0]
        _, value = next(self._keys(data, 0), (0, len(self._replacements)))
        return self._replacement(value) if value < len(self._replacements) else None

    def rules(self) -> dict[str, str]:
        """The whole table: key → replacement, in order of the keys.

        Raises:
            FormatError: the trie has no end, or a key is not UTF-8 or has no replacement.
        """
        rules: dict[str, str] = {}
        blocks: dict[int, list[tuple[int, int]]] = {}  # keys share their ends
        paths = [(b"", self._base(0))]
        while paths:
            key, base = paths.pop()
            if base not in blocks:
                blocks[base] = self._block(base)
            for byte, child in blocks[base]:
                longer = key + bytes([byte])
                paths.append((longer, self._base(child)))
                value = self._value(child)
                if value is None:
                    continue
                if value >= len(self._replacements):
                    raise FormatError(f"the key {longer!r} of the charsmap has no replacement")
                rules[_text(longer)] = self._replacement(value)
            if len(paths) > len(self._units) or len(rules) > MAX_RULES:
                raise FormatError("the trie of the charsmap has no end")
        return dict(sorted(rules.items()))

    def _keys(self, data: bytes, at: int) -> Iterator[tuple[int, int]]:
        """Each key that the data from `at` on begins with: where it ends, and its value."""
        place = 0
        for end in range(at, len(data)):
            step = self._step(place, data[end])
            if step is None:
                return
            place, value = step
            if value is not None:
                yield end + 1, value

    def _step(self, place: int, byte: int) -> tuple[int, int | None] | None:
        """Follow one byte: the unit that it leads to, and the value of the key that ends there."""
        child = self._base(place) ^ byte
        if child >= len(self._units) or self._units[child] & LABEL != byte:
            return None
        return child, self._value(child)

    def _block(self, base: int) -> list[tuple[int, int]]:
        """Each byte that leads on from a base, with the unit that it leads to."""
        units, size = self._units, len(self._units)
        places = ((byte, base ^ byte) for byte in range(1, 256))
        return [(byte, at) for byte, at in places if at < size and units[at] & LABEL == byte]

    def _base(self, place: int) -> int:
        """Where the children of a unit lie: each at this ^ its byte."""
        unit = self._units[place]
        return place ^ unit >> 10 << ((unit & 1 << 9) >> 6)

    def _value(self, place: int) -> int | None:
        """The value of the key that ends at a unit, if one does."""
        base = self._base(place)
        ends = self._units[place] >> 8 & 1 and base < len(self._units)
        return self._units[base] & 0x7FFF_FFFF if ends else None

    def _replacement(self, value: int) -> str:
        end = self._replacements.index(0, value)
        return self._replacements[value:end].decode(errors="replace")


def _text(key: bytes) -> str:
    try:
        return key.decode()
    except UnicodeDecodeError:
        raise FormatError(f"the key {key!r} of the charsmap is not UTF-8") from None


@lru_cache(maxsize=8)
def charsmap(blob: bytes) -> Charsmap:
    """The charsmap of a blob; taking one apart looks at all of it, so the last few are kept."""
    return Charsmap(blob)
