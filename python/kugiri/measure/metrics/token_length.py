"""Token length: the mean length of the different tokens that a corpus needs.

Example:
    >>> from kugiri.measure.example import observe, value
    >>> value(METRIC, observe(["low lower low"], merges=["low"]))  # low, space, e, r: 6 / 4
    1.5
"""

from __future__ import annotations

import numpy as np

from kugiri.measure.different_tokens import sum_of_used
from kugiri.measure.draws import Draws, Floats, ratio
from kugiri.measure.metric import Metric, Table
from kugiri.measure.observation import Observation

LONGEST = 32
"""Tokens of more bytes are one row."""


def _values(seen: Observation, draws: Draws) -> Floats:
    vocabulary = seen.vocabulary
    lengths = np.where(vocabulary.regular, vocabulary.lengths, 0)
    different = sum_of_used(seen, draws, vocabulary.regular.astype(np.int64))
    return ratio(sum_of_used(seen, draws, lengths), different)


def _details(seen: Observation) -> list[Table]:
    vocabulary = seen.vocabulary
    regular = vocabulary.regular
    lengths = np.minimum(vocabulary.lengths[regular], LONGEST + 1)
    of_vocabulary = np.bincount(lengths)
    of_tokens = np.bincount(lengths, seen.counts[regular])
    entries, tokens = max(int(of_vocabulary.sum()), 1), max(of_tokens.sum(), 1)
    rows = [
        (
            str(length) if length <= LONGEST else f"over {LONGEST}",
            int(of_vocabulary[length]),
            float(of_vocabulary[length] / entries),
            float(of_tokens[length] / tokens),
        )
        for length in np.flatnonzero(of_vocabulary).tolist()
    ]
    columns = ("bytes", "entries", "share of vocabulary", "share of tokens")
    return [Table("Lengths of tokens", columns, list(rows))]


METRIC = Metric(
    name="token_length",
    title="Length of different tokens",
    unit="bytes",
    better=None,
    definition="The mean length of the tokens that occur, each different one once, in the bytes of "
    "text that it stands for. The table has all lengths, by vocabulary and by tokens of the text.",
    formula="Σ bytes(v) / |{v: c(v) > 0}| over tokens v that occur, the unknown token left out; ▁ "
    "is a space, ## and </w> are nothing",
    source="common; TkTkT calls it type-weighted. Weighted by frequency it is bytes per token",
    misleads="Long tokens that are hardly used lengthen it: beside a low number of bytes per "
    "token, a vocabulary is spent on rare strings.",
    evidence="None known.",
    values=_values,
    details=_details,
)
