"""Broken characters: the share of characters whose bytes lie in more than one token.

Example:
    >>> from kugiri.measure.example import observe, value
    >>> seen = observe(["猫がいる"], merges=["猫", "いる"])
    >>> seen.tokenizer.tokens("猫がいる")
    ['猫', '<e3 81>', '<8c>', 'いる']
    >>> value(METRIC, seen)  # が of four
    0.25
"""

from __future__ import annotations

import numpy as np

from kugiri.measure.characters import MOST, most_frequent, name, occurrences, shown
from kugiri.measure.draws import Draws, Floats, ratio
from kugiri.measure.metric import Metric, Table
from kugiri.measure.observation import Observation
from kugiri.measure.vocabulary import Flags


def _values(seen: Observation, draws: Draws) -> Floats:
    broken = draws.sum(seen.corpus.text.sums(_broken(seen)))
    return ratio(broken, draws.sum(seen.corpus.characters))


def _broken(seen: Observation) -> Flags:
    """Of each character whether a token begins or ends inside it."""
    text, places = seen.corpus.text, seen.places
    ids, stands = seen.batch.ids, places.starts < places.ends
    broken = np.zeros(len(text.code_points), np.bool_)
    begins = stands & seen.vocabulary.begins_inside[ids]
    open = stands & seen.vocabulary.leaves_open[ids]
    broken[text.character_at[places.starts[begins]]] = True
    broken[text.character_at[places.ends[open] - 1]] = True
    return broken


def _details(seen: Observation) -> list[Table]:
    points = seen.corpus.text.code_points
    all_of = occurrences(points)
    characters = [
        (shown(it), name(it), broken, int(all_of[ord(it)]), broken / int(all_of[ord(it)]))
        for it, broken in most_frequent(points[_broken(seen)])
    ]
    vocabulary = seen.vocabulary
    straddling = vocabulary.begins_inside & vocabulary.leaves_open
    counts = np.where(straddling, seen.counts, 0)
    most = np.argsort(-counts, kind="stable")[:MOST]
    tokens = [(vocabulary.name(id), id, int(counts[id])) for id in most.tolist() if counts[id]]
    tables = [
        Table(
            "Broken characters, most frequent first",
            ("character", "name", "broken", "occurrences", "share"),
            list(characters),
        ),
        Table(
            "Tokens with the tail of one character and the head of another",
            ("token", "id", "count"),
            list(tokens),
        ),
    ]
    return [table for table in tables if table.rows]


METRIC = Metric(
    name="broken_characters",
    title="Broken characters",
    unit="share",
    better="less",
    definition="The share of characters of the text that some token holds in part: it begins or "
    "ends between two bytes of the character, or of what the normalizer made of it.",
    formula="characters whose bytes lie in more than one token / C",
    source="kugiri",
    misleads="A model can learn to put bytes together; a broken character costs tokens, and tokens "
    "that straddle characters cost sense. A character that is several whole tokens (㌢ → セン, チ) "
    "is not broken.",
    evidence="Tokens that are no whole characters are followed by errors (Jang et al. 2024, "
    "arXiv:2410.23684); a relation with the quality of models has not been published.",
    values=_values,
    weight=lambda seen: seen.corpus.characters.sum(),
    sampled=True,
    details=_details,
)
