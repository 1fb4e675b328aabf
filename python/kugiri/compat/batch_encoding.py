"""What a call of a tokenizer gives in transformers: a dictionary that also knows its tokens."""

from __future__ import annotations

from collections import UserDict
from typing import Any

import numpy as np

from kugiri.errors import OptionError, choose
from kugiri.model_inputs import ModelInputs


class BatchEncoding(UserDict[str, Any]):
    """Rows by name, as `transformers.BatchEncoding`: also as attributes, as in `rows.input_ids`.

    Attributes:
        rows: what it was made from; None where it was put together by hand.
    """

    def __init__(self, data: dict[str, Any] | None = None, rows: ModelInputs | None = None) -> None:
        """Keep the values and the rows."""
        super().__init__(data)
        self.rows = rows

    def __getattr__(self, name: str) -> Any:
        """Return the value of this name."""
        values = self.__dict__.get("data", {})
        if name not in values:
            raise AttributeError(f"these rows have no {name!r}; they have {', '.join(values)}")
        return values[name]

    def tokens(self, batch_index: int = 0) -> list[str]:
        """Return the tokens of a row as strings."""
        return self._rows().tokens[batch_index]

    def word_ids(self, batch_index: int = 0) -> list[int | None]:
        """Return the pre-token that each token of a row is part of."""
        return self._rows().word_ids[batch_index]

    def sequence_ids(self, batch_index: int = 0) -> list[int | None]:
        """Return the text of the pair that each token of a row is of."""
        return self._rows().sequence_ids[batch_index]

    def _rows(self) -> ModelInputs:
        if self.rows is None:
            raise OptionError("only what a call of a tokenizer gave knows its tokens")
        return self.rows

    def to(self, device: Any, **options: Any) -> BatchEncoding:
        """Return the rows with their tensors moved to a device."""
        moved = {
            name: value.to(device, **options) if hasattr(value, "to") else value
            for name, value in self.data.items()
        }
        return BatchEncoding(moved, self.rows)


def as_tensors(values: dict[str, Any], kind: str) -> dict[str, Any]:
    """Lists of rows as arrays or tensors.

    Raises:
        OptionError: the rows have different lengths, or the package is not there.
    """
    choose("return_tensors", kind, ("np", "pt"))
    if len({len(row) for row in values["input_ids"]}) > 1:
        raise OptionError(
            "tensors have rows of one length; ask for padding=True and truncation=True"
        )
    arrays = {name: np.array(rows, np.int64) for name, rows in values.items()}
    if kind == "np":
        return arrays
    try:
        import torch
    except ImportError as error:
        raise OptionError(
            "return_tensors='pt' needs the package torch; 'np' gives arrays"
        ) from error
    return {name: torch.from_numpy(array) for name, array in arrays.items()}
