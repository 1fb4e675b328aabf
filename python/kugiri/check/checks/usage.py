"""Tokens that a text like that of the training hardly ever has.

Rule.    The text is encoded. A token that never comes has a row in the model that is never
         trained. A scaffold comes only as a part of longer tokens: of all places where its text
         was merged, nine in ten or more went into a longer token; it was a step on the way, and is
         hardly ever trained by itself. Both say something only if the text is like the one the
         model learns from, and large: with fewer than 100 tokens of text for each token of the
         vocabulary, the check says that and no more. Where lines are documents, of tokens with the
         end of a line nothing is said.
Cost.    An encoding of the text.
Source.  Scaffolds: the measure of Chizhov et al., "BPE Gets Picky", 2024 (arXiv:2409.04599), taken
         after training: the share of a token's merges that end in one longer token.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kugiri.check.finding import Case, Check, Found, Kind
from kugiri.check.subject import Subject
from kugiri.spec import BPE

_ENOUGH = 100
_SHARE = 0.9
_LEAST = 100
"""Times that a scaffold was merged at least; of fewer nothing can be said."""


def cannot(subject: Subject) -> dict[str, str]:
    """Scaffolds are made by merges."""
    if getattr(subject.spec.model, "merges", None) is None:
        return {"scaffold": "the model has no merges"}
    return {}


def find(subject: Subject) -> Found:
    """Each token that is never, or hardly ever, in the text."""
    table = subject.vocabulary
    counts = np.zeros(len(table), np.int64)
    for ids in subject.encoded_documents:
        counts += np.bincount(ids, minlength=len(table))
    tokens = int(counts.sum())
    regular = np.flatnonzero(table.regular & (table.lengths > 1) & ~table.bytes)
    if tokens < _ENOUGH * len(regular):
        needed = f"{_ENOUGH * len(regular):,} are needed, {_ENOUGH} for each of {len(regular):,}"
        yield "little", Case(f"{tokens:,} tokens, {needed}")
        yield from dict.fromkeys(("never", "scaffold"), "the text is too short to tell").items()
        return
    of_lines = not any("\n" in text for text in subject.documents)
    for id in regular[counts[regular] == 0].tolist():
        if not (of_lines and b"\n" in table.texts[id]):
            yield "never", Case(table.name(id), id=id)
    for id, own, longer in _scaffolds(subject, counts):
        yield "scaffold", Case(table.name(id), f"{own:,} alone, {longer:,} within others", id)


def _scaffolds(subject: Subject, counts: np.ndarray) -> Iterator[tuple[int, int, int]]:
    model = subject.spec.model
    if not isinstance(model, BPE) or model.merges is None:
        return
    merges = model.merges
    whole = counts.copy()
    within = np.zeros_like(counts)
    columns = (merges.left.tolist(), merges.right.tolist(), merges.result.tolist())
    for left, right, result in reversed(list(zip(*columns, strict=True))):
        for part in (left, right):
            within[part] += whole[result]
            whole[part] += whole[result]
    for id in np.unique(merges.result).tolist():
        if counts[id] and whole[id] >= _LEAST and within[id] > _SHARE * whole[id]:
            yield id, int(counts[id]), int(within[id])


CHECK = Check(
    name="usage",
    question="Which tokens does a text like that of the training hardly ever have?",
    kinds={
        "never": Kind(
            "warning",
            "never comes in the text: its row in a model is not trained",
            "prune it, train a smaller vocabulary, or see whether the text is like what it is for",
        ),
        "scaffold": Kind(
            "note",
            "is nearly always a part of a longer token",
            "prune it if rows are dear; text with it alone becomes shorter tokens then",
        ),
        "little": Kind(
            "note",
            "the text is too short to say which tokens are never used",
            "give more text",
        ),
    },
    find=find,
    of_corpus=("never", "scaffold", "little"),
    cannot=cannot,
)
