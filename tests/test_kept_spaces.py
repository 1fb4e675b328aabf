"""A Unigram .model reads spaces as they are: against sentencepiece, on texts with all kinds."""

from __future__ import annotations

import random

import pytest

from kugiri import load
from tests.sentencepiece_models import CONFIGURATIONS, model_file, theirs_of

UNIGRAM = [name for name, options in CONFIGURATIONS.items() if options["model_type"] == "unigram"]
PARTS = [
    *"ab.x1\t\r\n\0\x7f",
    *[" ", " ", "  ", "▁", "▁▁", "\u3000", "\u00a0", "\u200b", "\u00ad", " \u0301", "a\u0301"],
    *["é", "あ", "か\u3099", "が", "ｶﾞ", "漢", "。", "㍿", "ﬁ", "Ａ", "😀", "한", "İ"],
    *["<s>", "<sep>", "▁the", "the cat sat on the mat", "  jumps over", "hello world ", "吾輩は猫"],
]


@pytest.mark.parametrize("name", UNIGRAM)
def test_as_sentencepiece(name: str) -> None:
    source = random.Random(name)
    data = model_file(name)
    ours, theirs = load(data), theirs_of(data)
    texts = ["".join(source.choices(PARTS, k=source.randrange(40))) for _ in range(400)]
    texts = [*texts, *texts[:100], "".join(texts)]
    expected = theirs.encode(texts)
    assert ours.encode_batch(texts).to_lists() == expected
    for text, ids in zip(texts, expected, strict=True):
        assert ours.encode_with_offsets(text).ids.tolist() == ids, text
