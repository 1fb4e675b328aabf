"""A Unigram .model reads spaces as they are: against sentencepiece, on texts with all kinds."""

from __future__ import annotations

import random

import pytest

from kugiri import load
from kugiri.spec import PieceType
from tests.model_files import BOS, UNK, model
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


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("baabaa", [("baa", -1.0), ("c", -3e38), ("bb", -2.0)]),
        ("acbaaa", [("cca", -1.0), ("acb", -1.0), ("aaa", -3e38)]),
    ],
)
def test_sums_beyond_the_numbers(text: str, pieces: list[tuple[str, float]]) -> None:
    rows = [(piece.encode(), score, PieceType.NORMAL) for piece, score in pieces]
    data = model(UNK, BOS, (b"</s>", 0.0, PieceType.CONTROL), *rows)
    assert load(data).encode(text) == theirs_of(data).encode(text)
