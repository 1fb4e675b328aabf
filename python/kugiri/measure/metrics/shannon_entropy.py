"""Shannon entropy: how many bits say which token comes next, if only frequencies are known.

Example:
    >>> from kugiri.measure.example import observe, value
    >>> value(METRIC, observe(["aabc"], merges=[]))  # 1/2·1 + 1/4·2 + 1/4·2
    1.5
"""

from __future__ import annotations

from math import nan

from kugiri.measure.draws import Draws, Floats, undrawn
from kugiri.measure.frequencies import entropy, shares
from kugiri.measure.metric import Metric
from kugiri.measure.observation import Observation


def _values(seen: Observation, draws: Draws) -> Floats:
    return undrawn(entropy(shares(seen), 1) if len(seen.batch.ids) else nan, draws)


METRIC = Metric(
    name="shannon_entropy",
    title="Shannon entropy",
    unit="bits/token",
    better=None,
    definition="The entropy of the frequencies of tokens, as if each came by itself. It has no "
    "interval: it hangs on how much text there is, which draws of documents do not show.",
    formula="H = −Σ p(v) log₂ p(v) over tokens v that occur, p(v) = their share of all tokens",
    source="C. E. Shannon 1948; by tokenization-scorer, V. Zouhar et al. 2023",
    misleads="It grows with the vocabulary and, in small corpora, with their size. It knows no "
    "order of tokens: bits per byte does.",
    evidence="For: with Rényi efficiency it told translation models apart in Zouhar et al. 2023, "
    "less well than at α = 2.5. Against: as for Rényi efficiency.",
    values=_values,
)
