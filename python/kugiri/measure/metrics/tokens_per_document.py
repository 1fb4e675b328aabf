"""Tokens per document: how long a document is for a model, on average.

Example:
    >>> from kugiri.measure.example import observe, value
    >>> seen = observe(["low", "lower", ""], merges=["low"])
    >>> seen.tokenizer.tokens("lower")
    ['low', 'e', 'r']
    >>> value(METRIC, seen)  # 1 + 3 + 0 tokens, 3 documents
    1.3333
"""

from __future__ import annotations

import numpy as np

from kugiri.measure.draws import Draws, Floats, ratio
from kugiri.measure.metric import Metric, Table
from kugiri.measure.observation import Observation

SHARES = (0, 5, 25, 50, 75, 95, 99, 100)
"""Of the documents, in per cent, that are no longer than a row of the table says."""


def _values(seen: Observation, draws: Draws) -> Floats:
    return ratio(draws.sum(seen.tokens), draws.sum(np.ones(len(seen.tokens))))


def _details(seen: Observation) -> list[Table]:
    if not len(seen.tokens):
        return []
    # The least length that as many documents do not exceed, never one between two.
    lengths = np.quantile(seen.tokens, [share / 100 for share in SHARES], method="inverted_cdf")
    rows = [(share, int(length)) for share, length in zip(SHARES, lengths, strict=True)]
    return [Table("Lengths of documents", ("documents, %", "tokens at most"), list(rows))]


METRIC = Metric(
    name="tokens_per_document",
    title="Tokens per document",
    unit="tokens/document",
    better="less",
    definition="The mean number of tokens of a document. Blank lines of files, and texts without a "
    "character, are no documents; a blank line of aligned texts is one.",
    formula="N / documents",
    source="common; tokenizerbench gives the quantiles of its table too",
    misleads="What a document is depends on how the corpus was read: a line, a file or a record. A "
    "few long ones make the mean; the table has the quantiles.",
    evidence="As for tokens.",
    values=_values,
    weight=lambda seen: len(seen.corpus.documents),
    details=_details,
)
