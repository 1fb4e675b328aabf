"""WordPiece: from left to right, the longest token that fits.

Rule.    At the beginning of a word take the longest token that it begins with; go on behind it,
         where a token must carry the continuing prefix (`##`). Where no token fits, or where the
         word has more characters than a word may have, the whole word is one unknown token.
         With dropout, each token that fits and is longer than a character may be dropped, the short
         ones drawn first, and the longest that is left is taken. A word in which nothing is left
         somewhere is cut without dropout.
Cost.    O(n²) look-ups for a word of n characters, on purpose: every end is tried. The core walks a
         trie with failure links, in linear time; with dropout n times as far as a token is long.
Source.  tokenizers 0.23.3; Schuster and Nakajima 2012, as BERT has it. Dropout: Hiraoka 2022
         (MaxMatch-Dropout), where a word in which nothing is left is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from kugiri import spec
from kugiri.encoding import Token
from kugiri.reference.alignment import Aligned
from kugiri.reference.vocab import Vocabulary


class Search(NamedTuple):
    """One search for the longest token that fits.

    Attributes:
        start: the character of the word where it began.
        tried: what was looked up, the longest first.
        token: the last of these, if it is one.
    """

    start: int
    tried: list[bytes]
    token: Token | None


class WordPiece:
    """A WordPiece model ready to encode."""

    def __init__(self, model: spec.WordPiece, vocabulary: Vocabulary) -> None:
        """Keep the look-up."""
        self._model = model
        self._vocabulary = vocabulary

    def encode(self, word: Aligned, drops: Callable[[], bool] | None = None) -> list[Token]:
        """Cut a pre-token into tokens; one that no id stands for has the id None."""
        if not self.is_too_long(word):
            if drops is not None and (drawn := self._drawn(word, drops)):
                return drawn
            tokens = [search.token for search in self.searches(word)]
            if None not in tokens:
                return [token for token in tokens if token is not None]
        return [Token(self._vocabulary.unknown_id, word.text.encode(), *word.span)]

    def is_too_long(self, word: Aligned) -> bool:
        """Whether a word is unknown for its length alone."""
        return len(word) > self._model.max_input_chars_per_word

    def searches(self, word: Aligned) -> Iterator[Search]:
        """Yield each search for a longest match; the one that finds nothing is the last."""
        start = 0
        while start < len(word):
            search = self._search(word, start)
            yield search
            if search.token is None:
                return
            start += len(word) - start - len(search.tried) + 1

    def _search(self, word: Aligned, start: int) -> Search:
        tried: list[bytes] = []
        for end in range(len(word), start, -1):
            tried.append(self._string(word, start, end))
            if (id := self._vocabulary.word_id(tried[-1])) is not None:
                return Search(start, tried, Token(id, tried[-1], *word[start:end].span))
        return Search(start, tried, None)

    def _drawn(self, word: Aligned, drops: Callable[[], bool]) -> list[Token]:
        """The tokens of a word where some are dropped; none where nothing is left somewhere."""
        tokens: list[Token] = []
        start = 0
        while start < len(word):
            left = None
            for end in range(start + 1, len(word) + 1):
                string = self._string(word, start, end)
                id = self._vocabulary.word_id(string)
                if id is not None and (end == start + 1 or not drops()):
                    left = end, Token(id, string, *word[start:end].span)
            if left is None:
                return []
            start, token = left
            tokens.append(token)
        return tokens

    def _string(self, word: Aligned, start: int, end: int) -> bytes:
        """What stands in the vocabulary for a part of a word."""
        prefix = self._model.continuing_subword_prefix if start > 0 else ""
        return (prefix + word.text[start:end]).encode()
