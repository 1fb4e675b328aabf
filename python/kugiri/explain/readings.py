"""Tokens as what is to be read, from the strings of an explanation alone.

Rule.    Where tokens are written in the visible characters of bytes (Ġ), these bytes are read as
         UTF-8; what is no whole characters is shown as `<e5 b0>`. An added token is text as it
         stands: a Ġ in it is a Ġ.
Cost.    One look-up a character.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kugiri.explain import glyphs
from kugiri.reference.byte_alphabet import BYTE_OF
from kugiri.reference.vocab import show

if TYPE_CHECKING:
    from kugiri.explain.structure import Explanation


def read(token: str, visible_bytes: bool) -> str:
    """A token as text, glyphs aside.

    Example:
        >>> read("Ġæľ", True), read("Ġcat", True), read("Ġ", False)
        ('<20 e6 9c>', ' cat', 'Ġ')
    """
    return show(bytes_of(token.encode())) if visible_bytes else token


def readable(token: str, visible_bytes: bool) -> str:
    r"""A token as it is drawn, with glyphs for what cannot be seen.

    Example:
        >>> readable("Ġcat", True), readable("▁猫\u3000", False)
        ('␠cat', '▁猫<IDSP>')
    """
    return glyphs.visible(read(token, visible_bytes))


def read_tokens(explained: Explanation) -> list[str]:
    """The tokens of an explanation as text, glyphs aside."""
    added = {span for _, span in explained.special_tokens}
    put_in = {*explained.post_process.added}
    return [
        read(token, explained.visible_bytes and span not in added and at not in put_in)
        for at, (token, span) in enumerate(
            zip(explained.tokens, explained.covering_spans, strict=True)
        )
    ]


def bytes_of(visible: bytes) -> bytes:
    """The bytes that a string of visible characters stands for; another string is its own."""
    characters = visible.decode()
    if all(character in BYTE_OF for character in characters):
        return bytes(BYTE_OF[character] for character in characters)
    return visible
