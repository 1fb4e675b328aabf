"""How many kanji are one token each.

Rule.    JIS X 0208 has 2,965 kanji of level 1, which texts of every day use, and 3,390 of level 2,
         rarer ones and those of names. Counted are those that have a token of their own. Said is a
         share of each level, where the vocabulary has any: of one without Japanese nothing is.
Cost.    One look at each token.
Source.  JIS X 0208, rows 16 to 47 and 48 to 84, as EUC-JP writes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from kugiri.check.finding import Case, Check, Kind
from kugiri.check.subject import Subject


def find(subject: Subject) -> Iterator[tuple[str, Case]]:
    """The share of each level."""
    table = subject.vocabulary
    there = {table.texts[id] for id in np.flatnonzero(table.regular).tolist()}
    for name, kanji in _levels().items():
        number = sum(character.encode() in there for character in kanji)
        if number:
            share = f"{number:,} of {len(kanji):,}, {number / len(kanji):.1%}"
            yield "single", Case(f"kanji of {name}", share)


@cache
def _levels() -> dict[str, list[str]]:
    return {"level 1": _rows(16, 47), "level 2": _rows(48, 84)}


def _rows(first: int, last: int) -> list[str]:
    """The characters of some rows; EUC-JP puts 0xA0 to each of the two numbers."""
    cells = (
        bytes([0xA0 + row, 0xA0 + cell]) for row in range(first, last + 1) for cell in range(1, 95)
    )
    return [text for cell in cells if (text := cell.decode("euc_jp", errors="ignore"))]


CHECK = Check(
    name="kanji",
    question="How many kanji of JIS X 0208 are one token?",
    kinds={
        "single": Kind(
            "note",
            "are one token each; the others are several, or unknown",
            "for Japanese text, train with more of it, or with a larger character_coverage",
        ),
    },
    find=find,
)
