"""Components of tokenizer.json in company: ids, tokens, places and decoding as in tokenizers.

Each combination of tests/hf_combinations.py is trained by tokenizers itself, loaded from what it
writes, and compared on hard strings, on slices of real texts, on strings made of the vocabulary's
own tokens, and on any text. `make parity` compares more of each.
"""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kugiri
from tests.conftest import sliced
from tests.hard_texts import HARD
from tests.hf_combinations import ADDED, COMBINATIONS, SPECIAL, compare, trained
from tests.strategies import texts
from tools.parity_texts import TEXTS

every_combination = pytest.mark.parametrize("name", COMBINATIONS)


@cache
def ours(name: str) -> kugiri.Tokenizer:
    return kugiri.load(trained(name).to_str().encode())


def test_there_are_enough() -> None:
    assert len(COMBINATIONS) >= 40


@every_combination
@pytest.mark.parametrize("add_special_tokens", [False, True])
def test_hard_strings(name: str, add_special_tokens: bool) -> None:
    for text in HARD:
        compare(ours(name), trained(name), text, add_special_tokens)


@every_combination
@pytest.mark.parametrize("text_name", TEXTS)
def test_slices_of_real_texts(name: str, text_name: str) -> None:
    for line in sliced(text_name, 0.0005).splitlines(keepends=True):
        compare(ours(name), trained(name), line, False)


@every_combination
def test_strings_of_its_own_tokens(name: str) -> None:
    """Tokens in any order, those that are added and those that are special among them."""
    draw = random.Random(1)
    own = sorted(trained(name).get_vocab()) + [str(added["content"]) for added in ADDED] * 20
    for _ in range(200):
        compare(ours(name), trained(name), "".join(draw.choices(own, k=draw.randint(1, 6))), True)


@every_combination
@settings(max_examples=60)
@given(
    text=st.lists(
        st.one_of(st.sampled_from([*SPECIAL, *(str(it["content"]) for it in ADDED)]), texts),
        max_size=4,
    ).map("".join)
)
def test_any_text(name: str, text: str) -> None:
    compare(ours(name), trained(name), text, True)


@every_combination
def test_any_ids_are_decoded(name: str) -> None:
    draw = random.Random(2)
    ids = sorted(trained(name).get_vocab().values())
    for _ in range(300):
        drawn = draw.choices(ids, k=draw.randint(0, 8))
        for skip in (False, True):
            expected = trained(name).decode(drawn, skip_special_tokens=skip)
            assert ours(name).decode(drawn, skip_special_tokens=skip) == expected, drawn
