"""The numbers of a page that is shared: the answer in a sentence, and how they are rounded."""

from __future__ import annotations

import re
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

import pytest

from kugiri.web.columns import more
from kugiri.web.requests import Share
from kugiri.web.share import file_name
from kugiri.web.share_numbers import lead, ranked
from kugiri.web.share_words import WORDS


@pytest.mark.parametrize(("language", "columns", "expected"), [
    ("en", {"a": 4, "b": 6, "c": 5}, "a needs the fewest tokens, 4; b the most, 6 (+50 %)"),
    ("ja", {"a": 4, "b": 6, "c": 4},
     "最も少ないのはa、cの4トークン、最も多いのはbの6トークン（+50 %）"),
    ("en", {"a": 4, "b": 4, "c": 5}, "a, b need the fewest tokens, 4; c the most, 5 (+25 %)"),
    ("en", {"a": 2, "b": 30}, "a needs the fewest tokens, 2; b the most, 30 (× 15)"),
    ("en", {"a": 1_000, "b": 1_015},
     "a needs the fewest tokens, 1,000; b the most, 1,015 (+1.5 %)"),
    ("en", {"a": 4, "b": 4}, "a, b: the same number of tokens, 4"),
    ("ja", {"a": 4, "b": 4}, "a、b：どれも4トークン"),
    ("en", {"a": 7}, "a cuts this text into 7 tokens"),
    ("ja", {"a": 7}, "aでは7トークン"),
    ("en", {"a": 4, "b": None}, "a needs 4 tokens; the others do not know all of the text"),
    ("ja", {"a": 4, "b": 4, "c": None},
     "a、b：どれも4トークン。ほかのトークナイザには未知語があります"),
    ("en", {"a": None, "b": None}, "No tokenizer has a token for all of this text"),
])  # fmt: skip
def test_the_answer_in_a_sentence(
    language: str, columns: dict[str, int | None], expected: str
) -> None:
    least = min((it for it in columns.values() if it is not None), default=0)
    rows = [
        {"name": name, "count": count or 9, "error": None,
         "more_than_least": None if count is None else count / least}
        for name, count in columns.items()
    ]  # fmt: skip
    assert re.sub("<[^>]*>", "", lead(rows, WORDS[language])) == expected


def more_by_hand(count: int, least: int) -> str:
    """How many more, as one works it out with pencil and paper: a half is rounded up."""
    if count >= 10 * least:
        return f"× {(Decimal(count) / least).quantize(Decimal(1), ROUND_HALF_UP):,}"
    percent = 100 * Decimal(count - least) / least
    digits = Decimal(1) if 10 * count >= 11 * least else Decimal("0.1")
    rounded = percent.quantize(digits, ROUND_HALF_UP)
    return f"+{rounded} %" if rounded else "< 0.1 %"


@pytest.mark.parametrize(("count", "least", "expected"), [
    (18, 16, "+13 %"), (17, 16, "+6.3 %"), (21, 2, "× 11"), (23, 2, "× 12"), (3, 2, "+50 %"),
    (201, 200, "+0.5 %"), (2001, 2000, "+0.1 %"), (1034, 1000, "+3.4 %"), (11, 10, "+10 %"),
    (1099, 1000, "+9.9 %"), (109_999, 100_000, "+10.0 %"), (53, 50, "+6.0 %"), (40, 4, "× 10"),
    (100_001, 100_000, "< 0.1 %"),
    (39, 4, "+875 %"), (12_345, 1, "× 12,345"), (203, 200, "+1.5 %"),
])  # fmt: skip
def test_how_many_more_is_rounded_as_by_hand(count: int, least: int, expected: str) -> None:
    assert more_by_hand(count, least) == expected
    rows = [
        {"name": str(it), "count": it, "error": None, "more_than_least": it / least}
        for it in (count, least)
    ]
    assert f"<em>{expected}</em>" in lead(rows, WORDS["en"]).replace("&lt;", "<")


def test_how_many_more_at_every_tie() -> None:
    for least in range(1, 130):
        for count in range(least + 1, 12 * least + 1):
            said = more(count, least)
            words = f"× {said['times']}" if "times" in said else f"+{said['percent']} %"
            words = words.replace("+<", "<")
            assert words == more_by_hand(count, least), (count, least)


def test_the_fewest_come_first_and_ties_as_they_came() -> None:
    given = {"a": 1.5, "b": None, "c": 1.0, "d": 1.5, "e": None, "f": 1.2}
    rows = ranked([{"name": name, "more_than_least": times} for name, times in given.items()])
    assert [it["name"] for it in rows] == ["c", "f", "a", "d", "b", "e"]


@pytest.mark.parametrize(("names", "expected"), [
    (["a"], "kugiri-1-tokenizer-2026-11-30.html"),
    (["a", "b", "c", "d"], "kugiri-4-tokenizers-2026-11-30.html"),
])  # fmt: skip
def test_the_file_is_called_by_what_is_in_it(names: list[str], expected: str) -> None:
    assert file_name(Share("low", names), date(2026, 11, 30)) == expected
