"""Words or characters as they are: the two baselines that subwords are measured against.

Rule.    A pre-token (word level) or each of its characters (character level) is a token of the
         vocabulary, or unknown. SentencePiece's word model has no pre-tokens: it begins a word at
         each ▁ itself, so that unknown words in a row are one token. Its character model takes
         user-defined symbols for characters.
Cost.    One lookup a word or character.
Source.  WordLevel of tokenizers 0.23.3; the word and char models of sentencepiece 0.2.3; the
         character level without piece types is ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kugiri import spec
from kugiri.encoding import Token
from kugiri.reference.alignment import Aligned
from kugiri.reference.models.unknown import Cut, settle_unknown
from kugiri.reference.vocab import Vocabulary


class WordLevel:
    """A pre-token is a token or unknown."""

    def __init__(self, model: spec.WordLevel | spec.CharLevel, vocabulary: Vocabulary) -> None:
        """Keep the lookup and the id of what is unknown."""
        self._is_sentencepiece = model.piece_types is not None
        self._vocabulary = vocabulary
        self._unknown_id = vocabulary.unknown_id

    def encode(self, word: Aligned) -> list[Token]:
        """Look a pre-token up; one that no id stands for has the id None."""
        cuts = []
        at = 0
        for stretch in self.stretches(word.text):
            id = self._vocabulary.word_id(stretch.encode())
            cuts.append(Cut(id, at, at + len(stretch)))
            at += len(stretch)
        if self._is_sentencepiece:
            return settle_unknown(word, cuts, self._vocabulary)
        return [self._token(word[cut.start : cut.end], cut.id) for cut in cuts]

    def stretches(self, text: str) -> Iterator[str]:
        """What is looked up."""
        yield from re.findall("▁[^▁]*|[^▁]+", text) if self._is_sentencepiece else [text]

    def _token(self, stretch: Aligned, id: int | None) -> Token:
        return Token(self._unknown_id if id is None else id, stretch.text.encode(), *stretch.span)


class CharLevel(WordLevel):
    """A character is a token or unknown."""

    def stretches(self, text: str) -> Iterator[str]:
        """What is looked up."""
        at = 0
        while at < len(text):
            stretch = self._vocabulary.user_defined.longest(text, at) or text[at]
            yield stretch
            at += len(stretch)
