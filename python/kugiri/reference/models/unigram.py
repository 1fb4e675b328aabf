"""Unigram: of all ways to cut a text into pieces, the one whose scores add up to the most.

Rule.    Wherever a piece of the vocabulary stands in the text, it is a node of the lattice. A place
         where no piece of one character stands gets an unknown node, ten below the lowest score.
         The best path through the lattice is the answer. A user-defined symbol scores 0.1 for
         each byte after its first, which is more than any ordinary piece, but other pieces may
         still win across it. With scores of 64 bits, unknown characters in a row are one token
         before they fall back to bytes, and without an unknown token they are refused.
Cost.    That of the lattice.
Source.  Kudo 2018; sentencepiece 0.2.3 for scores of 32 bits, tokenizers 0.23.3 for those of 64.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import groupby

from kugiri import spec
from kugiri.encoding import Token
from kugiri.reference.alignment import Aligned
from kugiri.reference.models.lattice import Lattice, Node, Path, best_paths, single
from kugiri.reference.models.unknown import Cut, settle_unknown
from kugiri.reference.vocab import Vocabulary, require_ids
from kugiri.spec import PieceType

UNKNOWN_PENALTY = 10.0
USER_DEFINED_BONUS = 0.1
HIGHEST_FLOAT32 = 3.4028234663852886e38


class Unigram:
    """A Unigram model ready to encode."""

    def __init__(self, model: spec.Unigram, vocabulary: Vocabulary) -> None:
        """Lay out the scores of a model."""
        scores = model.scores.values.tolist()
        types = None if model.piece_types is None else model.piece_types.values.tolist()
        ids = range(len(scores)) if model.ids is None else model.ids.values.tolist()
        normal = [s for i, s in enumerate(scores) if types is None or types[i] == PieceType.NORMAL]
        self.float32 = model.scores.values.dtype == "float32"
        self._vocabulary = vocabulary
        self._scores = dict(zip(ids, scores, strict=True))
        lowest = min(normal, default=HIGHEST_FLOAT32)
        self._unknown_score = self._round(lowest - UNKNOWN_PENALTY)
        self._in_order = sorted(vocabulary.text_ids)

    def encode(self, word: Aligned) -> list[Token]:
        """Cut a pre-token into tokens; one that no id stands for has the id None."""
        if not self.float32 and self._vocabulary.unknown_id is None:
            self._require_known(word)
        (best,) = best_paths(self.lattice(word.text), float32=self.float32)
        return self.tokens(word, best)

    def tokens(self, word: Aligned, path: Path) -> list[Token]:
        """The tokens of a path through the lattice of a pre-token."""
        cuts = [Cut(node.id, node.start, node.end) for node in path.nodes]
        if not self.float32:
            cuts = list(self._fused(word.text, cuts))
        return settle_unknown(word, cuts, self._vocabulary)

    def _fused(self, text: str, cuts: list[Cut]) -> Iterator[Cut]:
        """Make one cut of unknown ones in a row; what it covers may be a piece after all."""
        for is_known, group in groupby(cuts, lambda cut: cut.id is not None):
            run = list(group)
            if is_known:
                yield from run
                continue
            start, end = run[0].start, run[-1].end
            yield Cut(self._vocabulary.word_id(text[start:end].encode()), start, end)

    def _require_known(self, word: Aligned) -> None:
        """Refuse what tokenizers refuses: the best way to any place ends in an unknown character.

        Raises:
            EncodingError: it does, even where the best way through the whole text has none.
        """
        for end in range(1, len(word) + 1):
            (best,) = best_paths(self.lattice(word.text[:end]), float32=False)
            last = best.nodes[-1]
            if last.id is None:
                unknown = word[last.start : end]
                token = Token(None, unknown.text.encode(), *unknown.span)
                require_ids([token], word.original.decode())

    def lattice(self, text: str) -> Lattice:
        """Everything that could become of a text."""
        return Lattice(
            len(text), (node for start in range(len(text)) for node in self._nodes_at(text, start))
        )

    def _nodes_at(self, text: str, start: int) -> Iterator[Node]:
        """The pieces that stand at one place, the shortest first."""
        has_one_character = False
        piece = b""
        for end in range(start + 1, len(text) + 1):
            piece += text[end - 1].encode()
            if not self._begins_a_piece(piece):
                break
            id = self._vocabulary.word_id(piece)
            if id is not None:
                has_one_character |= end == start + 1
                # Text that looks like the unknown piece is unknown text, as in tokenizers.
                known = None if id == self._vocabulary.unknown_id else id
                yield Node(known, start, end, self._score(id, piece))
        if not has_one_character:
            yield Node(None, start, start + 1, self._unknown_score)

    def _begins_a_piece(self, text: bytes) -> bool:
        """Whether any piece begins so; in order, such pieces follow right behind."""
        place = bisect_left(self._in_order, text)
        return place < len(self._in_order) and self._in_order[place].startswith(text)

    def _score(self, id: int, piece: bytes) -> float:
        if piece.decode() in self._vocabulary.user_defined:
            return self._round(USER_DEFINED_BONUS * (len(piece) - 1))
        return float(self._scores[id])

    def _round(self, number: float) -> float:
        return single(number) if self.float32 else number
