"""The strings that Unigram training begins with.

Rule.    Words are cut at characters that are not in the alphabet; what is between is a run. A seed
         is a string of two characters or more that stands in a run, may be a piece, and occurs
         twice or more. Where a longer seed begins with it and occurs just as often, only the longer
         is taken. It is scored by count · length, and those of highest score are kept: among equals
         the longer first, then the lower by code points.
         A word that occurs a thousand times counts a thousand, and its end is an end like any
         other.
Cost.    All substrings up to the length of a piece. The core sorts places instead, and looks no
         further than strings repeat.
Source.  The score is sentencepiece's. There seeds come from whole sentences, so that a word that
         always has a space behind it is none; docs/algorithms/unigram.md has more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import groupby

from kugiri.reference.train.valid_pieces import PieceRules


def runs(counts: Mapping[bytes, int], alphabet: str) -> Counter[str]:
    """Count the longest parts of words that the alphabet can spell.

    Example:
        >>> runs({b"banana": 2, b"ban": 1}, "abn")
        Counter({'banana': 2, 'ban': 1})
        >>> runs({b"banana": 2}, "an")
        Counter({'anana': 2})
    """
    found: Counter[str] = Counter()
    for word, count in counts.items():
        for is_known, run in groupby(word.decode(), set(alphabet).__contains__):
            if is_known and count:
                found["".join(run)] += count
    return found


def seed_pieces(runs: Mapping[str, int], rules: PieceRules, limit: int) -> dict[str, int]:
    """Return the seeds with their scores, the highest first.

    Example:
        >>> seed_pieces({"▁the": 2, "▁then": 1}, PieceRules(), 10)
        {'▁the': 12, 'the': 9, 'he': 6}
    """
    counts: Counter[str] = Counter()
    for run, count in runs.items():
        for piece in _substrings(run, rules):
            counts[piece] += count
    same_as_longer = {
        piece[:end]
        for piece, count in counts.items()
        for end in range(2, len(piece))
        if counts.get(piece[:end]) == count
    }
    scores = {
        piece: count * len(piece)
        for piece, count in counts.items()
        if count >= 2 and piece not in same_as_longer
    }
    ranked = sorted(scores, key=lambda piece: (-scores[piece], -len(piece), piece))
    return {piece: scores[piece] for piece in ranked[:limit]}


def _substrings(run: str, rules: PieceRules) -> Iterator[str]:
    """All substrings of two characters or more that may be pieces, as often as they stand there."""
    for start in range(len(run)):
        for end in range(start + 2, min(len(run), start + rules.max_sentencepiece_length) + 1):
            if rules.allow(run[start:end]):
                yield run[start:end]
