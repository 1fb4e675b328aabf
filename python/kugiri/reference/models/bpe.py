"""Byte-pair encoding: merge the adjacent pair with the lowest rank until no pair has a rank.

Rule.    Cut a word into its smallest units (bytes or characters, and after a word its end mark
         where there is one). Among all adjacent pairs merge the one with the lowest rank; among
         equal ranks the leftmost. Repeat until none is left.
         The rank of a pair is its row in the merge list (order "list"), or, where a vocabulary
         comes without merges, the id of the joined token (order "rank").
Cost.    O(n²) for a word of n units, on purpose: every step looks at every pair. The core keeps
         the same rule in O(n log n) with a queue.
Source.  Sennrich et al. 2016; order "rank" is tiktoken's. Applying the merges one after another,
         as the paper does, gives the same result: a merge only makes pairs of later rank, unless
         it makes a string again that an earlier merge knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from kugiri import spec
from kugiri.encoding import Token
from kugiri.reference.alignment import Aligned
from kugiri.reference.not_run import not_run
from kugiri.reference.vocab import Vocabulary

Pair: TypeAlias = tuple[bytes, bytes]
RankOf: TypeAlias = Callable[[Pair], int | None]


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


def merge_steps(symbols: Iterable[bytes], rank_of: RankOf) -> Iterator[MergeStep]:
    """Yield each merge in a word, up to the last one possible.

    Example:
        >>> ranks = {(b"w", b"e"): 0, (b"l", b"o"): 1, (b"lo", b"we"): 2}
        >>> for step in merge_steps([b"l", b"o", b"w", b"e", b"r"], ranks.get):
        ...     print(step.rank, b" ".join(step.after).decode())
        0 l o we r
        1 lo we r
        2 lowe r
    """
    before = tuple(symbols)
    while True:
        ranked = [
            (rank, position)
            for position, pair in enumerate(pairwise(before))
            if (rank := rank_of(pair)) is not None
        ]
        if not ranked:
            return
        # The smallest (rank, position): the lowest rank, and among equal ranks the leftmost.
        rank, at = min(ranked)
        left, right = before[at : at + 2]
        after = (*before[:at], left + right, *before[at + 2 :])
        yield MergeStep(rank, left, right, at, before, after)
        before = after


class BPE:
    """A BPE model ready to encode."""

    def __init__(self, model: spec.BPE, vocabulary: Vocabulary) -> None:
        """Lay out the ranks of a model.

        Raises:
            OptionError: the model asks for what this engine does not run.
        """
        _refuse_what_is_not_run(model)
        self._unit = model.unit
        self._end_of_word = model.end_of_word.encode()
        self._ignore_merges = model.ignore_merges
        self._ids = vocabulary.ids
        self._unknown_id = vocabulary.unknown_id(model.unk_token)
        self._ranks: dict[Pair, int] = {}  # pair → row in the merge list
        if model.merges is not None:
            rows = zip(model.merges.left.tolist(), model.merges.right.tolist(), strict=True)
            for rank, (left, right) in enumerate(rows):
                self._ranks[vocabulary.piece(left).text, vocabulary.piece(right).text] = rank
        self._rank_of = self._ranks.get if model.order == "list" else self._id_of_join

    def encode(self, word: Aligned) -> list[Token]:
        """Cut a pre-token into tokens; one that no id stands for has the id None."""
        units = self.units(word)
        symbols: tuple[bytes, ...] = tuple(unit.text for unit in units)
        whole = b"".join(symbols)
        if self._ignore_merges and whole in self._ids:
            symbols = (whole,)
        else:
            for step in self.steps(word):
                symbols = step.after
        return list(self._placed(symbols, units))

    def steps(self, word: Aligned) -> Iterator[MergeStep]:
        """Yield each merge in a pre-token."""
        return merge_steps((unit.text for unit in self.units(word)), self._rank_of)

    def units(self, word: Aligned) -> list[Token]:
        """Cut a pre-token into what merging starts from."""
        if self._unit == "byte":
            units = [(bytes([byte]), *span) for byte, span in word.utf8()]
        else:
            characters = zip(word.text, word.spans, strict=True)
            units = [(character.encode(), *span) for character, span in characters]
        if self._end_of_word:
            # A symbol of its own that stands for no text: it lies where the word ends.
            _, end = word.span
            units.append((self._end_of_word, end, end))
        return [Token(self._ids.get(text, self._unknown_id), text, *span) for text, *span in units]

    def _id_of_join(self, pair: Pair) -> int | None:
        left, right = pair
        return self._ids.get(left + right)

    def _placed(self, symbols: Iterable[bytes], units: Iterable[Token]) -> Iterator[Token]:
        """Give each symbol its id and the span of the units that it was merged from."""
        rest = iter(units)
        for symbol in symbols:
            first = last = next(rest)
            length = len(first.text)
            while length < len(symbol):
                last = next(rest)
                length += len(last.text)
            yield Token(self._ids.get(symbol, self._unknown_id), symbol, first.start, last.end)


def _refuse_what_is_not_run(model: spec.BPE) -> None:
    refused = {
        "order 'score'": model.order == "score",
        "continuing_subword_prefix": model.continuing_subword_prefix,
        "end_of_word_suffix": model.end_of_word_suffix,
        "fuse_unk": model.fuse_unk,
        "byte_fallback": model.byte_fallback,
    }
    for name, asked in refused.items():
        if asked:
            raise not_run("model", f"BPE with {name}")
