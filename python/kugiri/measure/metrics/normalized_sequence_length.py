"""Normalized sequence length: tokens, as a share of those of a reference tokenizer.

Example:
    >>> from dataclasses import replace
    >>> from kugiri.measure.example import observe, value
    >>> seen = observe(["low low", "er"], merges=["lo", "low"])
    >>> other = observe(["low low", "er"], merges=["er"])
    >>> value(METRIC, replace(seen, reference=other))  # 3 + 2 tokens to 7 + 1
    0.625
"""

from __future__ import annotations

from kugiri.measure.draws import Draws, Floats
from kugiri.measure.metric import Metric
from kugiri.measure.observation import Observation


def _values(seen: Observation, draws: Draws) -> Floats:
    assert seen.reference is not None
    return draws.sum(seen.tokens) / draws.sum(seen.reference.tokens)


METRIC = Metric(
    name="normalized_sequence_length",
    title="Tokens to the reference",
    unit="ratio",
    better="less",
    definition="The tokens of a text to those that the reference tokenizer makes of it.",
    formula="NSL = Σ |T(x)| / Σ |T_ref(x)|, sums over all documents x (micro average)",
    source="G. Dagan et al. 2024, arXiv:2402.01035",
    misleads="It is a number of tokens, so all that is said of those holds; and a reference that "
    "does badly on a text makes every other tokenizer look good on it.",
    evidence="For: it says what a change of tokenizer does to the length of texts, and so to their "
    "cost. Against: as for tokens, shorter texts do not always make better models.",
    values=_values,
    weight=lambda seen: seen.reference.tokens.sum(),
    over="reference",
)
