"""SentencePiece's byte-pair encoding: merge the adjacent pair whose join has the highest score.

Rule.    Cut a text into user-defined symbols, which are never merged, and characters. Among all
         adjacent pairs whose join is a piece for text, merge the one with the highest score; among
         equal scores the leftmost. Repeat until none is left. Pieces that are unused take part in
         this, and are then taken apart again into the pair that last made them.
Cost.    As bpe.py: O(n²), on purpose.
Source.  sentencepiece 0.2.3, which compares scores by their bits, so that 0.0 goes before −0.0.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from kugiri import spec
from kugiri.encoding import Token
from kugiri.errors import VocabularyError
from kugiri.reference.alignment import Aligned
from kugiri.reference.models.bpe import MergeStep, Pair, merge_steps
from kugiri.reference.models.unknown import Cut, settle_unknown
from kugiri.reference.vocab import Vocabulary

DEEPEST = 100
"""How often an unused piece is taken apart into unused ones before the rest stays as it is."""


class ScoreBPE:
    """A BPE model in order of scores, ready to encode."""

    def __init__(self, model: spec.BPE, vocabulary: Vocabulary) -> None:
        """Turn scores into ranks: the highest is 0, equal ones have the same.

        Raises:
            VocabularyError: the model has no scores.
        """
        if model.scores is None:
            raise VocabularyError("a BPE with order='score' has no scores; it needs one a token")
        ids = range(len(model.vocab)) if model.ids is None else model.ids.values.tolist()
        scores = dict(zip(ids, map(_bits_in_order, model.scores.values.tolist()), strict=True))
        ranks = {score: rank for rank, score in enumerate(sorted({*scores.values()}, reverse=True))}
        self._vocabulary = vocabulary
        self._ranks = {text: ranks[scores[id]] for text, id in vocabulary.text_ids.items()}

    def encode(self, word: Aligned, drops: Callable[[], bool] | None = None) -> list[Token]:
        """Cut a text into tokens; one that no id stands for has the id None."""
        symbols = self.units(word)
        made_of: dict[bytes, Pair] = {}  # unused piece → the pair that last could make it
        self._note(made_of, pairwise(symbols))
        for step in self.steps(word, drops):
            symbols = step.after
            # What is new: the pair that ends with what was merged, and the one that begins with it.
            self._note(made_of, pairwise(symbols[max(step.position - 1, 0) : step.position + 2]))
        cuts: list[Cut] = []
        for symbol in symbols:
            for part, id in self._taken_apart(symbol, made_of):
                start = cuts[-1].end if cuts else 0
                cuts.append(Cut(id, start, start + len(part.decode())))
        return settle_unknown(word, cuts, self._vocabulary)

    def steps(self, word: Aligned, drops: Callable[[], bool] | None = None) -> Iterator[MergeStep]:
        """Yield each merge in a text."""
        return merge_steps(self.units(word), self._rank, drops, comes_back=False)

    def steps_within(self, word: Aligned, units: slice) -> Iterator[MergeStep]:
        """Yield each merge among some units of a text, as if nothing stood beside them."""
        return merge_steps(self.units(word)[units], self._rank)

    def units(self, word: Aligned) -> tuple[bytes, ...]:
        """Cut a text into what merging starts from."""
        units = []
        at = 0
        while at < len(word):
            units.append(self._vocabulary.user_defined.longest(word.text, at) or word.text[at])
            at += len(units[-1])
        return tuple(unit.encode() for unit in units)

    def _rank(self, pair: Pair) -> int | None:
        if any(part.decode() in self._vocabulary.user_defined for part in pair):
            return None
        left, right = pair
        return self._ranks.get(left + right)

    def _note(self, made_of: dict[bytes, Pair], pairs: Iterable[Pair]) -> None:
        """Note of which pair an unused piece can be made."""
        for left, right in pairs:
            id = self._vocabulary.text_ids.get(left + right)
            if id in self._vocabulary.unused and self._rank((left, right)) is not None:
                made_of[left + right] = (left, right)

    def _taken_apart(
        self, symbol: bytes, made_of: dict[bytes, Pair], depth: int = 0
    ) -> Iterator[tuple[bytes, int | None]]:
        """The pieces of a symbol with their ids: itself, unless it is unused."""
        id = self._vocabulary.text_ids.get(symbol)
        if id not in self._vocabulary.unused or depth > DEEPEST:
            yield symbol, id
        elif symbol in made_of:
            for part in made_of[symbol]:
                yield from self._taken_apart(part, made_of, depth + 1)
        else:
            yield symbol, None


def _bits_in_order(score: float) -> int:
    """A number that is ordered as the bits of a score are: as scores, with −0.0 below 0.0."""
    bits = int.from_bytes(struct.pack("<f", score), "little", signed=True)
    return bits if bits >= 0 else -(bits & 0x7FFF_FFFF) - 1
