"""Flat buffers for what is large: vocabularies, merges, columns of numbers.

A vocabulary of 262,000 pieces is two arrays here and never 262,000 Python objects, so that loading
costs what reading the bytes costs. Equality is by content; nothing here is ever written to after
it was made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, overload

import numpy as np
import numpy.typing as npt

U32 = npt.NDArray[np.uint32]
U64 = npt.NDArray[np.uint64]
I64 = npt.NDArray[np.int64]


class Tokens(Sequence[bytes]):
    """Byte strings end to end: token i is `data[offsets[i]:offsets[i + 1]]`.

    Attributes:
        data: all strings, concatenated.
        offsets: int64, one more than there are tokens; starts with 0, ascends.

    Example:
        >>> tokens = Tokens.from_iter([b"a", "猫".encode()])
        >>> len(tokens), tokens[1].decode()
        (2, '猫')
    """

    __slots__ = ("data", "offsets")

    def __init__(self, data: bytes, offsets: I64) -> None:
        """Check the shape once, so that no reader has to.

        Raises:
            ValueError: the offsets do not start at 0, ascend and end at the length of the data.
        """
        offsets = np.array(offsets, np.int64)
        if offsets.ndim != 1 or len(offsets) == 0 or offsets[0] != 0 or offsets[-1] != len(data):
            raise ValueError(f"offsets must run from 0 to the {len(data)} bytes of the data")
        if np.any(offsets[1:] < offsets[:-1]):
            raise ValueError("offsets must ascend")
        offsets.flags.writeable = False
        self.data = data
        self.offsets = offsets

    @classmethod
    def from_iter(cls, tokens: Iterable[bytes]) -> Tokens:
        """Lay the given byte strings end to end."""
        items = list(tokens)
        offsets = np.zeros(len(items) + 1, np.int64)
        np.cumsum([len(item) for item in items], out=offsets[1:])
        return cls(b"".join(items), offsets)

    def __len__(self) -> int:
        """The number of tokens."""
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, index: int) -> bytes: ...
    @overload
    def __getitem__(self, index: slice) -> list[bytes]: ...
    def __getitem__(self, index: int | slice) -> bytes | list[bytes]:
        """One token, or a list of them."""
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"token {index} of {len(self)}")
        index %= len(self)
        return self.data[self.offsets[index] : self.offsets[index + 1]]

    def __iter__(self) -> Iterator[bytes]:
        """Each token in turn."""
        bounds = self.offsets.tolist()
        return (self.data[start:end] for start, end in pairwise(bounds))

    def __eq__(self, other: object) -> bool:
        """Same tokens in the same order."""
        if not isinstance(other, Tokens):
            return NotImplemented
        return self.data == other.data and np.array_equal(self.offsets, other.offsets)

    def __hash__(self) -> int:
        """A hash of the content."""
        return hash((self.data, len(self)))

    def __repr__(self) -> str:
        """The count and the first few tokens."""
        more = ", …" if len(self) > 4 else ""
        return f"Tokens({len(self)}: {', '.join(map(repr, self[:4]))}{more})"


class Merges:
    """The merge list of a BPE model as columns; a merge's rank is its row.

    Attributes:
        left, right, result: uint32 ids. The result of a row is the id of left + right.
        count: uint64 or None; how often the pair stood in the corpus when it was chosen.
        applied: uint64 or None; how many tokens fewer the corpus had after it.
    """

    __slots__ = ("applied", "count", "left", "result", "right")

    def __init__(
        self,
        left: npt.ArrayLike,
        right: npt.ArrayLike,
        result: npt.ArrayLike,
        count: npt.ArrayLike | None = None,
        applied: npt.ArrayLike | None = None,
    ) -> None:
        """Take the columns, all of one length.

        Raises:
            ValueError: the columns differ in length.
        """
        self.left: U32 = _frozen(left, np.uint32)
        self.right: U32 = _frozen(right, np.uint32)
        self.result: U32 = _frozen(result, np.uint32)
        self.count: U64 | None = None if count is None else _frozen(count, np.uint64)
        self.applied: U64 | None = None if applied is None else _frozen(applied, np.uint64)
        lengths = {len(column) for column in self.columns().values()}
        if len(lengths) != 1:
            raise ValueError(f"columns of one merge list differ in length: {sorted(lengths)}")

    @classmethod
    def empty(cls) -> Merges:
        """No merges at all."""
        return cls((), (), ())

    def columns(self) -> dict[str, Any]:
        """The columns that are present, by name."""
        names = ("left", "right", "result", "count", "applied")
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}

    def __len__(self) -> int:
        """The number of merges."""
        return len(self.left)

    def __eq__(self, other: object) -> bool:
        """Same columns with the same content."""
        if not isinstance(other, Merges):
            return NotImplemented
        mine, theirs = self.columns(), other.columns()
        return mine.keys() == theirs.keys() and all(
            np.array_equal(mine[name], theirs[name]) for name in mine
        )

    def __hash__(self) -> int:
        """A hash of the merges themselves."""
        return hash((self.left.tobytes(), self.right.tobytes()))

    def __repr__(self) -> str:
        """The number of merges."""
        return f"Merges({len(self)})"


class Column:
    """One read-only array of numbers that compares by content (scores, piece types, ids)."""

    __slots__ = ("values",)

    def __init__(self, values: npt.ArrayLike, dtype: npt.DTypeLike | None = None) -> None:
        """Keep a read-only view of the values."""
        self.values: npt.NDArray[Any] = _frozen(values, dtype)

    def __len__(self) -> int:
        """The number of values."""
        return len(self.values)

    def __eq__(self, other: object) -> bool:
        """Same type, same numbers; NaN equals NaN."""
        if not isinstance(other, Column):
            return NotImplemented
        return (
            self.values.dtype == other.values.dtype
            and self.values.tobytes() == other.values.tobytes()
        )

    def __hash__(self) -> int:
        """A hash of the content."""
        return hash(self.values.tobytes())

    def __repr__(self) -> str:
        """Type and length."""
        return f"Column({self.values.dtype}, {len(self)})"


def _frozen(values: npt.ArrayLike, dtype: npt.DTypeLike | None) -> npt.NDArray[Any]:
    array = np.array(values, dtype=dtype, order="C")
    if array.ndim != 1:
        raise ValueError(f"a column has one dimension, this has {array.ndim}")
    array.flags.writeable = False
    return array
