"""Longest pieces: the characters of the longest token of a vocabulary, and the longest themselves.

Example:
    >>> from kugiri.measure.example import observe, value
    >>> value(METRIC, observe([], merges=["low", "吾輩は猫"]))  # 吾輩は猫
    4.0
"""

from __future__ import annotations

import numpy as np

from kugiri.explain.glyphs import visible
from kugiri.explain.vocabulary import Piece, longest, pieces
from kugiri.measure.draws import Draws, Floats, undrawn
from kugiri.measure.metric import Metric, Table
from kugiri.measure.observation import Observation

MOST = 20


def _values(seen: Observation, draws: Draws) -> Floats:
    regular = np.flatnonzero(seen.vocabulary.regular)
    most = max((_characters(seen.vocabulary.texts[id]) for id in regular.tolist()), default=0)
    return undrawn(float(most), draws)


def _characters(text: bytes) -> int:
    """The whole characters of a token, without marks of words."""
    return len(text.decode(errors="ignore"))


def _details(seen: Observation) -> list[Table]:
    texts = seen.vocabulary.texts

    def length(piece: Piece) -> int:
        return _characters(texts[piece.id])

    found = longest(seen.tokenizer, pieces(seen.tokenizer), MOST, length)
    rows = [(visible(it.piece.token), it.piece.id, it.characters, it.alone) for it in found]
    columns = ("token", "id", "characters", "tokens for it alone")
    return [Table("The longest, without those inside a longer one", columns, list(rows))]


METRIC = Metric(
    name="longest_pieces",
    title="Longest token",
    unit="characters",
    better=None,
    definition="The characters of the text that the longest token stands for, special tokens "
    "aside. The table has the longest, and how many other tokens are of use for each of them "
    "alone.",
    formula="max over tokens v of the characters of v",
    source="kugiri",
    misleads="One token says little. Read the table: phrases that only one source repeats are a "
    "vocabulary that was spent on boilerplate.",
    evidence="None known.",
    values=_values,
    over="vocabulary",
    details=_details,
)
