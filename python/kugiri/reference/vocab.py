"""The vocabulary: which id stands for which bytes.

Rule.    Text is looked up among the tokens of the model, ids among these and the added tokens. A
         whole word is never taken for a special token: it only looks like one. Where the pieces of
         a model have types, text becomes only what is meant for text.
Cost.    Two dictionaries; the core keeps the flat buffers of the spec.
Source.  `<e5 b0>` for a part of a character: document 001 (tests/vectors/seeds.toml says which).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kugiri.encoding import Token
from kugiri.errors import EncodingError, VocabularyError
from kugiri.lazy import lazy_property
from kugiri.reference.alignment import character_span
from kugiri.reference.user_defined import UserDefined
from kugiri.spec import AddedToken, Model, PieceType, Unigram
from kugiri.tables import Column

SPACE = "▁"
"""How the pieces of a .model show a space."""


class Piece(NamedTuple):
    """The bytes that an id stands for, whether it was added to the model, and what it is for."""

    text: bytes
    added: bool = False
    type: int = PieceType.NORMAL


class Vocabulary:
    """Lookups both ways.

    Attributes:
        ids: token bytes → id, the tokens of the model; of two equal ones the last.
        text_ids: the same for those that text can become; unused ones still help BPE to merge.
        unused: the ids that never come out.
        byte_ids: byte → id of the token that an unknown character falls back to.
        user_defined: the symbols that are taken as they stand.
    """

    def __init__(
        self,
        model: Model,
        added_tokens: Sequence[AddedToken] = (),
        forms: Sequence[str] | None = None,
    ) -> None:
        """Lay out the tables of a spec; `forms` are the strings that the added tokens stand for."""
        self._model = model
        rows = _rows(model)
        of_type = {type: {text: id for text, id, its in rows if its == type} for type in PieceType}
        normal, symbols = of_type[PieceType.NORMAL], of_type[PieceType.USER_DEFINED]
        unused = of_type[PieceType.UNUSED]
        self.ids: dict[bytes, int] = {text: id for text, id, _ in rows}
        self.text_ids: dict[bytes, int] = normal | symbols | unused
        self.unused = frozenset(unused.values())
        self.user_defined = UserDefined(symbol.decode() for symbol in symbols)
        self._unknown = next(iter(of_type[PieceType.UNKNOWN].values()), None)
        # tokenizers has no types: there the names say it, where byte_fallback is on.
        named = normal if getattr(model, "byte_fallback", False) else {}
        fallback = of_type[PieceType.BYTE] or named
        self.byte_ids = {
            byte: id for text, id in fallback.items() if (byte := byte_of(text)) is not None
        }
        self._special = {token.id for token in added_tokens if token.special}
        special_strings = {token.content for token in added_tokens if token.special}
        self._skipped: set[int] = set()
        self._pieces = {id: Piece(text, False, type) for text, id, type in rows}
        for token, form in zip(added_tokens, forms or _contents(added_tokens), strict=True):
            type = self._pieces[token.id].type if token.id in self._pieces else PieceType.NORMAL
            self._pieces[token.id] = Piece(form.encode(), True, type)
            # tokenizers skips by the string that is shown, not by the id.
            (self._skipped.add if form in special_strings else self._skipped.discard)(token.id)

    @lazy_property
    def unknown_id(self) -> int | None:
        """The id for what is not in the vocabulary: by its type, by number, or by name.

        A name that no token has is none: only a text that needs it is refused, as in tokenizers.
        """
        if self._unknown is not None:
            return self._unknown
        if isinstance(self._model, Unigram):
            return self._model.unk_id
        name: str | None = getattr(self._model, "unk_token", None)
        return None if name is None else self.ids.get(name.encode())

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
        id = self.text_ids.get(word)
        return None if id in self._special or id in self.unused else id

    def string(self, token: Token) -> bytes:
        """The string of a token in the vocabulary, which for an unknown one is not its text.

        One without an id is no string of the vocabulary, whatever its text.
        """
        if token.id is not None:
            return self._strings[token.id]
        return token.text if token.text not in self.ids else b"\xff" + token.text

    def own(self, id: int) -> bytes:
        """The string of a token of the model, whatever an added token with its id matches."""
        return self._strings[id]

    @lazy_property
    def _strings(self) -> dict[int, bytes]:
        return {id: text for text, id, _ in _rows(self._model)}

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
        return [self.piece(id) for id in ids if not (skip_special_tokens and id in self._skipped)]


def _contents(added_tokens: Sequence[AddedToken]) -> list[str]:
    return [token.content for token in added_tokens]


def _rows(model: Model) -> list[tuple[bytes, int, int]]:
    """Token, id and type of each token of a model."""
    ids = range(len(model.vocab)) if model.ids is None else model.ids.values.tolist()
    types: Column | None = getattr(model, "piece_types", None)
    numbers = [PieceType.NORMAL] * len(model.vocab) if types is None else types.values.tolist()
    return list(zip(model.vocab, ids, numbers, strict=True))


def byte_of(token: bytes) -> int | None:
    """The byte that a token like <0x0A> stands for.

    Example:
        >>> byte_of(b"<0x0A>"), byte_of(b"<0x0a>")
        (10, None)
    """
    try:
        byte = int(token[3:5], 16)
    except ValueError:
        return None
    return byte if token == b"<0x%02X>" % byte else None


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
