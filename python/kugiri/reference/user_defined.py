"""User-defined symbols of a .model: strings that are taken as they stand, before anything else.

Rule.    At a place in the text the longest symbol that fits counts.
Cost.    One look-up for each length that a symbol has; the core keeps a trie.
Source.  sentencepiece 0.2.3, which looks at no more than 64 symbols at one place, each the
         beginning of the next.
"""

from __future__ import annotations

from collections.abc import Iterable

MAX_SYMBOLS_AT_ONE_PLACE = 64


class UserDefined:
    """The user-defined symbols of a model."""

    def __init__(self, symbols: Iterable[str] = ()) -> None:
        """Keep the symbols by their lengths."""
        self._symbols = frozenset(symbols)
        self._lengths = sorted({len(symbol) for symbol in self._symbols})

    def __contains__(self, text: str) -> bool:
        """Whether a text is a symbol."""
        return text in self._symbols

    def longest(self, text: str, at: int) -> str:
        """The symbol that stands at a place of a text; "" for none.

        Example:
            >>> UserDefined(["<a>", "<a>b"]).longest("x<a>bc", 1)
            '<a>b'
        """
        candidates = (text[at : at + length] for length in self._lengths)
        fitting = [candidate for candidate in candidates if candidate in self._symbols]
        # Near the end of the text several lengths give the same candidate.
        distinct = list(dict.fromkeys(fitting))[:MAX_SYMBOLS_AT_ONE_PLACE]
        return distinct[-1] if distinct else ""
