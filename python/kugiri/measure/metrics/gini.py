"""Gini coefficient: how unevenly the cost of one text is spread over languages.

Example:
    >>> from kugiri.measure.example import observe
    >>> seen = [observe([text], merges=["low"]) for text in ("low", "猫", "低い")]
    >>> [int(one.tokens[0]) for one in seen]
    [1, 3, 6]
    >>> float(METRIC.values(seen, seen[0].corpus.draws)[0])  # 2 (2 + 5 + 3) / (2 · 3² · 10/3)
    0.333...
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kugiri.measure.draws import Draws, Floats, centred
from kugiri.measure.metric import Metric, Table
from kugiri.measure.observation import Observation


def tokens_of_languages(seen: Sequence[Observation], draws: Draws) -> Floats:
    """(languages, draws): the tokens of the same lines in each language."""
    return np.array([draws.sum(one.tokens) for one in seen])


def _values(seen: Sequence[Observation], draws: Draws) -> Floats:
    tokens = tokens_of_languages(seen, draws)
    # Of sorted costs the one with i others below it is in 2i + 1 − n differences more with a plus
    # than with a minus, and each pair is there twice.
    signs = 2 * np.arange(len(seen)) + 1 - len(seen)
    apart = (signs[:, None] * np.sort(tokens, axis=0)).sum(axis=0)
    ratio: Floats = apart / (len(seen) * tokens.sum(axis=0))
    return centred(ratio)


def _details(seen: Sequence[Observation]) -> list[Table]:
    rows = sorted(
        (
            one.corpus.name,
            int(one.tokens.sum()),
            int(one.tokens.sum()) / len(one.tokens),
            int(one.corpus.bytes.sum()),
        )
        for one in seen
    )
    rows.sort(key=lambda row: row[1])
    columns = ("language", "tokens", "tokens a line", "bytes")
    return [Table("What the same lines cost in each language", columns, [*rows])]


METRIC = Metric(
    name="gini",
    title="Gini over languages",
    unit="coefficient",
    better="less",
    definition="How unevenly tokens are spread over the languages of aligned texts: 0 if each "
    "needs as many, (n - 1) / n if one of n languages needs them all.",
    formula="Σᵢ Σⱼ |cᵢ - cⱼ| / (2 n² μ), where cᵢ is the tokens of language i to the number of "
    "lines, the same for all, and μ the mean of these",
    source="C. Gini 1912; as a measure of tokenizers TokEval (tokenizer fairness)",
    misleads="It is low too where all languages need many tokens. It depends on which languages "
    "are there. By lines and not by bytes: bytes differ between scripts for one meaning.",
    evidence="None on the quality of models is known to us; it is a measure of price.",
    values=_values,
    over="languages",
    details=_details,
)
