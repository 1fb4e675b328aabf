"""Texts within a limit of tokens: cutting at the end, and cutting into parts.

Rule.    A text is cut into other tokens than within a longer one, so each part is encoded again
         before it is handed out. It ends where a token of a longer one begins, and never inside a
         character; where it is more than the limit alone, it ends earlier.
Cost.    The whole is encoded once; it tells how far each part may reach. What a part may reach to
         is encoded again, and then the part, rarely more than once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kugiri.encoding import Chunk
from kugiri.errors import EncodingError, OptionError, shown
from kugiri.inputs import as_whole

if TYPE_CHECKING:
    from kugiri.tokenizer import Tokenizer

_CHARACTERS_A_TOKEN = 8
"""The first guess of how far a number of tokens reaches; doubled while it is too short."""

_WINDOW = 2
"""A part is looked for within this many times its tokens, as the whole is cut."""


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
    starts = tokenizer._token_starts(window)
    if len(starts) <= max_tokens:
        return window
    # A token that ends inside a character is followed by one that starts in it: cut before both.
    ends = sorted({1, *starts[: max_tokens + 1].tolist()} - {0})
    return window[: _last_that_fits(tokenizer, window, ends, max_tokens) or 0]


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
    starts = np.append(tokenizer._token_starts(text), len(text))
    parts: list[Chunk] = []
    start = done = 0
    while done < len(text):
        first = int(np.searchsorted(starts, start))
        window = text[start : starts[min(first + _WINDOW * max_tokens, len(starts) - 1)]]
        part = truncate(tokenizer, window or text[start], max_tokens)
        if not part:
            raise EncodingError(
                f"the character {text[start]!r} at {start} is {tokenizer.count(text[start])} "
                f"tokens; max_tokens={max_tokens} has no room for it"
            )
        end = start + len(part)
        if end <= done:
            start = done  # the overlap left no room for anything new
            continue
        parts.append(Chunk(part, (start, end), tokenizer.encode_array(part)))
        back = int(starts[max(0, int(np.searchsorted(starts, end)) - overlap)])
        # An overlap that reached back to the beginning would never end.
        start, done = (back if start < back < end else end), end
    return parts


def _last_that_fits(
    tokenizer: Tokenizer, text: str, ends: list[int], max_tokens: int
) -> int | None:
    """Where a beginning within the limit ends, if there is one; the next of `ends` is beyond it.

    From the last one back in steps that double, then halfway between: one that fits is rarely far
    away, and takes few steps where it is.
    """

    def fits(place: int) -> bool:
        return tokenizer.count(text[: ends[place]]) <= max_tokens

    good, bad, step = len(ends) - 1, len(ends), 1
    while not fits(good):
        if good == 0:
            return None
        bad, good, step = good, max(0, good - step), 2 * step
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if fits(middle) else (good, middle)
    return ends[good]
