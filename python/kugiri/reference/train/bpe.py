"""Training BPE: merge the most frequent adjacent pair, again and again.

Rule.    Count all adjacent pairs in all words, overlaps included (aaa holds the pair a a twice),
         each as often as its word occurs. Merge the pair with the highest count everywhere, left
         to right; that is one merge, and the next round counts anew. Stop when the vocabulary is
         full, no pair is left, or none occurs min_frequency times. Equal counts are settled by a
         tie rule, see `_choose`. WordPiece (word_piece.py) goes the same way.
         The words are at all times what encoding with the merges so far makes of them.
Cost.    O(corpus) a merge: everything is counted anew each time, on purpose. The core keeps the
         positions of every pair and touches only the words that change.
Source.  Sennrich et al. 2016. Tie rules: textbooks count in a dictionary and so take the pair seen
         first, tokenizers 0.23.3 the lowest ids, programs with `max` over (count, pair) the
         greatest pair, SentencePiece 0.2.3 the shortest join.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, pairwise
from typing import TypeAlias

from kugiri.reference.models.bpe import Pair
from kugiri.reference.train.bpe_start import Options, Start, Word, start

Worth: TypeAlias = Callable[[Counter[Pair], list[Word]], Mapping[Pair, int | Fraction]]

RIVALS = 4
"""How many of the next pairs a step shows."""


@dataclass(frozen=True)
class TrainStep:
    """One merge of a training run.

    Attributes:
        left, right: the pair.
        join: what they become.
        result: its id.
        count: how often the pair stood in the corpus.
        applied: how many tokens fewer the corpus has after it.
        rivals: the pairs that would have been next, with their counts.
        words: the words after it.
    """

    left: bytes
    right: bytes
    join: bytes
    result: int
    count: int
    applied: int
    rivals: list[tuple[Pair, int]]
    words: list[Word]


def train_steps(counts: Mapping[bytes, int], options: Options) -> Iterator[TrainStep]:
    """Yield each merge until the vocabulary is full or nothing is left to merge.

    Raises:
        TrainingError: there is nothing to train from.
        VocabularyError: the alphabet alone is larger than the vocabulary.

    Example:
        >>> words = {b"low": 5, b"lower": 2, b"newest": 6, b"widest": 3}
        >>> options = Options(unit="char", end_of_word="_", tie="first-seen", num_merges=3)
        >>> for step in train_steps(words, options):
        ...     print(step.count, step.left + step.right, b" ".join(step.words[2].symbols))
        9 b'es' b'n e w es t _'
        9 b'est' b'n e w est _'
        9 b'est_' b'n e w est_'
    """
    yield from merge_steps(start(counts, options), options, by_count)


def merge_steps(state: Start, options: Options, worth: Worth) -> Iterator[TrainStep]:
    """Yield each merge; `worth` says of all pairs, with their counts, what decides between them."""
    alphabet, words, _ = state
    ids = {symbol: id for id, symbol in enumerate(alphabet)}
    units = dict.fromkeys(alphabet, 1)  # symbol → how many units it is made of
    merges = 0
    while options.has_room(len(ids), merges):
        candidates = _candidates(words, units, options)
        ranking = _ranking(worth(candidates, words), ids, units, options)
        best = list(islice(ranking, 1 + RIVALS))
        if not best or candidates[best[0]] < options.min_frequency:
            return
        (left, right), *others = best
        rivals = [(pair, candidates[pair]) for pair in others]

        join = options.join(left, right)
        assert join not in ids, "one string has one merge tree (docs/algorithms/bpe.md)"
        ids[join] = len(ids)
        units[join] = units[left] + units[right]
        merges += 1
        merged = [_apply(word, left, right, join) for word in words]
        applied = _tokens(words) - _tokens(merged)
        words = merged
        count = candidates[left, right]
        yield TrainStep(left, right, join, ids[join], count, applied, rivals, words)


def by_count(counts: Counter[Pair], words: list[Word]) -> Mapping[Pair, int]:
    """The most frequent pair first."""
    return counts


def _candidates(words: list[Word], units: dict[bytes, int], options: Options) -> Counter[Pair]:
    """Count the pairs that may be merged, in the order of their first occurrence."""
    counts: Counter[Pair] = Counter()
    for word in words:
        for pair in pairwise(word.symbols):
            counts[pair] += word.count
    for left, right in list(counts):
        if not options.allows(left, right, units[left] + units[right]):
            del counts[left, right]
    return counts


def _ranking(
    worth: Mapping[Pair, int | Fraction],
    ids: dict[bytes, int],
    units: dict[bytes, int],
    options: Options,
) -> Iterator[Pair]:
    """Yield the pairs from the one to be merged first down."""
    rest = dict(worth)
    while rest:
        highest = max(rest.values())
        pair = _choose([pair for pair in rest if rest[pair] == highest], ids, units, options)
        yield pair
        del rest[pair]


def _choose(
    tied: list[Pair], ids: dict[bytes, int], units: dict[bytes, int], options: Options
) -> Pair:
    """Choose one of the pairs of equal worth; they come in the order of first occurrence."""

    def by_ids(pair: Pair) -> tuple[int, int]:
        return ids[pair[0]], ids[pair[1]]

    if options.tie == "first-seen":
        return tied[0]
    if options.tie == "lowest-ids":
        return min(tied, key=by_ids)
    if options.tie == "greatest-pair":
        return max(tied)
    # "sentencepiece": fewest units, then the smallest join; two pairs may have one join.
    return min(tied, key=lambda p: (units[p[0]] + units[p[1]], options.join(*p), by_ids(p)))


def _apply(word: Word, left: bytes, right: bytes, join: bytes) -> Word:
    """Merge a pair in a word, from left to right; no symbol is taken twice: a a a is aa a then."""
    merged: list[bytes] = []
    for symbol in word.symbols:
        # A join is longer than both parts, so it is never mistaken for `left` of the next one.
        if symbol == right and merged and merged[-1] == left:
            merged[-1] = join
        else:
            merged.append(symbol)
    return Word(tuple(merged), word.count)


def _tokens(words: list[Word]) -> int:
    return sum(len(word.symbols) * word.count for word in words)
