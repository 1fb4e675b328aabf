"""Tokens per character, and how they spread over scripts and blocks of Unicode.

Example:
    >>> from kugiri.measure.example import observe, value
    >>> seen = observe(["猫cat"], merges=["cat"])
    >>> seen.tokenizer.tokens("猫cat")
    ['<e7>', '<8c>', '<ab>', 'cat']
    >>> value(METRIC, seen)  # 4 tokens, 4 characters
    1.0
    >>> METRIC.details(seen)[0].rows
    [('Han', 1, 3.0, 0.3333333333333333), ('Latin', 3, 1.0, 3.0)]
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from kugiri.measure.draws import Draws, Floats, Integers, ratio
from kugiri.measure.metric import Metric, Table
from kugiri.measure.observation import Observation
from kugiri.unicode import blocks, scripts

MOST = 20
"""How many scripts or blocks are shown."""

Runs = tuple[Sequence[int], Sequence[int], Sequence[str]]


def _values(seen: Observation, draws: Draws) -> Floats:
    return ratio(draws.sum(seen.tokens), draws.sum(seen.corpus.characters))


def _details(seen: Observation) -> list[Table]:
    columns = ("characters", "tokens", "characters per token")
    return [
        Table("By script", ("script", *columns), _rows(seen, scripts.runs(), scripts.COMMON)),
        Table("By block of Unicode", ("block", *columns), _rows(seen, blocks.runs(), blocks.NONE)),
    ]


def _rows(seen: Observation, runs: Runs, other: str) -> list[tuple[str | float | None, ...]]:
    """For each class of characters its characters and its tokens, those with most tokens first."""
    names = [*dict.fromkeys(runs[2]), other]
    of_character = _classes(seen.corpus.text.code_points, runs, names)
    characters = np.bincount(of_character, minlength=len(names))
    tokens = np.bincount(of_character, _tokens(seen), minlength=len(names)).round(6)
    order = np.lexsort((-characters, -tokens))
    return [
        (
            names[at],
            int(characters[at]),
            float(tokens[at]),
            float(characters[at] / tokens[at]) if tokens[at] else None,
        )
        for at in order[:MOST].tolist()
        if characters[at]
    ]


def _classes(code_points: npt.NDArray[np.uint32], runs: Runs, names: Sequence[str]) -> Integers:
    """The class of each character, by its place among the names; the last is for all others."""
    number = {name: at for at, name in enumerate(names)}
    firsts, lasts = np.array(runs[0]), np.array(runs[1])
    of_runs = np.array([number[name] for name in runs[2]])
    at = np.maximum(np.searchsorted(firsts, code_points, side="right") - 1, 0)
    inside = (code_points >= firsts[at]) & (code_points <= lasts[at])
    return np.where(inside, of_runs[at], len(names) - 1)


def _tokens(seen: Observation) -> Floats:
    """(characters,): the tokens that each has part in, by its share of their bytes."""
    text, (starts, ends) = seen.corpus.text, seen.places
    stands = starts < ends
    starts, ends = starts[stands], ends[stands]
    # What a byte has of the tokens over it is the sum of all that began before it and did not end.
    steps = np.zeros(len(text.data) + 1)
    np.add.at(steps, starts, 1 / (ends - starts))
    np.add.at(steps, ends, -1 / (ends - starts))
    of_bytes = np.cumsum(steps[:-1])
    tokens = np.bincount(text.character_at, of_bytes, minlength=len(text.code_points))
    return tokens.astype(np.float64)


METRIC = Metric(
    name="tokens_per_character",
    title="Tokens per character",
    unit="tokens/character",
    better="less",
    definition="Tokens to characters of the text. The tables say which scripts and blocks of "
    "Unicode they are for: a token counts for the characters that it covers, by their share of its "
    "bytes.",
    formula="N / C; in the tables Σ over bytes of a class of Σ over tokens on that byte of 1 / "
    "bytes of the token",
    source="kugiri; groups by script as TokEval has them for whole texts",
    misleads="Punctuation, digits and spaces are Common, whatever they stand beside. Scripts are "
    "those of Unicode 9.0: a character that is younger counts as Common. Tokens that were put in "
    "(▁) belong to no script.",
    evidence="As for tokens.",
    values=_values,
    weight=lambda seen: seen.corpus.characters.sum(),
    sampled=True,
    details=_details,
)
