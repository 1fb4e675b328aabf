"""Average token rank: how far down the list of tokens, by frequency, a text reaches.

Example:
    >>> from kugiri.measure.example import observe, value
    >>> value(METRIC, observe(["aaabbc"], merges=[]))  # (3·1 + 2·2 + 1·3) / 6
    1.6667
"""

from __future__ import annotations

from math import nan

from kugiri.measure.draws import Draws, Floats, undrawn
from kugiri.measure.frequencies import ranks
from kugiri.measure.metric import Metric
from kugiri.measure.observation import Observation


def _values(seen: Observation, draws: Draws) -> Floats:
    counts, total = seen.counts, int(seen.counts.sum())
    return undrawn(int((counts * ranks(seen)).sum()) / total if total else nan, draws)


METRIC = Metric(
    name="average_token_rank",
    title="Average token rank",
    unit="rank",
    better=None,
    definition="The mean, over all tokens of the text, of their rank by frequency in that text. It "
    "has no interval: ranks hang on how much text there is.",
    formula="Σ c(v) r(v) / N, r = 1 for the most frequent; equally frequent tokens have ranks of "
    "their own, in order of id",
    source="TokEval (tokenizer-analysis-suite)",
    misleads="It grows with the vocabulary and with the size of the corpus.",
    evidence="None on it alone. Lotz et al. 2025 have other measures of frequency by rank: see "
    "Zipf slope.",
    values=_values,
)
