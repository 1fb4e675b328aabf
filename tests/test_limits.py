"""Texts within a limit: the promise of `truncate` and `chunks`, beside the slow obvious way."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest

import kugiri
from kugiri.errors import EncodingError
from kugiri.tokenizer import Tokenizer

JAPANESE = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。🐈 "
"""Tokens of one and of several characters, and characters of several tokens."""
TEXTS = {
    "sentences": JAPANESE * 20,
    "one letter": "ア" * 500,
    "words": "low lower lowest  \n\n " * 40,
    "four bytes": "a🐈" * 50,
    "spaces": " " * 99 + "a",
    "nothing": "",
    "a space": " ",
}


@pytest.fixture(scope="module", params=["words", "no words", "far look-ahead"])
def tok(request: pytest.FixtureRequest) -> Tokenizer:
    patterns = {"words": "o200k", "no words": "none", "far look-ahead": r"ア+(?=ア{40})|\p{L}+|."}
    corpus = [JAPANESE * 3, "low lower", "ア" * 64]
    return kugiri.train(corpus, num_merges=70, pre_tokenizer=patterns[request.param])


def slow_chunks(tok: Tokenizer, text: str, limit: int) -> list[str]:
    """The longest beginning that fits, again and again, looked for character by character."""
    parts = []
    while text:
        fitting = [
            end
            for end in range(1, min(len(text), 20 * limit) + 1)
            if tok.count(text[:end]) <= limit
        ]
        parts.append(text[: fitting[-1]])
        text = text[fitting[-1] :]
    return parts


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize(("limit", "overlap"), [(4, 0), (4, 3), (7, 2), (100, 0), (100, 99)])
def test_the_promise(tok: Tokenizer, text: str, limit: int, overlap: int) -> None:
    parts = tok.chunks(text, limit, overlap)
    for part in parts:
        assert part.text == text[slice(*part.span)]
        assert part.ids.tolist() == tok.encode(part.text)
        assert len(part.ids) <= limit
    assert [part.span[0] for part in parts[:1]] == [0] * bool(text)
    for before, after in pairwise(parts):
        assert before.span[0] < after.span[0] <= before.span[1] < after.span[1]
        assert overlap or after.span[0] == before.span[1]
    assert [part.span[1] for part in parts[-1:]] == [len(text)] * bool(text)
    if not overlap:
        assert len(parts) <= 1.4 * len(slow_chunks(tok, text, limit)) + 1


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("limit", [0, 1, 4, 50])
def test_truncate(tok: Tokenizer, text: str, limit: int) -> None:
    short = tok.truncate(text, limit)
    longest = max(end for end in range(len(text) + 1) if tok.count(text[:end]) <= limit)
    assert text.startswith(short)
    assert tok.count(short) <= limit
    assert len(short) >= 0.7 * longest - 3
    if tok.count(text) <= limit:
        assert short == text


@pytest.mark.parametrize("limit", [1, 2, 100])
def test_a_million_characters_of_one_word(limit: int) -> None:
    tok = kugiri.train(["ab"], vocab_size=256)
    begun = time.perf_counter()
    parts = tok.chunks("ア" * 100_000, 3 * limit)
    assert [len(part.text) for part in parts[:-1]] == [limit] * (len(parts) - 1)
    assert tok.truncate("ア" * 1_000_000, 300_000) == "ア" * 100_000
    assert time.perf_counter() - begun < 20


def test_a_prefix_that_every_part_gets_again() -> None:
    """A text alone begins with a mark, which may cost a token more than within the whole."""
    model = kugiri.train(
        ["猫がいる。 犬もいる。"] * 3, preset="sentencepiece", model_type="bpe", vocab_size=20
    )
    for limit in (2, 3, 9):
        parts = model.chunks("猫がいる。 " * 30, limit)
        assert "".join(part.text for part in parts) == "猫がいる。 " * 30
        assert all(model.count(part.text) <= limit for part in parts)


def test_one_character_has_no_room() -> None:
    tok = kugiri.train(["ab"], vocab_size=256)
    with pytest.raises(EncodingError, match="the character '🐈' at 2 is 4 tokens; max_tokens=3"):
        tok.chunks("aa🐈a", 3)
