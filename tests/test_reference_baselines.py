"""Words and characters, the baselines, and what training them and BPE is asked for."""

from __future__ import annotations

from typing import Any

import pytest

from kugiri import spec
from kugiri.encoding import Token
from kugiri.errors import EncodingError, OptionError, TrainingError, VocabularyError
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.train.bpe import train_steps
from kugiri.reference.train.bpe_start import Options
from kugiri.reference.train.word_counts import count_words
from kugiri.reference.train.word_level import train_char_level, train_word_level
from kugiri.tables import Tokens

# ── words and characters ──────────────────────────────────────────────────────────────────────
UNKNOWN = (spec.AddedToken(2, "<unk>"), spec.AddedToken(3, "<s>"))


def test_words() -> None:
    model = spec.WordLevel(Tokens.from_iter([b"low", "猫".encode(), b"<unk>", b"<s>"]))
    tokenizer = ReferenceTokenizer(
        spec.TokenizerSpec(model, added_tokens=UNKNOWN, pre_tokenizer=spec.WhitespaceSplit())
    )
    assert tokenizer.encode("猫 lower low") == [
        Token(1, "猫".encode(), 0, 3),
        Token(2, b"lower", 4, 9),
        Token(0, b"low", 10, 13),
    ]
    assert tokenizer.decode([1, 2, 0]) == "猫 <unk> low"


def test_a_word_that_looks_like_a_special_token_is_unknown() -> None:
    model = spec.WordLevel(Tokens.from_iter([b"low", "猫".encode(), b"<unk>", b"<s>"]))
    tokenizer = ReferenceTokenizer(
        spec.TokenizerSpec(model, added_tokens=UNKNOWN, pre_tokenizer=spec.WhitespaceSplit())
    )
    assert [token.id for token in tokenizer.encode("<s> low")] == [2, 0]
    assert [token.id for token in tokenizer.encode("<s> low", allowed_special="all")] == [3, 0]


def test_characters() -> None:
    model = spec.CharLevel(Tokens.from_iter([b"a", "猫".encode(), b"<unk>"]))
    tokenizer = ReferenceTokenizer(spec.TokenizerSpec(model))
    assert [token.id for token in tokenizer.encode("a猫犬")] == [0, 1, 2]
    assert [token[2:] for token in tokenizer.encode("a猫犬")] == [(0, 1), (1, 4), (4, 7)]


@pytest.mark.parametrize("kind", [spec.BPE, spec.WordLevel, spec.CharLevel])
def test_an_unknown_token_that_is_not_in_the_vocabulary_is_missed_where_it_is_needed(
    kind: Any,
) -> None:
    model = kind(Tokens.from_iter([b"a"]), unk_token="<unk>")
    tokenizer = ReferenceTokenizer(spec.TokenizerSpec(model))
    assert [token.id for token in tokenizer.encode("a")] == [0]
    with pytest.raises(EncodingError, match="'b' at character 0 is not in the vocabulary"):
        tokenizer.encode("b")


# ── training ──────────────────────────────────────────────────────────────────────────────────
def test_training_words_and_characters() -> None:
    counts = count_words(["b a", "c a", "b <s>"], spec.WhitespaceSplit())
    assert list(counts.items()) == [(b"b", 2), (b"a", 2), (b"c", 1), (b"<s>", 1)]
    assert train_word_level(counts) == [b"a", b"b", b"<s>", b"c"]
    assert train_word_level(counts, 3, ["<s>"]) == [b"a", b"b", b"<s>"]
    assert train_word_level(counts, 9, ["<s>"]) == [b"a", b"b", b"c", b"<s>"]
    assert train_char_level({"猫が".encode(): 2, "犬が".encode(): 1}, 2) == [
        "が".encode(),
        "猫".encode(),
    ]


@pytest.mark.parametrize("train", [train_word_level, train_char_level])
def test_training_words_and_characters_refuses(train: Any) -> None:
    with pytest.raises(TrainingError, match="no words"):
        train({})
    with pytest.raises(VocabularyError, match=r"vocab_size=1 .* at least 2"):
        train({b"a": 1}, 1, ["<unk>"])


# ── options of training ───────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    "options", [{"end_of_word": "_"}, {"limit_alphabet": 5}, {"initial_alphabet": "abc"}]
)
def test_options_of_characters_need_characters(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match=f"{next(iter(options))} .*unit='char'"):
        Options(**options)


def test_a_step_shows_the_rivals_of_its_pair() -> None:
    step = next(train_steps({b"abab": 2, b"cd": 3, b"ef": 1}, Options(min_frequency=1)))
    assert (step.left, step.right, step.count) == (b"a", b"b", 4)
    assert step.rivals == [((b"c", b"d"), 3), ((b"b", b"a"), 2), ((b"e", b"f"), 1)]
