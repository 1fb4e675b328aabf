"""Repeated phrases: how much of the vocabulary is spent on text that is repeated word for word.

Example:
    >>> from kugiri.measure.example import observe, value
    >>> notice = "All rights reserved. Do not copy without permission."  # 52 bytes
    >>> seen = observe([notice, "cat " + notice, "cats"], merges=["cat"])
    >>> value(METRIC, seen)  # 22 of 23: all but cat; one of 15 spaces is outside, one of 9 s
    0.9565
"""

from __future__ import annotations

from math import nan

import numpy as np

from kugiri.explain.glyphs import visible
from kugiri.measure.draws import Draws, Floats, Integers, undrawn
from kugiri.measure.metric import Metric, Table
from kugiri.measure.observation import Observation
from kugiri.measure.repeated import WIDTH
from kugiri.measure.vocabulary import Flags

MOST = 20
BESIDE = 90
"""Bytes of a phrase that are shown to either side of a token."""


def _values(seen: Observation, draws: Draws) -> Floats:
    regular = seen.vocabulary.regular
    spent = regular & (2 * _inside(seen) > seen.counts)
    used = np.count_nonzero(regular & (seen.counts > 0))
    # Whether a text is repeated hangs on all documents together, so draws of them tell nothing.
    return undrawn(np.count_nonzero(spent & (seen.counts > 0)) / used if used else nan, draws)


def _inside(seen: Observation) -> Integers:
    """(ids,): how often each stands in a repeated phrase with all its bytes."""
    return np.bincount(seen.batch.ids[_are_inside(seen)], minlength=len(seen.vocabulary))


def _are_inside(seen: Observation) -> Flags:
    """Of each token whether it stands in a repeated phrase with all its bytes."""
    starts, ends = seen.places
    before = np.concatenate([[0], np.cumsum(seen.corpus.text.repeated)])
    inside: Flags = (starts < ends) & (before[ends] - before[starts] == ends - starts)
    return inside


def _details(seen: Observation) -> list[Table]:
    are_inside, inside = _are_inside(seen), _inside(seen)
    counts, vocabulary = seen.counts, seen.vocabulary
    spent = np.flatnonzero(vocabulary.regular & ~vocabulary.parts & (2 * inside > counts))
    rows = []
    for id in spent[np.argsort(-vocabulary.lengths[spent], kind="stable")][:MOST].tolist():
        first = int(np.argmax(are_inside & (seen.batch.ids == id)))
        numbers = (int(counts[id]), int(inside[id]))
        rows.append((vocabulary.name(id), id, *numbers, visible(_phrase(seen, first))))
    repeated, total = int(seen.corpus.text.repeated.sum()), len(seen.corpus.text.data)
    share = repeated / total if total else None
    columns = ("token", "id", "count", "in repeated phrases", "the first of these")
    tables = [
        Table(
            "Text in repeated phrases", ("bytes", "repeated", "share"), [(total, repeated, share)]
        ),
        Table("The longest tokens that mostly stand in repeated phrases", columns, list(rows)),
    ]
    return [table for table in tables if table.rows]


def _phrase(seen: Observation, token: int) -> str:
    """The repeated text around a token, some way to both sides."""
    text = seen.corpus.text
    start, end = int(seen.places.starts[token]), int(seen.places.ends[token])
    document = int(np.searchsorted(text.byte_starts, start, side="right"))
    low = max(start - BESIDE, int(text.byte_starts[document - 1]))
    high = min(end + BESIDE, int(text.byte_starts[document]))
    before, behind = text.repeated[low:start][::-1], text.repeated[end:high]
    low = start - _run(before)
    return text.data[low : end + _run(behind)].tobytes().decode(errors="ignore")


def _run(flags: Flags) -> int:
    """How many are set before the first that is not."""
    return len(flags) if flags.all() else int(np.argmin(flags))


METRIC = Metric(
    name="repeated_phrases",
    title="Vocabulary in repeated phrases",
    unit="share",
    better="less",
    definition=f"The share of the tokens that occur whose occurrences lie, for more than half, in "
    f"repeated phrases with all their bytes. A phrase is any {WIDTH} bytes of a document (16 "
    f"characters of Japanese, about eight words of English); it is repeated if it stands word for "
    f"word at another place of the corpus too.",
    formula="|{v: inside(v) > c(v) / 2}| / |{v: c(v) > 0}|, V without special tokens",
    source="kugiri",
    misleads="A sample of a corpus has fewer repeats than the corpus. Where a corpus says "
    "everything twice, all tokens of documents that long are in repeated phrases, and the fault "
    "is of the corpus; a document of fewer bytes has no phrase, however often it is there. There "
    "is no interval: whether a text is repeated hangs on all documents together.",
    evidence="None known; tools measure repeats of training text, not what they cost a vocabulary.",
    values=_values,
    sampled=True,
    details=_details,
)
