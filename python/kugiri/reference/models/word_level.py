"""Words or characters as they are: the two baselines that subwords are measured against.

Rule.    A pre-token (word level) or each of its characters (character level) is a token of the
         vocabulary, or unknown.
Cost.    One lookup a word or character.
Source.  WordLevel of tokenizers 0.23.3; the character level is ours.
"""

from __future__ import annotations

from kugiri import spec
from kugiri.encoding import Token
from kugiri.reference.alignment import Aligned
from kugiri.reference.vocab import Vocabulary


class WordLevel:
    """A pre-token is a token or unknown."""

    def __init__(self, model: spec.WordLevel | spec.CharLevel, vocabulary: Vocabulary) -> None:
        """Keep the lookup and the id of what is unknown."""
        self._vocabulary = vocabulary
        self._unknown_id = vocabulary.id_of_named("unknown token", model.unk_token)

    def encode(self, word: Aligned) -> list[Token]:
        """Look a pre-token up; one that no id stands for has the id None."""
        return [self._look_up(word)]

    def _look_up(self, stretch: Aligned) -> Token:
        text = stretch.text.encode()
        id = self._vocabulary.word_id(text)
        return Token(self._unknown_id if id is None else id, text, *stretch.span)


class CharLevel(WordLevel):
    """A character is a token or unknown."""

    def encode(self, word: Aligned) -> list[Token]:
        """Look each character up."""
        return [self._look_up(word[i : i + 1]) for i in range(len(word))]
