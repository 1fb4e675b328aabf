"""Byte fallback rate: the share of tokens that are no whole characters.

Example:
    >>> from kugiri.measure.example import observe, value
    >>> seen = observe(["猫がいる"], merges=["猫", "いる"])
    >>> seen.tokenizer.tokens("猫がいる")
    ['猫', '<e3 81>', '<8c>', 'いる']
    >>> value(METRIC, seen)  # 2 of 4
    0.5
"""

from __future__ import annotations

import numpy as np

from kugiri.measure.characters import MOST
from kugiri.measure.draws import Draws, Floats, ratio
from kugiri.measure.metric import Metric, Table
from kugiri.measure.observation import Observation


def _values(seen: Observation, draws: Draws) -> Floats:
    fallback = seen.vocabulary.bytes | seen.vocabulary.parts
    return ratio(draws.sum(seen.sums(fallback)), draws.sum(seen.tokens))


def _details(seen: Observation) -> list[Table]:
    counts = np.where(seen.vocabulary.bytes | seen.vocabulary.parts, seen.counts, 0)
    most = np.argsort(-counts, kind="stable")[:MOST]
    name = seen.vocabulary.name
    rows = [(name(id), id, int(counts[id])) for id in most.tolist() if counts[id]]
    return [Table("Tokens of bytes, most frequent first", ("token", "id", "count"), list(rows))]


METRIC = Metric(
    name="byte_fallback_rate",
    title="Byte tokens",
    unit="share",
    better="less",
    definition="The share of tokens that stand for bytes and not for characters: tokens of byte "
    "fallback (<0xE7>), and tokens of byte-level vocabularies that are not valid UTF-8 alone.",
    formula="(tokens <0xHH> + tokens that are not UTF-8 by themselves) / N",
    source="tokscope, as byte-token rate",
    misleads="<0x0A> is a whole character and counts, since the vocabulary has no token for it; a "
    "byte-level token of one ASCII character does not.",
    evidence="Tokens that are no whole characters are followed by errors (Jang et al. 2024, "
    "arXiv:2410.23684); a relation with the quality of models has not been published.",
    values=_values,
    weight=lambda seen: seen.tokens.sum(),
    details=_details,
)
