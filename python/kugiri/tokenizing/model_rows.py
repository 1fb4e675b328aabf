"""Rows of ids: which part of which text stands where, laid out once for a whole batch.

Rule.    A row is a list of stretches: of a text, or a token that the template puts in.
Cost.    One copy of the ids; a step in Python for each text that is cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray as Array

from kugiri.encoding import Batch
from kugiri.reference.post_process import Item
from kugiri.spec import Padding, Truncation
from kugiri.tokenizing.truncation import Part, check, combined, parts_of, room_for_texts


class Shape(NamedTuple):
    """How texts become rows.

    Attributes:
        items: what stands in a row, in order.
        truncation, padding: how it is cut and filled up; None for not at all.
        overflow: whether what is cut away becomes rows of its own.
    """

    items: list[Item]
    truncation: Truncation | None
    padding: Padding | None
    overflow: bool


class Rows(NamedTuple):
    """Which parts of which texts the rows are.

    Attributes:
        samples: the text or pair that each comes from; int64.
        bounds: the first token of each text in its template, and the one behind its last; int64.
        firsts: the row of each sample in which stands what is kept of it first; int64.
    """

    samples: Array[np.int64]
    bounds: Array[np.int64]
    firsts: Array[np.int64]


def rows_of(batches: Sequence[Batch], shape: Shape) -> Rows:
    """Every row, those of a sample side by side, what is kept first."""
    lengths = np.stack([np.diff(batch.offsets) for batch in batches], axis=1)
    texts = [item.content for item in shape.items if isinstance(item.content, int)]
    too_long, cut = _cut(lengths, texts, shape)
    counts = np.ones(len(lengths), np.int64)
    counts[too_long] = [len(rows) for rows in cut]
    samples = np.arange(len(lengths)).repeat(counts)
    bounds = np.zeros((len(samples), len(texts), 2), np.int64)
    bounds[:, :, 1] = lengths[samples][:, texts]
    new = np.array([row for rows in cut for row in rows], np.int64)
    bounds[too_long[samples]] = new.reshape(-1 if texts else len(new), len(texts), 2)
    return Rows(samples, bounds, np.cumsum(counts) - counts)


def _cut(
    lengths: Array[np.int64], texts: list[int], shape: Shape
) -> tuple[Array[np.bool_], list[list[tuple[Part, ...]]]]:
    """Which samples are too long, and the rows that each of these becomes."""
    truncation = shape.truncation
    if truncation is None:
        return np.zeros(len(lengths), np.bool_), []
    check(truncation)
    room = room_for_texts(truncation, len(shape.items) - len(texts))

    @cache  # many texts have the same number of tokens
    def rows_for(lengths: tuple[int, ...]) -> list[tuple[Part, ...]]:
        parts = parts_of(lengths, room, truncation, None if shape.overflow else 1)
        return combined([parts[text] for text in texts])

    too_long = lengths.sum(axis=1) > room
    return too_long, [rows_for(tuple(its)) for its in lengths[too_long].tolist()]


def gathered(
    batches: Sequence[Batch], rows: Rows, items: list[Item]
) -> tuple[Array[np.uint32], Array[np.int64]]:
    """The ids of all rows end to end, and how long each stretch of each row is."""
    put_in = [item.content[1] for item in items if not isinstance(item.content, int)]
    pool = np.concatenate([*(batch.ids for batch in batches), np.array(put_in, np.uint32)])
    begins = np.cumsum([0, *(len(batch.ids) for batch in batches)])
    parts = iter(rows.bounds.swapaxes(0, 1))
    starts, lengths = np.zeros((2, len(rows.samples), len(items)), np.int64)
    next_put_in = int(begins[-1])
    for column, (content, _) in enumerate(items):
        if isinstance(content, int):
            part = next(parts)
            starts[:, column] = (
                begins[content] + batches[content].offsets[rows.samples] + part[:, 0]
            )
            lengths[:, column] = part[:, 1] - part[:, 0]
        else:
            starts[:, column], lengths[:, column] = next_put_in, 1
            next_put_in += 1
    # Each id stands in the pool as far behind the begin of its stretch as here.
    ends = np.cumsum(lengths)
    shift = starts.ravel() - (ends - lengths.ravel())
    total = int(ends[-1]) if ends.size else 0
    return pool[np.arange(total) + shift.repeat(lengths.ravel())], lengths
