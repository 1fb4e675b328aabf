"""Characters per token: how much text a token stands for, in code points.

Example:
    >>> from kugiri.measure.example import observe, value
    >>> seen = observe(["猫がいる"], merges=["猫", "いる"])
    >>> seen.tokenizer.tokens("猫がいる")
    ['猫', '<e3 81>', '<8c>', 'いる']
    >>> value(METRIC, seen)  # 4 characters, 4 tokens
    1.0
"""

from __future__ import annotations

from kugiri.measure.draws import Draws, Floats, ratio
from kugiri.measure.metric import Metric
from kugiri.measure.observation import Observation


def _values(seen: Observation, draws: Draws) -> Floats:
    return ratio(draws.sum(seen.corpus.characters), draws.sum(seen.tokens))


METRIC = Metric(
    name="characters_per_token",
    title="Characters per token",
    unit="characters/token",
    better="more",
    definition="Code points of the text to its tokens.",
    formula="C / N, sums over all documents (micro average)",
    source="common; the ratio of sums, as tokscope and toklens give it",
    misleads="A character of Japanese says more than a letter of English: compare tokenizers on "
    "one text, never texts of several languages. An emoji may be seven code points.",
    evidence="As for tokens, of which it is the inverse on one text.",
    values=_values,
    weight=lambda seen: seen.tokens.sum(),
)
