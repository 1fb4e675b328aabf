"""Whether the vocabulary is whole.

Rule.    What a file may lack or have twice and still be loaded: entries with the same text, ids
         that stand for nothing, bytes without a token in a vocabulary of bytes, no way to say the
         unknown. What is worse than that is refused when the file is loaded.
Cost.    One look at each token.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from kugiri.check.finding import Case, Check, Kind
from kugiri.check.subject import Subject

_RANGE = 3


def find(subject: Subject) -> Iterator[tuple[str, Case]]:
    """What is missing, and what is there twice."""
    table = subject.vocabulary
    of_name: dict[str, list[int]] = defaultdict(list)
    for id in np.flatnonzero(table.regular & ~table.bytes & (table.lengths > 0)).tolist():
        of_name[table.name(id)].append(id)
    for name, same in of_name.items():
        if len(same) > 1:
            yield "twice", Case(name, f"ids {', '.join(map(str, same))}", same[-1])
    for first, last in _gaps(subject):
        ids = f"{first}" if first == last else f"{first} to {last}"
        yield "gap", Case(f"id {ids}", f"{last - first + 1:,} rows that stand for nothing")
    yield from _missing(subject)


def _missing(subject: Subject) -> Iterator[tuple[str, Case]]:
    """Bytes that have no token, where all should have one; and whether there is no unknown."""
    table = subject.vocabulary
    if subject.drops_unknown:
        yield "unknown", Case("no unknown token, no bytes")
    if not subject.of_bytes and not table.bytes.any():
        return
    single = table.lengths == 1 if subject.of_bytes else table.bytes
    there = {table.texts[id] for id in np.flatnonzero(single).tolist()}
    for byte in sorted(set(range(256)) - _NEVER):
        if bytes([byte]) not in there:
            yield "byte", Case(f"<{byte:02x}>")


_NEVER = {0xC0, 0xC1, *range(0xF5, 0x100)}
"""Bytes that no text has."""


def _gaps(subject: Subject) -> Iterator[tuple[int, int]]:
    """First and last of each stretch of ids that stand for nothing."""
    ids = subject.tokenizer.vocab.values()
    there = np.zeros(len(subject.vocabulary) + 2, np.bool_)
    there[[0, -1]] = True
    there[np.fromiter(ids, np.int64, len(ids)) + 1] = True
    edges = np.flatnonzero(np.diff(there.astype(np.int8)))
    for start, end in edges.reshape(-1, 2).tolist():
        yield start, end - 1


CHECK = Check(
    name="soundness",
    question="Is the vocabulary whole, and nothing in it twice?",
    kinds={
        "byte": Kind(
            "error",
            "this byte has no token: text with it cannot be written",
            "put all 256 bytes into the vocabulary",
        ),
        "twice": Kind(
            "warning",
            "stands under several ids: only one of them is ever produced",
            "keep one; the others are rows that are never trained",
        ),
        "unknown": Kind(
            "warning",
            "a character that is not in the vocabulary vanishes, or encoding it is an error",
            "add an unknown token, or byte_fallback",
        ),
        "gap": Kind(
            "note",
            "ids between others stand for nothing",
            "nothing, if they are kept for later; decoding one of them is an error",
        ),
    },
    find=find,
)
