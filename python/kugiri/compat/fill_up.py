"""Filling up what earlier calls gave: `tokenizer.pad`, with which collators make a batch.

Rule.    Ids, masks and types are filled up to one length; all else (labels) stays as it is. Rows
         come one by one, as dictionaries, or as one dictionary of rows, or of one row.
Cost.    One copy, in Python.
Source.  transformers 5.24.0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from kugiri.compat.vocabulary import as_python
from kugiri.errors import OptionError, choose, described
from kugiri.inputs import is_list
from kugiri.padding import DIRECTIONS, padded_length
from kugiri.spec import Padding

_MASK = "attention_mask"
_FILLS = {_MASK: 0, "token_type_ids": 0, "special_tokens_mask": 1}


def filled_up(
    given: Any, ids: str, padding: Padding | None, with_mask: bool
) -> tuple[dict[str, Any], str | None]:
    """Rows by name, filled up; and the kind of tensors that came, None for lists.

    Args:
        given: the rows.
        ids: the name of the ids in them.
        padding: how they are filled up; None for not at all.
        with_mask: whether an attention mask is given of them.

    Raises:
        OptionError: they are no rows, or have no ids.
    """
    columns = _columns(given, ids)
    kind = _kind(columns[ids])
    values = {name: as_python(its) for name, its in columns.items()}
    if values[ids] == []:
        return values, kind
    is_one = isinstance(values[ids], list) and not any(map(is_list, values[ids]))
    if is_one:
        values = {name: [its] for name, its in values.items()}
    for name in (ids, *_FILLS):
        if name in values and not _are_rows(values[name]):
            raise OptionError(
                f"rows of {name} are lists of numbers; {described(columns[name])} came"
            )
    if with_mask and _MASK not in values:
        values[_MASK] = [[1] * len(row) for row in values[ids]]
    if padding is not None:
        longest = max(map(len, values[ids]))
        width = padded_length(longest, padding.length, padding.pad_to_multiple_of)
        for name, fill in {**_FILLS, ids: padding.pad_id or 0}.items():
            if name in values and (with_mask or name != _MASK):
                values[name] = [
                    _filled(row, fill, width, padding.direction) for row in values[name]
                ]
    return {name: its[0] for name, its in values.items()} if is_one else values, kind


def _columns(given: Any, ids: str) -> Mapping[str, Any]:
    """Rows by name, whichever way round they came."""
    columns = given
    if is_list(given) and all(isinstance(row, Mapping) for row in given):
        first, *others = given or [{}]
        if any(first.keys() - row.keys() for row in others):
            raise OptionError(f"all rows need what the first has: {', '.join(first)}")
        columns = {name: [row[name] for row in given] for name in first}
    if not isinstance(columns, Mapping):
        raise OptionError(f"pad takes dictionaries of rows; {described(given)} came")
    if ids not in columns:
        raise OptionError(f"rows to pad need {ids}; these have {', '.join(columns) or 'nothing'}")
    return columns


def _kind(rows: Any) -> str | None:
    """Arrays, tensors, or neither."""
    first = rows[0] if is_list(rows) and len(rows) else None
    if isinstance(first, (np.ndarray, np.generic)):
        return "np"
    return "pt" if hasattr(first, "tolist") else None


def _are_rows(rows: Any) -> bool:
    """Whether these are lists of numbers."""
    return isinstance(rows, list) and all(
        isinstance(row, list) and all(isinstance(number, int) for number in row) for row in rows
    )


def _filled(row: list[int], fill: int, width: int, direction: str) -> list[int]:
    filling = [fill] * (width - len(row))
    is_right = choose("padding_side", direction, DIRECTIONS) == "right"
    return row + filling if is_right else filling + row
