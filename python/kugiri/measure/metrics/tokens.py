"""Tokens: how many a corpus becomes.

Example:
    >>> from kugiri.measure.example import observe, value
    >>> seen = observe(["a b c", "low lower"], merges=["lo", "low"])
    >>> seen.tokenizer.tokens("low lower")
    ['low', ' ', 'low', 'e', 'r']
    >>> value(METRIC, seen)  # 5 + 5
    10.0
"""

from __future__ import annotations

from kugiri.measure.draws import Draws, Floats
from kugiri.measure.metric import Metric
from kugiri.measure.observation import Observation


def _values(seen: Observation, draws: Draws) -> Floats:
    return draws.total(seen.tokens)


METRIC = Metric(
    name="tokens",
    title="Tokens",
    unit="tokens",
    better="less",
    definition="The tokens of all documents, without special tokens around them.",
    formula="N = Σ |T(x)| over documents x",
    source="C. W. Schmidt et al. 2024, arXiv:2402.18376 (corpus token count)",
    misleads="It is what a text costs, not how good a model becomes; compare it on one text only.",
    evidence="For: Goldman et al. 2024 find that models with shorter texts do better, small ones "
    "and generation most; SuperBPE, GreedTok and ConvexTok report better models along "
    "with shorter texts. Against: Schmidt et al. 2024 (arXiv:2402.18376) reject it over "
    "64 models, with a correlation of only 0.24 as others report it; to Arnett et al. "
    "2025 the relation is uncertain. It is a cost; of quality it says little.",
    values=_values,
)
