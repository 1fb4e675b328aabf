"""Vocabularies of whole words and of single characters, the baselines.

Rule.    The most frequent words, as many as fit; among equal counts the one first in byte order.
         Characters likewise, and those that fit are then numbered by code point. Special tokens
         count towards the size and come last.
Cost.    A sort.
Source.  WordLevelTrainer of tokenizers 0.23.3 has the same order of words, special tokens first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from kugiri.errors import TrainingError, VocabularyError


def train_word_level(
    words: Mapping[bytes, int], vocab_size: int | None = None, special_tokens: Sequence[str] = ()
) -> list[bytes]:
    """Return the tokens in order of id.

    Raises:
        TrainingError: there is nothing to train from.
        VocabularyError: the special tokens alone fill the vocabulary.

    Example:
        >>> train_word_level({b"a": 1, b"c": 2, b"b": 2}, 3, ["<unk>"])
        [b'b', b'c', b'<unk>']
    """
    specials = [token.encode() for token in special_tokens]
    return _most_frequent(words, vocab_size, specials) + specials


def train_char_level(
    words: Mapping[bytes, int], vocab_size: int | None = None, special_tokens: Sequence[str] = ()
) -> list[bytes]:
    """Return the tokens in order of id.

    Raises:
        TrainingError: there is nothing to train from.
        VocabularyError: the special tokens alone fill the vocabulary.

    Example:
        >>> train_char_level({b"low": 5, b"new": 1}, 4, ["<unk>"])
        [b'l', b'o', b'w', b'<unk>']
    """
    specials = [token.encode() for token in special_tokens]
    counts: Counter[bytes] = Counter()
    for word, count in words.items():
        for character in word.decode():
            counts[character.encode()] += count
    # UTF-8 sorts by byte as its characters sort by code point.
    return sorted(_most_frequent(counts, vocab_size, specials)) + specials


def _most_frequent(
    counts: Mapping[bytes, int], vocab_size: int | None, specials: list[bytes]
) -> list[bytes]:
    # A string has one id: a word that is spelled like a special token is unknown as a word.
    tokens = [token for token in counts if token not in specials]
    if not tokens:
        raise TrainingError("the corpus has no words; give at least one text that is not empty")
    room = len(tokens) if vocab_size is None else vocab_size - len(specials)
    if room < 1:
        raise VocabularyError(
            f"vocab_size={vocab_size} leaves no room beside {len(specials)} special tokens; "
            f"use at least {len(specials) + 1}"
        )
    return sorted(tokens, key=lambda token: (-counts[token], token))[:room]
