"""The vocabulary: which id stands for which bytes.

Rule.    Text is looked up among the tokens of the model, ids among these and the added tokens. A
         whole word is never taken for a special token: it only looks like one.
Cost.    Two dictionaries; the core keeps the flat buffers of the spec.
Source.  `<e5 b0>` for a part of a character: document 001 (tests/vectors/seeds.toml says which).
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
        ids: token bytes → id, the tokens of the model; of two equal ones the last.
    """

    def __init__(self, model: Model, added_tokens: Sequence[AddedToken] = ()) -> None:
        """Lay out the tables of a spec."""
        ids = range(len(model.vocab)) if model.ids is None else model.ids.values.tolist()
        self.ids: dict[bytes, int] = dict(zip(model.vocab, ids, strict=True))
        self._special = {token.id for token in added_tokens if token.special}
        self._pieces = {id: Piece(text, False) for text, id in zip(model.vocab, ids, strict=True)}
        self._pieces |= {token.id: Piece(token.content.encode(), True) for token in added_tokens}

    def id_of_named(self, role: str, token: str | None) -> int | None:
        """The id of a token that the model names in some role; None if it names none.

        Raises:
            VocabularyError: the model names a token that it does not have.
        """
        if not token:
            return None
        if token.encode() not in self.ids:
            raise VocabularyError(
                f"the {role} {token!r} is not in the vocabulary; add it, or name none"
            )
        return self.ids[token.encode()]

    def word_id(self, word: bytes) -> int | None:
        """The id of a whole word, if it is a token that text can become."""
        id = self.ids.get(word)
        return None if id in self._special else id

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
