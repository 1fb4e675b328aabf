"""The merges of a trained tokenizer, as one reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, overload

import numpy as np

from kugiri.spec import BPE


class Merge(NamedTuple):
    """One merge; its place in the list is its rank.

    Attributes:
        left, right, result: token strings; bytes for a byte-level model, str for one of characters.
        count: how often the pair stood in the corpus when it was chosen (None: not trained here).
        applied: how many tokens fewer the corpus had after it.
    """

    left: bytes | str
    right: bytes | str
    result: bytes | str
    count: int | None  # type: ignore[assignment]  # tuple.count is not what a merge is about
    applied: int | None


class MergeList(Sequence[Merge]):
    """The merges of a BPE model, made one by one when they are looked at."""

    __slots__ = ("_merges", "_model", "_rows")

    def __init__(self, model: BPE | None) -> None:
        """Keep the flat columns; without a model there are no merges."""
        self._model = model
        self._merges = None if model is None else model.merges
        ids = None if model is None else model.ids
        self._rows = None if ids is None else {int(id): row for row, id in enumerate(ids.values)}

    def __len__(self) -> int:
        """The number of merges."""
        return 0 if self._merges is None else len(self._merges)

    @overload
    def __getitem__(self, index: int) -> Merge: ...
    @overload
    def __getitem__(self, index: slice) -> list[Merge]: ...
    def __getitem__(self, index: int | slice) -> Merge | list[Merge]:
        """One merge, or a list of them."""
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        merges = self._merges
        if merges is None or not -len(self) <= index < len(self):
            raise IndexError(f"merge {index} of {len(self)}")
        return Merge(
            self._string(merges.left[index]),
            self._string(merges.right[index]),
            self._string(merges.result[index]),
            None if merges.count is None else int(merges.count[index]),
            None if merges.applied is None else int(merges.applied[index]),
        )

    def _string(self, id: np.uint32) -> bytes | str:
        assert self._model is not None
        row = int(id) if self._rows is None else self._rows[int(id)]
        token = self._model.vocab[row]
        return token if self._model.unit == "byte" else token.decode()

    def __repr__(self) -> str:
        """The number of merges."""
        return f"MergeList({len(self)})"
