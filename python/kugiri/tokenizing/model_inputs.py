"""What a model is given: texts as rows of ids of one length, with masks beside them.

Rule.    Texts become ids, are cut to a limit (truncation.py), get what the template puts around
         them, and are filled up (padding.py). A row is laid out once, as a list of stretches: of a
         text, or a token that was put in; all that is asked of a row is read off that.
Cost.    One copy of the ids. Places are worked out when they are asked for, and for a pickle.
Source.  tokenizers 0.23.3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray as Array

from kugiri.encoding import Batch, Span
from kugiri.errors import OptionError, choose
from kugiri.lazy import lazy_property
from kugiri.padding import fill_up, padded_length
from kugiri.reference.post_process import Item
from kugiri.spec import Padding
from kugiri.tokenizing.model_rows import Shape, gathered, rows_of

if TYPE_CHECKING:
    import torch

T = TypeVar("T")

NAMES = ("input_ids", "attention_mask", "token_type_ids", "special_tokens_mask")
"""What a row has for a model."""
_USUAL = NAMES[:3]
_PLACES = ("tokens", "offset_mapping", "word_ids", "sequence_ids")


class Placed(NamedTuple):
    """The tokens of one text, with their places.

    Attributes:
        tokens: their strings.
        word_ids: the pre-token that each is part of.
        spans: of some tokens of it, their spans as the original library gives them.
    """

    tokens: list[str]
    word_ids: list[int]
    spans: Callable[[int, int], list[Span]]


class ModelInputs:
    """Rows for a model; made by `Tokenizer.model_inputs`.

    Attributes:
        input_ids: the ids of each row.
        attention_mask: 1 for a token, 0 where a row was filled up.
        token_type_ids: the number that the template gives each token.
        special_tokens_mask: 1 where the template or the filling put a token in.
        overflow_to_sample_mapping: the text, or pair, that each row comes from.
        n_sequences: how many texts go into a row: 1, or 2 of a pair.
    """

    def __init__(
        self, batches: Sequence[Batch], shape: Shape, place: Callable[[int, int], Placed]
    ) -> None:
        """Lay out the rows.

        Args:
            batches: the ids of the texts; of pairs, those of the second texts too.
            shape: how they become rows.
            place: gives the places of a text: of a sample, the first or the second.
        """
        self._shape, self._place = shape, place
        self._rows = rows_of(batches, shape)
        ids, lengths = gathered(batches, self._rows, shape.items)
        offsets = np.zeros(len(lengths) + 1, np.int64)
        np.cumsum(lengths.sum(axis=1), out=offsets[1:])
        padding = shape.padding or Padding()
        self._filled = fill_up(offsets, self._width(np.diff(offsets)), padding.direction)

        def of_each(values: Iterable[int], fill: int) -> Batch:
            """What is the same in all of a stretch: one value for each item of the template."""
            per_row = np.tile(np.array(list(values), np.uint32), len(lengths))
            return self._batch(per_row.repeat(lengths.ravel()), fill)

        self.input_ids = self._batch(ids, padding.pad_id or 0)
        self.attention_mask = of_each((1 for _ in shape.items), 0)
        self.token_type_ids = of_each((it.type_id for it in shape.items), padding.pad_type_id)
        self.special_tokens_mask = of_each((not _is_text(it) for it in shape.items), 1)
        self.overflow_to_sample_mapping = self._rows.samples.tolist()
        self.n_sequences = len(batches)

    def _width(self, lengths: Array[np.int64]) -> int:
        """What rows are filled up to: the longest that something was kept of first, or as asked."""
        padding = self._shape.padding
        if padding is None or not len(lengths):
            return 0
        longest = int(lengths[self._rows.firsts].max())
        return padded_length(longest, padding.length, padding.pad_to_multiple_of)

    def _batch(self, flat: Array[np.uint32], fill: int) -> Batch:
        return Batch(self._filled.put(flat, fill), self._filled.offsets)

    def __len__(self) -> int:
        """The number of rows."""
        return len(self._rows.samples)

    def __repr__(self) -> str:
        """How many rows and ids."""
        return f"ModelInputs({len(self)} rows, {len(self.input_ids.ids)} ids)"

    def __getstate__(self) -> dict[str, Any]:
        """A pickle has the places of all tokens in the place of the tokenizer and the texts."""
        placed = {name: getattr(self, name) for name in _PLACES}
        return {**self.__dict__, **placed, "_place": None}

    # ── for a model ───────────────────────────────────────────────────────────────────────────
    def to_lists(self, *names: str) -> dict[str, list[list[int]]]:
        """Return rows by name, as lists: ids, attention mask and types, or what is named."""
        batches = (self._named(name) for name in names or _USUAL)
        return {
            name: batch.to_lists() for name, batch in zip(names or _USUAL, batches, strict=True)
        }

    def to_numpy(self, *names: str) -> dict[str, Array[np.int64]]:
        """Return the same as int64 arrays of rows × tokens.

        Raises:
            OptionError: the rows have different lengths.
        """
        lengths = set(np.diff(self.input_ids.offsets).tolist())
        if len(lengths) > 1:
            raise OptionError(
                f"an array has rows of one length, and these have {min(lengths)} to {max(lengths)} "
                f"tokens; ask for padding, or take to_lists()"
            )
        shape = len(self), next(iter(lengths), 0)
        return {
            name: self._named(name).ids.astype(np.int64).reshape(shape) for name in names or _USUAL
        }

    def to_torch(self, *names: str) -> dict[str, torch.Tensor]:
        """Return the same as tensors.

        Raises:
            OptionError: the rows have different lengths, or torch is not installed.
        """
        arrays = self.to_numpy(*names)
        try:
            import torch
        except ImportError as error:
            raise OptionError(
                "to_torch needs the package torch; install it, or take to_numpy()"
            ) from error
        return {name: torch.from_numpy(array) for name, array in arrays.items()}

    def _named(self, name: str) -> Batch:
        batch: Batch = getattr(self, choose("name", name, NAMES))
        return batch

    # ── where tokens come from ────────────────────────────────────────────────────────────────
    @lazy_property
    def tokens(self) -> list[list[str]]:
        """The string of each token."""
        pad_token = (self._shape.padding or Padding()).pad_token or ""
        return self._each_row(
            lambda placed, start, end: placed.tokens[start:end],
            lambda content: content[0],
            pad_token,
        )

    @lazy_property
    def offset_mapping(self) -> list[list[Span]]:
        """The span of each token in its text, as the original library gives it."""
        return self._each_row(lambda placed, start, end: placed.spans(start, end), _nowhere, (0, 0))

    @lazy_property
    def word_ids(self) -> list[list[int | None]]:
        """The pre-token of its text that each token is part of."""
        return self._each_row(
            lambda placed, start, end: list(placed.word_ids[start:end]), lambda _: None, None
        )

    @lazy_property
    def sequence_ids(self) -> list[list[int | None]]:
        """0 where a token is of the first text, 1 of the second, None where it was put in."""
        numbers: list[list[int | None]] = []
        for row in range(len(self)):
            numbers.append([])
            for content, start, end in self._stretches(row):
                numbers[-1] += [content if isinstance(content, int) else None] * (end - start)
        return self._filled_up(numbers, None)

    def _stretches(self, row: int) -> list[tuple[int | tuple[str, int], int, int]]:
        """What stands in a row: of which text, from where to where; or which token."""
        parts = iter(self._rows.bounds[row].tolist())
        return [
            (content, *next(parts)) if isinstance(content, int) else (content, 0, 1)
            for content, _ in self._shape.items
        ]

    def _each_row(
        self,
        of_text: Callable[[Placed, int, int], list[T]],
        inserted: Callable[[tuple[str, int]], T],
        fill: T,
    ) -> list[list[T]]:
        """Something of every token of every row."""
        rows: list[list[T]] = []
        for row, sample in enumerate(self.overflow_to_sample_mapping):
            rows.append([])
            for content, start, end in self._stretches(row):
                if isinstance(content, int):
                    rows[-1] += of_text(self._place(sample, content), start, end)
                else:
                    rows[-1].append(inserted(content))
        return self._filled_up(rows, fill)

    def _filled_up(self, rows: list[list[T]], fill: T) -> list[list[T]]:
        left = (self._shape.padding or Padding()).direction == "left"
        for row, length in zip(rows, np.diff(self._filled.offsets).tolist(), strict=True):
            filling = [fill] * (length - len(row))
            row[:] = filling + row if left else row + filling
        return rows


def _nowhere(content: Any) -> Span:
    return (0, 0)


def _is_text(item: Item) -> bool:
    return isinstance(item.content, int)
