"""One text in blocks has the ids of the whole, for every tokenizer, cut and number of threads.

The whole text, encoded at once, is the oracle; that it is right others test.
"""

from __future__ import annotations

import random
from functools import cache
from itertools import pairwise
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri import _core
from kugiri.errors import EncodingError
from kugiri.tokenizing.encode_options import Asked, EncodeOptions, asked
from tests.conftest import sliced
from tests.hard_texts import HARD
from tests.hf_combinations import COMBINATIONS, SAMPLE, SPECIAL, trained
from tests.oracles import parity_file
from tools.parity_texts import TEXTS

ATOMS = [
    *[
        "a",
        "the",
        "don't",
        "it's",
        "HTTP",
        "İ",
        "ſ",
        "'s",
        "'S",
        "'ll",
        "'",
        "é",
        "e\u0301",
        "\u0301",
    ],
    *[" ", "  ", " ", "\n", "\n\n", " \n", "\r\n", "\t", "\u3000", "\u2028", "\x85", "\u00ad", "▁"],
    *["。", "、", "「", "」", "，", "．", "！", ",", ".", "..", ")", "!", ":", ";", "/", "//"],
    *["東京", "か", "が", "か\u3099", "ｶﾞ", "ﾞ", "ー", "各", "한", "ᄀ", "ᅡ", "각", "ไทย", "नम", "ष्ट"],
    *["1", "123", "½", "١٢", "Ⅷ", "👍", "️", "\u0600", "\ufffd", "<|endoftext|>", "</s>", "<unk>"],
    *SPECIAL,
]
hard = st.lists(st.sampled_from(ATOMS), max_size=40).map("".join)
sizes = st.sampled_from([0, 1, 2, 5, 17])
threads = st.sampled_from([1, 2, 3, 8, None])
OPTIONS: list[EncodeOptions] = [
    {},
    {"allowed_special": "all"},
    {"add_special_tokens": True, "allowed_special": "all"},
]
MODELS = [
    *(f"npm/{name}/tokenizer.json" for name in ("gemma3", "gpt4o", "llama2", "llama3", "qwen3")),
    *(f"spm/{name}.model" for name in ("botchan_en_bpe_1000", "botchan_en_unigram_1000")),
    "spm/kyoto_ja_unigram_8000.model",
]


@cache
def model(name: str) -> kugiri.Tokenizer:
    return kugiri.load(parity_file(name))


@cache
def combined(name: str) -> kugiri.Tokenizer:
    return kugiri.load(trained(name).to_str().encode())


def asked_of(tok: kugiri.Tokenizer, options: EncodeOptions) -> Asked:
    return asked(options, tok.spec, tok.special_tokens)


def streamed(
    tok: kugiri.Tokenizer,
    parts: list[str],
    size: int,
    threads: int | None = None,
    options: EncodeOptions | None = None,
) -> list[int] | str:
    """The ids of a text that comes in parts; or why there are none."""
    stream = _core.Stream(tok._core, asked_of(tok, options or {}), threads, size)
    try:
        ids = [stream.feed(part.encode(), False) for part in parts]
        ids.append(stream.feed(b"", True))
    except EncodingError as error:
        return str(error)
    return [id for part in ids for id in part.tolist()]


def whole(tok: kugiri.Tokenizer, text: str, options: EncodeOptions) -> list[int] | str:
    try:
        return tok.encode(text, **options)
    except EncodingError as error:
        return str(error)


def parts_of(text: str, cuts: list[int]) -> list[str]:
    places = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    return [text[start:end] for start, end in pairwise(places)]


def same(tok: kugiri.Tokenizer, data: st.DataObject) -> None:
    text = data.draw(hard | st.text(max_size=20))
    parts = parts_of(text, data.draw(st.lists(st.integers(0, 100), max_size=3)))
    options = data.draw(st.sampled_from(OPTIONS))
    size, count = data.draw(sizes), data.draw(threads)
    assert streamed(tok, parts, size, count, options) == whole(tok, text, options)


@pytest.mark.parametrize("name", COMBINATIONS)
@given(st.data())
def test_components_in_company(name: str, data: st.DataObject) -> None:
    same(combined(name), data)


@pytest.mark.parametrize("name", MODELS)
@given(st.data())
def test_real_tokenizers(name: str, data: st.DataObject) -> None:
    same(model(name), data)


@pytest.mark.parametrize("name", MODELS)
def test_hard_strings_and_real_texts(name: str) -> None:
    tok = model(name)
    draw = random.Random(1)
    texts = ["".join(draw.sample(HARD, 5)) for _ in range(20)]
    for text in [*texts, *(sliced(of, 0.005) for of in TEXTS)]:
        assert streamed(tok, [text], 16) == whole(tok, text, {})


@pytest.mark.parametrize("name", [name for name in MODELS if "npm" in name])
def test_japanese_and_english_are_cut_often(name: str) -> None:
    """Ids come before the text has ended: nothing waits for a space of ASCII."""
    tok = model(name)
    for text in (
        "東京都に住む。大阪にも、京都にも。" * 50,
        "It was a bright cold day, and the clocks. " * 50,
    ):
        ids = _core.Stream(tok._core, asked_of(tok, {}), 2, 0).feed(text.encode(), False)
        assert len(ids) > len(tok.encode(text)) * 0.9


@pytest.mark.filterwarnings("ignore::kugiri.KugiriWarning")
@pytest.mark.parametrize("model", ["bpe", "unigram", "word"])
def test_a_long_text_goes_to_all_threads(model: Literal["bpe", "unigram", "word"]) -> None:
    text = "東京都に住む、ねこです。The cat, and the dog.\n" * 10_000
    tok = kugiri.train(SAMPLE, vocab_size=1000, model=model)
    [expected] = [streamed(tok, [text], 1 << 40, 1)]  # one block
    assert len(text.encode()) > 1 << 19
    assert tok.encode(text) == tok.encode_array(text).tolist() == expected
    assert tok.count(text) == len(expected)
    assert tok.count(text, reverse=True) == len(expected)
    for count in (1, 2, 3, 8):
        assert streamed(tok, [text], 4_000, count) == expected


def test_an_unknown_character_is_told_by_its_place_in_the_text() -> None:
    tok = kugiri.train(["ab ab, b."], unit="char", vocab_size=6, pre_tokenizer="gpt2")
    text = "ab, b. " * 10 + "か" + "ab, b. " * 10
    expected = whole(tok, text, {})
    assert "at character 70 " in str(expected)
    assert streamed(tok, [text], 5) == streamed(tok, [text[:40], text[40:]], 5) == expected
    long = "ab, b. " * 60_000 + "か" + "ab. " * 200_000
    with pytest.raises(EncodingError, match="at character 420000 "):
        tok.encode(long)
