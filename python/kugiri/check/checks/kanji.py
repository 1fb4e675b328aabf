"""How many kanji are one token each.

Rule.    JIS X 0208 has 2,965 kanji of level 1, which texts of every day use, and 3,390 of level 2,
         rarer ones and those of names. Counted are those that have a token of their own. Said is a
         share of each level; a vocabulary without any kanji is not asked.
Cost.    One look at each token.
Source.  JIS X 0208, rows 16 to 47 and 48 to 84, as EUC-JP writes them.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from kugiri.check.finding import Case, Check, Found, Kind
from kugiri.check.remedies import more_kanji
from kugiri.check.subject import Subject


def cannot(subject: Subject) -> dict[str, str]:
    """A vocabulary may be for other languages."""
    return {} if any(_numbers(subject).values()) else {"single": "no kanji is a token"}


def find(subject: Subject) -> Found:
    """The share of each level."""
    for name, number in _numbers(subject).items():
        all = len(_levels()[name])
        yield "single", Case(f"kanji of {name}", f"{number:,} of {all:,}, {number / all:.1%}")


def _numbers(subject: Subject) -> dict[str, int]:
    """How many of each level are a token."""
    table = subject.vocabulary
    there = {table.texts[id] for id in np.flatnonzero(table.regular).tolist()}
    levels = _levels().items()
    return {name: sum(it.encode() in there for it in kanji) for name, kanji in levels}


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
            more_kanji,
        ),
    },
    find=find,
    cannot=cannot,
)
