"""What flows out of a tokenizer: Token, Encoding, Batch, Padded, Hypothesis, Marginal, Chunk.

A span is a pair `(start, end)` of character positions in the original text, end exclusive.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from kugiri.errors import EncodingError, OptionError, described, shown
from kugiri.inputs import as_ids, as_rows
from kugiri.lazy import lazy_module
from kugiri.padding import Direction, fill_up, padded_length

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
        word_ids: the number of the pre-token of its text that each token is part of, an added token
            counting as one; None where the template put it in.
    """

    ids: Ids
    tokens: list[str]
    spans: list[Span]
    covering_spans: list[Span]
    byte_spans: list[Span]
    special: list[bool]
    type_ids: list[int]
    sequence_ids: list[int | None]
    word_ids: list[int | None]

    def __len__(self) -> int:
        """The number of tokens."""
        return len(self.ids)

    @property
    def attention_mask(self) -> list[int]:
        """1 for every token: nothing is filled up here."""
        return [1] * len(self)

    @property
    def special_tokens_mask(self) -> list[int]:
        """1 where the template put a token in."""
        return [int(number is None) for number in self.sequence_ids]


class Padded(NamedTuple):
    """The rows of a batch at one length, int64.

    Attributes:
        input_ids: the ids, rows × tokens.
        attention_mask: 1 for an id of a text, 0 where a row was filled up.
    """

    input_ids: npt.NDArray[np.int64]
    attention_mask: npt.NDArray[np.int64]


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

    def pad(
        self,
        pad_id: int,
        *,
        length: int | None = None,
        direction: Direction = "right",
        pad_to_multiple_of: int | None = None,
    ) -> Padded:
        """Fill every text up to one length, as arrays.

        Args:
            pad_id: what is filled in.
            length: of all rows; None for that of the longest.
            direction: the side that is filled up, "right" or "left".
            pad_to_multiple_of: go on to the next multiple of this length.

        Raises:
            OptionError: an option has a wrong value, or a text is longer than `length`.

        Example:
            >>> Batch.from_lists([[1, 2, 3], [4]]).pad(0)
            Padded(input_ids=array([[1, 2, 3],
                   [4, 0, 0]]), attention_mask=array([[1, 1, 1],
                   [1, 0, 0]]))
        """
        longest = int(np.diff(self.offsets).max(initial=0))
        width = padded_length(longest, length, pad_to_multiple_of)
        if longest > width:
            raise OptionError(
                f"length is {width}, and a text has {longest} tokens; give a larger one, or cut "
                f"texts with Tokenizer.model_inputs(..., truncation=...)"
            )
        filled = fill_up(self.offsets, width, direction)
        pad = int(as_ids([pad_id])[0])
        rows = (filled.put(self.ids, pad), filled.put(np.ones_like(self.ids), 0))
        return Padded(*(row.astype(np.int64).reshape(len(self), width) for row in rows))

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
