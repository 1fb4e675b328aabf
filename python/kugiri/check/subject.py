"""What checks look at: a tokenizer, its vocabulary, and a text that it was made for.

Cost.    What several checks need is made once.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property

import numpy as np

from kugiri.encoding import Ids
from kugiri.errors import EncodingError
from kugiri.explain.glyphs import visible
from kugiri.measure.vocabulary import Vocabulary, vocabulary_of
from kugiri.reference.byte_alphabet import CHARACTER_OF
from kugiri.spec import (
    BPE,
    ByteLevelNormalizer,
    Normalizer,
    Normalizers,
    TokenizerSpec,
    is_byte_level,
)
from kugiri.tokenizer import Tokenizer
from kugiri.unicode import NEWEST, category

CONTEXTS = ("", "a", "あ")
"""What a text may stand behind; only the first may have a space put before it."""
_BYTE_OF = {CHARACTER_OF[byte]: byte for byte in range(256)}
_AT_ONCE = 128
"""Characters that are normalized in one text."""


class Subject:
    """A tokenizer that is checked.

    Attributes:
        tokenizer: the tokenizer.
        documents: a text like those that it is for; none may be given.
    """

    def __init__(self, tokenizer: Tokenizer, documents: Sequence[str] = ()) -> None:
        """Take both; nothing is looked at yet."""
        self.tokenizer = tokenizer
        self.documents = documents

    @property
    def spec(self) -> TokenizerSpec:
        """The description of the tokenizer."""
        return self.tokenizer.spec

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """What each id stands for."""
        return vocabulary_of(self.tokenizer)

    @property
    def of_bytes(self) -> bool:
        """Whether the tokens are made of bytes, so that a part of a character may be one."""
        model = self.spec.model
        return is_byte_level(self.spec.pre_tokenizer) or (
            isinstance(model, BPE) and model.unit == "byte"
        )

    @property
    def drops_unknown(self) -> bool:
        """Whether nothing stands for a character that is not in the vocabulary."""
        table = self.vocabulary
        return not (self.of_bytes or table.bytes.any() or table.unknown.any())

    @cached_property
    def missing_bytes(self) -> frozenset[int]:
        """The bytes that a vocabulary of bytes does not have; text loses them."""
        if not self.of_bytes:
            return frozenset()
        shown = is_byte_level(self.spec.pre_tokenizer)
        entries = {bytes(entry) for entry in self.spec.model.vocab if len(entry) <= 2}
        spelled = {
            byte: CHARACTER_OF[byte].encode() if shown else bytes([byte]) for byte in range(256)
        }
        return frozenset(byte for byte, entry in spelled.items() if entry not in entries)

    @cached_property
    def seen(self) -> frozenset[int]:
        """The tokens of every assigned character, alone, behind a letter or space, and twice."""
        seen: set[int] = set()
        every = characters()
        for before, times in (("", 1), (" ", 1), ("a", 1), ("", 2)):
            for ids in self.encode(before + character * times for character in every):
                seen.update(() if ids is None else ids.tolist())
        return frozenset(seen)

    def normalize(self, text: str) -> str:
        """What the normalizer makes of a text, spaces as spaces and none put before it."""
        after = self.tokenizer.normalize(text)
        if any(isinstance(part, ByteLevelNormalizer) for part in parts_of(self.spec.normalizer)):
            return bytes(_BYTE_OF[character] for character in after).decode(errors="replace")
        if after != text and "▁" not in text:
            after = after.replace("▁", " ")
            after = after[1:] if after[:1] == " " and text[:1] != " " else after
        return after

    @cached_property
    def changed(self) -> dict[str, str]:
        """What the normalizer makes of each character between letters, where that is not itself."""
        every = characters()
        if self.spec.normalizer is None:
            return {}
        starts = range(0, len(every), _AT_ONCE)
        pairs = (pair for at in starts for pair in self._normalized(every[at : at + _AT_ONCE]))
        return {character: after for character, after in pairs if after != character}

    @cached_property
    def sources(self) -> dict[str, str]:
        """What the normalizer makes, each with the first character that it makes it of."""
        return {after: character for character, after in reversed(self.changed.items())}

    def _normalized(self, some: list[str]) -> Iterator[tuple[str, str]]:
        """Characters and what becomes of them; none of those that take a letter beside them."""
        text = f"x{'x'.join(some)}x"
        after = self.normalize(text)
        pieces = after.split("x")[1:-1]
        if after == text:
            return
        if len(pieces) == len(some):
            yield from zip(some, pieces, strict=True)
        elif len(some) > 1:
            middle = len(some) // 2
            yield from self._normalized(some[:middle])
            yield from self._normalized(some[middle:])

    @cached_property
    def encoded_documents(self) -> list[Ids]:
        """The ids of each document; none of one that is refused."""
        none = np.empty(0, np.uint32)
        return [none if ids is None else ids for ids in self.encode(self.documents)]

    @cached_property
    def used(self) -> frozenset[int]:
        """The tokens that the documents become."""
        return frozenset(id for ids in self.encoded_documents for id in np.unique(ids).tolist())

    def encode(self, texts: Iterable[str]) -> list[Ids | None]:
        """The ids of texts; None for one with a character that has no id."""
        texts = list(texts)
        try:
            return list(self.tokenizer.encode_batch(texts))
        except EncodingError:
            return [self._encode_one(text) for text in texts]

    def _encode_one(self, text: str) -> Ids | None:
        try:
            return self.tokenizer.encode_array(text)
        except EncodingError:
            return None

    def names(self, ids: Iterable[int]) -> str:
        """Tokens as they are read, `|` between them."""
        return "|".join(self.vocabulary.name(int(id)) for id in ids)


def parts_of(normalizer: Normalizer | None) -> Iterator[Normalizer]:
    """The single stages of a normalizer."""
    if isinstance(normalizer, Normalizers):
        for each in normalizer.normalizers:
            yield from parts_of(each)
    elif normalizer is not None:
        yield normalizer


@cache
def characters() -> list[str]:
    """Every character that Unicode has assigned, but for those of private use."""
    every = (chr(code) for code in range(sys.maxunicode + 1))
    return [
        character for character in every if category(character, NEWEST) not in ("Cn", "Co", "Cs")
    ]


def readable(text: str) -> str:
    r"""A text as it is read, glyphs for what cannot be seen.

    Example:
        >>> readable("a\u200b b")
        'a<ZWSP>␠b'
    """
    return visible(text)


def printable(text: str) -> str:
    r"""A text with glyphs for what a terminal would obey or not show, and its spaces.

    Example:
        >>> printable("a b\x1b[31m")
        'a b␛[31m'
    """
    return "".join(it if it.isprintable() else visible(it) for it in text)
