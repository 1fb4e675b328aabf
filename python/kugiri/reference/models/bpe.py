"""Byte-pair encoding: merge the adjacent pair with the lowest rank until no pair has a rank.

Rule.    Cut a word into its smallest units (bytes or characters, and after a word its end mark
         where there is one). Among all adjacent pairs merge the one with the lowest rank; among
         equal ranks the leftmost. Repeat until none is left.
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

from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate, groupby, pairwise
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


def merge_steps(
    symbols: Iterable[bytes],
    rank_of: RankOf,
    drops: Callable[[], bool] | None = None,
    *,
    comes_back: bool = True,
) -> Iterator[MergeStep]:
    """Yield each merge in a word, up to the last one possible.

    Args:
        symbols: what the word is cut into.
        rank_of: the rank of a pair; None for one that is never merged.
        drops: says, each time anew, whether the next merge is dropped.
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
    dropped: set[tuple[int, Pair]] = set()  # where in the word, and which pair
    while True:
        places = zip(accumulate(map(len, before), initial=0), pairwise(before), strict=False)
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
        after = (*before[:at], left + right, *before[at + 2 :])
        yield MergeStep(rank, left, right, at, before, after)
        before = after
        if comes_back:
            dropped.clear()


class BPE:
    """A BPE model ready to encode."""

    def __init__(self, model: spec.BPE, vocabulary: Vocabulary) -> None:
        """Lay out the ranks of a model.

        Raises:
            OptionError: the model asks for what this engine does not run.
            VocabularyError: the unknown token or the end mark is not in the vocabulary.
        """
        _refuse_what_is_not_run(model)
        self._model = model
        self._vocabulary = vocabulary
        self._ids = vocabulary.ids
        self._unknown_id = vocabulary.unknown_id
        self._mark_id = vocabulary.id_of_named("end-of-word mark", model.end_of_word)
        self._ranks: dict[Pair, int] = {}  # pair → row in the merge list
        if model.merges is not None:
            rows = zip(model.merges.left.tolist(), model.merges.right.tolist(), strict=True)
            for rank, (left, right) in enumerate(rows):
                self._ranks[vocabulary.piece(left).text, vocabulary.piece(right).text] = rank

    def encode(self, word: Aligned, drops: Callable[[], bool] | None = None) -> list[Token]:
        """Cut a pre-token into tokens; one that no id stands for has the id None."""
        if self.is_token(word) and drops is None:
            text = word.text.encode()
            return [Token(self._ids[text], text, *word.span)]
        units = self.units(word)
        symbols = tuple(unit.text for unit in units)
        for step in merge_steps(symbols, self._rank, drops):
            symbols = step.after
        return list(self._placed(symbols, units))

    def steps(self, word: Aligned) -> Iterator[MergeStep]:
        """Yield each merge in a pre-token; none where it is a token as it stands."""
        if not self.is_token(word):
            yield from merge_steps((unit.text for unit in self.units(word)), self._rank)

    def is_token(self, word: Aligned) -> bool:
        """Whether a pre-token is taken as it stands, without looking at merges."""
        takes_words = self._model.ignore_merges or self._model.order == "rank"
        may_be = takes_words and not self._model.end_of_word
        return may_be and self._vocabulary.word_id(word.text.encode()) is not None

    def units(self, word: Aligned) -> list[Token]:
        """Cut a pre-token into what merging starts from."""
        if self._model.unit == "byte":
            cut = [(bytes([byte]), span) for byte, span in word.utf8()]
        else:
            cut = [(c.encode(), span) for c, span in zip(word.text, word.spans, strict=True)]
        units = [Token(self._ids.get(text, self._unknown_id), text, *span) for text, span in cut]
        if self._model.fuse_unk:
            units = self._fused(units)
        if self._mark_id is not None:
            # A symbol of its own that stands for no text: it lies where the word ends.
            _, end = word.span
            units.append(Token(self._mark_id, self._model.end_of_word.encode(), end, end))
        return units

    def _rank(self, pair: Pair) -> int | None:
        if self._model.order == "list":
            return self._ranks.get(pair)
        left, right = pair
        return self._ids.get(left + right)

    def _fused(self, units: Iterable[Token]) -> list[Token]:
        """Make one unit of unknown ones in a row."""
        fused: list[Token] = []
        for is_known, group in groupby(units, lambda unit: unit.text in self._ids):
            run = list(group)
            text = b"".join(unit.text for unit in run)
            fused += run if is_known else [Token(run[0].id, text, run[0].start, run[-1].end)]
        return fused

    def _placed(self, symbols: Iterable[bytes], units: Iterable[Token]) -> Iterator[Token]:
        """Give each symbol its id and the span of the units that it was merged from."""
        rest = iter(units)
        for symbol in symbols:
            first = last = next(rest)
            length = len(first.text)
            while length < len(symbol):
                last = next(rest)
                length += len(last.text)
            id = first.id if first is last else self._ids.get(symbol)
            yield Token(id, symbol, first.start, last.end)


def _refuse_what_is_not_run(model: spec.BPE) -> None:
    refused = {
        "continuing_subword_prefix": model.continuing_subword_prefix,
        "end_of_word_suffix": model.end_of_word_suffix,
        "byte_fallback": model.byte_fallback,
    }
    for name, asked in refused.items():
        if asked:
            raise not_run("model", f"BPE with {name}")
