"""Where tokens stand in the text, for all documents at once.

Rule.    The documents lie end to end, in UTF-8. A token stands where the core says that its bytes
         came from, whatever the normalizer made of them; one that was put in stands nowhere.
Cost.    One encoding with places, document by document: for samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from kugiri.measure.draws import Integers
from kugiri.measure.repeated import repeated_bytes

if TYPE_CHECKING:
    from kugiri.tokenizer import Tokenizer


class TextBytes:
    """Documents end to end.

    Attributes:
        documents: they.
        data: their bytes, uint8.

    Example:
        >>> text = TextBytes(["a猫", "", "b"])
        >>> text.byte_starts, text.character_starts
        (array([0, 4, 4, 5]), array([0, 2, 2, 3]))
        >>> text.character_at, text.code_points
        (array([0, 1, 1, 1, 2]), array([   97, 29483,    98], dtype=uint32))
    """

    def __init__(self, documents: Sequence[str]) -> None:
        self.documents = documents
        parts = [document.encode() for document in documents]
        self.data = np.frombuffer(b"".join(parts), np.uint8)
        self.byte_starts = _starts([len(part) for part in parts])
        self.character_starts = _starts([len(document) for document in documents])

    @cached_property
    def code_points(self) -> npt.NDArray[np.uint32]:
        """(characters,): all of them."""
        return np.frombuffer("".join(self.documents).encode("utf-32-le"), np.uint32)

    @cached_property
    def character_at(self) -> Integers:
        """(bytes,): the character that each byte is part of."""
        begins: Integers = np.cumsum((self.data & 0xC0) != 0x80)
        return begins - 1

    @cached_property
    def repeated(self) -> npt.NDArray[np.bool_]:
        """(bytes,): whether each is part of a phrase that stands in the documents twice or more."""
        return repeated_bytes(self.data, self.byte_starts)

    def sums(self, of_characters: npt.NDArray[np.generic]) -> npt.NDArray[np.int64]:
        """(documents,): the sum over the characters of each."""
        return np.diff(_starts(of_characters)[self.character_starts])


class Places(NamedTuple):
    """The bytes that tokens cover, in the documents end to end.

    Attributes:
        starts, ends: of each token; equal for one that stands nowhere.
    """

    starts: Integers
    ends: Integers


def places_of(tokenizer: Tokenizer, text: TextBytes) -> Places:
    """The place of each token of all documents, in their order.

    Example:
        >>> from kugiri.measure.example import tokenizer_of
        >>> places_of(tokenizer_of(["ab"]), TextBytes(["abc", "c"]))
        Places(starts=array([0, 2, 3]), ends=array([2, 3, 4]))
    """
    spans = [np.zeros((0, 2), np.int64)]
    for start, document in zip(text.byte_starts.tolist(), text.documents, strict=False):
        _, covered, *_ = tokenizer._core.encode_spans(document, None)
        spans.append(covered.reshape(-1, 2) + start)
    starts, ends = np.concatenate(spans).T
    return Places(np.ascontiguousarray(starts), np.ascontiguousarray(ends))


def _starts(lengths: npt.ArrayLike) -> Integers:
    """Where things of these lengths begin when they lie end to end, and where the last ends."""
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
