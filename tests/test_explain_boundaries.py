"""The rules that parted two pre-tokens, where the pre-tokenizer changes what it cuts."""

from __future__ import annotations

import pytest
from hypothesis import given

from kugiri.explain.boundaries import cuts
from kugiri.patterns import PATTERNS
from kugiri.reference.alignment import Aligned
from kugiri.spec import ByteLevel, PreTokenizer, PreTokenizers, Regex, Split
from tests.strategies import texts

GPT2 = Split(Regex(PATTERNS["gpt2"]))
BYTES = ByteLevel(add_prefix_space=False, use_regex=True)


def rules(text: str, pre_tokenizer: PreTokenizer) -> list[str | None]:
    return [cut.rule for cut in cuts(Aligned.of(text), pre_tokenizer)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("仕組みを。猫", ["after letters, before signs", "after signs, before letters"]),
        ("東京 都", ["after letters, before letters led by a space"]),
        ("é１２a", ["after letters, before digits", "after digits, before letters"]),
    ],
)
def test_what_is_cut_into_bytes_keeps_its_rules(text: str, expected: list[str]) -> None:
    assert rules(text, BYTES) == [None, *expected]


@given(texts)
def test_bytes_are_parted_by_the_rules_of_their_pattern(text: str) -> None:
    if not any("\ud800" <= it <= "\udfff" for it in text):
        assert rules(text, BYTES) == rules(text, GPT2)
        assert rules(text, PreTokenizers((GPT2, ByteLevel(use_regex=False)))) == rules(text, GPT2)
