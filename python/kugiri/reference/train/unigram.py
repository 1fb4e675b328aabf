"""Training Unigram: begin with far too many pieces, and drop what the corpus misses least.

Rule.    The pieces are all characters of the alphabet and the seeds (seed_pieces.py); the first
         score of each is the log of its share of all counts · lengths. Then in rounds: estimate the
         scores anew, num_sub_iterations times (expectation.py), and drop pieces until the share
         shrinking_factor is left (pruning.py). When no more than 1.1 times the vocabulary is left,
         drop the rest at once, and estimate a last time.
Cost.    Every round goes through the lattices of the whole corpus, on purpose. The core cuts words
         where no piece goes across, and has less to do each time.
Source.  Kudo 2018; the options are those of sentencepiece 0.2.3. What differs from it is in
         docs/algorithms/unigram.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from kugiri.errors import TrainingError, VocabularyError
from kugiri.reference.models.lattice import single
from kugiri.reference.train.expectation import expect, maximize
from kugiri.reference.train.pruning import prune
from kugiri.reference.train.seed_pieces import runs, seed_pieces
from kugiri.reference.train.valid_pieces import PieceRules

MARGIN = 1.1
"""The rounds prune to this much more than was asked for; the last cut takes the rest."""


@dataclass(frozen=True, kw_only=True)
class UnigramOptions:
    """The options of a training run.

    Attributes:
        vocab_size: how many pieces are wanted, without meta pieces.
        alphabet: the characters that are pieces in any case; all others are unknown.
        given_pieces: how many meta pieces the caller adds; errors speak of the size with them.
        hard_vocab_limit: fewer pieces are an error, and pieces of little use are kept where they
            are needed.
        rules: what may be a piece.
        seed_sentencepiece_size: the most seeds.
        shrinking_factor: the share of the pieces that a round keeps.
        num_sub_iterations: how often a round estimates the scores.
    """

    vocab_size: int
    alphabet: str
    given_pieces: int = 0
    hard_vocab_limit: bool = True
    rules: PieceRules = field(default_factory=PieceRules)
    seed_sentencepiece_size: int = 1_000_000
    shrinking_factor: float = 0.75
    num_sub_iterations: int = 2


@dataclass(frozen=True)
class Round:
    """One estimate of a training run.

    Attributes:
        scores: the pieces that are left after it, with their new scores.
        objective: the mean of −log probability of a word before it, in nats.
        tokens: the expected number of tokens of the corpus.
        expected: the expected count of each piece; of those that were dropped and may come back, if
            there are too few others, it is nothing.
        pruned: the pieces that were dropped just before it, with their losses; None for one that
            was of no use.
    """

    scores: dict[str, float]
    objective: float
    tokens: float
    expected: dict[str, float]
    pruned: dict[str, float | None]

    @property
    def tokens_per_piece(self) -> float:
        """How often a piece is used, in the mean."""
        return self.tokens / len(self.scores)

    def pieces(self) -> list[tuple[str, float]]:
        """The pieces with scores of 32 bits, the highest first, among equals by their bytes."""
        rounded = [(piece, single(score)) for piece, score in self.scores.items()]
        return sorted(rounded, key=lambda entry: (-entry[1], entry[0]))


def train_rounds(counts: Mapping[bytes, int], options: UnigramOptions) -> Iterator[Round]:
    """Yield every estimate; the pieces of the last are the result.

    Raises:
        TrainingError: there is nothing to train from.
        VocabularyError: there are more characters, or fewer seeds, than pieces wanted.

    Example:
        >>> words = {b"hug": 10, b"pug": 5, b"hugs": 5, b"bun": 4}
        >>> for round in train_rounds(words, UnigramOptions(vocab_size=9, alphabet="bghnpsu")):
        ...     print(f"{len(round.scores)} {round.objective:.3f} {round.tokens:.1f}")
        12 2.244 25.4
        11 1.569 24.1
        11 1.519 24.1
        11 1.519 24.1
        9 4.747 37.0
        9 2.681 37.0
        >>> [piece for piece, _ in round.pieces()]
        ['hug', 's', 'pug', 'u', 'b', 'n', 'g', 'h', 'p']
    """
    corpus = runs(counts, options.alphabet)
    scores = _start(corpus, options)
    words = sum(counts.values())
    pieces = list(scores)
    nearly = int(options.vocab_size * MARGIN)
    least = options.vocab_size if options.hard_vocab_limit else 0
    dropped: dict[str, float | None] = {}

    def estimate() -> Iterator[Round]:
        nonlocal scores, dropped
        for _ in range(options.num_sub_iterations):
            expected = expect(corpus, scores)
            everything = {piece: expected.counts.get(piece, 0.0) for piece in pieces}
            scores = maximize(everything, least)
            objective = -expected.log_likelihood / words
            tokens = sum(expected.counts.values())
            yield Round(scores, objective, tokens, everything, dropped)
            dropped = {}

    def keep(size: int) -> None:
        nonlocal scores, pieces, dropped
        pruned = prune(corpus, scores, pieces, size, least)
        kept = set(pruned.kept)
        dropped = {
            piece: loss
            for piece, loss in pruned.losses.items()
            if piece in scores and piece not in kept
        }
        pieces = pruned.kept
        scores = {piece: scores[piece] for piece in pieces if piece in scores}

    yield from estimate()
    while len(scores) > nearly:
        shrunk = int(len(pieces) * options.shrinking_factor)
        keep(min(max(shrunk, nearly), len(pieces) - 1))
        yield from estimate()
    if len(pieces) > options.vocab_size:
        keep(options.vocab_size)
        yield from estimate()


def _start(runs: Mapping[str, int], options: UnigramOptions) -> dict[str, float]:
    """The first pieces with their scores: characters by code point, then the seeds."""
    characters = sorted(set(options.alphabet))
    _check_smallest(len(characters), options)
    if not runs:
        raise TrainingError(
            f"there is nothing to train from: no word has any of the {len(characters)} characters "
            f"of the alphabet; give more text"
        )
    counts = dict.fromkeys(characters, 0)
    for run, count in runs.items():
        for character in run:
            counts[character] += count
    counts |= seed_pieces(runs, options.rules, options.seed_sentencepiece_size)
    _check_largest(len(counts), options)
    total = sum(counts.values())
    return {
        piece: math.log(count / total) if count else -math.inf for piece, count in counts.items()
    }


def _check_smallest(characters: int, options: UnigramOptions) -> None:
    asked, smallest = (size + options.given_pieces for size in (options.vocab_size, characters))
    if asked < smallest:
        raise VocabularyError(
            f"vocab_size={asked} is below the {smallest} that this corpus needs ({characters} "
            f"characters and {options.given_pieces} given pieces); use vocab_size={smallest} or "
            f"more, or a lower character_coverage"
        )


def _check_largest(seeds: int, options: UnigramOptions) -> None:
    asked, largest = (size + options.given_pieces for size in (options.vocab_size, seeds))
    if asked > largest and options.hard_vocab_limit:
        raise VocabularyError(
            f"vocab_size={asked} cannot be reached: this corpus gives {largest} pieces, given ones "
            f"included; use vocab_size={largest} or less, more text, or hard_vocab_limit=False"
        )
