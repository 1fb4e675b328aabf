"""Words and characters out of much text: the same as by the trainers of the readable engine."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri.errors import KugiriWarning, TrainingError
from kugiri.reference.train.word_level import train_char_level, train_word_level
from kugiri.training.baselines import train_characters, train_words
from kugiri.training.character_counts import count_characters
from kugiri.training.word_counts import WordCounts

WORDS = st.dictionaries(
    st.text("ab猫犬\U00020bb7<unk>", min_size=1, max_size=4), st.integers(1, 4), min_size=1
)
SPECIALS = st.sampled_from([(), ("<unk>",), ("a", "<unk>"), ("猫", "b", "ab")])


def outcome(train: Any, *arguments: Any) -> Any:
    """The vocabulary, or why there is none."""
    try:
        return train(*arguments)
    except kugiri.KugiriError as error:
        return repr(error)


@pytest.mark.parametrize(
    ("train", "oracle"), [(train_words, train_word_level), (train_characters, train_char_level)]
)
@given(WORDS, SPECIALS, st.none() | st.integers(1, 12))
def test_the_same_as_the_readable_engine(
    train: Any, oracle: Any, words: dict[str, int], specials: tuple[str, ...], size: int | None
) -> None:
    counts = WordCounts.from_mapping(words)
    expected = outcome(oracle, dict(counts.items()), size, specials)
    assert outcome(train, counts, size, specials) == expected


def test_more_words_than_are_looked_at_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kugiri.training.character_counts._WORDS", 2)
    counts = WordCounts.from_mapping({"猫は": 2, "low": 3, "\U00020bb7": 9, "は": 1, "lo": 1})
    assert count_characters(counts) == {"\U00020bb7": 9, "l": 4, "o": 4, "は": 3, "w": 3, "猫": 2}
    assert list(count_characters(counts)) == ["\U00020bb7", "l", "o", "w", "は", "猫"]


def test_counts_that_are_too_large() -> None:
    assert count_characters(WordCounts.from_mapping({"a": 2**62})) == {"a": 2**62}
    with pytest.raises(TrainingError, match=r"more than 2\*\*63 characters"):
        count_characters(WordCounts.from_mapping({"aa": 2**62}))


@pytest.mark.parametrize(
    ("model", "units", "largest"), [("word", "words", 4), ("char", "characters", 7)]
)
def test_a_size_that_is_not_reached(model: str, units: str, largest: int) -> None:
    corpus = ["low lower low", "slow"]
    expected = f"vocab_size=99 was not reached: there are no more {units}; the largest vocabulary"
    with pytest.warns(KugiriWarning, match=expected):
        tok = kugiri.train(corpus, model=model, vocab_size=99, pre_tokenizer="whitespace")
    assert tok.training["warnings"] == [f"{expected} possible here is {largest}"]
    planned = kugiri.plan(corpus, model=model, pre_tokenizer="whitespace")
    assert tok.vocab_size == planned.largest == largest
