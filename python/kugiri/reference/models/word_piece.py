"""WordPiece: from left to right, the longest token that fits.

Rule.    At the beginning of a word take the longest token that it begins with; go on behind it,
         where a token must carry the continuing prefix (`##`). Where no token fits, or where the
         word has more characters than a word may have, the whole word is one unknown token.
Cost.    O(n²) look-ups for a word of n characters, on purpose: every end is tried. The core walks a
         trie with failure links, in linear time.
Source.  tokenizers 0.23.3; Schuster and Nakajima 2012, as BERT has it.
"""

from __future__ import annotations

from collections.abc import Iterator

from kugiri import spec
from kugiri.encoding import Token
from kugiri.reference.alignment import Aligned
from kugiri.reference.vocab import Vocabulary


class WordPiece:
    """A WordPiece model ready to encode."""

    def __init__(self, model: spec.WordPiece, vocabulary: Vocabulary) -> None:
        """Keep the look-up."""
        self._model = model
        self._vocabulary = vocabulary

    def encode(self, word: Aligned) -> list[Token]:
        """Cut a pre-token into tokens; one that no id stands for has the id None."""
        if len(word) <= self._model.max_input_chars_per_word:
            tokens = list(self.longest_matches(word))
            if None not in tokens:
                return [token for token in tokens if token is not None]
        return [Token(self._vocabulary.unknown_id, word.text.encode(), *word.span)]

    def longest_matches(self, word: Aligned) -> Iterator[Token | None]:
        """Yield each token as it is found; None where no token fits, and then no more."""
        start = 0
        while start < len(word):
            prefix = self._model.continuing_subword_prefix if start > 0 else ""
            for end in range(len(word), start, -1):
                string = (prefix + word.text[start:end]).encode()
                if (id := self._vocabulary.word_id(string)) is not None:
                    yield Token(id, string, *word[start:end].span)
                    start = end
                    break
            else:
                yield None
                return
