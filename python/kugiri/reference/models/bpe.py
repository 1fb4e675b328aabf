"""Byte-pair encoding: merge the adjacent pair with the lowest rank until no pair has a rank.

Rule.    Cut a word into its first symbols (first_symbols.py). Among all adjacent pairs merge the
         one with the lowest rank; among equal ranks the leftmost. Repeat until none is left.
         The rank of a pair is its row in the merge list (order "list"), or, where a vocabulary
         comes without merges, the id of the joined token (order "rank"); bpe_score.py has the rule
         of a .model (order "score"). With order "rank" or ignore_merges a word that is itself a
         token is that token. With dropout, the merge that is about to be made is now and then
         dropped instead. In a merge list that pair in that place may be drawn again after the next
         merge; in order of scores it is out for good.
Cost.    O(n²) for a word of n units, on purpose: every step looks at every pair. The core keeps
         the same rule in O(n log n) with a queue.
Source.  Sennrich et al. 2016; order "rank" is tiktoken's. Applying the merges one after another,
         as the paper does, gives the same result: a merge only makes pairs of later rank, unless
         it makes a string again that an earlier merge knows. Dropout: Provilkov et al. 2020;
         sentencepiece 0.2.3 in order of scores.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from kugiri import spec
from kugiri.encoding import Token
from kugiri.reference.alignment import Aligned, covering
from kugiri.reference.models.first_symbols import FirstSymbols
from kugiri.reference.vocab import Vocabulary

Pair: TypeAlias = tuple[bytes, bytes]
RankOf: TypeAlias = Callable[[Pair], int | None]
Join: TypeAlias = Callable[[bytes, bytes], bytes]


class MergeStep(NamedTuple):
    """One merge in one word.

    Attributes:
        rank: the rank of the pair; the lowest among those present.
        left, right: the pair.
        position: where left stood among the symbols before.
        before, after: the symbols of the word.
    """

    rank: int
    left: bytes
    right: bytes
    position: int
    before: tuple[bytes, ...]
    after: tuple[bytes, ...]


def merge_steps(
    symbols: Iterable[bytes],
    rank_of: RankOf,
    drops: Callable[[], bool] | None = None,
    join: Join = operator.add,
    *,
    comes_back: bool = True,
) -> Iterator[MergeStep]:
    """Yield each merge in a word, up to the last one possible.

    Args:
        symbols: what the word is cut into.
        rank_of: the rank of a pair; None for one that is never merged.
        drops: says, each time anew, whether the next merge is dropped.
        join: the symbol that a pair becomes.
        comes_back: whether a pair that was dropped may be drawn again after the next merge.

    Example:
        >>> ranks = {(b"w", b"e"): 0, (b"l", b"o"): 1, (b"lo", b"we"): 2}
        >>> for step in merge_steps([b"l", b"o", b"w", b"e", b"r"], ranks.get):
        ...     print(step.rank, b" ".join(step.after).decode())
        0 l o we r
        1 lo we r
        2 lowe r
    """
    before = tuple(symbols)
    firsts = list(range(len(before)))  # the first unit of each symbol, which never changes
    dropped: set[tuple[int, Pair]] = set()  # at which unit, and which pair
    while True:
        places = zip(firsts, pairwise(before), strict=False)
        ranked = [
            (rank, position, place)
            for position, place in enumerate(places)
            if place not in dropped and (rank := rank_of(place[1])) is not None
        ]
        if not ranked:
            return
        # The smallest (rank, position): the lowest rank, and among equal ranks the leftmost.
        rank, at, place = min(ranked)
        if drops is not None and drops():
            dropped.add(place)
            continue
        left, right = before[at : at + 2]
        after = (*before[:at], join(left, right), *before[at + 2 :])
        yield MergeStep(rank, left, right, at, before, after)
        del firsts[at + 1]
        before = after
        if comes_back:
            dropped.clear()


class BPE:
    """A BPE model ready to encode."""

    def __init__(
        self,
        model: spec.BPE,
        vocabulary: Vocabulary,
        *,
        byte_level: bool = False,
        drops_unknown: bool = False,
    ) -> None:
        """Lay out the ranks of a model; first_symbols.py explains the options.

        Raises:
            OptionError: the model asks for what this engine does not run.
            VocabularyError: the end mark is not in the vocabulary.
        """
        self._model = model
        self._vocabulary = vocabulary
        self._first_symbols = FirstSymbols(
            model, vocabulary, byte_level=byte_level, drops_unknown=drops_unknown
        )
        self._prefix = len((model.continuing_subword_prefix or "").encode())
        self._ranks: dict[Pair, int] = {}  # pair → row in the merge list
        if model.merges is not None:
            rows = zip(model.merges.left.tolist(), model.merges.right.tolist(), strict=True)
            for rank, (left, right) in enumerate(rows):
                self._ranks[vocabulary.own(left), vocabulary.own(right)] = rank

    def encode(self, word: Aligned, drops: Callable[[], bool] | None = None) -> list[Token]:
        """Cut a pre-token into tokens; one that no id stands for has the id None."""
        if self.is_token(word) and drops is None:
            text = word.text.encode()
            return [Token(self._vocabulary.ids[text], text, *word.span)]
        tokens = self.units(word)
        for step in self._merges(word, drops):
            left, right = tokens[step.position : step.position + 2]
            joined = step.after[step.position]
            place = covering([(left.start, left.end), (right.start, right.end)])
            token = Token(self._vocabulary.ids.get(joined), joined, *place)
            tokens[step.position : step.position + 2] = [token]
        return tokens

    def steps(self, word: Aligned) -> Iterator[MergeStep]:
        """Yield each merge in a pre-token; none where it is a token as it stands."""
        if not self.is_token(word):
            yield from self._merges(word)

    def steps_within(self, word: Aligned, units: slice) -> Iterator[MergeStep]:
        """Yield each merge among some units of a pre-token, as if nothing stood beside them."""
        return merge_steps(self._symbols(word)[units], self._rank, join=self._join)

    def is_token(self, word: Aligned) -> bool:
        """Whether a pre-token is taken as it stands, without looking at merges."""
        takes_words = self._model.ignore_merges or self._model.order == "rank"
        may_be = takes_words and not self._model.end_of_word
        return may_be and self._vocabulary.word_id(word.text.encode()) is not None

    def units(self, word: Aligned) -> list[Token]:
        """Cut a pre-token into what merging starts from."""
        return self._first_symbols.of(word)

    def _symbols(self, word: Aligned) -> tuple[bytes, ...]:
        """The units as merges know them: by the strings of their ids."""
        return tuple(self._vocabulary.string(unit) for unit in self.units(word))

    def _merges(
        self, word: Aligned, drops: Callable[[], bool] | None = None
    ) -> Iterator[MergeStep]:
        return merge_steps(self._symbols(word), self._rank, drops, self._join)

    def _rank(self, pair: Pair) -> int | None:
        if self._model.order == "list":
            return self._ranks.get(pair)
        return self._vocabulary.ids.get(self._join(*pair))

    def _join(self, left: bytes, right: bytes) -> bytes:
        """What a pair becomes: the right part loses the prefix that says that it is one."""
        return left + right[self._prefix :]
