"""Never used: how many tokens of the vocabulary a corpus does not need.

Example:
    >>> from kugiri.measure.example import observe, value
    >>> value(METRIC, observe(["low lower"], merges=["low"]))  # 258 less low, space, e, r
    254.0
"""

from __future__ import annotations

import numpy as np

from kugiri.measure.different_tokens import sum_of_used
from kugiri.measure.draws import Draws, Floats
from kugiri.measure.metric import Metric
from kugiri.measure.observation import Observation


def _values(seen: Observation, draws: Draws) -> Floats:
    regular = seen.vocabulary.regular
    return int(regular.sum()) - sum_of_used(seen, draws, regular.astype(np.int64))


METRIC = Metric(
    name="never_used",
    title="Tokens never used",
    unit="tokens",
    better=None,
    definition="Tokens of the vocabulary, special ones and the unknown token aside, that do not "
    "occur in the corpus. Examples are with vocabulary use.",
    formula="|{v: c(v) = 0}|, of V without special tokens and the unknown token",
    source="common",
    misleads="As for vocabulary use: the corpus may simply be about other things.",
    evidence="As for vocabulary use.",
    values=_values,
)
