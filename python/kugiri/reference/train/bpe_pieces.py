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
from itertools import groupby, pairwise

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
    runs = [
        (list(run), count)
        for word, count in words.items()
        for is_known, run in groupby(word, alphabet.__contains__)
        if is_known
    ]
    waiting = {pair for run, _ in runs for pair in pairwise(run) if rules.allow("".join(pair))}
    while waiting:
        counts: Counter[Pair] = Counter()
        for run, count in runs:
            for pair in pairwise(run):
                counts[pair] += count
        left, right = min(waiting, key=lambda it: (-counts[it], len(it[0] + it[1]), it[0] + it[1]))
        yield left + right, counts[left, right]
        waiting.remove((left, right))
        for run, _ in runs:
            new = [pair for pair in _replace(run, left, right) if rules.allow("".join(pair))]
            waiting.update(new)


def _replace(run: list[str], left: str, right: str) -> Iterator[Pair]:
    """Merge a pair in a word; yields the pairs that this makes, also those that do not last."""
    at = 0
    while at < len(run) - 1:
        if run[at] == left and run[at + 1] == right:
            run[at : at + 2] = [left + right]
            yield from pairwise(run[max(at - 1, 0) : at + 2])
        at += 1
