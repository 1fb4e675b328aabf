"""Graphemes per token: how many characters, as a reader counts them, a token stands for.

Example:
    >>> from kugiri.measure.example import observe, value
    >>> seen = observe(["か\u3099👨‍👩‍👧!"], merges=["か\u3099"])
    >>> seen.corpus.graphemes.tolist()  # が of two code points, a family of five, !
    [3]
    >>> value(METRIC, seen)  # 3 graphemes; 1 token for が, 18 bytes of the family, and !
    0.15
"""

from __future__ import annotations

from kugiri.measure.draws import Draws, Floats, ratio
from kugiri.measure.metric import Metric
from kugiri.measure.observation import Observation


def _values(seen: Observation, draws: Draws) -> Floats:
    return ratio(draws.sum(seen.corpus.graphemes), draws.sum(seen.tokens))


METRIC = Metric(
    name="graphemes_per_token",
    title="Graphemes per token",
    unit="graphemes/token",
    better="more",
    definition="Extended grapheme clusters of the text to its tokens.",
    formula="Σ graphemes(x) / N, sums over all documents",
    source="kugiri; clusters by UAX #29 of Unicode, as ICU4X has it",
    misleads="As for bytes per token, between languages: a Chinese grapheme says more than a Latin "
    "one. In most text it is close to characters per token; they part where marks are characters "
    "of their own (Thai, Hindi, text that is not NFC) and in emoji.",
    evidence="None of its own was found; see bytes per token.",
    values=_values,
    weight=lambda seen: seen.tokens.sum(),
)
