"""What flows out of a tokenizer: Token, Encoding, Batch, Hypothesis, Marginal, Chunk.

A span is a pair `(start, end)` of character positions in the original text, end exclusive.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from kugiri.errors import EncodingError, OptionError, described, shown
from kugiri.inputs import as_rows
from kugiri.lazy import lazy_module

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from pyarrow import LargeListArray

    Ids: TypeAlias = npt.NDArray[np.uint32]
else:
    np, Ids = lazy_module("numpy"), Any

Span = tuple[int, int]


class Token(NamedTuple):
    """One token as a stage hands it on.

    Attributes:
        id: its number, or None for a piece that no id stands for (shown, never encoded).
        text: its string in the vocabulary (bytes for a byte-level one).
        start, end: the bytes of the original UTF-8 text that it covers.
    """

    id: int | None
    text: bytes
    start: int
    end: int


@dataclass(frozen=True)
class Encoding:
    """A text as tokens, with the place of each.

    Attributes:
        ids: uint32, one a token.
        tokens: the strings of the original library.
        spans: the spans of the original library, its quirks included.
        covering_spans: each token with exactly the characters that it touches.
        byte_spans: the same in bytes of the UTF-8 text, exact even inside a character.
        special: True where the token is a special token.
        type_ids: the number that the template gives each token, for example 1 in the second text.
        sequence_ids: 0 where the token is of the first text, 1 of the second of a pair, None where
            the template put it in.
    """

    ids: Ids
    tokens: list[str]
    spans: list[Span]
    covering_spans: list[Span]
    byte_spans: list[Span]
    special: list[bool]
    type_ids: list[int]
    sequence_ids: list[int | None]

    def __len__(self) -> int:
        """The number of tokens."""
        return len(self.ids)


class Batch:
    """The ids of many texts in two flat arrays: text i is `ids[offsets[i]:offsets[i + 1]]`.

    Attributes:
        ids: uint32, all texts end to end.
        offsets: int64, one more than there are texts.

    Example:
        >>> batch = Batch(np.array([1, 2, 3], np.uint32), np.array([0, 2, 3]))
        >>> len(batch), batch[0].tolist(), batch.to_lists()
        (2, [1, 2], [[1, 2], [3]])
    """

    __slots__ = ("ids", "offsets")

    def __init__(self, ids: Ids, offsets: npt.NDArray[np.int64]) -> None:
        """Check the shape once, so that no reader has to.

        Raises:
            OptionError: these are no such arrays.
            EncodingError: the offsets do not start at 0, ascend and end at the number of ids.
        """
        for name, array, dtype in (("ids", ids, np.uint32), ("offsets", offsets, np.int64)):
            if not isinstance(array, np.ndarray) or array.dtype != dtype or array.ndim != 1:
                came = getattr(array, "dtype", described(array))
                raise OptionError(
                    f"a batch is ids of uint32 and offsets of int64, flat arrays; for {name} "
                    f"{came} came; Batch.from_lists makes one from lists"
                )
        bounds = (int(offsets[0]), int(offsets[-1])) if len(offsets) else None
        if bounds != (0, len(ids)) or np.any(offsets[1:] < offsets[:-1]):
            raise EncodingError(f"offsets must ascend from 0 to the {len(ids)} ids of the batch")
        self.ids = np.ascontiguousarray(ids)
        self.offsets = np.ascontiguousarray(offsets)

    @classmethod
    def from_lists(cls, rows: Iterable[Iterable[int]]) -> Batch:
        """Lay rows of ids end to end.

        Raises:
            OptionError: these are no lists of whole numbers.
            VocabularyError: a number is less than 0 or more than 2**32 - 1.
        """
        arrays = as_rows(rows)
        offsets = np.zeros(len(arrays) + 1, np.int64)
        np.cumsum([len(row) for row in arrays], out=offsets[1:])
        return cls(np.concatenate(arrays) if arrays else np.zeros(0, np.uint32), offsets)

    def __len__(self) -> int:
        """The number of texts."""
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> Ids:
        """The ids of one text, a view."""
        if not isinstance(index, (int, np.integer)):
            raise OptionError(f"a text of a batch has a number; {described(index)} came")
        if not -len(self) <= index < len(self):
            raise IndexError(f"text {shown(index)} of {len(self)}")
        index %= len(self)
        return self.ids[self.offsets[index] : self.offsets[index + 1]]

    def __iter__(self) -> Iterator[Ids]:
        """The ids of each text."""
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        """How many texts and ids."""
        return f"Batch({len(self)} texts, {len(self.ids)} ids)"

    def to_lists(self) -> list[list[int]]:
        """Every text as a list of Python ints."""
        ids, bounds = self.ids.tolist(), self.offsets.tolist()
        return [ids[start:end] for start, end in pairwise(bounds)]

    def to_arrow(self) -> LargeListArray:
        """The same as an Arrow array of lists of uint32, without a copy: a column for a table.

        Raises:
            OptionError: the package pyarrow is not installed.
        """
        try:
            import pyarrow
        except ImportError as error:
            raise OptionError(
                "to_arrow needs the package pyarrow; pip install 'kugiri[arrow]'"
            ) from error
        ids, offsets = pyarrow.array(self.ids), pyarrow.array(self.offsets)
        return pyarrow.LargeListArray.from_arrays(offsets, ids)


class Hypothesis(NamedTuple):
    """One of the ways to cut a text.

    Attributes:
        ids: one a token.
        tokens: their strings, as in Encoding.
        log_prob: the sum of the scores of its pieces.
        posterior: its probability among all ways to cut the text.
    """

    ids: list[int]
    tokens: list[str]
    log_prob: float
    posterior: float


class Marginal(NamedTuple):
    """A piece that stands in a text, as part of some of the ways to cut it.

    Attributes:
        id: its number; None for a character that no piece stands for.
        token: its string, or the character.
        span: where it stands in the original text.
        probability: how likely it is to be part of the cut.
    """

    id: int | None
    token: str
    span: Span
    probability: float


class Chunk(NamedTuple):
    """A part of a long text that fits a limit.

    Attributes:
        text: the part.
        span: where it stands in the whole, in characters.
        ids: uint32.
    """

    text: str
    span: Span
    ids: Ids
