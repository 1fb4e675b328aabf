"""How large a training may be for each of its steps to be shown.

Rule.    The different words together, the merges, and the symbols of the words behind each merge,
         all merges together, are bounded, as are the pieces that Unigram begins with; what has more
         is refused while it is made.
Cost.    One look at each word a merge.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from kugiri.errors import OptionError
from kugiri.reference.train.bpe import TrainStep
from kugiri.reference.train.unigram import Round
from kugiri.training.word_counts import WordCounts

LARGEST = 20_000
"""Bytes of all different words together; what is larger is for `kugiri.train`."""
MOST_STEPS = 1_000
"""Merges; of each all words are kept as they are then."""
MOST_SEEDS = 10_000
"""Pieces that Unigram begins with; of each is told why it went."""
MOST_SYMBOLS = 5_000_000
"""Symbols of the words behind each merge, all merges together; some ten seconds."""


def check_size(words: WordCounts) -> None:
    """Refuse more than LARGEST bytes of words.

    Raises:
        OptionError: there are more.
    """
    size = sum(len(word) for word in words)
    if size > LARGEST:
        raise OptionError(
            f"the different words of this corpus have {size:,} bytes, too many to show each step; "
            f"take a part of it, up to {LARGEST:,} bytes, or train with kugiri.train"
        )


def few_enough(steps: Iterator[TrainStep]) -> list[TrainStep]:
    """The steps, if they are not too many, nor too much together.

    Raises:
        OptionError: they are.
    """
    first: list[TrainStep] = []
    symbols = 0
    for step in islice(steps, MOST_STEPS + 1):
        first.append(step)
        symbols += sum(len(word.symbols) for word in step.words)
        if symbols > MOST_SYMBOLS:
            raise OptionError(
                f"the first {len(first):,} merges of this training have more than "
                f"{MOST_SYMBOLS:,} symbols in the words behind each, too many to show; ask for "
                f"fewer merges than {len(first):,}, or take less text"
            )
    if len(first) > MOST_STEPS:
        raise OptionError(
            f"this training has more than {MOST_STEPS:,} merges, too many to show each; ask for a "
            f"smaller vocab_size, or num_merges up to {MOST_STEPS:,}"
        )
    return first


def few_seeds(rounds: Iterator[Round]) -> list[Round]:
    """The rounds, if they begin with few pieces.

    Raises:
        OptionError: they begin with too many.
    """
    first = next(rounds)
    if len(first.expected) > MOST_SEEDS:
        raise OptionError(
            f"this training begins with {len(first.expected):,} pieces, and at most {MOST_SEEDS:,} "
            f"can be shown; take less text, or a smaller seed_sentencepiece_size"
        )
    return [first, *rounds]
