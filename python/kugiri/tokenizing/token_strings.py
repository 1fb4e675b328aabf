"""The vocabulary as strings: what an id is called, and which id has a name.

Strings are those of the original library: the vocabulary strings of a tokenizer.json; for .tiktoken
and native byte-level ones the text, or `<e5 b0>` where a token is not whole characters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

import numpy as np

from kugiri.errors import OptionError, VocabularyError, described
from kugiri.lazy import lazy_property
from kugiri.reference.vocab import Piece, show
from kugiri.spec import BPE, PieceType, TokenizerSpec, Unigram, is_byte_level


class TokenStrings:
    """Names of ids; made from a spec and kept by its tokenizer."""

    def __init__(self, spec: TokenizerSpec, normalize: Callable[[str], str]) -> None:
        """Keep the spec and its normalizer; the tables are made when they are first needed."""
        self._spec = spec
        self._normalize = normalize

    @lazy_property
    def size(self) -> int:
        """The highest id + 1."""
        model = self._spec.model
        ids = model.ids.values if model.ids is not None else [len(model.vocab) - 1]
        highest = int(ids[-1]) if len(ids) else -1
        return max([highest, *(token.id for token in self._spec.added_tokens)]) + 1

    @lazy_property
    def special(self) -> dict[str, int]:
        """Special tokens with their ids."""
        return {token.content: token.id for token in self._spec.added_tokens if token.special}

    @lazy_property
    def special_ids(self) -> frozenset[int]:
        """The ids of special tokens."""
        return frozenset(self.special.values())

    @lazy_property
    def ids(self) -> Mapping[str, int]:
        """Every string with its id, added tokens included."""
        model = self._spec.model
        ids = range(len(model.vocab)) if model.ids is None else model.ids.values.tolist()
        strings = {show(token): id for token, id in zip(model.vocab, ids, strict=True)}
        added = {token.content: token.id for token in self._spec.added_tokens}
        return MappingProxyType(strings | added)

    def id(self, token: str | bytes) -> int:
        """The id of a string, or of the bytes of a token.

        Raises:
            OptionError: it is neither.
            VocabularyError: there is no such token.
        """
        if not isinstance(token, (str, bytes)):
            raise OptionError(f"a token is a str or bytes; {described(token)} came")
        if isinstance(token, bytes) and token in self._ids_of_bytes:
            return self._ids_of_bytes[token]
        name = show(token) if isinstance(token, bytes) else token
        if name not in self.ids:
            raise VocabularyError(
                f"no token {token!r} in this vocabulary of {self.size:,}; "
                f"encode it to see the tokens that it is made of"
            )
        return self.ids[name]

    def id_of(self, string: str) -> int | None:
        """The id of a string, if there is such a token; special ones are found without a table."""
        return self.special[string] if string in self.special else self.ids.get(string)

    def has(self, id: int) -> bool:
        """Whether a token has this id."""
        if any(token.id == id for token in self._spec.added_tokens):
            return True
        model = self._spec.model
        if model.ids is None:
            return 0 <= id < len(model.vocab)
        return id in model.ids.values

    @lazy_property
    def _ids_of_bytes(self) -> dict[bytes, int]:
        model = self._spec.model
        ids = range(len(model.vocab)) if model.ids is None else model.ids.values.tolist()
        return dict(zip(model.vocab, ids, strict=True))

    def shown(self, ids: Iterable[int], met: Iterable[tuple[int, bytes]]) -> list[str]:
        """The strings of tokens; `met` has those that are others than in the vocabulary."""
        strings = self.strings
        tokens = [strings[id] for id in ids]
        for index, string in met:
            tokens[index] = show(string)
        return tokens

    def piece(self, id: int) -> Piece:
        """What an id that is in the vocabulary stands for, before any decoder."""
        if id in self._forms:
            return Piece(self._forms[id].encode(), added=True)
        ids = self._spec.model.ids
        row = id if ids is None else int(np.searchsorted(ids.values, np.uint32(id)))
        return Piece(self._spec.model.vocab[row])

    @lazy_property
    def strings(self) -> Mapping[int, str]:
        """The string of each id that is in the vocabulary, made when it is first asked for."""
        return _Strings(self._spec)

    @lazy_property
    def _forms(self) -> dict[int, str]:
        forms = {}
        for token in self._spec.added_tokens:
            forms[token.id] = self._normalize(token.content) if token.normalized else token.content
        return forms

    @lazy_property
    def unknown_id(self) -> int | None:
        """The id that stands for what is not in the vocabulary: by its type, number or name."""
        model = self._spec.model
        types = getattr(model, "piece_types", None)
        if types is not None and PieceType.UNKNOWN in types.data:
            row = types.data.index(PieceType.UNKNOWN)
        elif not isinstance(model, Unigram):
            return None if model.unk_token is None else self.id_of(model.unk_token)
        elif (row := model.unk_id) is None:
            return None
        return row if model.ids is None else int(model.ids.values[row])

    @lazy_property
    def all_text_is_known(self) -> bool:
        """Whether every text can be made of tokens: those of bytes can make any."""
        model = self._spec.model
        return isinstance(model, BPE) and (
            model.unit == "byte" or is_byte_level(self._spec.pre_tokenizer)
        )


class _Strings(dict[int, str]):
    """The strings that were asked for so far, and those of added tokens."""

    def __init__(self, spec: TokenizerSpec) -> None:
        super().__init__((token.id, token.content) for token in spec.added_tokens)
        self._model = spec.model

    def __missing__(self, id: int) -> str:
        ids = self._model.ids
        row = id if ids is None else int(np.searchsorted(ids.values, np.uint32(id)))
        self[id] = string = show(self._model.vocab[row])
        return string
