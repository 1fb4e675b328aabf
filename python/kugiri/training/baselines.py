"""Vocabularies of words and of characters, out of much text.

Rule.    The trainers of the readable engine (reference/train/word_level.py), given less: of words
         only those that can be among the most frequent, and of a text only its characters, each a
         word with its count. The result is the same.
Cost.    A look at each count; for characters, at each character of the different words.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kugiri.reference.train.word_level import train_char_level, train_word_level
from kugiri.training.character_counts import count_characters
from kugiri.training.word_counts import WordCounts


def train_words(
    counts: WordCounts, vocab_size: int | None = None, special_tokens: Sequence[str] = ()
) -> list[bytes]:
    """As `train_word_level`, with the same result."""
    return train_word_level(_most_frequent(counts, vocab_size), vocab_size, special_tokens)


def train_characters(
    counts: WordCounts, vocab_size: int | None = None, special_tokens: Sequence[str] = ()
) -> list[bytes]:
    """As `train_char_level`, with the same result."""
    characters = {each.encode(): count for each, count in count_characters(counts).items()}
    return train_char_level(characters, vocab_size, special_tokens)


def short_of(units: str, size: int, asked: int | None) -> list[str]:
    """What to know where a text has fewer words or characters than were asked for."""
    if asked is None or size >= asked:
        return []
    return [
        f"vocab_size={asked} was not reached: there are no more {units}; the largest "
        f"vocabulary possible here is {size}"
    ]


def _most_frequent(counts: WordCounts, number: int | None) -> dict[bytes, int]:
    """The `number` most frequent words, and those that are as frequent as the last of them.

    Special tokens take places, and a word may be spelled as one; so the others are enough.
    """
    if number is None or number >= len(counts):
        return dict(counts.items())
    least = np.partition(counts.counts, -number)[-number]
    rows = np.flatnonzero(counts.counts >= least).tolist()
    return {counts.words[row]: int(counts.counts[row]) for row in rows}
