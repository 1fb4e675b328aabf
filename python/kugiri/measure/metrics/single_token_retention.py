"""Single-token retention: how many of a list of words are one token.

Example:
    >>> from kugiri.measure.example import observe, value
    >>> seen = observe(["low lower low", "a low tower"], merges=[" low", " lower"])
    >>> seen.corpus.distinct_words.words
    ['low', 'lower', 'a', 'tower']
    >>> seen.tokenizer.tokens("low"), seen.tokenizer.tokens(" low")
    (['l', 'o', 'w'], [' low'])
    >>> value(METRIC, seen)  # low and lower behind a space, a by itself; tower never
    0.75
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kugiri.measure.draws import Draws, Floats, ratio
from kugiri.measure.metric import Metric
from kugiri.measure.observation import Observation


def _values(seen: Observation, draws: Draws) -> Floats:
    given = seen.corpus.word_list
    if given is not None:
        single = _are_single(seen, list(dict.fromkeys(given)))
        return np.full(len(draws), single.mean() if len(single) else np.nan)
    distinct = seen.corpus.distinct_words
    single = _are_single(seen, distinct.words)
    of_documents = distinct.share_of(single), distinct.share_of(np.ones_like(single))
    return ratio(*map(draws.sum, of_documents))


def _are_single(seen: Observation, words: list[str]) -> npt.NDArray[np.bool_]:
    """(words,): whether each is one token, by itself or behind a space."""
    return _one_each(seen, words) | _one_each(seen, [f" {word}" for word in words])


def _one_each(seen: Observation, texts: list[str]) -> npt.NDArray[np.bool_]:
    batch = seen.tokenizer.encode_batch(texts, threads=seen.threads)
    single: npt.NDArray[np.bool_] = np.diff(batch.offsets) == 1
    known = ~seen.vocabulary.unknown[batch.ids[batch.offsets[:-1][single]]]
    single[single] = known
    return single


METRIC = Metric(
    name="single_token_retention",
    title="Single-token retention",
    unit="share of words",
    better="more",
    definition="The share of a list of different words that are one token, each encoded by itself "
    "or behind a space; an unknown token does not count. The list is given, or all different words "
    "of the text, as the segmenter sees them.",
    formula="|{w : |T(w)| = 1 or |T(␠w)| = 1}| / |words|, each word once however often it occurs. "
    "A word of several documents is parted among them, for the interval.",
    source="arXiv:2510.09947 (STRR)",
    misleads="Most different words are rare: the longer the text, the lower it is, so compare on "
    "one text only. A large vocabulary has more words whatever it was trained for.",
    evidence="For: it shows which languages a vocabulary keeps whole words for. Against: no study "
    "was found that relates it to how good a model becomes.",
    values=_values,
    sampled=True,
)
