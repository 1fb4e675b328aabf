"""What each id of a tokenizer stands for in text: tables that metrics look ids up in.

Rule.    A token stands for the bytes that it puts into the text: visible characters are read as
         their bytes, `<0xE7>` as one byte, ▁ as a space where it is one to the decoder or the
         pre-tokenizer; marks of words (##, </w>) stand for nothing, in a vocabulary of visible
         characters too, and so do special tokens. A token is a part if its bytes are not UTF-8 by
         themselves: it begins or ends inside a character.
Cost.    One look at each token; kept for the tokenizers that were measured last.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from kugiri.errors import VocabularyError
from kugiri.explain.glyphs import visible
from kugiri.explain.readings import bytes_of
from kugiri.measure.draws import Integers
from kugiri.reference.vocab import byte_of, show
from kugiri.spec import (
    BPE,
    ByteLevel,
    ByteLevelDecoder,
    ByteLevelNormalizer,
    Decoder,
    Decoders,
    Literally,
    Metaspace,
    MetaspaceDecoder,
    Normalizer,
    Normalizers,
    PieceType,
    PreTokenizer,
    PreTokenizers,
    Replace,
    SentencePieceDecoder,
    TokenizerSpec,
    Unigram,
    WordPiece,
)

if TYPE_CHECKING:
    from kugiri.tokenizer import Tokenizer

Flags = npt.NDArray[np.bool_]
_SPACE = "▁"
_MOST_HOLES = 1 << 22
"""How many ids may stand for nothing, as in the core: of 2**32 rows no table is made."""
_REGULAR = (PieceType.NORMAL, PieceType.USER_DEFINED, PieceType.BYTE)


class Vocabulary:
    """The tables of a tokenizer, each as long as the highest id + 1.

    Attributes:
        texts: the bytes that each id stands for.
        lengths: how many these are.
        regular: the ids that known text becomes without being asked: all but special tokens, the
            unknown token, pieces that only help to merge, and gaps.
        there: the ids that stand for something, if only for a special token; all others are gaps.
        unknown: the id, where there is one, that stands for what is not in the vocabulary.
        bytes: those that stand for one byte of a character that has no token (`<0xE7>`).
        begins_inside: those whose first bytes belong to a character that begins before.
        leaves_open: those whose last character begins in them and does not end there.

    Example:
        >>> from kugiri.measure.example import tokenizer_of
        >>> table = Vocabulary(tokenizer_of(["猫は"]))
        >>> [table.name(id) for id in (32, 0xE7, 257, 258, 260)]
        ['␠', '<e7>', '猫', '<e7 8c ab e3>', '猫は']
        >>> table.leaves_open[[0xE7, 257, 258]], table.begins_inside[[0x8C, 257]]
        (array([ True, False,  True]), array([ True, False]))
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        """Look at each token.

        Raises:
            VocabularyError: too many ids stand for nothing.
        """
        spec = tokenizer.spec
        size = tokenizer.vocab_size
        named = len(spec.model.vocab) + len(spec.added_tokens)
        if size > named + _MOST_HOLES:
            raise VocabularyError(
                f"{named} tokens have ids up to {size - 1}; at most {_MOST_HOLES} ids may be unused"
            )
        self._entries: dict[int, tuple[bytes, bytes, bytes]] = {}
        self.texts = [b""] * size
        self.regular = np.zeros(size, np.bool_)
        self.unknown = np.zeros(size, np.bool_)
        self.bytes = np.zeros(size, np.bool_)
        self.begins_inside = np.zeros(size, np.bool_)
        self.leaves_open = np.zeros(size, np.bool_)
        reading = _Reading(spec)
        for id, row, entry in _rows(spec):
            type = reading.type(row)
            self._entries[id] = reading.written(entry)
            self.regular[id] = type in _REGULAR
            self.unknown[id] = type == PieceType.UNKNOWN
            self.bytes[id] = type == PieceType.BYTE
            if type not in (PieceType.CONTROL, PieceType.UNKNOWN):
                self.texts[id] = reading.text(entry, type)
        for token in spec.added_tokens:
            self._entries[token.id] = (b"", token.content.encode(), b"")
            if self.unknown[token.id]:
                continue
            self.regular[token.id] = not token.special
            self.texts[token.id] = b"" if token.special else reading.spaced(token.content.encode())
        for id, text in enumerate(self.texts):
            self.begins_inside[id], self.leaves_open[id] = _cut(text)
        self.there = np.zeros(size, np.bool_)
        self.there[list(self._entries)] = True
        self.lengths: Integers = np.array([len(text) for text in self.texts], np.int64)

    def __len__(self) -> int:
        """The highest id + 1."""
        return len(self.texts)

    @property
    def parts(self) -> Flags:
        """The tokens that are not whole characters."""
        return self.begins_inside | self.leaves_open

    def name(self, id: int) -> str:
        """A token as it is read: with its marks, and glyphs for what cannot be seen."""
        return "".join(visible(show(part)) for part in self._entries.get(id, ()))


@lru_cache(maxsize=8)
def vocabulary_of(tokenizer: Tokenizer) -> Vocabulary:
    """The tables of a tokenizer, made once."""
    return Vocabulary(tokenizer)


class _Reading:
    """How the entries of a vocabulary are to be read."""

    def __init__(self, spec: TokenizerSpec) -> None:
        model = spec.model
        self._visible = any(map(_shows_bytes, (spec.normalizer, spec.pre_tokenizer, spec.decoder)))
        marks = {*_space_marks(spec.decoder), *_space_marks(spec.pre_tokenizer)}
        self._spaces = [mark.encode() for mark in sorted(marks)]
        self._prefix, self._suffix = b"", b""
        if isinstance(model, (BPE, WordPiece)):
            self._prefix = (model.continuing_subword_prefix or "").encode()
        if isinstance(model, BPE):
            self._suffix = (model.end_of_word or model.end_of_word_suffix or "").encode()
        types = getattr(model, "piece_types", None)
        self._types = None if types is None else types.values
        self._falls_back = types is None and getattr(model, "byte_fallback", False)
        name = getattr(model, "unk_token", None)
        self._unknown = None if name is None else name.encode()
        self._unknown_row = model.unk_id if isinstance(model, Unigram) else None
        self._vocab = model.vocab

    def type(self, row: int) -> PieceType:
        entry = self._vocab[row]
        if row == self._unknown_row or entry == self._unknown:
            return PieceType.UNKNOWN
        if self._falls_back and byte_of(entry) is not None:
            return PieceType.BYTE
        return PieceType.NORMAL if self._types is None else PieceType(int(self._types[row]))

    def written(self, entry: bytes) -> tuple[bytes, bytes, bytes]:
        """A token between its marks: those before it, it, those behind it."""
        rest = entry.removeprefix(self._prefix)
        own = rest.removesuffix(self._suffix)
        before, behind = entry[: len(entry) - len(rest)], rest[len(own) :]
        return before, bytes_of(own) if self._visible else own, behind

    def text(self, entry: bytes, type: PieceType) -> bytes:
        if type == PieceType.BYTE and (byte := byte_of(entry)) is not None:
            return bytes([byte])
        own = self.written(entry)[1]
        return own if self._visible else self.spaced(own)

    def spaced(self, text: bytes) -> bytes:
        for mark in self._spaces:
            text = text.replace(mark, b" ")
        return text


def _rows(spec: TokenizerSpec) -> Iterator[tuple[int, int, bytes]]:
    """Id, row and entry of all that the model has."""
    ids = spec.model.ids
    numbers = range(len(spec.model.vocab)) if ids is None else ids.values.tolist()
    return (
        (id, row, entry)
        for row, (id, entry) in enumerate(zip(numbers, spec.model.vocab, strict=True))
    )


def _shows_bytes(stage: Decoder | Normalizer | PreTokenizer | None) -> bool:
    """Whether a stage, or one in it, makes visible characters of bytes, or bytes of these."""
    match stage:
        case Decoders(decoders=parts) | PreTokenizers(pre_tokenizers=parts):
            return any(map(_shows_bytes, parts))
        case Normalizers(normalizers=parts):
            return any(map(_shows_bytes, parts))
    return isinstance(stage, (ByteLevel, ByteLevelDecoder, ByteLevelNormalizer))


def _space_marks(stage: Decoder | PreTokenizer | None) -> Iterator[str]:
    """What the decoder makes spaces of, or the pre-tokenizer of spaces."""
    match stage:
        case SentencePieceDecoder():
            yield _SPACE
        case MetaspaceDecoder() | Metaspace():
            yield stage.replacement
        case Replace(pattern=Literally(text=mark), content=" "):
            yield mark
        case Decoders():
            for inner in stage.decoders:
                yield from _space_marks(inner)
        case PreTokenizers():
            for part in stage.pre_tokenizers:
                yield from _space_marks(part)


def _cut(text: bytes) -> tuple[bool, bool]:
    """Whether bytes begin inside a character, and whether they leave one open.

    Example:
        >>> _cut("猫は".encode()[1:4]), _cut("猫".encode()), _cut("猫".encode()[1:])
        ((True, True), (False, False), (True, False))
    """
    try:
        text.decode()
    except UnicodeDecodeError:
        rest = text.lstrip(_CONTINUING)
        return len(rest) < len(text), _is_open(rest)
    return False, False


def _is_open(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data"
    return False


_CONTINUING = bytes(range(0x80, 0xC0))
