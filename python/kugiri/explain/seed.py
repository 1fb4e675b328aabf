"""Where a piece of Unigram comes from: from the seeds, which nothing but pruning changes.

Rule.    Unigram makes no pieces: training begins with all characters and the seeds, and drops what
         the corpus misses least. So a piece was there from the beginning, and what can be said is
         why it stayed: how often it was expected, and what its string would be cut into without it.
         The last estimate gave it the score ψ(count) − ψ(tokens), with ψ(x) nearly log(x − ½).
Cost.    The lattice of one string, and one look at all scores.
Source.  reference/train/expectation.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from kugiri.errors import VocabularyError
from kugiri.reference.models.lattice import Lattice, best_paths
from kugiri.reference.models.unigram import Unigram
from kugiri.reference.train.expectation import LEAST, digamma
from kugiri.reference.vocab import Vocabulary
from kugiri.spec import PieceType

if TYPE_CHECKING:
    from kugiri import spec
    from kugiri.tokenizer import Tokenizer


class Seed(NamedTuple):
    """A piece that training began with, and kept.

    Attributes:
        piece: its string.
        place: by score, from 0.
        score: its log probability.
        expected: about how often it stood in the corpus, as the last estimate had it; never less
            than a half, which is what the estimate takes such a piece for. None where the training
            is not known.
        instead: the pieces that its string would be cut into without it; none if nothing else
            spells it, as for a character.
        margin: how much its score is above the sum of theirs, below 0 where they win; None
            without them.
    """

    piece: str
    place: int
    score: float
    expected: float | None
    instead: tuple[str, ...]
    margin: float | None


def seed(tokenizer: Tokenizer, model: spec.Unigram, id: int) -> Seed:
    """Return where a piece of Unigram comes from.

    Raises:
        VocabularyError: it was given, as bytes, symbols and the unknown token are.
    """
    vocabulary = Vocabulary(model, tokenizer.spec.added_tokens)
    piece = vocabulary.own(id).decode()
    score_of = _learned(model, vocabulary)
    if id not in score_of:
        raise VocabularyError(f"{piece!r} has no lineage: it was given whole, not learned")
    score = score_of[id]
    instead, without = _without(Unigram(model, vocabulary), piece)
    return Seed(
        piece=piece,
        place=sum(other > score for other in score_of.values()),
        score=score,
        expected=_expected(tokenizer.training, score_of.values(), score),
        instead=instead,
        margin=score - without if instead else None,
    )


def _learned(model: spec.Unigram, vocabulary: Vocabulary) -> dict[int, float]:
    """The ids of the pieces that training chose, with their scores."""
    given = {vocabulary.unknown_id, *vocabulary.byte_ids.values()}
    ids = range(len(model.vocab)) if model.ids is None else model.ids.values.tolist()
    of_text = set(vocabulary.text_ids.values()) - given
    return {
        id: score
        for id, score in zip(ids, model.scores.values.tolist(), strict=True)
        if id in of_text and vocabulary.piece(id).type != PieceType.USER_DEFINED
    }


def _without(model: Unigram, piece: str) -> tuple[tuple[str, ...], float]:
    """The best cut of the string of a piece into others, and its score; nothing without one."""
    nodes = model.lattice(piece).nodes()
    others = [it for it in nodes if it.id is not None and it.end - it.start < len(piece)]
    for path in best_paths(Lattice(len(piece), others)):
        return tuple(piece[it.start : it.end] for it in path.nodes), path.score
    return (), -math.inf


def _expected(training: Mapping[str, Any], scores: Iterable[float], score: float) -> float | None:
    """The count that a score stands for, if it is known of how many tokens.

    The scores say of how many at least, since no count was taken as less than LEAST.
    """
    rounds = training.get("rounds")
    if not rounds:
        return None
    of_all = max(digamma(rounds[-1]["tokens"]), digamma(LEAST) - min(scores))
    return math.exp(score + of_all) + 0.5
