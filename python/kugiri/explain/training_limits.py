"""How large a training may be for each of its steps to be shown.

Rule.    The different words together, the merges, and the symbols of the words behind each merge,
         all merges together, are bounded, as are the pieces that Unigram begins with; what has more
         is refused while it is made. So is, where somebody waits for it (`within`), what takes too
         long.
Cost.    One look at each word a merge.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice
from time import monotonic
from typing import TypeVar

from kugiri.errors import OptionError
from kugiri.reference.train.bpe import TrainStep
from kugiri.reference.train.unigram import Round
from kugiri.training.word_counts import WordCounts

_Step = TypeVar("_Step", TrainStep, Round)

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


_END: ContextVar[tuple[float, float] | None] = ContextVar("_END", default=None)
"""How many seconds a training may take, and when they are over."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Refuse trainings that take longer, between two of their steps."""
    token = _END.set((seconds, monotonic() + seconds))
    try:
        yield
    finally:
        _END.reset(token)


def _in_time(steps: Iterable[_Step]) -> Iterator[_Step]:
    """The steps, as long as there is time.

    Raises:
        OptionError: it is over.
    """
    end = _END.get()
    for number, step in enumerate(steps, 1):
        if end is not None and monotonic() > end[1]:
            raise OptionError(
                f"this training takes more than {end[0]:g} seconds, which were over at step "
                f"{number:,}; take less text, ask for fewer merges, or train with kugiri.train"
            )
        yield step


def few_enough(steps: Iterator[TrainStep]) -> list[TrainStep]:
    """The steps, if they are not too many, nor too much together.

    Raises:
        OptionError: they are.
    """
    first: list[TrainStep] = []
    symbols = 0
    for step in _in_time(islice(steps, MOST_STEPS + 1)):
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
    rounds = _in_time(rounds)
    first = next(rounds)
    if len(first.expected) > MOST_SEEDS:
        raise OptionError(
            f"this training begins with {len(first.expected):,} pieces, and at most {MOST_SEEDS:,} "
            f"can be shown; take less text, or a smaller seed_sentencepiece_size"
        )
    return [first, *rounds]
