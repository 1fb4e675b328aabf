"""Which strings may be pieces: the rows of valid_pieces.toml, and the table of scripts."""

from __future__ import annotations

import pytest

from kugiri.reference.train.valid_pieces import PieceRules
from kugiri.unicode.scripts import runs, script
from vector_rows import Row, rows


@pytest.mark.parametrize("row", rows("valid_pieces", "case"))
def test_valid_pieces(row: Row) -> None:
    rules = PieceRules(**row["options"])
    assert [piece for piece in row["allowed"] if not rules.allow(piece)] == []
    assert [piece for piece in row["refused"] if rules.allow(piece)] == []


@pytest.mark.parametrize(
    ("character", "expected"),
    [
        ("a", "Latin"),
        ("я", "Cyrillic"),
        ("猫", "Han"),
        ("々", "Han"),
        ("ひ", "Hiragana"),
        ("カ", "Katakana"),
        ("ｶ", "Katakana"),
        ("ー", "Common"),
        ("\u0301", "Inherited"),
        ("\u3099", "Inherited"),
        ("。", "Common"),
        ("\U0001f408", "Common"),
        ("\u0560", "Common"),  # Armenian only since Unicode 11
        ("\U0010ffff", "Common"),
    ],
)
def test_scripts_are_those_of_unicode_9(character: str, expected: str) -> None:
    assert script(character) == expected


def test_table_of_scripts_is_in_order() -> None:
    firsts, lasts, scripts = runs()
    assert len(firsts) == len(lasts) == len(scripts)
    assert all(first <= last for first, last in zip(firsts, lasts, strict=True))
    assert all(last < first for last, first in zip(lasts[:-1], firsts[1:], strict=True))
