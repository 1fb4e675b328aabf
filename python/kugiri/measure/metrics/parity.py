"""Parity: what a text costs in one language, to the same text in the reference language.

Example:
    >>> from dataclasses import replace
    >>> from kugiri.measure.example import observe, value
    >>> english = observe(["a cat", "low"], merges=["cat", "low"])
    >>> japanese = replace(english.on(observe(["猫", "低い"], []).corpus), translation=english)
    >>> value(METRIC, japanese)  # 3 + 6 bytes to "a", " ", "cat" and "low"
    2.25
    >>> METRIC.details(japanese)[0].rows[:3]  # 3 / 3 and 6 / 1
    [('least', 1.0), ('lower quartile', 2.25), ('median', 3.5)]
"""

from __future__ import annotations

import numpy as np

from kugiri.measure.draws import Draws, Floats
from kugiri.measure.metric import Metric, Table
from kugiri.measure.observation import Observation

_QUANTILES = {
    "least": 0.0, "lower quartile": 0.25, "median": 0.5, "upper quartile": 0.75, "most": 1.0,
}  # fmt: skip
_LINES = 5
_SHOWN = 80
"""Characters of a line that are shown."""


def _values(seen: Observation, draws: Draws) -> Floats:
    assert seen.translation is not None
    return draws.sum(seen.tokens) / draws.sum(seen.translation.tokens)


def _details(seen: Observation) -> list[Table]:
    """The ratios of single lines; those that have no token in the reference language have none."""
    assert seen.translation is not None
    there = seen.translation.tokens
    lines = np.flatnonzero(there)
    if not len(lines):
        return []
    ratios = seen.tokens[lines] / there[lines]
    order = np.argsort(-ratios, kind="stable")[:_LINES]
    spread = [(name, float(np.quantile(ratios, at))) for name, at in _QUANTILES.items()]
    of_lines = [
        (
            int(lines[at]) + 1,
            float(ratios[at]),
            int(seen.tokens[lines[at]]),
            int(there[lines[at]]),
            seen.corpus.documents[lines[at]][:_SHOWN],
            seen.translation.corpus.documents[lines[at]][:_SHOWN],
        )
        for at in order
    ]
    other = seen.translation.corpus.name
    return [
        Table(f"Ratios of {len(lines):,} lines", ("of the lines", "ratio"), [*spread]),
        Table(
            "The lines with the highest ratio",
            ("line", "ratio", "tokens", f"tokens in {other}", "text", f"text in {other}"),
            [*of_lines],
        ),
    ]


METRIC = Metric(
    name="parity",
    title="Tokens to the reference language",
    unit="ratio",
    better="less",
    definition="The tokens of aligned text in this language to those of the same text in the "
    "reference language (premium). 1 is parity.",
    formula="Σ |T(x)| / Σ |T(x')|, sums over all lines x and their translations x' (micro average)",
    source="A. Petrov et al. 2023, arXiv:2305.15425",
    misleads="A tokenizer that cuts the reference language badly has low ratios everywhere: look "
    "at the tokens too. A translation may be longer or shorter than it need be.",
    evidence="For: Petrov et al. 2023 find ratios up to 18 for one price, and Ali et al. 2024 "
    "(arXiv:2310.08754) up to 68 % more training compute on multilingual text for a "
    "tokenizer made for English; over some 7,000 tokenizers of 97 languages the size of "
    "the vocabulary and the pre-tokenizer drive it (Arnett et al. 2025, "
    "arXiv:2510.21909). Against: Ali et al. do not always find it to predict how good a "
    "model becomes.",
    values=_values,
    weight=lambda seen: seen.translation.tokens.sum(),
    over="translation",
    details=_details,
)
