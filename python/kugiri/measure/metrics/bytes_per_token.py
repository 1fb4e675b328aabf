"""Bytes per token: how much text a token stands for.

Example:
    >>> from kugiri.measure.example import observe, value
    >>> seen = observe(["猫がいる"], merges=["猫", "いる"])
    >>> seen.tokenizer.tokens("猫がいる")
    ['猫', '<e3 81>', '<8c>', 'いる']
    >>> value(METRIC, seen)  # 12 bytes, 4 tokens
    3.0
"""

from __future__ import annotations

from kugiri.measure.draws import Draws, Floats, ratio
from kugiri.measure.metric import Metric
from kugiri.measure.observation import Observation


def _values(seen: Observation, draws: Draws) -> Floats:
    return ratio(draws.sum(seen.corpus.bytes), draws.sum(seen.tokens))


METRIC = Metric(
    name="bytes_per_token",
    title="Bytes per token",
    unit="bytes/token",
    better="more",
    definition="UTF-8 bytes of the text to its tokens.",
    formula="B / N, sums over all documents (micro average)",
    source="common; the ratio of sums, as nanochat's tok_eval and tokscope give it",
    misleads="A character of Japanese has three bytes, one of English one: compare tokenizers on "
    "one text, never texts of several languages.",
    evidence="As for tokens, of which it is the inverse on one text.",
    values=_values,
    weight=lambda seen: seen.tokens.sum(),
)
