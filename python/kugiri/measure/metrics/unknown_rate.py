"""Unknown rate: the share of the characters of a text that are lost before a model sees them.

Example:
    >>> from kugiri.measure.example import characters_of, observed, value
    >>> seen = observed(characters_of("猫と"), ["猫と鼬鼠"])
    >>> seen.tokenizer.tokens("猫と鼬鼠")
    ['猫', 'と', '鼬', '鼠']
    >>> value(METRIC, seen)  # 2 of 4 characters: 鼬 and 鼠 are both <unk>
    0.5
"""

from __future__ import annotations

import numpy as np

from kugiri.measure.characters import most_frequent, name, occurrences, shown
from kugiri.measure.draws import Draws, Floats, Integers, ratio
from kugiri.measure.metric import Metric, Table
from kugiri.measure.observation import Observation
from kugiri.measure.vocabulary import Flags
from kugiri.measure.white_space import SPACES


def _values(seen: Observation, draws: Draws) -> Floats:
    unknown, dropped = lost_characters(seen)
    lost = seen.corpus.text.sums(unknown | dropped)
    return ratio(draws.sum(lost), draws.sum(seen.corpus.characters))


def lost_characters(seen: Observation) -> tuple[Flags, Flags]:
    """Of each character whether only the unknown token covers it, and whether it was dropped."""
    is_unknown = seen.vocabulary.unknown[seen.batch.ids]
    known, unknown = (covered_characters(seen, it) for it in (~is_unknown, is_unknown))
    points = seen.corpus.text.code_points
    dropped = (~known & ~unknown) | np.isin(points, _normalized_away(seen))
    dropped &= ~np.isin(points, SPACES)
    return unknown & ~known & ~dropped, dropped


def covered_characters(seen: Observation, tokens: Flags | bool = True) -> Flags:
    """Of each character whether one of these tokens covers some of it."""
    text, places = seen.corpus.text, seen.places
    tokens = tokens & (places.starts < places.ends)
    steps = np.zeros(len(text.code_points) + 1, np.int64)
    np.add.at(steps, text.character_at[places.starts[tokens]], 1)
    np.add.at(steps, text.character_at[places.ends[tokens] - 1] + 1, -1)
    return np.cumsum(steps[:-1]) > 0


def _normalized_away(seen: Observation) -> Integers:
    """The characters that the normalizer makes nothing of, so that a token reaches across them."""
    normalize = seen.tokenizer.normalize
    there = np.flatnonzero(occurrences(seen.corpus.text.code_points)).tolist()
    nothing = normalize("xx")
    return np.array([code for code in there if normalize(f"x{chr(code)}x") == nothing], np.int64)


def _details(seen: Observation) -> list[Table]:
    points = seen.corpus.text.code_points
    unknown, dropped = lost_characters(seen)
    columns = ("character", "name", "lost")
    return [
        Table(title, columns, [(shown(it), name(it), n) for it, n in most_frequent(points[lost])])
        for title, lost in (
            ("Under the unknown token, most frequent first", unknown),
            ("Dropped, most frequent first", dropped),
        )
        if lost.any()
    ]


METRIC = Metric(
    name="unknown_rate",
    title="Characters lost",
    unit="share",
    better="less",
    definition="The share of characters of the text that no token but the unknown token stands "
    "for. One that no token covers at all is lost too, since a normalizer or a model without an "
    "unknown token dropped it; only white space that was dropped is not counted, as that may be "
    "how words are cut.",
    formula="characters under the unknown token alone, under none, or normalized to nothing "
    "(White_Space aside) / C",
    source="kugiri; A. Petrov et al. 2023 describe it so, while tools divide unknown tokens by "
    "tokens",
    misleads="A character that became another one (① → 1) is not lost; round trip counts that. Of "
    "one that became several, it is enough that one is known.",
    evidence="Counted by tokens, a text that no model can read looks well: WordPiece makes one "
    "unknown token of a word (mBERT on Sinhala: 0.91 of tokens, fertility 1.10; tokscope).",
    values=_values,
    weight=lambda seen: seen.corpus.characters.sum(),
    sampled=True,
    details=_details,
)
