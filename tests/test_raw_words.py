"""Raw words (`src/raw_words/`): where all stages are BERT's, ids are those of tokenizers still.

Ids alone go past the stages; spans go through them, and are the second oracle.
"""

from __future__ import annotations

import json
import unicodedata
from functools import cache
from itertools import chain, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri.errors import EncodingError
from tests.hard_texts import HARD
from tests.hf import added
from tools.parity_data import HOW_TO_GET

OPTIONS = list(product([True, False], [True, False], [None, True, False], [True, False]))
"""clean_text, handle_chinese_chars, strip_accents, lowercase."""
CHOSEN = [OPTIONS[index] for index in (0, 5, 9, 10, 15, 20, 23)]
"""Each with each value of each other."""
SAMPLED = [range(0x3500, 0x4D00), range(0x4F00, 0x9F00), range(0xAD00, 0xD700)]
"""Ideographs and syllables, of which some are enough; so are some of what lies far beyond."""
MANY = 0x1_FC00
ATOMS = [
    *["a", "B", "the", "İ", "ſ", "ß", "é", "e\u0301", "\u0301", "\u0323", "\u0344", "\u1885"],
    *[" ", "  ", "\n", "\r\n", "\t", "\v", "\f", "\0", "\x7f", "\x85", "\u00a0", "\u3000"],
    *["\u2000", "\u2028", "\u200b", "\ufeff", "\ufffd", "\u00ad", "\U000e0100", "\U0010ffff", "Á"],
    *[".", "...", "'", "-", "#", "##", "##a", "。", "、", "「", "\u1fef", "¿", "$", "€"],
    *["\u037e", "\U000111c9", "東", "京都", "﨑", "𠮷", "\U0002b820", "か", "が", "か\u3099"],
    *["ｶﾞ", "ー", "각", "ᄀ"],
    *["한국", "ไทย", "नम", "ष्ट", "👍\ufe0f", "①", "１", "ǅ", "Σ", "[CLS]", "[cls]", "<t>", "<T>"],
    *["a" * 15, "a" * 16, "ab" * 31, "a" * 101, "あ" * 5, "あ" * 6, " " * 61, "x" * 63],
]
texts = st.lists(st.sampled_from(ATOMS), max_size=30).map("".join)


def bert(options: tuple[Any, ...], vocab: dict[str, int], *tokens: Any, **model: Any) -> str:
    """A tokenizer.json with BERT's stages around a vocabulary."""
    names = ("clean_text", "handle_chinese_chars", "strip_accents", "lowercase")
    normalizer = {"type": "BertNormalizer"} | dict(zip(names, options, strict=True))
    names_of_model = {"unk_token": "[UNK]", "continuing_subword_prefix": "##"}
    word_piece: dict[str, Any] = {
        "type": "WordPiece",
        "max_input_chars_per_word": 100,
        "vocab": vocab,
    }
    word_piece |= names_of_model | model
    empty = dict.fromkeys(("truncation", "padding", "post_processor", "decoder"))
    stages = {"normalizer": normalizer, "pre_tokenizer": {"type": "BertPreTokenizer"}}
    start = {"version": "1.0", "added_tokens": list(tokens)} | empty
    return json.dumps(start | stages | {"model": word_piece})


def both(file: str) -> tuple[kugiri.Tokenizer, Any]:
    """Ours and theirs."""
    library = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    return kugiri.load(file.encode()), library.Tokenizer.from_str(file)


@cache
def characters() -> list[str]:
    """Every assigned character, of some ranges one in 61, and the first of what is not assigned."""
    chosen = []
    for number in range(0x11_0000):
        is_one_of_many = number >= MANY or any(number in many for many in SAMPLED)
        if is_one_of_many and number % 61:
            continue
        if unicodedata.category(chr(number)) not in ("Cn", "Cs", "Co") or not number % 61:
            chosen.append(chr(number))
    return [c for c in chosen if not "\ud800" <= c <= "\udfff"]


@cache
def of_characters() -> dict[str, int]:
    """Each character, and what may become of it, is a token at the begin of a word and within."""
    found: dict[str, None] = {"[UNK]": None}
    for c in characters():
        for part in [c, *unicodedata.normalize("NFD", c)]:
            found |= dict.fromkeys([part, "##" + part])
            for lower in part.lower():
                found |= dict.fromkeys([lower, "##" + lower])
    return {token: index for index, token in enumerate(found)}


@pytest.mark.parametrize("options", CHOSEN, ids=str)
def test_every_character(options: tuple[Any, ...]) -> None:
    ours, theirs = both(bert(options, of_characters()))
    lines = [f"x{c}Y {c} {c}{c}.{c}\u0301z\u0323{c}" for c in characters()]
    expected = [encoding.ids for encoding in theirs.encode_batch_fast(lines)]
    found = ours.encode_batch(lines)
    for index, ids in enumerate(expected):
        assert found[index].tolist() == ids, ascii(lines[index])
    assert ours.encode_array("\n".join(lines)).tolist() == list(chain.from_iterable(expected))


STARTS = "[UNK] [CLS] a ##a b ##b ab ##ab the é ##\u0301 e . # $ [ ] i ##\u0307 ss cls x ##x ##xx"
OTHERS = "aaaa ##aaaaaaaaaaaaaaa 東 京 都 か ##か が ##が あ ##ああ ##あ ᄀ ##ᅡ ##\u11a8 각"
WORDS = [*STARTS.split(), *OTHERS.split()]
VOCAB = {token: index for index, token in enumerate(WORDS)}
CLS = added("[CLS]", special=True) | {"id": 1}
TOKENS = [
    [CLS],
    [CLS, added("<t>") | {"id": len(VOCAB)}],
    [CLS, added("<T>", normalized=True) | {"id": len(VOCAB)}],
]


@cache
def small(options: tuple[Any, ...], tokens: int) -> tuple[kugiri.Tokenizer, Any]:
    return both(bert(options, VOCAB, *TOKENS[tokens]))


def compare(ours: kugiri.Tokenizer, theirs: Any, text: str) -> None:
    expected = theirs.encode(text, add_special_tokens=False).ids
    assert ours.encode_with_offsets(text, allowed_special="all").ids.tolist() == expected
    for _ in range(2):  # once new, once met before
        assert ours.encode(text, allowed_special="all") == expected
    assert ours.count(text, allowed_special="all") == len(expected)


@given(st.sampled_from(OPTIONS), st.integers(0, len(TOKENS) - 1), texts)
def test_hard_texts(options: tuple[Any, ...], tokens: int, text: str) -> None:
    compare(*small(options, tokens), text)


@given(st.sampled_from(OPTIONS), st.text(max_size=80))
def test_any_text(options: tuple[Any, ...], text: str) -> None:
    compare(*small(options, 0), text)


@pytest.mark.parametrize("options", CHOSEN, ids=str)
def test_strings_that_are_hard_elsewhere(options: tuple[Any, ...]) -> None:
    for text in HARD:
        compare(*small(options, 1), text)


@pytest.mark.parametrize("most", [0, 1, 15, 16, 17])
def test_words_of_many_characters(most: int) -> None:
    file = bert((True, True, None, True), VOCAB, max_input_chars_per_word=most)
    for length in range(20):
        compare(*both(file), "Á" * length + " " + "か\u3099" * length)


def test_an_unknown_word_is_told_by_its_place() -> None:
    ours = kugiri.load(bert((True, True, None, True), VOCAB, unk_token="none").encode())
    assert ours.encode("a.\u0301B") == [2, 12, 4]
    for text in ["a \u0301q", "東京\nz" + " a" * 100, "a " * 200 + "é?"]:
        with pytest.raises(EncodingError) as by_stages:
            ours.encode_with_offsets(text)
        with pytest.raises(EncodingError) as by_words:
            ours.encode(text)
        assert str(by_words.value) == str(by_stages.value)
