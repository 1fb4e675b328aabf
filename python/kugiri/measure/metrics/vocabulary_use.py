"""Vocabulary use: the share of the vocabulary that a corpus needs at all.

Example:
    >>> from kugiri.measure.example import observe, value
    >>> seen = observe(["low lower", "lowest"], merges=["low"])
    >>> len(seen.vocabulary)  # 256 bytes, lo, low
    258
    >>> value(METRIC, seen)  # low, space, e, r, s, t: 6 / 258
    0.0233
"""

from __future__ import annotations

import numpy as np

from kugiri.measure.different_tokens import sum_of_used
from kugiri.measure.draws import Draws, Floats
from kugiri.measure.metric import Metric, Table
from kugiri.measure.observation import Observation
from kugiri.measure.vocabulary import Flags

EXAMPLES = 20
"""How many tokens of a kind are named."""


def _values(seen: Observation, draws: Draws) -> Floats:
    regular = seen.vocabulary.regular
    return sum_of_used(seen, draws, regular.astype(np.int64)) / max(int(regular.sum()), 1)


def _details(seen: Observation) -> list[Table]:
    first, last = seen.holders(np.arange(len(seen.tokens)))
    regular, counts = seen.vocabulary.regular, seen.counts
    kinds = (
        ("used", regular & (counts > 0)),
        ("once", regular & (counts == 1)),
        ("in one document only", regular & (counts > 1) & (first == last)),
        ("never", regular & (counts == 0)),
    )
    rows = [(kind, int(of_kind.sum()), _share(of_kind, regular)) for kind, of_kind in kinds]
    never = np.flatnonzero(kinds[-1][1])
    often = np.flatnonzero(kinds[2][1])
    often = often[np.argsort(-counts[often], kind="stable")][:EXAMPLES]
    name = seen.vocabulary.name
    tables = [
        Table("Use of the vocabulary", ("used", "tokens", "of vocabulary"), list(rows)),
        Table(
            "In one document only, most frequent first",
            ("token", "id", "count", "document"),
            [(name(id), id, int(counts[id]), int(first[id]) + 1) for id in often.tolist()],
        ),
        Table(
            "Never used, lowest ids first",
            ("token", "id"),
            [(name(id), id) for id in never[:EXAMPLES].tolist()],
        ),
    ]
    return [table for table in tables if table.rows]


def _share(some: Flags, regular: Flags) -> float | None:
    return float(some.sum() / regular.sum()) if regular.any() else None


METRIC = Metric(
    name="vocabulary_use",
    title="Vocabulary in use",
    unit="share",
    better=None,
    definition="The share of the vocabulary that occurs in the corpus at least once. Special "
    "tokens, which no text becomes, and the unknown token do not count on either side.",
    formula="|{v: c(v) > 0}| / |V|, V without special tokens and the unknown token",
    source="TokEval (tokenizer-analysis-suite) as vocabulary utilization",
    misleads="It grows with the corpus: compare tokenizers on one corpus. A vocabulary for a "
    "hundred languages is not worse because one text needs little of it; a small one uses all it "
    "has.",
    evidence="For: tokens that training seldom meets stay untrained, and models misbehave on them "
    "(Land, Bartolo 2024, arXiv:2405.05417). How many tokens are in use is also one of "
    "the measures of Lotz et al. 2025 for languages not seen in training: see Zipf slope. "
    "Against: for English it made next to no difference there.",
    values=_values,
    details=_details,
)
