"""Texts within a limit of tokens: where a beginning ends, and where parts do.

Rule.    A text alone can be cut into other tokens than within a longer one, so each beginning is
         counted again. It ends where a token of the longer one begins, and never inside a
         character: at the last such place, among those that its first tokens lead to, up to which
         the text alone is within the limit; where there is none, behind the first character, if
         that is. The longer one is a window: the first so many characters, or twice as many while
         all of them fit; so nobody looks at what lies far behind.
         Parts are beginnings of what is left. With an overlap, a part begins where the last tokens
         of the one before do, unless that is no progress.
Cost.    Many encodings of a window for each part, on purpose. The core encodes each stretch once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import TypeAlias

from kugiri.encoding import Span

Starts: TypeAlias = Callable[[str], list[int]]
"""For each token of a text the first character that it touches."""

_CHARACTERS_A_TOKEN = 8
_LEAST = 64


def window(max_tokens: int) -> int:
    """How many characters the first window has."""
    return max(_LEAST, max_tokens * _CHARACTERS_A_TOKEN)


def beginning(starts: Starts, text: str, max_tokens: int, reach: int | None = None) -> int:
    """Where the beginning of a text that its first tokens cover ends; `reach` is the window's.

    Example:
        >>> letters = lambda text: list(range(len(text)))  # every character is a token
        >>> beginning(letters, "lower", 3)
        3
    """
    reach = window(max_tokens) if reach is None else max(_LEAST, reach)
    while reach < len(text) and len(starts(text[:reach])) <= max_tokens:
        reach *= 2
    text = text[:reach]
    begun = _ascending(starts(text))
    if len(begun) <= max_tokens:
        return len(text)
    # A token that ends inside a character is followed by one that begins in it: cut before both.
    ends = sorted({1, *begun[: max_tokens + 1]} - {0}, reverse=True)
    return next((end for end in ends if len(starts(text[:end])) <= max_tokens), 0)


def parts(starts: Starts, text: str, max_tokens: int, overlap: int = 0) -> Iterator[Span]:
    """The parts of a text; it ends early at a character that has no room.

    Example:
        >>> letters = lambda text: list(range(len(text)))
        >>> list(parts(letters, "lower", 3, overlap=1))
        [(0, 3), (2, 5)]
    """
    start = done = 0
    reach = None
    while done < len(text):
        length = beginning(starts, text[start:], max_tokens, reach)
        if not length:
            return
        end, reach = start + length, length + length // 2
        if end <= done:
            start = done  # the overlap left no room for anything new
            continue
        yield start, end
        begun = [*_ascending(starts(text[start:end])), length]
        back = start + begun[max(0, len(begun) - 1 - overlap)]
        # An overlap that reached back to the beginning would never end.
        start, done = (back if start < back else end), end


def _ascending(starts: list[int]) -> list[int]:
    """Where a normalizer has changed the order, the farthest character so far counts."""
    return list(accumulate(starts, max))
