"""Flat buffers for what is large: vocabularies, merges, columns of numbers.

A vocabulary of 262,000 pieces is two runs of bytes here and never 262,000 Python objects, so that
loading costs what reading the bytes costs. numpy sees them where somebody asks for arrays. Equality
is by content; nothing here is ever written to after it was made.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, overload

from kugiri.lazy import lazy_module, lazy_property

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np
    import numpy.typing as npt

    U32: TypeAlias = npt.NDArray[np.uint32]
    U64: TypeAlias = npt.NDArray[np.uint64]
    I64: TypeAlias = npt.NDArray[np.int64]
else:
    np = lazy_module("numpy")


class Tokens(Sequence[bytes]):
    """Byte strings end to end: token i is `data[offsets[i]:offsets[i + 1]]`.

    Attributes:
        data: all strings, concatenated.
        rows: how the core finds a token, where the reader of a format had that made; else None.

    Example:
        >>> tokens = Tokens.from_iter([b"a", "猫".encode()])
        >>> len(tokens), tokens[1].decode()
        (2, '猫')
    """

    def __init__(self, data: bytes, offsets: I64 | bytes, rows: Any = None) -> None:
        """Check the shape once, so that no reader has to; bytes come from the core, which has.

        Raises:
            ValueError: the offsets do not start at 0, ascend and end at the length of the data.
        """
        if not isinstance(offsets, bytes):
            offsets = _checked(data, offsets)
        self.data = data
        self.offset_bytes = offsets
        self.rows = rows
        self._bounds = memoryview(offsets).cast("q")

    @classmethod
    def from_iter(cls, tokens: Iterable[bytes]) -> Tokens:
        """Lay the given byte strings end to end."""
        items = list(tokens)
        offsets = array("q", accumulate(map(len, items), initial=0))
        return cls(b"".join(items), offsets.tobytes())

    @lazy_property
    def offsets(self) -> I64:
        """One more than there are tokens; they start with 0 and ascend."""
        return np.frombuffer(self.offset_bytes, np.int64)

    def __len__(self) -> int:
        """The number of tokens."""
        return len(self._bounds) - 1

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
        return self.data[self._bounds[index] : self._bounds[index + 1]]

    def __iter__(self) -> Iterator[bytes]:
        """Each token in turn."""
        bounds = self._bounds.tolist()
        return (self.data[start:end] for start, end in pairwise(bounds))

    def __eq__(self, other: object) -> bool:
        """Same tokens in the same order."""
        if not isinstance(other, Tokens):
            return NotImplemented
        return self.data == other.data and self.offset_bytes == other.offset_bytes

    def __hash__(self) -> int:
        """A hash of the content."""
        return hash((self.data, len(self)))

    def __reduce__(self) -> tuple[Any, ...]:
        """The content; how rows are found is not part of it."""
        return Tokens, (self.data, self.offset_bytes)

    def __repr__(self) -> str:
        """The count and the first few tokens."""
        more = ", …" if len(self) > 4 else ""
        return f"Tokens({len(self)}: {', '.join(map(repr, self[:4]))}{more})"


def _checked(data: bytes, given: I64) -> bytes:
    """The bytes of offsets that fit the data."""
    offsets = np.array(given, np.int64)
    if offsets.ndim != 1 or len(offsets) == 0 or offsets[0] != 0 or offsets[-1] != len(data):
        raise ValueError(f"offsets must run from 0 to the {len(data)} bytes of the data")
    if np.any(offsets[1:] < offsets[:-1]):
        raise ValueError("offsets must ascend")
    return offsets.tobytes()


class Column:
    """One read-only array of numbers that compares by content (scores, piece types, ids).

    Attributes:
        data: the bytes of the numbers.
        type: what they are, as numpy names it: uint8, uint32, uint64, float32, float64.
    """

    def __init__(self, values: npt.ArrayLike, dtype: npt.DTypeLike | None = None) -> None:
        """Keep a copy of the values; bytes are their content, and their type must be named."""
        if isinstance(values, bytes):
            self.data, self.type = values, str(dtype)
            return
        numbers = np.array(values, dtype=dtype, order="C")
        if numbers.ndim != 1:
            raise ValueError(f"a column has one dimension, this has {numbers.ndim}")
        self.data, self.type = numbers.tobytes(), numbers.dtype.name

    @lazy_property
    def values(self) -> npt.NDArray[Any]:
        """The numbers."""
        return np.frombuffer(self.data, self.type)

    @property
    def content(self) -> tuple[str, bytes]:
        """Type and bytes."""
        return self.type, self.data

    def __len__(self) -> int:
        """The number of values."""
        width = _WIDTHS.get(self.type) or np.dtype(self.type).itemsize
        return len(self.data) // width

    def __eq__(self, other: object) -> bool:
        """Same type, same numbers; NaN equals NaN."""
        if not isinstance(other, Column):
            return NotImplemented
        return self.type == other.type and self.data == other.data

    def __hash__(self) -> int:
        """A hash of the content."""
        return hash(self.data)

    def __reduce__(self) -> tuple[Any, ...]:
        """The content."""
        return Column, (self.data, self.type)

    def __repr__(self) -> str:
        """Type and length."""
        return f"Column({self.type}, {len(self)})"


_WIDTHS = {"uint8": 1, "uint32": 4, "uint64": 8, "float32": 4, "float64": 8}
"""The bytes of a number."""


class Merges:
    """The merge list of a BPE model as columns; a merge's rank is its row.

    `left`, `right`, `result` are uint32 ids, the result of a row that of left + right. `count` and
    `applied` are uint64 or None: how often the pair stood in the corpus when it was chosen, and how
    many tokens fewer the corpus had after it.
    """

    def __init__(
        self,
        left: npt.ArrayLike | Column,
        right: npt.ArrayLike | Column,
        result: npt.ArrayLike | Column,
        count: npt.ArrayLike | Column | None = None,
        applied: npt.ArrayLike | Column | None = None,
    ) -> None:
        """Take the columns, all of one length.

        Raises:
            ValueError: the columns differ in length.
        """
        given = zip(_MERGE_TYPES.items(), (left, right, result, count, applied), strict=True)
        self.stored: dict[str, Column] = {
            name: values if isinstance(values, Column) else Column(values, dtype)
            for (name, dtype), values in given
            if values is not None
        }
        lengths = {len(column) for column in self.stored.values()}
        if len(lengths) != 1:
            raise ValueError(f"columns of one merge list differ in length: {sorted(lengths)}")

    @classmethod
    def empty(cls) -> Merges:
        """No merges at all."""
        return cls((), (), ())

    @property
    def left(self) -> U32:
        """The id of the left part of each merge."""
        return self.stored["left"].values

    @property
    def right(self) -> U32:
        """The id of the right part of each merge."""
        return self.stored["right"].values

    @property
    def result(self) -> U32:
        """The id of what each merge makes."""
        return self.stored["result"].values

    @property
    def count(self) -> U64 | None:
        """How often each pair stood in the corpus when it was chosen."""
        return self.stored["count"].values if "count" in self.stored else None

    @property
    def applied(self) -> U64 | None:
        """How many tokens fewer the corpus had after each merge."""
        return self.stored["applied"].values if "applied" in self.stored else None

    def columns(self) -> dict[str, Any]:
        """The columns that are present, by name."""
        return {name: column.values for name, column in self.stored.items()}

    def __len__(self) -> int:
        """The number of merges."""
        return len(self.stored["left"])

    def __eq__(self, other: object) -> bool:
        """Same columns with the same content."""
        return self.stored == other.stored if isinstance(other, Merges) else NotImplemented

    def __hash__(self) -> int:
        """A hash of the merges themselves."""
        return hash((self.stored["left"], self.stored["right"]))

    def __repr__(self) -> str:
        """The number of merges."""
        return f"Merges({len(self)})"


_MERGE_TYPES = {
    "left": "uint32",
    "right": "uint32",
    "result": "uint32",
    "count": "uint64",
    "applied": "uint64",
}
