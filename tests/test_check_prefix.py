"""Checking: how ids change as a text goes on."""

from __future__ import annotations

import re

import pytest

import kugiri
from kugiri.patterns import PATTERNS
from tests.checked import BYTE_LEVEL, BYTES, bpe, cases, found, tokenizer_json, words

DIGITS = tokenizer_json(
    bpe([*BYTES, *(f"{a}{b}" for a in "0123456789" for b in "0123456789")],
        [f"{a} {b}" for a in "0123456789" for b in "0123456789"]),
    pre_tokenizer={"type": "Sequence", "pretokenizers": [
        {"type": "Split", "behavior": "Isolated", "invert": False,
         "pattern": {"Regex": r"\d{1,3}(?=(\d{3})*\b)"}},
        {**BYTE_LEVEL, "use_regex": False},
    ]},
)  # fmt: skip
"""Digits in groups of three from the right."""
LEFT = tokenizer_json(
    bpe(["a", "b", "c", "ab", "bc", "."], ["a b", "b c"]),
)
"""a, ab, abc: what stands before a cut changes with the next letter."""


def counted(tok: kugiri.Tokenizer, kind: str, *documents: str) -> list[tuple[int, int]]:
    """How many cuts change ids, and of how many, in the text that was given."""
    shares = [what for what, _ in cases(tok, f"prefix.{kind}", *documents)]
    found = [re.match(r"([\d,]+) of ([\d,]+) cuts in the text,", share) for share in shares]
    return [(int(it[1].replace(",", "")), int(it[2].replace(",", ""))) for it in found if it]


def test_cuts_of_a_text() -> None:
    # a|bc, ab|c: of the two cuts the one inside ab changes its a.
    assert counted(LEFT, "characters", "abc") == [(1, 2)]
    assert cases(LEFT, "prefix.characters", "abc")[-1] == (
        "1 of 2 cuts in the text, 50.0%", "1 character back at most: a, then ab",
    )  # fmt: skip
    assert counted(LEFT, "characters", "ccc") == []
    assert counted(LEFT, "characters", "cab", "cab") == [(2, 4)]


def test_cuts_behind_sentences_and_lines() -> None:
    tok = tokenizer_json(bpe(["a", ".", "\n", "。", "\n\n", ".\n"], ["\n \n", ". \n"]))
    assert counted(tok, "ends", "a.\n\na。a") == [(1, 4)]  # behind . \n \n 。; . becomes .\n
    assert counted(tok, "ends", "a.a") == [], "no sentence ends inside a number or a name"
    assert counted(tok, "ends", "a\n\na") == [(1, 2)]


def test_ids_that_never_change() -> None:
    assert found(kugiri.train(["low"], vocab_size=256), "prefix") == {}
    assert counted(words(["a"]), "characters", "a a a") == []


def test_numbers_that_are_cut_from_the_right() -> None:
    far = dict(cases(DIGITS, "prefix.far", "1234567"))
    assert {what: becomes for what, becomes in far.items() if what in "1234567"} == {
        "12345": "12|34|5, then 1|23|4|56",
        "123456": "12|3|45|6, then 1|23|4|56",
    }
    cut_from_the_left = tokenizer_json(
        bpe([*BYTES, "12"], ["1 2"]),
        pre_tokenizer={"type": "Sequence", "pretokenizers": [
            {"type": "Split", "behavior": "Isolated", "invert": False,
             "pattern": {"Regex": r"\d{1,3}"}},
            {**BYTE_LEVEL, "use_regex": False},
        ]},
    )  # fmt: skip
    assert cases(cut_from_the_left, "prefix.far", "1234567") == []
    assert counted(cut_from_the_left, "characters", "1234567")[-1] == (1, 6)


def test_a_contraction_and_trailing_spaces_are_no_more_than_a_word() -> None:
    for name in PATTERNS:
        tok = kugiri.train(["don't do it,   they'll"] * 9, vocab_size=262, pre_tokenizer=name)
        assert cases(tok, "prefix.far", "don't do it,   they'll   123 DON'T") == [], name


def test_stretches_of_a_long_text() -> None:
    counts = counted(LEFT, "characters", "abc" * 100_000)
    assert 100 * 100 < counts[-1][1] <= 100 * 160, "a hundred stretches, evenly drawn"


def test_texts_without_ids_are_not_asked() -> None:
    tok = kugiri.train(["abc"] * 2, unit="char", num_merges=1, pre_tokenizer="none")
    result = kugiri.check(tok, only=["prefix"])
    assert result.skipped == {"prefix": "no text made for it has an id for each character"}
    assert kugiri.check(tok, ["x"], only=["prefix"]).asked == []
    assert kugiri.check(tok, ["abc"], only=["prefix"]).asked == ["prefix"]


@pytest.mark.parametrize("model", ["bpe", "unigram", "wordpiece"])
def test_every_cut_is_what_encoding_says(model: str) -> None:
    text = "the lower lowest lows of the newest widths"
    tok = kugiri.train([text] * 5, model=model, vocab_size=40 if model != "bpe" else 270)
    whole = tok.encode(text)
    changed = sum(
        tok.encode(text[:cut]) != whole[: len(tok.encode(text[:cut]))]
        for cut in range(1, len(text))
    )
    assert counted(tok, "characters", text)[-1:] == [(changed, len(text) - 1)]
