"""Continued words: how many words are not one token.

Example:
    >>> from kugiri.measure.example import observe, value
    >>> seen = observe(["a low lower tower"], merges=["low", " low"])
    >>> seen.tokenizer.tokens("a low lower tower")
    ['a', ' low', ' low', 'e', 'r', ' ', 't', 'o', 'w', 'e', 'r']
    >>> value(METRIC, seen)  # lower and tower, of four words
    0.5
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kugiri.measure.draws import Draws, Floats, Integers, ratio
from kugiri.measure.metric import Metric, Table
from kugiri.measure.observation import Observation

_MOST = 6
"""Words of so many tokens and more are one row."""
_LISTED = 20


def _values(seen: Observation, draws: Draws) -> Floats:
    offsets = seen.corpus.words.offsets
    continued = np.concatenate([[0], np.cumsum(seen.tokens_of_words > 1)])
    return ratio(draws.sum(np.diff(continued[offsets])), draws.sum(np.diff(offsets)))


def _details(seen: Observation) -> list[Table]:
    kinds = np.bincount(np.minimum(seen.tokens_of_words, _MOST), minlength=_MOST + 1)
    rows: list[tuple[str | int | float | None, ...]] = [
        (
            f"{number}+" if number == _MOST else number,
            count,
            round(count / len(seen.tokens_of_words), 4),
        )
        for number, count in enumerate(kinds.tolist())
        if count
    ]
    return [
        Table("How many tokens touch a word", ("tokens", "words", "share"), rows),
        Table("The most frequent continued words", ("word", "times", "tokens"), _listed(seen)),
    ]


def _listed(seen: Observation) -> list[tuple[str | int | float | None, ...]]:
    distinct, tokens = seen.corpus.distinct_words, seen.tokens_of_words
    times = _sums(distinct.numbers, tokens > 1, len(distinct.words))
    most = np.argsort(-times, kind="stable")[:_LISTED]
    all_tokens = _sums(distinct.numbers, np.where(tokens > 1, tokens, 0), len(distinct.words))
    return [
        (distinct.words[word], int(times[word]), round(float(all_tokens[word] / times[word]), 2))
        for word in most[times[most] > 0].tolist()
    ]


def _sums(numbers: Integers, values: npt.NDArray[np.generic], size: int) -> Floats:
    return np.bincount(numbers, values.astype(np.float64), minlength=size).astype(np.float64)


METRIC = Metric(
    name="continued_words",
    title="Continued words",
    unit="share of words",
    better="less",
    definition="The share of the words of the text that more than one token touches. A token that "
    "holds the end of one word and the beginning of the next touches both.",
    formula="|{w : tokens that share a byte with w > 1}| / W, over all words of the sample",
    source="P. Rust et al. 2021, arXiv:2012.15613 (proportion of continued words)",
    misleads="Words of Japanese, Chinese or Thai are a matter of the segmenter. A token over two "
    "words (superwords, whole phrases) counts as one for each. An unknown token that stands for a "
    "whole word counts as one token, too.",
    evidence="For: Rust et al. 2021 see models of a language do better with a tokenizer that cuts "
    "fewer of its words. Against: as for fertility, it does not always foretell quality.",
    values=_values,
    weight=lambda seen: seen.corpus.words.offsets[-1],
    sampled=True,
    details=_details,
)
