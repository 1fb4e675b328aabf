"""What a vocabulary is made of: its kinds of tokens, its longest ones, how they are to be read.

Rule.    A token is read as the text it stands for where the vocabulary is one of bytes, else as it
         is written there, ▁ and ## included. The longest are those that are no part of a longer
         one, so that a phrase takes one row; beside each stands how many tokens are of use for it
         alone, which is what the phrase costs the vocabulary.
Cost.    One look at each token and each merge.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from kugiri.explain.lineage import made_by
from kugiri.explain.readings import bytes_of
from kugiri.reference.vocab import show
from kugiri.spec import BPE, Model, PieceType, Unigram, is_byte_level

if TYPE_CHECKING:
    from kugiri.tokenizer import Tokenizer

KINDS = (
    "special token", "added token", "unknown token", "byte", "part of characters", "character",
    "longer",
)  # fmt: skip
_FALLBACK_BYTE = re.compile("<0x[0-9A-F]{2}>")


class Piece(msgspec.Struct, frozen=True):
    """One token.

    Attributes:
        id: its id.
        token: what is to be read; `<e5 b0>` where it is no whole characters.
        kind: one of `KINDS`.
        rank: the merge that made it, from 0, if one did.
        count: how often that pair stood in the training text, where the tokenizer knows.
        score: of a .model, where merging goes by it or probabilities follow from it.
        type: what the piece of a .model is for, in its own words.
    """

    id: int
    token: str
    kind: str
    rank: int | None = None
    count: int | None = None
    score: float | None = None
    type: str | None = None


class Longest(msgspec.Struct, frozen=True):
    """A token that is no part of a longer one.

    Attributes:
        piece: the token.
        characters: how many it has.
        alone: how many tokens are of use for it alone, itself included; None where the file of a
            BPE does not say what its tokens are made of.
    """

    piece: Piece
    characters: int
    alone: int | None


def pieces(tokenizer: Tokenizer) -> list[Piece]:
    """Every token of a vocabulary, by id.

    Example:
        >>> import kugiri
        >>> last = pieces(kugiri.train(["猫は魚"] * 2, unit="char", num_merges=1))[-1]
        >>> last.id, last.token, last.kind, last.rank, last.count
        (3, 'は魚', 'longer', 0, 2)
    """
    model = tokenizer.spec.model
    merges = model.merges if isinstance(model, BPE) else None
    rows = {} if merges is None else made_by(merges)
    counts = [] if merges is None or merges.count is None else merges.count.tolist()
    columns = _columns(model)
    found = []
    for id, token, kind in _readings(tokenizer):
        rank = rows.get(id)
        count = counts[rank] if counts and rank is not None else None
        found.append(Piece(id, token, kind, rank, count, *columns.get(id, ())))
    return sorted(found, key=lambda piece: piece.id)


def _columns(model: Model) -> dict[int, tuple[float | None, str | None]]:
    """Score and type of each id, where the model has them."""
    scores, types = (getattr(model, name, None) for name in ("scores", "piece_types"))
    if scores is None and types is None:
        return {}
    size = len(model.vocab)
    ids = range(size) if model.ids is None else model.ids.values.tolist()
    names = [None] * size if types is None else [PieceType(it).name for it in types.values.tolist()]
    of_id = [None] * size if scores is None else scores.values.tolist()
    return dict(zip(ids, zip(of_id, names, strict=True), strict=True))


def reading(tokenizer: Tokenizer, token: bytes | str) -> bytes | str:
    """A token, as `Tokenizer.tokens` has it, as what is to be read."""
    if isinstance(token, str) and is_byte_level(tokenizer.spec.pre_tokenizer):
        return bytes_of(token.encode())
    return token


def longest(
    tokenizer: Tokenizer,
    found: Sequence[Piece],
    most: int,
    length: Callable[[Piece], int] | None = None,
) -> list[Longest]:
    """The longest of the pieces; among equally long ones those with the lower ids.

    Args:
        tokenizer: whose pieces they are.
        found: all pieces.
        most: how many to give.
        length: of a piece in characters (None: as it is written, a mark of the end of a word one).

    Example:
        >>> import kugiri
        >>> tok = kugiri.train({"吾輩は猫": 9, "猫": 2}, unit="char", num_merges=3)
        >>> [(each.piece.token, each.characters, each.alone)
        ...  for each in longest(tok, pieces(tok), 2)]
        [('吾輩は猫', 4, 3)]
    """
    chosen: list[Longest] = []
    uses = _Uses(tokenizer)
    longer = (piece for piece in found if piece.kind == "longer")
    mark = _mark(tokenizer.spec.model)

    def as_written(piece: Piece) -> int:
        return len(piece.token) - (len(mark) - 1 if mark and piece.token.endswith(mark) else 0)

    length = length or as_written
    for piece in sorted(longer, key=lambda piece: (-length(piece), piece.id)):
        if len(chosen) == most:
            break
        if not any(piece.token in other.piece.token for other in chosen):
            chosen.append(Longest(piece, length(piece), uses.alone(piece.id)))
    return chosen


def _readings(tokenizer: Tokenizer) -> Iterator[tuple[int, str, str]]:
    """Each id with its token and kind."""
    spec = tokenizer.spec
    added = {token.id: token for token in spec.added_tokens}
    for id, token in added.items():
        yield id, token.content, "special token" if token.special else "added token"
    unknown = _unknown(spec.model)
    visible = is_byte_level(spec.pre_tokenizer)
    of_bytes = visible or (isinstance(spec.model, BPE) and spec.model.unit == "byte")
    mark = _mark(spec.model).encode()
    ids = spec.model.ids
    for row, entry in enumerate(spec.model.vocab):
        id = row if ids is None else int(ids.values[row])
        if id not in added:
            data = bytes_of(entry) if visible else entry
            is_unknown = row == unknown.id or entry == unknown.name
            kind = "character" if mark and entry == mark else _kind(data, of_bytes)
            yield id, show(data), "unknown token" if is_unknown else kind


def _mark(model: Model) -> str:
    """What stands at the end of each word, one sign however it is written; empty for none."""
    if not isinstance(model, BPE):
        return ""
    return model.end_of_word or model.end_of_word_suffix or ""


class _Unknown(NamedTuple):
    """What stands for the unknown, by its id or by its name."""

    id: int | None = None
    name: bytes | None = None


def _unknown(model: Model) -> _Unknown:
    if isinstance(model, Unigram):
        return _Unknown(id=model.unk_id)
    name = model.unk_token
    return _Unknown(name=name.encode() if name else None)


def _kind(data: bytes, of_bytes: bool) -> str:
    text = show(data)
    if (of_bytes and len(data) == 1) or _FALLBACK_BYTE.fullmatch(text):
        return "byte"
    try:
        return "character" if len(data.decode()) == 1 else "longer"
    except UnicodeDecodeError:
        return "part of characters"


class _Uses:
    """For each token that merges made or used: its parts, and the tokens made of it."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.parts: dict[int, set[int]] = defaultdict(set)
        self.wholes: dict[int, set[int]] = defaultdict(set)
        model = tokenizer.spec.model
        merges = model.merges if isinstance(model, BPE) else None
        self.known = merges is not None or not isinstance(model, BPE)
        if merges is not None:
            columns = (merges.left.tolist(), merges.right.tolist(), merges.result.tolist())
            for left, right, result in zip(*columns, strict=True):
                self.parts[result] |= {left, right}
                self.wholes[left].add(result)
                self.wholes[right].add(result)

    def alone(self, id: int) -> int | None:
        """How many tokens that merges made lead to this one and to no other, itself included."""
        if not self.known:
            return None
        alone = {id}
        grown = True
        while grown:
            parts = {part for token in alone for part in self.parts[token]} - alone
            more = {part for part in parts if self.parts[part] and self.wholes[part] <= alone}
            grown = bool(more)
            alone |= more
        return len(alone)
