"""Fertility: how many tokens a word of running text takes.

Example:
    >>> from kugiri.measure.example import observe, value
    >>> seen = observe(["低い声で歌う。"], merges=["低い", "。"])
    >>> len(seen.corpus.words.starts), len(seen.batch.ids)  # 低い 声 で 歌う; 1 + 4 × 3 + 1 tokens
    (4, 14)
    >>> value(METRIC, seen)  # 14 / 4
    3.5
"""

from __future__ import annotations

import numpy as np

from kugiri.measure.draws import Draws, Floats, ratio
from kugiri.measure.metric import Metric
from kugiri.measure.observation import Observation


def _values(seen: Observation, draws: Draws) -> Floats:
    return ratio(draws.sum(seen.tokens), draws.sum(np.diff(seen.corpus.words.offsets)))


METRIC = Metric(
    name="fertility",
    title="Fertility",
    unit="tokens/word",
    better="less",
    definition="All tokens of the text, those of spaces and punctuation too, to its words. What a "
    "word is, the segmenter says that the report names: a segment with a letter or number in it.",
    formula="N / W, sums over all documents of the sample (micro average)",
    source="J. Ács 2019 (Exploring BERT's Vocabulary); P. Rust et al. 2021, arXiv:2012.15613",
    misleads="Words of Japanese, Chinese or Thai are a matter of the segmenter: compare tokenizers "
    "under one, and no two languages. In code, tokens of punctuation and indentation make most of "
    "it. A tokenizer that makes one unknown token of a word looks good; see the unknown rate.",
    evidence="For: it is what text of a language costs; Ali et al. 2024 (arXiv:2310.08754) find up "
    "to 68 % more training compute with an English tokenizer on multilingual text. Against: the "
    "same study finds that it does not always foretell how good a model becomes.",
    values=_values,
    weight=lambda seen: seen.corpus.words.offsets[-1],
    sampled=True,
)
