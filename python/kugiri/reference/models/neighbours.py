"""Neighbours: which tokens can stand side by side in a word once nothing more can be merged.

Rule.    A word's tokens are what merging makes of it if and only if each of them is what merging
         makes of its own bytes, and each two neighbours of theirs: up to the first merge that takes
         something of both, two neighbours merge as they would alone.
         So play both against each other. Each token comes to be merge by merge; of the two merges
         that are next, one on each side, the one of lower rank is made, of equal ranks the left
         one. All the while the last symbol of the left token touches the first one of the right. If
         a merge of these two ever has its turn, the tokens are no neighbours: if its rank is lower
         than the next on the left, and not higher than the next on the right.
Cost.    A step for each merge in both tokens. The core goes back from the end, and looks only at
         the merges along the edges that touch.
Source.  Adjacent validity as in rust-gems and byte-sampler; the merge loop is the tests' oracle.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kugiri.reference.models.bpe import RankOf, merge_steps

_NEVER = float("inf")


class Step(NamedTuple):
    """A merge on the way to a token, or the end of the way.

    Attributes:
        rank: of the merge.
        first, last: the first and the last symbol before it.
    """

    rank: float
    first: bytes
    last: bytes


class Neighbours:
    """The tokens that merging makes of their own bytes, and how.

    Example:
        >>> ranks = {(b"l", b"o"): 0, (b"lo", b"w"): 1}
        >>> its = Neighbours([b"l", b"o", b"w", b"lo", b"low"], ranks.get)
        >>> its.stay(b"lo", b"lo"), its.stay(b"lo", b"w"), its.stay(b"l", b"ow")
        (True, False, False)
        >>> its.after(b"lo")
        [b'l', b'o', b'lo', b'low']
    """

    def __init__(self, tokens: Iterable[bytes], rank_of: RankOf) -> None:
        """Merge each token alone; those that do not become one symbol never come out."""
        self._rank_of = rank_of
        self._ways: dict[bytes, list[Step]] = {}
        for token in tokens:
            way = list(_way(token, rank_of))
            if way[-1].first == token:
                self._ways[token] = way

    def after(self, left: bytes) -> list[bytes]:
        """The tokens that can stand behind one, in the order of the vocabulary."""
        return [right for right in self._ways if self.stay(left, right)]

    def stay(self, left: bytes, right: bytes) -> bool:
        """Whether two tokens stay as they are, side by side."""
        if left not in self._ways or right not in self._ways:
            return False
        of_left, of_right = iter(self._ways[left]), iter(self._ways[right])
        next_left, next_right = next(of_left), next(of_right)
        while True:
            joins = self._rank(next_left.last, next_right.first)
            if joins < next_left.rank and joins <= next_right.rank and joins != _NEVER:
                return False
            if next_left.rank == next_right.rank == _NEVER:
                return True
            if next_left.rank <= next_right.rank:
                next_left = next(of_left)
            else:
                next_right = next(of_right)

    def _rank(self, left: bytes, right: bytes) -> float:
        rank = self._rank_of((left, right))
        return _NEVER if rank is None else rank


def _way(token: bytes, rank_of: RankOf) -> Iterator[Step]:
    """The merges that make a token of its bytes, and last that there is none."""
    symbols = tuple(bytes([byte]) for byte in token)
    for step in merge_steps(symbols, rank_of):
        yield Step(step.rank, step.before[0], step.before[-1])
        symbols = step.after
    yield Step(_NEVER, symbols[0], symbols[-1])
