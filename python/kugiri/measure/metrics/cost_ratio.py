"""Cost ratio: how much more the dearest language costs than the cheapest, on the same text.

Example:
    >>> from kugiri.measure.example import observe
    >>> seen = [observe([text], merges=["low"]) for text in ("low", "猫", "低い")]
    >>> float(METRIC.values(seen, seen[0].corpus.draws)[0])  # 6 tokens to 1
    6.0
"""

from __future__ import annotations

from collections.abc import Sequence

from kugiri.measure.draws import Draws, Floats, centred
from kugiri.measure.metric import Metric
from kugiri.measure.metrics.gini import tokens_of_languages
from kugiri.measure.observation import Observation


def _values(seen: Sequence[Observation], draws: Draws) -> Floats:
    tokens = tokens_of_languages(seen, draws)
    ratio: Floats = tokens.max(axis=0) / tokens.min(axis=0)
    return centred(ratio)


METRIC = Metric(
    name="cost_ratio",
    title="Dearest to cheapest language",
    unit="ratio",
    better="less",
    definition="The tokens of the language of aligned texts that needs the most to those of the "
    "one that needs the fewest.",
    formula="max cᵢ / min cᵢ, where cᵢ is the tokens of language i",
    source="common; as TokEval gives it",
    misleads="It is about two languages only, and grows with each that is added. In other draws "
    "other languages may be the dearest and the cheapest.",
    evidence="As for parity.",
    values=_values,
    over="languages",
    least=1.0,
)
