"""What a call of a tokenizer gives in transformers: a dictionary that also knows its tokens."""

from __future__ import annotations

from collections import UserDict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kugiri.compat.row import CharSpan, Row, TokenSpan
from kugiri.errors import OptionError, choose, shown
from kugiri.lazy import lazy_property
from kugiri.tokenizing.model_inputs import ModelInputs


class BatchEncoding(UserDict[str, Any]):
    """Rows by name, as `transformers.BatchEncoding`: also as attributes, as in `rows.input_ids`.

    What is asked with one number is asked of the first row: `rows.char_to_token(5)`.

    Attributes:
        rows: what it was made from; None where it was put together by hand.
    """

    def __init__(
        self,
        data: dict[str, Any] | None = None,
        rows: ModelInputs | None = None,
        tensor_type: str | None = None,
        prepend_batch_axis: bool = False,
    ) -> None:
        """Keep the values and the rows."""
        super().__init__(data)
        self.rows = rows
        self.convert_to_tensors(tensor_type, prepend_batch_axis)

    def __getitem__(self, name: Any) -> Any:
        """Return the value of a name; a row, or several, by their number."""
        if isinstance(name, str):
            return super().__getitem__(name)
        if self.rows is not None:
            return self._all()[name]
        if isinstance(name, slice):
            return {key: values[name] for key, values in self.data.items()}
        raise KeyError(f"{shown(name)}: rows that were put together by hand are known by name")

    def __getattr__(self, name: str) -> Any:
        """Return the value of this name."""
        values = self.__dict__.get("data", {})
        if name not in values:
            raise AttributeError(f"these rows have no {name!r}; they have {', '.join(values)}")
        return values[name]

    @lazy_property
    def encodings(self) -> list[Row] | None:
        """Each row by itself."""
        return None if self.rows is None else [Row(self.rows, i) for i in range(len(self.rows))]

    @property
    def is_fast(self) -> bool:
        """Whether it knows its tokens."""
        return self.rows is not None

    @property
    def n_sequences(self) -> int | None:
        """1 if its rows are of texts, 2 if they are of pairs."""
        return None if self.rows is None else self.rows.n_sequences

    def tokens(self, batch_index: int = 0) -> list[str]:
        """Return the tokens of a row as strings."""
        return self._all()[batch_index].tokens

    def word_ids(self, batch_index: int = 0) -> list[int | None]:
        """Return the pre-token that each token of a row is part of."""
        return self._all()[batch_index].word_ids

    def sequence_ids(self, batch_index: int = 0) -> list[int | None]:
        """Return the text of the pair that each token of a row is of."""
        return self._all()[batch_index].sequence_ids

    def token_to_sequence(self, row_or_token: int, token_index: int | None = None) -> int | None:
        """Return the text that a token is of; None if it was put in."""
        row, index = self._meant(row_or_token, token_index)
        return row.token_to_sequence(index)

    def token_to_word(self, row_or_token: int, token_index: int | None = None) -> int | None:
        """Return the word that a token is part of; None if it was put in."""
        row, index = self._meant(row_or_token, token_index)
        return row.token_to_word(index)

    def token_to_chars(self, row_or_token: int, token_index: int | None = None) -> CharSpan | None:
        """Return the characters that a token covers; None if it was put in."""
        row, index = self._meant(row_or_token, token_index)
        return row.token_to_chars(index)

    def char_to_token(
        self, row_or_char: int, char_index: int | None = None, sequence_index: int = 0
    ) -> int | None:
        """Return the token that covers a character; None if none does."""
        row, index = self._meant(row_or_char, char_index)
        return row.char_to_token(index, sequence_index)

    def char_to_word(
        self, row_or_char: int, char_index: int | None = None, sequence_index: int = 0
    ) -> int | None:
        """Return the word that a character is part of; None if it is of none."""
        row, index = self._meant(row_or_char, char_index)
        return row.char_to_word(index, sequence_index)

    def word_to_tokens(
        self, row_or_word: int, word_index: int | None = None, sequence_index: int = 0
    ) -> TokenSpan | None:
        """Return the tokens of a word; None if there is none."""
        row, index = self._meant(row_or_word, word_index)
        return row.word_to_tokens(index, sequence_index)

    def word_to_chars(
        self, row_or_word: int, word_index: int | None = None, sequence_index: int = 0
    ) -> CharSpan:
        """Return the characters of a word.

        Raises:
            OptionError: there is no such word; a TypeError.
        """
        row, index = self._meant(row_or_word, word_index)
        span = row.word_to_chars(index, sequence_index)
        if span is None:
            raise OptionError(f"no token of the row is of word {index}; see rows.word_ids()")
        return span

    def _meant(self, row_or_index: int, index: int | None) -> tuple[Row, int]:
        row, within = (0, row_or_index) if index is None else (row_or_index, index)
        return self._all()[row], within

    def _all(self) -> list[Row]:
        if self.encodings is None:
            raise OptionError("only what a call of a tokenizer gave knows its tokens")
        return self.encodings

    def convert_to_tensors(
        self, tensor_type: str | None = None, prepend_batch_axis: bool = False
    ) -> BatchEncoding:
        """Make arrays ("np") or tensors ("pt") of the values, here.

        Raises:
            OptionError: rows have different lengths, or there is no such kind.
        """
        if tensor_type is not None:
            values = {its: [value] if prepend_batch_axis else value for its, value in self.items()}
            self.data = as_tensors(values, tensor_type)
        return self

    def to(self, device: Any, **options: Any) -> BatchEncoding:
        """Move the tensors to a device, here."""
        self.data = {
            name: value.to(device, **options) if hasattr(value, "to") else value
            for name, value in self.data.items()
        }
        return self


def as_tensors(values: dict[str, Any], kind: str) -> dict[str, Any]:
    """Lists of rows as arrays or tensors.

    Raises:
        OptionError: the rows have different lengths, or the package is not there.
    """
    kind = choose("return_tensors", getattr(kind, "value", kind), ("np", "pt"))
    arrays = {name: _array(rows) for name, rows in values.items()}
    if kind == "np":
        return arrays
    try:
        import torch
    except ImportError as error:
        raise OptionError(
            "return_tensors='pt' needs the package torch; 'np' gives arrays"
        ) from error
    return {name: torch.from_numpy(array) for name, array in arrays.items()}


def _array(rows: Any) -> NDArray[Any]:
    try:
        array = np.asarray(rows)
    except ValueError:  # rows of different lengths
        array = np.empty(0, object)
    if array.dtype == object:
        raise OptionError(
            "tensors have rows of one length; ask for padding=True and truncation=True"
        )
    return array if array.size else array.astype(np.int64)
