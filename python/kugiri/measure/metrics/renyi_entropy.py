"""Rényi entropy: the entropy of token frequencies with more weight on frequent tokens.

Example:
    >>> from kugiri.measure.example import observe, value
    >>> value(METRIC, observe(["abcd"], merges=[]))  # four tokens, equally frequent: log₂ 4
    2.0
    >>> value(METRIC, observe(["aaab"], merges=[]))  # −2/3 · log₂(0.75^2.5 + 0.25^2.5)
    0.6319
"""

from __future__ import annotations

from kugiri.measure.draws import Draws, Floats
from kugiri.measure.frequencies import renyi_bits
from kugiri.measure.metric import Metric
from kugiri.measure.observation import Observation


def _values(seen: Observation, draws: Draws) -> Floats:
    return renyi_bits(seen, draws)


METRIC = Metric(
    name="renyi_entropy",
    title="Rényi entropy, α = 2.5",
    unit="bits/token",
    better=None,
    definition="The entropy of order 2.5 of the frequencies of tokens: very frequent tokens pull "
    "it down.",
    formula="H_α = 1/(1 − α) · log₂ Σ p(v)^α over tokens v that occur, α = 2.5",
    source="A. Rényi 1961; V. Zouhar et al. 2023, 10.18653/v1/2023.acl-long.284",
    misleads="As a number of bits it grows with the vocabulary; the efficiency divides by that.",
    evidence="See Rényi efficiency.",
    values=_values,
)
