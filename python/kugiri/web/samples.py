"""A text cut at random, many times: how often each way came, and each piece of it.

Rule.    Way number i is drawn with the seed `seed + i`, as the library draws it. Where a piece
         stands is a place in the lattice (Unigram: `UnigramSteps.text`), or in the text where the
         tokens spell it byte by byte; else places are not told. The library draws with special
         tokens as text; where they are to be read, a tokenizer that always reads them draws.
Cost.    That of drawing, and of one look at each token of each different way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from time import monotonic
from typing import Any, Final, TypeAlias

import numpy as np

from kugiri.explain.step_structure import LONGEST, MOST_NODES
from kugiri.reference.hypotheses import Hypotheses
from kugiri.spec import Unigram
from kugiri.tokenizer import Tokenizer
from kugiri.tokenizing.sampling import as_sampling
from kugiri.tokenizing.spans import covering_spans
from kugiri.web import requests as asked
from kugiri.web.answers import close_look
from kugiri.web.facts import Facts
from kugiri.web.failures import Failure
from kugiri.web.store import Store

MOST_WAYS = 50
"""Different ways that are told."""
SECONDS: Final = 5.0
"""How long ways are drawn; what may be drawn of a text, its vocabulary says."""
_AT_ONCE = 10

_Way: TypeAlias = tuple[int, ...]
_Place: TypeAlias = tuple[int, int, int]
"""Start, end, id."""


def sample(store: Store, its: asked.Sample) -> dict[str, Any]:
    """Ways to cut a text, drawn at random."""
    tokenizer = close_look(store, its.tokenizer, its.text)
    if its.allow_special and tokenizer.special_tokens:
        tokenizer = store.get(its.tokenizer).reading_special
    rows = _drawn(tokenizer, its)
    drawn = Counter(tuple(row) for row in rows)
    first = {way: its.seed + number for number, way in reversed(list(enumerate(map(tuple, rows))))}
    how = as_sampling(tokenizer.spec.model, None, its.alpha, None)
    facts = store.get(its.tokenizer).facts
    ways = [
        {
            "tokens": [
                facts.read(id, string)
                for id, string in zip(
                    way, tokenizer._drawn(its.text, how, first[way])[1], strict=True
                )
            ],
            "ids": way,
            "count": count,
        }
        for way, count in drawn.most_common(MOST_WAYS)
    ]
    is_unigram = isinstance(tokenizer.spec.model, Unigram)
    return {
        "ways": ways,
        "nodes": _nodes(tokenizer, facts, its.text, drawn),
        "different": len(drawn),
        "entropy": tokenizer.entropy(its.text, its.alpha) if is_unigram else None,
    }


def _drawn(tokenizer: Tokenizer, its: asked.Sample) -> list[list[int]]:
    """The ids of each way.

    Raises:
        Failure: it takes too long.
    """
    began, rows = monotonic(), list[list[int]]()
    while (left := its.number - len(rows)) > 0:
        if monotonic() - began > SECONDS:
            raise Failure(
                413,
                f"{len(rows):,} of {its.number:,} ways were drawn within {SECONDS:g} seconds, no "
                f"more of this text can be; take less text, or fewer ways",
                "long sampling", drawn=len(rows), number=its.number,
            )  # fmt: skip
        texts = [its.text] * min(left, _AT_ONCE)
        seed = its.seed + len(rows)
        rows += tokenizer.sample_batch(texts, alpha=its.alpha, seed=seed, threads=1).to_lists()
    return rows


def _nodes(
    tokenizer: Tokenizer, facts: Facts, text: str, drawn: Counter[_Way]
) -> list[tuple[Any, ...]]:
    """Start, end, piece and count of each piece that was drawn, in order of their places."""
    if isinstance(tokenizer.spec.model, Unigram):
        if len(tokenizer.normalize(text)) > LONGEST:  # before a lattice is made of it
            return []
        lattice = Hypotheses(tokenizer._reference, text)
        nodes = lattice.lattice.nodes()  # an explanation does not show these either
        if len(lattice.text) > LONGEST or len(nodes) > MOST_NODES:
            return []
        walk = _Walk(tokenizer, lattice)
        found = {way: list(walk.places(way)) for way in drawn}
    else:
        found = {way: _spelled(tokenizer, text, way) for way in drawn}
    counts: Counter[_Place] = Counter()
    for way, places in found.items():
        counts.update(dict.fromkeys(places, drawn[way]))
    names = tokenizer._strings.strings
    return [
        (start, end, facts.read(id, names[id]), count)
        for (start, end, id), count in sorted(counts.items())
    ]


def _spelled(tokenizer: Tokenizer, text: str, way: _Way) -> list[_Place]:
    """Where tokens stand in the text that they spell, byte by byte; nothing where they do not."""
    parts = [tokenizer.token_bytes(id) for id in way]
    if b"".join(parts) != text.encode():
        return []
    ends = accumulate(map(len, parts), initial=0)
    spans = covering_spans(text, np.array(list(pairwise(ends)), np.int64).reshape(-1, 2))
    return [(*span, id) for span, id in zip(spans, way, strict=True)]


class _Walk:
    """A lattice, through which ways are followed by their ids."""

    def __init__(self, tokenizer: Tokenizer, lattice: Hypotheses) -> None:
        nodes = lattice.lattice.nodes()
        vocabulary = tokenizer._reference.vocabulary
        self._end_of = {(node.start, node.id): node.end for node in nodes}
        self._unknown = {node.start for node in nodes if node.id in (None, vocabulary.unknown_id)}
        self._stand_in = {vocabulary.unknown_id, *vocabulary.byte_ids.values()}

    def places(self, way: Sequence[int]) -> Iterator[_Place]:
        """The pieces of a way; what stands in for unknown characters is none."""
        at = 0
        for id in way:
            if id in self._stand_in:
                continue
            while (at, id) not in self._end_of and at in self._unknown:
                at += 1
            end = self._end_of.get((at, id))
            if end is None:  # a token that the template put in
                continue
            yield at, end, id
            at = end
