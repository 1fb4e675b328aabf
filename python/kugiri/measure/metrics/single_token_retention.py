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

from kugiri.measure.draws import Draws, Floats, ratio, undrawn
from kugiri.measure.metric import Metric
from kugiri.measure.observation import Observation
from kugiri.measure.places import Places, TextBytes, places_of
from kugiri.measure.words import touched
from kugiri.segmenters import Words


def _values(seen: Observation, draws: Draws) -> Floats:
    given = seen.corpus.word_list
    if given is not None:
        single = _are_single(seen, list(dict.fromkeys(given)))
        return undrawn(float(single.mean()) if len(single) else np.nan, draws)
    distinct = seen.corpus.distinct_words
    single = _are_single(seen, distinct.words)
    of_documents = distinct.share_of(single), distinct.share_of(np.ones_like(single))
    return ratio(*map(draws.sum, of_documents))


def _are_single(seen: Observation, words: list[str]) -> npt.NDArray[np.bool_]:
    """(words,): whether each is one token, by itself or behind a space."""
    return _one_each(seen, words, "") | _one_each(seen, words, " ")


def _one_each(seen: Observation, words: list[str], before: str) -> npt.NDArray[np.bool_]:
    text = TextBytes([before + word for word in words])
    ids, places = (
        seen.tokenizer.encode_batch(text.documents, threads=seen.threads).ids,
        places_of(seen.tokenizer, text),
    )
    begins, ends = np.full(len(words), len(before)), np.diff(text.byte_starts)
    each = Words(begins, ends, np.arange(len(words) + 1))
    unknown = seen.vocabulary.unknown[ids]
    of_unknown = Places(places.starts[unknown], places.ends[unknown])
    single: npt.NDArray[np.bool_] = touched(places, text, each) == 1
    single &= touched(of_unknown, text, each) == 0
    return single


METRIC = Metric(
    name="single_token_retention",
    title="Single-token retention",
    unit="share of words",
    better="more",
    definition="The share of a list of different words that one token covers, each encoded by "
    "itself or behind a space. What stands for none of its bytes, as the ▁ before a text, is not "
    "counted; an unknown token covers nothing. The list is given, or all different words of the "
    "text, as the segmenter sees them.",
    formula="|{w : one token touches w in T(w) or in T(␠w)}| / |words|, each word once however "
    "often it occurs. A word of several documents is parted among them, for the interval; a list "
    "that is given has no documents, and no interval.",
    source="arXiv:2510.09947 (STRR)",
    misleads="Most different words are rare: the longer the text, the lower it is, so compare on "
    "one text only. A large vocabulary has more words whatever it was trained for.",
    evidence="For: it shows which languages a vocabulary keeps whole words for. Against: no study "
    "was found that relates it to how good a model becomes.",
    values=_values,
    sampled=True,
)
