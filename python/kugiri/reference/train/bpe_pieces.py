"""Training BPE as SentencePiece does: pieces for a vocabulary, not merges for a list.

Rule.    As in bpe.py the pair that occurs most often is merged everywhere, from left to right;
         overlaps count. Of equal counts the pair with the shorter join goes first, then the one
         whose join is smaller. What the join may be, valid_pieces.py says. No count is too small:
         when no pair is left that occurs, those follow that once stood somewhere, be it for the
         moment between two replacements in one word.
Cost.    O(corpus) a merge, as in bpe.py. The core keeps the places of every pair.
Source.  sentencepiece 0.2.3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from heapq import nsmallest
from itertools import groupby, pairwise

from kugiri.reference.train.bpe import RIVALS, TrainStep
from kugiri.reference.train.bpe_start import Word
from kugiri.reference.train.valid_pieces import PieceRules

Pair = tuple[str, str]


def merge_pieces(
    words: Mapping[str, int], alphabet: Collection[str], rules: PieceRules
) -> Iterator[tuple[str, int]]:
    """Yield pieces in the order in which they are merged, each with the count of its pair.

    Example:
        >>> words = {"pen": 1, "pineapple": 1, "apple": 1}
        >>> [piece for piece, _ in merge_pieces(words, set("penialo"), PieceRules())][:7]
        ['ap', 'le', 'app', 'apple', 'en', 'in', 'ine']
    """
    for step in merge_steps(runs_of(words, alphabet), rules):
        yield (step.left + step.right).decode(), step.count


def runs_of(words: Mapping[str, int], alphabet: Collection[str]) -> list[tuple[list[str], int]]:
    """The parts of the words that the alphabet can spell, as characters, with their counts."""
    return [
        (list(run), count)
        for word, count in words.items()
        for is_known, run in groupby(word, alphabet.__contains__)
        if is_known
    ]


def merge_steps(runs: list[tuple[list[str], int]], rules: PieceRules) -> Iterator[TrainStep]:
    """Merge in the runs, and yield each merge; the id of one is its number."""
    waiting = {pair for run, _ in runs for pair in pairwise(run) if rules.allow("".join(pair))}
    number = 0
    while waiting:
        counts: Counter[Pair] = Counter()
        for run, count in runs:
            for pair in pairwise(run):
                counts[pair] += count

        def rank(pair: Pair, counts: Counter[Pair] = counts) -> tuple[int, int, str]:
            return -counts[pair], len(pair[0] + pair[1]), pair[0] + pair[1]

        first, *rivals = nsmallest(1 + RIVALS, waiting, rank)
        waiting.remove(first)
        applied = 0
        for run, count in runs:
            length = len(run)
            waiting.update(it for it in _replace(run, *first) if rules.allow("".join(it)))
            applied += count * (length - len(run))
        left, right = (part.encode() for part in first)
        others = [((pair[0].encode(), pair[1].encode()), counts[pair]) for pair in rivals]
        yield TrainStep(
            left, right, left + right, number, counts[first], applied, others, states(runs)
        )
        number += 1


def states(runs: list[tuple[list[str], int]]) -> list[Word]:
    """The runs as they are cut at this moment."""
    return [Word(tuple(symbol.encode() for symbol in run), count) for run, count in runs]


def _replace(run: list[str], left: str, right: str) -> Iterator[Pair]:
    """Merge a pair in a word; yields the pairs that this makes, also those that do not last."""
    at = 0
    while at < len(run) - 1:
        if run[at] == left and run[at + 1] == right:
            run[at : at + 2] = [left + right]
            yield from pairwise(run[max(at - 1, 0) : at + 2])
        at += 1
