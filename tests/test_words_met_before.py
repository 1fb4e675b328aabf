"""What the tables of words give is what the first meeting gave, and what the readable engine gives.

Short words, longer ones and sections of words are kept in different tables, by length and by number
of ids (`collections/word_cache.rs`, `collections/long_words.rs`).
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri.reference.pipeline import ReferenceTokenizer

TEXT = ["ab abab aab abba bab " * 3, "図書館で猫の本を読んでみた猫"] * 2
TRAINED = {
    "bytes": kugiri.train(TEXT, num_merges=30),
    "characters": kugiri.train(TEXT, unit="char", num_merges=14, special_tokens=["<unk>"]),
    "one word": kugiri.train(TEXT, num_merges=30, pre_tokenizer="none"),
}

# Words about as long as a table takes them, of few letters, so that beginnings and ends are the same.
WORDS = st.one_of(
    st.text("ab", min_size=12, max_size=34),
    st.text("ab", max_size=9),
    st.text("図書館で猫の本x", max_size=12),
)


@pytest.mark.parametrize("name", TRAINED)
@given(words=st.lists(WORDS, max_size=12))
def test_a_word_that_was_met_has_the_same_tokens(name: str, words: list[str]) -> None:
    tokenizer = TRAINED[name]
    text = " ".join([*words, *words])
    expected = ReferenceTokenizer(tokenizer.spec)
    once = tokenizer.encode(text)
    assert once == tokenizer.encode(text) == [token.id for token in expected.encode(text)]
