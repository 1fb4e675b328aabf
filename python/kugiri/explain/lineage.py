"""The lineage of a token: the merges that made it, and those that made their parts.

Rule.    A token of BPE is made by the first merge that results in it. A vocabulary that comes
         without merges (.tiktoken, .model) has them all the same: those that make the token out of
         its own bytes or characters, each join older than the token or of a higher score. The rank
         of such a merge is the id of its join. A piece of Unigram was a seed (seed.py). Other
         models keep nothing of how their tokens came to be.
Cost.    One look at the merge list; without one, the square of the token's length.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kugiri.errors import VocabularyError
from kugiri.explain.seed import Seed, seed
from kugiri.reference.alignment import Aligned
from kugiri.reference.models.bpe import MergeStep, Pair, merge_steps
from kugiri.reference.models.bpe_score import ScoreBPE
from kugiri.reference.vocab import Vocabulary
from kugiri.spec import BPE, Unigram
from kugiri.tables import Merges

if TYPE_CHECKING:
    from kugiri.tokenizer import Tokenizer


class Step(NamedTuple):
    """One merge of a lineage.

    Attributes:
        rank: its place in the merge list, from 0.
        left, right, result, count, applied: as in `Merge`.
    """

    rank: int
    left: bytes | str
    right: bytes | str
    result: bytes | str
    count: int | None  # type: ignore[assignment]  # tuple.count is not what a step is about
    applied: int | None


def lineage(tokenizer: Tokenizer, token: str | bytes) -> list[Step] | Seed:
    """Return the merges that made a token, in order of rank; none for one of the alphabet.

    Of Unigram, return the seed that it was.

    Raises:
        VocabularyError: there is no such token, or it was given, or the model does not tell.

    Example:
        >>> import kugiri
        >>> tok = kugiri.train({"てみた": 9, "てみる": 5}, unit="char", num_merges=2)
        >>> [(step.rank, step.left, step.right, step.count) for step in lineage(tok, "てみた")]
        [(0, 'て', 'み', 14), (1, 'てみ', 'た', 9)]
    """
    model = tokenizer.spec.model
    id = tokenizer.token_id(token)
    if not isinstance(model, BPE | Unigram):
        kind = type(model).__name__
        raise VocabularyError(
            f"{token!r} has no lineage: {kind} does not keep how its tokens came to be; BPE does, "
            f"by its merges, and Unigram, by its scores"
        )
    if id in {added.id for added in tokenizer.spec.added_tokens}:
        raise VocabularyError(f"{token!r} has no lineage: it was added whole, not learned")
    if isinstance(model, Unigram):
        return seed(tokenizer, model, id)
    text = _text(model, id)
    if model.order == "score":
        steps = _from_scores(model, text)
    elif model.merges is None:
        steps = _from_ids(model, id, text)
    else:
        steps = [Step(rank, *tokenizer.merges[rank]) for rank in _ranks(model.merges, id)]
    if steps or _is_unit(model, text):
        return steps
    raise VocabularyError(f"{token!r} has no lineage: no merges lead to it")


def made_by(merges: Merges) -> dict[int, int]:
    """The row that made each id: the first that results in it."""
    rows: dict[int, int] = {}
    for row, id in enumerate(merges.result.tolist()):
        rows.setdefault(id, row)
    return rows


def _ranks(merges: Merges, id: int) -> list[int]:
    """The rows that made an id and its parts, ascending."""
    row_of = made_by(merges)
    rows: set[int] = set()
    parts = [id]
    while parts:
        row = row_of.get(parts.pop())
        if row is not None and row not in rows:
            rows.add(row)
            parts += [int(merges.left[row]), int(merges.right[row])]
    return sorted(rows)


def _from_ids(model: BPE, id: int, token: bytes) -> list[Step]:
    """The merges of a token whose vocabulary has none: every join of a lower id is one."""
    ids = range(len(model.vocab)) if model.ids is None else model.ids.values.tolist()
    id_of = dict(zip(model.vocab, ids, strict=True))

    def rank_of(pair: Pair) -> int | None:
        rank = id_of.get(pair[0] + pair[1])
        return rank if rank is not None and rank <= id else None

    steps = list(merge_steps((bytes([byte]) for byte in token), rank_of))
    return sorted(Step(*made, None, None) for made in _once(steps, id_of))


def _from_scores(model: BPE, token: bytes) -> list[Step]:
    """The merges of a token of a .model, the highest score first."""
    vocabulary = Vocabulary(model)
    steps = list(ScoreBPE(model, vocabulary).steps(Aligned.of(token.decode())))
    return [
        Step(id, left.decode(), right.decode(), result.decode(), None, None)
        for id, left, right, result in _once(steps, vocabulary.ids)
    ]


def _once(
    steps: Sequence[MergeStep], id_of: Mapping[bytes, int]
) -> list[tuple[int, bytes, bytes, bytes]]:
    """Each of the merges that made one token out of its units, and its id; none if they did not."""
    if not steps or len(steps[-1].after) > 1:
        return []
    joins = {step.left + step.right: step for step in steps}
    return [(id_of[join], step.left, step.right, join) for join, step in joins.items()]


def _text(model: BPE, id: int) -> bytes:
    row = id if model.ids is None else int(np.searchsorted(model.ids.values, id))
    return model.vocab[row]


def _is_unit(model: BPE, token: bytes) -> bool:
    """Whether a token is what merging starts from."""
    if model.unit == "byte":
        return len(token) == 1
    text = token.decode().removeprefix(model.continuing_subword_prefix or "")
    marks = (model.end_of_word, model.end_of_word_suffix)
    return text in marks or len(text.removesuffix(model.end_of_word_suffix or "")) == 1
