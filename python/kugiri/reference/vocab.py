"""The vocabulary: which id stands for which bytes.

Rule.    A token of the model and a special token may have equal bytes and different ids: text is
         looked up among the tokens of the model only, ids among both.
Cost.    Two dictionaries; the core keeps the flat buffers of the spec.
Source.  `<e5 b0>` for a part of a character as document 001 of the project shows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kugiri.encoding import Token
from kugiri.errors import EncodingError, VocabularyError
from kugiri.reference.alignment import character_span
from kugiri.spec import AddedToken, Model


class Piece(NamedTuple):
    """The bytes that an id stands for, and whether it is a token added to the model."""

    text: bytes
    added: bool


class Vocabulary:
    """Lookups both ways.

    Attributes:
        ids: token bytes → id, the tokens of the model.
    """

    def __init__(self, model: Model, added_tokens: Sequence[AddedToken] = ()) -> None:
        """Lay out the tables of a spec."""
        ids = range(len(model.vocab)) if model.ids is None else model.ids.values.tolist()
        self.ids: dict[bytes, int] = dict(zip(model.vocab, ids, strict=True))
        self._added = {token.content: token.id for token in added_tokens}
        self._special = {token.id for token in added_tokens if token.special}
        self._pieces = {id: Piece(token, False) for token, id in self.ids.items()}
        self._pieces |= {token.id: Piece(token.content.encode(), True) for token in added_tokens}

    def unknown_id(self, unk_token: str | None) -> int | None:
        """The id for what is not in the vocabulary, if it has one."""
        if unk_token is None:
            return None
        return self.ids.get(unk_token.encode(), self._added.get(unk_token))

    def piece(self, id: int) -> Piece:
        """What an id stands for.

        Raises:
            VocabularyError: no token has this id.
        """
        if id not in self._pieces:
            raise VocabularyError(
                f"no token has the id {id}; the {len(self._pieces)} tokens of this vocabulary have "
                f"ids up to {max(self._pieces, default=-1)}; decode with the tokenizer that encoded"
            )
        return self._pieces[id]

    def pieces(self, ids: Iterable[int], skip_special_tokens: bool = False) -> list[Piece]:
        """What the ids stand for, one after another."""
        return [self.piece(id) for id in ids if not (skip_special_tokens and id in self._special)]


def require_ids(tokens: Iterable[Token], text: str) -> list[Token]:
    """Return the tokens of a text if all have ids.

    Raises:
        EncodingError: one has none.
    """
    checked = []
    for token in tokens:
        if token.id is None:
            place, _ = character_span(text, token.start, token.end)
            raise EncodingError(
                f"{show(token.text)!r} at character {place} is not in the vocabulary, and there is "
                "no token for the unknown; train with special_tokens=['<unk>'] or unit='byte'"
            )
        checked.append(token)
    return checked


def show(token: bytes) -> str:
    """Return a token as it is shown: its text, or its bytes where it is not whole characters.

    Example:
        >>> show("猫".encode()), show("小".encode()[:2])
        ('猫', '<e5 b0>')
    """
    try:
        return token.decode()
    except UnicodeDecodeError:
        return f"<{token.hex(' ')}>"
