"""The rows of a vocabulary, and the merges whose parts are found in it.

Rule.    The core finds rows by strings; the reader of a vocabulary has had that made, otherwise it
         is made here. A merge whose part, or whose join, is no token is an error.
Cost.    Three look-ups a merge.
"""

from __future__ import annotations

from kugiri import _core
from kugiri.errors import FormatError
from kugiri.spec import BPE, Model
from kugiri.tables import Column, Merges, Tokens


def resolve_merges(parts: Tokens, model: BPE) -> Merges:
    """The merges whose parts are listed: left, right, left, right and so on.

    Raises:
        FormatError: one names what is not in the vocabulary.
    """
    return as_merges(*_core.resolve_merges(parts.data, parts.offset_bytes, *found(model)))


def found(model: BPE) -> tuple[_core.Vocabulary, bytes | None, int]:
    """How the parts of merges are found: rows, ids, length of the prefix."""
    prefix = len((model.continuing_subword_prefix or "").encode())
    return vocabulary_rows(model), None if model.ids is None else model.ids.data, prefix


def as_merges(
    left: bytes,
    right: bytes,
    join: bytes,
    missing: tuple[int, bytes, bytes, int] | None,
    offset: int | None = None,
) -> Merges:
    """The merges of columns from the core.

    Raises:
        FormatError: one lacks its left part (0), right part (1) or join (2).
    """
    if missing is not None:
        merge, *parts, which = missing
        first, second = (part.decode() for part in parts)
        name = ("left part", "right part", "join")[which]
        message = f"merge {merge}, {first!r} and {second!r}: its {name} is not in the vocab"
        raise FormatError(message, offset=offset)
    return Merges(*(Column(ids, "uint32") for ids in (left, right, join)))


def id_of(model: Model, row: int) -> int:
    """The id of a row of the vocabulary."""
    return row if model.ids is None else int(model.ids.values[row])


def vocabulary_rows(model: Model) -> _core.Vocabulary:
    """How the core finds the rows of a vocabulary."""
    vocab = model.vocab
    rows: _core.Vocabulary = vocab.rows or _core.Vocabulary(vocab.data, vocab.offset_bytes)
    return rows
