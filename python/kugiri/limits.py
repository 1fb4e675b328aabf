"""Texts within a limit of tokens: cutting at the end, and cutting into parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kugiri.encoding import Chunk
from kugiri.errors import EncodingError, OptionError, shown
from kugiri.inputs import as_whole

if TYPE_CHECKING:
    from kugiri.tokenizer import Tokenizer

_CHARACTERS_A_TOKEN = 8
"""The first guess of how far a number of tokens reaches; doubled while it is too short."""


def truncate(tokenizer: Tokenizer, text: str, max_tokens: int) -> str:
    """The beginning of a text that its first tokens cover, never inside a character.

    A beginning can be cut differently from the whole text; it is shortened until it really is at
    most `max_tokens` tokens.

    Raises:
        OptionError: the limit is no whole number from 0.
    """
    max_tokens = as_whole("max_tokens", max_tokens)
    reach = max(64, max_tokens * _CHARACTERS_A_TOKEN)
    while reach < len(text) and tokenizer.count(text[:reach]) <= max_tokens:
        reach *= 2
    window = text[:reach]
    encoding = tokenizer.encode_with_offsets(window)
    if len(encoding) <= max_tokens:
        return window
    # A token that ends inside a character is followed by one that starts in it: cut before both.
    following = [start for start, _ in encoding.covering_spans[: max_tokens + 1]]
    for end in reversed([0, *following]):
        if tokenizer.count(window[:end]) <= max_tokens:
            return window[:end]
    return ""


def chunks(tokenizer: Tokenizer, text: str, max_tokens: int, overlap: int = 0) -> list[Chunk]:
    """Parts of a text, each at most `max_tokens` tokens, together all of it.

    Args:
        tokenizer: whose tokens are counted.
        text: the whole.
        max_tokens: the limit of each part.
        overlap: each part starts about this many tokens before the end of the one before.

    Raises:
        OptionError: a number is none, or `overlap` is not less than `max_tokens`.
        EncodingError: one character alone is more than `max_tokens` tokens.
    """
    max_tokens = as_whole("max_tokens", max_tokens, 1)
    overlap = as_whole("overlap", overlap)
    if overlap >= max_tokens:
        raise OptionError(
            f"overlap is {shown(overlap)}; it must be less than max_tokens, {shown(max_tokens)}"
        )
    parts: list[Chunk] = []
    start = 0
    while start < len(text):
        reach = max(64, max_tokens * _CHARACTERS_A_TOKEN)
        part = truncate(tokenizer, text[start : start + reach], max_tokens)
        while len(part) == reach:
            reach *= 2
            part = truncate(tokenizer, text[start : start + reach], max_tokens)
        if not part:
            raise EncodingError(
                f"the character {text[start]!r} at {start} is {tokenizer.count(text[start])} "
                f"tokens; max_tokens={max_tokens} has no room for it"
            )
        end = start + len(part)
        if parts and end <= (done := parts[-1].span[1]):
            start = done  # the overlap left no room for anything new
            continue
        encoding = tokenizer.encode_with_offsets(part)
        parts.append(Chunk(part, (start, end), encoding.ids))
        spans = encoding.covering_spans
        back = spans[-overlap][0] if 0 < overlap < len(spans) else 0
        # An overlap that reached back to the beginning would never end.
        start = start + back if back and end < len(text) else end
    return parts
