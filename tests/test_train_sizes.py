"""train_sizes: each tokenizer, its record and its warnings are those of a training of its size."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import kugiri
from kugiri.errors import OptionError

TEXTS = ["low lower lowest 猫がいる"] * 3

NOTES: dict[str, tuple[dict[str, Any], dict[int, list[str]]]] = {
    "pairs run out": (
        {},
        {
            258: [],
            274: [],
            275: ["vocab_size=275 was not reached"],
            5000: ["vocab_size=5000 was not reached"],
        },
    ),
    "characters left out": (
        {"unit": "char", "limit_alphabet": 9},
        {
            9: ["limit_alphabet=9 left out 3"],
            99: ["limit_alphabet=9 left out 3", "vocab_size=99 was not reached"],
        },
    ),
    "below the alphabet, as in tokenizers": (
        {"preset": "gpt2", "special_tokens": ["<s>"]},
        {9: ["the alphabet alone is larger than the vocabulary asked for: 257 > 9"], 258: []},
    ),
}


@pytest.mark.parametrize("name", NOTES)
def test_each_size_carries_what_is_true_of_it(name: str) -> None:
    options, expected = NOTES[name]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        toks = kugiri.train_sizes(TEXTS, vocab_sizes=list(expected), **options)
        said = [str(warning.message) for warning in caught]
        alone = {size: kugiri.train(TEXTS, vocab_size=size, **options) for size in expected}
    assert toks == alone
    for size, begins in expected.items():
        notes = toks[size].training["warnings"]
        assert [note[: len(begin)] for note, begin in zip(notes, begins, strict=True)] == begins
    every = [note for tok in toks.values() for note in tok.training["warnings"]]
    assert said == list(dict.fromkeys(every)), "each is said once"
    assert {warning.filename for warning in caught} == {__file__}


@pytest.mark.parametrize("options", [{"preset": "llama2"}, {"model_type": "bpe"}])
def test_a_training_of_sentencepiece_takes_one_size(options: dict[str, str]) -> None:
    with pytest.raises(OptionError, match="call train for each size"):
        kugiri.train_sizes(["low lower lowest"] * 9, vocab_sizes=[20, 30], **options)
