"""Pieces that may be control tokens, though no file says that they are special.

Rule.    An added token, or a user-defined piece of a .model, is a mark if it looks like a control
         token, as `<end_of_turn>` and `[INST]` do, and if the template has it. Marks are control
         tokens where the template put them, and text everywhere else.
Cost.    A look at all added tokens and pieces, once; a tokenizer without the marks of a template is
         made when a message first imitates a control token, and kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from kugiri.spec import (
    Metaspace,
    PieceType,
    PreTokenizer,
    PreTokenizers,
    SentencePieceNormalizer,
    TokenizerSpec,
    WordPiece,
)
from kugiri.tables import Column

if TYPE_CHECKING:
    from kugiri.tokenizer import Tokenizer

_OPENING, _CLOSING = tuple("<[{|（＜｜"), tuple(">]}|）＞｜")


class Marks:
    """Those of a tokenizer.

    Attributes:
        named: each by its id.
        of: the ids of those that a template has; the last answers are kept.
        wide: the ids of added tokens that take in the white space beside them.
        pieces: the ids of user-defined pieces, behind which a .model puts no space.
    """

    def __init__(self, tok: Tokenizer) -> None:
        """Look for them."""
        self._tok = tok
        pieces = [(it.id, it.content) for it in tok.spec.added_tokens if not it.special]
        pieces += (user_defined := _user_defined(tok.spec))
        self.wide = frozenset(it.id for it in tok.spec.added_tokens if it.lstrip or it.rstrip)
        self.pieces = frozenset(id for id, _ in user_defined)
        self.named = {id: piece for id, piece in pieces if _looks_like_one(piece)}
        self.of = lru_cache(maxsize=16)(self._of)
        self._texts: dict[frozenset[int], tuple[Tokenizer, Tokenizer, Tokenizer]] = {}

    def _of(self, written: str) -> frozenset[int]:
        return frozenset(id for id, piece in self.named.items() if piece in written)

    def texts(self, marks: frozenset[int]) -> tuple[Tokenizer, Tokenizer, Tokenizer]:
        """What encodes text without these: first, behind a control token, and behind a piece."""
        if marks not in self._texts:
            spec = _without(self._tok.spec, marks)
            specs = (spec, further(spec), _without_space(spec))
            first, second, third = map(self._like, specs)
            self._texts[marks] = (first, second, third)
        return self._texts[marks]

    def _like(self, spec: TokenizerSpec) -> Tokenizer:
        tok = self._tok
        return tok if spec is tok.spec else type(tok)(spec)


def _looks_like_one(piece: str) -> bool:
    return (
        piece.startswith(_OPENING)
        and piece.endswith(_CLOSING)
        and re.search(r"\w", piece[1:-1]) is not None
    )


def _user_defined(spec: TokenizerSpec) -> list[tuple[int, str]]:
    model = spec.model
    if isinstance(model, WordPiece) or model.piece_types is None:
        return []
    rows = np.flatnonzero(model.piece_types.values == PieceType.USER_DEFINED)
    ids = rows if model.ids is None else model.ids.values[rows]
    return [
        (id, model.vocab[row].decode(errors="replace"))
        for id, row in zip(ids.tolist(), rows.tolist(), strict=True)
    ]


def _without(spec: TokenizerSpec, marks: Iterable[int]) -> TokenizerSpec:
    """The same where these come out of no text: special if added, of no use if of the model."""
    if not marks:
        return spec
    added = tuple(replace(it, special=True) if it.id in marks else it for it in spec.added_tokens)
    model = spec.model
    if not isinstance(model, WordPiece) and model.piece_types is not None:
        types = model.piece_types.values.copy()
        ids = np.arange(len(types)) if model.ids is None else model.ids.values
        types[(types == PieceType.USER_DEFINED) & np.isin(ids, [*marks])] = PieceType.UNUSED
        model = replace(model, piece_types=Column(types, np.uint8))
    return replace(spec, added_tokens=added, model=model)


def _without_space(spec: TokenizerSpec) -> TokenizerSpec:
    if not isinstance(spec.normalizer, SentencePieceNormalizer):
        return spec
    return replace(spec, normalizer=replace(spec.normalizer, add_dummy_prefix=False))


def further(spec: TokenizerSpec) -> TokenizerSpec:
    """The same for text that stands behind a control token: it is not the first any more."""
    if spec.pre_tokenizer is None:
        return spec
    changed = _not_first(spec.pre_tokenizer)
    return spec if changed == spec.pre_tokenizer else replace(spec, pre_tokenizer=changed)


def _not_first(part: PreTokenizer) -> PreTokenizer:
    if isinstance(part, PreTokenizers):
        return PreTokenizers(tuple(map(_not_first, part.pre_tokenizers)))
    if isinstance(part, Metaspace) and part.prepend_scheme == "first":
        return replace(part, prepend_scheme="never")
    return part
