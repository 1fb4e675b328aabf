"""Tokens that are no whole characters, and pairs of them that no text becomes.

Rule.    A token of bytes may hold a part of a character: a fragment, if it holds no whole one,
         else a straddler. A model that generates one of them is bound to generate the rest. An
         improbable pair is two of them that are whole characters together, whose text becomes
         other tokens: no training text ever showed the model the two side by side.
Cost.    An encoding of a sample of the pairs, of which there may be millions.
Source.  On what improbable pairs do to models: Jang, Lee, Chung, Park and Shin, 2024, "Improbable
         Bigrams Expose Vulnerabilities of Incomplete Tokens in Byte-Level Tokenizers"
         (arXiv:2410.23684).
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from kugiri.check.completing import cut, is_text
from kugiri.check.finding import Case, Check, Found, Kind
from kugiri.check.subject import CONTEXTS, Subject

_TRIED = 2000
_SHOWN = 3


def find(subject: Subject) -> Found:
    """Each token that is no whole characters, and how many pairs of them are improbable."""
    table = subject.vocabulary
    lefts: dict[bytes, list[int]] = defaultdict(list)
    rights: dict[bytes, list[int]] = defaultdict(list)
    for id in np.flatnonzero(table.parts & table.regular & (table.lengths > 1)).tolist():
        data = table.texts[id]
        head, middle, tail = cut(data)
        yield ("straddler" if middle else "fragment"), Case(table.name(id), id=id)
        if tail and not head:
            lefts[tail].append(id)
        if head and not tail:
            rights[head].append(id)
    if pairs := _pairs(lefts, rights):
        yield from _improbable(subject, pairs)


def _pairs(
    lefts: dict[bytes, list[int]], rights: dict[bytes, list[int]]
) -> list[tuple[list[int], list[int]]]:
    """Groups of tokens of which each left one and each right one have a character in common."""
    return [
        (some, others)
        for tail, some in lefts.items()
        for head, others in rights.items()
        if is_text(tail + head)
    ]


def _improbable(
    subject: Subject, pairs: list[tuple[list[int], list[int]]]
) -> Iterator[tuple[str, Case]]:
    table = subject.vocabulary
    sizes = np.array([len(some) * len(others) for some, others in pairs])
    total = int(sizes.sum())
    drawn = np.sort(np.random.default_rng(0).choice(total, min(total, _TRIED), replace=False))
    ends = np.cumsum(sizes)
    tried = []
    for number in drawn.tolist():
        group = int(np.searchsorted(ends, number, side="right"))
        some, others = pairs[group]
        row, column = divmod(number - int(ends[group] - sizes[group]), len(others))
        tried.append((some[row], others[column]))
    texts = [(table.texts[left] + table.texts[right]).decode() for left, right in tried]
    around = [subject.encode(before + text for text in texts) for before in CONTEXTS]
    other = [
        (pair, alone[0])
        for pair, *alone in zip(tried, *around, strict=True)
        if not any(ids is not None and _has(ids.tolist(), pair) for ids in alone)
    ]
    if other:
        shown = "; ".join(
            f"{subject.names(pair)} is {'an error' if ids is None else subject.names(ids)}"
            for pair, ids in other[:_SHOWN]
        )
        share = f"{len(other):,} of {len(tried):,} that were tried"
        yield "pairs", Case(f"{total:,} pairs are whole characters together", f"{share}: {shown}")


def _has(ids: list[int], pair: tuple[int, int]) -> bool:
    """Whether two tokens stand side by side."""
    return pair in itertools.pairwise(ids)


CHECK = Check(
    name="incomplete",
    question="Which tokens begin or end inside a character?",
    kinds={
        "straddler": Kind(
            "note",
            "holds a whole character and a part of another",
            "train so that characters stay whole (a pattern that cuts between scripts), or accept "
            "that the model has to finish the character",
        ),
        "fragment": Kind(
            "note",
            "is a part of a character, or parts of two",
            "nothing: rare characters need them; decode streams with Tokenizer.decoder(), which "
            "never shows half a character",
        ),
        "pairs": Kind(
            "note",
            "side by side these are text, which became other tokens wherever it was tried",
            "refuse ids that are not canonical (Tokenizer.is_canonical) where users may send ids",
        ),
    },
    find=find,
)
