"""Write the table of docs/sweep.md: what some options of a training do to text that it did not see.

Run it when a figure changes; a test compares the page. Each row is one training, which differs from
the first in one option.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any, NamedTuple

import kugiri
from kugiri import KugiriWarning, Tokenizer
from kugiri.measure.report import Report

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "sweep.md"
SAMPLE = ROOT / "python" / "kugiri" / "sample"
BEGIN, END = "<!-- options -->\n", "<!-- /options -->"

TRAINING = SAMPLE / "japanese.txt"
CORPORA = {
    "ja": [SAMPLE / f"{name}.txt" for name in ("cooking", "law", "medicine")],
    "emoji": [SAMPLE / "emoji.txt"],
    "code": [SAMPLE / "code.txt"],
}
USUAL: dict[str, Any] = {"model": "unigram", "hard_vocab_limit": False}
SIZE = 1200


class Column(NamedTuple):
    """A metric on a text, and how its values are written."""

    heading: str
    metric: str
    corpus: str
    form: str


COLUMNS = (
    Column("bytes per token", "bytes_per_token", "ja", ".2f"),
    Column("characters lost", "unknown_rate", "ja", ".1%"),
    Column("characters broken", "broken_characters", "ja", ".1%"),
    Column("lines that begin with a lone ▁", "lone_space_marks", "ja", ".0%"),
    Column("lines of emoji that come back", "round_trip", "emoji", ".0%"),
    Column("bytes per token of code", "bytes_per_token", "code", ".2f"),
)
VARIED: dict[str, list[Any]] = {
    "character_coverage": [0.9995, 0.98, 1.0],
    "byte_fallback": [True, False],
    "add_dummy_prefix": [True, False],
    "normalization_rule_name": ["nmt_nfkc", "identity"],
    "added": [None, SAMPLE / "code.txt"],
}
"""The value of all other rows comes first."""


def spelled() -> str:
    """The page with its table made anew."""
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    return before + BEGIN + table() + END + rest.split(END, 1)[1]


def table() -> str:
    """The table."""
    rows = [
        _row("option", [column.heading for column in COLUMNS]),
        "|---" + "|---:" * len(COLUMNS) + "|",
        _row("none of these", _cells({})),
    ]
    for option, (_, *others) in VARIED.items():
        for value in others:
            shown = value.name if isinstance(value, Path) else str(value).lower()
            rows.append(_row(f"`{option}={shown}`", _cells({option: value})))
    return "\n".join([*rows, ""])


def _row(first: str, rest: list[str]) -> str:
    return f"| {first} | {' | '.join(rest)} |"


def _cells(changed: dict[str, Any]) -> list[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KugiriWarning)
        report = _measured(_trained(changed))
    return [_cell(report, column) for column in COLUMNS]


def _trained(changed: dict[str, Any]) -> Tokenizer:
    first = {option: values[0] for option, values in VARIED.items()}
    vary = {option: [value] for option, value in {**first, **changed}.items()}
    trained = kugiri.train_variants(TRAINING, vary=vary, vocab_sizes=[SIZE], **USUAL)
    return next(iter(trained.values()))


def _measured(tokenizer: Tokenizer) -> Report:
    names = list(dict.fromkeys(column.metric for column in COLUMNS))
    return kugiri.measure({"it": tokenizer}, CORPORA, metrics=names, draws=0)


def _cell(report: Report, column: Column) -> str:
    value = report.value(column.metric, "it", column.corpus).value
    return "–" if value is None else format(value, column.form).replace("%", " %")


if __name__ == "__main__":
    PAGE.write_text(spelled(), encoding="utf-8")
