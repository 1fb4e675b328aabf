"""Public bug reports about tokenizers as small inputs with the right answers, and their kind.

Each test names the report that it was made from. Reports about what is not built yet are absent.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import lru_cache

import pytest

import kugiri
from kugiri.reference.byte_alphabet import CHARACTER_OF
from tests.oracles import oracle_tiktoken, parity_file


@lru_cache(maxsize=1)
def ours(path: str) -> kugiri.Tokenizer:
    return kugiri.load(parity_file(path))


def encoding(name: str) -> kugiri.Tokenizer:
    return ours(f"tiktoken/{name}.tiktoken")


# ── openai/tiktoken #245: a million equal signs crash the encoder ─────────────────────────────
def test_a_million_equal_signs() -> None:
    ids = encoding("r50k_base").encode_array("^" * 1_000_000)
    assert (len(ids), set(ids.tolist())) == (250_000, {39397})


def million(piece: str) -> str:
    return piece * (1_000_000 // len(piece))


def line_without_spaces(size: int = 10_000_000) -> str:
    """Hiragana in no order, 3 bytes each."""
    return "".join(random.Random(0).choices("あいうえおかきくけこさしすせそのはをん", k=size // 3))


HARD = {
    "letters": lambda: million("a"),
    "katakana": lambda: million("ア"),
    "two cases": lambda: million("Aa"),
    "digits": lambda: million("1"),
    "signs": lambda: million("-"),
    "contractions": lambda: million("'s"),
    "marks": lambda: million("\u0301"),
    "joined emoji": lambda: million("👩\u200d🔧"),
    "newlines": lambda: million("\n"),
    "mixed white space": lambda: million(" \t\n\u3000"),
    "a long line": line_without_spaces,
}


@pytest.mark.parametrize("make", [pytest.param(make, id=name) for name, make in HARD.items()])
@pytest.mark.parametrize("name", ["r50k_base", "o200k_base"], scope="module")
def test_worst_cases(name: str, make: Callable[[], str]) -> None:
    text = make()
    ids = encoding(name).encode(text)
    assert ids == oracle_tiktoken(name).encode_ordinary(text)


def test_a_million_spaces() -> None:
    """Here tiktoken 0.14.0 ends in a panic ("StackOverflow") that `except Exception` lets pass."""
    tok = encoding("o200k_base")
    ids = tok.encode(million(" "))
    assert tok.decode(ids) == million(" ")
    # 128 spaces are the longest token of spaces: all but the last ids are its.
    assert len(ids) == 1 + (1_000_000 - 1) // 128
    assert set(ids[:-1]) == {tok.token_id(" " * 128)}


# ── tiktoken-go/tokenizer #24: upper-case contractions are split ──────────────────────────────
@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("cl100k_base", [1687, 95253, 63593, 6, 4592, 1364, 28805]),
        ("o200k_base", [2167, 6, 1099, 95381, 6, 19511, 1770, 78685]),
    ],
)
def test_upper_case_contractions(name: str, ids: list[int]) -> None:
    assert encoding(name).encode("We'RE THEY'VE she'D") == ids


# ── openai/tiktoken #82, #541: lone surrogates, refused in one call and repaired in another ───
CALLS: dict[str, Callable[[kugiri.Tokenizer, str], object]] = {
    "encode": lambda tok, text: tok.encode(text),
    "encode, special tokens": lambda tok, text: tok.encode(text, allowed_special="all"),
    "encode_array": lambda tok, text: tok.encode_array(text),
    "encode_with_offsets": lambda tok, text: tok.encode_with_offsets(text),
    "encode_batch": lambda tok, text: tok.encode_batch(["fine", text]),
    "count": lambda tok, text: tok.count(text),
    "count_batch": lambda tok, text: tok.count_batch(["fine", text]),
    "tokens": lambda tok, text: tok.tokens(text),
    "normalize": lambda tok, text: tok.normalize(text),
    "pre_tokenize": lambda tok, text: tok.pre_tokenize(text),
    "truncate": lambda tok, text: tok.truncate(text, 2),
    "chunks": lambda tok, text: tok.chunks(text, 2),
    "train": lambda tok, text: kugiri.train([text], vocab_size=300),
    "count_words": lambda tok, text: kugiri.count_words([text]),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    ("text", "place"),
    [
        pytest.param("ok \ud83d\udc4d", 3, id="a pair"),
        pytest.param("x\udbc0y", 1, id="a lone one"),
        pytest.param("\udfff", 0, id="nothing else"),
    ],
)
@pytest.mark.parametrize(
    "path",
    [
        "tiktoken/cl100k_base.tiktoken",
        "npm/llama3/tokenizer.json",
        "spm/botchan_en_unigram_1000.model",
    ],
)
def test_surrogates_are_refused_with_their_place(
    path: str, text: str, place: int, call: str
) -> None:
    with pytest.raises(kugiri.EncodingError, match=rf"\b{place}\b") as caught:
        CALLS[call](ours(path), text)
    assert isinstance(caught.value, ValueError)
    assert "surrogate" in str(caught.value)


@pytest.mark.parametrize("call", [call for call in CALLS if call != "truncate"])
def test_surrogates_far_into_a_text(call: str) -> None:
    with pytest.raises(kugiri.EncodingError, match=r"\b5000\b"):
        CALLS[call](encoding("cl100k_base"), "good " * 1000 + "\ud800")


def test_truncate_does_not_look_at_what_it_cuts_away() -> None:
    assert encoding("cl100k_base").truncate("good " * 1000 + "\ud800", 2) == "good good"


# ── huggingface/tokenizers #1996: added tokens of letters like "ć" are destroyed by decode ────
@pytest.mark.parametrize(
    "flags",
    [
        pytest.param({"special": False, "normalized": True}, id="normalized"),
        pytest.param({"special": False, "normalized": False}, id="raw"),
        pytest.param({"special": True, "normalized": False}, id="special"),
    ],
)
def test_added_tokens_decode_to_themselves(flags: dict[str, bool]) -> None:
    others = {"single_word": False, "lstrip": False, "rstrip": False}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    document = {
        "added_tokens": [
            {"id": 256, "content": "kuća", **others, **flags},
            {"id": 257, "content": "õx", **others, **flags},
        ],
        "pre_tokenizer": byte_level,
        "decoder": byte_level,
        "model": {
            "type": "BPE",
            "vocab": {character: byte for byte, character in CHARACTER_OF.items()},
            "merges": [],
        },
    }
    tok = kugiri.load(json.dumps(document).encode())
    ids = tok.encode("a kuća õx", allowed_special="all")
    assert ids == [97, 32, 256, 32, 257]
    assert [tok.decode(some) for some in (ids, [256], [257])] == ["a kuća õx", "kuća", "õx"]


# ── deepjavalibrary/djl #2112: spans that count bytes instead of characters ───────────────────
@pytest.mark.parametrize("name", ["llama3", "gptoss"])
def test_spans_are_in_characters(name: str) -> None:
    text = "cost: £12.50 or ¥900 → ok"
    spans = ours(f"npm/{name}/tokenizer.json").encode_with_offsets(text).spans
    assert spans == [
        (0, 4), (4, 5), (5, 7), (7, 9), (9, 10), (10, 12), (12, 15), (15, 17), (17, 20), (20, 22),
        (22, 25),
    ]  # fmt: skip
    assert [text[start:end] for start, end in spans][2] == " £"
    assert [text[start:end] for start, end in spans][-1] == " ok"


# ── huggingface/tokenizers #670, #1514: a vocabulary larger than asked for ────────────────────
SMALL = {"pre_tokenizer": "whitespace", "unit": "char", "vocab_size": 7}


def test_an_alphabet_that_does_not_fit_is_kept_with_a_warning() -> None:
    with pytest.warns(kugiri.KugiriWarning, match="16 > 7") as caught:
        tok = kugiri.train(["abcdefghij klmnop"], compatibility="tokenizers", **SMALL)
    assert tok.vocab_size == 16
    assert list(tok.vocab) == list("abcdefghijklmnop")
    assert len(tok.merges) == 0
    assert tok.training["warnings"] == [str(warning.message) for warning in caught]


def test_an_alphabet_that_does_not_fit_is_refused() -> None:
    with pytest.raises(kugiri.VocabularyError, match=r"vocab_size=7 .*\b16\b"):
        kugiri.train(["abcdefghij klmnop"], **SMALL)


# ── google/sentencepiece #1043, #1044: decoding token by token loses the spaces ───────────────
def test_steps_of_a_model_keep_their_spaces() -> None:
    tok = ours("spm/botchan_en_unigram_1000.model")
    ids = [304, 16, 48, 51, 158, 5, 7, 70, 17, 264, 112, 291, 119, 6]
    assert tok.encode("Dear sir, the red moon came up.") == ids
    decoder = tok.decoder()
    steps = [decoder.feed(id) for id in ids]
    assert steps == [
        "D", "e", "ar", " s", "ir", ",", " the", " re", "d", " mo", "on", " came", " up", ".",
    ]  # fmt: skip
    assert "".join([*steps, decoder.finish()]) == tok.decode(ids)


def test_steps_of_bytes_never_show_half_a_character() -> None:
    tok = encoding("cl100k_base")
    decoder = tok.decoder()
    steps = [decoder.feed(id) for id in tok.encode("日本語😀 é")]
    assert "".join([*steps, decoder.finish()]) == "日本語😀 é"
    assert not any("\ufffd" in step for step in steps)


# ── google/sentencepiece #214: long lines are left out with only a log line ───────────────────
LONG_LINES = ["short line"] * 30 + ["zq" * 3000] * 5
META = ["<unk>", "<s>", "</s>"]


def test_long_lines_are_left_out_visibly() -> None:
    with pytest.warns(kugiri.KugiriWarning, match=r"5 sentences .* 30,000 bytes"):
        tok = kugiri.train(
            LONG_LINES, preset="sentencepiece", model="bpe", vocab_size=20, hard_vocab_limit=False
        )
    assert list(tok.vocab) == [
        *META, "ho", "in", "rt", "▁l", "▁s", "ine", "hort",
        "▁", "e", "h", "i", "l", "n", "o", "r", "s", "t",
    ]  # fmt: skip


def test_long_lines_are_used_where_they_may_be() -> None:
    tok = kugiri.train(
        LONG_LINES,
        preset="sentencepiece",
        model="bpe",
        vocab_size=20,
        hard_vocab_limit=False,
        max_sentence_length=10_000,
    )
    assert list(tok.vocab) == [
        *META, "zq", "zqzq", "zqzqzqzq", "zq" * 8, "ho", "q", "z",
        "▁", "e", "h", "i", "l", "n", "o", "r", "s", "t",
    ]  # fmt: skip
