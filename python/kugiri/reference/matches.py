"""The matches of a regex, one after another.

Rule.    From left to right; behind an empty one the search goes on a character later. An empty
         match directly behind another is none. (`finditer` would look for one that is not empty at
         the same place.)
Cost.    That of the regex library.
Source.  Oniguruma and the Rust `regex` crate.
"""

from __future__ import annotations

from collections.abc import Iterator

import regex

from kugiri.encoding import Span


def matches(pattern: regex.Pattern[str], text: str) -> Iterator[Span]:
    """Find them.

    Example:
        >>> list(matches(regex.compile("a*"), "baa"))
        [(0, 0), (1, 3)]
    """
    at = 0
    last_end = None
    while at <= len(text) and (found := pattern.search(text, at)):
        start, end = found.span()
        if start < end or end != last_end:
            yield start, end
            last_end = end
        at = end + (start == end)
